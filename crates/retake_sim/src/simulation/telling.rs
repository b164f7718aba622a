//! What clients hear of the simulation beside its state.

use std::collections::BTreeMap;

use retake_components::{PluginConfig, path_of};
use retake_ecm::Ecm;
use retake_msgs::Notification;
use retake_msgs::notification::Level;
use retake_physics::EngineNote;

use super::Simulation;
use crate::Event;
use crate::schedule::Stopped;
use crate::systems::{self, Known};

/// Most events that wait to be told; beyond it the oldest is dropped, as nobody listens.
const MAX_EVENTS: usize = 1024;
/// Most remarks that are remembered; beyond it all are forgotten and told again.
const MAX_TOLD: usize = 1024;

impl Simulation {
    /// Takes out what every client should hear of.
    pub fn drain_events(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.events)
    }

    /// Returns what every client should hear of and has not been told yet.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// Tells every client something.
    pub fn notify(&mut self, level: Level, text: String) {
        let sim_time = Some(self.clock().sim_time.into());
        let level = level.into();
        let author = String::new();
        self.tell(Event::Notified(Notification { level, text, author, sim_time }));
    }

    /// Lets every client hear of something.
    pub(crate) fn tell(&mut self, event: Event) {
        if self.events.len() >= MAX_EVENTS {
            self.events.remove(0);
        }
        self.events.push(event);
    }

    pub(super) fn report_stopped(&mut self, stopped: Vec<Stopped>) {
        for Stopped { plugin, reason } in stopped {
            let name = path_of(&self.ecm, plugin);
            self.notify(Level::Error, format!("System {name} was stopped: {reason}"));
        }
    }

    pub(super) fn report_notes(&mut self, notes: Vec<EngineNote>) {
        for note in notes {
            if self.told.len() >= MAX_TOLD {
                self.told.clear();
            }
            let text = self.describe(&note);
            if self.told.insert((note.entity, note.message)) {
                self.notify(Level::Warning, text);
            }
        }
    }

    pub(super) fn describe(&self, note: &EngineNote) -> String {
        format!("{}: {}", path_of(&self.ecm, note.entity), note.message)
    }

    pub(super) fn report_unknown_plugins(&mut self) {
        self.tell_of_plugins(idle_plugins(&self.ecm));
    }

    /// Tells of the plugins that do nothing and were not there before.
    pub(super) fn report_new_plugins(&mut self, before: &Ecm) {
        // What is written in the tick of that state counts as changed.
        let since = before.tick().saturating_sub(1);
        if self.ecm.column::<PluginConfig>().any_changed_since(since) {
            let old = idle_plugins(before);
            let mut new = idle_plugins(&self.ecm);
            new.retain(|name, _| !old.contains_key(name));
            self.tell_of_plugins(new);
        }
    }

    fn tell_of_plugins(&mut self, plugins: BTreeMap<String, (Level, &'static str)>) {
        for (name, (level, what)) in plugins {
            self.notify(level, format!("Plugin {name:?} {what}"));
        }
    }
}

/// Finds the plugins that do nothing here, by name, and why.
///
/// No library is ever loaded for one, whatever its `filename` says.
fn idle_plugins(ecm: &Ecm) -> BTreeMap<String, (Level, &'static str)> {
    let mut names = BTreeMap::new();
    for (_, plugin) in ecm.iter::<PluginConfig>() {
        let what = match systems::find(&plugin.0) {
            Known::No => (Level::Warning, "is not known to Retake; it is kept but does nothing"),
            Known::Unseen => (Level::Info, "measures and draws nothing here; it is kept"),
            Known::System(_) | Known::BuiltIn => continue,
        };
        names.insert(plugin.0.name.clone(), what);
    }
    names
}
