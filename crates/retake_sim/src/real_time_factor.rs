//! How fast a world is to run.

use thiserror::Error;

/// Simulated seconds for each real second; 0 is as fast as possible.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RealTimeFactor(f64);

/// A factor that cannot be kept to.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[error(
    "the real time factor is {value}; write 0 for as fast as possible, or a number from 0.001 to 1000"
)]
pub struct BadRealTimeFactor {
    /// What was given.
    pub value: f64,
}

impl RealTimeFactor {
    /// One simulated second for each real one.
    pub const ONE: Self = Self(1.0);
    /// As fast as possible.
    pub const UNBOUNDED: Self = Self(0.0);

    /// Checks a factor.
    ///
    /// # Errors
    /// [`BadRealTimeFactor`] when it is neither 0 nor within 0.001 to 1000.
    pub fn new(value: f64) -> Result<Self, BadRealTimeFactor> {
        match value == 0.0 || (1e-3..=1e3).contains(&value) {
            true => Ok(Self(value)),
            false => Err(BadRealTimeFactor { value }),
        }
    }

    /// Returns the number.
    pub fn value(self) -> f64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_factors_that_can_be_kept_are_taken() {
        for good in [0.0, 0.001, 1.0, 1000.0] {
            assert_eq!(RealTimeFactor::new(good).map(RealTimeFactor::value), Ok(good));
        }
        for bad in [-1.0, 1e-30, 1e-4, 1001.0, f64::NAN, f64::INFINITY] {
            assert!(RealTimeFactor::new(bad).is_err(), "{bad}");
        }
    }
}
