//! Complete states.

use retake_components::{WorldClock, world_entity};
use retake_ecm::EcmSnapshot;
use retake_math::SimTime;
use retake_physics::{EngineError, EngineState, PhysicsSnapshot};

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

    /// Says whether [`Keyframe::engine_bytes`] can write the engine's half. It can after every step,
    /// before the first one, and after most edits in between.
    ///
    /// Not when joints came or went since the last step, alone or with their models, nor in the
    /// midst of edits that were taken over from a pause: what the engine notes about those until
    /// the next step cannot be written. So a file waits for that step, or holds the instant before
    /// and the inputs since.
    pub fn is_exact(&self) -> bool {
        self.engine_ecm.is_none() && self.engine.is_settled()
    }

    /// Writes the engine's half as bytes, on any thread. Together with the components of `ecm`, from
    /// [`retake_ecm::Ecm::encode_full`], [`crate::Simulation::resume`] goes on from them bit by bit.
    ///
    /// # Errors
    /// [`EngineError::Unsettled`] unless [`Keyframe::is_exact`].
    pub fn engine_bytes(&self) -> Result<EngineState, EngineError> {
        if !self.is_exact() {
            return Err(EngineError::Unsettled);
        }
        self.engine.encode()
    }

    /// Returns the simulated time of the instant.
    pub fn sim_time(&self) -> SimTime {
        self.clock().sim_time
    }

    /// Returns the clock of the instant.
    pub fn clock(&self) -> WorldClock {
        let clock = world_entity(&self.ecm).and_then(|world| self.ecm.get::<WorldClock>(world));
        clock.copied().unwrap_or_default()
    }
}
