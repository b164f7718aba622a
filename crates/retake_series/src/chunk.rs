//! A bounded run of samples; a full one knows what is to be drawn of it.
//!
//! Clones of a full chunk share its samples; one that still grows is copied. What is asked for at every query lies in the chunk itself, and
//! the chunks of an epoch side by side: over millions of samples the time goes into reaching
//! memory, not into comparing numbers.

use std::ops::Range;
use std::sync::Arc;

use crate::cell::Cell;
use crate::pyramid::{Pyramid, by_bucket};
use crate::statistics::Moments;
use crate::times::Times;

/// Samples of a full chunk.
pub(crate) const CHUNK: usize = 4096;

/// Samples in order of time.
#[derive(Clone, Debug)]
pub(crate) struct Chunk {
    times: Times,
    values: Values,
    full: Option<Full>,
}

#[derive(Clone, Debug)]
enum Values {
    Growing(Vec<f64>),
    Complete(Arc<[f64]>),
}

/// What is known of a full chunk.
#[derive(Clone, Debug)]
struct Full {
    first_ns: i64,
    last_ns: i64,
    whole: Cell,
    moments: Moments,
    pyramid: Pyramid,
}

impl Chunk {
    pub(crate) fn new() -> Self {
        Self { times: Times::NONE, values: Values::Growing(Vec::new()), full: None }
    }

    pub(crate) fn len(&self) -> usize {
        match &self.values {
            Values::Growing(values) => values.len(),
            Values::Complete(_) => CHUNK,
        }
    }

    pub(crate) fn is_full(&self) -> bool {
        self.full.is_some()
    }

    /// Appends a sample that comes after all others; the chunk must not be full.
    pub(crate) fn push(&mut self, time_ns: i64, value: f64) {
        let Values::Growing(values) = &mut self.values else { return };
        self.times.push(values.len(), time_ns);
        values.push(value);
        if values.len() == CHUNK {
            self.complete(time_ns);
        }
    }

    pub(crate) fn time(&self, index: usize) -> i64 {
        self.times.get(index)
    }

    pub(crate) fn value(&self, index: usize) -> f64 {
        self.all()[index]
    }

    pub(crate) fn values(&self, range: Range<usize>) -> &[f64] {
        &self.all()[range]
    }

    /// Time of the last sample; chunks in use are never empty.
    pub(crate) fn last_time(&self) -> i64 {
        match &self.full {
            Some(full) => full.last_ns,
            None => self.times.get(self.len().saturating_sub(1)),
        }
    }

    /// Counts the samples at or before a time.
    pub(crate) fn count_until(&self, time_ns: i64) -> usize {
        self.times.count_until(self.len(), time_ns)
    }

    /// Returns the cell of a range, which must not be empty.
    pub(crate) fn cell(&self, range: Range<usize>) -> Cell {
        match &self.full {
            Some(full) if range == (0..CHUNK) => full.whole,
            _ => Cell::of(self.all(), range),
        }
    }

    /// Visits cells that make up a range, none of which reaches over the end of a bucket, and
    /// where each ends.
    pub(crate) fn cells(
        &self,
        range: Range<usize>,
        bits: u32,
        mut visit: impl FnMut(&Cell, usize),
    ) {
        let Some(full) = &self.full else { return self.raw_cells(range, bits, &mut visit) };
        if range == (0..CHUNK) && full.first_ns >> bits == full.last_ns >> bits {
            return visit(&full.whole, CHUNK);
        }
        let Some(cells) = full.pyramid.cells(bits) else {
            return self.raw_cells(range, bits, &mut visit);
        };
        // A jump may end the range in the middle of a cell; then those samples are looked at.
        let begun = cells.partition_point(|cell| cell.start() < range.start);
        let ended = cells.partition_point(|cell| cell.start() <= range.end).saturating_sub(1);
        let ended = if range.end == CHUNK { cells.len() } else { ended };
        if begun >= ended {
            return self.raw_cells(range, bits, &mut visit);
        }
        let until = cells.get(ended).map_or(CHUNK, Cell::start);
        self.raw_cells(range.start..cells[begun].start(), bits, &mut visit);
        let ends = cells[begun + 1..ended].iter().map(Cell::start).chain([until]);
        cells[begun..ended].iter().zip(ends).for_each(|(cell, end)| visit(cell, end));
        self.raw_cells(until..range.end, bits, &mut visit);
    }

    /// Returns the moments of a range.
    pub(crate) fn moments(&self, range: Range<usize>) -> Moments {
        match &self.full {
            Some(full) if range == (0..CHUNK) => full.moments,
            _ => Moments::of(&self.all()[range]),
        }
    }

    /// Memory behind the chunk.
    pub(crate) fn heap_bytes(&self) -> usize {
        let pyramid = self.full.as_ref().map_or(0, |full| full.pyramid.heap_bytes());
        let values = match &self.values {
            Values::Growing(values) => values.capacity() * size_of::<f64>(),
            Values::Complete(values) => size_of_val(values.as_ref()),
        };
        self.times.heap_bytes() + values + pyramid
    }

    fn all(&self) -> &[f64] {
        match &self.values {
            Values::Growing(values) => values,
            Values::Complete(values) => values,
        }
    }

    fn raw_cells(&self, range: Range<usize>, bits: u32, visit: &mut impl FnMut(&Cell, usize)) {
        by_bucket(&self.times, range, bits, |part| {
            let until = part.end;
            visit(&Cell::of(self.all(), part), until);
        });
    }

    fn complete(&mut self, last_ns: i64) {
        self.times.seal();
        self.values = Values::Complete(self.all().into());
        self.full = Some(Full {
            first_ns: self.time(0),
            last_ns,
            whole: Cell::of(self.all(), 0..CHUNK),
            moments: Moments::of(self.all()),
            pyramid: Pyramid::new(&self.times, self.all()),
        });
    }
}
