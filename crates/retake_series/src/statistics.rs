//! Statistics of a range, exact and without looking at every sample.

use crate::walk::{Run, runs};
use crate::{Series, Timeline};

/// What the live samples of a range have in common; gaps are left out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Statistics {
    /// Number of finite samples.
    pub count: usize,
    /// Smallest.
    pub min: f64,
    /// Largest.
    pub max: f64,
    /// Mean.
    pub mean: f64,
    /// Root of the mean square.
    pub rms: f64,
    /// Standard deviation of the samples as they are: divided by their number.
    pub standard_deviation: f64,
    /// Value at the beginning of the range, as [`Series::at`] gives it.
    pub first: Option<f64>,
    /// Value at the end of the range, as [`Series::at`] gives it.
    pub last: Option<f64>,
}

/// Number, mean and squared deviations of some samples.
///
/// Two of them can be joined without the loss of digits that sums of squares suffer.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Moments {
    count: usize,
    mean: f64,
    squared_deviations: f64,
}

impl Moments {
    pub(crate) fn of(values: &[f64]) -> Self {
        let finite = values.iter().filter(|value| value.is_finite());
        let count = finite.clone().count();
        if count == 0 {
            return Self::default();
        }
        // Divided before they are added, so that a sum of huge samples stays finite.
        let scale = 1.0 / count as f64;
        let mean: f64 = finite.clone().map(|value| value * scale).sum();
        let squared_deviations = finite.map(|value| (value - mean) * (value - mean)).sum();
        Self { count, mean, squared_deviations }
    }

    pub(crate) fn join(&mut self, other: Self) {
        if other.count == 0 {
            return;
        }
        let count = self.count + other.count;
        let share = other.count as f64 / count as f64;
        let apart = other.mean - self.mean;
        self.mean += apart * share;
        self.squared_deviations +=
            other.squared_deviations + apart * apart * share * self.count as f64;
        self.count = count;
    }
}

impl Series {
    /// Returns statistics of the finite live samples from one time to another, both included.
    ///
    /// There are none without such a sample. They equal what a loop over the samples gives but
    /// for rounding.
    pub fn statistics(
        &self,
        timeline: &Timeline,
        from_ns: i64,
        until_ns: i64,
    ) -> Option<Statistics> {
        let runs = runs(self, timeline.live(), from_ns, until_ns);
        let mut moments = Moments::default();
        let (mut min, mut max) = (f64::INFINITY, f64::NEG_INFINITY);
        for piece in runs.iter().flat_map(Run::pieces) {
            let cell = piece.chunk.cell(piece.range.clone());
            (min, max) = (min.min(cell.min), max.max(cell.max));
            moments.join(piece.chunk.moments(piece.range));
        }
        let Moments { count, mean, squared_deviations } = moments;
        let variance = squared_deviations / count as f64;
        (count > 0).then(|| Statistics {
            count,
            min,
            max,
            mean,
            rms: mean.hypot(variance.sqrt()),
            standard_deviation: variance.sqrt(),
            first: self.at(timeline, from_ns),
            last: self.at(timeline, until_ns),
        })
    }
}
