//! Links that are pulled as by hand.

use proptest::prelude::*;
use retake_components::{BodyTwist, Pull};
use retake_description::{Joint, JointAxis, JointKind, Model, World};
use retake_math::{Inertial, Pose, SimTime, Vec3};

use crate::stage::{DT, Stage, link};

/// One free link of a mass, with the moments of a cube of 0.2 m.
fn thing(mass_kg: f64, gravity: Vec3) -> World {
    let mut only = link("only", Vec3::ZERO);
    let moments = Vec3::splat(mass_kg * 0.2 * 0.2 / 6.0);
    only.inertial = Inertial { mass_kg, moments, ..Inertial::default() };
    let model = Model { name: "thing".to_owned(), links: vec![only], ..Model::default() };
    World { models: vec![model], gravity, ..World::default() }
}

/// Pulls the first of the links, that come along together.
fn pull(stage: &mut Stage, links: &[&str], (point, target): (Vec3, Vec3)) {
    let (point_in_link, target_in_world) = (point, target);
    let along: Vec<_> = links.iter().map(|path| stage.id(path)).collect();
    let link = along[0];
    let until = SimTime::from_secs_f64(1e6);
    stage.ecm.set(link, Pull { point_in_link, target_in_world, along, until }).unwrap();
}

/// Where a thing is after each 0.05 s that it is pulled 0.5 m along x.
fn way(mass_kg: f64) -> Vec<f64> {
    let mut stage = Stage::of(&thing(mass_kg, Vec3::ZERO));
    pull(&mut stage, &["thing::only"], (Vec3::ZERO, Vec3::X * 0.5));
    let mut next = || {
        stage.run(50);
        stage.place("thing::only").x
    };
    (0..20).map(|_| next()).collect()
}

#[test]
fn light_and_heavy_things_go_the_same_way_and_none_overshoots() {
    let (light, heavy) = (way(0.1), way(50.0));
    for (light, heavy) in light.iter().zip(&heavy) {
        assert!((light - heavy).abs() < 1e-9, "{light} is not {heavy}");
        assert!(*heavy < 0.5 + 1e-9, "{heavy}");
    }
    // Critically damped at 20 rad/s: x = 0.5 (1 - (1 + 20 t) exp(-20 t)), a step of 1 ms aside.
    let expected = 0.5 * (1.0 - 5.0 * (-4.0_f64).exp());
    assert!((heavy[3] - expected).abs() < 0.02, "{} is not {expected}", heavy[3]);
    assert!((heavy[19] - 0.5).abs() < 1e-4, "{}", heavy[19]);
}

#[test]
fn what_hangs_on_a_hand_hangs_by_its_weight() {
    let mut stage = Stage::of(&thing(3.0, Vec3::Z * -9.81));
    let corner = Vec3::new(0.1, 0.1, 0.1);
    pull(&mut stage, &["thing::only"], (corner, Vec3::Z));
    stage.run(5000);
    let at = stage.place("thing::only");
    // The spring gives way by g / 20², and the centre hangs below the corner.
    let below = corner.length() + 9.81 / 400.0;
    assert!((at - Vec3::Z * (1.0 - below)).length() < 0.005, "{at}");
}

#[test]
fn the_pull_is_bounded_in_force_and_speed() {
    let mut stage = Stage::of(&thing(2.0, Vec3::ZERO));
    pull(&mut stage, &["thing::only"], (Vec3::ZERO, Vec3::X * 1e6));
    let speed = |stage: &Stage| {
        stage.ecm.get::<BodyTwist>(stage.id("thing::only")).unwrap().0.linear.length()
    };
    stage.run(1);
    let acceleration = speed(&stage) / DT;
    assert!(acceleration < 30.0 * 9.81 + 1e-6, "{acceleration}");
    stage.run(3000);
    // Force of the spring at most 30 weights, and damping of 40 / s against it.
    let most = 30.0 * 9.81 / 40.0;
    assert!((speed(&stage) - most).abs() < 0.2, "{}", speed(&stage));
}

#[test]
fn nothing_is_pulled_where_nothing_has_a_mass() {
    let mut stage = Stage::new("tpe");
    pull(&mut stage, &["robot::rod", "robot::cart"], (Vec3::ZERO, Vec3::X));
    let followed = stage.physics.follow(&mut stage.ecm);
    let refused: Vec<&str> = followed.refusals.iter().map(|note| note.message.as_str()).collect();
    assert_eq!(refused, ["the engine tpe knows no forces. Choose a profile with another"]);
}

/// A heavy link with a light one on a hinge.
fn hand_on_an_arm(heavy_kg: f64, light_kg: f64) -> World {
    let mut arm = link("arm", Vec3::ZERO);
    arm.inertial = Inertial {
        mass_kg: heavy_kg,
        moments: Vec3::splat(heavy_kg * 0.02),
        ..Inertial::default()
    };
    let mut hand = link("hand", Vec3::X * 0.3);
    hand.inertial = Inertial {
        mass_kg: light_kg,
        moments: Vec3::splat(light_kg * 1e-3),
        ..Inertial::default()
    };
    let wrist = Joint {
        name: "wrist".to_owned(),
        kind: JointKind::Continuous,
        parent: "arm".to_owned(),
        child: "hand".to_owned(),
        child_from_joint: Pose::from_position(-Vec3::X * 0.1),
        axes: vec![JointAxis { xyz: Vec3::Z, ..JointAxis::default() }],
        thread_pitch: 1.0,
        gearbox_ratio: 1.0,
        extras: Vec::new(),
    };
    let model = Model {
        name: "robot".to_owned(),
        links: vec![arm, hand],
        joints: vec![wrist],
        ..Model::default()
    };
    World { models: vec![model], gravity: Vec3::ZERO, ..World::default() }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    /// Up to five hundred times lighter: beyond that the robot swings on for longer than this looks.
    #[test]
    fn a_light_link_of_a_heavy_robot_is_pulled_without_shaking(
        heavy_kg in 0.01..100.0_f64,
        light_kg in 0.2..10.0_f64,
        point in prop::array::uniform3(-0.3..0.3_f64),
        target in prop::array::uniform3(-1.0..1.0_f64),
    ) {
        let mut stage = Stage::of(&hand_on_an_arm(heavy_kg, light_kg));
        let (point, target) = (Vec3::from(point), Vec3::from(target));
        pull(&mut stage, &["robot::hand", "robot::arm"], (point, target));
        stage.run(8000);
        let pose = retake_components::world_pose(&stage.ecm, stage.id("robot::hand"));
        let apart = (pose.transform_point(point) - target).length();
        prop_assert!(apart < 0.02, "{apart} m apart");
    }
}
