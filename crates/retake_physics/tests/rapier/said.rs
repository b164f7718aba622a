//! What a description says about joints, links and surfaces has its effect.

use retake_description::{
    Collision, Contact, Friction, Geometry, Joint, JointAxis, JointKind, Link, Model, Surface,
    VelocityDecay, World as WorldDescription,
};
use retake_ecm::EntityId;
use retake_math::{Inertial, Pose, Twist, Vec3};
use retake_physics::{BodySpec, Engine, GearboxSpec, JointDrive, JointSpec, unsupported};

use crate::world::{DT, GRAVITY, World, assert_near};

/// A wheel of 0.1 kg m² on an axle along y in the world, without gravity.
fn wheel(world: &mut World, change: impl FnOnce(&mut JointAxis)) -> EntityId {
    let (wheel, joint) = loose_wheel(world, change);
    let id = joint.joint;
    world.add(vec![wheel], vec![joint]);
    id
}

fn loose_wheel(world: &mut World, change: impl FnOnce(&mut JointAxis)) -> (BodySpec, JointSpec) {
    world.engine.set_gravity(Vec3::ZERO).unwrap();
    let wheel = world.ghost(Pose::IDENTITY);
    let mut joint = world.axis_joint(JointKind::Continuous, (None, &wheel), Vec3::ZERO, Vec3::Y);
    change(&mut joint.axes[0].axis);
    (wheel, joint)
}

fn position_drive(target: f64, stiffness: f64, max_effort: f64) -> JointDrive {
    JointDrive::Position { target, velocity: 0.0, stiffness, damping: stiffness / 10.0, max_effort }
}

#[test]
fn a_position_drive_never_passes_the_velocity_limit() {
    for (stiffness, max_effort) in [(1e5, f64::INFINITY), (1e3, 2.0), (10.0, f64::INFINITY)] {
        let mut world = World::new();
        let id = wheel(&mut world, |axis| axis.limits.velocity = 2.0);
        world.engine.set_joint_drive(id, 0, position_drive(5.0, stiffness, max_effort)).unwrap();
        let mut fastest = 0f64;
        for _ in 0..4000 {
            let before = world.joint_state(id).position;
            world.run(1);
            fastest = fastest.max((world.joint_state(id).position - before) / DT);
        }
        assert_near(fastest, 2.0, 1e-3);
        assert_near(world.joint_state(id).position, 5.0, 1e-2);
    }
}

#[test]
fn a_limited_drive_accelerates_with_its_full_effort() {
    let mut world = World::new();
    let id = wheel(&mut world, |axis| axis.limits.velocity = 2.0);
    world.engine.set_joint_drive(id, 0, position_drive(50.0, 1e3, 0.5)).unwrap();
    world.run_secs(0.2);
    // 0.5 N m on 0.1 kg m² for 0.2 s.
    assert_near(world.joint_state(id).velocity, 1.0, 1e-3);
    assert_near(world.joint_state(id).effort, 0.5, 1e-9);
    world.run_secs(1.0);
    assert_near(world.joint_state(id).velocity, 2.0, 1e-9);
    assert_near(world.joint_state(id).effort, 0.0, 1e-3);
}

#[test]
fn a_falling_link_keeps_to_the_velocity_limit() {
    let mut world = World::new();
    let slide = world.ghost(Pose::IDENTITY);
    let mut joint = world.axis_joint(JointKind::Prismatic, (None, &slide), Vec3::ZERO, Vec3::Z);
    joint.axes[0].axis.limits.velocity = 1.5;
    let id = joint.joint;
    world.add(vec![slide], vec![joint]);
    world.run_secs(0.1);
    assert_near(world.joint_state(id).velocity, -0.1 * GRAVITY, 1e-9);
    world.run_secs(1.0);
    assert_near(world.joint_state(id).velocity, -1.5, 1e-9);
}

