//! The kinematic engine, and changing from one engine to the other.

use retake_components::{AxisCommand, BodyTwist};
use retake_math::Vec3;

use crate::stage::Stage;

#[test]
fn a_profile_of_type_tpe_moves_by_velocities_alone() {
    let mut stage = Stage::new("tpe");
    assert_eq!(stage.physics.engine().name(), "tpe");
    stage.push_off(Vec3::new(2.0, 0.0, 0.0));
    stage.command(AxisCommand::Velocity { target: 0.5, max_effort: 0.0 });
    stage.run(1000);
    assert!((stage.place("robot::cart").x - 2.0).abs() < 1e-9);
    assert!((stage.angle() - 0.5).abs() < 1e-9);
    let rod = Vec3::new(2.0 + 0.5 * 0.5f64.cos(), 0.5 * 0.5f64.sin(), 0.0);
    assert!((stage.place("robot::rod") - rod).length() < 1e-9);
    let twist = stage.ecm.get::<BodyTwist>(stage.id("robot::rod")).unwrap().0;
    let around = Vec3::new(-0.5f64.sin(), 0.5f64.cos(), 0.0) * 0.25;
    assert!((twist.linear - Vec3::X * 2.0 - around).length() < 1e-9);
}

#[test]
fn a_position_goes_no_faster_and_no_farther_than_the_limits() {
    let mut stage = Stage::new("tpe");
    let max_effort = f64::INFINITY;
    stage.command(AxisCommand::Position { target: 3.0, stiffness: 1.0, damping: 1.0, max_effort });
    stage.run(500);
    assert!((stage.angle() - 0.5).abs() < 1e-9);
    stage.run(2500);
    assert_eq!(stage.angle(), 2.0);
}

#[test]
fn changing_the_engine_carries_poses_velocities_and_positions() {
    let mut stage = Stage::new("rapier");
    assert_eq!(stage.physics.engine().name(), "rapier");
    stage.push_off(Vec3::X);
    stage.command(AxisCommand::Velocity { target: 0.5, max_effort: 100.0 });
    stage.run(200);
    let before = (stage.place("robot::cart"), stage.place("robot::rod"), stage.angle());
    let snapshot = stage.physics.snapshot();
    stage.use_profile("tpe");
    assert_eq!(stage.physics.engine().name(), "tpe");
    let after = (stage.place("robot::cart"), stage.place("robot::rod"), stage.angle());
    assert!((before.0 - after.0).length() < 1e-9 && (before.1 - after.1).length() < 1e-9);
    assert!((before.2 - after.2).abs() < 1e-12);
    stage.run(100);
    assert!((stage.angle() - before.2 - 0.05).abs() < 1e-3, "the drive goes on");
    assert!(stage.place("robot::cart").x > before.0.x, "the cart rolls on");
    stage.use_profile("rapier");
    stage.run(10);
    assert!((stage.angle() - before.2 - 0.055).abs() < 2e-3);
    // A keyframe brings its engine along.
    stage.use_profile("tpe");
    stage.physics.restore(&snapshot, &mut stage.ecm).unwrap();
    assert_eq!(stage.physics.engine().name(), "rapier");
}

#[test]
fn a_restored_kinematic_world_continues_bit_by_bit() {
    let hash = |stage: &Stage| {
        let mut bytes = Vec::new();
        stage.physics.hash_state(&mut bytes).unwrap();
        bytes
    };
    let mut stage = Stage::new("tpe");
    stage.push_off(Vec3::new(1.0, 2.0, 3.0));
    stage.command(AxisCommand::Velocity { target: 0.7, max_effort: 0.0 });
    stage.run(100);
    let (keyframe, engine) = (stage.ecm.snapshot(), stage.physics.snapshot());
    stage.run(300);
    let there = hash(&stage);
    stage.ecm.restore(&keyframe);
    stage.physics.restore(&engine, &mut stage.ecm).unwrap();
    stage.run(300);
    assert_eq!(hash(&stage), there);
}
