//! Runs a script of the user's: `<plugin filename="retake-script" name="…"><script>file.luau</script>`.
//!
//! The text, its `state` and its random numbers are components, so that a script goes back in time
//! with the world and needs no care for it. The virtual machine is a cache.

mod apply;
mod components;
mod config;
mod host;
mod messages;
mod reads;
mod sources;
mod writes;

use retake_components::{PluginConfig, Seed, WorldClock, path_of, world_entity};
use retake_description::Plugin;
use retake_ecm::{Ecm, EntityId};
use retake_msgs::{Text, names};
use retake_script::{
    Call, Function, Handler, Limits, Memory, Outcome, Script, ScriptError, Table, Value,
};

use super::random::Random;
use super::{Attachment, Params, SystemKind};
use crate::system::{StepInfo, System, SystemError};
use crate::{OutMessage, Outbox};
pub use components::{
    ScriptCommands, ScriptDrives, ScriptItemNames, ScriptItems, ScriptOutbox, ScriptSource,
    ScriptState, ScriptTopics,
};
use config::Subscription;
use host::{Names, WorldHost};
pub(crate) use sources::{read_sources, read_text};

/// The `filename` that asks for a script, whatever the plugin is called.
pub const FILENAME: &str = "retake-script";

pub(super) const KIND: SystemKind = SystemKind {
    names: &["retake::Script"],
    register: |builder| {
        let builder = builder.with::<ScriptSource>().with::<ScriptState>().with::<ScriptDrives>();
        let builder = builder.with::<ScriptCommands>().with::<ScriptOutbox>();
        let builder = builder.with::<ScriptTopics>();
        builder.with::<ScriptItemNames>().with::<ScriptItems>()
    },
    make: |attachment, ecm| ScriptSystem::make(attachment, ecm),
};

/// Says whether a plugin asks for a script.
pub(crate) fn is_script(plugin: &Plugin) -> bool {
    plugin.filename == FILENAME || KIND.names.contains(&plugin.name.as_str())
}

/// Returns what a plugin calls the file of its script.
pub(crate) fn uri_of(ecm: &Ecm, plugin: EntityId) -> String {
    let config = ecm.get::<PluginConfig>(plugin);
    let uri = config.and_then(|config| Params::new(&config.0).text("script"));
    uri.unwrap_or_default().trim().to_owned()
}

/// Says what is wrong with a text, if it cannot be a script.
pub(crate) fn check_text(uri: &str, text: &str) -> Result<(), String> {
    let file = sources::file_name(uri);
    let script = Script::new(&file, text, Table::new(), API, Limits::default());
    script.map(|_| ()).map_err(|error| error.to_string())
}

/// Forgets all that a script knows, so that it begins again.
pub(crate) fn forget(ecm: &mut Ecm, plugin: EntityId) {
    ecm.remove::<ScriptState>(plugin);
    ecm.remove::<ScriptCommands>(plugin);
    ecm.remove::<ScriptOutbox>(plugin);
    ecm.remove::<ScriptTopics>(plugin);
    ecm.remove::<ScriptItemNames>(plugin);
    ecm.remove::<ScriptItems>(plugin);
}

/// What scripts call as `api.…`; the table in `docs/guide/plugins.md` lists it.
const API: &[Function<WorldHost>] = &[
    Function { name: "exists", fields: &[], run: reads::exists },
    Function { name: "pose", fields: &reads::POSE, run: reads::pose },
    Function { name: "velocity", fields: &reads::VELOCITY, run: reads::velocity },
    Function { name: "joint", fields: &[], run: reads::joint },
    Function { name: "joints", fields: &[], run: reads::joints },
    Function { name: "contacts", fields: &[], run: reads::contacts },
    Function { name: "set_effort", fields: &[], run: writes::set_effort },
    Function { name: "set_joint_velocity", fields: &[], run: writes::set_joint_velocity },
    Function { name: "set_position", fields: &[], run: writes::set_position },
    Function { name: "free", fields: &[], run: writes::free },
    Function { name: "push", fields: &[], run: writes::push },
    Function { name: "set_velocity", fields: &[], run: writes::set_velocity },
    Function { name: "drive", fields: &[], run: writes::drive_vehicle },
    Function { name: "publish", fields: &[], run: writes::publish },
    Function { name: "show", fields: &[], run: writes::show },
];

