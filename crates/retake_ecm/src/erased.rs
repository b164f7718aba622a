//! A column whose type only the registry knows.

use std::any::Any;
use std::sync::Arc;

use serde_json::Value;

use crate::EntityId;
use crate::column::{Column, Slot, Tick};

/// What can be done with a column without knowing its type.
pub(crate) trait AnyColumn: Any + Send + Sync {
    fn name(&self) -> &str;
    fn version(&self) -> u32;
    fn clone_shared(&self) -> Arc<dyn AnyColumn>;
    fn as_any(&self) -> &dyn Any;
    fn as_any_mut(&mut self) -> &mut dyn Any;

    fn contains(&self, entity: EntityId) -> bool;
    fn take(&mut self, entity: EntityId) -> bool;
    fn changed_since(&self, tick: Tick) -> Vec<EntityId>;
    fn any_changed_since(&self, tick: Tick) -> bool;
    fn entities(&self) -> Vec<EntityId>;

    /// Appends the encoded value; says whether there was one.
    fn encode(&self, entity: EntityId, out: &mut Vec<u8>) -> Result<bool, String>;
    fn decode(&mut self, entity: EntityId, bytes: &[u8], tick: Tick) -> Result<(), String>;
    fn json(&self, entity: EntityId) -> Option<Value>;

    /// Entities whose value here differs from the one in `old`, or is missing there.
    fn differing(&self, old: &dyn AnyColumn) -> Vec<EntityId>;
    /// Entities in chunks that the two columns do not share.
    fn unshared_with(&self, other: &dyn AnyColumn) -> Vec<EntityId>;
    /// Takes the value of `entity` over bit by bit; one that is equal keeps its tick.
    ///
    /// Equal is not always the same: zero has two signs.
    fn copy_bits_from(&mut self, other: &dyn AnyColumn, entity: EntityId, tick: Tick);
    /// About how many bytes the chunks take.
    fn bytes(&self) -> usize;
    /// About how many bytes of chunks are not shared with `other`.
    fn bytes_beyond(&self, other: &dyn AnyColumn) -> usize;
}

impl<T: Clone + PartialEq + Send + Sync + 'static> AnyColumn for Column<T> {
    fn name(&self) -> &str {
        &self.codec.name
    }

    fn version(&self) -> u32 {
        self.codec.version
    }

    fn clone_shared(&self) -> Arc<dyn AnyColumn> {
        Arc::new(self.clone())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }

    fn any_changed_since(&self, tick: Tick) -> bool {
        self.latest > tick
    }

    fn contains(&self, entity: EntityId) -> bool {
        self.slot(entity).is_some()
    }

    fn take(&mut self, entity: EntityId) -> bool {
        Column::take(self, entity)
    }

    fn changed_since(&self, tick: Tick) -> Vec<EntityId> {
        Column::changed_since(self, tick).map(|(entity, _)| entity).collect()
    }

    fn entities(&self) -> Vec<EntityId> {
        self.iter().map(|(entity, _)| entity).collect()
    }

    fn encode(&self, entity: EntityId, out: &mut Vec<u8>) -> Result<bool, String> {
        match self.get(entity) {
            Some(value) => (self.codec.encode)(value, out).map(|()| true),
            None => Ok(false),
        }
    }

    fn decode(&mut self, entity: EntityId, bytes: &[u8], tick: Tick) -> Result<(), String> {
        let value = (self.codec.decode)(bytes)?;
        self.set(entity, value, tick);
        Ok(())
    }

    fn json(&self, entity: EntityId) -> Option<Value> {
        let mut bytes = Vec::new();
        (self.codec.encode)(self.get(entity)?, &mut bytes).ok()?;
        // MessagePack with names describes itself, so one path serves known and unknown types.
        rmp_serde::from_slice(&bytes).ok()
    }

    fn differing(&self, old: &dyn AnyColumn) -> Vec<EntityId> {
        let Some(old) = old.as_any().downcast_ref::<Self>() else { return self.entities() };
        let mut found = self.unshared(old);
        found.retain(|entity| self.get(*entity) != old.get(*entity));
        found
    }

    fn unshared_with(&self, other: &dyn AnyColumn) -> Vec<EntityId> {
        match other.as_any().downcast_ref() {
            Some(other) => self.unshared(other),
            None => self.entities(),
        }
    }

    fn copy_bits_from(&mut self, other: &dyn AnyColumn, entity: EntityId, tick: Tick) {
        let other = other.as_any().downcast_ref::<Self>();
        let Some(value) = other.and_then(|other| other.get(entity)).cloned() else { return };
        let same = self.slot(entity).filter(|slot| slot.value == value);
        let tick = same.map_or(tick, |slot| slot.tick);
        self.put(entity, Slot { value, tick });
    }

    fn bytes(&self) -> usize {
        self.chunk_bytes(None)
    }

    fn bytes_beyond(&self, other: &dyn AnyColumn) -> usize {
        self.chunk_bytes(other.as_any().downcast_ref())
    }
}
