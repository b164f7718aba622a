//! Curves through waypoints: position, velocity and acceleration of joints at any time.
//!
//! All joints of a motion share their times; a curve set is built once and evaluated without
//! allocation.

mod error;
mod polynomial;
mod set;
pub(crate) mod slopes;

pub use error::CurveError;
pub use set::CurveSet;

/// Where a joint is, how fast, and how its speed changes; in rad, rad/s, rad/s², or m.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Sample {
    /// In rad or m.
    pub position: f64,
    /// In rad/s or m/s.
    pub velocity: f64,
    /// In rad/s² or m/s².
    pub acceleration: f64,
}

/// What of a joint is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// In rad or m.
    Position,
    /// In rad/s or m/s.
    Velocity,
    /// In rad/s² or m/s².
    Acceleration,
}

impl Sample {
    /// Returns one of its numbers.
    pub fn of(&self, quantity: Quantity) -> f64 {
        match quantity {
            Quantity::Position => self.position,
            Quantity::Velocity => self.velocity,
            Quantity::Acceleration => self.acceleration,
        }
    }
}

/// Where a quantity of a joint is smallest or largest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extreme {
    /// In s. Where the quantity jumps at a knot, what leads up to it is just before the knot.
    pub time_secs: f64,
    /// In the unit of the quantity.
    pub value: f64,
}

/// What one joint is to do at the times of a curve set.
#[derive(Clone, Copy, Debug)]
pub struct Knots<'a> {
    /// One for each time.
    pub positions: &'a [f64],
    /// One for each time; empty when not given.
    pub velocities: &'a [f64],
    /// One for each time; empty when not given.
    pub accelerations: &'a [f64],
    /// Whether it holds each value until the next time instead of going there.
    pub stepwise: bool,
}
