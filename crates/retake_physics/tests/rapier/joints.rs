//! Joints and their drives.

use std::f64::consts::{FRAC_PI_2, PI, TAU};

use retake_description::{JointAxis, JointKind, Mimic};
use retake_ecm::EntityId;
use retake_math::{Inertial, Pose, Vec3};
use retake_physics::{AfterTeleport, BodySpec, Engine, JointDrive, JointSpec, Visit};

use crate::world::{DT, GRAVITY, World, assert_near};

/// A rod of 1 kg and 1 m along x whose inner end turns about y at the origin of the world.
fn pendulum(world: &mut World) -> (BodySpec, JointSpec) {
    let mut rod = world.ghost(Pose::from_position(Vec3::new(0.5, 0.0, 0.0)));
    rod.inertial.moments = Vec3::new(1e-3, 1.0 / 12.0, 1.0 / 12.0);
    let joint = world.axis_joint(JointKind::Revolute, (None, &rod), Vec3::ZERO, Vec3::Y);
    (rod, joint)
}

fn hold(target: f64) -> JointDrive {
    JointDrive::Position {
        target,
        velocity: 0.0,
        stiffness: 1000.0,
        damping: 100.0,
        max_effort: f64::INFINITY,
    }
}

/// A chain of links of 0.1 kg and 0.2 m along x that turn about z, from the world.
fn arm(world: &mut World, count: usize) -> (Vec<BodySpec>, Vec<JointSpec>) {
    let (mut bodies, mut joints) = (Vec::<BodySpec>::new(), Vec::new());
    for i in 0..count {
        let mut link = world.ghost(Pose::from_position(Vec3::X * 0.2 * i as f64));
        link.inertial = Inertial {
            mass_kg: 0.1,
            link_from_com: Pose::from_position(Vec3::X * 0.1),
            moments: Vec3::new(1e-4, 4e-4, 4e-4),
            products: Vec3::ZERO,
        };
        let point = link.world_from_link.position;
        joints.push(world.axis_joint(JointKind::Revolute, (bodies.last(), &link), point, Vec3::Z));
        bodies.push(link);
    }
    (bodies, joints)
}

fn joint_ids(joints: &[JointSpec]) -> Vec<EntityId> {
    joints.iter().map(|joint| joint.joint).collect()
}

#[test]
fn a_pendulum_has_its_period() {
    let mut world = World::new();
    let (mut rod, mut joint) = pendulum(&mut world);
    // Hanging, 0.1 rad off the rest.
    let angle = FRAC_PI_2 - 0.1;
    rod.world_from_link = Pose::from_xyz_rpy(Vec3::ZERO, Vec3::new(0.0, angle, 0.0))
        * Pose::from_position(Vec3::X * 0.5);
    joint.axes[0].position = angle;
    let id = joint.joint;
    world.add(vec![rod], vec![joint]);
    let mut crossings = Vec::new();
    let mut before = world.joint_state(id).position;
    for step in 0..6000 {
        world.run(1);
        let now = world.joint_state(id).position;
        if before < FRAC_PI_2 && now >= FRAC_PI_2 {
            crossings.push((step as f64 + (FRAC_PI_2 - before) / (now - before)) * DT);
        }
        before = now;
    }
    let period = crossings[1] - crossings[0];
    // A rod about its end: I = m l² / 3, and the first correction for an amplitude of 0.1 rad.
    let expected = TAU * (2.0f64 / 3.0 / GRAVITY).sqrt() * (1.0 + 0.01 / 16.0);
    assert_near(period, expected, expected * 1e-3);
}

#[test]
fn a_position_drive_reaches_its_target_against_gravity() {
    let mut world = World::new();
    let (rod, joint) = pendulum(&mut world);
    let id = joint.joint;
    world.add(vec![rod], vec![joint]);
    world.engine.set_joint_drive(id, 0, hold(-1.0)).unwrap();
    world.run_secs(3.0);
    let state = world.joint_state(id);
    // Positive turns about y lower the rod; its weight pulls by m g l / 2 cos q.
    let weight = 0.5 * GRAVITY * state.position.cos();
    assert_near(state.position, -1.0 + weight / 1000.0, 1e-5);
    assert_near(state.velocity, 0.0, 1e-5);
    assert_near(state.effort, -weight, 1e-2);
}

