//! Stored motions: named joint trajectories with tolerances and timed text actions.
//!
//! Everything here is a value or a function of values: no clock, no simulation, no bus. A player is
//! fed with the joints as they are and the time that has passed, and answers with where they should
//! be; who moves them is not its affair.

pub mod blend;
pub mod curve;
pub mod edit;
pub mod file;
pub mod fit;
mod goal;
mod motion;
pub mod player;
pub mod retime;
pub mod review;

pub use goal::{ErrorCode, Goal, GoalPoint, JointTolerance, Refusal};
pub use motion::{
    Interpolation, KeptJoint, Motion, MotionError, TextCommand, TimedAction, Tolerance, Waypoint,
    is_support,
};
