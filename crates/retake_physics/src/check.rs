//! Checks of every number that enters an engine.
//!
//! One NaN inside an engine spreads through all contacts and can end the process, so nothing that
//! is not finite, or becomes so when it is squared, gets past here. The bounds are those that
//! loaders have as well.

use retake_description::bounds::{self, Bound, InertialFault};
use retake_description::{JointKind, Surface};
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
    thread(spec)?;
    let ratio = spec.gearbox.map_or(0.0, |gearbox| gearbox.ratio);
    within(spec.joint, "gearbox_ratio", ratio, &bounds::RATIO)?;
    let (given, needed) = (spec.axes.len(), spec.kind.axis_count());
    if given != needed {
        let kind = spec.kind.name();
        let what = format!("a {kind} joint has {needed} axes, {given} are given");
        return Err(EngineError::Unsupported { entity: spec.joint, what });
    }
    spec.axes.iter().try_for_each(|given| axis(spec.joint, given))
}

/// A screw without a thread would go nowhere, or beyond all bounds, as it turns.
fn thread(spec: &JointSpec) -> Result<(), EngineError> {
    let (entity, field, pitch) = (spec.joint, "thread_pitch", spec.thread_pitch);
    within(entity, field, pitch, &bounds::RATIO)?;
    if spec.kind != JointKind::Screw || bounds::THREAD.contains(pitch.abs()) {
        return Ok(());
    }
    // Nobody wrote the sign of a zero.
    let value = pitch + 0.0;
    Err(EngineError::OutOfRange { entity, field, value, allowed: bounds::THREAD.words })
}

/// Checks a drive.
pub(crate) fn drive(joint: EntityId, drive: &JointDrive) -> Result<(), EngineError> {
    match *drive {
        JointDrive::Free => Ok(()),
        JointDrive::Position { target, velocity, stiffness, damping, max_effort } => {
            within(joint, "drive.target", target, &bounds::JOINT_POSITION)?;
            within(joint, "drive.velocity", velocity, &bounds::SPEED)?;
            within(joint, "drive.stiffness", stiffness, &bounds::GAIN)?;
            within(joint, "drive.damping", damping, &bounds::GAIN)?;
            limit(joint, "drive.max_effort", max_effort)
        }
        JointDrive::Velocity { target, damping, max_effort } => {
            within(joint, "drive.target", target, &bounds::SPEED)?;
            within(joint, "drive.damping", damping, &bounds::GAIN)?;
            limit(joint, "drive.max_effort", max_effort)
        }
        JointDrive::Effort(effort) => within(joint, "drive.effort", effort, &bounds::EFFORT),
    }
}

/// Checks the position of an axis.
pub(crate) fn joint_position(joint: EntityId, value: f64) -> Result<(), EngineError> {
    within(joint, "position", value, &bounds::JOINT_POSITION)
}

/// Checks the velocity of an axis.
pub(crate) fn joint_velocity(joint: EntityId, value: f64) -> Result<(), EngineError> {
    within(joint, "velocity", value, &bounds::SPEED)
}

