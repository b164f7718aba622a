//! How exact an engine is: small worlds whose motion is known by a formula.
//!
//! Each case builds its world through the [`Engine`] trait, runs it at steps of 1 ms and compares
//! it with the answer on paper, or, for the arm, with the equations of motion solved a hundred
//! times finer. The limits stand beside the cases: one for each preset, from `fast` to `accurate`.
//! They are about twice what was measured when they were written.

mod arms;
mod bodies;
mod contacts;
mod joints;
mod loops;
mod scene;

use thiserror::Error;

use crate::{Engine, EngineError, EngineSettings, RapierEngine, StepError};
use scene::Scene;

/// Length of a step in all cases, in seconds.
pub const STEP_SECS: f64 = 0.001;

/// Which of the presets a measurement is judged as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grade {
    /// The preset `fast`.
    Fast,
    /// The preset `default`.
    Default,
    /// The preset `accurate`.
    Accurate,
}

impl Grade {
    /// All grades, from the quickest to the most exact.
    pub const ALL: [Self; 3] = [Self::Fast, Self::Default, Self::Accurate];

    /// Returns the name of the preset.
    pub fn name(self) -> &'static str {
        EngineSettings::PRESET_NAMES[self as usize]
    }

    /// Returns the settings of the preset.
    pub fn settings(self) -> EngineSettings {
        EngineSettings::preset(self.name()).unwrap_or_default()
    }
}

/// One number of a case.
#[derive(Clone, Debug, PartialEq)]
pub struct Measurement {
    /// What was measured, as in `energy`.
    pub quantity: &'static str,
    /// How far it was from the right answer.
    pub error: f64,
    /// Its unit; empty for a share of the right answer.
    pub unit: &'static str,
    /// The largest error that each grade may have.
    pub allowed: [f64; 3],
}

impl Measurement {
    /// Says whether the error is within the limit of a grade; what is not a number never is.
    pub fn passes(&self, grade: Grade) -> bool {
        self.error.abs() <= self.allowed[grade as usize]
    }
}

/// A case that could not be run.
#[derive(Debug, Error)]
pub enum AccuracyError {
    /// The engine did not take the world.
    #[error("the engine refused a part of the world: {0}")]
    Refused(#[from] EngineError),
    /// The engine failed.
    #[error(transparent)]
    Failed(#[from] StepError),
    /// Something expected never happened.
    #[error("{what} did not happen in time")]
    Missing {
        /// What was waited for.
        what: &'static str,
    },
}

/// A small world with a known answer.
pub struct Case {
    /// Short name.
    pub name: &'static str,
    /// What is compared with what, in one line.
    pub about: &'static str,
    measure: fn(&mut Scene<'_>) -> Result<Vec<Measurement>, AccuracyError>,
}

impl Case {
    /// Runs the case in an empty engine.
    ///
    /// # Errors
    /// [`AccuracyError`] when the engine refuses or fails.
    pub fn run(&self, engine: &mut dyn Engine) -> Result<Vec<Measurement>, AccuracyError> {
        (self.measure)(&mut Scene::new(engine))
    }

    /// Runs the case in the default engine with the given settings.
    ///
    /// # Errors
    /// As [`Case::run`].
    pub fn run_with(&self, settings: EngineSettings) -> Result<Vec<Measurement>, AccuracyError> {
        self.run(&mut RapierEngine::new(settings)?)
    }
}

/// Every case.
pub const CASES: [Case; 15] = [
    Case {
        name: "free rotor",
        about: "a box turning about its unstable axis for 10 s keeps energy and momentum",
        measure: bodies::free_rotor,
    },
    Case { name: "projectile", about: "a thrown ball after 2 s", measure: bodies::projectile },
    Case {
        name: "gyroscope",
        about: "a disc spinning on a level axle precesses at m g d / (I w)",
        measure: bodies::gyroscope,
    },
    Case {
        name: "pendulum",
        about: "period at an amplitude of 1 rad, by the arithmetic-geometric mean",
        measure: joints::pendulum,
    },
    Case {
        name: "double pendulum",
        about: "energy over 10 s from level, in shares of m g l",
        measure: joints::double_pendulum,
    },
    Case {
        name: "joint limit",
        about: "a falling rod that a motor presses against its limit",
        measure: joints::limit,
    },
    Case {
        name: "slope, sliding",
        about: "20 degrees with friction 0.3: way after 2 s",
        measure: contacts::sliding,
    },
    Case {
        name: "slope, sticking",
        about: "20 degrees with friction 0.5: creep in 10 s",
        measure: contacts::sticking,
    },
    Case {
        name: "bounce",
        about: "height after one bounce with restitution 0.5, 0.8 and 1",
        measure: contacts::bounces,
    },
    Case {
        name: "rolling sphere",
        about: "down 10 degrees without slipping: way after 2 s by 5/7 g sin a",
        measure: contacts::rolling,
    },
    Case {
        name: "stack",
        about: "ten boxes, 1 kg at the bottom to 10 kg at the top, for 10 s",
        measure: contacts::stack,
    },
    Case {
        name: "grasp",
        about: "0.5 kg held by 20 N on either side for 10 s",
        measure: contacts::grasp,
    },
    Case {
        name: "arm",
        about: "two joints under gravity: holding, and tracking against the exact motion",
        measure: arms::two_joints,
    },
    Case {
        name: "standing",
        about: "a body of 20 kg on four bent legs: drift of the feet in 5 s",
        measure: arms::standing,
    },
    Case {
        name: "four-bar",
        about: "a driven crank: angle of the rocker by geometry, and the gap of the closed loop",
        measure: loops::four_bar,
    },
];
