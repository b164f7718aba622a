//! Components of the world entity.

use retake_description::{PhysicsProfile, Scene, SphericalCoordinates};
use retake_ecm::Component;
use retake_math::{SimTime, Vec3};
use serde::{Deserialize, Serialize};

/// Gravity in m/s².
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Gravity(pub Vec3);

impl Component for Gravity {
    const NAME: &'static str = "gravity";
}

/// Ambient light and sky.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WorldScene(pub Scene);

impl Component for WorldScene {
    const NAME: &'static str = "scene";
}

/// Every physics profile of the world.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PhysicsProfiles(pub Vec<PhysicsProfile>);

impl Component for PhysicsProfiles {
    const NAME: &'static str = "physics_profiles";
}

/// Name of the profile in force.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CurrentProfile(pub String);

impl Component for CurrentProfile {
    const NAME: &'static str = "current_profile";
}

/// The simulated clock; only the runner moves it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorldClock {
    /// Simulated time.
    pub sim_time: SimTime,
    /// Steps made.
    pub iterations: u64,
    /// Length of a step.
    pub step_size: SimTime,
}

impl Component for WorldClock {
    const NAME: &'static str = "clock";
}

/// Seed of everything random in the world.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seed(pub u64);

impl Component for Seed {
    const NAME: &'static str = "seed";
}

/// What the world file says that nothing simulates yet; kept so that it can be written back.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WorldText {
    /// Magnetic field in tesla.
    pub magnetic_field: Vec3,
    /// Wind velocity in m/s.
    pub wind: Vec3,
    /// Where on the globe the world is.
    pub spherical_coordinates: Option<SphericalCoordinates>,
}

impl Component for WorldText {
    const NAME: &'static str = "world_text";
}
