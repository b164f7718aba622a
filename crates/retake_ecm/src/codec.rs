//! States as messages: whole, since a tick, and the difference of two.

use std::collections::BTreeSet;

use retake_msgs::{ComponentState, ComponentType, EntityState, SerializedState};
use thiserror::Error;

use crate::check::check_ids;
use crate::column::Tick;
use crate::{Ecm, EntityId, Parent};

/// Component types that an Ecm carries, known and unknown.
const MAX_TYPES: usize = 1024;
/// Longest name of a type that is carried as bytes.
const MAX_TYPE_NAME: usize = 256;

/// A state message that cannot be used; the Ecm is as it was.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ApplyError {
    /// The message points to a type that it does not list.
    #[error("component type {index} of entity {entity} is not in the message's list of types")]
    NoSuchType {
        /// Position that was asked for.
        index: u32,
        /// Entity it was asked for.
        entity: EntityId,
    },
    /// The value does not fit the type.
    #[error("component {component} of entity {entity} cannot be read: {reason}")]
    BadValue {
        /// Name of the component.
        component: String,
        /// Entity that has it.
        entity: EntityId,
        /// What the decoder said.
        reason: String,
    },
    /// The value was written by another version of the type.
    #[error("component {component} has version {found}, this program reads version {expected}")]
    OtherVersion {
        /// Name of the component.
        component: String,
        /// Version in the message.
        found: u32,
        /// Version of this program.
        expected: u32,
    },
    /// The message would bring more types than an Ecm carries.
    #[error(
        "more than {MAX_TYPES} component types, or one whose name is longer than {MAX_TYPE_NAME} bytes"
    )]
    TooManyTypes,
    /// The id of an entity, or the next free id, is none that an Ecm can have.
    #[error("entity id {id} is out of range; ids go from {} to {}", EntityId::FIRST.raw(), EntityId::LAST.raw())]
    BadId {
        /// Id in the message.
        id: u64,
    },
    /// An entity would be held by one that is not there.
    #[error("entity {entity} is held by {holder}, which does not exist")]
    NoHolder {
        /// Entity that would be held.
        entity: EntityId,
        /// Entity that is missing.
        holder: EntityId,
    },
    /// An entity would be held by itself, or too many would hold each other.
    #[error("entity {entity} is held by itself, or nested deeper than {}", Parent::MAX_DEPTH)]
    TooDeep {
        /// Entity that would be held.
        entity: EntityId,
    },
}

impl Ecm {
    /// Encodes everything.
    pub fn encode_full(&self) -> SerializedState {
        let mut writer = StateWriter::new(self);
        self.entities().for_each(|entity| writer.touch(entity));
        for (index, column) in self.columns.iter().enumerate() {
            column.entities().into_iter().for_each(|entity| writer.value(index, entity));
        }
        writer.finish(true)
    }

    /// Encodes what changed after `since`, or everything when that is too long ago to know.
    pub fn encode_since(&self, since: Tick) -> SerializedState {
        self.encode_delta(since).unwrap_or_else(|| self.encode_full())
    }

    /// Encodes what turns `old` into this state.
    pub fn encode_difference(&self, old: &Ecm) -> SerializedState {
        self.write_difference(old, StateWriter::new(self))
    }

    /// Encodes what turns `old` into this state as an edit: with the values before it, and with
    /// made entities marked as such, so that [`Ecm::merge`] can lay it over another state.
    pub fn encode_edit(&self, old: &Ecm) -> SerializedState {
        let mut edit =
            self.write_difference(old, StateWriter { old: Some(old), ..StateWriter::new(self) });
        for entity in &mut edit.entities {
            entity.replaced = !entity.removed && !old.exists(EntityId::from_raw(entity.id));
        }
        edit
    }

    fn write_difference(&self, old: &Ecm, mut writer: StateWriter<'_>) -> SerializedState {
        old.entities().filter(|e| !self.exists(*e)).for_each(|e| writer.removed(e));
        self.entities().filter(|e| !old.exists(*e)).for_each(|e| writer.touch(e));
        for (index, column) in self.columns.iter().enumerate() {
            let before = old.columns.iter().find(|c| c.name() == column.name());
            let changed = match before {
                Some(before) => column.differing(before.as_ref()),
                None => column.entities(),
            };
            changed.into_iter().for_each(|entity| writer.value(index, entity));
            let gone = before.map_or_else(Vec::new, |before| before.differing(column.as_ref()));
            gone.into_iter()
                .filter(|entity| self.exists(*entity) && !column.contains(*entity))
                .for_each(|entity| writer.component_removed(index, entity));
        }
        SerializedState { base_tick: old.tick, ..writer.finish(false) }
    }

