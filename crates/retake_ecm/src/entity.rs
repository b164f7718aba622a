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
