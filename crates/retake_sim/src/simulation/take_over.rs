//! Taking over what was done to a copy of the world while it was paused.
//!
//! Each action is an edit of its own that physics and systems follow and that can be undone by
//! itself. The engine is captured once, before the first: keyframes in between have its state of
//! that instant and follow their own edits when they are put in place.

use retake_components::names::{NamesInUse, free_name, scope_of};
use retake_components::{EntityName, Kind};
use retake_ecm::{Ecm, EcmSnapshot, EntityId};
use retake_msgs::SerializedState;
use retake_msgs::notification::Level;
use retake_physics::Physics;

use super::Simulation;
use crate::systems::script;
use crate::user_commands::CommandError;
use crate::{Keyframe, user_commands};

/// Edits that the engine may refuse in one go; each refusal costs about as much as an undo.
const MAX_REFUSED: usize = 256;
/// Names that one edit may get other than it wanted; with more it is refused.
const MAX_RENAMED: usize = 32;
/// Other names of one take-over that are told one by one.
const MAX_RENAMED_TOLD: usize = 32;

/// What became of an edit: the state before it, or why it was refused.
pub(crate) type TakenOver = Result<Keyframe, CommandError>;

impl Simulation {
    /// Lays edits over the world in order, each whole or not at all.
    ///
    /// Those at the end may be left for the next time, when the engine refused too many.
    pub(crate) fn take_over(&mut self, edits: &[&SerializedState]) -> Vec<TakenOver> {
        let start = self.capture();
        let (mut refused, mut renamed) = (0, Vec::new());
        let mut taken = Vec::with_capacity(edits.len());
        for edit in edits {
            if refused >= MAX_REFUSED {
                break;
            }
            let merged = self.take_over_one(edit, &start, &mut refused);
            taken.push(merged.map(|Merged { before, renamed: more }| {
                renamed.extend(more);
                start.edited(before)
            }));
        }
        self.tell_renamed(renamed);
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
    ) -> Result<Merged, CommandError> {
        let merged = self.merge(edit)?;
        // A GUI may not have the files of the server.
        script::read_sources(&mut self.ecm, self.preparer.roots());
        let refusals = self.follow_edits_by(Physics::follow_one_of_many);
        if refusals.is_empty() {
            return Ok(merged);
        }
        *refused += 1;
        Err(self.refuse(&refusals, &start.edited(merged.before)))
    }

    /// Tells every client what got another name, but not more than anybody can read.
    fn tell_renamed(&mut self, renamed: Vec<String>) {
        let more = renamed.len().saturating_sub(MAX_RENAMED_TOLD);
        for text in renamed.into_iter().take(MAX_RENAMED_TOLD) {
            self.notify(Level::Warning, text);
        }
        if more > 0 {
            let text = format!("{more} more things got a number, as their names were taken");
            self.notify(Level::Warning, text);
        }
    }

    /// Lays one edit over the Ecm alone.
    fn merge(&mut self, edit: &SerializedState) -> Result<Merged, CommandError> {
        let before = self.ecm.snapshot();
        self.ecm.merge(edit)?;
        let touched: Vec<_> = edit.entities.iter().map(|e| EntityId::from_raw(e.id)).collect();
        let renamed = number_taken_names(&mut self.ecm, &before, &touched);
        match user_commands::check(&before, &self.ecm, &touched, &self.preparer) {
            Ok(()) => Ok(Merged { before, renamed }),
            Err(error) => {
                // Whole, so that not even the names of types that it brought along stay.
                self.ecm = Ecm::clone(&before);
                Err(error)
            }
        }
    }
}

/// What came of an edit in the Ecm.
struct Merged {
    /// The Ecm before it.
    before: EcmSnapshot,
    /// What is to be told of names that it did not get.
    renamed: Vec<String>,
}

/// Gives what an edit made another name where somebody was faster to take its own, as two people
/// who insert the same model both want one; returns what is to be told of it.
fn number_taken_names(ecm: &mut Ecm, before: &Ecm, touched: &[EntityId]) -> Vec<String> {
    let mut names = NamesInUse::of(before);
    let mut made = touched.iter().copied().filter(|entity| !before.exists(*entity));
    let mut renamed = Vec::new();
    while renamed.len() < MAX_RENAMED {
        // Anew after each name that was given, of which there are few.
        let mut now = NamesInUse::of(ecm);
        let next = made.find_map(|entity| {
            let (place, name) = place_and_name(ecm, before, entity)?;
            // What the edit calls by one name twice is its own mistake, which the check names.
            let is_taken = names.has(place, &name, None) && now.takes_from(entity);
            is_taken.then_some((entity, place, name))
        });
        let Some((entity, place, name)) = next else { break };
        let Ok(free) = free_name(ecm, place, &name, true) else { continue };
        if ecm.set(entity, EntityName(free.clone())).is_ok() {
            renamed.push(format!("{name:?} was there already; what came second is {free:?}"));
        }
    }
    renamed
}

/// Returns where an entity needs a name of its own, and which it has; none inside of what the edit
/// itself made, where nobody can have been faster.
fn place_and_name(ecm: &Ecm, before: &Ecm, entity: EntityId) -> Option<((EntityId, Kind), String)> {
    let scope = scope_of(ecm, entity).filter(|scope| before.exists(*scope))?;
    let kind = ecm.get::<Kind>(entity).copied()?;
    let EntityName(name) = ecm.get(entity)?;
    Some(((scope, kind), name.clone()))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use retake_components::names::MAX_NAME;
    use retake_ecm::Parent;

    use super::*;

    fn world() -> (Ecm, EntityId) {
        let mut ecm = Ecm::new(retake_components::registry().build());
        let world = ecm.create();
        ecm.set(world, Kind::World).unwrap();
        (ecm, world)
    }

    fn add(ecm: &mut Ecm, world: EntityId, name: &str) -> EntityId {
        let model = ecm.create();
        ecm.set(model, Kind::Model).unwrap();
        ecm.set(model, Parent(world)).unwrap();
        ecm.set(model, EntityName(name.to_owned())).unwrap();
        model
    }

    /// Adds things to a world of which the first is there already; returns what they are called
    /// then, and how many were renamed.
    fn called(there: &str, added: &[&str]) -> (Vec<String>, usize) {
        let (mut ecm, world) = world();
        add(&mut ecm, world, there);
        let before = ecm.snapshot();
        let added: Vec<_> = added.iter().map(|name| add(&mut ecm, world, name)).collect();
        let renamed = number_taken_names(&mut ecm, &before, &added).len();
        let name = |entity: &EntityId| ecm.get::<EntityName>(*entity).unwrap().0.clone();
        (added.iter().map(name).collect(), renamed)
    }

    #[test]
    fn only_what_somebody_was_faster_to_take_is_numbered() {
        let (names, renamed) = called("box", &["box", "ball", "ball"]);
        assert_eq!((names.join(" "), renamed), ("box_1 ball ball".to_owned(), 1));
    }

    #[test]
    fn a_number_fits_into_the_longest_name() {
        let long = "ä".repeat(MAX_NAME / 2);
        let (names, _) = called(&long, &[&long]);
        assert_eq!(names[0], format!("{}_1", "ä".repeat(MAX_NAME / 2 - 1)));
    }

    #[test]
    fn one_edit_gets_no_end_of_numbers() {
        let (names, renamed) = called("box", &["box"; 1000]);
        assert_eq!(renamed, MAX_RENAMED);
        assert_eq!(names[MAX_RENAMED..].iter().filter(|name| *name == "box").count(), 968);
    }
}
