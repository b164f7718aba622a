//! A motion: what is taught, stored and played by name.

use std::collections::BTreeSet;
use std::fmt;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::{Goal, GoalPoint, JointTolerance};

/// A named joint trajectory with tolerances and timed text actions.
///
/// The order of `joints` is that of every list of numbers. A motion may have no waypoints: then it
/// is a template of joints and tolerances, and can be played only when it has no joints but actions.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Motion {
    /// The id; of a file, its name without the ending.
    pub name: String,
    /// What a person reads.
    pub description: String,
    /// How the joints go from one waypoint to the next.
    pub interpolation: Interpolation,
    /// The joints; `support/<chain>` is the weight on a limb and is carried stepwise.
    pub joints: Vec<String>,
    /// Tolerances of each joint.
    pub tolerances: Vec<Tolerance>,
    /// How long the joints may take to settle after the end, in s; none is the player's default,
    /// negative is without limit.
    pub goal_time_tolerance_secs: Option<f64>,
    /// Where the joints are, and when; sorted by time.
    pub waypoints: Vec<Waypoint>,
    /// What happens beside, and when; sorted by time.
    pub actions: Vec<TimedAction>,
    /// Joints whose positions waypoints keep although the motion does not move them, so that they
    /// can be added later; players ignore them.
    pub kept: Vec<KeptJoint>,
}

/// A joint that a motion keeps positions of and does not move.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct KeptJoint {
    /// Its name; not one of those that move.
    pub name: String,
    /// What counts once it moves.
    pub tolerance: Tolerance,
}

/// How joints go from one waypoint to the next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Interpolation {
    /// Monotone between waypoints: never leaves the taught range.
    #[default]
    Monotone,
    /// Modified Akima: rounder, overshoots a little.
    Akima,
    /// Continuous acceleration, none at the ends.
    Natural,
    /// Continuous acceleration, at rest at the ends.
    Clamped,
    /// Straight lines.
    Linear,
    /// What each waypoint gives decides: straight lines between positions, cubics with velocities,
    /// quintics with accelerations as well.
    Hermite,
}

impl Interpolation {
    /// Every way, with the word that files use.
    pub const ALL: [(Self, &'static str); 6] = [
        (Self::Monotone, "monotone"),
        (Self::Akima, "akima"),
        (Self::Natural, "natural"),
        (Self::Clamped, "clamped"),
        (Self::Linear, "linear"),
        (Self::Hermite, "hermite"),
    ];

    /// Returns the word that files use.
    pub fn word(self) -> &'static str {
        Self::ALL.iter().find(|(way, _)| *way == self).map_or("monotone", |(_, word)| word)
    }

    /// Finds the way by its word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.iter().find(|(_, known)| *known == word).map(|(way, _)| *way)
    }
}

/// How far a joint may be off, in rad or m; none is the player's default, infinite is any distance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Tolerance {
    /// On the way.
    pub path: Option<f64>,
    /// At the end.
    pub goal: Option<f64>,
}

/// Where the joints are at a time.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Waypoint {
    /// Since the start, in s.
    pub time_secs: f64,
    /// One for each joint, in rad or m.
    pub positions: Vec<f64>,
    /// One for each joint, in rad/s or m/s; empty when not given.
    pub velocities: Vec<f64>,
    /// One for each joint, in rad/s² or m/s²; empty when not given.
    pub accelerations: Vec<f64>,
    /// Whether it counts when the motion is played.
    pub enabled: bool,
    /// What a person wrote about it.
    pub note: String,
    /// One for each joint that is kept, in rad or m.
    pub kept: Vec<f64>,
}

/// A word to another part of the robot: say this, look so, play that.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TextCommand {
    /// Who is to do it: `voice/say`, `eyes/emotion`, `motion/joint_trajectory`.
    pub kind: String,
    /// What.
    pub command: String,
    /// How.
    pub options: String,
}

impl fmt::Display for TextCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:?}", self.kind, self.command)
    }
}

/// A text command at a time of a motion.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TimedAction {
    /// Since the start of the motion, in s.
    pub time_secs: f64,
    /// What is to be done.
    pub command: TextCommand,
}

/// Why a motion is not whole.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum MotionError {
    /// A joint is named twice.
    #[error("joint {joint:?} is named twice")]
    DoubleJoint {
        /// The joint.
        joint: String,
    },
    /// A list has another length than the joints.
    #[error("waypoint {waypoint} has {count} {what}, and there are {joints} joints")]
    Size {
        /// The waypoint, from 1.
        waypoint: usize,
        /// "positions", "velocities" or "accelerations".
        what: &'static str,
        /// How many it has.
        count: usize,
        /// How many there should be.
        joints: usize,
    },
    /// The positions of kept joints are more or fewer than those.
    #[error("waypoint {waypoint} keeps {count} positions, and there are {kept} kept joints")]
    KeptSize {
        /// The waypoint, from 1.
        waypoint: usize,
        /// How many it has.
        count: usize,
        /// How many there should be.
        kept: usize,
    },
    /// A number is not finite, or negative where it must not be.
    #[error("{what} is {value}; write {expected}")]
    Number {
        /// Which.
        what: String,
        /// What stands there.
        value: f64,
        /// What should.
        expected: &'static str,
    },
    /// Times do not grow.
    #[error("waypoint {waypoint} is at {time_secs} s, not after {before_secs} s")]
    Order {
        /// The waypoint, from 1.
        waypoint: usize,
        /// Its time.
        time_secs: f64,
        /// That of the one before.
        before_secs: f64,
    },
}