/// Refuses what is infinite or not a number.
fn finite(entity: EntityId, field: &'static str, value: f64) -> Result<(), EngineError> {
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

/// Refuses poses that are not finite or too far away.
pub(crate) fn pose(entity: EntityId, field: &'static str, value: &Pose) -> Result<(), EngineError> {
    if !value.is_finite() {
        return Err(EngineError::NotFinite { entity, field });
    }
    components(entity, field, value.position, &bounds::COORDINATE_M)
}

/// Refuses twists that are not finite or too fast.
pub(crate) fn twist(entity: EntityId, value: &Twist) -> Result<(), EngineError> {
    components(entity, "twist", value.linear, &bounds::SPEED)?;
    components(entity, "twist", value.angular, &bounds::SPEED)
}

/// Refuses lengths that no shape can have.
pub(crate) fn length(entity: EntityId, field: &'static str, value: f64) -> Result<(), EngineError> {
    within(entity, field, value, &bounds::SIZE_M)
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
    let Some(fault) = bounds::inertial_fault(inertial) else { return Ok(()) };
    let InertialFault { field, value, allowed } = fault;
    finite(entity, field, value)?;
    Err(EngineError::OutOfRange { entity, field, value, allowed })
}

/// Checks all numbers of a link but those of its shapes.
pub(crate) fn body(spec: &BodySpec) -> Result<(), EngineError> {
    let link = spec.link;
    pose(link, "pose", &spec.world_from_link)?;
    twist(link, &spec.twist)?;
    // What never moves may be without mass, so the lower bounds are checked where a body is made.
    not_negative(link, "inertial.mass", spec.inertial.mass_kg)?;
    at_most(link, "inertial.mass", spec.inertial.mass_kg, &bounds::MASS_KG)?;
    pose(link, "inertial.pose", &spec.inertial.link_from_com)?;
    components(link, "inertial.moments", spec.inertial.moments, &bounds::PRODUCT)?;
    components(link, "inertial.products", spec.inertial.products, &bounds::PRODUCT)?;
    within(link, "velocity_decay.linear", spec.velocity_decay.linear, &bounds::DECAY)?;
    within(link, "velocity_decay.angular", spec.velocity_decay.angular, &bounds::DECAY)?;
    spec.colliders.iter().try_for_each(collider)
}

fn collider(spec: &ColliderSpec) -> Result<(), EngineError> {
    pose(spec.collision, "pose", &spec.link_from_collision)?;
    surface(spec.collision, &spec.surface)
}

/// Checks all numbers of a surface.
pub(crate) fn surface(collision: EntityId, surface: &Surface) -> Result<(), EngineError> {
    let (friction, bounce) = (&surface.friction, &surface.bounce);
    within(collision, "surface.friction.mu", friction.mu, &bounds::FRICTION)?;
    within(collision, "surface.bounce.restitution", bounce.restitution, &bounds::RESTITUTION)
}

fn axis(joint: EntityId, spec: &AxisSpec) -> Result<(), EngineError> {
    let (limits, dynamics) = (&spec.axis.limits, &spec.axis.dynamics);
    vector(joint, "axis.xyz", spec.axis.xyz)?;
    positive(joint, "length of axis.xyz", spec.axis.xyz.length())?;
    joint_position(joint, spec.position)?;
    joint_velocity(joint, spec.velocity)?;
    not_nan(joint, "limit.lower", limits.lower)?;
    not_nan(joint, "limit.upper", limits.upper)?;
    if limits.lower > limits.upper {
        let (field, allowed) = ("limit.lower", "no greater than limit.upper");
        return Err(EngineError::OutOfRange { entity: joint, field, value: limits.lower, allowed });
    }
    limit(joint, "limit.effort", limits.effort)?;
    limit(joint, "limit.velocity", limits.velocity)?;
    within(joint, "dynamics.damping", dynamics.damping, &bounds::GAIN)?;
    within(joint, "dynamics.friction", dynamics.friction, &bounds::GAIN)?;
    within(joint, "dynamics.spring_stiffness", dynamics.spring_stiffness, &bounds::GAIN)?;
    let reference = dynamics.spring_reference;
    within(joint, "dynamics.spring_reference", reference, &bounds::JOINT_POSITION)?;
    let Some(mimic) = &spec.axis.mimic else { return Ok(()) };
    within(joint, "mimic.multiplier", mimic.multiplier, &bounds::RATIO)?;
    within(joint, "mimic.offset", mimic.offset, &bounds::JOINT_POSITION)?;
    within(joint, "mimic.reference", mimic.reference, &bounds::JOINT_POSITION)
}

/// Refuses what is outside of a bound.
fn within(
    entity: EntityId,
    field: &'static str,
    value: f64,
    bound: &Bound,
) -> Result<(), EngineError> {
    finite(entity, field, value)?;
    if bound.contains(value) {
        return Ok(());
    }
    Err(EngineError::OutOfRange { entity, field, value, allowed: bound.words })
}

fn at_most(
    entity: EntityId,
    field: &'static str,
    value: f64,
    bound: &Bound,
) -> Result<(), EngineError> {
    if value <= bound.most {
        return Ok(());
    }
    Err(EngineError::OutOfRange { entity, field, value, allowed: bound.words })
}

/// Refuses vectors with a component outside of a bound.
fn components(
    entity: EntityId,
    field: &'static str,
    value: Vec3,
    bound: &Bound,
) -> Result<(), EngineError> {
    value.to_array().into_iter().try_for_each(|component| within(entity, field, component, bound))
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
