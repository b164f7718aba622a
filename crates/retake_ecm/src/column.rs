//! One component type's values, in shared chunks.
//!
//! A chunk is copied only when it is written while a clone of the column still holds it, so
//! keeping an old state costs what has changed since. Chunks are looked up by number, first where
//! a dense column would have them, then by binary search, so that ids may have gaps.

use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::{Component, EntityId};

/// Counts changes of an Ecm; grows, and never goes back, not even when time does.
pub type Tick = u64;

/// Slots of a chunk.
pub(crate) const CHUNK: u64 = 64;

/// The values of one component type, by entity, with the tick of their last change.
#[derive(Clone)]
pub struct Column<T> {
    pub(crate) chunks: Vec<(u64, Arc<Chunk<T>>)>,
    len: usize,
    /// Latest tick of any chunk; most readers have seen it and need not look at the chunks.
    pub(crate) latest: Tick,
    pub(crate) codec: Codec<T>,
}

#[derive(Clone)]
pub(crate) struct Chunk<T> {
    pub(crate) slots: Vec<Option<Slot<T>>>,
    /// Latest tick of a slot; a reader that has seen it can pass the chunk over.
    pub(crate) max_tick: Tick,
}

#[derive(Clone)]
pub(crate) struct Slot<T> {
    pub(crate) value: T,
    pub(crate) tick: Tick,
}

/// How values become bytes and come back.
#[derive(Clone)]
pub(crate) struct Codec<T> {
    pub(crate) name: Arc<str>,
    pub(crate) version: u32,
    pub(crate) encode: fn(&T, &mut Vec<u8>) -> Result<(), String>,
    pub(crate) decode: fn(&[u8]) -> Result<T, String>,
}

impl<T: Component> Codec<T> {
    /// MessagePack with field names.
    pub(crate) fn of_component() -> Self {
        Self {
            name: T::NAME.into(),
            version: T::VERSION,
            encode: encode_named,
            decode: decode_named,
        }
    }
}

impl Codec<()> {
    /// Mere existence; never encoded.
    pub(crate) fn alive() -> Self {
        Self { name: "alive".into(), version: 1, encode: |(), _| Ok(()), decode: |_| Ok(()) }
    }
}

impl Codec<Vec<u8>> {
    /// Bytes of a type that is not registered, passed on as they are.
    pub(crate) fn opaque(name: &str, version: u32) -> Self {
        Self {
            name: name.into(),
            version,
            encode: |value, out| {
                out.extend_from_slice(value);
                Ok(())
            },
            decode: |bytes| Ok(bytes.to_vec()),
        }
    }
}

fn encode_named<T: Serialize>(value: &T, out: &mut Vec<u8>) -> Result<(), String> {
    let mut serializer = rmp_serde::Serializer::new(out).with_struct_map();
    value.serialize(&mut serializer).map_err(|error| error.to_string())
}

fn decode_named<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, String> {
    rmp_serde::from_slice(bytes).map_err(|error| error.to_string())
}

impl<T: Clone + PartialEq> Column<T> {
    pub(crate) fn new(codec: Codec<T>) -> Self {
        Self { chunks: Vec::new(), len: 0, latest: 0, codec }
    }

    /// Returns how many entities have the component.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Says whether no entity has the component.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the value of an entity.
    pub fn get(&self, entity: EntityId) -> Option<&T> {
        self.slot(entity).map(|slot| &slot.value)
    }

