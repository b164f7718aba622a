//! What a state message must not bring about, whoever sent it.
//!
//! Only what the message changed is looked at, so that a delta costs what it carries.

use std::collections::{BTreeMap, BTreeSet};

use retake_msgs::SerializedState;

use crate::registry::PARENT_COLUMN;
use crate::{ApplyError, Ecm, EntityId, Parent};

/// Refuses ids that no Ecm gives out.
pub(crate) fn check_ids(state: &SerializedState) -> Result<(), ApplyError> {
    // A message without a next free id has 0 there, which leaves the receiver's as it is.
    let next = Some(state.next_entity_id).filter(|id| *id != 0);
    let mut ids = state.entities.iter().map(|entity| entity.id).chain(next);
    match ids.find(|id| !EntityId::from_raw(*id).is_valid()) {
        Some(id) => Err(ApplyError::BadId { id }),
        None => Ok(()),
    }
}

impl Ecm {
    /// Refuses missing holders, rings of holders and too deep nesting that `before` did not have.
    pub(crate) fn check_holders(&self, before: &Ecm) -> Result<(), ApplyError> {
        self.check_removed(before)?;
        let parents = &self.columns[PARENT_COLUMN];
        let moved = parents.differing(before.columns[PARENT_COLUMN].as_ref());
        let mut depths = BTreeMap::new();
        // What a moved entity holds went deeper or higher with it; of a new one it is new too.
        let (old, new): (Vec<_>, Vec<_>) = moved.into_iter().partition(|e| before.exists(*e));
        let old = if old.is_empty() { BTreeSet::new() } else { self.with_all_held(old) };
        old.into_iter().chain(new).try_for_each(|entity| self.check_depth(entity, &mut depths))
    }

    /// Refuses to leave behind what a removed entity held.
    fn check_removed(&self, before: &Ecm) -> Result<(), ApplyError> {
        let mut gone = before.alive.unshared(&self.alive);
        gone.retain(|entity| !self.exists(*entity));
        for holder in gone {
            if let Some(&entity) = self.children(holder).first() {
                return Err(ApplyError::NoHolder { entity, holder });
            }
        }
        Ok(())
    }

    /// Returns the entities and all that they hold.
    fn with_all_held(&self, mut open: Vec<EntityId>) -> BTreeSet<EntityId> {
        let mut all = BTreeSet::new();
        while let Some(entity) = open.pop() {
            if all.insert(entity) {
                open.extend_from_slice(self.children(entity));
            }
        }
        all
    }

    /// Follows the holders of an entity outwards until one whose depth is known.
    fn check_depth(
        &self,
        entity: EntityId,
        depths: &mut BTreeMap<EntityId, usize>,
    ) -> Result<(), ApplyError> {
        let mut path = vec![entity];
        let mut outer_depth = 0;
        let mut at = entity;
        while let Some(&Parent(holder)) = self.get(at) {
            if let Some(known) = depths.get(&holder) {
                outer_depth = *known;
                break;
            }
            if !self.exists(holder) {
                return Err(ApplyError::NoHolder { entity: at, holder });
            }
            if path.len() == Parent::MAX_DEPTH {
                return Err(ApplyError::TooDeep { entity });
            }
            path.push(holder);
            at = holder;
        }
        if outer_depth + path.len() > Parent::MAX_DEPTH {
            return Err(ApplyError::TooDeep { entity });
        }
        depths.extend(path.into_iter().rev().zip(outer_depth + 1..));
        Ok(())
    }
}
