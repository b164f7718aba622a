//! How often a system publishes, without a memory of its own: it follows from the time alone.

use retake_math::SimTime;

use crate::system::StepInfo;

/// Once in each period of simulated time.
#[derive(Clone, Copy)]
pub(super) struct Rate {
    /// None is every step.
    period: Option<SimTime>,
}

impl Rate {
    /// Publishes so often in each second; every step when that is not above zero.
    pub(super) fn hz(rate_hz: f64) -> Self {
        let period = SimTime::from_secs_f64(1.0 / rate_hz.clamp(f64::MIN_POSITIVE, 1e9));
        Self { period: Some(period).filter(|_| rate_hz > 0.0) }
    }

    /// Says whether a step that was just made is one that publishes.
    pub(super) fn is_due(&self, after: &StepInfo) -> bool {
        let Some(period) = self.period.map(|period| period.as_nanos().max(1)) else { return true };
        let (now, step) = (after.sim_time.as_nanos(), after.step_size.as_nanos());
        now.div_euclid(period) != (now - step).div_euclid(period)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(rate: Rate, steps: u64) -> usize {
        let step_size = SimTime::from_nanos(1_000_000);
        let after = |iterations: u64| StepInfo {
            sim_time: SimTime::from_nanos(1_000_000 * iterations as i64),
            step_size,
            iterations,
        };
        (1..=steps).filter(|number| rate.is_due(&after(*number))).count()
    }

    #[test]
    fn each_period_has_one() {
        assert_eq!(count(Rate::hz(50.0), 1000), 50);
        assert_eq!(count(Rate::hz(30.0), 1000), 30);
        assert_eq!(count(Rate::hz(0.0), 1000), 1000);
        assert_eq!(count(Rate::hz(5000.0), 1000), 1000);
    }
}
