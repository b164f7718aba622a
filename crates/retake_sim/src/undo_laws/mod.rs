//! The laws of going back in time, on generated worlds: what tests and `retake bench undo-laws`
//! check, the tests less of it.
//!
//! Everything follows from a seed, so that a violation can be seen again.

mod lists;
mod looking_back;
mod resuming;
mod scenes;

use fastrand::Rng;
use thiserror::Error;

pub use lists::follow_reference_model;
pub use looking_back::past_is_shown_as_it_was;
pub use resuming::resume_is_never_having_left;

use crate::{Simulation, StepFailure};

/// A law that does not hold.
#[derive(Debug, Error)]
pub enum Violation {
    /// The state is another than it must be.
    #[error("seed {seed}, {place}: the state differs {what}")]
    Differs {
        /// Seed of the world and of everything that happens in it.
        seed: u64,
        /// Where in the run.
        place: String,
        /// From what.
        what: &'static str,
    },
    /// The lists, or a reply, are others than they must be.
    #[error("seed {seed}, {place}: expected {expected}, got {found}")]
    Unexpected {
        /// Seed of the world and of everything that happens in it.
        seed: u64,
        /// Where in the run.
        place: String,
        /// What should be.
        expected: String,
        /// What is.
        found: String,
    },
    /// A generated world could not be used.
    #[error("seed {seed}: {reason}")]
    Scene {
        /// Seed of the world.
        seed: u64,
        /// Why not.
        reason: String,
    },
    /// A step failed.
    #[error(transparent)]
    Step(#[from] StepFailure),
    /// A state could not be hashed.
    #[error(transparent)]
    Hash(#[from] std::io::Error),
}

/// Goes back at `instants` moments of a generated world and steps on, `steps` each time.
///
/// Each moment comes right after something: a command, an insertion, a deletion, a motor's new
/// target, or a rest long enough to fall asleep.
///
/// # Errors
/// [`Violation::Differs`] when going on after a restore is not going on without it.
pub fn restore_is_never_having_left(seed: u64, instants: u32, steps: u32) -> Result<(), Violation> {
    let mut rng = Rng::with_seed(seed);
    let mut simulation = scenes::load(seed, &mut rng)?;
    for instant in 0..instants {
        scenes::happen(&mut simulation, &mut rng);
        run(&mut simulation, rng.u32(0..60))?;
        let keyframe = simulation.capture();
        let there = simulation.hash()?;
        let straight = run(&mut simulation, steps)?;
        // Once from where the run came to, once from elsewhere and after other edits.
        for detour in [0, rng.u32(1..200)] {
            run(&mut simulation, detour)?;
            if detour > 0 {
                scenes::happen(&mut simulation, &mut rng);
            }
            simulation.restore(&keyframe, "law");
            let place = format!("instant {instant}, after a detour of {detour} steps");
            let differs = |what| Violation::Differs { seed, place: place.clone(), what };
            if simulation.hash()? != there {
                return Err(differs("from the captured one"));
            }
            if run(&mut simulation, steps)? != straight {
                return Err(differs("from that of the run without a restore"));
            }
        }
        simulation.restore(&keyframe, "law");
    }
    Ok(())
}

fn run(simulation: &mut Simulation, steps: u32) -> Result<String, Violation> {
    for _ in 0..steps {
        simulation.step()?;
    }
    Ok(simulation.hash()?)
}