struct ScriptSystem {
    plugin: EntityId,
    holder: EntityId,
    script: Script<WorldHost>,
    subscriptions: Vec<Subscription>,
    names: Names,
    print_topic: String,
    /// What goes out when the present step is over; empty between steps.
    published: Vec<OutMessage>,
}

/// What is called, and with what beyond `state` and `api`.
struct Called<'a> {
    handler: Handler,
    arguments: &'a [Value],
}

impl ScriptSystem {
    fn make(at: &Attachment, ecm: &mut Ecm) -> Result<Box<dyn System>, SystemError> {
        let source = ecm.get::<ScriptSource>(at.plugin).cloned();
        let source = source.ok_or(SystemError::Script {
            reason: "its text was not read; insert it while a server runs the world".to_owned(),
        })?;
        if !source.fault.is_empty() {
            return Err(SystemError::Script { reason: source.fault });
        }
        let file = sources::file_name(&source.uri);
        let constants = config::constants(at, ecm);
        let script = Script::new(&file, &source.text, constants, API, Limits::default())?;
        let mut system = Self {
            plugin: at.plugin,
            holder: at.holder,
            script,
            subscriptions: config::subscriptions(&at.params())?,
            names: Names::default(),
            print_topic: names::script_print(&path_of(ecm, at.plugin)),
            published: Vec::new(),
        };
        if ecm.get::<ScriptState>(at.plugin).is_none() {
            system.begin(ecm)?;
        }
        Ok(Box::new(system))
    }

    /// Begins the memory of a script that has none, and calls `init`.
    fn begin(&mut self, ecm: &mut Ecm) -> Result<(), SystemError> {
        let seed = world_entity(ecm).and_then(|world| ecm.get::<Seed>(world)).map_or(0, |s| s.0);
        let memory = Memory::new(Random::new(seed, self.plugin.raw()).bits());
        let host = self.host(ecm);
        self.names = self.script.check(&memory, host)?.names;
        // The plugin entity exists: this system is being made for it.
        ecm.set(self.plugin, ScriptState(memory)).ok();
        let outcome = self.call_now(ecm, &Called { handler: Handler::Init, arguments: &[] });
        if outcome.is_err() {
            // It has not begun, so that it begins when it is put right.
            ecm.remove::<ScriptState>(self.plugin);
        }
        outcome
    }

    fn host(&mut self, ecm: &Ecm) -> WorldHost {
        let mut names = std::mem::take(&mut self.names);
        names.follow(ecm);
        WorldHost { ecm: ecm.snapshot(), holder: self.holder, effects: Vec::new(), names }
    }

    /// Calls a handler and does what it wanted; returns what it published.
    fn call(
        &mut self,
        ecm: &mut Ecm,
        step: &StepInfo,
        called: &Called<'_>,
    ) -> Result<Vec<OutMessage>, SystemError> {
        let host = self.host(ecm);
        let Some(state) = ecm.get::<ScriptState>(self.plugin) else { return Ok(Vec::new()) };
        let fields = [
            ("time", step.sim_time.as_secs_f64()),
            ("dt", step.dt_secs()),
            ("iteration", step.iterations as f64),
        ];
        let Called { handler, arguments } = *called;
        let call = Call { handler, memory: &state.0, fields: &fields, arguments };
        let outcome = self.script.call(&call, host)?;
        let Outcome { memory, host, printed, .. } = outcome;
        let WorldHost { ecm: seen, effects, names, .. } = host;
        // Let go of before anything is written, so that nothing is copied for it.
        drop(seen);
        self.names = names;
        if memory != state.0 {
            // The plugin exists: its state was just read.
            ecm.set(self.plugin, ScriptState(memory)).ok();
        }
        let mut published = apply::apply(ecm, self.plugin, effects)?;
        let printed = printed.into_iter().map(|data| Text { data });
        published.extend(printed.map(|line| OutMessage::of(&self.print_topic, &line)));
        Ok(published)
    }

