//! What an edit does not touch goes on bit by bit, whatever kind of edit it is.

use retake_components::{
    BodyTwist, Inertia, JointPosition, JointSpec, JointVelocity, Shape, ShapeSurface, spawn_model,
    world_entity, world_pose,
};
use retake_description::{
    Collision, Friction, Geometry, Joint, JointAxis, JointKind, JointLimits, Model, Surface, World,
};
use retake_ecm::Parent;
use retake_math::{Pose, Vec3};

use crate::stage::{Stage, link};

/// Steps before the edit, so that stacks are in contact and robots move.
const BEFORE: usize = 150;
/// Steps after it that are compared.
const AFTER: usize = 200;
/// Boxes of the stack.
const LEVELS: u32 = 4;

/// An edit and its name.
type Edit = (&'static str, fn(&mut Stage));

fn skin(geometry: Geometry) -> Collision {
    let friction = Friction { mu: 0.7, mu2: 0.7, ..Friction::default() };
    Collision {
        name: "skin".to_owned(),
        link_from_collision: Pose::IDENTITY,
        geometry,
        surface: Surface { friction, ..Surface::default() },
        extras: Vec::new(),
    }
}

fn model(name: &str, at: Vec3, geometry: Geometry) -> Model {
    let mut body = link("body", Vec3::ZERO);
    body.collisions.push(skin(geometry));
    let parent_from_model = Pose::from_position(at);
    Model { name: name.to_owned(), parent_from_model, links: vec![body], ..Model::default() }
}

fn cube(name: &str, at: Vec3) -> Model {
    model(name, at, Geometry::Box { size: Vec3::splat(0.2) })
}

/// A box on the ground that carries a rod, which swings.
fn robot(name: &str, x: f64) -> Model {
    let mut robot = cube(name, Vec3::new(x, 0.0, 0.1));
    let mut rod = link("rod", Vec3::new(0.0, 0.0, 0.5));
    rod.collisions.push(skin(Geometry::Sphere { radius: 0.05 }));
    robot.links.push(rod);
    robot.joints.push(Joint {
        name: "hinge".to_owned(),
        kind: JointKind::Revolute,
        parent: "body".to_owned(),
        child: "rod".to_owned(),
        child_from_joint: Pose::from_position(Vec3::Z * -0.4),
        axes: vec![JointAxis {
            xyz: Vec3::Y,
            limits: JointLimits { lower: -2.0, upper: 2.0, ..JointLimits::default() },
            ..JointAxis::default()
        }],
        thread_pitch: 1.0,
        gearbox_ratio: 1.0,
        extras: Vec::new(),
    });
    robot
}

/// The robot that is edited, another one that moves, a stack, and a box to delete.
fn world() -> World {
    let plane = Geometry::Plane { normal: Vec3::Z, size: [50.0, 50.0] };
    let mut ground = model("ground", Vec3::ZERO, plane);
    ground.is_static = true;
    let mut models = vec![ground, robot("edited", 0.0), cube("spare", Vec3::new(0.0, 4.0, 0.1))];
    models.push(robot("other", 3.0));
    for level in 0..LEVELS {
        let at = Vec3::new(-3.0, 0.01 * f64::from(level), 0.1 + 0.201 * f64::from(level));
        models.push(cube(&format!("stack_{level}"), at));
    }
    World { models, ..World::default() }
}

fn started() -> Stage {
    let mut stage = Stage::of(&world());
    for robot in ["edited", "other"] {
        let hinge = stage.id(&format!("{robot}::hinge"));
        stage.ecm.set(hinge, JointVelocity(vec![1.0])).unwrap();
    }
    stage.run(BEFORE);
    stage
}

/// Bits of where everything untouched is and how fast it moves.
fn untouched(stage: &Stage) -> Vec<u64> {
    let stack = (0..LEVELS).map(|level| format!("stack_{level}::body"));
    let links = stack.chain(["other::body".to_owned(), "other::rod".to_owned()]);
    let mut numbers = Vec::new();
    for name in links {
        let link = stage.id(&name);
        let (pose, twist) =
            (world_pose(&stage.ecm, link), stage.ecm.get::<BodyTwist>(link).unwrap().0);
        numbers.extend(pose.position.to_array());
        numbers.extend(pose.rotation.to_array());
        numbers.extend(twist.linear.to_array().into_iter().chain(twist.angular.to_array()));
    }
    let hinge = stage.id("other::hinge");
    numbers.extend(&stage.ecm.get::<JointPosition>(hinge).unwrap().0);
    numbers.extend(&stage.ecm.get::<JointVelocity>(hinge).unwrap().0);
    numbers.into_iter().map(f64::to_bits).collect()
}

fn trajectory(stage: &mut Stage) -> Vec<Vec<u64>> {
    let step = |_| {
        stage.run(1);
        untouched(stage)
    };
    (0..AFTER).map(step).collect()
}

/// Compares a run with an edit and one without.
fn check(name: &str, edit: impl Fn(&mut Stage)) {
    let (mut edited, mut left) = (started(), started());
    assert_eq!(untouched(&edited), untouched(&left), "both runs begin alike");
    edit(&mut edited);
    edited.follow();
    let (with, without) = (trajectory(&mut edited), trajectory(&mut left));
    let differs = with.iter().zip(&without).position(|(a, b)| a != b);
    let largest = with.iter().flatten().zip(without.iter().flatten());
    let largest = largest.map(|(a, b)| (f64::from_bits(*a) - f64::from_bits(*b)).abs());
    let largest = largest.fold(0.0, f64::max);
    assert_eq!(differs, None, "{name}: from this step on, by up to {largest:e}");
    let first = without.first();
    assert_ne!(first, without.last(), "the others move");
}

#[test]
fn properties_change_and_the_others_go_on() {
    check("mass", |stage| {
        let body = stage.id("edited::rod");
        stage.ecm.get_mut::<Inertia>(body).unwrap().0.mass_kg = 3.0;
    });
    check("friction", |stage| {
        let skin = stage.id("edited::body::skin");
        stage.ecm.get_mut::<ShapeSurface>(skin).unwrap().0.friction.mu = 0.01;
    });
    check("joint limits", |stage| {
        let hinge = stage.id("edited::hinge");
        stage.ecm.get_mut::<JointSpec>(hinge).unwrap().axes[0].limits.upper = 0.1;
    });
}

#[test]
fn models_are_built_anew_and_the_others_go_on() {
    check("geometry", |stage| {
        let skin = stage.id("edited::body::skin");
        let small = Shape(Geometry::Box { size: Vec3::splat(0.1) });
        stage.ecm.set(skin, small).unwrap();
    });
    check("link added", |stage| {
        let (world, edited) = (world_entity(&stage.ecm).unwrap(), stage.id("edited"));
        let donor = cube("donor", Vec3::new(0.0, 1.0, 1.0));
        let donor = spawn_model(&mut stage.ecm, world, &donor).unwrap();
        let new = stage.ecm.children(donor)[0];
        stage.ecm.set(new, Parent(edited)).unwrap();
        stage.ecm.remove_entity(donor);
    });
    check("joint removed", |stage| {
        let hinge = stage.id("edited::hinge");
        stage.ecm.remove_entity(hinge);
    });
}

#[test]
fn models_come_and_go_and_the_others_go_on() {
    check("model inserted", |stage| {
        let world = world_entity(&stage.ecm).unwrap();
        let new = cube("new", Vec3::new(0.0, -4.0, 0.1));
        spawn_model(&mut stage.ecm, world, &new).unwrap();
    });
    check("moving model deleted", |stage| {
        let edited = stage.id("edited");
        stage.ecm.remove_entity(edited);
    });
    check("resting model deleted", |stage| {
        let spare = stage.id("spare");
        stage.ecm.remove_entity(spare);
    });
}

#[test]
fn an_edited_robot_keeps_its_joints_and_speeds() {
    let edits: [Edit; 3] = [
        ("mass", |stage| {
            let rod = stage.id("edited::rod");
            stage.ecm.get_mut::<Inertia>(rod).unwrap().0.mass_kg = 3.0;
        }),
        ("friction", |stage| {
            let skin = stage.id("edited::body::skin");
            stage.ecm.get_mut::<ShapeSurface>(skin).unwrap().0.friction.mu = 0.1;
        }),
        ("geometry", |stage| {
            let skin = stage.id("edited::rod::skin");
            stage.ecm.set(skin, Shape(Geometry::Sphere { radius: 0.02 })).unwrap();
        }),
    ];
    for (name, edit) in edits {
        let mut stage = started();
        let state = |stage: &Stage| {
            let hinge = stage.id("edited::hinge");
            let position = stage.ecm.get::<JointPosition>(hinge).unwrap().0[0];
            let velocity = stage.ecm.get::<JointVelocity>(hinge).unwrap().0[0];
            (position, velocity)
        };
        let (position, velocity) = state(&stage);
        assert!(velocity.abs() > 0.1, "the robot moves: {velocity}");
        edit(&mut stage);
        stage.run(1);
        let (position_after, velocity_after) = state(&stage);
        // One step of a millisecond under a few m/s².
        assert!((position_after - position).abs() < 0.01, "{name}: {position} {position_after}");
        assert!((velocity_after - velocity).abs() < 0.1, "{name}: {velocity} {velocity_after}");
    }
}

#[test]
#[should_panic(expected = "from this step on")]
fn what_falls_on_the_stack_is_noticed() {
    check("model on the stack", |stage| {
        let world = world_entity(&stage.ecm).unwrap();
        let new = cube("new", Vec3::new(-3.0, 0.0, 1.05));
        spawn_model(&mut stage.ecm, world, &new).unwrap();
    });
}