#[test]
fn a_drive_is_cut_at_its_own_and_the_joints_effort() {
    let mut world = World::new();
    world.engine.set_gravity(Vec3::ZERO).unwrap();
    let (rod, mut joint) = pendulum(&mut world);
    joint.axes[0].axis.limits.effort = 0.1;
    let id = joint.joint;
    world.add(vec![rod], vec![joint]);
    world.engine.set_joint_drive(id, 0, hold(100.0)).unwrap();
    world.run_secs(1.0);
    // 0.1 N m on 1/3 kg m² for one second.
    assert_near(world.joint_state(id).velocity, 0.3, 1e-3);
    assert_near(world.joint_state(id).effort, 0.1, 1e-12);
}

#[test]
fn an_effort_drive_accelerates_exactly() {
    let mut world = World::new();
    world.engine.set_gravity(Vec3::ZERO).unwrap();
    let (rod, joint) = pendulum(&mut world);
    let id = joint.joint;
    world.add(vec![rod], vec![joint]);
    world.engine.set_joint_drive(id, 0, JointDrive::Effort(-2.0)).unwrap();
    world.run_secs(1.0);
    assert_near(world.joint_state(id).velocity, -6.0, 6e-3);
    assert_near(world.joint_state(id).effort, -2.0, 0.0);
    world.engine.set_joint_drive(id, 0, JointDrive::Effort(0.0)).unwrap();
    world.run_secs(1.0);
    assert_near(world.joint_state(id).velocity, -6.0, 6e-3);
}

#[test]
fn a_velocity_drive_turns_a_wheel_for_many_turns() {
    let mut world = World::new();
    let wheel = world.ghost(Pose::IDENTITY);
    let joint = world.axis_joint(JointKind::Continuous, (None, &wheel), Vec3::ZERO, Vec3::Y);
    let id = joint.joint;
    world.add(vec![wheel], vec![joint]);
    let drive = JointDrive::Velocity { target: 20.0, damping: 10.0, max_effort: f64::INFINITY };
    world.engine.set_joint_drive(id, 0, drive).unwrap();
    world.run_secs(3.0);
    assert_near(world.joint_state(id).velocity, 20.0, 1e-6);
    // 60 rad less the run-up of 0.1 kg m² with 10 N m s/rad: 20 * 0.01 s.
    assert_near(world.joint_state(id).position, 60.0 - 0.2, 0.05);
    world.engine.set_joint_drive(id, 0, JointDrive::Free).unwrap();
    world.run_secs(0.1);
    assert_near(world.joint_state(id).velocity, 20.0, 1e-6);
}

#[test]
fn velocity_targets_keep_to_the_joints_limit() {
    let mut world = World::new();
    let wheel = world.ghost(Pose::IDENTITY);
    let mut joint = world.axis_joint(JointKind::Continuous, (None, &wheel), Vec3::ZERO, Vec3::Y);
    joint.axes[0].axis.limits.velocity = 3.0;
    let id = joint.joint;
    world.add(vec![wheel], vec![joint]);
    let drive = JointDrive::Velocity { target: -20.0, damping: 100.0, max_effort: 1e3 };
    world.engine.set_joint_drive(id, 0, drive).unwrap();
    world.run_secs(1.0);
    assert_near(world.joint_state(id).velocity, -3.0, 1e-6);
}

#[test]
fn limits_hold_against_gravity_and_motors() {
    let mut world = World::new();
    let (rod, mut joint) = pendulum(&mut world);
    joint.axes[0].axis.limits.upper = 0.5;
    joint.axes[0].axis.limits.lower = -0.5;
    let id = joint.joint;
    world.add(vec![rod], vec![joint]);
    world.run_secs(2.0);
    // Limits are hard up to what a sub-step overshoots.
    assert_near(world.joint_state(id).position, 0.5, 1e-3);
    world.engine.set_joint_drive(id, 0, JointDrive::Effort(-50.0)).unwrap();
    world.run_secs(2.0);
    assert_near(world.joint_state(id).position, -0.5, 2e-2);
}

