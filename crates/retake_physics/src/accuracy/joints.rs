//! Joints without contacts.

use std::f64::consts::{FRAC_PI_2, TAU};

use retake_description::JointKind;
use retake_math::{Pose, Vec3};

use super::scene::{GRAVITY, Scene, agm, measured, rod_moments};
use super::{AccuracyError, Measurement, STEP_SECS};
use crate::{BodyState, JointDrive};

/// A rod of 1 kg and 1 m about its end, let go 1 rad from hanging.
pub(super) fn pendulum(scene: &mut Scene<'_>) -> Result<Vec<Measurement>, AccuracyError> {
    const AMPLITUDE: f64 = 1.0;
    const PERIODS: usize = 5;
    let angle = FRAC_PI_2 - AMPLITUDE;
    let place = Pose::from_xyz_rpy(Vec3::ZERO, Vec3::new(0.0, angle, 0.0))
        * Pose::from_position(Vec3::X * 0.5);
    let rod = scene.link(1.0, rod_moments(1.0, 1.0), place);
    let mut joint = scene.joint(JointKind::Continuous, (None, &rod), (Vec3::ZERO, Vec3::Y));
    // The frame of the joint is that of the world, so the axis needs no turning back.
    joint.axes[0].position = angle;
    let id = joint.joint;
    scene.add(vec![rod], vec![joint])?;
    let mut crossings = Vec::new();
    let mut before = scene.joint_state(id)?.position;
    for step in 0..20_000 {
        scene.step()?;
        let now = scene.joint_state(id)?.position;
        if before < FRAC_PI_2 && now >= FRAC_PI_2 {
            let share = (FRAC_PI_2 - before) / (now - before);
            crossings.push((f64::from(step) + share) * STEP_SECS);
        }
        before = now;
        if crossings.len() > PERIODS {
            break;
        }
    }
    let (Some(first), Some(last)) = (crossings.first(), crossings.get(PERIODS)) else {
        return Err(AccuracyError::Missing { what: "five swings" });
    };
    let period = (last - first) / PERIODS as f64;
    let moment = 1.0 / 3.0 + rod_moments(1.0, 1.0).y - 1.0 / 12.0;
    let small = TAU * (moment / (GRAVITY * 0.5)).sqrt();
    let exact = small / agm(1.0, (AMPLITUDE / 2.0).cos());
    Ok(vec![measured("period", period / exact - 1.0, "", [1e-6, 2e-7, 5e-8])])
}

/// Two rods of 1 kg and 1 m, let go level.
pub(super) fn double_pendulum(scene: &mut Scene<'_>) -> Result<Vec<Measurement>, AccuracyError> {
    let moments = rod_moments(1.0, 1.0);
    let inner = scene.link(1.0, moments, Pose::from_position(Vec3::X * 0.5));
    let outer = scene.link(1.0, moments, Pose::from_position(Vec3::X * 1.5));
    let first = scene.joint(JointKind::Continuous, (None, &inner), (Vec3::ZERO, Vec3::Y));
    let second = scene.joint(JointKind::Continuous, (Some(&inner), &outer), (Vec3::X, Vec3::Y));
    let links = [inner.link, outer.link];
    scene.add(vec![inner, outer], vec![first, second])?;
    let energy = |state: &BodyState| {
        let (v, w) = (state.twist.linear, state.twist.angular);
        0.5 * v.dot(v) + 0.5 * moments.y * w.dot(w) + GRAVITY * state.world_from_link.position.z
    };
    let mut worst = 0f64;
    for _ in 0..10_000 {
        scene.step()?;
        let total = energy(&scene.state(links[0])?) + energy(&scene.state(links[1])?);
        worst = worst.max((total / GRAVITY).abs());
    }
    Ok(vec![measured("energy", worst, "", [1.2e-1, 7e-2, 4e-2])])
}

/// A rod of 1 kg and 1 m that falls from level onto a limit, with a motor of 20 N m behind it.
pub(super) fn limit(scene: &mut Scene<'_>) -> Result<Vec<Measurement>, AccuracyError> {
    const UPPER: f64 = 1.0;
    let rod = scene.link(1.0, rod_moments(1.0, 1.0), Pose::from_position(Vec3::X * 0.5));
    let mut joint = scene.joint(JointKind::Revolute, (None, &rod), (Vec3::ZERO, Vec3::Y));
    (joint.axes[0].axis.limits.lower, joint.axes[0].axis.limits.upper) = (-UPPER, UPPER);
    let id = joint.joint;
    scene.add(vec![rod], vec![joint])?;
    scene.drive(id, JointDrive::Effort(20.0))?;
    let mut worst = 0f64;
    for _ in 0..3000 {
        scene.step()?;
        worst = worst.max(scene.joint_state(id)?.position - UPPER);
    }
    let rest = scene.joint_state(id)?.position - UPPER;
    Ok(vec![
        measured("overshoot", worst, "rad", [8e-3, 3e-3, 1e-3]),
        measured("at rest", rest, "rad", [1e-6, 1e-6, 1e-6]),
    ])
}
