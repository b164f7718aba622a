//! What can be done to a list.

use crate::{Interpolation, TextCommand, Tolerance};

/// Where joints are, in rad or m, by name.
pub type Pose = Vec<(String, f64)>;

/// A change of a list; ids are those of waypoints, or of actions where it says so.
#[derive(Clone, Debug, PartialEq)]
pub enum Edit {
    /// Names the motion.
    SetName(String),
    /// Says what the motion is.
    SetDescription(String),
    /// Says how joints go from one waypoint to the next.
    SetInterpolation(Interpolation),
    /// Says how long joints may take to settle, in s; none is the player's default, negative
    /// without limit.
    SetGoalTime(Option<f64>),
    /// Says how far joints may be off.
    SetTolerance {
        /// The joint; none is all of them.
        joint: Option<String>,
        /// How far.
        tolerance: Tolerance,
    },
    /// Says whether a joint moves.
    Mute {
        /// The joint.
        joint: String,
        /// Whether it stays where it is; waypoints keep its positions.
        muted: bool,
    },
    /// Adds a joint.
    AddJoint {
        /// The joint.
        joint: String,
        /// Where all waypoints have it, in rad or m.
        position: f64,
    },
    /// Removes a joint with its positions.
    RemoveJoint(String),
    /// Adds a waypoint.
    AddPoint {
        /// When, in s; none is a second after the last, and 0 for the first.
        time_secs: Option<f64>,
        /// Where all joints of the list are, muted ones too, and perhaps others. A weight on a limb
        /// that is missing is as at the waypoint before.
        pose: Pose,
    },
    /// Puts another pose into a waypoint.
    SetPose {
        /// The waypoint.
        id: u64,
        /// As in `AddPoint`; a weight on a limb that is missing stays as it is.
        pose: Pose,
    },
    /// Moves a waypoint in time, between its neighbours.
    SetTime {
        /// The waypoint.
        id: u64,
        /// When, in s.
        time_secs: f64,
    },
    /// Puts a joint elsewhere at a waypoint.
    SetPosition {
        /// The waypoint.
        id: u64,
        /// The joint.
        joint: String,
        /// Where, in rad or m.
        position: f64,
    },
    /// Says whether a waypoint counts.
    SetEnabled {
        /// The waypoint.
        id: u64,
        /// Whether it counts.
        enabled: bool,
    },
    /// Writes something about a waypoint.
    SetNote {
        /// The waypoint.
        id: u64,
        /// What.
        note: String,
    },
    /// Deletes waypoints.
    DeletePoints(Vec<u64>),
    /// Moves waypoints in time together, none past another.
    MovePoints {
        /// The waypoints.
        ids: Vec<u64>,
        /// How far, in s; negative is earlier.
        by_secs: f64,
    },
    /// Marks where playing begins.
    MarkStart(u64),
    /// Marks where playing ends.
    MarkEnd(u64),
    /// Divides all times by a factor, from 0.05 to 20.
    ScaleSpeed(f64),
    /// Turns all around in time, between the first and the last of waypoints and actions.
    Reverse,
    /// Puts copies of waypoints in.
    Paste {
        /// The joints of the copies: all of the list, and perhaps others.
        joints: Vec<String>,
        /// The copies, sorted by time.
        points: Vec<Pasted>,
        /// When the first of them is to be, in s.
        at_secs: f64,
    },
    /// Swaps left and right.
    Mirror {
        /// The waypoints; empty is all of them.
        ids: Vec<u64>,
        /// What is left and right on the robot. Pairs that the list has no joint of do not count,
        /// joints without a pair stay.
        pairs: Vec<MirrorJoint>,
    },
    /// Gives waypoints other times, in s. What is between them moves along in proportion, what is
    /// after the last of them keeps its distance to it, and what is before the first stays; actions
    /// as well.
    SetTimes(Vec<(u64, f64)>),
    /// Adds a path that was recorded, times in s and poses: a second after the last waypoint, or
    /// from 0 on.
    AppendPoints(Vec<(f64, Pose)>),
    /// Adds a text action.
    AddAction {
        /// When, in s.
        time_secs: f64,
        /// What.
        command: TextCommand,
    },
    /// Changes a text action.
    SetAction {
        /// The action.
        id: u64,
        /// When, in s.
        time_secs: f64,
        /// What.
        command: TextCommand,
    },
    /// Deletes text actions, by their ids.
    DeleteActions(Vec<u64>),
    /// Says what joints are to be kept to besides their own limits.
    SetLimits {
        /// In rad/s or m/s.
        max_velocity: Option<f64>,
        /// In rad/s² or m/s².
        max_acceleration: Option<f64>,
    },
}

/// A copy of a waypoint.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pasted {
    /// In s; only how far copies are apart counts.
    pub time_secs: f64,
    /// One for each joint of the copies, in rad or m.
    pub positions: Vec<f64>,
    /// One for each joint of the copies, in rad/s or m/s; empty when not given.
    pub velocities: Vec<f64>,
    /// One for each joint of the copies, in rad/s² or m/s²; empty when not given.
    pub accelerations: Vec<f64>,
    /// Whether it counts when the motion is played.
    pub enabled: bool,
    /// What a person wrote about it.
    pub note: String,
}

/// What is on the other side of a joint: mirrored, each is where the other was, times the sign.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MirrorJoint {
    /// The joint.
    pub joint: String,
    /// Its partner; a joint in the middle is its own. One entry stands for both directions.
    pub partner: String,
    /// 1 when both count in the same direction, -1 when not.
    pub sign: f64,
}

/// What an edit made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Made {
    /// Ids of the waypoints or actions that are new, in the order of time.
    pub ids: Vec<u64>,
}
