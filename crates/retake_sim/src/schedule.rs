//! The systems of a world, and the order in which they act.
//!
//! A cache over the plugin entities: systems are made from them, in the order of their ids, and
//! made anew whenever plugins change, something that they may name comes, goes or is renamed, or
//! time jumps.

mod entry;

use std::collections::BTreeSet;

use retake_components::{EntityName, JointSpec, Kind, PluginConfig, path_of};
use retake_ecm::{Ecm, EntityId, Parent};

use crate::Outbox;
use crate::system::{StepInfo, StuckSystems, SystemError, SystemFailure};
use crate::systems::script::ScriptSource;
use crate::whereabouts::{Callback, Whereabouts};
use entry::{Entry, guarded, make};

/// The systems of a world.
#[derive(Default)]
pub(crate) struct Schedule {
    entries: Vec<Entry>,
    /// Plugins up to this tick have their systems.
    seen: u64,
    /// Whether the set of topics that systems listen to may have changed.
    pub(crate) topics_changed: bool,
    /// Which system acts, for whoever watches.
    pub(crate) whereabouts: Whereabouts,
}

/// A system that could not be made or was stopped.
pub(crate) struct Stopped {
    pub(crate) plugin: EntityId,
    pub(crate) reason: String,
}

impl Schedule {
    /// Makes an empty one that says there which system acts.
    pub(crate) fn seen_at(whereabouts: Whereabouts) -> Self {
        Self { whereabouts, ..Self::default() }
    }

    /// Makes the systems of new plugins and forgets those of plugins that are gone; systems whose
    /// joints are gone are stopped, and go on when those are there again.
    pub(crate) fn follow(&mut self, ecm: &mut Ecm) -> Vec<Stopped> {
        let plugins = ecm.column::<PluginConfig>().any_changed_since(self.seen)
            || ecm.column::<ScriptSource>().any_changed_since(self.seen);
        let removed = ecm.removed_since(self.seen).is_none_or(|removed| !removed.is_empty());
        if !plugins && !removed && !self.names_changed(ecm) {
            // What is written in the present tick is looked at again.
            self.seen = self.seen.max(ecm.tick() - 1);
            return Vec::new();
        }
        self.release_changed(ecm);
        self.rebuild(ecm)
    }

    /// Makes systems anew from the plugin entities; those that cannot begin anew unnoticed go on.
    pub(crate) fn rebuild(&mut self, ecm: &mut Ecm) -> Vec<Stopped> {
        let (kept, mut stopped) = self.take_stuck(ecm);
        stopped.extend(self.make_all(ecm, kept));
        stopped
    }

    /// Says whether a joint changed, or what it is found by.
    fn names_changed(&self, ecm: &Ecm) -> bool {
        let is_named =
            |entity: EntityId| matches!(ecm.get::<Kind>(entity), Some(Kind::Joint | Kind::Model));
        let renamed = ecm.changed_since::<EntityName>(self.seen).map(|(entity, _)| entity);
        let moved = ecm.changed_since::<Parent>(self.seen).map(|(entity, _)| entity);
        ecm.column::<JointSpec>().any_changed_since(self.seen) || renamed.chain(moved).any(is_named)
    }

    /// Lets systems go of what they move when their plugin is gone or says something else now.
    fn release_changed(&mut self, ecm: &mut Ecm) {
        let changed = ecm.changed_since::<PluginConfig>(self.seen);
        let scripts = ecm.changed_since::<ScriptSource>(self.seen).map(|(plugin, _)| plugin);
        let changed: BTreeSet<EntityId> =
            changed.map(|(plugin, _)| plugin).chain(scripts).collect();
        for entry in &mut self.entries {
            let is_gone = ecm.get::<PluginConfig>(entry.plugin).is_none();
            if is_gone || changed.contains(&entry.plugin) {
                entry.release(ecm);
            }
        }
        for plugin in changed {
            // What was wrong with it is perhaps put right.
            ecm.remove::<SystemFailure>(plugin);
        }
    }