#[test]
fn friction_in_a_joint_between_models_stops_it() {
    let mut world = World::new();
    let (wheel, mut joint) = loose_wheel(&mut world, |axis| axis.dynamics.friction = 0.5);
    let (link, id) = (wheel.link, joint.joint);
    joint.kind = JointKind::Revolute;
    world.add(vec![wheel], vec![]);
    world.engine.insert_joint(&joint).unwrap();
    let spin = Twist { angular: Vec3::Y * 10.0, ..Twist::ZERO };
    world.engine.set_body_twist(link, spin).unwrap();
    world.run_secs(1.0);
    // 0.5 N m on 0.1 kg m² takes 5 rad/s in a second.
    assert_near(world.joint_state(id).velocity, 5.0, 0.02);
    world.run_secs(1.5);
    assert_near(world.joint_state(id).velocity, 0.0, 1e-9);
    world.engine.remove_joint(id).unwrap();
    world.engine.set_body_twist(link, spin).unwrap();
    world.run_secs(1.0);
    assert_near(world.state(link).twist.angular.y, 10.0, 1e-9);
}

#[test]
fn limits_of_several_turns_hold_in_a_joint_between_models() {
    let mut world = World::new();
    let (wheel, mut joint) = loose_wheel(&mut world, |axis| {
        (axis.limits.lower, axis.limits.upper) = (-1.0, 15.0);
    });
    joint.kind = JointKind::Revolute;
    let id = joint.joint;
    world.add(vec![wheel], vec![]);
    world.engine.insert_joint(&joint).unwrap();
    let drive = |target| JointDrive::Velocity { target, damping: 1.0, max_effort: 2.0 };
    for (speed, end) in [(8.0, 15.0), (-8.0, -1.0)] {
        world.engine.set_joint_drive(id, 0, drive(speed)).unwrap();
        world.run_secs(4.0);
        assert_near(world.joint_state(id).position, end, 2e-2);
    }
}

#[test]
fn a_gearbox_turns_its_sides_against_each_other() {
    let mut world = World::new();
    world.engine.set_gravity(Vec3::ZERO).unwrap();
    let frame = world.ghost(Pose::IDENTITY);
    let (left, right) =
        (world.ghost(Pose::from_position(-Vec3::X)), world.ghost(Pose::from_position(Vec3::X)));
    let base = world.joint(JointKind::Fixed, None, &frame);
    let hinge = |world: &mut World, side: &BodySpec, axis| {
        world.axis_joint(
            JointKind::Continuous,
            (Some(&frame), side),
            side.world_from_link.position,
            axis,
        )
    };
    let to_left = hinge(&mut world, &left, Vec3::Y);
    // This axle points the other way, so its angle has the other sign.
    let to_right = hinge(&mut world, &right, Vec3::NEG_Y);
    let mut gear = world.joint(JointKind::Gearbox, Some(&left), &right);
    gear.gearbox = Some(GearboxSpec { reference: frame.link, ratio: 3.0 });
    gear.axes.iter_mut().for_each(|given| given.axis.xyz = Vec3::Y);
    let (a, b) = (to_left.joint, to_right.joint);
    let (left_link, right_link) = (left.link, right.link);
    world.add(vec![frame, left, right], vec![base, to_left, to_right, gear]);
    world.engine.set_joint_drive(b, 0, JointDrive::Effort(1.0)).unwrap();
    world.run_secs(1.0);
    let spin = |world: &World, link| world.state(link).twist.angular.y;
    assert_near(spin(&world, left_link), -3.0 * spin(&world, right_link), 1e-6);
    // The torque moves its own 0.1 kg m² and the geared one nine times.
    assert_near(world.joint_state(b).velocity, 1.0 / (0.1 + 9.0 * 0.1), 5e-3);
    assert_near(world.joint_state(a).position, 3.0 * world.joint_state(b).position, 1e-6);
}

#[test]
fn velocity_decay_brakes_links_with_joints() {
    let mut world = World::new();
    world.engine.set_gravity(Vec3::ZERO).unwrap();
    let mut rod = world.ghost(Pose::from_position(Vec3::X * 0.5));
    rod.velocity_decay = VelocityDecay { linear: 0.7, angular: 0.7 };
    let mut joint = world.axis_joint(JointKind::Continuous, (None, &rod), Vec3::ZERO, Vec3::Y);
    joint.axes[0].velocity = 4.0;
    let id = joint.joint;
    world.add(vec![rod], vec![joint]);
    world.run_secs(1.0);
    assert_near(world.joint_state(id).velocity, 4.0 * (-0.7f64).exp(), 4e-3);
}

