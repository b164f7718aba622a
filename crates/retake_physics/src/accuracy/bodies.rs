//! Bodies without contacts.

use retake_description::{Geometry, JointKind};
use retake_ecm::EntityId;
use retake_math::{Mat3, Pose, Twist, Vec3};

use super::scene::{GRAVITY, Scene, measured};
use super::{AccuracyError, Measurement, STEP_SECS};
use crate::{BodySpec, BodyState};

/// A box of 0.1 x 0.4 x 0.9 m and 10 kg that turns about its middle axis.
pub(super) fn free_rotor(scene: &mut Scene<'_>) -> Result<Vec<Measurement>, AccuracyError> {
    scene.engine.set_gravity(Vec3::ZERO)?;
    let geometry = Geometry::Box { size: Vec3::new(0.1, 0.4, 0.9) };
    let mut body = scene.solid(10.0, geometry, Pose::IDENTITY);
    body.twist = Twist { linear: Vec3::ZERO, angular: Vec3::new(0.1, 5.0, 0.1) };
    let (link, moments) = (body.link, body.inertial.moments);
    scene.add(vec![body], vec![])?;
    let momentum = |state: &BodyState| {
        let turned = Mat3::from_quat(state.world_from_link.rotation);
        turned * (moments * (turned.transpose() * state.twist.angular))
    };
    let start = scene.state(link)?;
    let (start_momentum, start_energy) =
        (momentum(&start), 0.5 * momentum(&start).dot(start.twist.angular));
    let (mut lost_energy, mut lost_momentum) = (0f64, 0f64);
    for _ in 0..10_000 {
        scene.step()?;
        let now = scene.state(link)?;
        let energy = 0.5 * momentum(&now).dot(now.twist.angular);
        lost_energy = lost_energy.max((energy / start_energy - 1.0).abs());
        let drift = (momentum(&now) - start_momentum).length() / start_momentum.length();
        lost_momentum = lost_momentum.max(drift);
    }
    Ok(vec![
        measured("energy", lost_energy, "", [6e-6, 3e-6, 1.6e-6]),
        measured("angular momentum", lost_momentum, "", [1.2e-2, 6e-3, 3e-3]),
    ])
}

/// A ball thrown at 5 m/s forward and 10 m/s up.
pub(super) fn projectile(scene: &mut Scene<'_>) -> Result<Vec<Measurement>, AccuracyError> {
    let mut ball = scene.solid(2.0, Geometry::Sphere { radius: 0.1 }, Pose::IDENTITY);
    ball.twist = Twist { linear: Vec3::new(5.0, 0.0, 10.0), angular: Vec3::ZERO };
    let link = ball.link;
    scene.add(vec![ball], vec![])?;
    scene.run(2.0)?;
    let exact = Vec3::new(10.0, 0.0, 20.0 - 0.5 * GRAVITY * 4.0);
    let error = (scene.position(link)? - exact).length();
    Ok(vec![measured("position", error, "m", [1.1e-2, 6e-3, 3e-3])])
}

const ARM: f64 = 0.2;
const SPIN: f64 = 200.0;
const DISC: Vec3 = Vec3::new(5e-3, 2.5e-3, 2.5e-3);

/// Two discs of 1 kg that spin at 200 rad/s on level axles, one already precessing as it should,
/// the other let go at rest.
pub(super) fn gyroscope(scene: &mut Scene<'_>) -> Result<Vec<Measurement>, AccuracyError> {
    let (weight, spin) = (GRAVITY * ARM, DISC.x * SPIN);
    let precession = weight / spin;
    let [turn, tilt] = add_gyroscope(scene, precession)?;
    let [_, dip] = add_gyroscope(scene, 0.0)?;
    let (mut worst_turn, mut worst_tilt, mut deepest) = (0f64, 0f64, 0f64);
    for step in 1..=5000 {
        scene.step()?;
        let exact = precession * f64::from(step) * STEP_SECS;
        worst_turn = worst_turn.max((scene.joint_state(turn)?.position - exact).abs());
        worst_tilt = worst_tilt.max(scene.joint_state(tilt)?.position.abs());
        if step < 1000 {
            deepest = deepest.max(scene.joint_state(dip)?.position);
        }
    }
    // Energy and momentum about z are kept: spin² u = 2 I w (1 - u²) at the lowest point, u its sine.
    let share = 2.0 * (DISC.y + ARM * ARM) * weight;
    let sine = ((spin.powi(4) + 4.0 * share * share).sqrt() - spin * spin) / (2.0 * share);
    Ok(vec![
        measured("precession in 5 s", worst_turn, "rad", [1e-6, 1e-6, 1e-6]),
        measured("nutation", worst_tilt, "rad", [1e-6, 1e-6, 1e-6]),
        measured("dip of the other", deepest - sine.asin(), "rad", [4e-3, 2e-3, 1e-3]),
    ])
}

/// Adds a disc on an axle that a swivel lets turn about z and tilt about y; returns these joints.
fn add_gyroscope(scene: &mut Scene<'_>, precession: f64) -> Result<[EntityId; 2], AccuracyError> {
    // Light enough that only the disc is felt.
    let light = |scene: &mut Scene<'_>| scene.link(1e-6, Vec3::splat(1e-9), Pose::IDENTITY);
    let (swivel, yoke) = (light(scene), light(scene));
    let disc = scene.link(1.0, DISC, Pose::from_position(Vec3::X * ARM));
    let mut hinge = |ends: (Option<&BodySpec>, &BodySpec), place, velocity| {
        let mut joint = scene.joint(JointKind::Continuous, ends, place);
        joint.axes[0].velocity = velocity;
        joint
    };
    let joints = vec![
        hinge((None, &swivel), (Vec3::ZERO, Vec3::Z), precession),
        hinge((Some(&swivel), &yoke), (Vec3::ZERO, Vec3::Y), 0.0),
        hinge((Some(&yoke), &disc), (Vec3::X * ARM, Vec3::X), SPIN),
    ];
    let ids = [joints[0].joint, joints[1].joint];
    scene.add(vec![swivel, yoke, disc], joints)?;
    Ok(ids)
}