    /// Returns what finds values of entities that are asked for in a row, mostly neighbours.
    pub fn cursor(&self) -> Cursor<'_, T> {
        // No chunk has this number, as no entity has an id that large.
        Cursor { column: self, number: u64::MAX, slots: &[] }
    }

    /// Visits every value in the order of the ids.
    pub fn iter(&self) -> impl Iterator<Item = (EntityId, &T)> {
        self.slots().map(|(entity, slot)| (entity, &slot.value))
    }

    /// Visits the values that changed after `tick`, in the order of the ids.
    pub fn changed_since(&self, tick: Tick) -> impl Iterator<Item = (EntityId, &T)> {
        let chunks = if self.latest > tick { self.chunks.as_slice() } else { &[] };
        let chunks = chunks.iter().filter(move |(_, chunk)| chunk.max_tick > tick);
        chunks
            .flat_map(|(number, chunk)| chunk.slots(*number))
            .filter(move |(_, slot)| slot.tick > tick)
            .map(|(entity, slot)| (entity, &slot.value))
    }

    /// Says whether any value changed after `tick`, also one that is gone again.
    pub fn any_changed_since(&self, tick: Tick) -> bool {
        self.latest > tick
    }

    pub(crate) fn slot(&self, entity: EntityId) -> Option<&Slot<T>> {
        let at = self.find_chunk(entity.raw() / CHUNK).ok()?;
        self.chunks[at].1.slots[(entity.raw() % CHUNK) as usize].as_ref()
    }

    pub(crate) fn slots(&self) -> impl Iterator<Item = (EntityId, &Slot<T>)> {
        self.chunks.iter().flat_map(|(number, chunk)| chunk.slots(*number))
    }

    /// Sets a value; an equal value keeps its tick, so that nobody is told of a change.
    pub(crate) fn set(&mut self, entity: EntityId, value: T, tick: Tick) {
        match self.slot(entity) {
            Some(slot) if slot.value == value => {}
            _ => self.put(entity, Slot { value, tick }),
        }
    }

    /// Sets a value with its tick, whatever was there.
    pub(crate) fn put(&mut self, entity: EntityId, slot: Slot<T>) {
        let number = entity.raw() / CHUNK;
        let at = self.find_chunk(number).unwrap_or_else(|at| {
            self.chunks.insert(at, (number, Arc::new(Chunk::empty())));
            at
        });
        self.latest = self.latest.max(slot.tick);
        let chunk = Arc::make_mut(&mut self.chunks[at].1);
        chunk.max_tick = chunk.max_tick.max(slot.tick);
        let old = chunk.slots[(entity.raw() % CHUNK) as usize].replace(slot);
        self.len += usize::from(old.is_none());
    }

    pub(crate) fn get_mut(&mut self, entity: EntityId, tick: Tick) -> Option<&mut T> {
        self.slot(entity)?;
        let at = self.find_chunk(entity.raw() / CHUNK).ok()?;
        self.latest = self.latest.max(tick);
        let chunk = Arc::make_mut(&mut self.chunks[at].1);
        chunk.max_tick = chunk.max_tick.max(tick);
        let slot = chunk.slots[(entity.raw() % CHUNK) as usize].as_mut()?;
        slot.tick = tick;
        Some(&mut slot.value)
    }

    pub(crate) fn take(&mut self, entity: EntityId) -> bool {
        if self.slot(entity).is_none() {
            return false;
        }
        let Ok(at) = self.find_chunk(entity.raw() / CHUNK) else { return false };
        let chunk = Arc::make_mut(&mut self.chunks[at].1);
        chunk.slots[(entity.raw() % CHUNK) as usize] = None;
        if chunk.slots.iter().all(Option::is_none) {
            self.chunks.remove(at);
        }
        self.len -= 1;
        true
    }

    /// Visits the entities in chunks that the two columns do not share, in the order of the ids.
    pub(crate) fn unshared(&self, other: &Self) -> Vec<EntityId> {
        let chunks = self.chunks.iter().filter(|(number, chunk)| !other.shares(*number, chunk));
        chunks.flat_map(|(number, chunk)| chunk.slots(*number)).map(|(entity, _)| entity).collect()
    }

    /// Returns the bytes of the slots, without those of chunks that `other` shares.
    pub(crate) fn chunk_bytes(&self, other: Option<&Self>) -> usize {
        let is_shared = |number, chunk| other.is_some_and(|other| other.shares(number, chunk));
        let own = self.chunks.iter().filter(|(number, chunk)| !is_shared(*number, chunk));
        own.count() * CHUNK as usize * size_of::<Option<Slot<T>>>()
    }

    fn shares(&self, number: u64, chunk: &Arc<Chunk<T>>) -> bool {
        self.find_chunk(number).is_ok_and(|at| Arc::ptr_eq(chunk, &self.chunks[at].1))
    }

    pub(crate) fn find_chunk(&self, number: u64) -> Result<usize, usize> {
        let guess = number as usize;
        match self.chunks.get(guess) {
            Some((there, _)) if *there == number => Ok(guess),
            _ => self.chunks.binary_search_by_key(&number, |(there, _)| *there),
        }
    }
}

/// Finds values of a column; it stays where the last one was, so that the next need not be
/// searched for.
pub struct Cursor<'a, T> {
    column: &'a Column<T>,
    number: u64,
    /// Of the chunk of that number; empty when there is none.
    slots: &'a [Option<Slot<T>>],
}

impl<'a, T: Clone + PartialEq> Cursor<'a, T> {
    /// Returns the value of an entity.
    #[inline]
    pub fn get(&mut self, entity: EntityId) -> Option<&'a T> {
        let number = entity.raw() / CHUNK;
        if number != self.number {
            self.go_to(number);
        }
        self.slots.get((entity.raw() % CHUNK) as usize)?.as_ref().map(|slot| &slot.value)
    }

    fn go_to(&mut self, number: u64) {
        let column = self.column;
        let found = column.find_chunk(number).ok();
        self.slots = found.map_or(&[], |at| column.chunks[at].1.slots.as_slice());
        self.number = number;
    }
}

impl<T> Chunk<T> {
    fn empty() -> Self {
        Self { slots: (0..CHUNK).map(|_| None).collect(), max_tick: 0 }
    }

    fn slots(&self, number: u64) -> impl Iterator<Item = (EntityId, &Slot<T>)> {
        let first = number * CHUNK;
        self.slots
            .iter()
            .zip(first..)
            .filter_map(|(slot, raw)| slot.as_ref().map(|slot| (EntityId::from_raw(raw), slot)))
    }
}
