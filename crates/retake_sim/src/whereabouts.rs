//! Who acts at the moment, a system or the engine, for whoever watches the thread that calls it.
//!
//! Two stores for each callback and no clock: how long one takes is for the watchdog to say.

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

/// What callbacks are called, the first for none at all; behind them comes [`ENGINE_STEP`].
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

/// In the place of a callback: the engine makes a step.
const ENGINE_STEP: u64 = NAMES.len() as u64;

/// Lowest bits of a turn: the callback, 0 while nobody acts.
const CALLBACK_BITS: u32 = 4;

/// Where a thread is that calls systems and the engine; all clones are of one.
#[derive(Clone, Default)]
pub(crate) struct Whereabouts(Arc<Shared>);

#[derive(Default)]
struct Shared {
    /// Counts callbacks; the lowest bits say which one it is.
    turn: AtomicU64,
    /// The plugin whose system acts, or was the last to.
    plugin: AtomicU64,
    /// What plugins are called.
    names: Mutex<BTreeMap<u64, String>>,
}

/// A call that is under way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Acting {
    /// Tells this call from all others.
    pub(crate) turn: u64,
    pub(crate) actor: Actor,
}

/// Who was called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Actor {
    /// A system, in one of its callbacks.
    System {
        /// What its plugin is called.
        name: String,
        callback: &'static str,
    },
    /// The engine, which makes a step.
    Engine,
}

impl Whereabouts {
    /// Notes that a system begins to act; whatever acted before it is done.
    pub(crate) fn enter(&self, plugin: EntityId, callback: Callback) {
        self.0.plugin.store(plugin.raw(), Ordering::Relaxed);
        self.begin(u64::from(callback as u8));
    }

    /// Notes that the engine begins a step.
    pub(crate) fn enter_step(&self) {
        self.begin(ENGINE_STEP);
    }

    fn begin(&self, callback: u64) {
        let turn = &self.0.turn;
        // Only one thread writes, so that nothing comes between reading and writing.
        let count = (turn.load(Ordering::Relaxed) >> CALLBACK_BITS).wrapping_add(1);
        turn.store((count << CALLBACK_BITS) | callback, Ordering::Release);
    }

    /// Notes that nobody acts.
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

    /// Returns which call is under way; none while nobody acts.
    pub(crate) fn turn(&self) -> Option<u64> {
        let turn = self.0.turn.load(Ordering::Acquire);
        (callback_in(turn) != 0).then_some(turn)
    }

    /// Returns who acts; none while nobody does, or when another one begins just now.
    pub(crate) fn acting(&self) -> Option<Acting> {
        let turn = self.turn()?;
        let actor = match callback_in(turn) {
            ENGINE_STEP => Actor::Engine,
            callback => self.system_in(callback)?,
        };
        (self.turn() == Some(turn)).then_some(Acting { turn, actor })
    }

    fn system_in(&self, callback: u64) -> Option<Actor> {
        let callback = NAMES.get(usize::try_from(callback).ok()?)?;
        let plugin = self.0.plugin.load(Ordering::Relaxed);
        let name = self.names().get(&plugin).cloned();
        Some(Actor::System {
            name: name.unwrap_or_else(|| format!("of entity {plugin}")),
            callback,
        })
    }

    fn names(&self) -> MutexGuard<'_, BTreeMap<u64, String>> {
        // Plain data is whole after any panic.
        self.0.names.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn callback_in(turn: u64) -> u64 {
    turn & ((1 << CALLBACK_BITS) - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn system(name: &str, callback: &'static str) -> Actor {
        Actor::System { name: name.to_owned(), callback }
    }

    #[test]
    fn who_acts_is_told_by_name_and_each_call_is_another() {
        let here = Whereabouts::default();
        assert_eq!((here.turn(), here.acting()), (None, None));
        here.name(BTreeMap::from([(7, "arm::mover".to_owned())]), &[]);
        here.enter(EntityId::from_raw(7), Callback::PreUpdate);
        let first = here.acting().unwrap();
        assert_eq!(first.actor, system("arm::mover", "pre_update"));
        here.enter(EntityId::from_raw(8), Callback::PostUpdate);
        let second = here.acting().unwrap();
        assert_eq!(second.actor, system("of entity 8", "post_update"));
        here.leave();
        assert_eq!((here.turn(), here.acting()), (None, None));
        here.enter_step();
        let step = here.acting().unwrap();
        assert_eq!(step.actor, Actor::Engine);
        here.enter(EntityId::from_raw(7), Callback::Make);
        let turns = [first.turn, second.turn, step.turn, here.turn().unwrap()];
        assert!(turns.windows(2).all(|pair| pair[0] < pair[1]), "{turns:?}");
        assert_eq!(here.acting().unwrap().actor, system("arm::mover", "make"));
    }
}
