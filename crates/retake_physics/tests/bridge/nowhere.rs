//! Moves to where things are already.

use retake_components::{AxisCommand, BodyTwist, JointVelocity, LocalPose, world_pose};
use retake_description::{Joint, JointAxis, JointKind, Model, World};
use retake_ecm::EntityId;
use retake_math::{Pose, Twist, Vec3};

use crate::stage::{Stage, link, world};

impl Stage {
    /// What a move leaves of velocities, whatever the pose.
    fn bring_to_rest(&mut self, model: &str) {
        for part in self.ecm.with_descendants(self.id(model)) {
            if let Some(twist) = self.ecm.get_mut::<BodyTwist>(part) {
                *twist = BodyTwist::default();
            }
            if let Some(velocity) = self.ecm.get_mut::<JointVelocity>(part) {
                velocity.0.fill(0.0);
            }
        }
    }

    /// Poses of these, and whether anything of them moves.
    fn standing(&self, links: &[&str]) -> (Vec<Vec3>, bool) {
        let ids: Vec<EntityId> = links.iter().map(|link| self.id(link)).collect();
        let moves = |link: &EntityId| self.ecm.get::<BodyTwist>(*link).unwrap().0 != Twist::ZERO;
        let poses = ids.iter().map(|link| world_pose(&self.ecm, *link).position).collect();
        (poses, ids.iter().any(moves))
    }
}

const ROBOT: [&str; 2] = ["robot::cart", "robot::rod"];

#[test]
fn a_move_to_where_a_jointed_model_is_stops_it_as_other_moves_do() {
    for engine in ["rapier", "tpe"] {
        let (mut stays, mut moves) = (Stage::new(engine), Stage::new(engine));
        for stage in [&mut stays, &mut moves] {
            stage.push_off(Vec3::X);
            stage.command(AxisCommand::Velocity { target: 0.5, max_effort: 10.0 });
            stage.run(100);
            stage.command(AxisCommand::Free);
            stage.follow();
            assert!(stage.standing(&ROBOT).1, "{engine}");
        }
        let before = stays.standing(&ROBOT).0;
        stays.bring_to_rest("robot");
        stays.follow();
        let robot = moves.id("robot");
        moves.ecm.get_mut::<LocalPose>(robot).unwrap().0.position.x += 1e-12;
        moves.bring_to_rest("robot");
        moves.follow();
        for stage in [&mut stays, &mut moves] {
            stage.run(10);
            let (after, moving) = stage.standing(&ROBOT);
            assert!(!moving, "{engine}");
            let apart = before.iter().zip(&after).map(|(a, b)| a.distance(*b));
            assert!(apart.fold(0.0, f64::max) < 1e-9, "{engine}: {after:?}");
        }
    }
}

/// A cart that carries a model with a rod of its own.
fn with_nested() -> World {
    let mut world = world("rapier");
    let hinge = world.models[0].joints[0].clone();
    let arm = Model {
        name: "arm".to_owned(),
        parent_from_model: Pose::from_position(Vec3::Z),
        links: vec![link("cart", Vec3::ZERO), link("rod", Vec3::X * 0.5)],
        joints: vec![hinge.clone()],
        ..Model::default()
    };
    let robot = &mut world.models[0];
    robot.models.push(arm);
    robot.joints.push(Joint {
        name: "shoulder".to_owned(),
        child: "arm::cart".to_owned(),
        axes: vec![JointAxis { xyz: Vec3::Z, ..JointAxis::default() }],
        kind: JointKind::Continuous,
        ..hinge
    });
    world
}

#[test]
fn a_nested_model_that_is_moved_nowhere_lets_its_own_joints_rest() {
    let mut stage = Stage::of(&with_nested());
    let (inner, shoulder) = (stage.id("robot::arm::hinge"), stage.id("robot::shoulder"));
    stage.ecm.set(inner, JointVelocity(vec![0.5])).unwrap();
    stage.ecm.set(shoulder, JointVelocity(vec![0.25])).unwrap();
    stage.run(10);
    stage.bring_to_rest("robot::arm");
    stage.follow();
    let speed = |joint| stage.ecm.get::<JointVelocity>(joint).unwrap().0[0];
    assert_eq!(speed(inner), 0.0);
    assert!((speed(shoulder) - 0.25).abs() < 0.01, "{}", speed(shoulder));
}

#[test]
fn what_a_joint_holds_still_gets_no_velocity_of_its_own() {
    let mut stage = Stage::new("rapier");
    let rod = stage.id("robot::rod");
    stage.ecm.set(rod, BodyTwist(Twist { linear: Vec3::X, ..Twist::ZERO })).unwrap();
    let followed = stage.physics.follow(&mut stage.ecm);
    assert_eq!(followed.refusals.len(), 1);
    assert_eq!(followed.refusals[0].entity, rod);
    let expected = "a joint holds the link; set the joint's velocity instead";
    assert_eq!(followed.refusals[0].message, expected);
}
