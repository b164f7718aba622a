//! Gives a joint something to do until told otherwise.

use retake_components::{AxisCommand, JointCommand, path_of};
use retake_ecm::{Ecm, EntityId};
use retake_msgs::CommandJoint;
use retake_msgs::command_joint::Command;

use super::set_joint_position::axis_of;
use super::{Applied, CommandError, find, numbers};
use crate::systems::UserDriven;
use crate::systems::joint_position_controller::JointPositionTarget;
use crate::systems::motion::{TorqueOff, rejoin};

/// Gains of a position command when none were given before.
const STIFFNESS: f64 = 1000.0;
const DAMPING: f64 = 100.0;
/// Greatest effort that can be asked for, in N m or N: far beyond any motor.
const MOST_EFFORT: f64 = 1e12;
/// Greatest stiffness in N m/rad or N/m, and damping in N m s/rad or N s/m.
const MOST_GAIN: f64 = 1e15;

pub(super) fn apply(ecm: &mut Ecm, command: &CommandJoint) -> Result<Applied, CommandError> {
    let joint = find(ecm, command.joint.as_ref(), "command_joint.joint")?;
    let axis = axis_of(ecm, joint, command.axis, "command_joint.axis")?;
    if ecm.get::<TorqueOff>(joint).is_some() {
        return Err(CommandError::Limp { joint: path_of(ecm, joint) });
    }
    let what = command.command.ok_or(CommandError::Missing { field: "command_joint.command" })?;
    let new = axis_command(ecm, joint, axis, (command, what))?;
    let own_gains =
        command.stiffness.is_some() || command.damping.is_some() || command.max_effort.is_some();
    let target = match what {
        Command::Position(target) if !own_gains => Some(target),
        _ => None,
    };
    let by_controller = hand_to_controllers(ecm, (joint, axis), target);
    if let Some(commands) = ecm.get_mut::<JointCommand>(joint).filter(|_| !by_controller) {
        commands.0[axis] = new;
    }
    match what {
        Command::Resume(_) => {
            ecm.remove::<UserDriven>(joint);
            rejoin(ecm, joint);
        }
        _ => ecm.set(joint, UserDriven)?,
    }
    let verb = match what {
        Command::Release(_) => "Release",
        Command::Resume(_) => "Give back",
        _ => "Command",
    };
    let description = format!("{verb} joint {}", path_of(ecm, joint));
    Ok(Applied { description, entities: vec![joint] })
}

fn axis_command(
    ecm: &Ecm,
    joint: EntityId,
    axis: usize,
    (command, what): (&CommandJoint, Command),
) -> Result<AxisCommand, CommandError> {
    let max_effort = match command.max_effort {
        Some(given) => numbers::up_to("command_joint.max_effort", given, MOST_EFFORT)?,
        None => f64::INFINITY,
    };
    let gain = |field, given: Option<f64>, old: f64| match given {
        Some(given) => numbers::up_to(field, given, MOST_GAIN),
        None => Ok(old),
    };
    Ok(match what {
        Command::Position(target) => {
            let old = ecm.get::<JointCommand>(joint).and_then(|commands| commands.0.get(axis));
            let (stiffness, damping) = match old {
                Some(AxisCommand::Position { stiffness, damping, .. }) => (*stiffness, *damping),
                _ => (STIFFNESS, DAMPING),
            };
            AxisCommand::Position {
                target: numbers::finite("command_joint.position", target)?,
                stiffness: gain("command_joint.stiffness", command.stiffness, stiffness)?,
                damping: gain("command_joint.damping", command.damping, damping)?,
                max_effort,
            }
        }
        Command::Velocity(target) => {
            let target = numbers::finite("command_joint.velocity", target)?;
            AxisCommand::Velocity { target, max_effort }
        }
        Command::Effort(effort) => {
            AxisCommand::Effort { effort: numbers::finite("command_joint.effort", effort)? }
        }
        Command::Release(_) | Command::Resume(_) => AxisCommand::Free,
    })
}

/// Lets the controllers of this axis go to the user's target, with their own gains; without a
/// target they are not the user's any more. Says whether a controller took it.
fn hand_to_controllers(
    ecm: &mut Ecm,
    (joint, axis): (EntityId, usize),
    target: Option<f64>,
) -> bool {
    let controls = |state: &JointPositionTarget| {
        state.axis == axis && state.joints.iter().any(|controlled| controlled.joint == joint)
    };
    let controllers = ecm.iter::<JointPositionTarget>().filter(|(_, state)| controls(state));
    let plugins: Vec<EntityId> = controllers.map(|(plugin, _)| plugin).collect();
    for plugin in &plugins {
        let Some(state) = ecm.get_mut::<JointPositionTarget>(*plugin) else { continue };
        for controlled in state.joints.iter_mut().filter(|controlled| controlled.joint == joint) {
            controlled.target = target.unwrap_or(controlled.target);
            controlled.for_user = target.is_some();
        }
    }
    target.is_some() && !plugins.is_empty()
}
