//! Why an edit was refused, for people.

use thiserror::Error;

use super::limits::{FASTEST, SLOWEST};
use crate::file::MAX_TEXT_BYTES;
use crate::player::{FARTHEST, MAX_SECS};

/// Why a list cannot be made or changed so; waypoints are numbered from 1.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum EditError {
    /// The name cannot be that of a file.
    #[error("{name:?} cannot be the name of a motion; use letters, digits, - and _")]
    Name {
        /// What was given.
        name: String,
    },
    /// A joint has no name.
    #[error("a joint has no name; name it as the robot does")]
    NamelessJoint,
    /// A joint is in the list twice.
    #[error("joint {joint:?} is in the list already; unmute it if it is to move")]
    DoubleJoint {
        /// The joint.
        joint: String,
    },
    /// The list has no such joint.
    #[error("joint {joint:?} is not in the list; add it first")]
    NoSuchJoint {
        /// The joint.
        joint: String,
    },
    /// There would be waypoints of no joints.
    #[error("waypoints need at least one joint; add a joint first, or delete the waypoints")]
    NoJoints,
    /// A pose does not have a joint of the list.
    #[error(
        "the pose does not tell where joint {joint:?} is; take it from a robot that has this joint, \
         or remove the joint from the list"
    )]
    MissingJoint {
        /// The joint.
        joint: String,
    },
    /// A waypoint is not there, or not any more.
    #[error("this waypoint is not in the list any more; choose another")]
    NoSuchPoint,
    /// An action is not there, or not any more.
    #[error("this text action is not in the list any more; choose another")]
    NoSuchAction,
    /// Nothing was named to do it to.
    #[error("there is nothing to {what}; choose something first")]
    Nothing {
        /// What was to be done.
        what: &'static str,
    },
    /// A list of numbers has another length than the joints.
    #[error(
        "waypoint {number} has {count} numbers of {what} for {joints} joints; give one for each"
    )]
    Size {
        /// The waypoint.
        number: usize,
        /// "position", "velocity" or "acceleration".
        what: &'static str,
        /// How many there are.
        count: usize,
        /// How many there should be.
        joints: usize,
    },
    /// A copy has another count of numbers than of joints.
    #[error("copy {number} has {count} numbers of {what} for {joints} joints; copy it again")]
    CopySize {
        /// The copy, from 1.
        number: usize,
        /// "position", "velocity" or "acceleration".
        what: &'static str,
        /// How many there are.
        count: usize,
        /// How many there should be.
        joints: usize,
    },
    /// A number is not finite or far beyond any joint.
    #[error(
        "the {what} of joint {joint:?} at waypoint {number} would be {value}; give a number within \
         ±{FARTHEST}"
    )]
    Number {
        /// "position", "velocity" or "acceleration".
        what: &'static str,
        /// The waypoint.
        number: usize,
        /// The joint.
        joint: String,
        /// What it would be.
        value: f64,
    },
    /// A time is not one of a motion.
    #[error("waypoint {number} would be at {} s; give a time from 0 to {MAX_SECS} s", short(*secs))]
    Time {
        /// The waypoint.
        number: usize,
        /// When it would be.
        secs: f64,
    },
    /// Times would not grow.
    #[error(
        "waypoint {number} would be at {} s and waypoint {next} at {} s, which is not after it; \
         keep each between its neighbours",
        short(*secs), short(*next_secs)
    )]
    Order {
        /// The earlier one.
        number: usize,
        /// When it would be.
        secs: f64,
        /// The one after it.
        next: usize,
        /// When that would be.
        next_secs: f64,
    },
    /// A new waypoint would be where one is.
    #[error(
        "waypoint {number} is at {} s already; choose another time, or take the pose into that \
         waypoint",
        short(*secs)
    )]
    Taken {
        /// The one that is there.
        number: usize,
        /// When.
        secs: f64,
    },
    /// A marked waypoint would not count.
    #[error(
        "waypoint {number} is the {marker} of what is played; mark another before it is switched off"
    )]
    Marked {
        /// The waypoint.
        number: usize,
        /// "start" or "end".
        marker: &'static str,
    },
    /// A waypoint that does not count would be marked.
    #[error("waypoint {number} is off; switch it on before it is marked as the {marker}")]
    Off {
        /// The waypoint.
        number: usize,
        /// "start" or "end".
        marker: &'static str,
    },
    /// The start would not be before the end.
    #[error(
        "the start at waypoint {start} would not be before the end at waypoint {end}; move the other \
         marker first"
    )]
    Backwards {
        /// The waypoint of the start.
        start: usize,
        /// The waypoint of the end.
        end: usize,
    },
    /// Markers are not at waypoints that count, or not in order.
    #[error("the markers are not at waypoints that count, the start before the end; mark others")]
    Markers,
    /// A tolerance is negative or not a number.
    #[error(
        "the {what} tolerance of joint {joint:?} would be {value}; give 0 or more, infinite for any"
    )]
    Tolerance {
        /// "path" or "goal".
        what: &'static str,
        /// The joint.
        joint: String,
        /// What it would be.
        value: f64,
    },
    /// The goal time tolerance is not a time.
    #[error(
        "the goal time tolerance would be {secs} s; give a number of seconds, negative for any"
    )]
    GoalTime {
        /// What it would be.
        secs: f64,
    },
    /// A limit is not a positive number.
    #[error("the {what} would be {value}; give a number above 0, or none")]
    Limit {
        /// Which.
        what: &'static str,
        /// What it would be.
        value: f64,
    },
    /// A factor of speed is none.
    #[error(
        "the speed would be {speed} times the taught one; give a number from {SLOWEST} to {FASTEST}"
    )]
    Speed {
        /// What it would be.
        speed: f64,
    },
    /// A shift in time is no number.
    #[error("waypoints cannot be moved by {secs} s; give a finite number")]
    Shift {
        /// What was given.
        secs: f64,
    },
    /// An action has no type.
    #[error("a text action needs a type that says who acts, such as voice/say; choose one")]
    NamelessAction,
    /// A time of an action is not one of a motion.
    #[error("the action {action} would be at {} s; give a time from 0 to {MAX_SECS} s", short(*secs))]
    ActionTime {
        /// Type and command.
        action: String,
        /// When it would be.
        secs: f64,
    },
    /// Actions are not sorted.
    #[error("text actions are not sorted by time; sort them")]
    ActionOrder,
    /// Only one side of a pair is there.
    #[error("joint {joint:?} has its partner {missing:?} not in the list; add it before mirroring")]
    LonelyJoint {
        /// The one that is in the list.
        joint: String,
        /// The one that is not.
        missing: String,
    },
    /// Pairs contradict each other, or a sign is none.
    #[error("joint {joint:?} has no clear partner; give it one, with the sign 1 or -1")]
    BadPair {
        /// The joint.
        joint: String,
    },
    /// There is more than a list takes.
    #[error(
        "there would be {count} {what}, and at most {most} can be saved; shorten or split the motion"
    )]
    TooMuch {
        /// Of what.
        what: &'static str,
        /// How much.
        count: usize,
        /// How much there may be.
        most: usize,
    },
    /// A text is too long to be read again.
    #[error("{what} would have {bytes} bytes; shorten it to {MAX_TEXT_BYTES}")]
    TooLong {
        /// Which.
        what: String,
        /// How long it would be.
        bytes: usize,
    },
    /// There is nothing to play.
    #[error("there is no waypoint that counts, so nothing to play; add one or switch one on")]
    NothingToPlay,
    /// All joints are muted.
    #[error("every joint is muted, so nothing moves; unmute those that are to move")]
    AllMuted,
    /// At that speed the motion is not one that players take.
    #[error("at {speed} times its speed the motion {what}; choose {choose}")]
    Unplayable {
        /// The speed.
        speed: f64,
        /// What is wrong with it.
        what: &'static str,
        /// What to choose instead.
        choose: &'static str,
    },
}

/// Writes a time so that a person can read it: whole microseconds, no zeros after the last digit.
pub(super) fn short(secs: f64) -> f64 {
    let rounded = (secs * 1e6).round() / 1e6;
    if rounded.is_finite() { rounded } else { secs }
}
