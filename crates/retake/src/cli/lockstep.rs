//! Controllers that steps wait for.

use std::num::NonZeroU64;

use clap::{Args, ValueEnum};
use retake_sim::{LockstepOptions, WhenLate};

/// Which controllers steps wait for, and for how long.
#[derive(Args, Clone)]
pub(crate) struct LockstepArgs {
    /// Controller in another program that each step waits for; can be given several times
    #[arg(long, value_name = "NAME", value_parser = controller)]
    pub(crate) lockstep: Vec<String>,
    /// Steps from one turn of the controllers to the next
    #[arg(long, value_name = "N", default_value = "1", requires = "lockstep")]
    pub(crate) lockstep_every: NonZeroU64,
    /// Seconds that a controller has for a turn
    #[arg(long, value_name = "SECONDS", default_value_t = 5.0, value_parser = seconds, allow_negative_numbers = true, requires = "lockstep")]
    pub(crate) lockstep_timeout: f64,
    /// What becomes of a step that a controller is late for
    #[arg(long, value_enum, default_value_t = Late::Pause, requires = "lockstep")]
    pub(crate) lockstep_late: Late,
}

/// What becomes of a step that a controller is late for.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Late {
    /// The world pauses; playing waits anew
    Pause,
    /// It is made with what the others said
    GoOn,
}

impl LockstepArgs {
    pub(crate) fn options(&self) -> LockstepOptions {
        LockstepOptions {
            controllers: self.lockstep.clone(),
            every: self.lockstep_every,
            late: match self.lockstep_late {
                Late::Pause => WhenLate::Pause,
                Late::GoOn => WhenLate::GoOn,
            },
        }
    }
}

fn controller(text: &str) -> Result<String, String> {
    match text.trim().is_empty() {
        true => Err("write the name that the controller joins with".to_owned()),
        false => Ok(text.to_owned()),
    }
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(secs) if (0.001..=3600.0).contains(&secs) => Ok(secs),
        _ => Err("write seconds from 0.001 to 3600".to_owned()),
    }
}
