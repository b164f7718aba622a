//! Gives a joint something to do until told otherwise.

use retake_components::{AxisCommand, JointCommand, path_of};
use retake_ecm::{Ecm, EntityId};
use retake_msgs::CommandJoint;
use retake_msgs::command_joint::Command;

use super::set_joint_position::axis_of;
use super::{Applied, CommandError, find, numbers};
use crate::systems::joint_position_controller::JointPositionTarget;
use crate::systems::joint_wave::JointWaveState;

/// Gains of a position command when none were given before.
const STIFFNESS: f64 = 1000.0;
const DAMPING: f64 = 100.0;

pub(super) fn apply(ecm: &mut Ecm, command: &CommandJoint) -> Result<Applied, CommandError> {
    let joint = find(ecm, command.joint.as_ref(), "command_joint.joint")?;
    let axis = axis_of(ecm, joint, command.axis, "command_joint.axis")?;
    let what = command.command.ok_or(CommandError::Missing { field: "command_joint.command" })?;
    let new = axis_command(ecm, joint, axis, (command, what))?;
    let own_gains = command.stiffness.is_some() || command.damping.is_some();
    let taken_over = match what {
        Command::Position(target) if !own_gains => retarget_controllers(ecm, joint, target),
        _ => false,
    };
    if !taken_over {
        switch_controllers_off(ecm, joint);
        if let Some(commands) = ecm.get_mut::<JointCommand>(joint) {
            commands.0[axis] = new;
        }
    }
    let verb = if matches!(what, Command::Release(_)) { "Release" } else { "Command" };
    let description = format!("{verb} joint {}", path_of(ecm, joint));
    Ok(Applied { description, entities: vec![joint] })
}

fn axis_command(
    ecm: &Ecm,
    joint: EntityId,
    axis: usize,
    (command, what): (&CommandJoint, Command),
) -> Result<AxisCommand, CommandError> {
    let max_effort = command.max_effort.unwrap_or(f64::INFINITY);
    let new = match what {
        Command::Position(target) => {
            let old = ecm.get::<JointCommand>(joint).and_then(|commands| commands.0.get(axis));
            let (stiffness, damping) = match old {
                Some(AxisCommand::Position { stiffness, damping, .. }) => (*stiffness, *damping),
                _ => (STIFFNESS, DAMPING),
            };
            AxisCommand::Position {
                target: numbers::finite("command_joint.position", target)?,
                stiffness: command.stiffness.unwrap_or(stiffness),
                damping: command.damping.unwrap_or(damping),
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
        Command::Release(_) => AxisCommand::Free,
    };
    match new.is_valid() {
        true => Ok(new),
        false => Err(CommandError::BadNumber {
            field: "command_joint",
            value: f64::NAN,
            expected: "gains and efforts must be numbers that are not negative".to_owned(),
        }),
    }
}

/// Sets the target of controllers of this joint; says whether there were any.
fn retarget_controllers(ecm: &mut Ecm, joint: EntityId, target: f64) -> bool {
    let controllers = controllers_of(ecm, joint);
    for plugin in &controllers {
        if let Some(state) = ecm.get_mut::<JointPositionTarget>(*plugin) {
            state.target = target;
            state.enabled = true;
        }
    }
    switch_waves_off(ecm, joint);
    !controllers.is_empty()
}

/// A user's command counts more than a controller's: it is switched off until it gets a target.
fn switch_controllers_off(ecm: &mut Ecm, joint: EntityId) {
    for plugin in controllers_of(ecm, joint) {
        if let Some(state) = ecm.get_mut::<JointPositionTarget>(plugin) {
            state.enabled = false;
        }
    }
    switch_waves_off(ecm, joint);
}

fn switch_waves_off(ecm: &mut Ecm, joint: EntityId) {
    let waves = ecm.iter::<JointWaveState>().filter(|(_, wave)| wave.joint == joint);
    let plugins: Vec<EntityId> = waves.map(|(plugin, _)| plugin).collect();
    for plugin in plugins {
        if let Some(wave) = ecm.get_mut::<JointWaveState>(plugin) {
            wave.enabled = false;
        }
    }
}

fn controllers_of(ecm: &Ecm, joint: EntityId) -> Vec<EntityId> {
    let controllers = ecm.iter::<JointPositionTarget>();
    controllers
        .filter(|(_, state)| state.joints.contains(&joint))
        .map(|(plugin, _)| plugin)
        .collect()
}
