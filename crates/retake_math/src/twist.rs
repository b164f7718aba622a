//! Velocities of rigid bodies.

use serde::{Deserialize, Serialize};

use crate::Vec3;

/// Linear and angular velocity of a body, in the world frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Twist {
    /// Linear velocity in m/s.
    pub linear: Vec3,
    /// Angular velocity in rad/s.
    pub angular: Vec3,
}

impl Twist {
    /// No motion.
    pub const ZERO: Self = Self { linear: Vec3::ZERO, angular: Vec3::ZERO };

    /// Says whether every number is finite.
    pub fn is_finite(&self) -> bool {
        self.linear.is_finite() && self.angular.is_finite()
    }
}
