//! Changing between Rapier and MuJoCo while a world runs.

use retake_components::{AxisCommand, BodyTwist};
use retake_description::PhysicsProfile;
use retake_math::Vec3;

use crate::stage::{Stage, world};

fn stage() -> Stage {
    let mut world = world("rapier");
    world.profiles.push(PhysicsProfile {
        name: "robots".to_owned(),
        engine: "mujoco".to_owned(),
        ..PhysicsProfile::default()
    });
    Stage::of(&world)
}

#[test]
fn a_switch_to_mujoco_and_back_carries_what_can_be_carried() {
    let mut stage = stage();
    stage.push_off(Vec3::X);
    stage.command(AxisCommand::Velocity { target: 0.5, max_effort: 100.0 });
    stage.run(200);
    let told = |stage: &Stage| {
        let rod = stage.ecm.get::<BodyTwist>(stage.id("robot::rod")).unwrap().0;
        (stage.place("robot::cart"), stage.place("robot::rod"), stage.angle(), rod)
    };
    for (engine, profile) in [("mujoco", "robots"), ("rapier", "rapier"), ("mujoco", "robots")] {
        let before = told(&stage);
        stage.use_profile(profile);
        assert_eq!(stage.physics.engine().name(), engine);
        let after = told(&stage);
        assert!((before.0 - after.0).length() < 1e-9 && (before.1 - after.1).length() < 1e-9);
        assert!((before.2 - after.2).abs() < 1e-9);
        assert!((before.3.linear - after.3.linear).length() < 1e-6, "{before:?} {after:?}");
        assert!((before.3.angular - after.3.angular).length() < 1e-6);
        stage.run(100);
        assert!((stage.angle() - before.2 - 0.05).abs() < 2e-3, "the drive goes on");
        assert!(stage.place("robot::cart").x > before.0.x, "the cart rolls on");
    }
}

#[test]
fn a_keyframe_from_before_the_switch_brings_its_engine_along() {
    let mut stage = stage();
    stage.push_off(Vec3::X);
    stage.run(50);
    let hash = |stage: &Stage| {
        let mut bytes = Vec::new();
        stage.physics.hash_state(&mut bytes).unwrap();
        bytes
    };
    let (rapier_ecm, rapier) = (stage.ecm.snapshot(), stage.physics.snapshot());
    stage.run(50);
    let there = hash(&stage);
    stage.use_profile("robots");
    stage.run(50);
    let (mujoco_ecm, mujoco) = (stage.ecm.snapshot(), stage.physics.snapshot());
    stage.run(50);
    let later = hash(&stage);
    stage.ecm.restore(&rapier_ecm);
    stage.physics.restore(&rapier, &mut stage.ecm).unwrap();
    assert_eq!(stage.physics.engine().name(), "rapier");
    stage.run(50);
    assert_eq!(hash(&stage), there);
    stage.ecm.restore(&mujoco_ecm);
    stage.physics.restore(&mujoco, &mut stage.ecm).unwrap();
    assert_eq!(stage.physics.engine().name(), "mujoco");
    stage.run(50);
    assert_eq!(hash(&stage), later);
    // And as bytes.
    let state = stage.physics.snapshot().encode().unwrap();
    assert_eq!(state.engine, "mujoco");
    stage.physics.decode(&state, &stage.ecm).unwrap();
}
