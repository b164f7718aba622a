//! What is measured when somebody asks.

use retake_components::{AxisCommand, Contacts, JointWrench, LinkAcceleration};
use retake_description::{
    Collision, Friction, Geometry, Joint, JointAxis, JointKind, Model, Surface, World,
};
use retake_math::{Inertial, Pose, Vec3};

use crate::stage::{Stage, link};

const GRAVITY: f64 = 9.8;

fn joint(name: &str, kind: JointKind, ends: (&str, &str), xyz: Vec3) -> Joint {
    Joint {
        name: name.to_owned(),
        kind,
        parent: ends.0.to_owned(),
        child: ends.1.to_owned(),
        child_from_joint: Pose::IDENTITY,
        axes: vec![JointAxis { xyz, ..JointAxis::default() }; kind.axis_count()],
        thread_pitch: 1.0,
        gearbox_ratio: 1.0,
        extras: Vec::new(),
    }
}

fn cube(name: &str, size: f64) -> Collision {
    let friction = Friction { mu: 0.5, mu2: 0.5, ..Friction::default() };
    Collision {
        name: name.to_owned(),
        link_from_collision: Pose::IDENTITY,
        geometry: Geometry::Box { size: Vec3::splat(size) },
        surface: Surface { friction, ..Surface::default() },
        extras: Vec::new(),
    }
}

/// A post that stands in the world and carries, by a fixed joint, an arm with a weight at its end.
fn crane() -> World {
    let mut arm = link("arm", Vec3::Z);
    arm.inertial = Inertial {
        mass_kg: 2.0,
        link_from_com: Pose::from_position(Vec3::X * 0.5),
        moments: Vec3::splat(0.1),
        products: Vec3::ZERO,
    };
    let mut elbow = joint("elbow", JointKind::Revolute, ("post", "arm"), Vec3::Y);
    elbow.axes[0].dynamics.damping = 0.0;
    let crane = Model {
        name: "crane".to_owned(),
        links: vec![link("post", Vec3::ZERO), arm],
        joints: vec![joint("foot", JointKind::Fixed, ("world", "post"), Vec3::Z), elbow],
        ..Model::default()
    };
    World { models: vec![crane], ..World::default() }
}

fn near(value: Vec3, expected: Vec3, tolerance: f64) {
    assert!((value - expected).length() <= tolerance, "{value} is not {expected} ± {tolerance}");
}

impl Stage {
    fn wrench(&self, joint: &str) -> JointWrench {
        *self.ecm.get::<JointWrench>(self.id(joint)).unwrap()
    }

    fn ask<T: retake_ecm::Component>(&mut self, entity: &str, empty: T) {
        let entity = self.id(entity);
        self.ecm.set(entity, empty).unwrap();
    }
}

#[test]
fn a_held_arm_passes_its_weight_on_through_every_joint() {
    let mut stage = Stage::of(&crane());
    stage.ask("crane::elbow", JointWrench::default());
    stage.ask("crane::foot", JointWrench::default());
    let elbow = stage.id("crane::elbow");
    let (stiffness, damping, max_effort) = (1e5, 1e4, f64::INFINITY);
    let hold = AxisCommand::Position { target: 0.0, stiffness, damping, max_effort };
    stage.ecm.set(elbow, retake_components::JointCommand(vec![hold])).unwrap();
    stage.run(3000);
    let wrench = stage.wrench("crane::elbow");
    assert!(wrench.known);
    near(wrench.force, Vec3::Z * 2.0 * GRAVITY, 1e-3);
    // The weight is half a metre out; holding it turns against y.
    near(wrench.torque, Vec3::NEG_Y * GRAVITY, 1e-3);
    let foot = stage.wrench("crane::foot");
    near(foot.force, Vec3::Z * 3.0 * GRAVITY, 1e-3);
    near(foot.torque, Vec3::NEG_Y * GRAVITY, 1e-3);
}

