//! Drafts and edits as messages.

use retake_motion::edit::{Edit, ListAction, ListJoint, ListPoint, Pasted, WaypointsList};
use retake_motion::{Interpolation, TextCommand, Tolerance};
use retake_msgs::draft_edit::Edit as Said;
use retake_msgs::{
    DraftEdit, PasteWaypoints, SetDraftTolerance, TaughtAction, TaughtJoint, TaughtMotion,
    TaughtPoint,
};

use super::robot::SeenRobot;

/// Reads what a page wants to be changed; none of it has been checked against the draft.
pub(super) fn edit_of(said: DraftEdit, robot: Option<&SeenRobot<'_>>) -> Result<Edit, String> {
    let said = said.edit.ok_or("The edit is empty")?;
    Ok(match said {
        Said::Name(name) => Edit::SetName(name),
        Said::Description(text) => Edit::SetDescription(text),
        Said::Interpolation(word) => Edit::SetInterpolation(interpolation(&word)?),
        Said::GoalTime(time) => Edit::SetGoalTime(time.secs),
        Said::Tolerance(set) => tolerance(set),
        Said::Mute(mute) => Edit::Mute { joint: mute.joint, muted: mute.muted },
        Said::AddJoint(joint) => {
            let robot = robot.ok_or("The robot is not there")?;
            let position = robot.position(&joint).ok_or_else(|| robot.no_joint(&joint))?;
            Edit::AddJoint { joint, position }
        }
        Said::RemoveJoint(joint) => Edit::RemoveJoint(joint),
        Said::Time(set) => Edit::SetTime { id: set.id, time_secs: set.time },
        Said::Position(set) => {
            Edit::SetPosition { id: set.id, joint: set.joint, position: set.position }
        }
        Said::Enabled(set) => Edit::SetEnabled { id: set.id, enabled: set.enabled },
        Said::Note(set) => Edit::SetNote { id: set.id, note: set.note },
        Said::DeleteWaypoints(items) => Edit::DeletePoints(items.id),
        Said::MoveWaypoints(items) => Edit::MovePoints { ids: items.id, by_secs: items.by },
        Said::MarkStart(id) => Edit::MarkStart(id),
        Said::MarkEnd(id) => Edit::MarkEnd(id),
        Said::ScaleSpeed(factor) => Edit::ScaleSpeed(factor),
        Said::Reverse(_) => Edit::Reverse,
        Said::Paste(paste) => pasted(paste),
        Said::AddAction(action) => {
            Edit::AddAction { time_secs: action.time, command: command_of(action.command) }
        }
        Said::SetAction(action) => Edit::SetAction {
            id: action.id,
            time_secs: action.time,
            command: command_of(action.command),
        },
        Said::DeleteActions(items) => Edit::DeleteActions(items.id),
        Said::Limits(limits) => Edit::SetLimits {
            max_velocity: limits.max_velocity,
            max_acceleration: limits.max_acceleration,
        },
    })
}

fn interpolation(word: &str) -> Result<Interpolation, String> {
    let known = Interpolation::ALL.map(|(_, word)| word).join(", ");
    let none = || format!("There is no interpolation {word:?}. Known: {known}");
    Interpolation::from_word(word).ok_or_else(none)
}

fn tolerance(set: SetDraftTolerance) -> Edit {
    let joint = (!set.joint.is_empty()).then_some(set.joint);
    Edit::SetTolerance { joint, tolerance: Tolerance { path: set.path, goal: set.goal } }
}

fn pasted(paste: PasteWaypoints) -> Edit {
    let points = paste.waypoint.into_iter().map(|point| Pasted {
        time_secs: point.time,
        positions: point.position,
        velocities: point.velocity,
        accelerations: point.acceleration,
        enabled: point.enabled,
        note: point.note,
    });
    Edit::Paste { joints: paste.joint, points: points.collect(), at_secs: paste.at }
}

fn command_of(command: Option<retake_msgs::TextCommand>) -> TextCommand {
    let command = command.unwrap_or_default();
    TextCommand { kind: command.r#type, command: command.command, options: command.options }
}

/// Tells a draft; what only the robot knows of its joints is filled in when it is there.
pub(super) fn taught_motion(list: &WaypointsList, robot: Option<&SeenRobot<'_>>) -> TaughtMotion {
    TaughtMotion {
        name: list.name().to_owned(),
        description: list.description().to_owned(),
        interpolation: list.interpolation().word().to_owned(),
        goal_time_tolerance: list.goal_time_tolerance_secs(),
        joint: list.joints().iter().map(|joint| taught_joint(joint, robot)).collect(),
        waypoint: list.points().iter().map(taught_point).collect(),
        action: list.actions().iter().map(taught_action).collect(),
        start: list.start().unwrap_or_default(),
        end: list.end().unwrap_or_default(),
        max_velocity: list.max_velocity(),
        max_acceleration: list.max_acceleration(),
    }
}

fn taught_joint(joint: &ListJoint, robot: Option<&SeenRobot<'_>>) -> TaughtJoint {
    let facts = robot.and_then(|robot| robot.joint(&joint.name));
    let limits = facts.as_ref().map(|facts| facts.limits).unwrap_or_default();
    TaughtJoint {
        name: joint.name.clone(),
        path_tolerance: joint.tolerance.path,
        goal_tolerance: joint.tolerance.goal,
        muted: joint.muted,
        lower: limits.lower,
        upper: limits.upper,
        max_velocity: limits.velocity,
        continuous: facts.as_ref().is_some_and(|facts| facts.continuous),
        unit: facts.as_ref().map_or("rad", |facts| facts.unit).to_owned(),
        known: facts.is_some() || retake_motion::is_support(&joint.name),
    }
}

fn taught_point(point: &ListPoint) -> TaughtPoint {
    TaughtPoint {
        id: point.id,
        time: point.time_secs,
        position: point.positions.clone(),
        enabled: point.enabled,
        note: point.note.clone(),
        velocity: point.velocities.clone(),
        acceleration: point.accelerations.clone(),
    }
}

fn taught_action(action: &ListAction) -> TaughtAction {
    TaughtAction {
        id: action.id,
        time: action.time_secs,
        command: Some(retake_msgs::TextCommand {
            r#type: action.command.kind.clone(),
            command: action.command.command.clone(),
            options: action.command.options.clone(),
        }),
    }
}
