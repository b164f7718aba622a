//! Checks of every number that enters an engine.
//!
//! One NaN inside an engine spreads through all contacts and can end the process, so nothing that
//! is not finite gets past here.

use retake_ecm::EntityId;
use retake_math::{Inertial, Pose, Twist, Vec3};

use crate::{Assembly, AxisSpec, BodySpec, ColliderSpec, EngineError, JointDrive, JointSpec};

/// Checks all numbers of an assembly but those of its shapes.
pub(crate) fn assembly(assembly: &Assembly) -> Result<(), EngineError> {
    assembly.bodies.iter().try_for_each(body)?;
    assembly.joints.iter().try_for_each(joint)
}

/// Checks all numbers of a joint.
pub(crate) fn joint(spec: &JointSpec) -> Result<(), EngineError> {
    pose(spec.joint, "pose", &spec.child_from_joint)?;
    finite(spec.joint, "thread_pitch", spec.thread_pitch)?;
    let (given, needed) = (spec.axes.len(), spec.kind.axis_count());
    if given != needed {
        let kind = spec.kind.name();
        let what = format!("a {kind} joint has {needed} axes, {given} are given");
        return Err(EngineError::Unsupported { entity: spec.joint, what });
    }
    spec.axes.iter().try_for_each(|given| axis(spec.joint, given))
}

/// Checks a drive.
pub(crate) fn drive(joint: EntityId, drive: &JointDrive) -> Result<(), EngineError> {
    match *drive {
        JointDrive::Free => Ok(()),
        JointDrive::Position { target, velocity, stiffness, damping, max_effort } => {
            finite(joint, "drive.target", target)?;
            finite(joint, "drive.velocity", velocity)?;
            not_negative(joint, "drive.stiffness", stiffness)?;
            not_negative(joint, "drive.damping", damping)?;
            limit(joint, "drive.max_effort", max_effort)
        }
        JointDrive::Velocity { target, damping, max_effort } => {
            finite(joint, "drive.target", target)?;
            not_negative(joint, "drive.damping", damping)?;
            limit(joint, "drive.max_effort", max_effort)
        }
        JointDrive::Effort(effort) => finite(joint, "drive.effort", effort),
    }
}

/// Refuses what is infinite or not a number.
pub(crate) fn finite(entity: EntityId, field: &'static str, value: f64) -> Result<(), EngineError> {
    if value.is_finite() { Ok(()) } else { Err(EngineError::NotFinite { entity, field }) }
}

/// Refuses vectors with a component that is not finite.
pub(crate) fn vector(
    entity: EntityId,
    field: &'static str,
    value: Vec3,
) -> Result<(), EngineError> {
    if value.is_finite() { Ok(()) } else { Err(EngineError::NotFinite { entity, field }) }
}

/// Refuses poses with a component that is not finite.
pub(crate) fn pose(entity: EntityId, field: &'static str, value: &Pose) -> Result<(), EngineError> {
    if value.is_finite() { Ok(()) } else { Err(EngineError::NotFinite { entity, field }) }
}

/// Refuses twists with a component that is not finite.
pub(crate) fn twist(entity: EntityId, value: &Twist) -> Result<(), EngineError> {
    let field = "twist";
    if value.is_finite() { Ok(()) } else { Err(EngineError::NotFinite { entity, field }) }
}

/// Refuses what is not finite and above zero.
pub(crate) fn positive(
    entity: EntityId,
    field: &'static str,
    value: f64,
) -> Result<(), EngineError> {
    finite(entity, field, value)?;
    if value > 0.0 {
        return Ok(());
    }
    Err(EngineError::OutOfRange { entity, field, value, allowed: "greater than 0" })
}

