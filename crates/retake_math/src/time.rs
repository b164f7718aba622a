//! Simulated time.

use std::fmt;
use std::ops::{Add, AddAssign, Sub};
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// An instant or a span of simulated time, exact to the nanosecond.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub struct SimTime(i64);

const NANOS_PER_SEC: i64 = 1_000_000_000;

impl SimTime {
    /// The start of every world.
    pub const ZERO: Self = Self(0);

    /// Makes a time from whole nanoseconds.
    pub const fn from_nanos(nanos: i64) -> Self {
        Self(nanos)
    }

    /// Makes a time from seconds, rounded to the nanosecond.
    ///
    /// Values out of range saturate; not-a-number is zero.
    pub fn from_secs_f64(secs: f64) -> Self {
        Self((secs * NANOS_PER_SEC as f64).round() as i64)
    }

    /// Returns whole nanoseconds.
    pub const fn as_nanos(self) -> i64 {
        self.0
    }

    /// Returns seconds as a floating-point number.
    pub fn as_secs_f64(self) -> f64 {
        self.0 as f64 / NANOS_PER_SEC as f64
    }
}

impl Add for SimTime {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl AddAssign for SimTime {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sub for SimTime {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}

impl fmt::Display for SimTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.3} s", self.as_secs_f64())
    }
}

/// A text that is not a time.
#[derive(Debug, PartialEq, Eq)]
pub struct ParseTimeError {
    text: String,
}

impl fmt::Display for ParseTimeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} is not a time; write seconds, as in 2.5s or 2.5", self.text)
    }
}

impl std::error::Error for ParseTimeError {}

impl FromStr for SimTime {
    type Err = ParseTimeError;

    /// Reads `2.5s`, `2.5`, `10ms`.
    fn from_str(text: &str) -> Result<Self, ParseTimeError> {
        let (digits, scale) = match text.strip_suffix("ms") {
            Some(digits) => (digits, 1e-3),
            None => (text.strip_suffix('s').unwrap_or(text), 1.0),
        };
        match digits.trim().parse::<f64>() {
            Ok(value) if value.is_finite() => Ok(Self::from_secs_f64(value * scale)),
            _ => Err(ParseTimeError { text: text.to_owned() }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thousand_milliseconds_are_a_second_exactly() {
        let mut now = SimTime::ZERO;
        for _ in 0..1000 {
            now += SimTime::from_secs_f64(0.001);
        }
        assert_eq!(now, "1s".parse().unwrap());
    }

    #[test]
    fn reads_units_and_refuses_words() {
        assert_eq!("10ms".parse(), Ok(SimTime::from_nanos(10_000_000)));
        assert_eq!("2.5".parse(), Ok(SimTime::from_nanos(2_500_000_000)));
        let refused = "soon".parse::<SimTime>().unwrap_err().to_string();
        assert_eq!(refused, "\"soon\" is not a time; write seconds, as in 2.5s or 2.5");
        assert!("nan".parse::<SimTime>().is_err());
    }
}
