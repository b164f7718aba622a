//! The hash of a state.

use std::fmt;
use std::io::{self, Write};

use xxhash_rust::xxh3::Xxh3Default;

use crate::{Ecm, EntityId};

/// Collects what varies and gives it one number; ticks do not count.
///
/// Two equal hashes mean equal bits, within one build.
#[derive(Default)]
pub struct StateHash {
    hasher: Xxh3Default,
}

impl StateHash {
    /// Starts an empty hash.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds every entity and component, in the order of component names and entity ids.
    ///
    /// # Errors
    /// When a component cannot be encoded; the text names it.
    pub fn add_ecm(&mut self, ecm: &Ecm) -> io::Result<()> {
        let mut columns: Vec<_> = ecm.columns.iter().collect();
        columns.sort_by_key(|column| column.name().to_owned());
        let mut bytes = Vec::new();
        for column in columns {
            let entities = column.entities();
            if entities.is_empty() {
                continue;
            }
            self.write_all(column.name().as_bytes())?;
            for entity in entities {
                bytes.clear();
                column.encode(entity, &mut bytes).map_err(|reason| {
                    io::Error::other(format!("{} of {entity}: {reason}", column.name()))
                })?;
                self.add_entity(entity)?;
                self.write_all(&bytes)?;
            }
        }
        self.write_all(&ecm.next_entity.raw().to_le_bytes())?;
        ecm.entities().try_for_each(|entity| self.add_entity(entity))
    }

    /// Returns the hash of all that was added.
    pub fn finish(&self) -> u128 {
        self.hasher.digest128()
    }

    fn add_entity(&mut self, entity: EntityId) -> io::Result<()> {
        self.write_all(&entity.raw().to_le_bytes())
    }
}

impl Write for StateHash {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.hasher.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl fmt::Display for StateHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.finish())
    }
}
