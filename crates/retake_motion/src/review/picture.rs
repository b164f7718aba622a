//! Curves as a page draws them.

use crate::curve::{CurveSet, Sample};

/// Most samples of each joint; who asks for more gets as many.
pub const MAX_SAMPLES: usize = 10_000;

/// What all joints do at even times.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Drawn {
    /// Time of the first sample, in s.
    pub from_secs: f64,
    /// Time of the last sample, in s.
    pub to_secs: f64,
    /// Of each joint, its samples.
    pub joints: Vec<Vec<Sample>>,
}

/// Samples curves at even times, the first and the last knot included; `samples` of each joint, at
/// most [`MAX_SAMPLES`]. A single sample is that of the first knot.
pub fn draw(curves: &CurveSet, samples: usize) -> Drawn {
    let samples = samples.min(MAX_SAMPLES);
    let (from_secs, to_secs) = (curves.start_secs(), curves.end_secs());
    let mut joints = vec![Vec::with_capacity(samples); curves.len()];
    let mut row = vec![Sample::default(); curves.len()];
    for at in 0..samples {
        let share = at as f64 / (samples - 1).max(1) as f64;
        // Weighing both ends meets them to the last bit, and cannot overflow.
        curves.sample_all(from_secs * (1.0 - share) + to_secs * share, &mut row);
        joints.iter_mut().zip(&row).for_each(|(joint, sample)| joint.push(*sample));
    }
    Drawn { from_secs, to_secs, joints }
}
