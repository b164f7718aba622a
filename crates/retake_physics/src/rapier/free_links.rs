//! The links of bodies that stand alone, in the order of their slots.

use std::sync::Arc;

use super::tables::{Held, LinkOffset, Tables};

/// A cache over the tables for what is read in every step: one look in a row of plain values
/// instead of a search for each body.
#[derive(Default)]
pub(super) struct FreeLinks {
    by_slot: Vec<Option<LinkOffset>>,
    /// The tables that it was made from.
    source: Option<Arc<Tables>>,
}

impl FreeLinks {
    /// Makes the cache anew when the tables are not those that it was made from.
    pub(super) fn follow(&mut self, tables: &Arc<Tables>) {
        if self.is_of(tables) {
            return;
        }
        self.by_slot.clear();
        for (slot, record) in &tables.bodies {
            let [only] = record.links.as_slice() else { continue };
            if record.held == Held::Alone {
                self.by_slot.resize(*slot as usize + 1, None);
                self.by_slot[*slot as usize] = Some(*only);
            }
        }
        self.source = Some(Arc::clone(tables));
    }

    /// Returns the one link of a body that stands alone; none also when the cache is stale.
    pub(super) fn get(&self, slot: u32, tables: &Arc<Tables>) -> Option<&LinkOffset> {
        let found = self.by_slot.get(slot as usize)?.as_ref();
        found.filter(|_| self.is_of(tables))
    }

    fn is_of(&self, tables: &Arc<Tables>) -> bool {
        self.source.as_ref().is_some_and(|source| Arc::ptr_eq(source, tables))
    }
}
