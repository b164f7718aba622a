//! Going to another time: keyframes, resets, and what becomes of a step that failed.

use retake_msgs::TimeJumped;
use retake_msgs::notification::Level;
use retake_physics::StepError;

use super::{Simulation, StepFailure};
use crate::presets::KeptProfiles;
use crate::system::StuckSystems;
use crate::user_commands::{Applied, CommandError};
use crate::{Event, Keyframe};

/// Why time jumps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JumpCause {
    /// In a word or two: "undo", "redo", "reset", "failed step".
    pub cause: &'static str,
    /// Who asked for it; empty when nobody did.
    pub author: String,
    /// What was undone or redone.
    pub description: String,
}

impl From<&'static str> for JumpCause {
    fn from(cause: &'static str) -> Self {
        Self { cause, author: String::new(), description: String::new() }
    }
}

impl Simulation {
    /// Captures the complete state.
    pub fn capture(&self) -> Keyframe {
        let (ecm, engine) = (self.ecm.snapshot(), self.physics.snapshot());
        Keyframe { ecm, engine, engine_ecm: None, epoch: self.epoch }
    }

    /// Goes to a captured state, and says so.
    pub fn restore(&mut self, keyframe: &Keyframe, cause: impl Into<JumpCause>) {
        self.restore_with(keyframe, cause.into(), StuckSystems::Restart);
    }

    /// Goes to a captured state as [`Simulation::restore`] does, and says what becomes of systems
    /// that cannot follow.
    pub(crate) fn restore_with(
        &mut self,
        keyframe: &Keyframe,
        cause: JumpCause,
        stuck: StuckSystems,
    ) {
        let from = self.clock().sim_time;
        if stuck == StuckSystems::Restart {
            for name in self.stuck_systems() {
                self.notify(Level::Warning, format!("System {name} begins anew"));
            }
        }
        self.put_back(keyframe);
        let stopped = self.schedule.jump(&mut self.ecm, stuck);
        self.report_stopped(stopped);
        self.last_good = keyframe.clone();
        self.edited = false;
        self.told.clear();
        self.jumps += 1;
        self.epoch = self.jumps;
        self.tell(Event::TimeJumped(TimeJumped {
            from: Some(from.into()),
            to: Some(keyframe.sim_time().into()),
            cause: cause.cause.to_owned(),
            author: cause.author,
            description: cause.description,
            epoch: self.epoch,
            parent_epoch: keyframe.epoch,
        }));
    }

    /// Puts the world back to how it was loaded.
    pub fn reset(&mut self) {
        let initial = self.initial.clone();
        self.restore(&initial, "reset");
    }

    /// Ends a reset: the profiles that were kept are put in force again.
    pub(super) fn put_profiles_back(
        &mut self,
        kept: Option<KeptProfiles>,
    ) -> Result<Applied, CommandError> {
        let Some(kept) = kept else { return Ok(Applied::to_world("Reset world".to_owned())) };
        kept.put_back(&mut self.ecm)?;
        // They were in force before, so that no engine refuses them now.
        let refusals = self.follow_edits();
        self.report_notes(refusals);
        self.edited = true;
        Ok(Applied::to_world("Reset world, keeping its physics profiles".to_owned()))
    }

    /// Returns the present stretch of time without a jump, counted from 0.
    pub fn epoch(&self) -> u64 {
        self.epoch
    }

    /// Returns the stretch that a failed step would go back to.
    pub(crate) fn epoch_of_last_good(&self) -> u64 {
        self.last_good.epoch
    }

    /// Returns the stretch that a reset goes back to.
    pub(crate) fn epoch_of_initial(&self) -> u64 {
        self.initial.epoch
    }

    /// Puts both halves of a keyframe in place.
    pub(super) fn put_back(&mut self, keyframe: &Keyframe) {
        let Keyframe { ecm, engine, engine_ecm, .. } = keyframe;
        self.ecm.restore(engine_ecm.as_ref().unwrap_or(ecm));
        if let Err(error) = self.physics.restore(engine, &mut self.ecm) {
            self.notify(Level::Error, error.to_string());
        }
        if engine_ecm.is_some() {
            self.ecm.restore(ecm);
            let followed = self.physics.follow(&mut self.ecm);
            self.report_notes(followed.refusals);
        }
    }

    pub(super) fn go_back_to_last_good(&mut self, iteration: u64, cause: StepError) -> StepFailure {
        let keyframe = self.last_good.clone();
        self.restore(&keyframe, "failed step");
        let failure = StepFailure { iteration, back_at: keyframe.sim_time(), cause };
        self.notify(Level::Error, failure.to_string());
        failure
    }
}
