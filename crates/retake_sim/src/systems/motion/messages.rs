//! Goals in messages, and messages to players.

use retake_ecm::{Ecm, EntityId};
use retake_motion::player::{Order, Owner};
use retake_motion::{Goal, GoalPoint, Interpolation, JointTolerance, TextCommand, TimedAction};
use retake_msgs::{
    FollowJointTrajectoryWithActions, JointPose, JointTrajectory, JointTrajectoryPoint,
    MotionKeepAlive, TextCommandStamped,
};

use super::components::MotionPlayer;
use super::operate::operate;
use crate::systems::message;

/// Reads a goal.
///
/// # Errors
/// What is wrong with it, beyond what players check.
pub(crate) fn goal_of_message(message: &FollowJointTrajectoryWithActions) -> Result<Goal, String> {
    let trajectory = message.trajectory.clone().unwrap_or_default();
    let interpolation = match message.interpolation.as_str() {
        "" => Interpolation::Hermite,
        word => Interpolation::from_word(word).ok_or_else(|| {
            let known: Vec<&str> = Interpolation::ALL.iter().map(|(_, word)| *word).collect();
            format!("interpolation is {word:?}; write one of {}", known.join(", "))
        })?,
    };
    let stamp = trajectory.stamp.map(|time| time.sec as f64 + f64::from(time.nsec) / 1e9);
    let point = |point: &JointTrajectoryPoint| GoalPoint {
        time_secs: point.time_from_start,
        positions: point.positions.clone(),
        velocities: point.velocities.clone(),
        accelerations: point.accelerations.clone(),
        effort: point.effort.clone(),
    };
    let action = |stamped: &TextCommandStamped| {
        let command = stamped.command.clone().unwrap_or_default();
        TimedAction {
            time_secs: stamped.time_from_start,
            command: TextCommand {
                kind: command.r#type,
                command: command.command,
                options: command.options,
            },
        }
    };
    let mut actions: Vec<TimedAction> = message.actions.iter().map(action).collect();
    actions.sort_by(|a, b| a.time_secs.total_cmp(&b.time_secs));
    Ok(Goal {
        name: message.name.clone(),
        stamp_secs: stamp.filter(|stamp| *stamp != 0.0),
        joints: trajectory.joint_names,
        points: trajectory.points.iter().map(point).collect(),
        interpolation,
        path_tolerance: tolerances(&message.path_tolerance),
        goal_tolerance: tolerances(&message.goal_tolerance),
        goal_time_tolerance_secs: message.goal_time_tolerance,
        actions,
        repeat: message.repeat,
    })
}

fn tolerances(list: &[retake_msgs::JointTolerance]) -> Vec<JointTolerance> {
    let read = |tolerance: &retake_msgs::JointTolerance| JointTolerance {
        name: tolerance.name.clone(),
        position: tolerance.position,
        velocity: tolerance.velocity,
        acceleration: tolerance.acceleration,
    };
    list.iter().map(read).collect()
}

/// Writes a goal.
pub fn message_of_goal(goal: &Goal) -> FollowJointTrajectoryWithActions {
    let point = |point: &GoalPoint| JointTrajectoryPoint {
        positions: point.positions.clone(),
        velocities: point.velocities.clone(),
        accelerations: point.accelerations.clone(),
        effort: point.effort.clone(),
        time_from_start: point.time_secs,
    };
    let tolerances = |list: &[JointTolerance]| {
        let write = |tolerance: &JointTolerance| retake_msgs::JointTolerance {
            name: tolerance.name.clone(),
            position: tolerance.position,
            velocity: tolerance.velocity,
            acceleration: tolerance.acceleration,
        };
        list.iter().map(write).collect()
    };
    let action = |action: &TimedAction| TextCommandStamped {
        time_from_start: action.time_secs,
        command: Some(text_command(&action.command)),
    };
    FollowJointTrajectoryWithActions {
        trajectory: Some(JointTrajectory {
            stamp: goal.stamp_secs.map(|secs| retake_math::SimTime::from_secs_f64(secs).into()),
            joint_names: goal.joints.clone(),
            points: goal.points.iter().map(point).collect(),
        }),
        path_tolerance: tolerances(&goal.path_tolerance),
        goal_tolerance: tolerances(&goal.goal_tolerance),
        goal_time_tolerance: goal.goal_time_tolerance_secs,
        actions: goal.actions.iter().map(action).collect(),
        interpolation: goal.interpolation.word().to_owned(),
        name: goal.name.clone(),
        repeat: goal.repeat,
    }
}

pub(super) fn text_command(command: &TextCommand) -> retake_msgs::TextCommand {
    retake_msgs::TextCommand {
        r#type: command.kind.clone(),
        command: command.command.clone(),
        options: command.options.clone(),
    }
}

/// Lets a robot follow the joint states of others.
pub(super) fn follow(
    ecm: &mut Ecm,
    model: EntityId,
    plugin: EntityId,
    bytes: &[u8],
) -> Result<(), String> {
    let pose: JointPose = message::decode(bytes)?;
    if pose.name.len() != pose.position.len() {
        let (names, positions) = (pose.name.len(), pose.position.len());
        return Err(format!("it has {names} names and {positions} positions"));
    }
    let Some(player) = ecm.get::<MotionPlayer>(plugin).cloned() else { return Ok(()) };
    let order = Order {
        goal_id: format!("follow-{}", plugin.raw()),
        player: plugin.raw(),
        rules: player.rules,
        goal: Goal::default(),
        nested: Vec::new(),
        keep_alive_secs: 0.0,
    };
    let pairs: Vec<(&str, f64)> =
        pose.name.iter().map(String::as_str).zip(pose.position.iter().copied()).collect();
    let done = operate(ecm, model, |cycle| {
        // Others publish all that they have, grippers and fixed joints too; what can be moved counts.
        let can_move = |name: &str| {
            let drive = cycle.robot.find(name).map(|joint| &cycle.progress.drives[joint]);
            drive.is_some_and(|drive| drive.owner != Owner::Limp)
        };
        let known = pairs.iter().filter(|(name, _)| can_move(name));
        let known: Vec<(&str, f64)> = known.copied().collect();
        cycle.follow(&order, if known.is_empty() { &pairs } else { &known })
    });
    done.unwrap_or(Ok(())).map_err(|refusal| refusal.text)
}

/// Notes that the sender of a goal is there.
pub(super) fn keep_alive(ecm: &mut Ecm, model: EntityId, bytes: &[u8]) -> Result<(), String> {
    let message: MotionKeepAlive = message::decode(bytes)?;
    operate(ecm, model, |cycle| cycle.keep_alive(&message.goal_id));
    Ok(())
}