    /// Makes systems anew after a time jump; those that cannot rewind go on if that is wanted.
    pub(crate) fn jump(&mut self, ecm: &mut Ecm, stuck: StuckSystems) -> Vec<Stopped> {
        let (mut kept, mut stopped) = self.take_stuck(ecm);
        if stuck == StuckSystems::Restart {
            kept.clear();
        }
        let whereabouts = self.whereabouts.clone();
        kept.retain_mut(|entry| {
            whereabouts.enter(entry.plugin, Callback::TimeJumped);
            match guarded(|| entry.system().time_jumped(ecm)) {
                Ok(()) => true,
                Err(error) => {
                    stopped.push(stop(ecm, entry.plugin, error));
                    false
                }
            }
        });
        whereabouts.leave();
        // What the others moved is as it was at the other time.
        self.entries.clear();
        stopped.extend(self.make_all(ecm, kept));
        stopped
    }

    /// Takes out the systems that cannot begin anew unnoticed and whose plugins are still there;
    /// one that panics when it is asked is stopped.
    fn take_stuck(&mut self, ecm: &mut Ecm) -> (Vec<Entry>, Vec<Stopped>) {
        let (mut kept, mut others, mut stopped) = (Vec::new(), Vec::new(), Vec::new());
        for entry in std::mem::take(&mut self.entries) {
            let is_there = ecm.get::<PluginConfig>(entry.plugin).is_some();
            match entry.stuck_because() {
                Ok(Some(_)) if is_there => kept.push(entry),
                Err(error) if is_there => stopped.push(stop(ecm, entry.plugin, error)),
                _ => others.push(entry),
            }
        }
        self.entries = others;
        (kept, stopped)
    }

    /// Makes the system of every plugin that has none in `kept`; one that cannot be made any more
    /// lets go of what it moved.
    fn make_all(&mut self, ecm: &mut Ecm, mut kept: Vec<Entry>) -> Vec<Stopped> {
        let mut old = std::mem::take(&mut self.entries);
        self.topics_changed = true;
        let plugins: Vec<EntityId> = ecm.iter::<PluginConfig>().map(|(plugin, _)| plugin).collect();
        let ending: Vec<EntityId> = old.iter().map(|entry| entry.plugin).collect();
        let names = plugins.iter().map(|plugin| (plugin.raw(), path_of(ecm, *plugin)));
        self.whereabouts.name(names.collect(), &ending);
        let mut stopped = Vec::new();
        for plugin in plugins {
            if let Some(at) = kept.iter().position(|entry| entry.plugin == plugin) {
                // It acts, whatever became of it at the time that the world went to.
                ecm.remove::<SystemFailure>(plugin);
                self.entries.push(kept.swap_remove(at));
                continue;
            }
            let failure = ecm.get::<SystemFailure>(plugin).cloned();
            if failure.as_ref().is_some_and(|failure| !failure.waits) {
                continue;
            }
            match make(ecm, plugin, &self.whereabouts) {
                Ok(made) => {
                    self.entries.extend(made);
                    ecm.remove::<SystemFailure>(plugin);
                }
                // It waits as before, and everybody knows.
                Err(error) if failure.is_some_and(|known| known.reason == error.to_string()) => {}
                Err(error) => {
                    let before = old.iter_mut().find(|entry| entry.plugin == plugin);
                    before.into_iter().for_each(|entry| entry.release(ecm));
                    stopped.push(stop(ecm, plugin, error));
                }
            }
        }
        self.seen = ecm.close_tick();
        stopped
    }

    /// Names the systems that cannot follow the world to another time, with the reason.
    pub(crate) fn stuck(&self) -> Vec<(EntityId, String)> {
        let reason = |entry: &Entry| {
            // One that panics when it is asked does not go anywhere either.
            let stuck = entry.stuck_because();
            Some((entry.plugin, stuck.unwrap_or_else(|error| Some(error.to_string()))?))
        };
        self.entries.iter().filter_map(reason).collect()
    }

