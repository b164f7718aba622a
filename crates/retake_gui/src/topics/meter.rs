//! How fast something counts up.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// How far back a rate looks: rare messages show, and a change is seen soon.
const WINDOW: Duration = Duration::from_secs(3);

/// What was counted at an instant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Count {
    pub(super) messages: u64,
    pub(super) bytes: u64,
}

/// What is counted in a second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rate {
    pub(super) messages_per_sec: f64,
    pub(super) bytes_per_sec: f64,
}

/// Makes a rate of counts, over a window that moves along.
#[derive(Debug, Default)]
pub(super) struct Meter {
    counts: VecDeque<(Instant, Count)>,
}

impl Meter {
    /// Takes a count; returns the rate, once there is a time to measure over.
    pub(super) fn take(&mut self, now: Instant, count: Count) -> Option<Rate> {
        self.counts.push_back((now, count));
        // One count beyond the window stays, so that all of the window is measured.
        while self.counts.get(1).is_some_and(|(at, _)| now.duration_since(*at) >= WINDOW) {
            self.counts.pop_front();
        }
        let (then, before) = *self.counts.front()?;
        let secs = now.duration_since(then).as_secs_f64();
        let rate = |from: u64, to: u64| to.saturating_sub(from) as f64 / secs;
        (secs > 0.0).then(|| Rate {
            messages_per_sec: rate(before.messages, count.messages),
            bytes_per_sec: rate(before.bytes, count.bytes),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_is_that_of_the_last_seconds() {
        let start = Instant::now();
        let mut meter = Meter::default();
        let mut take = |secs: f64, messages: u64| {
            let count = Count { messages, bytes: messages * 100 };
            meter
                .take(start + Duration::from_secs_f64(secs), count)
                .map(|rate| rate.messages_per_sec)
        };
        assert_eq!(take(0.0, 0), None);
        assert_eq!(take(1.0, 60), Some(60.0));
        assert_eq!(take(2.0, 120), Some(60.0));
        assert_eq!(take(3.0, 180), Some(60.0));
        // It falls silent, and after the window nothing is left of it.
        assert_eq!(take(4.0, 180), Some(40.0));
        assert_eq!(take(6.0, 180), Some(0.0));
        assert_eq!(take(9.5, 187), Some(2.0));
    }

    #[test]
    fn what_is_kept_is_bounded() {
        let start = Instant::now();
        let mut meter = Meter::default();
        for tenths in 0..1000u64 {
            let count = Count { messages: tenths, bytes: 0 };
            meter.take(start + Duration::from_millis(100 * tenths), count);
        }
        assert_eq!(meter.counts.len(), 31);
    }
}
