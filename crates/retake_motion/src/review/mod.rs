//! What is wrong with a motion before it runs.
//!
//! Everything is read off the curves through the enabled waypoints, by the roots of polynomials:
//! nothing falls between samples. The way from where a robot stands to the first waypoint is not
//! part of a motion and is not looked at here.

mod finding;
mod limits;
mod picture;

pub use finding::{Finding, FindingKind};
pub use limits::{JointLimits, MAX_FINDINGS, review};
pub use picture::{Drawn, MAX_SAMPLES, draw};

use crate::curve::{CurveError, CurveSet, Knots};
use crate::motion::is_support;
use crate::{Interpolation, Motion, Waypoint};

/// Builds the curves through the enabled waypoints, in the order of the motion's joints; weights on
/// limbs go stepwise. None when fewer than two waypoints count.
///
/// # Errors
/// [`CurveError`] when numbers, sizes or times make no curve.
pub fn curves(motion: &Motion) -> Result<Option<CurveSet>, CurveError> {
    let points: Vec<&Waypoint> = motion.enabled().collect();
    if points.len() < 2 {
        return Ok(None);
    }
    let last = points.len() - 1;
    let mut made: Option<CurveSet> = None;
    let mut from = 0;
    while from < last {
        let to = match motion.interpolation {
            Interpolation::Hermite => same_degree(&points, from),
            _ => last,
        };
        let stretch = stretch(motion, &points[from..=to])?;
        match &mut made {
            Some(made) => made.append(&stretch),
            None => made = Some(stretch),
        }
        from = to;
    }
    Ok(made)
}

/// Returns how many derivatives lead from a waypoint to the next: those that both give.
fn degree(points: &[&Waypoint], segment: usize) -> usize {
    let given = |point: &Waypoint| match point.velocities.is_empty() {
        true => 0,
        false => 1 + usize::from(!point.accelerations.is_empty()),
    };
    given(points[segment]).min(given(points[segment + 1]))
}

/// Returns the waypoint up to which all segments have the degree of the one after `from`.
fn same_degree(points: &[&Waypoint], from: usize) -> usize {
    let last = points.len() - 1;
    (from + 1..last).find(|at| degree(points, *at) != degree(points, from)).unwrap_or(last)
}

fn stretch(motion: &Motion, points: &[&Waypoint]) -> Result<CurveSet, CurveError> {
    let degree = match motion.interpolation {
        Interpolation::Hermite => degree(points, 0),
        _ => 0,
    };
    let times: Vec<f64> = points.iter().map(|point| point.time_secs).collect();
    // A list that is too short leaves a gap, which is reported with its joint.
    let column = |joint: usize, of: fn(&Waypoint) -> &Vec<f64>, is_given: bool| -> Vec<f64> {
        let given = points.iter().filter(|_| is_given);
        given.filter_map(|point| of(point).get(joint).copied()).collect()
    };
    let columns = (0..motion.joints.len()).map(|joint| {
        [
            column(joint, |point| &point.positions, true),
            column(joint, |point| &point.velocities, degree > 0),
            column(joint, |point| &point.accelerations, degree > 1),
        ]
    });
    let columns: Vec<[Vec<f64>; 3]> = columns.collect();
    let knots = columns.iter().zip(&motion.joints);
    let knots = knots.map(|([positions, velocities, accelerations], joint)| Knots {
        positions,
        velocities,
        accelerations,
        stepwise: is_support(joint),
    });
    CurveSet::new(motion.interpolation, &times, &knots.collect::<Vec<_>>())
}
