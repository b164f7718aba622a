//! How a collision behaves on contact.

use retake_math::Vec3;
use serde::{Deserialize, Serialize};

/// Surface of a collision.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Surface {
    /// Friction.
    pub friction: Friction,
    /// Restitution.
    pub bounce: Bounce,
    /// Contact stiffness and filtering.
    pub contact: Contact,
}

/// Coulomb friction, with what ODE knows beside it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Friction {
    /// Coefficient along the first direction.
    pub mu: f64,
    /// Coefficient along the second direction.
    pub mu2: f64,
    /// First direction in the collision's frame; zero when it is not given.
    pub fdir1: Vec3,
    /// Force-dependent slip along the first direction, in s/kg.
    pub slip1: f64,
    /// Force-dependent slip along the second direction, in s/kg.
    pub slip2: f64,
    /// Coefficient of torsional friction.
    pub torsional: f64,
}

impl Default for Friction {
    fn default() -> Self {
        Self { mu: 1.0, mu2: 1.0, fdir1: Vec3::ZERO, slip1: 0.0, slip2: 0.0, torsional: 1.0 }
    }
}

/// Restitution.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bounce {
    /// Share of the approach speed that comes back, 0 to 1.
    pub restitution: f64,
    /// Approach speed below which nothing bounces, in m/s.
    pub threshold: f64,
}

impl Default for Bounce {
    fn default() -> Self {
        Self { restitution: 0.0, threshold: 100_000.0 }
    }
}

/// Contact stiffness and filtering.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Contact {
    /// Stiffness in N/m.
    pub kp: f64,
    /// Damping in N s/m.
    pub kd: f64,
    /// Two collisions touch when the bitwise and of their masks is not zero.
    pub collide_bitmask: u32,
}

impl Default for Contact {
    fn default() -> Self {
        Self { kp: 1e12, kd: 1.0, collide_bitmask: 0xffff }
    }
}