#[test]
fn a_free_hinge_passes_no_torque_about_its_axis_while_the_arm_falls() {
    let mut stage = Stage::of(&crane());
    stage.ask("crane::elbow", JointWrench::default());
    stage.ask("crane::arm", LinkAcceleration::default());
    stage.run(1);
    // 2 kg, half a metre out, about the end: alpha = m g d / (I + m d²).
    let alpha = 2.0 * GRAVITY * 0.5 / (0.1 + 2.0 * 0.25);
    let acceleration = stage.ecm.get::<LinkAcceleration>(stage.id("crane::arm")).unwrap().0;
    near(acceleration.angular, Vec3::Y * alpha, 1e-2);
    let wrench = stage.wrench("crane::elbow");
    near(wrench.torque, Vec3::ZERO, 1e-2);
    near(wrench.force, Vec3::Z * 2.0 * (GRAVITY - 0.5 * alpha), 2e-2);
}

/// A table on a slide along x, with a box on it.
fn table() -> World {
    let mut top = link("top", Vec3::Z * 0.5);
    top.collisions = vec![cube("wood", 1.0)];
    let table = Model {
        name: "table".to_owned(),
        links: vec![top],
        joints: vec![joint("rail", JointKind::Prismatic, ("world", "top"), Vec3::X)],
        ..Model::default()
    };
    let mut body = link("body", Vec3::ZERO);
    body.collisions = vec![cube("skin", 0.2)];
    body.inertial.moments = Vec3::splat(0.04 / 6.0);
    let load = Model {
        name: "load".to_owned(),
        parent_from_model: Pose::from_position(Vec3::Z * 1.1),
        links: vec![body],
        ..Model::default()
    };
    World { models: vec![table, load], ..World::default() }
}

#[test]
fn contacts_tell_force_and_friction_and_joints_count_them() {
    let mut stage = Stage::of(&table());
    stage.ask("load", Contacts::default());
    stage.ask("table::top::wood", Contacts::default());
    stage.ask("table::rail", JointWrench::default());
    let rail = stage.id("table::rail");
    // 2 kg together, 4 N: both accelerate by 2 m/s², the box by friction.
    let push = AxisCommand::Effort { effort: 4.0 };
    stage.ecm.set(rail, retake_components::JointCommand(vec![push])).unwrap();
    stage.run(300);
    let contacts = stage.ecm.get::<Contacts>(stage.id("load")).unwrap();
    assert_eq!((contacts.points.len(), contacts.left_out), (4, 0));
    let total: Vec3 = contacts.points.iter().map(|point| point.force).sum();
    near(total, Vec3::new(2.0, 0.0, GRAVITY), 0.05);
    for point in &contacts.points {
        near(point.normal, Vec3::Z, 1e-3);
        assert!((point.position.z - 1.0).abs() < 1e-3 && point.depth.abs() < 1e-3);
        assert_eq!(point.other, stage.id("table::top::wood"));
    }
    let below = stage.ecm.get::<Contacts>(stage.id("table::top::wood")).unwrap();
    let pressed: Vec3 = below.points.iter().map(|point| point.force).sum();
    near(pressed, -total, 1e-9);
    let wrench = stage.wrench("table::rail");
    near(wrench.force, Vec3::new(4.0, 0.0, 2.0 * GRAVITY), 0.1);
}

#[test]
fn nothing_is_measured_unless_asked() {
    let mut stage = Stage::of(&table());
    stage.run(10);
    assert!(stage.ecm.iter::<Contacts>().next().is_none());
    assert!(stage.ecm.iter::<JointWrench>().next().is_none());
    assert!(stage.ecm.iter::<LinkAcceleration>().next().is_none());
}

#[test]
fn a_joint_of_a_loop_says_that_it_does_not_know() {
    let mut world = crane();
    let second = joint("brace", JointKind::Revolute, ("world", "arm"), Vec3::Y);
    world.models[0].joints.push(second);
    let mut stage = Stage::of(&world);
    stage.ask("crane::elbow", JointWrench::default());
    stage.run(5);
    assert!(!stage.wrench("crane::elbow").known);
}
