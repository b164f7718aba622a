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

    /// Makes an id from its number.
    pub const fn from_raw(raw: u64) -> Self {
        Self(raw)
    }

    /// Returns the number of the id.
    pub const fn raw(self) -> u64 {
        self.0
    }

    /// Returns the id after this one.
    pub const fn next(self) -> Self {
        Self(self.0 + 1)
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

impl Component for Parent {
    const NAME: &'static str = "parent";
}
