//! The table of waypoints.

use crate::motion::is_support;
use crate::{Interpolation, TextCommand, Tolerance};

use super::EditError;

/// How far a joint may be from a waypoint that it is said to be at, when the list does not say, in
/// rad or m.
const DEFAULT_GOAL_TOLERANCE: f64 = 0.05;

/// A motion while it is taught: joints, waypoints, text actions, and the stretch that is played.
///
/// What holds at all times, for who only ever changes it by [`apply`](Self::apply):
/// - Waypoints are sorted by time, and no two are at one time. Actions are sorted by time.
/// - Every waypoint has a position for each joint, muted ones too; velocities and accelerations for
///   each joint or for none. With waypoints there is at least one joint.
/// - Markers are at waypoints that count. With two or more of those, the start is before the end;
///   with one, both are there; with none, there are no markers.
/// - Numbers, texts and amounts are within what files and players take.
///
/// A marker at the outermost waypoint that counts stays at the outermost when others are added. When
/// a marked waypoint is deleted, the marker goes to the nearest inside that counts; when fewer than
/// two are left inside, the stretch is the whole list again.
///
/// Two lists are the same when all that can be seen of them is, ids and markers included.
#[derive(Clone, Debug)]
pub struct WaypointsList {
    pub(super) name: String,
    pub(super) description: String,
    pub(super) interpolation: Interpolation,
    pub(super) goal_time_tolerance_secs: Option<f64>,
    pub(super) joints: Vec<ListJoint>,
    pub(super) points: Vec<ListPoint>,
    pub(super) actions: Vec<ListAction>,
    pub(super) start: Option<u64>,
    pub(super) end: Option<u64>,
    pub(super) max_velocity: Option<f64>,
    pub(super) max_acceleration: Option<f64>,
    /// The largest id that was ever given.
    pub(super) last_id: u64,
}

/// A joint of a list.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ListJoint {
    /// Its name.
    pub name: String,
    /// How far it may be off.
    pub tolerance: Tolerance,
    /// Whether waypoints keep its position but the motion does not move it.
    pub muted: bool,
}

/// A waypoint of a list.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ListPoint {
    /// Never given twice.
    pub id: u64,
    /// Since the start, in s.
    pub time_secs: f64,
    /// One for each joint, muted ones too, in rad or m.
    pub positions: Vec<f64>,
    /// One for each joint, in rad/s or m/s; empty when not given.
    pub velocities: Vec<f64>,
    /// One for each joint, in rad/s² or m/s²; empty when not given.
    pub accelerations: Vec<f64>,
    /// Whether it counts when the motion is played.
    pub enabled: bool,
    /// What a person wrote about it.
    pub note: String,
}

/// A text action of a list.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ListAction {
    /// Never given twice.
    pub id: u64,
    /// Since the start, in s.
    pub time_secs: f64,
    /// What is to be done.
    pub command: TextCommand,
}

impl PartialEq for WaypointsList {
    /// Ids that are yet to be given do not count: nobody sees them.
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
            && self.description == other.description
            && self.interpolation == other.interpolation
            && self.goal_time_tolerance_secs == other.goal_time_tolerance_secs
            && self.joints == other.joints
            && self.points == other.points
            && self.actions == other.actions
            && (self.start, self.end) == (other.start, other.end)
            && self.max_velocity == other.max_velocity
            && self.max_acceleration == other.max_acceleration
    }
}

impl WaypointsList {
    /// Makes an empty list of joints that all move.
    ///
    /// # Errors
    /// [`EditError`] when the name cannot be that of a motion, a joint has no name or is named
    /// twice, or there are too many.
    pub fn new(name: &str, joints: Vec<String>) -> Result<Self, EditError> {
        let joint = |name: String| ListJoint { name, ..ListJoint::default() };
        let list = Self {
            joints: joints.into_iter().map(joint).collect(),
            ..Self::without_joints(name.to_owned())
        };
        list.check()?;
        Ok(list)
    }

    pub(super) fn without_joints(name: String) -> Self {
        Self {
            name,
            description: String::new(),
            interpolation: Interpolation::default(),
            goal_time_tolerance_secs: None,
            joints: Vec::new(),
            points: Vec::new(),
            actions: Vec::new(),
            start: None,
            end: None,
            max_velocity: None,
            max_acceleration: None,
            last_id: 0,
        }
    }

    /// Returns the name of the motion.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns what a person wrote about the motion.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// Returns how joints go from one waypoint to the next.
    pub fn interpolation(&self) -> Interpolation {
        self.interpolation
    }

    /// Returns how long joints may take to settle, in s; none is the player's default, negative
    /// without limit.
    pub fn goal_time_tolerance_secs(&self) -> Option<f64> {
        self.goal_time_tolerance_secs
    }

    /// Returns the joints, in the order of every list of numbers.
    pub fn joints(&self) -> &[ListJoint] {
        &self.joints
    }

    /// Returns the waypoints, sorted by time.
    pub fn points(&self) -> &[ListPoint] {
        &self.points
    }

    /// Returns the text actions, sorted by time.
    pub fn actions(&self) -> &[ListAction] {
        &self.actions
    }

    /// Returns the waypoint that playing begins at; none while none counts.
    pub fn start(&self) -> Option<u64> {
        self.start
    }

    /// Returns the waypoint that playing ends at; none while none counts.
    pub fn end(&self) -> Option<u64> {
        self.end
    }

    /// Returns the speed that joints are to be kept to, in rad/s or m/s; none: only to their own.
    pub fn max_velocity(&self) -> Option<f64> {
        self.max_velocity
    }

    /// Returns the acceleration that joints are to be kept to, in rad/s² or m/s²; none: to none.
    pub fn max_acceleration(&self) -> Option<f64> {
        self.max_acceleration
    }

    /// Returns a waypoint.
    pub fn point(&self, id: u64) -> Option<&ListPoint> {
        self.points.iter().find(|point| point.id == id)
    }

    /// Returns the number of a waypoint for people, from 1.
    pub fn number(&self, id: u64) -> Option<usize> {
        Some(1 + self.points.iter().position(|point| point.id == id)?)
    }

    /// Says whether a robot is at a waypoint: each joint that moves is within its goal tolerance, by
    /// default 0.05 rad or m, of where the waypoint has it.
    ///
    /// `pose` gives where a joint is, in rad or m; whoever has a joint at an unknown place is not
    /// there. Weights on limbs do not count.
    pub fn is_at(&self, id: u64, pose: &dyn Fn(&str) -> Option<f64>) -> bool {
        let Some(point) = self.point(id) else { return false };
        let moved = self.joints.iter().zip(&point.positions);
        let mut moved = moved.filter(|(joint, _)| !joint.muted && !is_support(&joint.name));
        let is_near = |(joint, position): (&ListJoint, &f64)| {
            let tolerance = joint.tolerance.goal.filter(|tolerance| *tolerance > 0.0);
            let off = pose(&joint.name).map(|actual| (actual - position).abs());
            off.is_some_and(|off| off <= tolerance.unwrap_or(DEFAULT_GOAL_TOLERANCE))
        };
        // A list that moves nothing is nowhere.
        moved.clone().next().is_some() && moved.all(is_near)
    }

    pub(super) fn fresh_id(&mut self) -> u64 {
        self.last_id += 1;
        self.last_id
    }

    pub(super) fn column(&self, joint: &str) -> Option<usize> {
        self.joints.iter().position(|known| known.name == joint)
    }
}
