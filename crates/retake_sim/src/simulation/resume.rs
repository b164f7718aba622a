//! Going on from a state that was kept in a file.

use std::sync::Arc;

use retake_components::world_entity;
use retake_ecm::Ecm;
use retake_physics::{EngineState, Followed, LoadProgress, Physics};

use super::{LoadError, Simulation, SimulationOptions, new_physics};
use crate::preparation::Preparer;
use crate::systems;

impl Simulation {
    /// Makes an empty Ecm that knows every component of a simulation, to lay a saved state over.
    pub fn empty_ecm() -> Ecm {
        Ecm::new(systems::registry())
    }

    /// Goes on from a saved state: `ecm` from [`Simulation::empty_ecm`] with the state applied, and
    /// what [`crate::Keyframe::engine_bytes`] wrote at the same instant.
    ///
    /// With the engine's half the world goes on bit by bit as it did. Without it, or when it cannot
    /// be used, the engine starts anew from the components: poses and velocities are as they were,
    /// contacts and what sleeps are found again. What was not done as asked is returned, for people
    /// to read. The clock goes on; seed and profile are those of the state; a reset leads back here.
    ///
    /// # Errors
    /// [`LoadError`] when the state holds no world, or the engine cannot be started.
    pub fn resume(
        mut ecm: Ecm,
        engine: Option<&EngineState>,
        options: &SimulationOptions,
    ) -> Result<(Self, Vec<String>), LoadError> {
        let world = world_entity(&ecm).ok_or(LoadError::NoWorld)?;
        let mut physics = new_physics(options)?;
        let _held = physics.prepare(&ecm, &|_: LoadProgress| {});
        let restored = match engine {
            Some(state) => put_in_place(state, &mut physics, &mut ecm),
            None => Err("the state of the engine was not kept".to_owned()),
        };
        let mut notes = Vec::new();
        let mut followed = Followed::default();
        if let Err(reason) = restored {
            followed = physics.follow(&mut ecm);
            notes.push(format!(
                "Physics starts anew at this instant, with poses and velocities as they were: {reason}"
            ));
        }
        let mut schedule = options.schedule();
        let stopped = schedule.rebuild(&mut ecm);
        let preparer = Preparer::new(options.roots.clone(), Arc::clone(physics.shapes()));
        let mut simulation = Self::around(ecm, world, physics, schedule, preparer);
        notes.extend(followed.refusals.iter().map(|note| simulation.describe(note)));
        simulation.report_notes(followed.remarks);
        simulation.report_stopped(stopped);
        simulation.report_unknown_plugins();
        Ok((simulation, notes))
    }
}

fn put_in_place(state: &EngineState, physics: &mut Physics, ecm: &mut Ecm) -> Result<(), String> {
    let snapshot = physics.decode(state, ecm).map_err(|error| error.to_string())?;
    physics.restore(&snapshot, ecm).map_err(|error| error.to_string())
}