    /// Lets every system act before physics.
    pub(crate) fn pre_update(&mut self, step: &StepInfo, ecm: &mut Ecm) -> Vec<Stopped> {
        self.run(Callback::PreUpdate, ecm, |entry, ecm| entry.system().pre_update(step, ecm))
    }

    /// Lets every system look after physics.
    pub(crate) fn post_update(
        &mut self,
        step: &StepInfo,
        ecm: &mut Ecm,
        out: &mut Outbox,
    ) -> Vec<Stopped> {
        self.run(Callback::PostUpdate, ecm, |entry, ecm| entry.system().post_update(step, ecm, out))
    }

    /// Hands a message to the systems that listen to its topic.
    ///
    /// A system that cannot read the message goes on, and its complaint is returned; one that
    /// panics is stopped.
    pub(crate) fn deliver(
        &mut self,
        topic: &str,
        bytes: &[u8],
        ecm: &mut Ecm,
    ) -> (Vec<String>, Vec<Stopped>) {
        let mut complaints = Vec::new();
        let stopped = self.run(Callback::OnMessage, ecm, |entry, ecm| {
            if !entry.topics.iter().any(|wanted| wanted == topic) {
                return Ok(());
            }
            match entry.system().on_message(topic, bytes, ecm) {
                Err(error) if !error.ends_the_system() => {
                    complaints.push(format!("{}: {error}", path_of(ecm, entry.plugin)));
                    Ok(())
                }
                outcome => outcome,
            }
        });
        (complaints, stopped)
    }

    /// Returns the topics that systems listen to, sorted.
    pub(crate) fn subscriptions(&self) -> Vec<String> {
        let mut all: Vec<String> =
            self.entries.iter().flat_map(|entry| entry.topics.iter().cloned()).collect();
        all.sort();
        all.dedup();
        all
    }

    /// Says whether a system listens to a topic.
    pub(crate) fn hears(&self, topic: &str) -> bool {
        self.entries.iter().flat_map(|entry| &entry.topics).any(|wanted| wanted == topic)
    }

    /// Runs one callback of every system; a system that fails is stopped, the others go on.
    fn run(
        &mut self,
        callback: Callback,
        ecm: &mut Ecm,
        mut act: impl FnMut(&mut Entry, &mut Ecm) -> Result<(), SystemError>,
    ) -> Vec<Stopped> {
        let mut stopped = Vec::new();
        let whereabouts = &self.whereabouts;
        self.entries.retain_mut(|entry| {
            whereabouts.enter(entry.plugin, callback);
            match guarded(|| act(entry, ecm)) {
                Ok(()) => true,
                Err(error) => {
                    stopped.push(stop(ecm, entry.plugin, error));
                    false
                }
            }
        });
        whereabouts.leave();
        stopped
    }
}

