//! The entity-component manager.

use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use serde_json::Value;
use thiserror::Error;

use crate::column::{Codec, Column, Tick};
use crate::erased::AnyColumn;
use crate::registry::{ChildIndex, PARENT_COLUMN};
use crate::removals::{Removal, Removals};
use crate::{Component, EntityId, IdBlock, Parent, Registry};

/// Everything that varies in a world, by entity and component.
///
/// A clone shares all values and costs a reference count per component type.
#[derive(Clone)]
pub struct Ecm {
    pub(crate) registry: Arc<Registry>,
    /// Registered types in registry order, then types known only by name.
    pub(crate) columns: Vec<Arc<dyn AnyColumn>>,
    pub(crate) alive: Arc<Column<()>>,
    pub(crate) next_entity: EntityId,
    pub(crate) tick: Tick,
    pub(crate) removals: Arc<Removals>,
    children: OnceLock<Arc<ChildIndex>>,
}

/// The entity does not exist, or no longer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("entity {entity} does not exist")]
pub struct NoSuchEntity {
    /// The entity that was asked for.
    pub entity: EntityId,
}

/// A state that no one can write any more; cheap to clone and free to cross threads.
#[derive(Clone)]
pub struct EcmSnapshot(Arc<Ecm>);

impl Deref for EcmSnapshot {
    type Target = Ecm;

    fn deref(&self) -> &Ecm {
        &self.0
    }
}

/// A value of an unknown type would be lost without a word.
fn unregistered<T: Component>() -> ! {
    panic!("component {:?} is not registered", T::NAME)
}

impl Ecm {
    /// Makes an empty Ecm that stores the types of `registry`.
    pub fn new(registry: Arc<Registry>) -> Self {
        Self {
            columns: registry.empty_columns(),
            registry,
            alive: Arc::new(Column::new(Codec::alive())),
            next_entity: EntityId::FIRST,
            tick: 1,
            removals: Arc::default(),
            children: OnceLock::new(),
        }
    }

    /// Returns a view of the present state that later writes do not touch.
    pub fn snapshot(&self) -> EcmSnapshot {
        EcmSnapshot(Arc::new(self.clone()))
    }

    /// Returns the tick that writes made now are stamped with.
    pub fn tick(&self) -> Tick {
        self.tick
    }

    /// Ends the present tick: returns it, and stamps later writes with a higher one.
    ///
    /// A reader that keeps the returned tick finds exactly the later writes by `changed_since`.
    pub fn close_tick(&mut self) -> Tick {
        self.tick += 1;
        self.tick - 1
    }

    /// Makes an entity without components.
    pub fn create(&mut self) -> EntityId {
        let mut entity = self.next_entity;
        // A message may have brought it already.
        while self.exists(entity) && entity != EntityId::LAST {
            entity = entity.next();
        }
        self.revive(entity);
        entity
    }

    /// Makes the entity `entity`, which must be valid and not exist yet; says whether it did so.
    pub fn create_with_id(&mut self, entity: EntityId) -> bool {
        let fresh = entity.is_valid() && !self.exists(entity);
        if fresh {
            self.revive(entity);
        }
        fresh
    }

    /// Returns the id that the next entity made here gets.
    pub fn next_entity(&self) -> EntityId {
        self.next_entity
    }

    /// Gives out ids from `next` on, as a client does with the block it was handed; returns the id
    /// that would have been next.
    pub fn give_ids_from(&mut self, next: EntityId) -> EntityId {
        std::mem::replace(&mut self.next_entity, next)
    }

    /// Removes an entity with everything it holds; says whether it was there.
    pub fn remove_entity(&mut self, entity: EntityId) -> bool {
        if !self.exists(entity) {
            return false;
        }
        for doomed in self.with_descendants(entity) {
            self.remove_single(doomed);
        }
        true
    }

    /// Says whether the entity exists.
    pub fn exists(&self, entity: EntityId) -> bool {
        self.alive.get(entity).is_some()
    }

    /// Returns how many entities there are.
    pub fn entity_count(&self) -> usize {
        self.alive.len()
    }

    /// Visits every entity in the order of the ids.
    pub fn entities(&self) -> impl Iterator<Item = EntityId> {
        self.alive.iter().map(|(entity, ())| entity)
    }

    /// Returns a component of an entity; of a type that was not registered nobody has one.
    pub fn get<T: Component>(&self, entity: EntityId) -> Option<&T> {
        self.known::<T>()?.get(entity)
    }

    /// Returns a component for writing, and counts it as changed.
    pub fn get_mut<T: Component>(&mut self, entity: EntityId) -> Option<&mut T> {
        let tick = self.tick;
        self.column_mut::<T>().get_mut(entity, tick)
    }

    /// Gives an entity a component; an equal value does not count as a change.
    ///
    /// # Errors
    /// [`NoSuchEntity`] when the entity does not exist.
    pub fn set<T: Component>(&mut self, entity: EntityId, value: T) -> Result<(), NoSuchEntity> {
        if !self.exists(entity) {
            return Err(NoSuchEntity { entity });
        }
        let tick = self.tick;
        self.column_mut::<T>().set(entity, value, tick);
        Ok(())
    }

    /// Takes a component away; says whether it was there.
    pub fn remove<T: Component>(&mut self, entity: EntityId) -> bool {
        let index = self.index_of::<T>();
        let had = self.columns[index].contains(entity);
        if had {
            self.take_component(index, entity);
        }
        had
    }

