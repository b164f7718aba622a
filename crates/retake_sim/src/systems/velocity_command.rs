//! What a vehicle is told to do.

use retake_ecm::Component;
use serde::{Deserialize, Serialize};

/// Velocity that a model's drive should follow, in the model's frame.
///
/// Drivers and messages write it, the drive of the model reads it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct VelocityCommand {
    /// Forward velocity in m/s.
    pub linear: f64,
    /// Turn to the left in rad/s.
    pub angular: f64,
}

/// Fastest command that is taken, in m/s or rad/s: far beyond any vehicle, far from overflow.
const FASTEST: f64 = 1e6;

impl VelocityCommand {
    /// Says whether both numbers are usable.
    pub fn is_valid(&self) -> bool {
        [self.linear, self.angular].iter().all(|value| value.abs() <= FASTEST)
    }
}

impl Component for VelocityCommand {
    const NAME: &'static str = "velocity_command";
}
