//! The samples of one epoch, in chunks.

use std::collections::VecDeque;
use std::ops::Range;

use crate::chunk::{CHUNK, Chunk};

/// Samples in order of time; all chunks but the last are full.
#[derive(Clone, Debug, Default)]
pub(crate) struct Column {
    chunks: VecDeque<Chunk>,
    /// Samples that were dropped at the front.
    dropped: u64,
    /// Time of the last sample, even if that was dropped.
    last_ns: Option<i64>,
}

/// A run of samples of one chunk.
pub(crate) struct Piece<'a> {
    pub(crate) chunk: &'a Chunk,
    pub(crate) range: Range<usize>,
}

impl Column {
    pub(crate) fn len(&self) -> usize {
        match self.chunks.back() {
            Some(last) => (self.chunks.len() - 1) * CHUNK + last.len(),
            None => 0,
        }
    }

    /// Counts all samples that ever came in, dropped ones too.
    pub(crate) fn pushed(&self) -> u64 {
        self.dropped + self.len() as u64
    }

    /// Where a sample is that was counted from the first that ever came in; dropped ones are at 0.
    pub(crate) fn index_of(&self, count: u64) -> usize {
        usize::try_from(count.saturating_sub(self.dropped))
            .map_or(self.len(), |i| i.min(self.len()))
    }

    pub(crate) fn last_time(&self) -> Option<i64> {
        self.last_ns
    }

    /// Says whether the next sample opens a new chunk.
    pub(crate) fn wants_chunk(&self) -> bool {
        self.chunks.back().is_none_or(Chunk::is_full)
    }

    /// Appends a sample that comes after all others.
    pub(crate) fn push(&mut self, time_ns: i64, value: f64) {
        if self.wants_chunk() {
            self.chunks.push_back(Chunk::new());
        }
        if let Some(chunk) = self.chunks.back_mut() {
            chunk.push(time_ns, value);
        }
        self.last_ns = Some(time_ns);
    }

    pub(crate) fn time(&self, index: usize) -> i64 {
        self.chunks[index / CHUNK].time(index % CHUNK)
    }

    pub(crate) fn value(&self, index: usize) -> f64 {
        self.chunks[index / CHUNK].value(index % CHUNK)
    }

    /// Counts the samples at or before a time.
    pub(crate) fn count_until(&self, time_ns: i64) -> usize {
        let whole = self.chunks.partition_point(|chunk| chunk.last_time() <= time_ns);
        match self.chunks.get(whole) {
            Some(chunk) => whole * CHUNK + chunk.count_until(time_ns),
            None => self.len(),
        }
    }

    /// Where the samples from one time to another are, both included.
    pub(crate) fn between(&self, from_ns: i64, until_ns: i64) -> Range<usize> {
        let from = from_ns.checked_sub(1).map_or(0, |before| self.count_until(before));
        from..self.count_until(until_ns).max(from)
    }

    /// Visits the chunks that hold a range of samples.
    pub(crate) fn pieces(&self, range: Range<usize>) -> impl Iterator<Item = Piece<'_>> {
        let chunks = range.start / CHUNK..range.end.div_ceil(CHUNK).max(range.start / CHUNK);
        chunks.map(move |number| {
            let start = number * CHUNK;
            let from = range.start.max(start) - start;
            let until = range.end.min(start + CHUNK) - start;
            Piece { chunk: &self.chunks[number], range: from..until }
        })
    }

    /// Visits a range of samples.
    pub(crate) fn samples(&self, range: Range<usize>) -> impl Iterator<Item = (i64, f64)> {
        self.pieces(range)
            .flat_map(|piece| piece.range.map(|at| (piece.chunk.time(at), piece.chunk.value(at))))
    }

    /// Returns length and last time of the oldest chunk unless samples still go into it.
    pub(crate) fn oldest(&self, written: bool) -> Option<(usize, i64)> {
        let chunk = self.chunks.front().filter(|_| !written || self.chunks.len() > 1)?;
        Some((chunk.len(), chunk.last_time()))
    }

    pub(crate) fn drop_oldest(&mut self) {
        if let Some(chunk) = self.chunks.pop_front() {
            self.dropped += chunk.len() as u64;
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        let chunks: usize = self.chunks.iter().map(Chunk::heap_bytes).sum();
        chunks + self.chunks.capacity() * size_of::<Chunk>()
    }
}
