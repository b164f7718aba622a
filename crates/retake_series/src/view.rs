//! What to draw of a series in a range of time.
//!
//! Where there are more samples than pixels, they are put into buckets of time, and of each bucket
//! its first, smallest, largest and last sample are drawn (known as M4): a line through them covers
//! the same pixels as the line through all. A bucket is a power of two of nanoseconds wide and
//! begins at a multiple of its width, so what is drawn does not change while the view scrolls.

use crate::cell::Cell;
use crate::chunk::Chunk;
use crate::column::Piece;
use crate::pyramid::last_of_bucket;
use crate::walk::{Run, first_from, last_until, runs};
use crate::{Series, Stretch, Timeline};

/// A line to draw; a value that is not-a-number interrupts it.
#[derive(Clone, Debug, PartialEq)]
pub struct Trace {
    /// Whether the line shows a stretch that an undo discarded.
    pub discarded: bool,
    /// Whether samples were left out.
    pub thinned: bool,
    /// Times, strictly ascending.
    pub times_ns: Vec<i64>,
    /// Values, one for each time.
    pub values: Vec<f64>,
}

/// Samples per pixel up to which all of them are drawn.
const RAW_SAMPLES_PER_PIXEL: usize = 2;

impl Series {
    /// Returns what to draw from one time to another, both included, `pixels` wide.
    ///
    /// The live samples come first and are one line, whatever jumps there were; then comes each
    /// discarded stretch. Lines reach beyond the range to the next sample on both sides. If samples
    /// are left out, then of each bucket the first, the smallest, the largest and the last sample
    /// are there, and the first gap if it has any.
    pub fn view(
        &self,
        timeline: &Timeline,
        from_ns: i64,
        until_ns: i64,
        pixels: usize,
    ) -> Vec<Trace> {
        if from_ns > until_ns {
            return Vec::new();
        }
        let window = Window { from_ns, until_ns, pixels: pixels.max(1) };
        let live = self.trace(&window, timeline.live(), |_| None);
        let discarded = timeline.discarded().filter_map(|stretch| {
            let trace = self.trace(&window, &[stretch], |until_ns| {
                self.fork(timeline, &stretch).filter(|(time, _)| *time <= until_ns)
            })?;
            Some(Trace { discarded: true, ..trace })
        });
        live.into_iter().chain(discarded).collect()
    }

    /// Returns the line through a chain; `past` is asked for what comes before its first sample.
    fn trace(
        &self,
        window: &Window,
        chain: &[Stretch],
        past: impl Fn(i64) -> Option<(i64, f64)>,
    ) -> Option<Trace> {
        let inside = runs(self, chain, window.from_ns, window.until_ns);
        let count: usize = inside.iter().map(|run| run.range.len()).sum();
        let thinned = count > RAW_SAMPLES_PER_PIXEL.saturating_mul(window.pixels);
        let (from_ns, until_ns) = if thinned { window.whole_buckets() } else { window.range() };
        let after = until_ns.checked_add(1).and_then(|time| first_from(self, chain, time));
        // A line that ended before the range is not to be seen.
        if count == 0 && after.is_none() {
            return None;
        }
        let before = from_ns.checked_sub(1).and_then(|time| last_until(self, chain, time));
        let before = before.or_else(|| past(until_ns));
        // Nor is one that begins after it.
        if count == 0 && before.is_none() {
            return None;
        }
        let mut points = Points::default();
        points.extend(before);
        if thinned {
            let runs = runs(self, chain, from_ns, until_ns);
            thin(&runs, window.bucket_bits(), &mut points);
        } else {
            points.extend(inside.iter().flat_map(Run::samples));
        }
        points.extend(after);
        let Points { times_ns, values } = points;
        Some(Trace { discarded: false, thinned, times_ns, values })
    }

    /// Returns the sample from which a discarded stretch went on, so that its line hangs together
    /// with the line that it left.
    fn fork(&self, timeline: &Timeline, stretch: &Stretch) -> Option<(i64, f64)> {
        let before_ns = stretch.from_ns.checked_sub(1)?;
        last_until(self, &timeline.chain_to(stretch.epoch), before_ns)
    }
}

