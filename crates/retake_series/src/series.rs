//! All samples of one signal.

use crate::Timeline;
use crate::column::Column;

/// All samples of one signal, by epoch.
///
/// A clone shares all full chunks with its origin, so keeping a run costs next to nothing: about a
/// tenth of a millisecond for ten million samples.
#[derive(Clone, Debug, Default)]
pub struct Series {
    /// In the order of arrival; samples usually go into the last one.
    columns: Vec<(u64, Column)>,
    len: usize,
    limits: Limits,
}

/// How much a series keeps.
///
/// What is beyond is dropped oldest chunk first, in the order of arrival, a whole chunk at a time:
/// a series holds at least what the limits allow, and less than two chunks of 4,096 samples more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Samples in all epochs together.
    pub max_samples: usize,
    /// How long before the latest sample a sample may be, in simulated time.
    pub max_age_ns: i64,
}

impl Default for Limits {
    /// Sixteen million samples of any age: 150 MB if they come at even intervals.
    fn default() -> Self {
        Self { max_samples: 16_000_000, max_age_ns: i64::MAX }
    }
}

/// What became of a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pushed {
    /// It is the last one of its epoch now.
    Appended,
    /// It was not later than the last one of its epoch, which stays: the first sample of an
    /// instant counts, and what was seen once does not change.
    TooLate,
}

impl Series {
    /// Makes a series without samples and with the usual limits.
    pub fn new() -> Self {
        Self::default()
    }

    /// Makes a series without samples.
    pub fn with_limits(limits: Limits) -> Self {
        Self { limits, ..Self::default() }
    }

    /// Changes the limits, and drops what is beyond them.
    pub fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
        self.drop_surplus();
    }

    /// Returns the limits.
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// Appends a sample to an epoch; a value that is not finite is a gap.
    ///
    /// Samples of an epoch come in order of time, and epochs one after the other.
    pub fn push(&mut self, epoch: u64, time_ns: i64, value: f64) -> Pushed {
        let column = self.column_to_write(epoch);
        if column.last_time().is_some_and(|last_ns| time_ns <= last_ns) {
            return Pushed::TooLate;
        }
        let opens_chunk = column.wants_chunk();
        column.push(time_ns, if value.is_finite() { value } else { f64::NAN });
        self.len += 1;
        if opens_chunk {
            self.drop_surplus();
        }
        Pushed::Appended
    }

    /// Returns how many samples are kept, discarded ones and gaps included.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Says whether there are no samples.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the memory in use; chunks that clones share count in each of them.
    pub fn bytes(&self) -> usize {
        let columns: usize = self.columns.iter().map(|(_, column)| column.bytes()).sum();
        size_of::<Self>() + self.columns.capacity() * size_of::<(u64, Column)>() + columns
    }

    /// Returns the epochs that have samples or had some, in the order of arrival.
    pub fn epochs(&self) -> impl Iterator<Item = u64> {
        self.columns.iter().map(|(epoch, _)| *epoch)
    }

    /// Keeps only the epochs that `keep` says yes to.
    pub fn retain_epochs(&mut self, mut keep: impl FnMut(u64) -> bool) {
        self.columns.retain(|(epoch, _)| keep(*epoch));
        self.len = self.columns.iter().map(|(_, column)| column.len()).sum();
    }

    /// Drops the samples of epochs that the timeline has forgotten.
    pub fn follow(&mut self, timeline: &Timeline) {
        self.retain_epochs(|epoch| !timeline.has_forgotten(epoch));
    }

    /// Returns how many samples ever came into an epoch: the cursor behind its last sample.
    pub fn pushed(&self, epoch: u64) -> u64 {
        self.column(epoch).map_or(0, Column::pushed)
    }

    /// Visits the samples of an epoch that came in after a cursor of [`Series::pushed`].
    ///
    /// Those that were dropped since are left out.
    pub fn since(&self, epoch: u64, cursor: u64) -> impl Iterator<Item = (i64, f64)> {
        self.column(epoch)
            .into_iter()
            .flat_map(move |column| column.samples(column.index_of(cursor)..column.len()))
    }

    pub(crate) fn column(&self, epoch: u64) -> Option<&Column> {
        self.columns.iter().rev().find(|(known, _)| *known == epoch).map(|(_, column)| column)
    }

    fn column_to_write(&mut self, epoch: u64) -> &mut Column {
        let index = self.columns.iter().rposition(|(known, _)| *known == epoch);
        let index = index.unwrap_or_else(|| self.begin_epoch(epoch));
        &mut self.columns[index].1
    }

    /// Makes room for an epoch; the oldest one goes when there are as many as a timeline knows.
    fn begin_epoch(&mut self, epoch: u64) -> usize {
        if self.columns.len() >= Timeline::MAX_EPOCHS {
            let (_, oldest) = self.columns.remove(0);
            self.len -= oldest.len();
        }
        self.columns.push((epoch, Column::default()));
        self.columns.len() - 1
    }

    fn drop_surplus(&mut self) {
        self.drop_too_old();
        self.drop_too_many();
    }

    fn drop_too_old(&mut self) {
        let newest_ns = self.columns.last().and_then(|(_, column)| column.last_time());
        let bound_ns = newest_ns.map(|newest| newest.saturating_sub(self.limits.max_age_ns));
        let last = self.columns.len().saturating_sub(1);
        for (number, (_, column)) in self.columns.iter_mut().enumerate() {
            while let Some((len, last_ns)) = column.oldest(number == last)
                && bound_ns.is_some_and(|bound| last_ns < bound)
            {
                column.drop_oldest();
                self.len -= len;
            }
        }
    }

    fn drop_too_many(&mut self) {
        let last = self.columns.len().saturating_sub(1);
        for (number, (_, column)) in self.columns.iter_mut().enumerate() {
            while let Some((len, _)) = column.oldest(number == last) {
                if self.len - len < self.limits.max_samples {
                    return;
                }
                column.drop_oldest();
                self.len -= len;
            }
        }
    }
}