    /// Encodes every component of the given entities, to be laid over what a reader has.
    pub fn encode_entities(&self, entities: impl IntoIterator<Item = EntityId>) -> SerializedState {
        let mut writer = StateWriter::new(self);
        for entity in entities.into_iter().filter(|entity| self.exists(*entity)) {
            writer.touch(entity);
            (0..self.columns.len()).for_each(|column| writer.value(column, entity));
        }
        SerializedState { base_tick: self.tick, ..writer.finish(false) }
    }

    /// Takes a state message over, whole or not at all.
    ///
    /// Values of types that are not registered are kept as bytes and written back unchanged.
    ///
    /// # Errors
    /// [`ApplyError`] when the message is inconsistent or a value cannot be read.
    pub fn apply(&mut self, state: &SerializedState) -> Result<(), ApplyError> {
        check_ids(state)?;
        // A clone is cheap, so the message is laid over one and swapped in when all went well.
        let mut next = self.clone();
        let columns = next.columns_for(state)?;
        if state.full {
            next.keep_only(&state.entities);
        }
        for entity in &state.entities {
            let replaced = state.full || entity.replaced;
            next.apply_entity(entity, &columns, replaced)?;
        }
        if state.next_entity_id > 0 {
            next.next_entity = EntityId::from_raw(state.next_entity_id);
        }
        next.check_holders(self)?;
        *self = next;
        Ok(())
    }

    fn encode_delta(&self, since: Tick) -> Option<SerializedState> {
        let mut writer = StateWriter::new(self);
        for removal in self.removals.since(since)? {
            match removal.column {
                None if self.exists(removal.entity) => writer.replaced(removal.entity),
                None => writer.removed(removal.entity),
                Some(index) if self.component_is_gone(index, removal.entity) => {
                    writer.component_removed(index, removal.entity);
                }
                _ => {}
            }
        }
        self.alive.changed_since(since).for_each(|(entity, ())| writer.touch(entity));
        for (index, column) in self.columns.iter().enumerate() {
            column.changed_since(since).into_iter().for_each(|entity| writer.value(index, entity));
        }
        Some(SerializedState { base_tick: since, ..writer.finish(false) })
    }

    fn component_is_gone(&self, column: usize, entity: EntityId) -> bool {
        self.exists(entity) && !self.columns[column].contains(entity)
    }

    /// Finds the column of each type that a message uses, or makes one that carries bytes.
    pub(crate) fn columns_for(
        &mut self,
        state: &SerializedState,
    ) -> Result<Vec<Option<usize>>, ApplyError> {
        let components = state.entities.iter().flat_map(|entity| &entity.components);
        let used: BTreeSet<u32> = components.map(|component| component.type_index).collect();
        let mut columns = Vec::with_capacity(state.types.len());
        for (at, kind) in (0..).zip(&state.types) {
            if !used.contains(&at) {
                columns.push(None);
                continue;
            }
            let known = self.columns.iter().any(|column| column.name() == kind.name);
            if !known && (self.columns.len() >= MAX_TYPES || kind.name.len() > MAX_TYPE_NAME) {
                return Err(ApplyError::TooManyTypes);
            }
            let index = self.column_named(&kind.name, kind.version);
            let expected = self.columns[index].version();
            if expected != kind.version {
                let (component, found) = (kind.name.clone(), kind.version);
                return Err(ApplyError::OtherVersion { component, found, expected });
            }
            columns.push(Some(index));
        }
        Ok(columns)
    }

    /// Removes what a full state does not have.
    fn keep_only(&mut self, entities: &[EntityState]) {
        let kept: BTreeSet<u64> = entities.iter().filter(|e| !e.removed).map(|e| e.id).collect();
        let gone: Vec<_> = self.entities().filter(|e| !kept.contains(&e.raw())).collect();
        gone.into_iter().for_each(|entity| self.remove_single(entity));
    }

    fn apply_entity(
        &mut self,
        state: &EntityState,
        columns: &[Option<usize>],
        replaced: bool,
    ) -> Result<(), ApplyError> {
        let entity = EntityId::from_raw(state.id);
        if state.removed {
            if self.exists(entity) {
                self.remove_single(entity);
            }
            return Ok(());
        }
        if !self.exists(entity) {
            self.revive(entity);
        }
        let mut present = BTreeSet::new();
        for component in &state.components {
            let index = component.type_index;
            let column = columns.get(index as usize).copied().flatten();
            let column = column.ok_or(ApplyError::NoSuchType { index, entity })?;
            present.insert(column);
            self.apply_component(entity, column, component)?;
        }
        if replaced {
            self.drop_components_except(entity, &present);
        }
        Ok(())
    }