#[test]
fn a_slider_moves_along_its_axis_and_meets_its_limit() {
    let mut world = World::new();
    let cart = world.ghost(Pose::from_xyz_rpy(Vec3::Z, Vec3::new(0.3, 0.2, 0.1)));
    let mut joint = world.joint(JointKind::Prismatic, None, &cart);
    joint.axes[0].axis.xyz = cart.world_from_link.rotation.inverse() * Vec3::NEG_Z;
    joint.axes[0].axis.limits.upper = 0.4;
    let (id, link, turned) = (joint.joint, cart.link, cart.world_from_link.rotation);
    world.add(vec![cart], vec![joint]);
    world.run_secs(0.2);
    assert_near(world.joint_state(id).position, 0.5 * GRAVITY * 0.04, 1e-3);
    world.run_secs(1.0);
    let state = world.state(link).world_from_link;
    assert!(state.position.distance(Vec3::Z * 0.6) < 1e-3);
    assert!(state.rotation.angle_between(turned) < 1e-6);
}

#[test]
fn damping_friction_and_springs_act() {
    let spin = |change: fn(&mut JointAxis)| {
        let mut world = World::new();
        world.engine.set_gravity(Vec3::ZERO).unwrap();
        let wheel = world.ghost(Pose::IDENTITY);
        let mut joint =
            world.axis_joint(JointKind::Continuous, (None, &wheel), Vec3::ZERO, Vec3::Y);
        joint.axes[0].velocity = 1.0;
        change(&mut joint.axes[0].axis);
        let id = joint.joint;
        world.add(vec![wheel], vec![joint]);
        world.run_secs(1.0);
        world.joint_state(id)
    };
    // The moment about the axis is 0.1 kg m².
    assert_near(spin(|_| ()).velocity, 1.0, 1e-9);
    assert_near(spin(|axis| axis.dynamics.damping = 0.1).velocity, (-1.0f64).exp(), 1e-3);
    assert_near(spin(|axis| axis.dynamics.friction = 0.05).velocity, 0.5, 1e-3);
    let swung = spin(|axis| axis.dynamics.spring_stiffness = 0.1);
    // An oscillator of 1 rad/s after one second.
    assert_near(swung.position, 1f64.sin(), 2e-3);
    assert_near(swung.velocity, 1f64.cos(), 2e-3);
    let pulled = spin(|axis| {
        axis.dynamics.spring_stiffness = 0.1;
        axis.dynamics.spring_reference = 1.0;
    });
    assert_near(pulled.position, 1.0 - 1f64.cos() + 1f64.sin(), 2e-3);
}

#[test]
fn a_ball_joint_keeps_its_point_and_turns_freely() {
    let mut world = World::new();
    let bob = world.ghost(Pose::from_position(Vec3::X));
    let mut joint = world.joint(JointKind::Ball, None, &bob);
    joint.child_from_joint = Pose::from_position(Vec3::NEG_X);
    let link = bob.link;
    world.add(vec![bob], vec![joint]);
    world.run_secs(0.7);
    assert_near(world.position(link).length(), 1.0, 1e-9);
    assert!(world.position(link).z < -0.5);
}

#[test]
fn a_universal_joint_has_two_axes_and_no_third() {
    let mut world = World::new();
    world.engine.set_gravity(Vec3::ZERO).unwrap();
    let shaft = world.ghost(Pose::IDENTITY);
    let mut joint = world.joint(JointKind::Universal, None, &shaft);
    joint.axes[0].axis.xyz = Vec3::X;
    joint.axes[1].axis.xyz = Vec3::Y;
    let (id, link) = (joint.joint, shaft.link);
    world.add(vec![shaft], vec![joint]);
    world.engine.set_joint_drive(id, 0, hold(0.4)).unwrap();
    world.engine.set_joint_drive(id, 1, hold(-0.3)).unwrap();
    world.engine.apply_wrench(link, Vec3::ZERO, Vec3::Z * 10.0).unwrap();
    world.run_secs(2.0);
    let states = world.engine.joint_states(id).unwrap();
    assert_near(states[0].position, 0.4, 1e-6);
    assert_near(states[1].position, -0.3, 1e-6);
    let expected =
        retake_math::Quat::from_rotation_x(0.4) * retake_math::Quat::from_rotation_y(-0.3);
    assert!(world.state(link).world_from_link.rotation.angle_between(expected) < 1e-5);
}

