//! A goal that was taken.

use serde::{Deserialize, Serialize};

use super::{Robot, Rules, RunProgress};
use crate::curve::Sample;
use crate::{Goal, TimedAction};

/// A goal that was taken, with what was found out when it was.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// Its number, from 1; none is given twice.
    pub id: u64,
    /// What its sender calls it; of one that an action started, the id of the goal with the action,
    /// a slash and a name.
    pub goal_id: String,
    /// The player that has it.
    pub player: u64,
    /// The rules that it was taken by.
    pub rules: Rules,
    /// What is to be done.
    pub kind: RunKind,
    /// Groups that it takes, sorted.
    pub groups: Vec<usize>,
    /// The sender must say that it is there once in so many nanoseconds; 0 never.
    pub keep_alive_nanos: i64,
}

/// What a run does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum RunKind {
    /// Follows a trajectory, then ends.
    Goal(Box<GoalRun>),
    /// Follows poses that others publish, until it is told to stop.
    Follow(Follow),
}

/// A trajectory and how it fits the robot.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GoalRun {
    /// The goal.
    pub goal: Goal,
    /// Goals that its actions may start.
    pub nested: Vec<Goal>,
    /// Joints that it moves.
    pub moved: Vec<Moved>,
    /// Columns of the goal that are weights on limbs.
    pub supports: Vec<usize>,
    /// What was passed of it when it began, in nanoseconds of its own time.
    pub begun_nanos: i64,
    /// Where the moved joints were when it began; empty before.
    pub anchor: Vec<Sample>,
}

/// A joint that a goal moves.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Moved {
    /// Place in the robot.
    pub joint: usize,
    /// Place in the goal.
    pub column: usize,
    /// Added to each position: whole turns of a joint without end.
    pub shift: f64,
    /// How far it may be off on the way, in rad or m; infinite is any distance.
    #[serde(with = "infinite_as_none")]
    pub path: f64,
    /// How much faster or slower it may be on the way, in rad/s or m/s; infinite is any speed.
    #[serde(with = "infinite_as_none")]
    pub path_velocity: f64,
    /// How far it may be off at the end, in rad or m; infinite is any distance.
    #[serde(with = "infinite_as_none")]
    pub goal: f64,
    /// How fast it may be at the end, in rad/s or m/s; infinite is any speed.
    #[serde(with = "infinite_as_none")]
    pub goal_velocity: f64,
}

/// Not every format has a word for infinity.
mod infinite_as_none {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes fields so")]
    pub(super) fn serialize<S: Serializer>(value: &f64, to: S) -> Result<S::Ok, S::Error> {
        Some(*value).filter(|value| value.is_finite()).serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
        Option::<f64>::deserialize(from).map(|value| value.unwrap_or(f64::INFINITY))
    }
}

/// Where others want joints to be.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Follow {
    /// Joint and where it is to be, in rad or m; sorted by joint.
    pub targets: Vec<(usize, f64)>,
    /// Group and the number under which it was asked for: the latest gets it when it is free.
    pub asked: Vec<(usize, u64)>,
}

impl Follow {
    /// Returns the number under which a group was asked for, if it was.
    pub fn asked_for(&self, group: usize) -> Option<u64> {
        self.asked.iter().find(|(asked, _)| *asked == group).map(|(_, number)| *number)
    }
}

impl Run {
    /// Returns the name of its motion, for people.
    pub fn name(&self) -> &str {
        match &self.kind {
            RunKind::Goal(run) => &run.goal.name,
            RunKind::Follow(_) => "joint states of others",
        }
    }

    /// Says whether its joints and groups are those of a robot.
    pub(super) fn fits(&self, robot: &Robot) -> bool {
        let (joints, groups) = (robot.joints().len(), robot.groups().len());
        let has_joints = match &self.kind {
            RunKind::Goal(run) => run.moved.iter().all(|moved| moved.joint < joints),
            RunKind::Follow(follow) => follow.targets.iter().all(|(joint, ..)| *joint < joints),
        };
        has_joints && self.groups.iter().all(|group| *group < groups)
    }

    /// Returns when a goal is over, in nanoseconds of its own time; none of what never is.
    pub fn end_nanos(&self) -> Option<i64> {
        match &self.kind {
            RunKind::Goal(run) => Some(run.end_nanos()),
            RunKind::Follow(_) => None,
        }
    }

    /// Says whether it moves a joint.
    pub fn moves(&self, joint: usize) -> bool {
        match &self.kind {
            RunKind::Goal(run) => run.moved.iter().any(|moved| moved.joint == joint),
            RunKind::Follow(follow) => follow.targets.iter().any(|(target, _)| *target == joint),
        }
    }
}

impl Run {
    /// Returns where a joint is to be that follows poses.
    pub(super) fn target(&self, joint: usize) -> Option<f64> {
        let RunKind::Follow(follow) = &self.kind else { return None };
        let place = follow.targets.binary_search_by_key(&joint, |(target, _)| *target).ok()?;
        Some(follow.targets[place].1)
    }

    /// Says whether an action of the goal with that id started it, or one of a goal so started.
    pub(super) fn is_below(&self, goal_id: &str) -> bool {
        self.goal_id.strip_prefix(goal_id).is_some_and(|rest| rest.starts_with('/'))
    }

    /// Returns the text actions whose time has come in the last period.
    pub fn due(&self, progress: &RunProgress) -> &[TimedAction] {
        let actions: &[TimedAction] = match &self.kind {
            RunKind::Goal(run) if progress.moved => &run.goal.actions,
            _ => &[],
        };
        let up_to =
            |nanos: i64| actions.partition_point(|action| super::nanos(action.time_secs) <= nanos);
        let (from, to) = (up_to(progress.fired_nanos), up_to(progress.elapsed_nanos));
        actions.get(from..to).unwrap_or_default()
    }
}

impl GoalRun {
    /// Returns when the last point and the last action are over, in nanoseconds of its own time.
    pub fn end_nanos(&self) -> i64 {
        let point = self.goal.points.last().map_or(0.0, |point| point.time_secs);
        let action = self.goal.actions.last().map_or(0.0, |action| action.time_secs);
        super::nanos(point.max(action))
    }
}