    /// Calls a handler between two steps; what it publishes goes out with the next.
    fn call_now(&mut self, ecm: &mut Ecm, called: &Called<'_>) -> Result<(), SystemError> {
        let clock = world_entity(ecm).and_then(|world| ecm.get::<WorldClock>(world));
        let clock = clock.copied().unwrap_or_default();
        let WorldClock { sim_time, iterations, step_size } = clock;
        let step = StepInfo { sim_time, step_size, iterations };
        let published = self.call(ecm, &step, called)?;
        if published.is_empty() {
            return Ok(());
        }
        let mut waiting = ecm.get::<ScriptOutbox>(self.plugin).cloned().unwrap_or_default();
        let new = published.into_iter().map(|out| (out.topic, out.type_name, out.bytes));
        waiting.0.extend(new);
        let surplus = waiting.0.len().saturating_sub(ScriptOutbox::MOST);
        waiting.0.drain(..surplus);
        ecm.set(self.plugin, waiting).ok();
        Ok(())
    }

    /// Does one step: what waits from between the steps, commands, then `step` itself.
    fn step(&mut self, step: &StepInfo, ecm: &mut Ecm) -> Result<(), SystemError> {
        if let Some(waiting) = ecm.get::<ScriptOutbox>(self.plugin).cloned() {
            ecm.remove::<ScriptOutbox>(self.plugin);
            let sent = waiting.0.into_iter();
            let encoded = |(topic, type_name, bytes)| OutMessage::encoded(topic, type_name, bytes);
            self.published.extend(sent.map(encoded));
        }
        if let Some(commands) = ecm.get::<ScriptCommands>(self.plugin).cloned() {
            ecm.remove::<ScriptCommands>(self.plugin);
            for text in commands.0 {
                let arguments = [Value::Text(text)];
                let called = Called { handler: Handler::OnCommand, arguments: &arguments };
                let published = self.call(ecm, step, &called)?;
                self.published.extend(published);
            }
        }
        let published = self.call(ecm, step, &Called { handler: Handler::Step, arguments: &[] })?;
        self.published.extend(published);
        Ok(())
    }
}

impl From<ScriptError> for SystemError {
    fn from(error: ScriptError) -> Self {
        Self::Script { reason: error.to_string() }
    }
}

impl System for ScriptSystem {
    fn subscriptions(&self) -> Vec<String> {
        self.subscriptions.iter().map(|subscription| subscription.topic.clone()).collect()
    }

    fn on_message(&mut self, topic: &str, bytes: &[u8], ecm: &mut Ecm) -> Result<(), SystemError> {
        let known = self.subscriptions.iter().find(|known| known.topic == topic);
        let Some(Subscription { kind, .. }) = known else { return Ok(()) };
        let message = messages::read_message(kind, bytes)
            .map_err(|reason| SystemError::BadMessage { topic: topic.to_owned(), reason })?;
        let arguments = [Value::from(topic), message];
        let called = Called { handler: Handler::OnMessage, arguments: &arguments };
        let outcome = self.call_now(ecm, &called);
        outcome.inspect_err(|_| apply::release(ecm, self.plugin))
    }

    fn release(&mut self, ecm: &mut Ecm) {
        apply::release(ecm, self.plugin);
    }

    fn pre_update(&mut self, step: &StepInfo, ecm: &mut Ecm) -> Result<(), SystemError> {
        self.published.clear();
        let outcome = self.step(step, ecm);
        // Nothing drives on what a script that is stopped wanted last.
        outcome.inspect_err(|_| apply::release(ecm, self.plugin))
    }

    fn post_update(&mut self, _: &StepInfo, _: &Ecm, out: &mut Outbox) -> Result<(), SystemError> {
        self.published.drain(..).for_each(|message| out.send(message));
        Ok(())
    }
}
