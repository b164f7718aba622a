//! Where links would be: what the engine makes of the same positions, and mirror images.

#![allow(clippy::unwrap_used, reason = "a test ends with the first thing that is not there")]

mod support;

use std::collections::BTreeMap;

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use retake_components::{EntityName, JointSpec, Kind, path_of, resolve, world_pose};
use retake_ecm::{Ecm, EntityId, Parent};
use retake_math::{Pose, Vec3};
use retake_msgs::{SetJointPositions, UserCmd, user_cmd};
use retake_sim::Simulation;
use retake_sim::kinematics::{Stance, mirror_joints, stance};
use support::{load, run, worlds};

/// Rounding of some ten poses in a row, where robots are some metres from the world's origin.
const TOLERANCE: f64 = 1e-9;

/// A joint of a model that can be put somewhere: its name there, and the limits that it is put
/// within.
type Movable = (String, (f64, f64));

fn models(ecm: &Ecm) -> Vec<(EntityId, Vec<Movable>)> {
    let mut models: BTreeMap<EntityId, Vec<Movable>> = BTreeMap::new();
    for (joint, spec) in ecm.iter::<JointSpec>() {
        let [axis] = spec.axes.as_slice() else { continue };
        let model = ecm.get::<Parent>(joint).unwrap().0;
        if axis.mimic.is_some() || ecm.get::<Kind>(model) != Some(&Kind::Model) {
            continue;
        }
        let within = (axis.limits.lower.max(-3.0), axis.limits.upper.min(3.0));
        let name = ecm.get::<EntityName>(joint).unwrap().0.clone();
        models.entry(model).or_default().push((name, within));
    }
    models.into_iter().collect()
}

fn put(simulation: &mut Simulation, model: EntityId, pose: &[(String, f64)]) {
    let robot = path_of(simulation.ecm(), model);
    let (name, position) = pose.iter().cloned().unzip();
    let command = user_cmd::Command::SetJointPositions(SetJointPositions { robot, name, position });
    let reply = simulation.execute(&UserCmd { command: Some(command), ..UserCmd::default() });
    assert!(reply.ok, "{}", reply.message);
}

fn told<'a>(pose: &'a [(String, f64)]) -> impl Fn(&str) -> Option<f64> + 'a {
    |name| pose.iter().find(|(known, _)| known == name).map(|(_, position)| *position)
}

/// Some positions within limits, one for each of the shares from 0 to 1.
fn within(joints: &[Movable], shares: &[f64]) -> Vec<(String, f64)> {
    let shares = shares.iter().cycle();
    let place =
        |((name, (low, high)), share): (&Movable, &f64)| (name.clone(), low + (high - low) * share);
    joints.iter().zip(shares).map(place).collect()
}

/// The greatest distance, in m or rad, of two poses.
fn apart(a: Pose, b: Pose) -> f64 {
    let turn = (a.rotation.inverse() * b.rotation).to_scaled_axis().length();
    a.position.distance(b.position).max(turn.min((turn - std::f64::consts::TAU).abs()))
}

fn compare(ecm: &Ecm, stance: &Stance, base_before: Pose) {
    for (link, told) in &stance.links {
        let is = base_before.inverse() * world_pose(ecm, *link);
        let off = apart(is, *told);
        assert!(off < TOLERANCE, "{} is off by {off}", path_of(ecm, *link));
    }
}

#[test]
fn links_are_told_where_the_engine_puts_them() {
    let mut models_seen = 0;
    for file in worlds() {
        let mut simulation = load(&file);
        // Not as the file has it, so that zero is not where things are.
        run(&mut simulation, 20);
        for (model, joints) in models(simulation.ecm()) {
            models_seen += 1;
            let shares = proptest::collection::vec(0.0..=1.0, joints.len().min(12));
            let config = Config { cases: 8, failure_persistence: None, ..Config::default() };
            let simulation = std::cell::RefCell::new(&mut simulation);
            let law = |shares: Vec<f64>| {
                let simulation = &mut *simulation.borrow_mut();
                let pose = within(&joints, &shares);
                let stance = stance(simulation.ecm(), model, &told(&pose)).unwrap();
                let base = world_pose(simulation.ecm(), stance.base);
                put(simulation, model, &pose);
                compare(simulation.ecm(), &stance, base);
                Ok(())
            };
            TestRunner::new(config).run(&shares, law).unwrap();
        }
    }
    assert!(models_seen > 10, "{models_seen}");
}