/// Refuses mass properties that no real body has.
pub(crate) fn physical(entity: EntityId, inertial: &Inertial) -> Result<(), EngineError> {
    positive(entity, "inertial.mass", inertial.mass_kg)?;
    let (m, p) = (inertial.moments, inertial.products);
    // A symmetric matrix is positive definite when its leading minors are positive.
    let minor = m.x * m.y - p.x * p.x;
    positive(entity, "inertial.ixx", m.x)?;
    positive(entity, "inertial.iyy", m.y)?;
    positive(entity, "inertial.izz", m.z)?;
    positive(entity, "inertial, ixx * iyy - ixy²,", minor)?;
    positive(
        entity,
        "inertial, determinant of the inertia matrix,",
        inertial.matrix().determinant(),
    )
}

fn body(spec: &BodySpec) -> Result<(), EngineError> {
    let link = spec.link;
    pose(link, "pose", &spec.world_from_link)?;
    twist(link, &spec.twist)?;
    not_negative(link, "inertial.mass", spec.inertial.mass_kg)?;
    pose(link, "inertial.pose", &spec.inertial.link_from_com)?;
    vector(link, "inertial.moments", spec.inertial.moments)?;
    vector(link, "inertial.products", spec.inertial.products)?;
    not_negative(link, "velocity_decay.linear", spec.velocity_decay.linear)?;
    not_negative(link, "velocity_decay.angular", spec.velocity_decay.angular)?;
    spec.colliders.iter().try_for_each(collider)
}

fn collider(spec: &ColliderSpec) -> Result<(), EngineError> {
    pose(spec.collision, "pose", &spec.link_from_collision)?;
    not_negative(spec.collision, "surface.friction.mu", spec.surface.friction.mu)?;
    let restitution = spec.surface.bounce.restitution;
    not_negative(spec.collision, "surface.bounce.restitution", restitution)
}

fn axis(joint: EntityId, spec: &AxisSpec) -> Result<(), EngineError> {
    let (limits, dynamics) = (&spec.axis.limits, &spec.axis.dynamics);
    vector(joint, "axis.xyz", spec.axis.xyz)?;
    positive(joint, "length of axis.xyz", spec.axis.xyz.length())?;
    finite(joint, "position", spec.position)?;
    finite(joint, "velocity", spec.velocity)?;
    not_nan(joint, "limit.lower", limits.lower)?;
    not_nan(joint, "limit.upper", limits.upper)?;
    if limits.lower > limits.upper {
        let (field, allowed) = ("limit.lower", "no greater than limit.upper");
        return Err(EngineError::OutOfRange { entity: joint, field, value: limits.lower, allowed });
    }
    limit(joint, "limit.effort", limits.effort)?;
    limit(joint, "limit.velocity", limits.velocity)?;
    not_negative(joint, "dynamics.damping", dynamics.damping)?;
    not_negative(joint, "dynamics.friction", dynamics.friction)?;
    not_negative(joint, "dynamics.spring_stiffness", dynamics.spring_stiffness)?;
    finite(joint, "dynamics.spring_reference", dynamics.spring_reference)?;
    let Some(mimic) = &spec.axis.mimic else { return Ok(()) };
    finite(joint, "mimic.multiplier", mimic.multiplier)?;
    finite(joint, "mimic.offset", mimic.offset)?;
    finite(joint, "mimic.reference", mimic.reference)
}

fn not_negative(entity: EntityId, field: &'static str, value: f64) -> Result<(), EngineError> {
    finite(entity, field, value)?;
    limit(entity, field, value)
}

/// A limit may be infinite: then there is none.
fn limit(entity: EntityId, field: &'static str, value: f64) -> Result<(), EngineError> {
    not_nan(entity, field, value)?;
    if value >= 0.0 {
        return Ok(());
    }
    Err(EngineError::OutOfRange { entity, field, value, allowed: "0 or greater" })
}

fn not_nan(entity: EntityId, field: &'static str, value: f64) -> Result<(), EngineError> {
    if value.is_nan() { Err(EngineError::NotFinite { entity, field }) } else { Ok(()) }
}
