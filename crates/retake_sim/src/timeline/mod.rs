//! The kept past of a running world: any instant of it can be looked at, and gone on from.
//!
//! A [`Timeline`] keeps complete states now and then and all that came from outside in between, in
//! stretches of time without a jump. An instant is found by putting the state before it in place and
//! simulating again from there, bit by bit: a [`Way`] says how, and a [`Viewer`] goes it with a
//! simulation of its own, on a thread of its own (`desk.rs`), so that the present world goes on.
//! Branches are names for where the world has been; `branches.rs` says what becomes of them when time
//! jumps, `budget.rs` what is given up when there is no room, `tell.rs` what clients are told.

mod along;
mod branches;
mod budget;
mod desk;
mod edit;
mod find;
mod keeper;
mod slot;
mod squeezer;
mod stretch;
mod tell;
mod viewer;

use retake_math::SimTime;
use retake_msgs::TimelineSettings;
use thiserror::Error;

pub(crate) use branches::{Landing, Left};
pub(crate) use desk::{PastWork, TimelineDesk, WatchWork};
pub(crate) use keeper::Timeline;
pub use viewer::PastAnswer;

/// How much of the past is kept for looking back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimelineLimits {
    /// Most bytes of the kept states, 1 MiB at least; 0 keeps nothing and costs nothing.
    pub max_bytes: u64,
    /// What is further back is dropped: simulated time that passed since, 1 s at least.
    pub max_age: SimTime,
}

impl TimelineLimits {
    /// Fewest bytes that can be asked for.
    pub const LEAST_BYTES: u64 = 1024 * 1024;
    /// Shortest past that can be asked for.
    pub const LEAST_AGE: SimTime = SimTime::from_nanos(1_000_000_000);

    /// Keeps nothing.
    pub const OFF: Self = Self { max_bytes: 0, max_age: Self::LEAST_AGE };

    /// Says whether anything is kept.
    pub fn enabled(self) -> bool {
        self.max_bytes > 0
    }

    /// Returns the limits after a change by the user.
    ///
    /// # Errors
    /// [`TimelineError::Limit`] says what is allowed.
    pub fn changed(self, change: &TimelineSettings) -> Result<Self, TimelineError> {
        let max_bytes = change.max_bytes.unwrap_or(self.max_bytes);
        if max_bytes != 0 && max_bytes < Self::LEAST_BYTES {
            let reason =
                format!("max_bytes is {max_bytes}; it must be 0 or at least {}", Self::LEAST_BYTES);
            return Err(TimelineError::Limit { reason });
        }
        let max_age = match change.max_age_secs {
            None => self.max_age,
            Some(secs) if (1.0..=1e9).contains(&secs) => SimTime::from_secs_f64(secs),
            Some(secs) => {
                let reason = format!("max_age_secs is {secs}; it must be 1 to 1e9");
                return Err(TimelineError::Limit { reason });
            }
        };
        Ok(Self { max_bytes, max_age })
    }
}

impl Default for TimelineLimits {
    fn default() -> Self {
        let max_age = SimTime::from_nanos(1_800_000_000_000);
        Self { max_bytes: 256 * 1024 * 1024, max_age }
    }
}

/// Why an instant, a branch or a bookmark cannot be had.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TimelineError {
    /// Nothing is kept.
    #[error("The timeline is off. Switch it on with: retake timeline limit --memory 256")]
    Off,
    /// A limit is out of range.
    #[error("{reason}")]
    Limit {
        /// What it is and what it may be.
        reason: String,
    },
    /// No branch has the name.
    #[error("No branch named {name:?}. Known: {known}")]
    NoBranch {
        /// What was asked for.
        name: String,
        /// What there is.
        known: String,
    },
    /// No bookmark has the name.
    #[error("No bookmark named {name:?}. Known: {known}")]
    NoBookmark {
        /// What was asked for.
        name: String,
        /// What there is.
        known: String,
    },
    /// The instant is not there yet, or never was.
    #[error("Branch {branch:?} ends at {end}; there is no {wanted} on it")]
    Beyond {
        /// The branch.
        branch: String,
        /// Where it ends.
        end: SimTime,
        /// What was asked for.
        wanted: SimTime,
    },
    /// The instant is not kept any more, or was before anything was kept.
    #[error("Branch {branch:?} is kept from {from} on; {wanted} cannot be shown")]
    Dropped {
        /// The branch.
        branch: String,
        /// Where the kept part begins that lies after the instant.
        from: SimTime,
        /// What was asked for.
        wanted: SimTime,
    },
    /// A name cannot be used.
    #[error("{name:?} is no name; write 1 to {most} characters, none of them invisible", most = branches::MAX_NAME)]
    BadName {
        /// What was given.
        name: String,
    },
    /// A bookmark's name means an instant by itself.
    #[error("{name:?} means an instant by itself; choose a name that is neither a number nor end")]
    Instant {
        /// What was given.
        name: String,
    },
    /// A name is taken.
    #[error("There is a {what} named {name:?} already")]
    Taken {
        /// Branch or bookmark.
        what: &'static str,
        /// The name.
        name: String,
    },
    /// The branch that goes on cannot be deleted.
    #[error("The world goes on with {name:?}. Switch to another branch before you delete it")]
    Live {
        /// The branch.
        name: String,
    },
    /// There are as many as there may be.
    #[error("There are {most} {what} already. Delete one first")]
    Full {
        /// Branches or bookmarks.
        what: &'static str,
        /// How many.
        most: usize,
    },
    /// The edit says nothing.
    #[error("The edit of the timeline does not say what to do")]
    Empty,
}
