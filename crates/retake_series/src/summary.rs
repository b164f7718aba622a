//! What is known of a run of samples without looking at them: the extremes and where they are.

/// Extremes of a run of samples inside one chunk; positions count from the chunk's start.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Summary {
    pub(crate) min: f64,
    pub(crate) max: f64,
    min_at: u16,
    max_at: u16,
    gap_at: u16,
}

/// No position: no finite sample, or no gap.
const NOWHERE: u16 = u16::MAX;

impl Summary {
    /// A run without samples.
    pub(crate) const EMPTY: Self = Self {
        min: f64::INFINITY,
        max: f64::NEG_INFINITY,
        min_at: NOWHERE,
        max_at: NOWHERE,
        gap_at: NOWHERE,
    };

    /// Says whether there is at least one finite sample.
    pub(crate) fn has_values(&self) -> bool {
        self.min_at != NOWHERE
    }

    /// Where the first smallest sample is; of use only if there are values.
    pub(crate) fn min_at(&self) -> usize {
        self.min_at.into()
    }

    /// Where the first largest sample is; of use only if there are values.
    pub(crate) fn max_at(&self) -> usize {
        self.max_at.into()
    }

    /// Where the first gap is.
    pub(crate) fn gap_at(&self) -> Option<usize> {
        (self.gap_at != NOWHERE).then_some(self.gap_at.into())
    }

    /// Takes in samples that follow, the first of them at position `from`.
    pub(crate) fn take(&mut self, from: usize, values: &[f64]) {
        for (at, value) in (from as u16..).zip(values) {
            if *value < self.min {
                (self.min, self.min_at) = (*value, at);
            }
            if *value > self.max {
                (self.max, self.max_at) = (*value, at);
            }
            if value.is_nan() && self.gap_at == NOWHERE {
                self.gap_at = at;
            }
        }
    }

    /// Takes in the summaries of runs that follow.
    pub(crate) fn join(&mut self, later: &[Self]) {
        for run in later {
            if run.min < self.min {
                (self.min, self.min_at) = (run.min, run.min_at);
            }
            if run.max > self.max {
                (self.max, self.max_at) = (run.max, run.max_at);
            }
            if self.gap_at == NOWHERE {
                self.gap_at = run.gap_at;
            }
        }
    }
}
