//! Puts a joint at a position at once.

use retake_components::{JointPosition, JointSpec, JointVelocity, Kind, path_of};
use retake_ecm::{Ecm, EntityId};
use retake_msgs::SetJointPosition;

use super::{Applied, CommandError, find, numbers};

pub(super) fn apply(ecm: &mut Ecm, command: &SetJointPosition) -> Result<Applied, CommandError> {
    let joint = find(ecm, command.joint.as_ref(), "set_joint_position.joint")?;
    let axis = axis_of(ecm, joint, command.axis, "set_joint_position.axis")?;
    let position = numbers::finite("set_joint_position.position", command.position)?;
    check_limits(ecm, joint, axis, position)?;
    if let Some(positions) = ecm.get_mut::<JointPosition>(joint) {
        positions.0[axis] = position;
    }
    if let Some(velocities) = ecm.get_mut::<JointVelocity>(joint) {
        velocities.0[axis] = 0.0;
    }
    let description = format!("Set joint {}", path_of(ecm, joint));
    Ok(Applied { description, entities: vec![joint] })
}

/// Checks that `joint` is a joint with this axis.
pub(super) fn axis_of(
    ecm: &Ecm,
    joint: EntityId,
    axis: u32,
    field: &'static str,
) -> Result<usize, CommandError> {
    let Some(spec) = ecm.get::<JointSpec>(joint) else {
        let kind = ecm.get::<Kind>(joint).map(ToString::to_string).unwrap_or_default();
        let name = path_of(ecm, joint);
        return Err(CommandError::WrongKind { name, kind, expected: "name a joint" });
    };
    match axis as usize {
        axis if axis < spec.axes.len() => Ok(axis),
        _ => Err(CommandError::BadNumber {
            field,
            value: f64::from(axis),
            expected: format!("the joint has {} axes, counted from 0", spec.axes.len()),
        }),
    }
}

pub(super) fn check_limits(
    ecm: &Ecm,
    joint: EntityId,
    axis: usize,
    position: f64,
) -> Result<(), CommandError> {
    let Some(limits) = ecm.get::<JointSpec>(joint).map(|spec| spec.axes[axis].limits) else {
        return Ok(());
    };
    if (limits.lower..=limits.upper).contains(&position) {
        return Ok(());
    }
    let expected = format!("the joint's limits are {} to {}", limits.lower, limits.upper);
    Err(CommandError::BadNumber { field: "set_joint_position.position", value: position, expected })
}
