//! A goal: what a player is asked to do, as `FollowJointTrajectory` puts it.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::{Interpolation, TimedAction};

/// A joint trajectory to follow, with timed text actions.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Goal {
    /// Name of the motion, or what the sender calls it; may be empty.
    pub name: String,
    /// When its time begins, in simulated seconds; none is now.
    pub stamp_secs: Option<f64>,
    /// The joints, in the order of every list of numbers.
    pub joints: Vec<String>,
    /// Where they are to be, and when.
    pub points: Vec<GoalPoint>,
    /// How they go from one point to the next.
    pub interpolation: Interpolation,
    /// How far joints may be off on the way; joints that are not named have the default.
    pub path_tolerance: Vec<JointTolerance>,
    /// How far joints may be off at the end; joints that are not named have the default.
    pub goal_tolerance: Vec<JointTolerance>,
    /// How long joints may take to settle, in s: 0 is the default, negative without limit.
    pub goal_time_tolerance_secs: f64,
    /// What happens beside, sorted by time.
    pub actions: Vec<TimedAction>,
    /// Whether it begins anew at its end, until somebody ends it.
    #[serde(default)]
    pub repeat: bool,
}

impl Goal {
    /// Returns the goal with its time running `speed` times as fast.
    pub fn at_speed(mut self, speed: f64) -> Self {
        for point in &mut self.points {
            point.time_secs /= speed;
            point.velocities.iter_mut().for_each(|velocity| *velocity *= speed);
            point.accelerations.iter_mut().for_each(|value| *value *= speed * speed);
        }
        self.actions.iter_mut().for_each(|action| action.time_secs /= speed);
        self
    }
}

/// Where the joints are to be at a time.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GoalPoint {
    /// Since the start, in s.
    pub time_secs: f64,
    /// One for each joint, in rad or m.
    pub positions: Vec<f64>,
    /// One for each joint, in rad/s or m/s; empty when not given.
    pub velocities: Vec<f64>,
    /// One for each joint, in rad/s² or m/s²; empty when not given.
    pub accelerations: Vec<f64>,
    /// One for each joint, in N m or N; empty when not given.
    pub effort: Vec<f64>,
}

/// How far a joint may be off: 0 is the default, [`JointTolerance::OFF`] any distance.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct JointTolerance {
    /// The joint.
    pub name: String,
    /// In rad or m.
    pub position: f64,
    /// In rad/s or m/s.
    pub velocity: f64,
    /// In rad/s² or m/s².
    pub acceleration: f64,
}

impl JointTolerance {
    /// Any distance will do.
    pub const OFF: f64 = -1.0;
}

/// How a goal ended, in the numbers of `FollowJointTrajectory`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ErrorCode {
    /// All was done.
    Successful,
    /// The goal makes no sense, or somebody else's replaced it.
    InvalidGoal,
    /// Joints are unknown, or somebody else has them.
    InvalidJoints,
    /// It would be over already.
    OldHeaderTimestamp,
    /// A joint was too far off on the way.
    PathToleranceViolated,
    /// A joint was too far off at the end.
    GoalToleranceViolated,
}

impl ErrorCode {
    /// Returns the number that messages carry.
    pub fn number(self) -> i32 {
        match self {
            Self::Successful => 0,
            Self::InvalidGoal => -1,
            Self::InvalidJoints => -2,
            Self::OldHeaderTimestamp => -3,
            Self::PathToleranceViolated => -4,
            Self::GoalToleranceViolated => -5,
        }
    }
}

/// Why a goal was not taken.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{text}")]
pub struct Refusal {
    /// For programs.
    pub code: ErrorCode,
    /// For people: what is wrong, where, and what to do.
    pub text: String,
}

impl Refusal {
    /// Makes a refusal.
    pub fn new(code: ErrorCode, text: impl Into<String>) -> Self {
        Self { code, text: text.into() }
    }
}
