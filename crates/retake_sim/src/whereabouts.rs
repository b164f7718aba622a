//! Which system acts at the moment, for whoever watches the thread that calls it.
//!
//! Two stores for each callback and no clock: how long a system takes is for the watchdog to say.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use retake_ecm::EntityId;

/// What a system is asked to do; the number is its place in [`NAMES`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Callback {
    Make = 1,
    OnMessage,
    Rewind,
    TimeJumped,
    Release,
    PreUpdate,
    PostUpdate,
    Drop,
}

/// What callbacks are called, the first for none at all.
const NAMES: [&str; 9] = [
    "",
    "make",
    "on_message",
    "rewind",
    "time_jumped",
    "release",
    "pre_update",
    "post_update",
    "drop",
];

/// Lowest bits of a turn: the callback, 0 while no system acts.
const CALLBACK_BITS: u32 = 4;

/// Where a thread is that calls systems; all clones are of one.
#[derive(Clone, Default)]
pub(crate) struct Whereabouts(Arc<Shared>);

#[derive(Default)]
struct Shared {
    /// Counts callbacks; the lowest bits say which one it is.
    turn: AtomicU64,
    /// The plugin whose system acts.
    plugin: AtomicU64,
    /// What plugins are called.
    names: Mutex<BTreeMap<u64, String>>,
}

/// A system that acts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Acting {
    /// Tells this call from all others.
    pub(crate) turn: u64,
    pub(crate) system: String,
    pub(crate) callback: &'static str,
}

impl Whereabouts {
    /// Notes that a system begins to act; whatever acted before it is done.
    pub(crate) fn enter(&self, plugin: EntityId, callback: Callback) {
        let Shared { turn, plugin: acting, .. } = self.0.as_ref();
        acting.store(plugin.raw(), Ordering::Relaxed);
        // Only one thread writes, so that nothing comes between reading and writing.
        let count = (turn.load(Ordering::Relaxed) >> CALLBACK_BITS).wrapping_add(1);
        turn.store((count << CALLBACK_BITS) | u64::from(callback as u8), Ordering::Release);
    }

    /// Notes that no system acts.
    pub(crate) fn leave(&self) {
        let turn = &self.0.turn;
        let count = turn.load(Ordering::Relaxed) >> CALLBACK_BITS;
        turn.store(count << CALLBACK_BITS, Ordering::Release);
    }

    /// Notes what plugins are called. Those that are gone keep their names while `ending`, which has
    /// theirs, are not over.
    pub(crate) fn name(&self, mut names: BTreeMap<u64, String>, ending: &[EntityId]) {
        let mut known = self.names();
        for plugin in ending.iter().map(|plugin| plugin.raw()) {
            if let Some(name) = known.remove(&plugin) {
                names.entry(plugin).or_insert(name);
            }
        }
        *known = names;
    }

    /// Returns which call is under way; none while no system acts.
    pub(crate) fn turn(&self) -> Option<u64> {
        let turn = self.0.turn.load(Ordering::Acquire);
        callback_of(turn).map(|_| turn)
    }

    /// Returns who acts; none while no system does, or when another one begins just now.
    pub(crate) fn acting(&self) -> Option<Acting> {
        let turn = self.turn()?;
        let plugin = self.0.plugin.load(Ordering::Relaxed);
        let callback = callback_of(turn)?;
        let system = self.names().get(&plugin).cloned();
        let system = system.unwrap_or_else(|| format!("of entity {plugin}"));
        (self.turn() == Some(turn)).then_some(Acting { turn, system, callback })
    }

    fn names(&self) -> MutexGuard<'_, BTreeMap<u64, String>> {
        // Plain data is whole after any panic.
        self.0.names.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn callback_of(turn: u64) -> Option<&'static str> {
    let number = turn & ((1 << CALLBACK_BITS) - 1);
    NAMES.get(usize::try_from(number).ok()?).copied().filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_acts_is_told_by_name_and_each_call_is_another() {
        let here = Whereabouts::default();
        assert_eq!((here.turn(), here.acting()), (None, None));
        here.name(BTreeMap::from([(7, "arm::mover".to_owned())]), &[]);
        here.enter(EntityId::from_raw(7), Callback::PreUpdate);
        let first = here.acting().unwrap();
        assert_eq!((first.system.as_str(), first.callback), ("arm::mover", "pre_update"));
        here.enter(EntityId::from_raw(8), Callback::PostUpdate);
        let second = here.acting().unwrap();
        assert_eq!((second.system.as_str(), second.callback), ("of entity 8", "post_update"));
        here.leave();
        assert_eq!((here.turn(), here.acting()), (None, None));
        here.enter(EntityId::from_raw(7), Callback::Make);
        let turns = [first.turn, second.turn, here.turn().unwrap()];
        assert!(turns.is_sorted() && turns[0] != turns[1] && turns[1] != turns[2], "{turns:?}");
        assert_eq!(here.acting().unwrap().callback, "make");
    }
}