    pub(crate) fn apply_component(
        &mut self,
        entity: EntityId,
        column: usize,
        state: &ComponentState,
    ) -> Result<(), ApplyError> {
        if state.removed {
            if self.columns[column].contains(entity) {
                self.take_component(column, entity);
            }
            return Ok(());
        }
        let tick = self.tick;
        let target = self.any_column_mut(column);
        target.decode(entity, &state.value, tick).map_err(|reason| ApplyError::BadValue {
            component: self.columns[column].name().to_owned(),
            entity,
            reason,
        })
    }

    fn drop_components_except(&mut self, entity: EntityId, present: &BTreeSet<usize>) {
        for index in 0..self.columns.len() {
            if !present.contains(&index) && self.columns[index].contains(entity) {
                self.take_component(index, entity);
            }
        }
    }
}

/// Collects entity states in the order of the ids.
///
/// Columns are told one after the other, each in the order of the ids. Sorting such runs at the end
/// costs far less than finding the place of an entity for each of its values.
struct StateWriter<'a> {
    ecm: &'a Ecm,
    /// Where the values before an edit are.
    old: Option<&'a Ecm>,
    told: Vec<(EntityId, Told)>,
    types: Vec<ComponentType>,
    /// Position in `types` of each column that was used.
    type_of_column: Vec<Option<u32>>,
    /// Room for one value, so that each is allocated once, in its size.
    room: Vec<u8>,
}

/// Something about an entity.
enum Told {
    Exists,
    Removed,
    Replaced,
    Component(ComponentState),
}

impl Told {
    fn add_to(self, state: &mut EntityState) {
        match self {
            Self::Exists => {}
            Self::Removed => state.removed = true,
            Self::Replaced => state.replaced = true,
            Self::Component(component) => {
                // Most have one that changed; the usual room for four would stay mostly empty.
                if state.components.is_empty() {
                    state.components.reserve_exact(1);
                }
                state.components.push(component);
            }
        }
    }
}

impl<'a> StateWriter<'a> {
    fn new(ecm: &'a Ecm) -> Self {
        Self {
            ecm,
            old: None,
            told: Vec::new(),
            types: Vec::new(),
            type_of_column: vec![None; ecm.columns.len()],
            room: Vec::new(),
        }
    }

    fn touch(&mut self, entity: EntityId) {
        self.told.push((entity, Told::Exists));
    }

    fn removed(&mut self, entity: EntityId) {
        self.told.push((entity, Told::Removed));
    }

    fn replaced(&mut self, entity: EntityId) {
        self.told.push((entity, Told::Replaced));
    }

    fn component_removed(&mut self, column: usize, entity: EntityId) {
        let type_index = self.type_index(column);
        let before = self.before(column, entity);
        let state = ComponentState { type_index, removed: true, value: Vec::new(), before };
        self.told.push((entity, Told::Component(state)));
    }

    fn value(&mut self, column: usize, entity: EntityId) {
        self.room.clear();
        // An unencodable value is a mistake in a component's type; the hash reports it by name.
        if let Ok(true) = self.ecm.columns[column].encode(entity, &mut self.room) {
            let type_index = self.type_index(column);
            let before = self.before(column, entity);
            let value = self.room.as_slice().to_vec();
            let state = ComponentState { type_index, removed: false, value, before };
            self.told.push((entity, Told::Component(state)));
        }
    }

    /// Encodes the value before an edit.
    fn before(&self, column: usize, entity: EntityId) -> Option<Vec<u8>> {
        let old = self.old?;
        let name = self.ecm.columns[column].name();
        let column = old.columns.iter().find(|column| column.name() == name)?;
        let mut value = Vec::new();
        column.encode(entity, &mut value).ok().filter(|there| *there)?;
        Some(value)
    }

    fn finish(mut self, full: bool) -> SerializedState {
        // Stable: the components of an entity stay in the order of the columns.
        self.told.sort_by_key(|(entity, _)| *entity);
        let mut entities: Vec<EntityState> = Vec::new();
        for (entity, told) in self.told {
            if entities.last().is_none_or(|last| last.id != entity.raw()) {
                entities.push(EntityState { id: entity.raw(), ..EntityState::default() });
            }
            let state = entities.last_mut().expect("one was just added");
            told.add_to(state);
        }
        SerializedState {
            full,
            types: self.types,
            entities,
            tick: self.ecm.tick,
            next_entity_id: self.ecm.next_entity.raw(),
            base_tick: 0,
        }
    }

    fn type_index(&mut self, column: usize) -> u32 {
        *self.type_of_column[column].get_or_insert_with(|| {
            let column = &self.ecm.columns[column];
            let (name, version) = (column.name().to_owned(), column.version());
            self.types.push(ComponentType { name, version });
            self.types.len() as u32 - 1
        })
    }
}
