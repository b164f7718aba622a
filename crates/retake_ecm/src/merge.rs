//! Laying an edit that was made on another copy over this state.
//!
//! An edit says what each value was before, so that of two edits of one component each changes
//! just the fields that it means to.

use retake_msgs::{ComponentState, EntityState, SerializedState};
use thiserror::Error;

use crate::check::check_ids;
use crate::fields::{merged, read};
use crate::{ApplyError, Ecm, EntityId};

/// An edit that cannot be laid over this state; the Ecm is as it was.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MergeError {
    /// The message is inconsistent.
    #[error(transparent)]
    Bad(#[from] ApplyError),
    /// The edit is no edit but a whole state.
    #[error("the edit is a whole state")]
    Whole,
    /// What it changes is not there, or no longer.
    #[error("entity {entity} does not exist any more")]
    Gone {
        /// The entity.
        entity: EntityId,
    },
    /// What it makes is there already.
    #[error("there is an entity {entity} already")]
    Taken {
        /// The entity.
        entity: EntityId,
    },
}

impl Ecm {
    /// Lays an edit over this state, whole or not at all: see [`Ecm::encode_edit`].
    ///
    /// Over the state that it was made on it gives exactly what it led to there. Where somebody
    /// else changed other fields, both changes hold; where the same field, the edit's. What it
    /// removes goes with everything it holds by now; what is gone already is no mistake.
    ///
    /// # Errors
    /// [`MergeError`] when the edit depends on what is not there, or is inconsistent.
    pub fn merge(&mut self, edit: &SerializedState) -> Result<(), MergeError> {
        if edit.full {
            return Err(MergeError::Whole);
        }
        check_ids(edit)?;
        let mut next = self.clone();
        let columns = next.columns_for(edit)?;
        let (removed, kept): (Vec<_>, Vec<_>) = edit.entities.iter().partition(|e| e.removed);
        for entity in kept {
            next.merge_entity(entity, &columns)?;
        }
        // Last, so that what the edit took out of their hands before stays.
        for entity in removed {
            next.remove_entity(EntityId::from_raw(entity.id));
        }
        next.check_holders(self)?;
        *self = next;
        Ok(())
    }

    fn merge_entity(
        &mut self,
        edit: &EntityState,
        columns: &[Option<usize>],
    ) -> Result<(), MergeError> {
        let entity = EntityId::from_raw(edit.id);
        match (edit.replaced, self.exists(entity)) {
            (true, true) => return Err(MergeError::Taken { entity }),
            (true, false) => self.revive(entity),
            (false, true) => {}
            (false, false) => return Err(MergeError::Gone { entity }),
        }
        for component in &edit.components {
            let index = component.type_index;
            let column = columns.get(index as usize).copied().flatten();
            let column = column.ok_or(ApplyError::NoSuchType { index, entity })?;
            match self.value_of_both(entity, column, component) {
                Some(value) => {
                    let both = ComponentState { value, ..component.clone() };
                    self.apply_component(entity, column, &both)?;
                }
                None => self.apply_component(entity, column, component)?,
            }
        }
        Ok(())
    }

    /// Returns the value with the fields of this state and of an edit; none when only the edit
    /// changed it.
    fn value_of_both(
        &self,
        entity: EntityId,
        column: usize,
        edit: &ComponentState,
    ) -> Option<Vec<u8>> {
        let before = edit.before.as_ref().filter(|_| !edit.removed)?;
        let mut there = Vec::new();
        self.columns[column].encode(entity, &mut there).ok().filter(|is_there| *is_there)?;
        if there == *before {
            return None;
        }
        let both = merged(&read(before)?, &read(&edit.value)?, &read(&there)?);
        let mut bytes = Vec::new();
        rmpv::encode::write_value(&mut bytes, &both).ok()?;
        Some(bytes)
    }
}
