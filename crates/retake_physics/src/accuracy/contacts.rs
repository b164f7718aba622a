//! Contacts.

use retake_description::{Bounce, Friction, Geometry, JointKind, Surface};
use retake_math::{Pose, Vec3};

use super::scene::{GRAVITY, Scene, degrees, measured, slope};
use super::{AccuracyError, Measurement};
use crate::JointDrive;

fn rough(mu: f64) -> Surface {
    Surface { friction: Friction { mu, mu2: mu, ..Friction::default() }, ..Surface::default() }
}

/// How far a box gets down a slope of 20 degrees.
fn way_down(scene: &mut Scene<'_>, mu: f64, secs: f64) -> Result<f64, AccuracyError> {
    let angle = degrees(20.0);
    scene.add_slope(angle, rough(mu))?;
    let place = slope(angle) * Pose::from_position(Vec3::Z * 0.1);
    let mut body = scene.solid(1.0, Geometry::Box { size: Vec3::splat(0.2) }, place);
    body.colliders[0].surface = rough(mu);
    let link = body.link;
    scene.add(vec![body], vec![])?;
    scene.run(secs)?;
    let down = slope(angle).transform_vector(Vec3::X);
    Ok((scene.position(link)? - place.position).dot(down))
}

pub(super) fn sliding(scene: &mut Scene<'_>) -> Result<Vec<Measurement>, AccuracyError> {
    let way = way_down(scene, 0.3, 2.0)?;
    let angle = degrees(20.0);
    let exact = 0.5 * GRAVITY * (angle.sin() - 0.3 * angle.cos()) * 4.0;
    Ok(vec![measured("way", way / exact - 1.0, "", [5e-3, 3e-3, 1.5e-3])])
}

pub(super) fn sticking(scene: &mut Scene<'_>) -> Result<Vec<Measurement>, AccuracyError> {
    let way = way_down(scene, 0.5, 10.0)?;
    Ok(vec![measured("creep", way, "m", [1.5e-5, 4e-6, 1e-6])])
}

/// Three balls let go 1 m above a plane that bounces fully.
pub(super) fn bounces(scene: &mut Scene<'_>) -> Result<Vec<Measurement>, AccuracyError> {
    const RADIUS: f64 = 0.1;
    let bouncy = |restitution| Surface {
        bounce: Bounce { restitution, ..Bounce::default() },
        ..Surface::default()
    };
    scene.add_slope(0.0, bouncy(1.0))?;
    let mut balls = Vec::new();
    for (index, restitution) in [0.5, 0.8, 1.0].into_iter().enumerate() {
        let place = Pose::from_position(Vec3::new(index as f64, 0.0, 1.0 + RADIUS));
        let mut ball = scene.solid(1.0, Geometry::Sphere { radius: RADIUS }, place);
        ball.colliders[0].surface = bouncy(restitution);
        balls.push((ball.link, restitution, 0f64));
        scene.add(vec![ball], vec![])?;
    }
    // All have landed after 0.46 s, and none lands again before its top.
    scene.run(0.46)?;
    for _ in 0..500 {
        scene.step()?;
        for (link, _, highest) in &mut balls {
            *highest = highest.max(scene.position(*link)?.z - RADIUS);
        }
    }
    let names = ["height of e 0.5", "height of e 0.8", "height of e 1"];
    let error = |(name, (_, e, highest)): (&'static str, (_, f64, f64))| {
        measured(name, highest / (e * e) - 1.0, "", [1.6e-2, 1.1e-2, 9e-3])
    };
    Ok(names.into_iter().zip(balls).map(error).collect())
}

pub(super) fn rolling(scene: &mut Scene<'_>) -> Result<Vec<Measurement>, AccuracyError> {
    const RADIUS: f64 = 0.1;
    let angle = degrees(10.0);
    scene.add_slope(angle, rough(1.0))?;
    let place = slope(angle) * Pose::from_position(Vec3::Z * RADIUS);
    let ball = scene.solid(1.0, Geometry::Sphere { radius: RADIUS }, place);
    let link = ball.link;
    scene.add(vec![ball], vec![])?;
    scene.run(2.0)?;
    let state = scene.state(link)?;
    let down = slope(angle).transform_vector(Vec3::X);
    let way = (state.world_from_link.position - place.position).dot(down);
    let exact = 0.5 * (5.0 / 7.0) * GRAVITY * angle.sin() * 4.0;
    let slip = state.twist.linear.dot(down) - state.twist.angular.y * RADIUS;
    Ok(vec![
        measured("way", way / exact - 1.0, "", [1e-3, 6e-4, 3e-4]),
        measured("slip", slip, "m/s", [1.5e-3, 1.5e-3, 1.5e-3]),
    ])
}

pub(super) fn stack(scene: &mut Scene<'_>) -> Result<Vec<Measurement>, AccuracyError> {
    const EDGE: f64 = 0.2;
    scene.add_slope(0.0, rough(0.8))?;
    let mut boxes = Vec::new();
    for level in 0..10u32 {
        let place = Vec3::Z * EDGE * (f64::from(level) + 0.5);
        let geometry = Geometry::Box { size: Vec3::splat(EDGE) };
        let body = scene.solid(1.0 + f64::from(level), geometry, Pose::from_position(place));
        boxes.push((body.link, place));
        scene.add(vec![body], vec![])?;
    }
    scene.run(10.0)?;
    let (mut shift, mut sunk) = (0f64, 0f64);
    for (link, place) in boxes {
        let moved = scene.position(link)? - place;
        shift = shift.max(moved.truncate().length());
        sunk = sunk.max(-moved.z);
    }
    Ok(vec![
        measured("shift", shift, "m", [4e-4, 1e-4, 3e-5]),
        measured("sinking of the top", sunk, "m", [1.2e-2, 3e-3, 7e-4]),
    ])
}

/// A box between two fingers that slide along x from the world.
pub(super) fn grasp(scene: &mut Scene<'_>) -> Result<Vec<Measurement>, AccuracyError> {
    const EDGE: f64 = 0.05;
    let cube = Geometry::Box { size: Vec3::splat(EDGE) };
    let mut held = scene.solid(0.5, cube.clone(), Pose::from_position(Vec3::Z));
    held.colliders[0].surface = rough(0.8);
    let link = held.link;
    for side in [-1.0, 1.0] {
        let place = Pose::from_position(Vec3::new(side * EDGE, 0.0, 1.0));
        let mut finger = scene.solid(0.2, cube.clone(), place);
        finger.colliders[0].surface = rough(0.8);
        let slide = (place.position, Vec3::X);
        let joint = scene.joint(JointKind::Prismatic, (None, &finger), slide);
        let id = joint.joint;
        scene.add(vec![finger], vec![joint])?;
        scene.drive(id, JointDrive::Effort(-side * 20.0))?;
    }
    scene.add(vec![held], vec![])?;
    // The first tenth of a second is the grip taking hold.
    scene.run(0.1)?;
    let gripped = scene.position(link)?;
    scene.run(10.0)?;
    let slip = (scene.position(link)? - gripped).length();
    Ok(vec![measured("slip", slip, "m", [4e-6, 1e-7, 1e-9])])
}
