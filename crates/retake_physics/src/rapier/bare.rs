//! The engine's library alone, as a yardstick.

use rapier3d_f64::prelude::{CCDSolver, PhysicsPipeline};

use super::RapierEngine;
use super::state::State;
use super::threads::Threads;

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
        // On the calling thread alone, as the engine itself unless told otherwise.
        Threads::single().pool(true);
        Self {
            state: engine.state.clone(),
            pipeline: PhysicsPipeline::new(),
            ccd: CCDSolver::new(),
        }
    }

    /// Makes one step of the length that the copied engine stepped last.
    pub fn step(&mut self) {
        self.state.run_pipeline(&mut self.pipeline, &mut self.ccd, &());
    }
}
