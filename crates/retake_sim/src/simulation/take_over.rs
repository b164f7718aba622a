//! Taking over what was done to a copy of the world while it was paused.
//!
//! Each action is an edit of its own that can be undone by itself, but the engine is brought up to
//! date once, after all of them: keyframes in between have the engine of the instant before the
//! first. Only when the engine refuses something are they gone through one by one.

use retake_ecm::{EcmSnapshot, EntityId};
use retake_msgs::SerializedState;

use super::Simulation;
use crate::user_commands::CommandError;
use crate::{Keyframe, user_commands};

/// Refusals by the engine that are looked into; each costs about as much as an undo.
const MAX_REFUSED: usize = 256;

/// What became of an action: the state before it, or why it was refused.
pub(crate) type TakenOver = Result<Keyframe, CommandError>;

impl Simulation {
    /// Lays edits over the world in order, each whole or not at all, and lets physics and systems
    /// follow.
    pub(crate) fn take_over(&mut self, edits: &[&SerializedState]) -> Vec<TakenOver> {
        let start = self.capture();
        let merged: Vec<_> = edits.iter().map(|edit| self.merge(edit)).collect();
        if merged.iter().all(Result::is_err) {
            return refusals(merged);
        }
        self.edited = true;
        if self.follow_edits().is_empty() {
            return merged.into_iter().map(|done| done.map(|ecm| start.edited(ecm))).collect();
        }
        self.go_back_to(&start);
        self.take_over_singly(&start, edits, merged)
    }

    fn take_over_singly(
        &mut self,
        start: &Keyframe,
        edits: &[&SerializedState],
        merged: Vec<Result<EcmSnapshot, CommandError>>,
    ) -> Vec<TakenOver> {
        let mut refused = 0;
        let mut one = |edit: &SerializedState| {
            let before = start.edited(self.merge(edit)?);
            if refused >= MAX_REFUSED {
                self.go_back_to(&before);
                let reason = "Too many others were refused. Offer it again".to_owned();
                return Err(CommandError::Engine { reason });
            }
            let refusals = self.follow_edits();
            if refusals.is_empty() {
                return Ok(before);
            }
            refused += 1;
            let reason = refusals.iter().map(|note| self.describe(note)).collect::<Vec<_>>();
            self.go_back_to(&before);
            Err(CommandError::Engine { reason: reason.join("; ") })
        };
        edits.iter().zip(merged).map(|(edit, done)| done.and_then(|_| one(edit))).collect()
    }

    /// Lays one edit over the Ecm alone; returns the Ecm before it.
    fn merge(&mut self, edit: &SerializedState) -> Result<EcmSnapshot, CommandError> {
        let before = self.ecm.snapshot();
        self.ecm.merge(edit)?;
        let touched: Vec<_> = edit.entities.iter().map(|e| EntityId::from_raw(e.id)).collect();
        match user_commands::check(&before, &self.ecm, &touched, &self.preparer) {
            Ok(()) => Ok(before),
            Err(error) => {
                self.ecm.restore(&before);
                Err(error)
            }
        }
    }

    /// Puts a state in place that is no jump in time: systems are made anew for it.
    fn go_back_to(&mut self, keyframe: &Keyframe) {
        self.put_back(keyframe);
        let stopped = self.schedule.rebuild(&mut self.ecm);
        self.report_stopped(stopped);
    }
}

fn refusals(merged: Vec<Result<EcmSnapshot, CommandError>>) -> Vec<TakenOver> {
    merged.into_iter().filter_map(Result::err).map(Err).collect()
}
