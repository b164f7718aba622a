//! Which links each body has, in the order of their slots.

use std::sync::Arc;

use retake_ecm::EntityId;
use retake_math::Pose;

use super::tables::{BodyRecord, Held, Tables};

/// A cache over the tables for what is read in every step: one look in a row of small values
/// instead of a search for each body.
#[derive(Default)]
pub(super) struct Records {
    by_slot: Vec<Record>,
    /// The tables that it was made from.
    source: Option<Arc<Tables>>,
}

/// The links of a body.
#[derive(Clone)]
pub(super) enum Record {
    /// None: there is no such body any more.
    Gone,
    /// The one link of a body that stands alone, just where the body is.
    Alone(EntityId),
    /// Any others.
    Other(Box<BodyRecord>),
}

impl Records {
    /// Makes the cache anew when the tables are not those that it was made from.
    pub(super) fn follow(&mut self, tables: &Arc<Tables>) {
        if self.is_of(tables) {
            return;
        }
        self.by_slot.clear();
        for (slot, record) in &tables.bodies {
            self.by_slot.resize(*slot as usize + 1, Record::Gone);
            self.by_slot[*slot as usize] = Record::of(record);
        }
        self.source = Some(Arc::clone(tables));
    }

    /// Returns what there is by slot; none when the tables have changed since.
    pub(super) fn of(&self, tables: &Arc<Tables>) -> Option<&[Record]> {
        self.is_of(tables).then_some(&self.by_slot)
    }

    fn is_of(&self, tables: &Arc<Tables>) -> bool {
        self.source.as_ref().is_some_and(|source| Arc::ptr_eq(source, tables))
    }
}

impl Record {
    pub(super) fn of(record: &BodyRecord) -> Self {
        match record.links.as_slice() {
            [only] if record.held == Held::Alone && only.body_from_link == Pose::IDENTITY => {
                Self::Alone(only.link)
            }
            _ => Self::Other(Box::new(record.clone())),
        }
    }
}
