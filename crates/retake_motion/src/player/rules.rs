//! What a player takes for granted: the parameters of its world file.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::blend::Blend;

/// How a player treats goals.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rules {
    /// How joints go over into a motion.
    pub blend: Blend,
    /// Where a motion goes over from.
    pub start_from: StartFrom,
    /// Whether a motion that begins at time 0 is refused when joints are not where it begins.
    pub check_start: bool,
    /// Whether a goal beyond the limits of a joint is refused.
    pub check_limits: bool,
    /// Whether goals may leave joints of the robot out.
    pub partial_goals: bool,
    /// Whether the last point may have a velocity.
    pub moving_end: bool,
    /// What becomes of a motion that is cancelled.
    pub on_cancel: OnCancel,
    /// How long joints take to come to rest when a motion is ended, in s.
    pub stop_secs: f64,
    /// How long joints may take to settle at the end when a goal does not say.
    pub goal_time: GoalTime,
    /// How far joints may be off on the way when a goal does not say, in rad or m; 0 is any distance.
    pub path_tolerance: f64,
    /// How far joints may be off at the end when a goal does not say, in rad or m; 0 is any distance.
    pub goal_tolerance: f64,
    /// How fast joints may still be at the end, in rad/s or m/s; 0 is any speed.
    pub stopped_velocity: f64,
    /// Path and goal tolerance of joints that have their own.
    pub joint_tolerances: BTreeMap<String, (f64, f64)>,
    /// What becomes of a goal whose tolerances make no sense.
    pub bad_tolerances: BadTolerances,
}

/// Where a motion goes over from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StartFrom {
    /// From where the joint was last told to be, if somebody told it.
    Desired,
    /// From where the joint is.
    Measured,
}

/// What becomes of a motion that is cancelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OnCancel {
    /// Joints come to rest smoothly, and hold there.
    Decelerate,
    /// Joints hold where they are, at once.
    Hold,
}

/// How long joints may take to settle.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GoalTime {
    /// As long as they need.
    Unlimited,
    /// This long, in s.
    Secs(f64),
}

/// What becomes of a goal whose tolerances name unknown joints or are negative, and not -1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BadTolerances {
    /// It is refused.
    Refuse,
    /// The defaults count instead of all of them.
    UseDefaults,
}

impl Default for Rules {
    fn default() -> Self {
        Self::native()
    }
}

impl Rules {
    /// The rules of stored motions: nothing jumps, what is odd is refused.
    pub fn native() -> Self {
        Self {
            blend: Blend::Transient { time_secs: 0.5 },
            start_from: StartFrom::Desired,
            check_start: true,
            check_limits: true,
            partial_goals: true,
            moving_end: false,
            on_cancel: OnCancel::Decelerate,
            stop_secs: 0.3,
            goal_time: GoalTime::Secs(1.0),
            path_tolerance: 0.0,
            goal_tolerance: 0.0,
            stopped_velocity: 0.0,
            joint_tolerances: BTreeMap::new(),
            bad_tolerances: BadTolerances::Refuse,
        }
    }

    /// The defaults of the trajectory controller that ROS 2 robots have.
    pub fn ros2() -> Self {
        Self {
            blend: Blend::None,
            start_from: StartFrom::Measured,
            check_start: false,
            check_limits: false,
            partial_goals: false,
            on_cancel: OnCancel::Hold,
            goal_time: GoalTime::Unlimited,
            stopped_velocity: 0.01,
            bad_tolerances: BadTolerances::UseDefaults,
            ..Self::native()
        }
    }
}
