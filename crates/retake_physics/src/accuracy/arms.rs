//! Robots under gravity.

use retake_description::{Friction, Geometry, JointKind, Surface};
use retake_ecm::EntityId;
use retake_math::{Pose, Vec3};

use super::scene::{GRAVITY, Scene, measured, rod_moments};
use super::{AccuracyError, Measurement, STEP_SECS};
use crate::{BodySpec, JointDrive, JointSpec};

/// Length of both links in metres.
const LENGTH: f64 = 0.5;
/// Masses in kg.
const MASS: [f64; 2] = [2.0, 1.0];
const STIFFNESS: [f64; 2] = [400.0, 100.0];
const DAMPING: [f64; 2] = [40.0, 10.0];

/// Where the joints are told to be, and how fast, at a time.
fn targets(secs: f64) -> [(f64, f64); 2] {
    let wave = |amplitude: f64, rate: f64| {
        (amplitude * (rate * secs).sin(), amplitude * rate * (rate * secs).cos())
    };
    [wave(0.5, 2.0), wave(0.8, 3.0)]
}

/// Two rods that turn about y, level at zero, driven along sine waves; then held.
pub(super) fn two_joints(scene: &mut Scene<'_>) -> Result<Vec<Measurement>, AccuracyError> {
    let joints = add_arm(scene)?;
    let mut exact = [0.0; 4];
    let mut worst = 0f64;
    for step in 0..3000 {
        let secs = f64::from(step) * STEP_SECS;
        // As from any controller, a command stands for a whole step.
        let aims = targets(secs);
        for (index, joint) in joints.into_iter().enumerate() {
            drive(scene, joint, index, aims[index])?;
        }
        scene.step()?;
        exact = exact_step(exact, aims);
        // Tracking proper begins when the start is over.
        if secs > 1.0 {
            for (index, joint) in joints.into_iter().enumerate() {
                worst = worst.max((scene.joint_state(joint)?.position - exact[index]).abs());
            }
        }
    }
    for (index, joint) in joints.into_iter().enumerate() {
        drive(scene, joint, index, (0.3, 0.0))?;
    }
    scene.run(5.0)?;
    let q = [scene.joint_state(joints[0])?.position, scene.joint_state(joints[1])?.position];
    let sag = weight(q);
    let held = (0..2).map(|i| (STIFFNESS[i] * (0.3 - q[i]) - sag[i]).abs() / STIFFNESS[i]);
    Ok(vec![
        measured("tracking", worst, "rad", [2.4e-3, 1.2e-3, 6e-4]),
        measured("holding", held.fold(0.0, f64::max), "rad", [1e-9, 1e-9, 1e-9]),
    ])
}

fn add_arm(scene: &mut Scene<'_>) -> Result<[EntityId; 2], AccuracyError> {
    let rod = |scene: &mut Scene<'_>, index: usize| {
        let place = Pose::from_position(Vec3::X * LENGTH * (index as f64 + 0.5));
        scene.link(MASS[index], rod_moments(MASS[index], LENGTH), place)
    };
    let (upper, lower) = (rod(scene, 0), rod(scene, 1));
    let kind = JointKind::Continuous;
    let shoulder = scene.joint(kind, (None, &upper), (Vec3::ZERO, Vec3::Y));
    let elbow = scene.joint(kind, (Some(&upper), &lower), (Vec3::X * LENGTH, Vec3::Y));
    let joints = [shoulder.joint, elbow.joint];
    scene.add(vec![upper, lower], vec![shoulder, elbow])?;
    Ok(joints)
}

fn drive(
    scene: &mut Scene<'_>,
    joint: EntityId,
    index: usize,
    (target, velocity): (f64, f64),
) -> Result<(), AccuracyError> {
    let (stiffness, damping) = (STIFFNESS[index], DAMPING[index]);
    let max_effort = f64::INFINITY;
    scene.drive(joint, JointDrive::Position { target, velocity, stiffness, damping, max_effort })
}

/// Torque that holds the arm against its weight; positive turns about y lower the rods.
fn weight(q: [f64; 2]) -> [f64; 2] {
    let half = LENGTH / 2.0;
    let outer = -MASS[1] * GRAVITY * half * (q[0] + q[1]).cos();
    let inner = -(MASS[0] * half + MASS[1] * LENGTH) * GRAVITY * q[0].cos();
    [inner + outer, outer]
}

