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
    /// The entities that the engine's half belongs to, when some were edited since, with no step in
    /// between: the engine is brought up to date when the state is put in place.
    pub(crate) engine_ecm: Option<EcmSnapshot>,
    /// The stretch of time without a jump that the instant belongs to.
    pub(crate) epoch: u64,
}

impl Keyframe {
    /// Returns the state after edits that no step has followed yet.
    pub(crate) fn edited(&self, ecm: EcmSnapshot) -> Self {
        let engine_ecm = Some(self.engine_ecm.clone().unwrap_or_else(|| self.ecm.clone()));
        Self { ecm, engine: self.engine.clone(), engine_ecm, epoch: self.epoch }
    }

    /// Returns the simulated time of the instant.
    pub fn sim_time(&self) -> SimTime {
        let clock = world_entity(&self.ecm).and_then(|world| self.ecm.get::<WorldClock>(world));
        clock.map(|clock| clock.sim_time).unwrap_or_default()
    }
}
