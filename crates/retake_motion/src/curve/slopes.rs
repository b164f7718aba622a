//! Velocities at the knots, when only positions are given.
//!
//! A motion begins and ends at rest, because before and after it the joints are held. All ways but
//! the natural one therefore give no velocity at the ends.

use crate::Interpolation;

/// What is known of a joint: where it is, and when.
#[derive(Clone, Copy)]
pub(crate) struct Path<'a> {
    pub(crate) times: &'a [f64],
    pub(crate) positions: &'a [f64],
}

impl Path<'_> {
    fn spans(&self) -> usize {
        self.times.len().saturating_sub(1)
    }

    fn span_secs(&self, index: usize) -> f64 {
        self.times[index + 1] - self.times[index]
    }

    /// The mean velocity from one knot to the next.
    fn mean(&self, index: usize) -> f64 {
        (self.positions[index + 1] - self.positions[index]) / self.span_secs(index)
    }
}

/// Returns the velocities at the knots that an interpolation of positions chooses; none of lines.
pub(crate) fn chosen(interpolation: Interpolation, path: Path<'_>) -> Option<Vec<f64>> {
    match interpolation {
        Interpolation::Monotone => Some(monotone(path)),
        Interpolation::Akima => Some(akima(path)),
        Interpolation::Natural => Some(continuous_acceleration(path, [CurveEnd::Natural; 2])),
        Interpolation::Clamped => Some(continuous_acceleration(path, [CurveEnd::Moving(0.0); 2])),
        Interpolation::Linear | Interpolation::Hermite => None,
    }
}

/// Keeps every stretch monotone (Fritsch and Butland): the harmonic mean of the neighbours' mean
/// velocities, the nearer one weighing more, and rest at every turning point.
fn monotone(path: Path<'_>) -> Vec<f64> {
    let slope = |knot: usize| {
        if knot == 0 || knot >= path.spans() {
            return 0.0;
        }
        let (before, after) = (path.mean(knot - 1), path.mean(knot));
        if before.signum() != after.signum() || before == 0.0 || after == 0.0 {
            return 0.0;
        }
        let (earlier, later) = (path.span_secs(knot - 1), path.span_secs(knot));
        let (first, second) = (2.0 * later + earlier, later + 2.0 * earlier);
        (first + second) / (first / before + second / after)
    };
    (0..path.times.len()).map(slope).collect()
}

/// Modified Akima: the mean of the neighbours' mean velocities, where the side on which they change
/// less weighs more.
///
/// Beyond the ends the joint stands, which gives rest at the ends by the same rule.
fn akima(path: Path<'_>) -> Vec<f64> {
    // Counted from two before the first one, which is where the rule begins to look.
    let mean = |index: usize| match index.checked_sub(2) {
        Some(span) if span < path.spans() => path.mean(span),
        _ => 0.0,
    };
    let slope = |knot: usize| {
        let (earlier, before, after, later) =
            (mean(knot), mean(knot + 1), mean(knot + 2), mean(knot + 3));
        let weight_before = (later - after).abs() + (later + after).abs() / 2.0;
        let weight_after = (before - earlier).abs() + (before + earlier).abs() / 2.0;
        let sum = weight_before + weight_after;
        if sum > 0.0 { before * (weight_before / sum) + after * (weight_after / sum) } else { 0.0 }
    };
    (0..path.times.len()).map(slope).collect()
}

/// What a curve of continuous acceleration does at one of its ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum CurveEnd {
    /// Does not accelerate.
    Natural,
    /// Has this velocity.
    Moving(f64),
}

/// Makes the acceleration continuous.
///
/// Each inner knot gives an equation of its velocity and those of its neighbours. The matrix has
/// three diagonals and its main one outweighs the others, so that elimination needs no pivots.
pub(crate) fn continuous_acceleration(path: Path<'_>, ends: [CurveEnd; 2]) -> Vec<f64> {
    let count = path.times.len();
    let mut slopes = vec![0.0; count];
    if count < 2 {
        return slopes;
    }
    let last = count - 1;
    // Of each row, after elimination: the factor of the next velocity, and the right side.
    let mut above = vec![0.0; count];
    (above[0], slopes[0]) = match ends[0] {
        CurveEnd::Natural => (0.5, 1.5 * path.mean(0)),
        CurveEnd::Moving(velocity) => (0.0, velocity),
    };
    for row in 1..last {
        let (before, after) = (path.span_secs(row - 1), path.span_secs(row));
        let near = after / (before + after);
        let far = before / (before + after);
        let right = 3.0 * (near * path.mean(row - 1) + far * path.mean(row));
        let pivot = 2.0 - near * above[row - 1];
        above[row] = far / pivot;
        slopes[row] = (right - near * slopes[row - 1]) / pivot;
    }
    slopes[last] = match ends[1] {
        CurveEnd::Natural => {
            (3.0 * path.mean(last - 1) - slopes[last - 1]) / (2.0 - above[last - 1])
        }
        CurveEnd::Moving(velocity) => velocity,
    };
    for row in (0..last).rev() {
        slopes[row] -= above[row] * slopes[row + 1];
    }
    slopes
}
