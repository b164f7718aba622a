//! What players do with goals: check them, follow them, end them, share the joints.
//!
//! [`Robot`] is what does not vary, [`Goals`] what changes when a goal comes or goes, [`Progress`]
//! what changes in every cycle. All of them are plain values, so that whoever keeps them can put
//! old ones back and go on from there. What is computed from them, the curves, is in [`Curves`] and
//! can be dropped at any time.

mod arbiter;
mod check;
mod cycle;
mod follow;
mod outcome;
mod progress;
mod robot;
mod rules;
mod run;
mod start;
mod stop;
mod trajectory;
mod wild;

pub use check::Order;
pub(crate) use check::{FARTHEST, MAX_SECS, SHORTEST_PASS_SECS};
pub use cycle::{Curves, Cycle};
pub use outcome::{End, Outcome};
pub use progress::{Drive, Goals, Owner, Progress, RunProgress};
pub use robot::{Group, Joint, Robot, RobotError};
pub use rules::{BadTolerances, GoalTime, OnCancel, Rules, StartFrom};
pub use run::{Follow, Run, RunKind};
pub use start::Start;
pub use stop::FASTEST;
pub use trajectory::Trajectory;

/// Nanoseconds of a second.
const NANOS: f64 = 1e9;

/// Returns seconds as nanoseconds; what does not fit is cut off.
pub(crate) fn nanos(secs: f64) -> i64 {
    (secs * NANOS).round() as i64
}

/// Returns nanoseconds as seconds.
pub(crate) fn secs(nanos: i64) -> f64 {
    nanos as f64 / NANOS
}
