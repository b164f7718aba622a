//! The engine's library alone, as a yardstick.

use rapier3d_f64::prelude::{CCDSolver, PhysicsPipeline};

use super::RapierEngine;
use super::state::State;

/// Steps a copy of an engine's world by the library alone: no checks, no bookkeeping, no reading.
///
/// Benchmarks compare the simulator with it.
pub struct BareRapier {
    state: State,
    pipeline: PhysicsPipeline,
    ccd: CCDSolver,
}

impl BareRapier {
    /// Copies the world of `engine`.
    pub fn copy_of(engine: &RapierEngine) -> Self {
        Self {
            state: engine.state.clone(),
            pipeline: PhysicsPipeline::new(),
            ccd: CCDSolver::new(),
        }
    }

    /// Makes one step of the length that the copied engine stepped last.
    pub fn step(&mut self) {
        let state = &mut self.state;
        self.pipeline.step(
            state.gravity,
            &state.parameters,
            &mut state.islands,
            &mut state.broad_phase,
            &mut state.narrow_phase,
            &mut state.bodies,
            &mut state.colliders,
            &mut state.impulse_joints,
            &mut state.multibody_joints,
            &mut state.soft_bodies,
            &mut self.ccd,
            &(),
            &(),
        );
    }
}
