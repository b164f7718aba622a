//! Measuring how fast a world runs.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use retake_math::SimTime;

/// Measures the real time factor over the last second, and how long the world ran.
pub(crate) struct Meter {
    samples: VecDeque<(Instant, SimTime)>,
    ran: Duration,
    last: Option<Instant>,
}

const WINDOW: Duration = Duration::from_secs(1);
/// Samples that are kept; taken at the rate of views, a second holds fewer.
const MAX_SAMPLES: usize = 256;

impl Meter {
    pub(crate) fn new() -> Self {
        Self { samples: VecDeque::new(), ran: Duration::ZERO, last: None }
    }

    /// Takes note of where a running world is.
    pub(crate) fn sample(&mut self, now: Instant, sim_time: SimTime) {
        if let Some(last) = self.last.replace(now) {
            self.ran += now.saturating_duration_since(last);
        }
        if self.samples.back().is_some_and(|(_, before)| *before > sim_time) {
            // Time jumped back: what was measured belongs to another stretch.
            self.samples.clear();
        }
        self.samples.push_back((now, sim_time));
        let is_old = |at: &Instant| now.saturating_duration_since(*at) > WINDOW;
        while self.samples.len() > MAX_SAMPLES
            || (self.samples.len() > 2 && self.samples.front().is_some_and(|(at, _)| is_old(at)))
        {
            self.samples.pop_front();
        }
    }

    /// Takes note that time jumped: what was measured belongs to another stretch.
    pub(crate) fn jumped(&mut self) {
        self.samples.clear();
    }

    /// Takes note that the world stands still.
    pub(crate) fn stand_still(&mut self) {
        self.samples.clear();
        self.last = None;
    }

    /// Returns simulated seconds per real second; 0 when nothing runs.
    pub(crate) fn real_time_factor(&self) -> f64 {
        let (Some(first), Some(last)) = (self.samples.front(), self.samples.back()) else {
            return 0.0;
        };
        let real_secs = last.0.saturating_duration_since(first.0).as_secs_f64();
        match real_secs > 0.0 {
            true => (last.1 - first.1).as_secs_f64() / real_secs,
            false => 0.0,
        }
    }

    /// Returns how long the world ran in real time.
    pub(crate) fn ran(&self) -> SimTime {
        SimTime::from_nanos(i64::try_from(self.ran.as_nanos()).unwrap_or(i64::MAX))
    }
}
