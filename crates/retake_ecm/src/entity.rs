//! Names of entities.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::Component;

/// Names an entity; given out in rising order, starting at one.
///
/// Ids are part of the state: going back in time brings the next free id back too, so that the
/// same commands make the same entities again.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct EntityId(u64);

impl EntityId {
    /// The first id that an Ecm gives out.
    pub const FIRST: Self = Self(1);

    /// The last id that an Ecm gives out or takes from a message.
    ///
    /// A page keeps ids as JavaScript numbers, which are exact up to here.
    pub const LAST: Self = Self((1 << 53) - 1);

    /// The first id of the blocks that are handed out; an Ecm gives out those below by itself.
    const FIRST_OF_BLOCKS: u64 = 1 << 40;

    /// Makes an id from its number.
    pub const fn from_raw(raw: u64) -> Self {
        Self(raw)
    }

    /// Returns the number of the id.
    pub const fn raw(self) -> u64 {
        self.0
    }

    /// Says whether an Ecm may hold an entity of this id.
    pub const fn is_valid(self) -> bool {
        Self::FIRST.0 <= self.0 && self.0 <= Self::LAST.0
    }

    /// Returns the id after this one; none comes after [`EntityId::LAST`].
    pub const fn next(self) -> Self {
        if self.0 < Self::LAST.0 { Self(self.0 + 1) } else { Self::LAST }
    }
}

/// Ids that one client alone gives to entities that it makes, so that no two clients' collide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IdBlock(u64);

impl IdBlock {
    /// How many ids a block has.
    pub const SIZE: u64 = 1 << 24;

    /// Returns a block by its number; none when there are not so many.
    pub const fn numbered(number: u64) -> Option<Self> {
        let most = (EntityId::LAST.0 - EntityId::FIRST_OF_BLOCKS) / Self::SIZE;
        if number < most { Some(Self(number)) } else { None }
    }

    /// Returns the first id of the block.
    pub const fn first(self) -> EntityId {
        EntityId(EntityId::FIRST_OF_BLOCKS + self.0 * Self::SIZE)
    }

    /// Returns the block that an id belongs to; an Ecm's own ids belong to none.
    pub const fn of(id: EntityId) -> Option<Self> {
        match id.0.checked_sub(EntityId::FIRST_OF_BLOCKS) {
            Some(offset) => Some(Self(offset / Self::SIZE)),
            None => None,
        }
    }

    /// Returns how many ids from `next` on are left in the block.
    pub const fn left(self, next: EntityId) -> u64 {
        (self.first().0 + Self::SIZE).saturating_sub(next.0)
    }
}

impl fmt::Debug for EntityId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}", self.0)
    }
}

impl fmt::Display for EntityId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}", self.0)
    }
}

/// The entity that holds this one; removing the holder removes what it holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Parent(pub EntityId);

impl Parent {
    /// Most entities on the way from one to its outermost holder, both included.
    ///
    /// Messages that lead deeper are refused, and no walk goes further, whatever it walks on.
    pub const MAX_DEPTH: usize = 256;
}

impl Component for Parent {
    const NAME: &'static str = "parent";
}