#[test]
fn joints_that_nobody_tells_stay_as_they_are() {
    for file in worlds() {
        let mut simulation = load(&file);
        run(&mut simulation, 20);
        for (model, _) in models(simulation.ecm()) {
            let ecm = simulation.ecm();
            for told in [None, Some(f64::NAN), Some(f64::INFINITY)] {
                let stance = stance(ecm, model, &|_| told).unwrap();
                assert_eq!(apart(stance.links[0].1, Pose::IDENTITY), 0.0);
                compare(ecm, &stance, world_pose(ecm, stance.base));
            }
        }
    }
}

#[test]
fn what_has_no_links_has_no_stance() {
    let simulation = load(&world("arm.sdf"));
    let ecm = simulation.ecm();
    let joint = resolve(ecm, "arm::elbow").unwrap();
    assert_eq!(stance(ecm, joint, &|_| Some(1.0)), None);
    assert_eq!(stance(ecm, EntityId::from_raw(u64::MAX), &|_| None), None);
    assert_eq!(mirror_joints(ecm, joint), Vec::new());
}

fn world(name: &str) -> std::path::PathBuf {
    worlds().into_iter().find(|world| world.ends_with(name)).unwrap()
}

/// The joints of a demo robot in the mirror, as text.
fn mirrored(file: &str, robot: &str) -> String {
    let simulation = load(&world(file));
    let ecm = simulation.ecm();
    let joints = mirror_joints(ecm, resolve(ecm, robot).unwrap());
    let lines = joints.iter().map(|m| format!("{} -> {:+} {}\n", m.joint, m.sign, m.partner));
    lines.collect()
}

#[test]
fn legs_change_sides() {
    expect_test::expect![[r#"
        lf_hip_roll -> -1 rf_hip_roll
        rf_hip_roll -> -1 lf_hip_roll
        lh_hip_roll -> -1 rh_hip_roll
        rh_hip_roll -> -1 lh_hip_roll
        neck_pan -> -1 neck_pan
        lf_hip_pitch -> +1 rf_hip_pitch
        rf_hip_pitch -> +1 lf_hip_pitch
        lh_hip_pitch -> +1 rh_hip_pitch
        rh_hip_pitch -> +1 lh_hip_pitch
        head_tilt -> +1 head_tilt
        lf_knee -> +1 rf_knee
        rf_knee -> +1 lf_knee
        lh_knee -> +1 rh_knee
        rh_knee -> +1 lh_knee
    "#]]
    .assert_eq(&mirrored("quadruped.sdf", "quadruped"));
}

#[test]
fn an_arm_mirrors_itself() {
    expect_test::expect![[r#"
        shoulder_pan -> -1 shoulder_pan
        shoulder_lift -> +1 shoulder_lift
        elbow -> +1 elbow
        wrist_1 -> +1 wrist_1
        wrist_2 -> -1 wrist_2
        wrist_3 -> -1 wrist_3
    "#]]
    .assert_eq(&mirrored("arm.sdf", "arm"));
}

#[test]
fn a_mirrored_pose_is_the_mirror_image() {
    let simulation = load(&world("quadruped.sdf"));
    let ecm = simulation.ecm();
    let model = resolve(ecm, "quadruped").unwrap();
    let (_, joints) = models(ecm).into_iter().find(|(known, _)| *known == model).unwrap();
    let mirror = mirror_joints(ecm, model);
    assert_eq!(mirror.len(), joints.len());
    let shares = proptest::collection::vec(0.0..=1.0, joints.len());
    let config = Config { cases: 64, failure_persistence: None, ..Config::default() };
    let law = |shares: Vec<f64>| {
        let pose = within(&joints, &shares);
        let in_mirror = |name: &str| {
            let of = mirror.iter().find(|of| of.partner == name)?;
            Some(of.sign * told(&pose)(&of.joint)?)
        };
        let one = stance(ecm, model, &told(&pose)).unwrap();
        let other = stance(ecm, model, &in_mirror).unwrap();
        for (link, place) in &one.links {
            let name = ecm.get::<EntityName>(*link).unwrap().0.clone();
            let other_name = match name.split_at(1) {
                ("l", rest) => format!("r{rest}"),
                ("r", rest) => format!("l{rest}"),
                _ => name,
            };
            let named = |(link, _): &&(EntityId, Pose)| {
                ecm.get::<EntityName>(*link).unwrap().0 == other_name
            };
            let image = other.links.iter().find(named).unwrap().1.position;
            let Vec3 { x, y, z } = place.position;
            prop_assert!(image.distance(Vec3::new(x, -y, z)) < TOLERANCE, "{other_name}");
        }
        Ok(())
    };
    TestRunner::new(config).run(&shares, law).unwrap();
}
