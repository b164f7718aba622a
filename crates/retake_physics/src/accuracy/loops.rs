//! Closed chains.

use retake_description::JointKind;
use retake_math::{Pose, Vec3};

use super::scene::{Scene, measured, rod_moments};
use super::{AccuracyError, Measurement};
use crate::{BodySpec, BodyState, JointDrive};

const CRANK: f64 = 0.1;
const COUPLER: f64 = 0.3;
const ROCKER: f64 = 0.25;
const GROUND: f64 = 0.3;

/// A crank that turns at 3 rad/s moves a rocker through a coupler; all turn about y.
pub(super) fn four_bar(scene: &mut Scene<'_>) -> Result<Vec<Measurement>, AccuracyError> {
    let (a, d) = (Vec3::ZERO, Vec3::X * GROUND);
    let b = Vec3::Z * CRANK;
    let c = joint_of_rocker(b);
    let bar = |scene: &mut Scene<'_>, from: Vec3, to: Vec3| {
        let along = (to - from).normalize();
        let turn = Pose::from_xyz_rpy(Vec3::ZERO, Vec3::new(0.0, (-along.z).atan2(along.x), 0.0));
        let length = (to - from).length();
        let place = Pose::new((from + to) * 0.5, turn.rotation);
        scene.link(length * 4.0, rod_moments(length * 4.0, length), place)
    };
    let (crank, coupler, rocker) = (bar(scene, a, b), bar(scene, b, c), bar(scene, d, c));
    let mut hinge = |ends: (Option<&BodySpec>, &BodySpec), point| {
        scene.joint(JointKind::Continuous, ends, (point, Vec3::Y))
    };
    let joints = vec![
        hinge((None, &crank), a),
        hinge((Some(&crank), &coupler), b),
        hinge((None, &rocker), d),
        hinge((Some(&coupler), &rocker), c),
    ];
    let motor = joints[0].joint;
    let links = [crank.link, coupler.link, rocker.link];
    scene.add(vec![crank, coupler, rocker], joints)?;
    let drive = JointDrive::Velocity { target: 3.0, damping: 1e4, max_effort: f64::INFINITY };
    scene.drive(motor, drive)?;
    let (mut worst_gap, mut worst_angle) = (0f64, 0f64);
    for _ in 0..5000 {
        scene.step()?;
        let end = |state: &BodyState, length: f64| {
            state.world_from_link.transform_point(Vec3::X * length / 2.0)
        };
        let b = end(&scene.state(links[0])?, CRANK);
        let coupler_end = end(&scene.state(links[1])?, COUPLER);
        let rocker_end = end(&scene.state(links[2])?, ROCKER);
        let rocker_start = end(&scene.state(links[2])?, -ROCKER);
        // Whichever joint the engine closes the loop with.
        let gap = (coupler_end - rocker_end).length().max((rocker_start - d).length());
        worst_gap = worst_gap.max(gap);
        let exact = joint_of_rocker(b) - d;
        let measured = rocker_end - d;
        let turn = (measured.z * exact.x - measured.x * exact.z)
            .atan2(measured.x * exact.x + measured.z * exact.z);
        worst_angle = worst_angle.max(turn.abs());
    }
    Ok(vec![
        measured("gap", worst_gap, "m", [2e-6, 5e-7, 2e-7]),
        measured("angle of the rocker", worst_angle, "rad", [1e-5, 2e-6, 1e-6]),
    ])
}

/// Where coupler and rocker meet when the crank ends in `b`: two circles cross.
fn joint_of_rocker(b: Vec3) -> Vec3 {
    let d = Vec3::X * GROUND;
    let across = d - b;
    let distance = across.length();
    let along = (COUPLER * COUPLER - ROCKER * ROCKER + distance * distance) / (2.0 * distance);
    let height = (COUPLER * COUPLER - along * along).max(0.0).sqrt();
    let up = Vec3::new(-across.z, 0.0, across.x) / distance;
    b + across / distance * along + up * height
}