impl Motion {
    /// Returns the time of the last waypoint that counts, in s; 0 without one.
    pub fn duration_secs(&self) -> f64 {
        self.enabled().map(|waypoint| waypoint.time_secs).fold(0.0, f64::max)
    }

    /// Checks that joints, lists, numbers and times fit together.
    ///
    /// # Errors
    /// The first [`MotionError`].
    pub fn check(&self) -> Result<(), MotionError> {
        let mut seen = BTreeSet::new();
        if let Some(joint) = self.all_joints().find(|joint| !seen.insert(*joint)) {
            return Err(MotionError::DoubleJoint { joint: joint.to_owned() });
        }
        self.waypoints
            .iter()
            .enumerate()
            .try_for_each(|(at, point)| self.check_point(at, point))?;
        for (at, pair) in self.waypoints.windows(2).enumerate() {
            let (before_secs, time_secs) = (pair[0].time_secs, pair[1].time_secs);
            if time_secs <= before_secs {
                return Err(MotionError::Order { waypoint: at + 2, time_secs, before_secs });
            }
        }
        let kept = self.kept.iter().map(|kept| &kept.tolerance);
        for tolerance in self.tolerances.iter().chain(kept) {
            let given = [tolerance.path, tolerance.goal].into_iter().flatten();
            let mut bad = given.filter(|value| value.is_nan() || *value < 0.0);
            if let Some(value) = bad.next() {
                let (what, expected) = ("a tolerance".to_owned(), "0 or more, infinite for any");
                return Err(MotionError::Number { what, value, expected });
            }
        }
        let settle = self.goal_time_tolerance_secs.unwrap_or(0.0);
        check_number("the goal time tolerance", settle, f64::MIN)?;
        let times = self.actions.iter().map(|action| action.time_secs);
        times.into_iter().try_for_each(|time| check_number("the time of an action", time, 0.0))
    }

    fn check_point(&self, at: usize, point: &Waypoint) -> Result<(), MotionError> {
        let joints = self.joints.len();
        let lists = [
            ("positions", &point.positions),
            ("velocities", &point.velocities),
            ("accelerations", &point.accelerations),
        ];
        for (what, list) in lists {
            let left_out = list.is_empty() && what != "positions";
            if list.len() != joints && !left_out {
                let (waypoint, count) = (at + 1, list.len());
                return Err(MotionError::Size { waypoint, what, count, joints });
            }
            let named = format!("a value of {what}");
            list.iter().try_for_each(|value| check_number(&named, *value, f64::MIN))?;
        }
        if point.kept.len() != self.kept.len() {
            let (waypoint, count, kept) = (at + 1, point.kept.len(), self.kept.len());
            return Err(MotionError::KeptSize { waypoint, count, kept });
        }
        let mut kept = point.kept.iter();
        kept.try_for_each(|value| check_number("a kept position", *value, f64::MIN))?;
        check_number("the time of a waypoint", point.time_secs, 0.0)
    }

    /// Returns the waypoints that count.
    pub fn enabled(&self) -> impl Iterator<Item = &Waypoint> {
        self.waypoints.iter().filter(|waypoint| waypoint.enabled)
    }

    /// Returns the joints that it moves, then those that it only keeps.
    pub fn all_joints(&self) -> impl Iterator<Item = &str> {
        let kept = self.kept.iter().map(|kept| kept.name.as_str());
        self.joints.iter().map(String::as_str).chain(kept)
    }

    /// Returns the joints without the weights on limbs.
    pub fn moved_joints(&self) -> impl Iterator<Item = &str> {
        self.joints.iter().map(String::as_str).filter(|joint| !is_support(joint))
    }

    /// Makes the goal that plays it.
    pub fn goal(&self) -> Goal {
        let point = |waypoint: &Waypoint| GoalPoint {
            time_secs: waypoint.time_secs,
            positions: waypoint.positions.clone(),
            velocities: waypoint.velocities.clone(),
            accelerations: waypoint.accelerations.clone(),
            effort: Vec::new(),
        };
        Goal {
            name: self.name.clone(),
            stamp_secs: None,
            joints: self.joints.clone(),
            points: self.enabled().map(point).collect(),
            interpolation: self.interpolation,
            path_tolerance: self.tolerance_list(|tolerance| tolerance.path),
            goal_tolerance: self.tolerance_list(|tolerance| tolerance.goal),
            goal_time_tolerance_secs: self.goal_time_tolerance_secs.unwrap_or(0.0),
            actions: self.actions.clone(),
            repeat: false,
        }
    }

    fn tolerance_list(&self, of: impl Fn(&Tolerance) -> Option<f64>) -> Vec<JointTolerance> {
        let pairs = self.joints.iter().zip(&self.tolerances);
        let listed = pairs.filter_map(|(joint, tolerance)| {
            let position = of(tolerance)?;
            let position = if position.is_finite() { position } else { JointTolerance::OFF };
            Some(JointTolerance { name: joint.clone(), position, ..JointTolerance::default() })
        });
        listed.collect()
    }
}

fn check_number(what: &str, value: f64, least: f64) -> Result<(), MotionError> {
    if value.is_finite() && value >= least {
        return Ok(());
    }
    let expected = if least < 0.0 { "a finite number" } else { "a finite number from 0 on" };
    Err(MotionError::Number { what: what.to_owned(), value, expected })
}

/// Says whether a joint is the weight on a limb, not something that moves.
pub fn is_support(joint: &str) -> bool {
    joint.starts_with("support/")
}
