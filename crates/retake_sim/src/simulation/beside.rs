//! A second world beside another one, to look at that one's past.

use std::sync::Arc;

use retake_components::world_entity;
use retake_ecm::Ecm;
use retake_physics::{
    EngineError, EngineSettings, EngineState, Physics, PhysicsSnapshot, RapierEngine,
};

use super::{LoadError, Simulation};
use crate::preparation::Preparer;
use crate::schedule::Schedule;
use crate::whereabouts::Whereabouts;

impl Simulation {
    /// Makes a world that knows the files and shapes of another one, with nothing simulated in it:
    /// a state of that world is to be put in place before anything else.
    pub(crate) fn beside(
        ecm: &Ecm,
        preparer: &Preparer,
        whereabouts: Whereabouts,
    ) -> Result<Self, LoadError> {
        let ecm = ecm.clone();
        let world = world_entity(&ecm).ok_or(LoadError::NoWorld)?;
        let engine = Box::new(RapierEngine::new(EngineSettings::default())?);
        let physics = match preparer.library() {
            Some(shapes) => Physics::sharing(engine, Arc::clone(shapes)),
            None => Physics::new(engine),
        };
        let schedule = Schedule::seen_at(whereabouts);
        Ok(Self::around(ecm, world, physics, schedule, preparer.clone()))
    }

    /// Reads the engine's half of a state; `ecm` must be that of the same instant.
    pub(crate) fn decode(
        &self,
        state: &EngineState,
        ecm: &Ecm,
    ) -> Result<PhysicsSnapshot, EngineError> {
        self.physics.decode(state, ecm)
    }
}
