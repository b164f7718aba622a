//! Cells of a full chunk, at several widths.
//!
//! A cell covers a power of two of nanoseconds and begins at a multiple of its width, as the
//! buckets of a view do. So a bucket is a whole number of cells, and drawing a long stretch costs
//! one or two cells for each bucket, however many samples there are.

use std::ops::Range;
use std::sync::Arc;

use crate::cell::Cell;
use crate::times::Times;

/// At most so many cells, as a power of two, has the finest level: with 64 cells they cost about a
/// byte for each sample, and a bucket smaller than a cell has few enough samples to look at.
const FINEST_CELLS_BITS: u32 = 6;

/// A cell of a level is so much wider than one of the level below, as a power of two.
const LEVEL_BITS: u32 = 2;

/// Levels below the coarsest one, which has one or two cells.
const LEVELS: usize = (FINEST_CELLS_BITS / LEVEL_BITS) as usize;

/// The cells of a chunk.
#[derive(Clone, Debug)]
pub(crate) struct Pyramid {
    finest_bits: u32,
    /// The coarsest level lies here, because a view of everything asks for no other.
    coarsest: [Cell; 2],
    coarsest_len: usize,
    /// All other levels.
    cells: Arc<[Cell]>,
    /// Where the cells of each level are, the finest first.
    levels: [Range<u16>; LEVELS],
}

impl Pyramid {
    /// Looks at all samples of a chunk, which must not be empty.
    pub(crate) fn new(times: &Times, values: &[f64]) -> Self {
        let (first_ns, last_ns) = (times.get(0), times.get(values.len() - 1));
        let cells_at = |bits: u32| ((last_ns >> bits).wrapping_sub(first_ns >> bits)) as u64;
        let fits = |bits: &u32| cells_at(*bits) < 1 << FINEST_CELLS_BITS;
        let finest_bits = (0..63).find(fits).unwrap_or(63);
        let mut finest = Vec::new();
        by_bucket(times, 0..values.len(), finest_bits, |part| finest.push(Cell::of(values, part)));
        let mut pyramid = Self {
            finest_bits,
            coarsest: [Cell::of(values, 0..values.len()); 2],
            coarsest_len: 0,
            cells: Arc::default(),
            levels: [const { 0..0 }; LEVELS],
        };
        pyramid.stack(finest, times);
        pyramid
    }

    /// Returns the widest cells that buckets of a width are made of, if such cells are kept.
    pub(crate) fn cells(&self, bucket_bits: u32) -> Option<&[Cell]> {
        let wider = bucket_bits.checked_sub(self.finest_bits)?;
        let level = self.levels.get((wider / LEVEL_BITS) as usize);
        Some(match level {
            Some(Range { start, end }) => &self.cells[usize::from(*start)..usize::from(*end)],
            None => &self.coarsest[..self.coarsest_len],
        })
    }

    pub(crate) fn heap_bytes(&self) -> usize {
        size_of_val(self.cells.as_ref())
    }

    /// Makes every level from the one below.
    fn stack(&mut self, finest: Vec<Cell>, times: &Times) {
        let mut cells = Vec::new();
        let mut level = finest;
        for number in 0..LEVELS {
            let start = cells.len() as u16;
            cells.extend_from_slice(&level);
            self.levels[number] = start..cells.len() as u16;
            let bits = self.finest_bits + (number as u32 + 1) * LEVEL_BITS;
            level = coarsened(&level, times, bits.min(63));
        }
        self.coarsest_len = level.len();
        self.coarsest[..level.len()].copy_from_slice(&level);
        self.cells = cells.into();
    }
}

/// Splits a range of samples by the bucket of their times.
pub(crate) fn by_bucket(
    times: &Times,
    range: Range<usize>,
    bits: u32,
    mut visit: impl FnMut(Range<usize>),
) {
    let mut from = range.start;
    while from < range.end {
        let last_ns = last_of_bucket(times.get(from) >> bits, bits);
        let until = times.count_until(range.end, last_ns);
        visit(from..until);
        from = until;
    }
}

/// Returns the last instant of a bucket.
pub(crate) fn last_of_bucket(bucket: i64, bits: u32) -> i64 {
    (bucket << bits) | !(-1 << bits)
}

fn coarsened(cells: &[Cell], times: &Times, bits: u32) -> Vec<Cell> {
    let mut coarser: Vec<Cell> = Vec::new();
    for cell in cells {
        let bucket = times.get(cell.start()) >> bits;
        match coarser.last_mut() {
            Some(open) if times.get(open.start()) >> bits == bucket => open.join(cell),
            _ => coarser.push(*cell),
        }
    }
    coarser
}