    /// Returns all values of one type, for loops.
    ///
    /// # Panics
    /// When `T` was not registered: a mistake in the program, found by its first test.
    pub fn column<T: Component>(&self) -> &Column<T> {
        self.known::<T>().unwrap_or_else(|| unregistered::<T>())
    }

    /// Visits every entity that has a `T`, in the order of the ids.
    pub fn iter<T: Component>(&self) -> impl Iterator<Item = (EntityId, &T)> {
        self.known::<T>().into_iter().flat_map(Column::iter)
    }

    /// Visits the values of `T` that changed after `tick`, in the order of the ids.
    pub fn changed_since<T: Component>(&self, tick: Tick) -> impl Iterator<Item = (EntityId, &T)> {
        self.known::<T>().into_iter().flat_map(move |column| column.changed_since(tick))
    }

    /// Returns the entities removed after `tick`, or none when that is too long ago to know.
    pub fn removed_since(&self, tick: Tick) -> Option<Vec<EntityId>> {
        let removals = self.removals.since(tick)?;
        Some(removals.filter(|r| r.column.is_none()).map(|r| r.entity).collect())
    }

    /// Returns the children of an entity in the order of their ids.
    pub fn children(&self, entity: EntityId) -> &[EntityId] {
        self.child_index().get(&entity).map_or(&[], Vec::as_slice)
    }

    /// Returns the entity followed by all that it holds, parents before children.
    pub fn with_descendants(&self, entity: EntityId) -> Vec<EntityId> {
        let mut all = vec![entity];
        let mut next = 0;
        while next < all.len() {
            // Everyone has one holder, so in a ring the first is the first to come up again.
            all.extend(self.children(all[next]).iter().filter(|child| **child != entity));
            next += 1;
        }
        all
    }

    /// Visits the entity and its holders, the nearest first; at most [`Parent::MAX_DEPTH`] in all.
    pub fn with_holders(&self, entity: EntityId) -> impl Iterator<Item = EntityId> {
        let parents = self.column::<Parent>();
        let holder = |held: &EntityId| parents.get(*held).map(|parent| parent.0);
        std::iter::successors(Some(entity), holder).take(Parent::MAX_DEPTH)
    }

    /// Returns the names and values of an entity's components, for people to look at.
    pub fn components_json(&self, entity: EntityId) -> Vec<(String, Value)> {
        let values = self.columns.iter().map(|c| (c.name().to_owned(), c.json(entity)));
        let mut all: Vec<_> = values.filter_map(|(name, json)| Some((name, json?))).collect();
        all.sort_by(|(a, _), (b, _)| a.cmp(b));
        all
    }

    pub(crate) fn revive(&mut self, entity: EntityId) {
        let tick = self.tick;
        Arc::make_mut(&mut self.alive).set(entity, (), tick);
        // Another client's ids say nothing about the next one to be given out here.
        if IdBlock::of(entity) == IdBlock::of(self.next_entity) {
            self.next_entity = self.next_entity.max(entity.next());
        }
    }

    pub(crate) fn remove_single(&mut self, entity: EntityId) {
        for index in 0..self.columns.len() {
            if self.columns[index].contains(entity) {
                self.any_column_mut(index).take(entity);
            }
        }
        Arc::make_mut(&mut self.alive).take(entity);
        let tick = self.tick;
        Arc::make_mut(&mut self.removals).push(Removal { tick, entity, column: None });
    }

    pub(crate) fn take_component(&mut self, index: usize, entity: EntityId) {
        self.any_column_mut(index).take(entity);
        let (tick, column) = (self.tick, Some(index));
        Arc::make_mut(&mut self.removals).push(Removal { tick, entity, column });
    }

    /// Finds a column by name, or adds one that carries bytes.
    pub(crate) fn column_named(&mut self, name: &str, version: u32) -> usize {
        let known = self.columns.iter().position(|column| column.name() == name);
        known.unwrap_or_else(|| {
            self.columns.push(Arc::new(Column::new(Codec::opaque(name, version))));
            self.columns.len() - 1
        })
    }

    pub(crate) fn any_column_mut(&mut self, index: usize) -> &mut dyn AnyColumn {
        if index == PARENT_COLUMN {
            self.children = OnceLock::new();
        }
        let column = &mut self.columns[index];
        if Arc::get_mut(column).is_none() {
            *column = column.clone_shared();
        }
        Arc::get_mut(column).expect("a fresh clone has one owner")
    }

    pub(crate) fn column_mut<T: Component>(&mut self) -> &mut Column<T> {
        let index = self.index_of::<T>();
        let column = self.any_column_mut(index).as_any_mut().downcast_mut();
        column.expect("the registry made this column for T")
    }

    /// Returns the values of a type, none when it was not registered.
    ///
    /// Whoever only looks need not know which types a world was made with.
    fn known<T: Component>(&self) -> Option<&Column<T>> {
        let column = self.columns[self.registry.index_of::<T>()?].as_any().downcast_ref();
        Some(column.expect("the registry made this column for T"))
    }

    fn index_of<T: Component>(&self) -> usize {
        self.registry.index_of::<T>().unwrap_or_else(|| unregistered::<T>())
    }

    fn child_index(&self) -> &ChildIndex {
        self.children.get_or_init(|| {
            let mut index = ChildIndex::new();
            for (entity, Parent(parent)) in self.iter::<Parent>() {
                index.entry(*parent).or_default().push(entity);
            }
            Arc::new(index)
        })
    }
}
