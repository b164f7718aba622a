//! The pace of real time: the only clock on the wall.

use std::time::{Duration, Instant};

use crate::RealTimeFactor;

/// Says when the next step is due, so that simulated time keeps to real time.
pub(crate) struct Pace {
    /// When the present stretch began, and how much was simulated since.
    start: Instant,
    simulated_secs: f64,
    factor: RealTimeFactor,
}

/// A runner further behind than this gives the lost time up instead of racing after it.
const MOST_BEHIND: Duration = Duration::from_millis(100);

impl Pace {
    pub(crate) fn new(now: Instant) -> Self {
        Self { start: now, simulated_secs: 0.0, factor: RealTimeFactor::UNBOUNDED }
    }

    /// Returns how long to wait before the next step, when `factor` simulated seconds are to pass
    /// in each real second; 0 never waits.
    pub(crate) fn wait(&mut self, now: Instant, factor: RealTimeFactor) -> Duration {
        if factor != self.factor {
            self.restart(now);
            self.factor = factor;
        }
        if factor == RealTimeFactor::UNBOUNDED {
            return Duration::ZERO;
        }
        let due = self.start + Duration::from_secs_f64(self.simulated_secs / factor.value());
        if now.saturating_duration_since(due) > MOST_BEHIND {
            self.restart(now);
            return Duration::ZERO;
        }
        due.saturating_duration_since(now)
    }

    /// Counts a step.
    pub(crate) fn stepped(&mut self, step_secs: f64) {
        self.simulated_secs += step_secs;
    }

    /// Begins a new stretch, as after a pause.
    pub(crate) fn restart(&mut self, now: Instant) {
        self.start = now;
        self.simulated_secs = 0.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_due_at_the_factor() {
        let start = Instant::now();
        let mut pace = Pace::new(start);
        let twice = RealTimeFactor::new(2.0).unwrap();
        assert_eq!(pace.wait(start, twice), Duration::ZERO);
        pace.stepped(0.010);
        assert_eq!(pace.wait(start, twice), Duration::from_millis(5));
        assert_eq!(pace.wait(start + Duration::from_millis(6), twice), Duration::ZERO);
    }

    #[test]
    fn lost_time_is_given_up() {
        let start = Instant::now();
        let mut pace = Pace::new(start);
        pace.wait(start, RealTimeFactor::ONE);
        pace.stepped(0.001);
        let late = start + Duration::from_secs(5);
        assert_eq!(pace.wait(late, RealTimeFactor::ONE), Duration::ZERO);
        pace.stepped(0.001);
        assert_eq!(pace.wait(late, RealTimeFactor::ONE), Duration::from_millis(1));
    }
}