#[test]
fn a_screw_turns_as_it_moves() {
    let mut world = World::new();
    let nut = world.ghost(Pose::IDENTITY);
    let mut joint = world.axis_joint(JointKind::Screw, (None, &nut), Vec3::ZERO, Vec3::NEG_Z);
    joint.thread_pitch = 10.0;
    let (id, link) = (joint.joint, nut.link);
    world.add(vec![nut], vec![joint]);
    world.run_secs(1.0);
    let state = world.joint_state(id);
    assert_near(world.position(link).z, -state.position / 10.0, 1e-6);
    // m x'' = m g - F, I q'' = F / 10 with q = 10 x: x'' = g m / (m + 100 I).
    let expected = 10.0 * 0.5 * GRAVITY / (1.0 + 100.0 * 0.1);
    assert_near(state.position, expected, expected * 2e-3);
}

#[test]
fn a_follower_mimics_its_leader_and_teleports_with_it() {
    let mut world = World::new();
    world.engine.set_gravity(Vec3::ZERO).unwrap();
    let (bodies, mut joints) = arm(&mut world, 2);
    let ids = joint_ids(&joints);
    joints[1].axes[0].leader = Some(ids[0]);
    joints[1].axes[0].axis.mimic =
        Some(Mimic { joint: "leader".into(), multiplier: -2.0, offset: 0.0, reference: 0.0 });
    world.add(bodies, joints);
    world.engine.set_joint_drive(ids[0], 0, hold(0.5)).unwrap();
    world.run_secs(1.0);
    assert_near(world.joint_state(ids[0]).position, 0.5, 1e-4);
    assert_near(world.joint_state(ids[1]).position, -1.0, 1e-3);
    world.engine.set_joint_position(ids[0], 0, -0.25).unwrap();
    assert_near(world.joint_state(ids[1]).position, 0.5, 1e-9);
}

#[test]
fn positions_count_from_the_pose_in_the_description() {
    let mut world = World::new();
    world.engine.set_gravity(Vec3::ZERO).unwrap();
    let (mut rod, mut joint) = pendulum(&mut world);
    let angle = 5.0 * TAU + 0.3;
    rod.world_from_link = Pose::from_xyz_rpy(Vec3::ZERO, Vec3::new(0.0, 0.3, 0.0))
        * Pose::from_position(Vec3::X * 0.5);
    joint.axes[0].position = angle;
    let (id, link, start) = (joint.joint, rod.link, rod.world_from_link.position);
    world.add(vec![rod], vec![joint]);
    world.run(10);
    assert_near(world.joint_state(id).position, angle, 1e-9);
    assert!(world.position(link).distance(start) < 1e-9);
    world.engine.set_joint_position(id, 0, 0.0).unwrap();
    assert!(world.position(link).distance(Vec3::X * 0.5) < 1e-9);
}

#[test]
fn teleporting_a_joint_keeps_the_others() {
    let mut world = World::new();
    world.engine.set_gravity(Vec3::ZERO).unwrap();
    let (bodies, joints) = arm(&mut world, 4);
    let (ids, tip) = (joint_ids(&joints), bodies[3].link);
    world.add(bodies, joints);
    world.engine.set_joint_velocity(ids[1], 0, 1.0).unwrap();
    world.engine.set_joint_position(ids[0], 0, FRAC_PI_2).unwrap();
    assert!(world.position(tip).distance(Vec3::Y * 0.6) < 1e-9);
    let mut moved = Vec::new();
    world.engine.visit_bodies(Visit::Moved, &mut |id, _| moved.push(id));
    assert!(moved.contains(&tip));
    let positions: Vec<f64> = ids.iter().map(|id| world.joint_state(*id).position).collect();
    assert_eq!(positions, vec![FRAC_PI_2, 0.0, 0.0, 0.0]);
    assert_eq!(world.joint_state(ids[1]).velocity, 1.0);
    world.run(1);
    assert_near(world.joint_state(ids[0]).position, FRAC_PI_2, 0.01);
}

