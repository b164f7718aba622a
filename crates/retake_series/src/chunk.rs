//! A bounded run of samples with a pyramid of their extremes.
//!
//! Chunks only grow, and a full one never changes, so clones of a series share them. A level of the
//! pyramid has one summary for each complete group of samples; what is beyond the last complete
//! group is looked at sample by sample.

use std::ops::Range;

use crate::statistics::Moments;
use crate::summary::Summary;
use crate::times::Times;

/// Samples of a full chunk.
pub(crate) const CHUNK: usize = 4096;

/// Samples of a group, as powers of two, for each level of the pyramid.
const GROUP_BITS: [u32; 3] = [4, 8, 12];

/// Samples in order of time.
#[derive(Clone, Debug)]
pub(crate) struct Chunk {
    times: Times,
    values: Vec<f64>,
    levels: [Vec<Summary>; GROUP_BITS.len()],
    /// Known once the chunk is full.
    moments: Option<Moments>,
}

impl Chunk {
    pub(crate) fn new() -> Self {
        Self { times: Times::new(), values: Vec::new(), levels: Default::default(), moments: None }
    }

    pub(crate) fn len(&self) -> usize {
        self.values.len()
    }

    pub(crate) fn is_full(&self) -> bool {
        self.values.len() >= CHUNK
    }

    /// Appends a sample that comes after all others; the chunk must not be full.
    pub(crate) fn push(&mut self, time_ns: i64, value: f64) {
        self.times.push(time_ns);
        self.values.push(value);
        self.summarise_complete_groups();
        if self.is_full() {
            self.moments = Some(Moments::of(&self.values));
            self.times.shrink();
        }
    }

    pub(crate) fn time(&self, index: usize) -> i64 {
        self.times.get(index)
    }

    pub(crate) fn value(&self, index: usize) -> f64 {
        self.values[index]
    }

    pub(crate) fn values(&self, range: Range<usize>) -> &[f64] {
        &self.values[range]
    }

    /// Time of the last sample; chunks in use are never empty.
    pub(crate) fn last_time(&self) -> i64 {
        self.times.get(self.values.len().saturating_sub(1))
    }

    /// Counts the samples at or before a time.
    pub(crate) fn count_until(&self, time_ns: i64) -> usize {
        self.times.count_until(time_ns)
    }

    /// Returns the extremes of a run of samples.
    pub(crate) fn summary(&self, range: Range<usize>) -> Summary {
        let mut summary = Summary::EMPTY;
        self.gather(0, range, &mut summary);
        summary
    }

    /// Returns the moments of a run of samples.
    pub(crate) fn moments(&self, range: Range<usize>) -> Moments {
        match self.moments {
            Some(moments) if range == (0..CHUNK) => moments,
            _ => Moments::of(&self.values[range]),
        }
    }

    /// Memory in use, the struct itself included.
    pub(crate) fn bytes(&self) -> usize {
        let groups: usize = self.levels.iter().map(Vec::capacity).sum();
        size_of::<Self>()
            + self.times.heap_bytes()
            + self.values.capacity() * size_of::<f64>()
            + groups * size_of::<Summary>()
    }

    /// Takes the ends of the range from `level` and the middle from coarser ones.
    ///
    /// Level 0 is the samples; both ends of the range lie on groups of the level.
    fn gather(&self, level: usize, range: Range<usize>, summary: &mut Summary) {
        if let Some(bits) = GROUP_BITS.get(level) {
            let group = 1 << bits;
            let (from, until) =
                ((range.start + group - 1) & !(group - 1), range.end & !(group - 1));
            if from < until {
                self.scan(level, range.start..from, summary);
                self.gather(level + 1, from..until, summary);
                self.scan(level, until..range.end, summary);
                return;
            }
        }
        self.scan(level, range, summary);
    }

    fn scan(&self, level: usize, range: Range<usize>, summary: &mut Summary) {
        match level.checked_sub(1) {
            None => summary.take(range.start, &self.values[range]),
            Some(level) => {
                let bits = GROUP_BITS[level];
                summary.join(&self.levels[level][range.start >> bits..range.end >> bits]);
            }
        }
    }

    fn summarise_complete_groups(&mut self) {
        let len = self.values.len();
        for (level, bits) in GROUP_BITS.into_iter().enumerate() {
            let group = 1 << bits;
            if !len.is_multiple_of(group) {
                return;
            }
            let mut summary = Summary::EMPTY;
            self.scan(level, len - group..len, &mut summary);
            self.levels[level].push(summary);
        }
    }
}
