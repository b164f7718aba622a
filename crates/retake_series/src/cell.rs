//! What is to be drawn of a run of samples, known without looking at them again.

use std::ops::Range;

/// A run of samples of one chunk: the values that are drawn, and where in the chunk they are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cell {
    pub(crate) first: f64,
    pub(crate) last: f64,
    pub(crate) min: f64,
    pub(crate) max: f64,
    start: u16,
    min_at: u16,
    max_at: u16,
    gap_at: u16,
}

/// No gap.
const NOWHERE: u16 = u16::MAX;

impl Cell {
    /// Looks at the samples of a range, which must not be empty.
    pub(crate) fn of(values: &[f64], range: Range<usize>) -> Self {
        let start = range.start as u16;
        let inside = &values[range];
        let min = fold(inside, f64::INFINITY, |value, best| value < best);
        let max = fold(inside, f64::NEG_INFINITY, |value, best| value > best);
        let place = |wanted: f64| {
            inside.iter().position(|value| *value == wanted).map_or(start, |at| start + at as u16)
        };
        let gap = inside.iter().position(|value| value.is_nan());
        Self {
            first: inside[0],
            last: inside[inside.len() - 1],
            min,
            max,
            start,
            min_at: place(min),
            max_at: place(max),
            gap_at: gap.map_or(NOWHERE, |at| start + at as u16),
        }
    }

    /// Takes in the run that follows.
    pub(crate) fn join(&mut self, later: &Self) {
        self.last = later.last;
        if later.min < self.min {
            (self.min, self.min_at) = (later.min, later.min_at);
        }
        if later.max > self.max {
            (self.max, self.max_at) = (later.max, later.max_at);
        }
        if self.gap_at == NOWHERE {
            self.gap_at = later.gap_at;
        }
    }

    /// Says whether there are values at all, not only gaps.
    pub(crate) fn has_values(&self) -> bool {
        self.min <= self.max
    }

    /// Where the run begins.
    pub(crate) fn start(&self) -> usize {
        self.start.into()
    }

    /// Where the first smallest sample is; the start if there are only gaps.
    pub(crate) fn min_at(&self) -> usize {
        self.min_at.into()
    }

    /// Where the first largest sample is; the start if there are only gaps.
    pub(crate) fn max_at(&self) -> usize {
        self.max_at.into()
    }

    /// Where the first gap is.
    pub(crate) fn gap_at(&self) -> Option<usize> {
        (self.gap_at != NOWHERE).then_some(self.gap_at.into())
    }
}

/// Returns the best of some numbers, not-a-number left out.
///
/// Several lanes and no branches: this is what looking at samples costs.
fn fold(values: &[f64], start: f64, is_better: impl Fn(f64, f64) -> bool) -> f64 {
    let pick = |value, best| if is_better(value, best) { value } else { best };
    let (groups, rest) = values.as_chunks::<4>();
    let mut lanes = [start; 4];
    for group in groups {
        for (best, value) in lanes.iter_mut().zip(group) {
            *best = pick(*value, *best);
        }
    }
    lanes.iter().chain(rest).fold(start, |best, value| pick(*value, best))
}