#[test]
fn a_link_of_a_robot_without_gravity_is_not_pulled() {
    let mut world = World::new();
    let mut rod = world.ghost(Pose::from_position(Vec3::X * 0.5));
    rod.gravity = false;
    let joint = world.axis_joint(JointKind::Continuous, (None, &rod), Vec3::ZERO, Vec3::Y);
    let id = joint.joint;
    world.add(vec![rod], vec![joint]);
    world.run_secs(1.0);
    assert_near(world.joint_state(id).position, 0.0, 1e-12);
}

#[test]
fn a_ball_slower_than_the_bounce_threshold_does_not_bounce() {
    let highest_after = |drop: f64, threshold: f64| {
        let mut world = World::new();
        let bouncy = |surface: &mut Surface| {
            (surface.bounce.restitution, surface.bounce.threshold) = (0.9, threshold);
        };
        let mut ground =
            world.link(Geometry::Plane { normal: Vec3::Z, size: [1.0, 1.0] }, Pose::IDENTITY);
        bouncy(&mut ground.colliders[0].surface);
        world.add_static(vec![ground]);
        let start = Pose::from_position(Vec3::Z * (0.1 + drop));
        let mut ball = world.link(Geometry::Sphere { radius: 0.1 }, start);
        bouncy(&mut ball.colliders[0].surface);
        let link = ball.link;
        world.add(vec![ball], vec![]);
        let fall = (2.0 * drop / GRAVITY).sqrt();
        world.run_secs(fall + 0.01);
        let mut highest = 0f64;
        for _ in 0..1000 {
            world.run(1);
            highest = highest.max(world.position(link).z - 0.1);
        }
        highest
    };
    // 5 cm give 0.99 m/s: above one threshold, below the other, and the default counts as none.
    let e = 0.9f64 * 0.9;
    assert_near(highest_after(0.05, 0.5), 0.05 * e * e, 2e-3);
    assert_near(highest_after(0.05, 100_000.0), 0.05 * e * e, 2e-3);
    assert!(highest_after(0.05, 1.2) < 1e-3);
}

#[test]
fn what_is_not_simulated_is_listed_by_name() {
    let mut surface =
        Surface { contact: Contact { kp: 1e3, ..Contact::default() }, ..Surface::default() };
    surface.friction = Friction { torsional: 0.2, ..Friction::default() };
    let collision = Collision {
        name: "skin".to_owned(),
        link_from_collision: Pose::IDENTITY,
        geometry: Geometry::Sphere { radius: 1.0 },
        surface,
        extras: Vec::new(),
    };
    let link = |name: &str, collisions| Link {
        name: name.to_owned(),
        inertial: Inertial::default(),
        collisions,
        ..Link::default()
    };
    let gear = Joint {
        name: "gear".to_owned(),
        kind: JointKind::Gearbox,
        parent: "a".to_owned(),
        child: "b".to_owned(),
        child_from_joint: Pose::IDENTITY,
        axes: vec![JointAxis::default(); 2],
        thread_pitch: 1.0,
        gearbox_ratio: 2.0,
        extras: Vec::new(),
    };
    let robot = Model {
        name: "robot".to_owned(),
        links: vec![link("a", vec![collision]), link("b", Vec::new())],
        joints: vec![gear],
        ..Model::default()
    };
    let world = WorldDescription { models: vec![robot], ..WorldDescription::default() };
    let said: Vec<String> =
        unsupported(&world).into_iter().map(|r| format!("{}: {}", r.path, r.message)).collect();
    assert_eq!(
        said,
        [
            "robot::a::skin: torsional friction is not simulated",
            "robot::a::skin: contact kp and kd are not simulated: contacts are as stiff as the step allows",
            "robot::gear: the gearbox is not simulated: it needs a gearbox_reference_body that carries its parent and its child by hinges",
        ]
    );
    assert_eq!(unsupported(&WorldDescription::default()), vec![]);
}
