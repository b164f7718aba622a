//! Switches servos on or off.

use retake_components::{AxisCommand, JointCommand, JointPosition, Kind, path_of};
use retake_ecm::{Ecm, EntityId};
use retake_motion::curve::Sample;
use retake_msgs::SetTorque;

use super::{Applied, CommandError};
use crate::systems::UserDriven;
use crate::systems::motion::{PlayerDriven, TorqueOff, aim_controllers, hand_over, with_joints};

pub(super) fn apply(ecm: &mut Ecm, command: &SetTorque) -> Result<Applied, CommandError> {
    let model = retake_components::resolve(ecm, &command.robot)?;
    if ecm.get::<Kind>(model) != Some(&Kind::Model) {
        let kind = ecm.get::<Kind>(model).map(ToString::to_string).unwrap_or_default();
        let (name, expected) = (path_of(ecm, model), "name a model");
        return Err(CommandError::WrongKind { name, kind, expected });
    }
    let joints = joints(ecm, model, &command.joint)?;
    // Those that are switched already stay as they are.
    let joints: Vec<EntityId> = joints
        .into_iter()
        .filter(|joint| ecm.get::<TorqueOff>(*joint).is_none() != command.on)
        .collect();
    match command.on {
        true => switch_on(ecm, &joints),
        false => switch_off(ecm, &joints)?,
    }
    let which = match command.joint.as_slice() {
        [] => path_of(ecm, model),
        [one] => format!("{one} of {}", path_of(ecm, model)),
        several => format!("{} joints of {}", several.len(), path_of(ecm, model)),
    };
    let state = if command.on { "on" } else { "off" };
    Ok(Applied { description: format!("Torque {state}: {which}"), entities: joints })
}

/// Finds the joints that are named; all that have an axis when none is.
fn joints(ecm: &Ecm, model: EntityId, names: &[String]) -> Result<Vec<EntityId>, CommandError> {
    let scope = path_of(ecm, model);
    if !names.is_empty() {
        let find = |name: &String| {
            let joint = retake_components::resolve(ecm, &format!("{scope}::{name}"))?;
            super::set_joint_position::axis_of(ecm, joint, 0, "set_torque.joint")?;
            Ok(joint)
        };
        return names.iter().map(find).collect();
    }
    let has_axis = |joint: &EntityId| {
        ecm.get::<JointCommand>(*joint).is_some_and(|commands| !commands.0.is_empty())
    };
    Ok(ecm.with_descendants(model).into_iter().filter(has_axis).collect())
}

fn switch_off(ecm: &mut Ecm, joints: &[EntityId]) -> Result<(), CommandError> {
    with_joints(ecm, joints, |cycle, places| cycle.torque_off(places));
    for &joint in joints {
        ecm.set(joint, TorqueOff)?;
        // Nobody has a limp joint in hand.
        ecm.remove::<UserDriven>(joint);
        if let Some(commands) = ecm.get_mut::<JointCommand>(joint) {
            commands.0.fill(AxisCommand::Free);
        }
    }
    Ok(())
}

/// Joints hold where they are, whoever drives them: nothing jumps.
fn switch_on(ecm: &mut Ecm, joints: &[EntityId]) {
    for &joint in joints {
        ecm.remove::<TorqueOff>(joint);
    }
    with_joints(ecm, joints, |cycle, places| cycle.torque_on(places));
    for &joint in joints {
        let position = ecm.get::<JointPosition>(joint).and_then(|all| all.0.first().copied());
        let position = position.unwrap_or_default();
        match ecm.get::<PlayerDriven>(joint) {
            Some(_) => aim_controllers(ecm, joint, position),
            None => {
                hand_over(ecm, joint, Sample { position, velocity: 0.0, acceleration: 0.0 });
            }
        }
    }
}