/// Returns how many nanoseconds a bucket of such a view is wide, as a power of two.
///
/// It is the first that makes a bucket at least a pixel wide. The bucket of a time is the time
/// shifted right by the result.
pub fn bucket_bits(from_ns: i64, until_ns: i64, pixels: usize) -> u32 {
    let width_ns = until_ns.wrapping_sub(from_ns) as u64;
    let wide_enough = |bits: &u32| ((width_ns >> bits) as u128) < pixels.max(1) as u128;
    (0..63).find(wide_enough).unwrap_or(63)
}

struct Window {
    from_ns: i64,
    until_ns: i64,
    pixels: usize,
}

impl Window {
    fn range(&self) -> (i64, i64) {
        (self.from_ns, self.until_ns)
    }

    fn bucket_bits(&self) -> u32 {
        bucket_bits(self.from_ns, self.until_ns, self.pixels)
    }

    /// Widens the range to whole buckets, so that those at the edges do not change either.
    fn whole_buckets(&self) -> (i64, i64) {
        let bits = self.bucket_bits();
        ((self.from_ns >> bits) << bits, last_of_bucket(self.until_ns >> bits, bits))
    }
}

#[derive(Default)]
struct Points {
    times_ns: Vec<i64>,
    values: Vec<f64>,
}

impl Points {
    fn extend(&mut self, samples: impl IntoIterator<Item = (i64, f64)>) {
        for (time_ns, value) in samples {
            self.times_ns.push(time_ns);
            self.values.push(value);
        }
    }
}

/// Puts samples into buckets and appends the points that stand for each.
fn thin(runs: &[Run<'_>], bits: u32, points: &mut Points) {
    let mut open: Option<Bucket<'_>> = None;
    for Piece { chunk, range } in runs.iter().flat_map(Run::pieces) {
        chunk.cells(range, bits, |cell, until| {
            let number = chunk.time(cell.start()) >> bits;
            match &mut open {
                Some(bucket) if bucket.number == number => bucket.join(chunk, cell, until),
                _ => {
                    let done = open.replace(Bucket::new(number, chunk, cell, until));
                    done.inspect(|bucket| bucket.append_to(points));
                }
            }
        });
    }
    open.inspect(|bucket| bucket.append_to(points));
}

/// A sample by its place.
#[derive(Clone, Copy)]
struct Place<'a> {
    chunk: &'a Chunk,
    at: usize,
    value: f64,
}

impl Place<'_> {
    fn sample(&self) -> (i64, f64) {
        (self.chunk.time(self.at), self.value)
    }
}

/// The samples that stand for those of a bucket.
struct Bucket<'a> {
    number: i64,
    first: Place<'a>,
    last: Place<'a>,
    min: Place<'a>,
    max: Place<'a>,
    gap: Option<Place<'a>>,
}

impl<'a> Bucket<'a> {
    fn new(number: i64, chunk: &'a Chunk, cell: &Cell, until: usize) -> Self {
        let place = |at, value| Place { chunk, at, value };
        Self {
            number,
            first: place(cell.start(), cell.first),
            last: place(until - 1, cell.last),
            min: place(cell.min_at(), cell.min),
            max: place(cell.max_at(), cell.max),
            gap: cell.gap_at().map(|at| place(at, f64::NAN)),
        }
    }

    fn join(&mut self, chunk: &'a Chunk, cell: &Cell, until: usize) {
        let later = Self::new(self.number, chunk, cell, until);
        self.last = later.last;
        if later.min.value < self.min.value {
            self.min = later.min;
        }
        if later.max.value > self.max.value {
            self.max = later.max;
        }
        self.gap = self.gap.or(later.gap);
    }

    fn append_to(&self, points: &mut Points) {
        let (first, last) = (self.first.sample(), self.last.sample());
        let has_values = self.min.value <= self.max.value;
        let min = if has_values { self.min.sample() } else { first };
        let max = if has_values { self.max.sample() } else { first };
        let mut inner = [min, max, self.gap.map_or(first, |gap| gap.sample())];
        inner.sort_unstable_by_key(|(time, _)| *time);
        let mut before_ns = None;
        for (time_ns, value) in [first].into_iter().chain(inner).chain([last]) {
            if before_ns != Some(time_ns) {
                points.times_ns.push(time_ns);
                points.values.push(value);
            }
            before_ns = Some(time_ns);
        }
    }
}
