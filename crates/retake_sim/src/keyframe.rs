//! Complete states.

use retake_components::{WorldClock, world_entity};
use retake_ecm::EcmSnapshot;
use retake_math::SimTime;
use retake_physics::PhysicsSnapshot;

/// Everything that varies, at one instant: going back is putting both halves in place.
#[derive(Clone)]
pub struct Keyframe {
    /// Entities and components.
    pub ecm: EcmSnapshot,
    /// The engine's bodies, contacts and warm starts.
    pub engine: PhysicsSnapshot,
}

impl Keyframe {
    /// Returns the simulated time of the instant.
    pub fn sim_time(&self) -> SimTime {
        let clock = world_entity(&self.ecm).and_then(|world| self.ecm.get::<WorldClock>(world));
        clock.map(|clock| clock.sim_time).unwrap_or_default()
    }
}
