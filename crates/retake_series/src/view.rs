//! What to draw of a series in a range of time.
//!
//! Where there are more samples than pixels, they are put into buckets of time, and of each bucket
//! its first, smallest, largest and last sample are drawn (known as M4): a line through them covers
//! the same pixels as the line through all. A bucket is a power of two of nanoseconds wide and
//! begins at a multiple of its width, so what is drawn does not change while the view scrolls.

use crate::chunk::Chunk;
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

struct Window {
    from_ns: i64,
    until_ns: i64,
    pixels: usize,
}

impl Window {
    fn range(&self) -> (i64, i64) {
        (self.from_ns, self.until_ns)
    }

    /// Returns how wide a bucket is, as a power of two: the first that is at least a pixel.
    fn bucket_bits(&self) -> u32 {
        let width_ns = self.until_ns.wrapping_sub(self.from_ns) as u64;
        let wide_enough = |bits: &u32| ((width_ns >> bits) as u128) < self.pixels as u128;
        (0..63).find(wide_enough).unwrap_or(63)
    }

    /// Widens the range to whole buckets, so that those at the edges do not change either.
    fn whole_buckets(&self) -> (i64, i64) {
        let bits = self.bucket_bits();
        ((self.from_ns >> bits) << bits, last_of_bucket(self.until_ns >> bits, bits))
    }
}

/// Returns the last instant of a bucket.
fn last_of_bucket(bucket: i64, bits: u32) -> i64 {
    (bucket << bits) | ((1 << bits) - 1)
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
    for piece in runs.iter().flat_map(Run::pieces) {
        let mut from = piece.range.start;
        while from < piece.range.end {
            let number = piece.chunk.time(from) >> bits;
            let until = piece.chunk.count_until(last_of_bucket(number, bits)).min(piece.range.end);
            let part = Part::of(piece.chunk, from, until);
            match &mut open {
                Some(bucket) if bucket.number == number => bucket.part.join(part),
                _ => {
                    let done = open.replace(Bucket { number, part });
                    done.inspect(|bucket| bucket.part.append_to(points));
                }
            }
            from = until;
        }
    }
    open.inspect(|bucket| bucket.part.append_to(points));
}

struct Bucket<'a> {
    number: i64,
    part: Part<'a>,
}

/// A sample by its place.
#[derive(Clone, Copy)]
struct Place<'a> {
    chunk: &'a Chunk,
    at: usize,
}

impl Place<'_> {
    fn value(&self) -> f64 {
        self.chunk.value(self.at)
    }

    fn sample(&self) -> (i64, f64) {
        (self.chunk.time(self.at), self.value())
    }
}

/// The samples that stand for a run of samples.
struct Part<'a> {
    first: Place<'a>,
    last: Place<'a>,
    min: Option<Place<'a>>,
    max: Option<Place<'a>>,
    gap: Option<Place<'a>>,
}

impl<'a> Part<'a> {
    fn of(chunk: &'a Chunk, from: usize, until: usize) -> Self {
        let summary = chunk.summary(from..until);
        let place = |at| Place { chunk, at };
        Self {
            first: place(from),
            last: place(until - 1),
            min: summary.has_values().then(|| place(summary.min_at())),
            max: summary.has_values().then(|| place(summary.max_at())),
            gap: summary.gap_at().map(place),
        }
    }

    fn join(&mut self, later: Self) {
        self.last = later.last;
        self.min = better(self.min, later.min, |ours, theirs| theirs < ours);
        self.max = better(self.max, later.max, |ours, theirs| theirs > ours);
        self.gap = self.gap.or(later.gap);
    }

    fn append_to(&self, points: &mut Points) {
        let inner = [self.min, self.max, self.gap].map(|place| place.map(|place| place.sample()));
        let [first, last] = [self.first.sample(), self.last.sample()];
        let mut inner = inner.map(|sample| sample.unwrap_or(first));
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

fn better<'a>(
    ours: Option<Place<'a>>,
    theirs: Option<Place<'a>>,
    replaces: impl Fn(f64, f64) -> bool,
) -> Option<Place<'a>> {
    match (ours, theirs) {
        (Some(a), Some(b)) if replaces(a.value(), b.value()) => Some(b),
        (None, theirs) => theirs,
        (ours, _) => ours,
    }
}
