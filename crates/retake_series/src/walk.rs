//! Going through the samples along a chain of epochs.
//!
//! A chain is what a timeline says leads to some end: stretches that follow one another in time.
//! Along it times ascend strictly, whatever jumps there were.

use std::ops::Range;

use crate::column::{Column, Piece};
use crate::{Series, Stretch, Timeline};

/// The part of an epoch's samples that lies on a chain.
#[derive(Clone)]
pub(crate) struct Run<'a> {
    pub(crate) column: &'a Column,
    pub(crate) range: Range<usize>,
}

/// Returns the samples of a chain from one time to another, both included; no run is empty.
pub(crate) fn runs<'a>(
    series: &'a Series,
    chain: &[Stretch],
    from_ns: i64,
    until_ns: i64,
) -> Vec<Run<'a>> {
    let inside = chain.iter().filter_map(|stretch| {
        let column = series.column(stretch.epoch)?;
        let (from, until) = (stretch.from_ns.max(from_ns), stretch.until_ns.min(until_ns));
        let range = if from <= until { column.between(from, until) } else { 0..0 };
        (!range.is_empty()).then_some(Run { column, range })
    });
    inside.collect()
}

/// Returns the last sample of a chain at or before a time.
pub(crate) fn last_until(series: &Series, chain: &[Stretch], time_ns: i64) -> Option<(i64, f64)> {
    chain.iter().rev().filter(|stretch| stretch.from_ns <= time_ns).find_map(|stretch| {
        let column = series.column(stretch.epoch)?;
        let index = column.count_until(stretch.until_ns.min(time_ns)).checked_sub(1)?;
        let time = column.time(index);
        (time >= stretch.from_ns).then(|| (time, column.value(index)))
    })
}

/// Returns the first sample of a chain at or after a time.
pub(crate) fn first_from(series: &Series, chain: &[Stretch], time_ns: i64) -> Option<(i64, f64)> {
    chain.iter().filter(|stretch| stretch.until_ns >= time_ns).find_map(|stretch| {
        let column = series.column(stretch.epoch)?;
        let range = column.between(stretch.from_ns.max(time_ns), stretch.until_ns);
        (!range.is_empty()).then(|| (column.time(range.start), column.value(range.start)))
    })
}

impl<'a> Run<'a> {
    pub(crate) fn pieces(&self) -> impl Iterator<Item = Piece<'a>> + use<'a> {
        self.column.pieces(self.range.clone())
    }

    pub(crate) fn samples(&self) -> impl Iterator<Item = (i64, f64)> + use<'a> {
        self.column.samples(self.range.clone())
    }
}

/// Looks up held values at times that ascend.
pub(crate) struct Holder<'a> {
    runs: std::vec::IntoIter<Run<'a>>,
    column: Option<&'a Column>,
    ahead: Range<usize>,
    held: f64,
}

impl<'a> Holder<'a> {
    /// Begins at `from_ns`; no time that is asked for may be earlier.
    pub(crate) fn new(series: &'a Series, chain: &[Stretch], from_ns: i64) -> Self {
        let held = last_until(series, chain, from_ns).map_or(f64::NAN, |(_, value)| value);
        let after = from_ns.checked_add(1).map(|after| runs(series, chain, after, i64::MAX));
        let runs = after.unwrap_or_default().into_iter();
        Self { runs, column: None, ahead: 0..0, held }
    }

    /// Returns the value of the last sample at or before a time, not-a-number if there is none.
    pub(crate) fn at(&mut self, time_ns: i64) -> f64 {
        while let Some((time, value)) = self.peek() {
            if time > time_ns {
                break;
            }
            self.held = value;
            self.ahead.start += 1;
        }
        self.held
    }

    fn peek(&mut self) -> Option<(i64, f64)> {
        while self.ahead.is_empty() {
            let run = self.runs.next()?;
            (self.column, self.ahead) = (Some(run.column), run.range);
        }
        self.column.map(|column| (column.time(self.ahead.start), column.value(self.ahead.start)))
    }
}

impl Series {
    /// Returns the value of the last live sample at or before a time.
    ///
    /// There is none before the first live sample and after the last one: values are held between
    /// samples, never beyond them. A gap gives not-a-number.
    pub fn at(&self, timeline: &Timeline, time_ns: i64) -> Option<f64> {
        let (_, value) = last_until(self, timeline.live(), time_ns)?;
        first_from(self, timeline.live(), time_ns).map(|_| value)
    }

    /// Returns the last live sample.
    pub fn last(&self, timeline: &Timeline) -> Option<(i64, f64)> {
        last_until(self, timeline.live(), i64::MAX)
    }

    /// Returns the first live sample.
    pub fn first(&self, timeline: &Timeline) -> Option<(i64, f64)> {
        first_from(self, timeline.live(), i64::MIN)
    }

    /// Appends to `out` what [`Series::at`] gives at each of some ascending times.
    ///
    /// Outside the series that is not-a-number.
    pub fn hold(&self, timeline: &Timeline, times_ns: &[i64], out: &mut Vec<f64>) {
        let Some(from_ns) = times_ns.first() else { return };
        let last_ns = self.last(timeline).map_or(i64::MIN, |(time, _)| time);
        let inside = times_ns.partition_point(|time| *time <= last_ns);
        let mut holder = Holder::new(self, timeline.live(), *from_ns);
        out.extend(times_ns[..inside].iter().map(|time| holder.at(*time)));
        out.extend(times_ns[inside..].iter().map(|_| f64::NAN));
    }

    /// Visits the live samples from one time to another, both included, in order.
    pub fn samples(
        &self,
        timeline: &Timeline,
        from_ns: i64,
        until_ns: i64,
    ) -> impl Iterator<Item = (i64, f64)> {
        let runs = runs(self, timeline.live(), from_ns, until_ns);
        runs.into_iter().flat_map(|run| run.samples())
    }
}
