//! What can be undone and redone: the commands of users, each with the state before it.
//!
//! `list.rs` are the two lists over any kind of state, `keeper.rs` fills them with keyframes and
//! keeps them within their bounds. Steps, systems and physics never make entries.

mod keeper;
mod list;

use retake_msgs::UndoSettings;
use thiserror::Error;

pub(crate) use keeper::{Keeper, TimeTravel};

/// How much of the past is kept for undo.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UndoLimits {
    /// Whether anything is kept.
    pub enabled: bool,
    /// Most commands, 1 to 10,000; the oldest are dropped first.
    pub max_steps: u32,
    /// Most bytes of the kept states, 1 MiB at least; the oldest are dropped first.
    pub max_bytes: u64,
}

impl UndoLimits {
    /// Most commands that can be asked for.
    pub const MOST_STEPS: u32 = 10_000;
    /// Fewest bytes that can be asked for.
    pub const LEAST_BYTES: u64 = 1024 * 1024;

    /// Returns the limits after a change by the user.
    ///
    /// # Errors
    /// [`UndoLimitError`] says what is allowed.
    pub fn changed(self, change: &UndoSettings) -> Result<Self, UndoLimitError> {
        let new = Self {
            enabled: change.enabled.unwrap_or(self.enabled),
            max_steps: change.max_steps.unwrap_or(self.max_steps),
            max_bytes: change.max_bytes.unwrap_or(self.max_bytes),
        };
        if !(1..=Self::MOST_STEPS).contains(&new.max_steps) {
            return Err(UndoLimitError::Steps { value: new.max_steps });
        }
        if new.max_bytes < Self::LEAST_BYTES {
            return Err(UndoLimitError::Bytes { value: new.max_bytes });
        }
        Ok(new)
    }
}

impl Default for UndoLimits {
    fn default() -> Self {
        Self { enabled: true, max_steps: 200, max_bytes: 512 * 1024 * 1024 }
    }
}

/// Limits that cannot be.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum UndoLimitError {
    /// Too few or too many commands.
    #[error("max_steps is {value}; it must be 1 to {}", UndoLimits::MOST_STEPS)]
    Steps {
        /// What was asked for.
        value: u32,
    },
    /// Too few bytes.
    #[error("max_bytes is {value}; it must be at least {}", UndoLimits::LEAST_BYTES)]
    Bytes {
        /// What was asked for.
        value: u64,
    },
}
