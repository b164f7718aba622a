//! Few waypoints for a path that was recorded by hand.
//!
//! Waypoints are samples of the recording: first its ends and the edges of standstills, then
//! wherever the curve is farthest off, until it is within a tolerance everywhere; in the end those
//! are dropped that turned out to be needless. That is few, and not always the fewest.

mod knots;
mod path;

use std::ops::Range;

use thiserror::Error;

use crate::Interpolation;
use knots::Recording;
pub use path::RecordedPath;

/// Most samples: ten minutes of 60 in each second.
pub const MAX_SAMPLES: usize = 36_000;
/// Most positions in all samples together.
const MAX_POSITIONS: usize = 4_000_000;
/// Standing longer than this at an end is a pause, in s.
const PAUSE_SECS: f64 = 1.0;

/// Where all joints were at a time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recorded {
    /// In s.
    pub time_secs: f64,
    /// One for each joint, in rad or m.
    pub positions: Vec<f64>,
}

/// Why a recording becomes no waypoints; samples are counted from 1.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum FitError {
    /// There are no samples.
    #[error("nothing was recorded; move the robot while it records")]
    Empty,
    /// No joint moved.
    #[error("nothing moved while it was recorded; move the robot while it records")]
    Still,
    /// There are too many samples.
    #[error("{count} {what} were recorded, and {most} can be fitted; record it in parts")]
    TooLong {
        /// "samples" or "positions".
        what: &'static str,
        /// How many there are.
        count: usize,
        /// How many there may be.
        most: usize,
    },
    /// A sample has another length than the first.
    #[error("sample {sample} has {count} positions, and the first has {joints}")]
    Size {
        /// The sample.
        sample: usize,
        /// How many it has.
        count: usize,
        /// How many there should be.
        joints: usize,
    },
    /// A number is not finite.
    #[error("sample {sample} has {value}; record finite numbers")]
    NotFinite {
        /// The sample.
        sample: usize,
        /// What stands there.
        value: f64,
    },
    /// Times do not grow.
    #[error("sample {sample} is at {time_secs} s, not after {before_secs} s; times must grow")]
    NotIncreasing {
        /// The later sample.
        sample: usize,
        /// Its time.
        time_secs: f64,
        /// That of the one before.
        before_secs: f64,
    },
    /// The tolerance makes no sense.
    #[error("the tolerance is {value}; give a finite number above 0")]
    Tolerance {
        /// What it is.
        value: f64,
    },
}

/// Returns which samples become waypoints, sorted, so that the curve through them is within
/// `tolerance`, in rad or m, of every sample of every joint.
///
/// The first and the last sample are among them. Between waypoints without velocities, Hermite is
/// straight lines.
///
/// # Errors
/// [`FitError`] when there is nothing to fit, too much, or numbers make no sense.
pub fn fit(
    path: &[Recorded],
    tolerance: f64,
    interpolation: Interpolation,
) -> Result<Vec<usize>, FitError> {
    if !(tolerance.is_finite() && tolerance > 0.0) {
        return Err(FitError::Tolerance { value: tolerance });
    }
    check(path)?;
    Ok(Recording::new(path, tolerance, interpolation).fit())
}

/// Returns the samples without the pauses at both ends: where no joint goes farther than `still`, in
/// rad or m, from the first or the last sample for more than 1 s.
///
/// Of a path on which nothing moves one sample is left.
pub fn trim(path: &[Recorded], still: f64) -> Range<usize> {
    let (Some(first), Some(last)) = (path.first(), path.last()) else { return 0..0 };
    let is_near = |a: &Recorded, b: &Recorded| {
        a.positions.iter().zip(&b.positions).all(|(a, b)| (a - b).abs() <= still)
    };
    let standing = path.iter().take_while(|sample| is_near(sample, first)).count();
    if standing == path.len() && last.time_secs - first.time_secs > PAUSE_SECS {
        return 0..1;
    }
    // The last sample of a pause is the first of what follows.
    let start = standing.saturating_sub(1);
    let resting = path.iter().rev().take_while(|sample| is_near(sample, last)).count();
    let end = path.len() - resting.saturating_sub(1);
    let is_pause = |from: &Recorded, to: &Recorded| to.time_secs - from.time_secs > PAUSE_SECS;
    let start = if is_pause(first, &path[start]) { start } else { 0 };
    let end = if is_pause(&path[end - 1], last) { end } else { path.len() };
    start..end.max(start + 1)
}

fn check(path: &[Recorded]) -> Result<(), FitError> {
    let first = path.first().ok_or(FitError::Empty)?;
    let joints = first.positions.len();
    let counts = [
        ("samples", path.len(), MAX_SAMPLES),
        ("positions", path.len().saturating_mul(joints), MAX_POSITIONS),
    ];
    if let Some((what, count, most)) = counts.into_iter().find(|(_, count, most)| count > most) {
        return Err(FitError::TooLong { what, count, most });
    }
    for (sample, recorded) in (1..).zip(path) {
        let count = recorded.positions.len();
        if count != joints {
            return Err(FitError::Size { sample, count, joints });
        }
        let mut numbers = recorded.positions.iter().chain([&recorded.time_secs]);
        if let Some(value) = numbers.find(|value| !value.is_finite()) {
            return Err(FitError::NotFinite { sample, value: *value });
        }
    }
    for (sample, pair) in (2..).zip(path.windows(2)) {
        let (before_secs, time_secs) = (pair[0].time_secs, pair[1].time_secs);
        if time_secs <= before_secs {
            return Err(FitError::NotIncreasing { sample, time_secs, before_secs });
        }
    }
    Ok(())
}
