//! Finding and commanding joints.

use retake_components::{AxisCommand, JointCommand, JointSpec, Kind, path_of, world_entity};
use retake_ecm::{Ecm, EntityId};

use super::UserDriven;
use super::motion::{PlayerDriven, TorqueOff};
use crate::system::SystemError;

/// Finds a joint below `holder` by its name, which may be scoped by `::`.
pub(crate) fn find_joint(ecm: &Ecm, holder: EntityId, name: &str) -> Result<EntityId, SystemError> {
    let scope = path_of(ecm, holder);
    let is_joint = |entity: &EntityId| ecm.get::<Kind>(*entity) == Some(&Kind::Joint);
    let exact = retake_components::find(ecm, &format!("{scope}::{name}")).filter(is_joint);
    exact.ok_or_else(|| SystemError::MissingJoint { joint: name.to_owned(), holder: scope })
}

/// Finds the axis of a joint that a controller is to command.
pub(crate) fn check_axis(ecm: &Ecm, joint: EntityId, axis: usize) -> Result<(), SystemError> {
    let count = ecm.get::<JointSpec>(joint).map_or(0, |spec| spec.axes.len());
    if axis < count {
        return Ok(());
    }
    Err(SystemError::MissingAxis { joint: path_of(ecm, joint), axis, count })
}

/// Leaves an axis free, unless a user has the joint in hand or it is gone.
pub(crate) fn release_axis(ecm: &mut Ecm, joint: EntityId, axis: usize) {
    // Nobody is left to tell: what was to be let go of is not there any more.
    command_axis(ecm, joint, axis, AxisCommand::Free).ok();
}

/// Tells an axis what to do, unless a user or a player has the joint; a joint that is gone is an
/// error.
pub(crate) fn command_axis(
    ecm: &mut Ecm,
    joint: EntityId,
    axis: usize,
    command: AxisCommand,
) -> Result<(), SystemError> {
    if ecm.get::<UserDriven>(joint).is_some() || ecm.get::<PlayerDriven>(joint).is_some() {
        return Ok(());
    }
    write_command(ecm, joint, axis, command)
}

/// Tells an axis what to do, whoever has the joint; a joint that is gone is an error. One whose
/// torque is off stays limp.
pub(crate) fn write_command(
    ecm: &mut Ecm,
    joint: EntityId,
    axis: usize,
    command: AxisCommand,
) -> Result<(), SystemError> {
    let limp = ecm.get::<TorqueOff>(joint).is_some();
    let command = if limp { AxisCommand::Free } else { command };
    let current = ecm.get::<JointCommand>(joint).ok_or_else(|| gone(ecm, joint))?;
    match current.0.get(axis) {
        Some(old) if *old == command => Ok(()),
        Some(_) => {
            if let Some(commands) = ecm.get_mut::<JointCommand>(joint) {
                commands.0[axis] = command;
            }
            Ok(())
        }
        None => Err(SystemError::MissingAxis {
            joint: path_of(ecm, joint),
            axis,
            count: current.0.len(),
        }),
    }
}

/// Tells that a joint went away while its system acted.
pub(crate) fn gone(ecm: &Ecm, joint: EntityId) -> SystemError {
    let holder = world_entity(ecm).map(|world| path_of(ecm, world)).unwrap_or_default();
    SystemError::MissingJoint { joint: joint.to_string(), holder }
}
