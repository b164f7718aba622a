//! What a system is.

use retake_ecm::{Component, Ecm};
use retake_math::SimTime;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::Outbox;

/// The step that is being made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StepInfo {
    /// Simulated time: before the step in `pre_update`, after it in `post_update`.
    pub sim_time: SimTime,
    /// Length of the step.
    pub step_size: SimTime,
    /// Steps made so far.
    pub iterations: u64,
}

impl StepInfo {
    /// Returns the length of the step in seconds.
    pub fn dt_secs(&self) -> f64 {
        self.step_size.as_secs_f64()
    }
}

/// A part of the simulation that acts in every step: a controller, a sensor, a plugin.
///
/// What a system must remember is a component on its plugin entity, so that keyframes, undo, logs
/// and replicas cover it. Its own fields hold only what can be found again from the Ecm: after a
/// time jump the system is made anew.
pub trait System: Send {
    /// Returns the topics it wants to hear.
    fn subscriptions(&self) -> Vec<String> {
        Vec::new()
    }

    /// Takes a message of one of its topics.
    ///
    /// # Errors
    /// A message that cannot be read; the system goes on.
    fn on_message(&mut self, topic: &str, bytes: &[u8], ecm: &mut Ecm) -> Result<(), SystemError> {
        let _ = (topic, bytes, ecm);
        Ok(())
    }

    /// Says whether it can follow the world to another time.
    ///
    /// One whose state is all in components can, and need not say so. One that talks to hardware,
    /// or to another program with a memory of its own, cannot: then the user decides.
    fn rewind(&self) -> Rewind {
        Rewind::Follows
    }

    /// Tells a system that cannot rewind, and was left as it is, that time is another now.
    ///
    /// # Errors
    /// Whatever keeps it from going on; the system is stopped and the user told.
    fn time_jumped(&mut self, ecm: &mut Ecm) -> Result<(), SystemError> {
        let _ = ecm;
        Ok(())
    }

    /// Lets go of what it moves: its plugin is gone or another, or it was stopped.
    fn release(&mut self, ecm: &mut Ecm) {
        let _ = ecm;
    }

    /// Acts before physics: reads the state, writes commands.
    ///
    /// # Errors
    /// Whatever keeps it from acting; the system is stopped and the user told.
    fn pre_update(&mut self, step: &StepInfo, ecm: &mut Ecm) -> Result<(), SystemError> {
        let _ = (step, ecm);
        Ok(())
    }

    /// Looks at the state after physics; it cannot write.
    ///
    /// # Errors
    /// Whatever keeps it from looking; the system is stopped and the user told.
    fn post_update(
        &mut self,
        step: &StepInfo,
        ecm: &Ecm,
        out: &mut Outbox,
    ) -> Result<(), SystemError> {
        let _ = (step, ecm, out);
        Ok(())
    }
}

/// Whether a system can follow the world to another time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rewind {
    /// It is made anew from its components, which went there too.
    Follows,
    /// It has a state that no keyframe holds.
    Cannot {
        /// Which, for the user to read.
        reason: String,
    },
}

/// What becomes of systems that cannot follow the world to another time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StuckSystems {
    /// They begin anew, as all others do.
    #[default]
    Restart,
    /// They go on as they are.
    GoOn,
}

/// Why a system cannot be made or go on.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SystemError {
    /// A parameter is missing.
    #[error("<{parameter}> is missing")]
    MissingParameter {
        /// The parameter.
        parameter: &'static str,
    },
    /// A parameter has a value that cannot be used.
    #[error("<{parameter}> is {text:?}; write {expected}")]
    BadParameter {
        /// The parameter.
        parameter: String,
        /// What stands there.
        text: String,
        /// What should stand there.
        expected: &'static str,
    },
    /// A parameter is none of the words that it can be.
    #[error("<{parameter}> is {text:?}; write {}", words.join(", "))]
    BadWord {
        /// The parameter.
        parameter: String,
        /// What stands there.
        text: String,
        /// What can stand there.
        words: Vec<&'static str>,
    },
    /// What holds the plugin is nothing that the system can work with.
    #[error("{reason}")]
    Unfit {
        /// Why, and what to do.
        reason: String,
    },
    /// What holds the plugin is not there any more.
    #[error("what it drives is not there any more")]
    NothingHeld,
    /// A joint that the system needs is not there.
    #[error(
        "joint {joint:?} is not in {holder:?}. Insert it or rename one so and the system goes on, \
         or delete the plugin"
    )]
    MissingJoint {
        /// What it is called.
        joint: String,
        /// What should hold it.
        holder: String,
    },
    /// A joint that the system needs cannot move as the system wants it to.
    #[error(
        "joint {joint:?} has {count} axes, and number {axis}, counted from 0, is to be moved. \
         Change the joint's kind and the system goes on, or change the plugin"
    )]
    MissingAxis {
        /// The joint.
        joint: String,
        /// The axis, from 0.
        axis: usize,
        /// How many it has.
        count: usize,
    },
    /// A message could not be read.
    #[error("a message on {topic} cannot be read: {reason}")]
    BadMessage {
        /// The topic.
        topic: String,
        /// What the decoder or the system said.
        reason: String,
    },
    /// The script cannot be used, or failed.
    #[error("{reason}")]
    Script {
        /// What is wrong, with the file and the line.
        reason: String,
    },
    /// The system panicked.
    #[error("it panicked: {message}")]
    Panicked {
        /// What it said.
        message: String,
    },
}

impl SystemError {
    /// Says whether a system that took a message badly must not go on.
    pub(crate) fn ends_the_system(&self) -> bool {
        matches!(self, Self::Panicked { .. } | Self::Script { .. })
    }

    /// Says whether the system can go on when the world has what it looks for.
    pub(crate) fn is_for_lack_of_something(&self) -> bool {
        matches!(self, Self::MissingJoint { .. } | Self::MissingAxis { .. } | Self::Unfit { .. })
    }
}

/// On a plugin entity whose system was stopped. A component, so that going back to before the
/// failure brings the system back too.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SystemFailure {
    /// Why it was stopped, for the user to read.
    pub reason: String,
    /// Whether it waits for something that an edit could bring.
    pub waits: bool,
}

impl Component for SystemFailure {
    const NAME: &'static str = "system_failure";
}
