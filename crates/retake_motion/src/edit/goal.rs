//! What is played of a list.

use super::convert::timed;
use super::limits::{FASTEST, SLOWEST};
use super::{EditError, ListPoint, WaypointsList};
use crate::motion::is_support;
use crate::player::{FARTHEST, MAX_SECS, SHORTEST_PASS_SECS, nanos};
use crate::{Goal, GoalPoint, Interpolation, Motion, TimedAction, Waypoint};

/// How the stretch between the markers is played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Way {
    /// How fast, against the taught speed: from 0.05 to 20.
    pub speed: f64,
    /// Whether it is played from its end to its start, then without text actions.
    pub backward: bool,
    /// Whether it begins anew at its end; the way back to its first pose is then part of it.
    pub loops: bool,
}

impl Default for Way {
    fn default() -> Self {
        Self { speed: 1.0, backward: false, loops: false }
    }
}

/// The shortest way back of what begins anew, in s.
const LEAST_BACK_SECS: f64 = 0.5;
/// How far the ends of what begins anew may be apart to need no way back, in rad or m.
const SAME_POSE: f64 = 1e-6;

impl WaypointsList {
    /// Returns the stretch from the start to the end marker: waypoints that count, joints that move,
    /// in the list's own time. It has derivatives only where they count, in Hermite curves.
    ///
    /// Text actions before the first waypoint that counts are part of it when that is the start, and
    /// those after the last when that is the end.
    pub fn stretch(&self) -> Motion {
        let derivatives = self.interpolation == Interpolation::Hermite;
        let derived = |list: &[f64]| match derivatives {
            true => self.of_joints(list, false),
            false => Vec::new(),
        };
        let waypoint = |point: &ListPoint| Waypoint {
            time_secs: point.time_secs,
            positions: self.of_joints(&point.positions, false),
            velocities: derived(&point.velocities),
            accelerations: derived(&point.accelerations),
            enabled: true,
            note: point.note.clone(),
            kept: Vec::new(),
        };
        let (from, to) = self.marked().inside();
        let inside = |time: f64| (from..=to).contains(&time);
        let points = self.points.iter().filter(|point| point.enabled && inside(point.time_secs));
        let actions = self.actions.iter().filter(|action| inside(action.time_secs));
        Motion {
            waypoints: points.map(waypoint).collect(),
            actions: actions.map(timed).collect(),
            ..self.empty_motion()
        }
    }

    /// Makes the goal that plays the stretch from the start to the end marker; see [`stretch`].
    ///
    /// Its time begins with the first waypoint; actions before that come at once. It ends at rest.
    /// With `loops` it repeats, and when its ends differ the last point is the first pose again: at
    /// the mean speed of the motion for the joint that has the longest way, but not sooner than in
    /// 0.5 s.
    ///
    /// [`stretch`]: Self::stretch
    ///
    /// # Errors
    /// [`EditError`] when there is nothing to play, or players do not take it at that speed.
    pub fn goal(&self, way: Way) -> Result<Goal, EditError> {
        if !(SLOWEST..=FASTEST).contains(&way.speed) {
            return Err(EditError::Speed { speed: way.speed });
        }
        let mut goal = self.stretch().goal();
        if way.backward {
            goal.actions.clear();
        }
        if goal.points.is_empty() && (goal.actions.is_empty() || !self.joints.is_empty()) {
            return Err(EditError::NothingToPlay);
        }
        if goal.joints.is_empty() && !self.joints.is_empty() {
            return Err(EditError::AllMuted);
        }
        let times = |goal: &Goal| {
            let first = goal.points.first().map_or(0.0, |point| point.time_secs);
            (first, goal.points.last().map_or(0.0, |point| point.time_secs))
        };
        let (first, last) = times(&goal);
        if way.backward {
            turn_around(&mut goal.points, last);
        } else {
            goal.points.iter_mut().for_each(|point| point.time_secs -= first);
        }
        let begun = |action: &mut TimedAction| {
            action.time_secs = (action.time_secs - first).max(0.0);
        };
        goal.actions.iter_mut().for_each(begun);
        let mut goal = goal.at_speed(way.speed);
        come_to_rest(goal.points.last_mut());
        if way.loops {
            come_back(&mut goal);
            goal.repeat = true;
        }
        check_playable(&goal, way.speed)?;
        Ok(goal)
    }
}

fn turn_around(points: &mut [GoalPoint], last_secs: f64) {
    points.reverse();
    for point in points {
        point.time_secs = last_secs - point.time_secs;
        point.velocities.iter_mut().for_each(|velocity| *velocity = -*velocity);
    }
}

/// Lets a point be at rest, since players refuse what ends in motion.
fn come_to_rest(point: Option<&mut GoalPoint>) {
    if let Some(point) = point {
        point.velocities.fill(0.0);
        point.accelerations.fill(0.0);
    }
}

/// Adds the way from the last pose to the first, unless they are the same.
fn come_back(goal: &mut Goal) {
    let (Some(first), Some(last)) = (goal.points.first(), goal.points.last()) else { return };
    let way = distance(&goal.joints, first, last);
    if way <= SAME_POSE {
        return;
    }
    let pairs = goal.points.windows(2);
    let length: f64 = pairs.map(|pair| distance(&goal.joints, &pair[0], &pair[1])).sum();
    // The way there is at least as long as the way back, so that this is at most as long.
    let back_secs = (last.time_secs * way / length).max(LEAST_BACK_SECS);
    let mut back = GoalPoint { time_secs: last.time_secs + back_secs, ..first.clone() };
    come_to_rest(Some(&mut back));
    goal.points.push(back);
}

/// Returns the longest way of one joint between two poses, in rad or m.
fn distance(joints: &[String], a: &GoalPoint, b: &GoalPoint) -> f64 {
    let ways = joints.iter().zip(a.positions.iter().zip(&b.positions));
    let ways = ways.filter(|(joint, _)| !is_support(joint));
    ways.map(|(_, (a, b))| (a - b).abs()).fold(0.0, f64::max)
}

fn check_playable(goal: &Goal, speed: f64) -> Result<(), EditError> {
    let refuse = |what, choose| Err(EditError::Unplayable { speed, what, choose });
    let ends = goal.points.last().map(|point| point.time_secs);
    let ends = ends.into_iter().chain(goal.actions.last().map(|action| action.time_secs));
    let end_secs = ends.fold(0.0, f64::max);
    if end_secs > MAX_SECS {
        return refuse("takes longer than players go on for", "a higher speed");
    }
    if goal.repeat && nanos(end_secs) < nanos(SHORTEST_PASS_SECS) {
        return refuse("is over in less than 0.1 s, too soon to repeat", "no loop, or another end");
    }
    let apart = |pair: &[GoalPoint]| nanos(pair[0].time_secs) < nanos(pair[1].time_secs);
    if !goal.points.windows(2).all(apart) {
        return refuse("has waypoints less than a nanosecond apart", "a lower speed");
    }
    let mut derived =
        goal.points.iter().flat_map(|point| point.velocities.iter().chain(&point.accelerations));
    match derived.any(|value| value.abs() > FARTHEST) {
        true => refuse("is faster than players take", "a lower speed"),
        false => Ok(()),
    }
}
