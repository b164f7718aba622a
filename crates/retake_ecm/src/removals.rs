//! What was removed, and when, so that a delta can say so.

use std::collections::VecDeque;

use crate::EntityId;
use crate::column::Tick;

/// The latest removals, oldest first.
///
/// Bounded: when full the oldest is forgotten, and a reader that has not seen it gets the full
/// state instead of a delta.
#[derive(Clone, Default)]
pub(crate) struct Removals {
    entries: VecDeque<Removal>,
    /// Removals up to this tick may have been forgotten.
    horizon: Tick,
}

#[derive(Clone)]
pub(crate) struct Removal {
    pub(crate) tick: Tick,
    pub(crate) entity: EntityId,
    /// Position of the component's column; none means the whole entity.
    pub(crate) column: Option<usize>,
}

impl Removals {
    const LIMIT: usize = 4096;

    pub(crate) fn push(&mut self, removal: Removal) {
        if self.entries.len() == Self::LIMIT
            && let Some(forgotten) = self.entries.pop_front()
        {
            self.horizon = forgotten.tick;
        }
        self.entries.push_back(removal);
    }

    /// Returns the removals after `tick`, or none when some of them are forgotten.
    pub(crate) fn since(&self, tick: Tick) -> Option<impl Iterator<Item = &Removal>> {
        let start = self.entries.partition_point(|removal| removal.tick <= tick);
        (tick >= self.horizon).then(|| self.entries.range(start..))
    }
}
