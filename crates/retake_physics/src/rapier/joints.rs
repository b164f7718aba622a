//! Joints: frames, coordinates, limits and motors.
//!
//! A joint becomes one or two segments, each with one coordinate along or about the x axis of its
//! frames. The frames are laid so that the coordinate at insertion is the position the caller
//! gives; so limits and targets are in the joint's own coordinates.

use std::f64::consts::TAU;

use rapier3d_f64::prelude::{GenericJoint, JointAxesMask, JointMotor, MotorModel};
use retake_description::{JointAxis, JointKind};
use retake_math::{Pose, Quat, Vec3};

use super::convert::{to_rapier, x_to};
use crate::{EngineError, JointDrive, JointSpec};

/// Index of the translation along x among the six coordinates of a joint.
pub(super) const LINEAR_X: usize = 0;
/// Index of the rotation about x.
pub(super) const ANGULAR_X: usize = 3;

/// A part of a joint with at most one coordinate of its own.
#[derive(Clone, Copy, Debug)]
pub(super) struct Segment {
    /// Frame on the side of the joint's parent, in the world.
    pub(super) world_from_near: Pose,
    /// Frame on the side of the joint's child, in the world.
    pub(super) world_from_far: Pose,
    pub(super) freedom: Freedom,
    /// Which axis of the joint it is.
    pub(super) axis: Option<usize>,
}

/// What a segment lets move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Freedom {
    /// Nothing.
    Fixed,
    /// Rotation about x.
    Turn,
    /// Translation along x.
    Slide,
    /// Every rotation.
    Ball,
    /// Rotation about x and translation along it, coupled.
    Screw {
        /// Radians for each metre.
        pitch: f64,
    },
}

impl Freedom {
    fn locked(self) -> JointAxesMask {
        match self {
            Self::Fixed => JointAxesMask::LOCKED_FIXED_AXES,
            Self::Turn => JointAxesMask::LOCKED_REVOLUTE_AXES,
            Self::Slide => JointAxesMask::LOCKED_PRISMATIC_AXES,
            Self::Ball => JointAxesMask::LOCKED_SPHERICAL_AXES,
            Self::Screw { .. } => {
                JointAxesMask::LOCKED_REVOLUTE_AXES.difference(JointAxesMask::LIN_X)
            }
        }
    }

    /// Index of the reported coordinate among the six of a joint.
    pub(super) fn spatial(self) -> usize {
        if self == Self::Slide { LINEAR_X } else { ANGULAR_X }
    }

    /// Index of the reported coordinate among the free ones.
    pub(super) fn dof(self) -> usize {
        usize::from(matches!(self, Self::Screw { .. }))
    }

    /// The displacement at a position.
    fn displacement(self, position: f64) -> Pose {
        let turn = Quat::from_rotation_x(position);
        match self {
            Self::Fixed | Self::Ball => Pose::IDENTITY,
            Self::Turn => Pose::new(Vec3::ZERO, turn),
            Self::Slide => Pose::from_position(Vec3::X * position),
            Self::Screw { pitch } => Pose::new(Vec3::X * (position / pitch), turn),
        }
    }
}

impl Segment {
    /// The same seen from the other end: near and far change places, and the axis turns round so
    /// that the coordinate keeps its sign.
    pub(super) fn reversed(self) -> Self {
        let half_turn = Pose::new(Vec3::ZERO, Quat::from_xyzw(0.0, 0.0, 1.0, 0.0));
        Self {
            world_from_near: self.world_from_far * half_turn,
            world_from_far: self.world_from_near * half_turn,
            ..self
        }
    }

    /// Makes the engine's joint between two bodies.
    pub(super) fn joint(
        &self,
        world_from_near_body: Pose,
        world_from_far_body: Pose,
    ) -> GenericJoint {
        let mut joint = GenericJoint::new(self.freedom.locked());
        joint.local_frame1 = to_rapier(world_from_near_body.inverse() * self.world_from_near);
        joint.local_frame2 = to_rapier(world_from_far_body.inverse() * self.world_from_far);
        joint.contacts_enabled = false;
        joint
    }
}

/// Cuts a joint into segments, from the parent to the child.
pub(super) fn segments(
    spec: &JointSpec,
    world_from_child: Pose,
) -> Result<Vec<Segment>, EngineError> {
    let world_from_joint = world_from_child * spec.child_from_joint.normalized();
    let single = |freedom| Ok(vec![segment(spec, 0, freedom, world_from_joint)]);
    match spec.kind {
        JointKind::Fixed => Ok(vec![still(world_from_joint, Freedom::Fixed)]),
        JointKind::Ball => Ok(vec![still(world_from_joint, Freedom::Ball)]),
        JointKind::Revolute | JointKind::Continuous => single(Freedom::Turn),
        JointKind::Prismatic => single(Freedom::Slide),
        JointKind::Screw => single(Freedom::Screw { pitch: spec.thread_pitch }),
        JointKind::Universal | JointKind::Revolute2 => {
            let second = segment(spec, 1, Freedom::Turn, world_from_joint);
            // The first axis ends where the second begins, seen without its turn to x.
            let to_x = Pose::new(Vec3::ZERO, x_to(spec.axes[1].axis.xyz));
            let world_from_middle = second.world_from_near * to_x.inverse();
            Ok(vec![segment(spec, 0, Freedom::Turn, world_from_middle), second])
        }
        JointKind::Gearbox => {
            let what = "a gearbox cannot connect two models; put it into one".to_owned();
            Err(EngineError::Unsupported { entity: spec.joint, what })
        }
    }
}

