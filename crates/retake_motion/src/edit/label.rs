//! Edits in a few words, for lists of what can be undone.

use super::error::short;
use super::{Edit, WaypointsList};

impl Edit {
    /// Returns what it does to `list`, as it is before, in a few words.
    pub fn label(&self, list: &WaypointsList) -> String {
        let number = |id: u64| match list.number(id) {
            Some(number) => format!("waypoint {number}"),
            None => "a waypoint".to_owned(),
        };
        let points = |ids: &[u64]| match ids {
            [id] => number(*id),
            _ => format!("{} waypoints", ids.len()),
        };
        let actions = |count: usize| match count {
            1 => "text action".to_owned(),
            _ => format!("{count} text actions"),
        };
        match self {
            Self::SetName(name) => format!("Name {}", words(name)),
            Self::SetDescription(_) => "Describe".to_owned(),
            Self::SetInterpolation(way) => format!("Interpolate {}", way.word()),
            Self::SetGoalTime(_) => "Set goal time tolerance".to_owned(),
            Self::SetTolerance { joint: Some(joint), .. } => {
                format!("Set tolerance of {}", words(joint))
            }
            Self::SetTolerance { joint: None, .. } => "Set all tolerances".to_owned(),
            Self::Mute { joint, muted: true } => format!("Mute {}", words(joint)),
            Self::Mute { joint, muted: false } => format!("Unmute {}", words(joint)),
            Self::AddJoint { joint, .. } => format!("Add joint {}", words(joint)),
            Self::RemoveJoint(joint) => format!("Remove joint {}", words(joint)),
            Self::AddPoint { .. } => "Add waypoint".to_owned(),
            Self::SetPose { id, .. } => format!("Set pose of {}", number(*id)),
            Self::SetTime { id, time_secs } => {
                format!("Move {} to {}", number(*id), secs(*time_secs))
            }
            Self::SetPosition { id, joint, .. } => {
                format!("Set {} at {}", words(joint), number(*id))
            }
            Self::SetEnabled { id, enabled: true } => format!("Switch {} on", number(*id)),
            Self::SetEnabled { id, enabled: false } => format!("Switch {} off", number(*id)),
            Self::SetNote { id, .. } => format!("Note at {}", number(*id)),
            Self::DeletePoints(ids) => format!("Delete {}", points(ids)),
            Self::MovePoints { ids, by_secs } => {
                format!("Move {} by {}", points(ids), secs(*by_secs))
            }
            Self::MarkStart(id) => format!("Start at {}", number(*id)),
            Self::MarkEnd(id) => format!("End at {}", number(*id)),
            Self::ScaleSpeed(factor) => format!("Change speed to {} times", short(*factor)),
            Self::Reverse => "Reverse".to_owned(),
            Self::Paste { points, .. } => match points.len() {
                1 => "Paste waypoint".to_owned(),
                count => format!("Paste {count} waypoints"),
            },
            Self::Mirror { ids, .. } if ids.is_empty() => "Mirror".to_owned(),
            Self::Mirror { ids, .. } => format!("Mirror {}", points(ids)),
            Self::SetTimes(_) => "Change times".to_owned(),
            Self::AppendPoints(path) => format!("Add recorded path of {} waypoints", path.len()),
            Self::AddAction { .. } => format!("Add {}", actions(1)),
            Self::SetAction { .. } => format!("Change {}", actions(1)),
            Self::DeleteActions(ids) => format!("Delete {}", actions(ids.len())),
            Self::SetLimits { .. } => "Set limits".to_owned(),
        }
    }
}

fn words(text: &str) -> String {
    super::check::shortened(text)
}

fn secs(time_secs: f64) -> String {
    format!("{} s", short((time_secs * 1e3).round() / 1e3))
}
