//! Taking over what was done to a copy of the world while it was paused.
//!
//! Each action is an edit of its own that physics and systems follow and that can be undone by
//! itself. The engine is captured once, before the first: keyframes in between have its state of
//! that instant and follow their own edits when they are put in place.

use retake_components::names::free_name;
use retake_components::{EntityName, Kind};
use retake_ecm::{Ecm, EcmSnapshot, EntityId, Parent};
use retake_msgs::SerializedState;
use retake_msgs::notification::Level;
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
        self.number_taken_names(&before, &touched);
        match user_commands::check(&before, &self.ecm, &touched, &self.preparer) {
            Ok(()) => Ok(before),
            Err(error) => {
                // Whole, so that not even the names of types that it brought along stay.
                self.ecm = Ecm::clone(&before);
                Err(error)
            }
        }
    }

    /// Gives what an edit made another name where somebody was faster to take its own, and says so:
    /// two people who insert the same model both want one.
    fn number_taken_names(&mut self, before: &Ecm, touched: &[EntityId]) {
        for entity in touched.iter().filter(|entity| before.get::<Kind>(**entity).is_none()) {
            let Some((place, name)) = place_and_name(&self.ecm, *entity) else { continue };
            let is_taken = free_name(before, place, &name, true).is_ok_and(|free| free != name);
            let Ok(free) = free_name(&self.ecm, place, &name, true) else { continue };
            if is_taken && self.ecm.set(*entity, EntityName(free.clone())).is_ok() {
                let text = format!("{name:?} was there already; what came second is {free:?}");
                self.notify(Level::Warning, text);
            }
        }
    }
}

fn place_and_name(ecm: &Ecm, entity: EntityId) -> Option<((EntityId, Kind), String)> {
    let holder = ecm.get::<Parent>(entity)?.0;
    Some(((holder, *ecm.get::<Kind>(entity)?), ecm.get::<EntityName>(entity)?.0.clone()))
}
