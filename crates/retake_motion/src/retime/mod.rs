//! Times for waypoints, as short as joints allow.
//!
//! The spans between waypoints are shortened one by one, as long as the curve through all of them
//! stays within the limits of velocity and acceleration. That ends where no single span can be
//! shortened any more, which is not always the shortest of all motions. Lines have corners, whatever
//! their times: of them only the velocity counts.

mod search;
mod spans;

use thiserror::Error;

use crate::curve::{CurveError, CurveSet, Knots};
use crate::motion::is_support;
use crate::review::JointLimits;
use crate::{Interpolation, Motion, Waypoint};

use spans::{Column, Spans};

/// Shortest time between two enabled waypoints, in s.
pub const SHORTEST_SECS: f64 = 1e-3;

/// Why waypoints get no new times.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum RetimeError {
    /// Fewer than two waypoints count.
    #[error("fewer than two waypoints are enabled, so that there are no times to choose")]
    TooFew,
    /// A joint may be as fast as it likes.
    #[error("joint {joint:?} has no limit that its times could keep to; give its {what}")]
    NoLimit {
        /// The joint.
        joint: String,
        /// Which number would do.
        what: &'static str,
    },
    /// A limit makes no sense.
    #[error("{what} of joint {joint:?} is {value}; give a number above 0")]
    Limit {
        /// The joint.
        joint: String,
        /// Which number.
        what: &'static str,
        /// What it is.
        value: f64,
    },
    /// Velocities belong to the times that are there.
    #[error(
        "waypoint {waypoint} gives velocities, which belong to its time; take them out, or choose \
         another interpolation"
    )]
    Velocities {
        /// The waypoint, from 1.
        waypoint: usize,
    },
    /// The waypoints make no curve.
    #[error("the waypoints make no curve: {0}")]
    Curve(#[from] CurveError),
    /// A number is too large to compute with.
    #[error("no times fit: positions are too far apart for the limits, or times for each other")]
    OutOfRange,
    /// Two times would be the same number.
    #[error(
        "the new time of waypoint {waypoint} cannot be told apart from the one before; begin nearer \
         to 0 s, or delete one of them"
    )]
    TooClose {
        /// The waypoint, from 1.
        waypoint: usize,
    },
}

/// Returns new times for all waypoints, in s, with which the motion takes as little time as the
/// limits of velocity and acceleration allow.
///
/// The first enabled waypoint keeps its time. Disabled ones keep their place between the enabled
/// ones, and what is before the first or after the last keeps its distance. `limits` are in the order
/// of the motion's joints; limits of positions do not count. No span gets shorter than
/// [`SHORTEST_SECS`], and one in which nothing moves gets as short as that. The motion becomes never
/// longer than by slowing down or speeding up all of it evenly.
///
/// # Errors
/// [`RetimeError`] when there is nothing to choose or nothing to choose by.
pub fn retime(motion: &Motion, limits: &[JointLimits]) -> Result<Vec<f64>, RetimeError> {
    let enabled: Vec<&Waypoint> = motion.enabled().collect();
    if enabled.len() < 2 {
        return Err(RetimeError::TooFew);
    }
    check_velocities(motion)?;
    let before: Vec<f64> = enabled.iter().map(|point| point.time_secs).collect();
    check_curves(motion, &before, &enabled)?;
    let columns = columns(motion, &enabled, limits)?;
    let spans = before.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let mut spans = Spans::new(motion.interpolation, spans, columns);
    search::shorten(&mut spans).ok_or(RetimeError::OutOfRange)?;
    let mut after = vec![before[0]];
    for span_secs in spans.secs() {
        after.push(after[after.len() - 1] + span_secs);
    }
    let times = motion.waypoints.iter().map(|point| carry(&before, &after, point.time_secs));
    let times: Vec<f64> = times.collect();
    match times.windows(2).position(|pair| pair[0] >= pair[1]) {
        Some(at) => Err(RetimeError::TooClose { waypoint: at + 2 }),
        None => Ok(times),
    }
}

/// Carries a time over from old times of waypoints to new ones: it keeps its place between its two
/// neighbours, and its distance before the first and after the last.
///
/// Both lists are sorted and of one length; without any times it stays. Text actions move with their
/// motion by this.
pub fn carry(before: &[f64], after: &[f64], time_secs: f64) -> f64 {
    let next = before.partition_point(|time| *time <= time_secs);
    let neighbours =
        |list: &[f64]| Some((*list.get(next.checked_sub(1)?)?, list.get(next).copied()));
    match (neighbours(before), neighbours(after)) {
        (Some((from, Some(to))), Some((new_from, Some(new_to)))) => {
            let share = (time_secs - from) / (to - from);
            new_from + (new_to - new_from) * share
        }
        (Some((last, _)), Some((new_last, _))) => new_last + (time_secs - last),
        _ => match (before.first(), after.first()) {
            (Some(first), Some(new_first)) => new_first + (time_secs - first),
            _ => time_secs,
        },
    }
}

fn check_velocities(motion: &Motion) -> Result<(), RetimeError> {
    let gives = |point: &Waypoint| point.enabled && !point.velocities.is_empty();
    match motion.waypoints.iter().position(gives) {
        Some(at) if motion.interpolation == Interpolation::Hermite => {
            Err(RetimeError::Velocities { waypoint: at + 1 })
        }
        _ => Ok(()),
    }
}

/// Checks sizes, numbers and times, as building the curves does.
fn check_curves(motion: &Motion, times: &[f64], points: &[&Waypoint]) -> Result<(), RetimeError> {
    let column = |joint: usize| -> Vec<f64> {
        points.iter().filter_map(|point| point.positions.get(joint).copied()).collect()
    };
    let columns: Vec<Vec<f64>> = (0..motion.joints.len()).map(column).collect();
    let knots = columns.iter().map(|positions| Knots {
        positions,
        velocities: &[],
        accelerations: &[],
        stepwise: true,
    });
    CurveSet::new(Interpolation::Linear, times, &knots.collect::<Vec<_>>())?;
    Ok(())
}

/// Returns the joints that move, with what they are allowed.
fn columns(
    motion: &Motion,
    points: &[&Waypoint],
    limits: &[JointLimits],
) -> Result<Vec<Column>, RetimeError> {
    let mut columns = Vec::new();
    for (joint, name) in motion.joints.iter().enumerate() {
        let positions: Vec<f64> = points.iter().map(|point| point.positions[joint]).collect();
        let moves = positions.windows(2).any(|pair| pair[0] != pair[1]);
        if is_support(name) || !moves {
            continue;
        }
        let limits = limits.get(joint).copied().unwrap_or_default();
        let (velocity, acceleration) = (limits.max_velocity, limits.max_acceleration);
        for (what, value) in [("max_velocity", velocity), ("max_acceleration", acceleration)] {
            if value.is_nan() || value <= 0.0 {
                return Err(RetimeError::Limit { joint: name.clone(), what, value });
            }
        }
        let is_straight =
            matches!(motion.interpolation, Interpolation::Linear | Interpolation::Hermite);
        let missing = match (velocity.is_finite(), acceleration.is_finite()) {
            (false, _) if is_straight => Some("max_velocity"),
            (false, false) => Some("max_velocity or its max_acceleration"),
            _ => None,
        };
        if let Some(what) = missing {
            return Err(RetimeError::NoLimit { joint: name.clone(), what });
        }
        columns.push(Column::new(positions, velocity, acceleration));
    }
    Ok(columns)
}