fn stop(ecm: &mut Ecm, plugin: EntityId, error: SystemError) -> Stopped {
    let reason = error.to_string();
    // The plugin exists: it was just found in the Ecm or acted a moment ago.
    let failure = SystemFailure { reason: reason.clone(), waits: error.is_for_lack_of_something() };
    ecm.set(plugin, failure).ok();
    Stopped { plugin, reason }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::{Rewind, System};
    use crate::systems;

    struct Panics;

    impl System for Panics {
        fn pre_update(&mut self, _: &StepInfo, _: &mut Ecm) -> Result<(), SystemError> {
            panic!("out of cheese")
        }
    }

    struct Counts;

    impl System for Counts {
        fn pre_update(&mut self, _: &StepInfo, ecm: &mut Ecm) -> Result<(), SystemError> {
            let counter = ecm.create();
            ecm.set(counter, EntityName("counted".to_owned())).ok();
            Ok(())
        }

        fn post_update(
            &mut self,
            _: &StepInfo,
            ecm: &Ecm,
            _: &mut Outbox,
        ) -> Result<(), SystemError> {
            let reason = format!("saw {}", ecm.entity_count());
            Err(SystemError::BadMessage { topic: "/t".to_owned(), reason })
        }
    }

    const STEP: StepInfo = StepInfo {
        sim_time: retake_math::SimTime::ZERO,
        step_size: retake_math::SimTime::from_nanos(1_000_000),
        iterations: 0,
    };

    #[test]
    fn a_system_that_panics_is_stopped_and_the_others_go_on() {
        let registry = systems::registry();
        let mut ecm = Ecm::new(registry);
        let (first, second) = (ecm.create(), ecm.create());
        let (mut schedule, here) = (Schedule::default(), &Whereabouts::default());
        schedule.entries.push(Entry::new(first, Box::new(Panics), Vec::new(), here));
        schedule.entries.push(Entry::new(second, Box::new(Counts), vec!["/t".to_owned()], here));

        let stopped = schedule.pre_update(&STEP, &mut ecm);
        let reasons: Vec<&str> = stopped.iter().map(|s| s.reason.as_str()).collect();
        assert_eq!(reasons, ["it panicked: out of cheese"]);
        assert_eq!(ecm.get::<SystemFailure>(first).map(|f| f.reason.as_str()), Some(reasons[0]));
        assert_eq!(ecm.iter::<EntityName>().count(), 1, "the second system acted");

        assert!(schedule.pre_update(&STEP, &mut ecm).is_empty(), "it is not run again");
        let stopped = schedule.post_update(&STEP, &mut ecm, &mut Outbox::default());
        assert_eq!(stopped[0].reason, "a message on /t cannot be read: saw 4");
    }

    /// Counts jumps where no keyframe sees it.
    struct Outside {
        jumps: u32,
    }

    impl System for Outside {
        fn rewind(&self) -> Rewind {
            Rewind::Cannot { reason: "a real arm does not go back".to_owned() }
        }

        fn time_jumped(&mut self, ecm: &mut Ecm) -> Result<(), SystemError> {
            self.jumps += 1;
            let sign = ecm.create();
            ecm.set(sign, EntityName(format!("jumps {}", self.jumps))).ok();
            Ok(())
        }
    }

    #[test]
    fn a_system_that_cannot_rewind_is_named_and_goes_on_or_begins_anew() {
        let registry = systems::registry();
        let mut ecm = Ecm::new(registry);
        let plugin = ecm.create();
        ecm.set(plugin, PluginConfig(retake_description::Plugin::default())).ok();
        let (mut schedule, outside) = (Schedule::default(), Box::new(Outside { jumps: 0 }));
        let here = &Whereabouts::default();
        schedule.entries.push(Entry::new(plugin, outside, Vec::new(), here));
        assert_eq!(schedule.stuck(), [(plugin, "a real arm does not go back".to_owned())]);
        for number in 1..=2 {
            assert!(schedule.jump(&mut ecm, StuckSystems::GoOn).is_empty());
            let signs = ecm.iter::<EntityName>().map(|(_, name)| name.0.clone());
            assert_eq!(signs.last(), Some(format!("jumps {number}")));
        }
        // The plugin is of no known kind, so that beginning anew leaves nothing.
        assert!(schedule.jump(&mut ecm, StuckSystems::Restart).is_empty());
        assert_eq!((schedule.entries.len(), schedule.stuck().len()), (0, 0));
    }

    #[test]
    fn post_update_gets_a_read_only_ecm() {
        // The type of the callback is the proof: it takes a shared reference.
        let _: fn(&mut Counts, &StepInfo, &Ecm, &mut Outbox) -> Result<(), SystemError> =
            <Counts as System>::post_update;
    }
}