/// Advances the exact arm by a step with standing targets: Runge-Kutta of fourth order at a hundredth of it.
fn exact_step(mut state: [f64; 4], aims: [(f64, f64); 2]) -> [f64; 4] {
    const PARTS: u32 = 100;
    let h = STEP_SECS / f64::from(PARTS);
    let ahead = |s: [f64; 4], k: [f64; 4], by: f64| std::array::from_fn(|i| s[i] + k[i] * by);
    for _ in 0..PARTS {
        let k1 = rates(state, aims);
        let k2 = rates(ahead(state, k1, h / 2.0), aims);
        let k3 = rates(ahead(state, k2, h / 2.0), aims);
        let k4 = rates(ahead(state, k3, h), aims);
        state = std::array::from_fn(|i| {
            state[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i])
        });
    }
    state
}

/// Velocities and accelerations of the two joints, by Lagrange's equations.
fn rates([q1, q2, v1, v2]: [f64; 4], aims: [(f64, f64); 2]) -> [f64; 4] {
    let half = LENGTH / 2.0;
    let own = [rod_moments(MASS[0], LENGTH).y, rod_moments(MASS[1], LENGTH).y];
    let outer = own[1] + MASS[1] * half * half;
    let cross = MASS[1] * LENGTH * half;
    let m11 =
        own[0] + MASS[0] * half * half + MASS[1] * LENGTH * LENGTH + outer + 2.0 * cross * q2.cos();
    let m12 = outer + cross * q2.cos();
    let bend = cross * q2.sin();
    let held = weight([q1, q2]);
    let motor =
        |i: usize, q: f64, v: f64| STIFFNESS[i] * (aims[i].0 - q) + DAMPING[i] * (aims[i].1 - v);
    let f1 = motor(0, q1, v1) - held[0] + bend * (2.0 * v1 * v2 + v2 * v2);
    let f2 = motor(1, q2, v2) - held[1] - bend * v1 * v1;
    let determinant = m11 * outer - m12 * m12;
    [v1, v2, (outer * f1 - m12 * f2) / determinant, (m11 * f2 - m12 * f1) / determinant]
}

/// A body on four legs of two joints each, splayed so that the feet push outwards.
pub(super) fn standing(scene: &mut Scene<'_>) -> Result<Vec<Measurement>, AccuracyError> {
    let rough = Friction { mu: 0.8, mu2: 0.8, ..Friction::default() };
    let surface = Surface { friction: rough, ..Surface::default() };
    scene.add_slope(0.0, surface)?;
    let size = Vec3::new(0.6, 0.3, 0.1);
    let body = scene.solid(20.0, Geometry::Box { size }, Pose::from_position(Vec3::Z * 0.45));
    let (mut bodies, mut joints) = (vec![body], Vec::new());
    let mut feet = Vec::new();
    for (x, y) in [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)] {
        let hip = Vec3::new(0.25 * x, 0.15 * y, 0.45);
        feet.push(add_leg(scene, &mut bodies, &mut joints, hip, x));
    }
    let drives: Vec<EntityId> = joints.iter().map(|joint: &JointSpec| joint.joint).collect();
    scene.add(bodies, joints)?;
    for joint in drives {
        scene.drive(
            joint,
            JointDrive::Position {
                target: 0.0,
                velocity: 0.0,
                stiffness: 1000.0,
                damping: 50.0,
                max_effort: f64::INFINITY,
            },
        )?;
    }
    // It settles on its springs first.
    scene.run(2.0)?;
    let mut places = Vec::new();
    for foot in &feet {
        places.push(scene.position(*foot)?);
    }
    scene.run(5.0)?;
    let mut drift = 0f64;
    for (foot, place) in feet.iter().zip(places) {
        drift = drift.max((scene.position(*foot)? - place).length());
    }
    Ok(vec![measured("drift", drift, "m", [8e-4, 5e-4, 1e-6])])
}

/// A thigh that leans outwards and a shank that leans back, with a ball as foot.
fn add_leg(
    scene: &mut Scene<'_>,
    bodies: &mut Vec<BodySpec>,
    joints: &mut Vec<JointSpec>,
    hip: Vec3,
    forward: f64,
) -> EntityId {
    let knee = hip + Vec3::new(0.1 * forward, 0.0, -0.2);
    let foot = Vec3::new(knee.x + 0.03 * forward, hip.y, 0.03);
    let moments = Vec3::new(2e-3, 2e-3, 5e-4);
    let thigh = scene.link(0.5, moments, Pose::from_position((hip + knee) * 0.5));
    let mut shank = scene.solid(0.3, Geometry::Sphere { radius: 0.03 }, Pose::from_position(foot));
    shank.inertial.moments = moments;
    let friction = Friction { mu: 0.8, mu2: 0.8, ..Friction::default() };
    shank.colliders[0].surface.friction = friction;
    joints.push(scene.joint(JointKind::Revolute, (Some(&bodies[0]), &thigh), (hip, Vec3::Y)));
    joints.push(scene.joint(JointKind::Revolute, (Some(&thigh), &shank), (knee, Vec3::Y)));
    let link = shank.link;
    bodies.extend([thigh, shank]);
    link
}