fn segment(spec: &JointSpec, index: usize, freedom: Freedom, world_from_joint: Pose) -> Segment {
    let given = &spec.axes[index];
    let world_from_far = world_from_joint * Pose::new(Vec3::ZERO, x_to(given.axis.xyz));
    let world_from_near = world_from_far * freedom.displacement(given.position).inverse();
    Segment { world_from_near, world_from_far, freedom, axis: Some(index) }
}

fn still(world_from_joint: Pose, freedom: Freedom) -> Segment {
    let (world_from_near, world_from_far) = (world_from_joint, world_from_joint);
    Segment { world_from_near, world_from_far, freedom, axis: None }
}

/// The limits to give the engine, when there are any.
pub(super) fn limits(axis: &JointAxis) -> Option<[f64; 2]> {
    let limits = &axis.limits;
    let bounded = limits.lower.is_finite() || limits.upper.is_finite();
    bounded.then(|| [limits.lower.max(-f64::MAX), limits.upper.min(f64::MAX)])
}

/// Gives a coordinate its limits, or takes them away.
pub(super) fn set_limits(joint: &mut GenericJoint, spatial: usize, limits: Option<[f64; 2]>) {
    let mask = JointAxesMask::from_bits_truncate(1 << spatial);
    joint.limit_axes.set(mask, limits.is_some());
    if let Some([min, max]) = limits {
        (joint.limits[spatial].min, joint.limits[spatial].max) = (min, max);
    }
}

/// A speed that no joint reaches, so that a motor aiming at it always gives its full effort.
const UNREACHABLE_SPEED: f64 = 1e6;
/// How hard that motor insists, in N m s/rad.
const EFFORT_DAMPING: f64 = 1e6;

/// The motor of a drive; none when nothing drives.
pub(super) fn motor(drive: &JointDrive, axis: &JointAxis) -> Option<JointMotor> {
    let limits = &axis.limits;
    let base = JointMotor { model: MotorModel::ForceBased, ..JointMotor::default() };
    let capped = |effort: f64| effort.min(limits.effort).min(f64::MAX);
    match *drive {
        JointDrive::Free => None,
        // The engine takes a motor without stiffness and damping for a rigid one.
        JointDrive::Position { stiffness: 0.0, damping: 0.0, .. }
        | JointDrive::Velocity { damping: 0.0, .. } => None,
        JointDrive::Position { target, velocity, stiffness, damping, max_effort } => {
            Some(JointMotor {
                target_pos: target,
                target_vel: velocity.clamp(-limits.velocity, limits.velocity),
                stiffness,
                damping,
                max_force: capped(max_effort),
                ..base
            })
        }
        JointDrive::Velocity { target, damping, max_effort } => Some(JointMotor {
            target_vel: target.clamp(-limits.velocity, limits.velocity),
            damping,
            max_force: capped(max_effort),
            ..base
        }),
        JointDrive::Effort(effort) => Some(JointMotor {
            target_vel: UNREACHABLE_SPEED.copysign(effort),
            damping: EFFORT_DAMPING,
            max_force: capped(effort.abs()),
            ..base
        }),
    }
}

/// Adds the passive spring and damper of an axis to its motor, for joints where the engine knows
/// no others. Both then share the motor's effort limit.
pub(super) fn with_passive_forces(
    motor: Option<JointMotor>,
    axis: &JointAxis,
) -> Option<JointMotor> {
    let dynamics = &axis.dynamics;
    let (spring, damping) = (dynamics.spring_stiffness, dynamics.damping);
    if spring == 0.0 && damping == 0.0 {
        return motor;
    }
    let driven =
        motor.unwrap_or(JointMotor { model: MotorModel::ForceBased, ..JointMotor::default() });
    let (stiffness, total_damping) = (driven.stiffness + spring, driven.damping + damping);
    let mean = |a: f64, weight_a: f64, b: f64, weight_b: f64| {
        if weight_a + weight_b > 0.0 {
            (a * weight_a + b * weight_b) / (weight_a + weight_b)
        } else {
            0.0
        }
    };
    Some(JointMotor {
        target_pos: mean(driven.target_pos, driven.stiffness, dynamics.spring_reference, spring),
        target_vel: mean(driven.target_vel, driven.damping, 0.0, damping),
        stiffness,
        damping: total_damping,
        ..driven
    })
}

/// The effort of a motor at a position and velocity.
pub(super) fn effort(motor: Option<JointMotor>, position: f64, velocity: f64) -> f64 {
    let Some(motor) = motor else { return 0.0 };
    let law = motor.stiffness * (motor.target_pos - position)
        + motor.damping * (motor.target_vel - velocity);
    law.clamp(-motor.max_force, motor.max_force)
}

/// Puts a motor on a coordinate of a joint, or takes it away.
pub(super) fn set_motor(joint: &mut GenericJoint, spatial: usize, motor: Option<JointMotor>) {
    let mask = JointAxesMask::from_bits_truncate(1 << spatial);
    joint.motor_axes.set(mask, motor.is_some());
    // The impulse of the last step stays: it is the warm start of the next.
    let impulse = joint.motors[spatial].impulse;
    joint.motors[spatial] = JointMotor { impulse, ..motor.unwrap_or_default() };
}

/// The position on the turn nearest to `near`.
pub(super) fn unwrapped(angle: f64, near: f64) -> f64 {
    angle + TAU * ((near - angle) / TAU).round()
}
