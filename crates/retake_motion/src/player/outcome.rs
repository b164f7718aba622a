//! How goals ended.

use serde::{Deserialize, Serialize};

use crate::ErrorCode;

/// How a goal ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// When, in nanoseconds of simulated time.
    pub at_nanos: i64,
    /// Which goal.
    pub goal_id: String,
    /// What it was called.
    pub motion: String,
    /// The player that had it.
    pub player: u64,
    /// In a word.
    pub end: End,
    /// For programs.
    pub code: ErrorCode,
    /// For people.
    pub text: String,
}

/// How a goal ended, in a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// All was done.
    Succeeded,
    /// Somebody cancelled it.
    Canceled,
    /// The player gave up.
    Aborted,
    /// Another goal took its joints.
    Preempted,
}

impl End {
    /// Returns the word for people.
    pub fn word(self) -> &'static str {
        match self {
            Self::Succeeded => "succeeded",
            Self::Canceled => "cancelled",
            Self::Aborted => "aborted",
            Self::Preempted => "preempted",
        }
    }
}
