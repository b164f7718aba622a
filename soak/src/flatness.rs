//! Whether what a process holds grows.

use std::time::Duration;

use crate::processes::Usage;

/// Share of the time until everything has filled up that has a bound.
const WARM_UP: f64 = 0.4;
/// How long memory takes for that at least. What is held is full within a minute or two; after it the
/// allocator's arenas, one for each thread, go on to keep what was freed, until each has as much as
/// its thread ever needed at once.
const ARENAS_FILL_UP_SECS: f64 = 600.0;
/// What memory may have grown by from the warm-up to the end, as a share of it, or in bytes.
const MEMORY: (f64, f64) = (0.05, 12.0 * 1024.0 * 1024.0);
/// Looks after the warm-up that it takes to say anything.
const LOOKS: usize = 6;
/// What the number of handles may have grown by. Connections come and go, so that it is never still.
const HANDLES: f64 = 4.0;
/// As of handles.
const THREADS: f64 = 4.0;
/// What the share of the wanted pace may have fallen by: a busy machine is slower for a while.
const PACE: f64 = 0.1;

/// What a process held, time after time.
#[derive(Default)]
pub(crate) struct Samples {
    seconds: Vec<f64>,
    bytes: Vec<f64>,
    handles: Vec<f64>,
    threads: Vec<f64>,
}

impl Samples {
    pub(crate) fn push(&mut self, at: Duration, usage: &Usage) {
        self.seconds.push(at.as_secs_f64());
        self.bytes.push(usage.bytes as f64);
        self.handles.push(usage.handles as f64);
        self.threads.push(usage.threads as f64);
    }

    /// Prints what became of it; says whether it is flat, as far as the time was long enough to say.
    pub(crate) fn judge(&self, name: &str) -> bool {
        let warm = (self.seconds.len() as f64 * WARM_UP) as usize;
        let full = self.seconds.partition_point(|at| *at < ARENAS_FILL_UP_SECS).max(warm);
        let most_bytes = MEMORY.1.max(median(&self.bytes[full..]) * MEMORY.0);
        let mib = 1024.0 * 1024.0;
        let judged = [
            ("MiB", mib, full, &self.bytes, most_bytes),
            ("handles", 1.0, warm, &self.handles, HANDLES),
            ("threads", 1.0, warm, &self.threads, THREADS),
        ];
        let mut flat = true;
        for (what, unit, from, values, most) in judged {
            if values.len() < from + LOOKS {
                let least = ARENAS_FILL_UP_SECS / 60.0;
                println!("{name}: no word on {what}: it takes {least:.0} minutes to fill up");
                continue;
            }
            let grown = growth(&self.seconds[from..], &values[from..]);
            let fine = grown <= most;
            println!(
                "{name}: {:.1} {what} after the warm-up, {:+.1} by the end, at most {:+.1}: {}",
                median(&values[from..]) / unit,
                grown / unit,
                most / unit,
                if fine { "flat" } else { "NOT FLAT" }
            );
            flat &= fine;
        }
        flat
    }
}

/// What share of the wanted pace the world kept, time after time.
#[derive(Default)]
pub(crate) struct Paces {
    seconds: Vec<f64>,
    kept: Vec<f64>,
}

impl Paces {
    /// Takes a look; one at which no pace was asked for says nothing.
    pub(crate) fn push(&mut self, at: Duration, kept: Option<f64>) {
        if let Some(kept) = kept {
            self.seconds.push(at.as_secs_f64());
            self.kept.push(kept);
        }
    }

    /// Prints what became of it; says whether the world is as fast at the end as it was.
    pub(crate) fn judge(&self) -> bool {
        let from = (self.seconds.len() as f64 * WARM_UP) as usize;
        if self.seconds.len() < from + LOOKS {
            println!("step rate: no word: the world hardly ran");
            return true;
        }
        let grown = growth(&self.seconds[from..], &self.kept[from..]);
        let fine = grown >= -PACE;
        println!(
            "step rate: {:.0} % of what was wanted after the warm-up, {:+.1} by the end, at most {:+.0}: {}",
            100.0 * median(&self.kept[from..]),
            100.0 * grown,
            -100.0 * PACE,
            if fine { "flat" } else { "NOT FLAT" }
        );
        fine
    }
}

/// What the values grew by over the whole time: the median slope of all pairs, which single
/// values out of line do not move.
fn growth(seconds: &[f64], values: &[f64]) -> f64 {
    let mut slopes = Vec::new();
    for (early, start) in seconds.iter().enumerate() {
        for late in early + 1..seconds.len() {
            slopes.push((values[late] - values[early]) / (seconds[late] - start));
        }
    }
    let lasted = seconds.last().unwrap_or(&0.0) - seconds.first().unwrap_or(&0.0);
    median(&slopes) * lasted
}

fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIB: u64 = 1024 * 1024;

    fn judged(bytes: impl Fn(u64) -> u64, handles: impl Fn(u64) -> usize) -> bool {
        let mut samples = Samples::default();
        for look in 0..180 {
            let usage = Usage { bytes: bytes(look), handles: handles(look), threads: 20 };
            samples.push(Duration::from_secs(look * 10), &usage);
        }
        samples.judge("test")
    }

    #[test]
    fn what_fills_up_and_then_stays_is_flat() {
        assert!(judged(
            |look| look.min(60) * 3 * MIB + look % 5 * MIB,
            |look| 50 + look as usize % 7
        ));
    }

    #[test]
    fn what_grows_by_little_is_not() {
        // 9 MiB a minute.
        assert!(!judged(|look| 200 * MIB + look * 3 * MIB / 2, |_| 50));
        // A handle each minute.
        assert!(!judged(|_| 200 * MIB, |look| 50 + look as usize / 6));
    }

    #[test]
    fn of_a_short_time_nothing_is_said_but_of_handles() {
        let mut samples = Samples::default();
        for look in 0..50 {
            let usage = Usage { bytes: look * 3 * MIB, handles: 50, threads: 20 };
            samples.push(Duration::from_secs(look * 10), &usage);
        }
        assert!(samples.judge("test"));
        samples.handles.iter_mut().enumerate().for_each(|(at, handles)| *handles += at as f64);
        assert!(!samples.judge("test"));
    }

    #[test]
    fn a_world_that_slows_down_is_not_flat() {
        let judged = |kept: &dyn Fn(f64) -> f64| {
            let mut paces = Paces::default();
            (0..180).for_each(|look| {
                let at = look as f64 / 180.0;
                // Now and then clients want it as fast as it goes.
                paces.push(Duration::from_secs(look * 10), (look % 7 > 0).then(|| kept(at)));
            });
            paces.judge()
        };
        assert!(judged(&|_| 1.0));
        assert!(judged(&|at| if at < 0.9 { 1.0 } else { 0.4 }), "somebody else was busy");
        assert!(!judged(&|at| 1.0 - 0.5 * at));
    }

    #[test]
    fn single_peaks_do_not_count() {
        assert!(judged(|look| if look % 40 == 39 { 900 * MIB } else { 200 * MIB }, |_| 50));
    }
}
