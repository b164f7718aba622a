//! Finding and commanding joints.

use retake_components::{AxisCommand, JointCommand, JointSpec, Kind, path_of};
use retake_ecm::{Ecm, EntityId};

use super::UserDriven;
use crate::system::SystemError;

/// Finds a joint below `holder` by its name, which may be scoped by `::`.
pub(crate) fn find_joint(ecm: &Ecm, holder: EntityId, name: &str) -> Result<EntityId, SystemError> {
    let scope = path_of(ecm, holder);
    let is_joint = |entity: &EntityId| ecm.get::<Kind>(*entity) == Some(&Kind::Joint);
    let exact = retake_components::find(ecm, &format!("{scope}::{name}")).filter(is_joint);
    exact.ok_or_else(|| SystemError::MissingEntity { kind: "joint", name: name.to_owned() })
}

/// Finds the axis of a joint that a controller is to command.
pub(crate) fn check_axis(ecm: &Ecm, joint: EntityId, axis: usize) -> Result<(), SystemError> {
    let count = ecm.get::<JointSpec>(joint).map_or(0, |spec| spec.axes.len());
    if axis < count {
        return Ok(());
    }
    Err(SystemError::BadParameter {
        parameter: "joint_index".to_owned(),
        text: axis.to_string(),
        expected: "the number of an axis that the joint has, from 0",
    })
}

/// Tells an axis what to do, unless a user has the joint in hand; a joint that is gone is an error.
pub(crate) fn command_axis(
    ecm: &mut Ecm,
    joint: EntityId,
    axis: usize,
    command: AxisCommand,
) -> Result<(), SystemError> {
    if ecm.get::<UserDriven>(joint).is_some() {
        return Ok(());
    }
    write_command(ecm, joint, axis, command)
}

/// Tells an axis what to do, whoever has the joint; a joint that is gone is an error.
pub(crate) fn write_command(
    ecm: &mut Ecm,
    joint: EntityId,
    axis: usize,
    command: AxisCommand,
) -> Result<(), SystemError> {
    let gone = || SystemError::MissingEntity { kind: "joint", name: joint.to_string() };
    let current = ecm.get::<JointCommand>(joint).ok_or_else(gone)?;
    match current.0.get(axis) {
        Some(old) if *old == command => Ok(()),
        Some(_) => {
            if let Some(commands) = ecm.get_mut::<JointCommand>(joint) {
                commands.0[axis] = command;
            }
            Ok(())
        }
        None => Err(gone()),
    }
}