#[test]
fn teleporting_a_robot_takes_its_anchor_along() {
    let mut world = World::new();
    let (bodies, joints) = arm(&mut world, 3);
    let (ids, first, tip) = (joint_ids(&joints), bodies[0].link, bodies[2].link);
    world.add(bodies, joints);
    for id in &ids {
        world.engine.set_joint_drive(*id, 0, hold(0.2)).unwrap();
    }
    world.run_secs(3.0);
    let before: Vec<f64> = ids.iter().map(|id| world.joint_state(*id).position).collect();
    let tip_in_first = {
        let state = |link| world.state(link).world_from_link;
        state(first).inverse() * state(tip)
    };
    let there = Pose::from_xyz_rpy(Vec3::new(5.0, 6.0, 7.0), Vec3::new(0.0, 0.0, PI / 3.0));
    world.engine.set_assembly_pose(first, there, AfterTeleport::Rest).unwrap();
    let expected = there * tip_in_first;
    assert!(world.position(first).distance(there.position) < 1e-12);
    assert!(world.position(tip).distance(expected.position) < 1e-9);
    world.run_secs(0.5);
    for (id, position) in ids.iter().zip(before) {
        assert_near(world.joint_state(*id).position, position, 1e-6);
    }
    assert!(world.position(tip).distance(expected.position) < 1e-6);
}

#[test]
fn a_free_floating_robot_keeps_its_momentum() {
    let mut world = World::new();
    world.engine.set_gravity(Vec3::ZERO).unwrap();
    let (bodies, mut joints) = arm(&mut world, 3);
    joints.remove(0);
    let links: Vec<EntityId> = bodies.iter().map(|body| body.link).collect();
    let coms: Vec<Vec3> = bodies.iter().map(|body| body.inertial.link_from_com.position).collect();
    let ids = joint_ids(&joints);
    world.add(bodies, joints);
    let spin = retake_math::Twist { linear: Vec3::Y, angular: Vec3::Z * 2.0 };
    world.engine.set_body_twist(links[0], spin).unwrap();
    let momentum = |world: &World| {
        let of = |(link, com): (&EntityId, &Vec3)| {
            let state = world.state(*link);
            let lever = state.world_from_link.transform_vector(*com);
            (state.twist.linear + state.twist.angular.cross(lever)) * 0.1
        };
        links.iter().zip(&coms).map(of).sum::<Vec3>()
    };
    world.run(1);
    let before = momentum(&world);
    world.engine.set_joint_drive(ids[0], 0, hold(1.0)).unwrap();
    world.engine.set_joint_drive(ids[1], 0, hold(-1.0)).unwrap();
    world.run_secs(1.0);
    assert_near(world.joint_state(ids[0]).position, 1.0, 0.05);
    // Internal motors cannot push the whole; first-order integration leaves a per mille.
    assert!(momentum(&world).distance(before) < 5e-3 * before.length());
}

#[test]
fn reported_twists_match_the_motion() {
    let mut world = World::new();
    let (bodies, joints) = arm(&mut world, 3);
    let (ids, tip) = (joint_ids(&joints), bodies[2].link);
    world.add(bodies, joints);
    for (i, id) in ids.iter().enumerate() {
        let drive = JointDrive::Velocity { target: 1.0 + i as f64, damping: 10.0, max_effort: 1e3 };
        world.engine.set_joint_drive(*id, 0, drive).unwrap();
    }
    world.run_secs(1.0);
    let before = world.position(tip);
    let twist = world.state(tip).twist;
    world.run(1);
    let after = world.position(tip);
    // One step of a motion with accelerations of some m/s²: an error of a few mm/s.
    assert!(((after - before) / DT).distance(twist.linear) < 0.01);
    assert_near(twist.angular.z, 6.0, 1e-2);
}
