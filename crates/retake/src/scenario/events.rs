//! What `expect event` finds: the name of what happened, and words about it.

use prost::{Message, Name};
use retake_msgs::motion_result::State;
use retake_msgs::{EditConflict, EditSide, MotionResult};
use retake_sim::{Event, OutMessage};

/// What the server tells everybody.
pub(super) const NOTIFIED: &str = "Notified";

/// What events are called.
pub(super) const NAMES: [&str; 8] = [
    "TimeJumped",
    "Conflict",
    NOTIFIED,
    "GoalSucceeded",
    "GoalCancelled",
    "GoalAborted",
    "GoalPreempted",
    "GoalRejected",
];

/// Tells an event of the server.
pub(super) fn of_event(event: &Event) -> (&'static str, String) {
    match event {
        Event::Conflict(conflict) => {
            let side = |side: &Option<EditSide>| {
                side.as_ref().map(|s| format!("{} by {}", s.text, s.author)).unwrap_or_default()
            };
            let (won, lost) = (side(&conflict.won), side(&conflict.lost));
            let EditConflict { name, component, field, .. } = conflict.as_ref();
            ("Conflict", format!("{name} {component}.{field}: {won} over {lost}"))
        }
        Event::Notified(notification) => (NOTIFIED, notification.text.clone()),
        Event::TimeJumped(jump) => {
            let words = [&jump.cause, &jump.description, &jump.author];
            let said = words.into_iter().filter(|word| !word.is_empty()).cloned();
            ("TimeJumped", said.collect::<Vec<_>>().join(", "))
        }
    }
}

/// Tells how a goal ended, of the message that says so.
pub(super) fn of_message(message: &OutMessage) -> Option<(&'static str, String)> {
    if message.type_name != MotionResult::full_name() {
        return None;
    }
    let result = MotionResult::decode(message.bytes.as_slice()).ok()?;
    let name = match result.state() {
        State::Succeeded => "GoalSucceeded",
        State::Canceled => "GoalCancelled",
        State::Aborted => "GoalAborted",
        State::Preempted => "GoalPreempted",
        State::Rejected => "GoalRejected",
        State::Unknown => return None,
    };
    let MotionResult { motion, goal_id, error_code, error_string, .. } = result;
    Some((name, format!("{motion} {goal_id} on {}: {error_code} {error_string}", message.topic)))
}
