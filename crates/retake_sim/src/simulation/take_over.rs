//! Taking over what was done to a copy of the world while it was paused.
//!
//! Each action is an edit of its own that physics and systems follow and that can be undone by
//! itself. The engine is captured once, before the first: keyframes in between have its state of
//! that instant and follow their own edits when they are put in place.

use retake_ecm::{EcmSnapshot, EntityId};
use retake_msgs::SerializedState;
use retake_physics::Physics;

use super::Simulation;
use crate::systems::script;
use crate::user_commands::CommandError;
use crate::{Keyframe, user_commands};

/// Edits that the engine may refuse in one go; each refusal costs about as much as an undo.
const MAX_REFUSED: usize = 256;

/// What became of an edit: the state before it, or why it was refused.
pub(crate) type TakenOver = Result<Keyframe, CommandError>;

impl Simulation {
    /// Lays edits over the world in order, each whole or not at all.
    ///
    /// Those at the end may be left for the next time, when the engine refused too many.
    pub(crate) fn take_over(&mut self, edits: &[&SerializedState]) -> Vec<TakenOver> {
        let start = self.capture();
        let mut refused = 0;
        let mut taken = Vec::with_capacity(edits.len());
        for edit in edits {
            if refused >= MAX_REFUSED {
                break;
            }
            taken.push(self.take_over_one(edit, &start, &mut refused));
        }
        if taken.iter().any(Result::is_ok) {
            self.report_new_plugins(&start.ecm);
            self.edited = true;
            self.physics.read_back(&mut self.ecm);
        }
        taken
    }

    fn take_over_one(
        &mut self,
        edit: &SerializedState,
        start: &Keyframe,
        refused: &mut usize,
    ) -> TakenOver {
        let before = start.edited(self.merge(edit)?);
        // A GUI may not have the files of the server.
        script::read_sources(&mut self.ecm, self.preparer.roots());
        let refusals = self.follow_edits_by(Physics::follow_one_of_many);
        if refusals.is_empty() {
            return Ok(before);
        }
        *refused += 1;
        Err(self.refuse(&refusals, &before))
    }

    /// Lays one edit over the Ecm alone; returns the Ecm before it.
    fn merge(&mut self, edit: &SerializedState) -> Result<EcmSnapshot, CommandError> {
        let before = self.ecm.snapshot();
        self.ecm.merge(edit)?;
        let touched: Vec<_> = edit.entities.iter().map(|e| EntityId::from_raw(e.id)).collect();
        match user_commands::check(&before, &self.ecm, &touched, &self.preparer) {
            Ok(()) => Ok(before),
            Err(error) => {
                // Whole, so that not even the names of types that it brought along stay.
                self.ecm = retake_ecm::Ecm::clone(&before);
                Err(error)
            }
        }
    }
}
