//! Why knots make no curve.

use thiserror::Error;

/// Why knots make no curve; joints and knots are counted from 0.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum CurveError {
    /// There are no times.
    #[error("there are no knots; a curve needs one at least")]
    Empty,
    /// A time is infinite or no number.
    #[error("the time of knot {knot} is {time_secs} s; write a finite number")]
    Time {
        /// The knot.
        knot: usize,
        /// What stands there.
        time_secs: f64,
    },
    /// Times do not grow.
    #[error("knot {knot} is at {time_secs} s, not after {before_secs} s; times must grow")]
    NotIncreasing {
        /// The later knot.
        knot: usize,
        /// Its time.
        time_secs: f64,
        /// That of the one before.
        before_secs: f64,
    },
    /// A list has another length than the times.
    #[error("joint {joint} has {count} {what}, and there are {knots} knots")]
    Size {
        /// The joint.
        joint: usize,
        /// "positions", "velocities" or "accelerations".
        what: &'static str,
        /// How many it has.
        count: usize,
        /// How many there should be.
        knots: usize,
    },
    /// A value is infinite or no number.
    #[error("joint {joint} has {value} among its {what} at knot {knot}; write a finite number")]
    NotFinite {
        /// The joint.
        joint: usize,
        /// "positions", "velocities" or "accelerations".
        what: &'static str,
        /// The knot.
        knot: usize,
        /// What stands there.
        value: f64,
    },
    /// The curve between two knots leaves the range of numbers.
    #[error(
        "joint {joint} cannot be computed after knot {knot}: values are too large, or times too close"
    )]
    Overflow {
        /// The joint.
        joint: usize,
        /// The earlier knot.
        knot: usize,
    },
}
