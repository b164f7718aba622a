//! Limits of velocity, acceleration and jerk.

use crate::system::SystemError;
use crate::systems::Params;

/// Keeps a commanded velocity within what the vehicle may do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::systems) struct Limiter {
    velocity: Range,
    acceleration: Range,
    jerk: Range,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Range {
    low: f64,
    high: f64,
}

impl Limiter {
    /// Reads `<max_velocity>` and its kin, and the ones for this direction alone, as
    /// `<max_linear_velocity>`, which count more.
    pub(in crate::systems) fn read(
        params: &Params<'_>,
        direction: &str,
    ) -> Result<Self, SystemError> {
        Ok(Self {
            velocity: Range::read(params, direction, "velocity")?,
            acceleration: Range::read(params, direction, "acceleration")?,
            jerk: Range::read(params, direction, "jerk")?,
        })
    }

    /// Returns the velocity nearest to `wanted` that may follow the last two.
    pub(in crate::systems) fn limit(
        &self,
        wanted: f64,
        (last, before): (f64, f64),
        dt_secs: f64,
    ) -> f64 {
        let velocity = self.velocity.clamp(wanted);
        let step = self.acceleration.scaled(dt_secs).clamp(velocity - last);
        let last_step = last - before;
        let change = self.jerk.scaled(dt_secs * dt_secs).clamp(step - last_step);
        self.velocity.clamp(last + last_step + change)
    }
}

impl Range {
    fn read(params: &Params<'_>, direction: &str, of: &str) -> Result<Self, SystemError> {
        let bound = |which: &str, otherwise: f64| {
            let both = params.number(&format!("{which}_{of}"))?;
            let own = params.number(&format!("{which}_{direction}_{of}"))?;
            Ok::<f64, SystemError>(own.or(both).unwrap_or(otherwise))
        };
        let high = bound("max", f64::INFINITY)?;
        // As in Gazebo, the lower bound mirrors the upper one unless it is given.
        let low = bound("min", -high)?;
        if low > high {
            return Err(SystemError::BadParameter {
                parameter: format!("min_{direction}_{of}"),
                text: low.to_string(),
                expected: "a number not above the max of the same name",
            });
        }
        Ok(Self { low, high })
    }

    fn clamp(self, value: f64) -> f64 {
        value.clamp(self.low, self.high)
    }

    fn scaled(self, factor: f64) -> Self {
        Self { low: self.low * factor, high: self.high * factor }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FREE: Range = Range { low: f64::NEG_INFINITY, high: f64::INFINITY };

    fn symmetric(bound: f64) -> Range {
        Range { low: -bound, high: bound }
    }

    #[test]
    fn velocity_and_acceleration_are_kept() {
        let limiter =
            Limiter { velocity: symmetric(1.0), acceleration: symmetric(2.0), jerk: FREE };
        let (mut last, mut before) = (0.0, 0.0);
        for _ in 0..2000 {
            let next = limiter.limit(5.0, (last, before), 0.001);
            assert!((next - last) <= 0.002 + 1e-12 && next <= 1.0);
            (before, last) = (last, next);
        }
        assert_eq!(last, 1.0);
    }

    #[test]
    fn jerk_grows_the_acceleration_slowly() {
        let limiter = Limiter { velocity: FREE, acceleration: FREE, jerk: symmetric(1.0) };
        let first = limiter.limit(1.0, (0.0, 0.0), 0.1);
        assert!((first - 0.01).abs() < 1e-12, "{first}");
    }
}
