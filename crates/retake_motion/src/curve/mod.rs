//! Curves through waypoints: position, velocity and acceleration of joints at any time.
//!
//! All joints of a motion share their times; a curve set is built once and evaluated without
//! allocation.

mod error;
mod polynomial;
mod set;
mod slopes;

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
