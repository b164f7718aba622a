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

impl Component for VelocityCommand {
    const NAME: &'static str = "velocity_command";
}
