//! What every client should hear of.

use retake_msgs::{EditConflict, Notification, TimeJumped};

/// Something that happened; unlike states, events are never dropped.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// A word to the user.
    Notified(Notification),
    /// The world went to another time than the next step.
    TimeJumped(TimeJumped),
    /// Two clients gave one field different values.
    Conflict(Box<EditConflict>),
}
