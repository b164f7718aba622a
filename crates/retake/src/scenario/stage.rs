//! Where a scenario is played.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, bail};
use retake_assets::ResourceRoots;
use retake_components::{path_of, resolve};
use retake_ecm::Ecm;
use retake_msgs::UserCmdStats;
use retake_sim::{OutMessage, Server, ServerOptions, SystemFailure};

use super::client::{Client, Gui, take_over};
use super::expect::Expectation;
use super::line::{self, ClientKind, Line, WorldLine};
use super::local_link::LocalLink;
use super::logs::Logs;
use super::{events, measure, timeline};
use crate::cli::LiveLine;
use crate::logs::Instant;
use crate::output::Printer;
use crate::world_file::WorldFile;
use crate::{live, world_file};

/// The server, its clients and what was noted.
pub(super) struct Stage {
    folder: PathBuf,
    /// Becomes true when the user wants no more.
    end: Arc<AtomicBool>,
    server: Option<Server>,
    logs: Option<Logs>,
    clients: Vec<Client>,
    /// Folders that GUIs may take files from.
    roots: ResourceRoots,
    /// Counts what happens, as a clock would.
    now: i64,
    hashes: BTreeMap<String, String>,
    /// Events since the last check of one: what happened, and the words to find it by.
    events: Vec<(&'static str, String)>,
    /// Systems that were stopped, and why, as lines of the scenario expect.
    expected_stops: BTreeSet<(String, String)>,
    /// Messages of systems since the last check of their topics; of many, the newest.
    messages: VecDeque<OutMessage>,
}

/// Messages that wait to be checked; beyond it the oldest are forgotten.
const MAX_MESSAGES: usize = 65_536;
/// Name of the component that says why a system was stopped.
const FAILURE: &str = "system_failure";
/// The client that acts when none is named.
const FIRST: &str = "scenario";
/// Most steps in one line: an hour at a millisecond, ten times over.
const MAX_STEPS: u64 = 36_000_000;

impl Stage {
    pub(super) fn new(file: &Path, end: Arc<AtomicBool>) -> Self {
        Self {
            folder: file.parent().map(Path::to_owned).unwrap_or_default(),
            end,
            server: None,
            logs: None,
            clients: vec![Client::cli(FIRST)],
            roots: ResourceRoots::new(),
            now: 0,
            hashes: BTreeMap::new(),
            events: Vec::new(),
            expected_stops: BTreeSet::new(),
            messages: VecDeque::new(),
        }
    }

    /// Says whether there is a world.
    pub(super) fn is_set(&self) -> bool {
        self.server.is_some()
    }

    /// Names a system that is stopped in the end though no line expects it.
    pub(super) fn unexpected_stop(&self) -> Option<String> {
        let ecm = self.server.as_ref()?.simulation().ecm();
        let (name, reason) = stops(ecm).find(|stop| !self.expected_stops.contains(stop))?;
        Some(format!(
            "{name} was stopped: {reason}. Mend it, or write: expect event Notified with {name}"
        ))
    }

    pub(super) fn perform(&mut self, line: &Line) -> anyhow::Result<()> {
        go_on(&self.end)?;
        match line {
            Line::World(world) => self.load(world)?,
            Line::RunTime(time) => {
                let step = self.server()?.simulation().clock().step_size;
                let steps = time.as_nanos() as f64 / step.as_nanos().max(1) as f64;
                if steps < 0.0 {
                    bail!("time does not run backwards");
                }
                self.advance(steps.round() as u64)?;
            }
            Line::RunSteps(steps) => self.advance(*steps)?,
            Line::Client(name, kind) => self.join(name, *kind)?,
            Line::Command(client, command) => {
                self.command(client.as_deref(), command)?;
            }
            Line::SaveHash(name) => {
                let hash = self.server()?.simulation().hash()?;
                self.hashes.insert(name.clone(), hash);
            }
            Line::Expect(expectation) => self.expect(expectation)?,
            Line::ExpectBy(client, expectation) => self.expect_by(client, expectation)?,
            Line::Resume(log, at) => self.resume(log, *at)?,
            Line::Verify(log) => self.logs()?.verify(log)?,
            Line::Freeze(client, frozen) => self.gui(client)?.frozen = *frozen,
        }
        self.settle()
    }

    fn load(&mut self, line: &WorldLine) -> anyhow::Result<()> {
        if self.server.is_some() {
            bail!("a scenario has one world");
        }
        // A world is found beside the scenario, or from where the scenario is run.
        let beside = self.folder.join(&line.file);
        let file = if beside.is_file() { beside } else { line.file.clone() };
        let source = world_file::source(Some(&file), &line.load)?;
        self.roots = world_file::roots_around(Some(&file), &line.load)?;
        let WorldFile { world, name, findings, .. } = world_file::load(Some(&file), &line.load)?;
        let simulation = world_file::simulate(&world, Some(&file), &line.load)?;
        let options = ServerOptions {
            paused: true,
            world_file: name,
            source,
            findings,
            undo: line.past.undo(),
            timeline: line.past.timeline(),
            ..ServerOptions::default()
        };
        let server = Server::new(simulation, &options);
        self.logs = Some(Logs::new(&server)?);
        self.server = Some(server);
        Ok(())
    }

    /// Goes on from a log in place of the world that was there.
    fn resume(&mut self, log: &str, at: Option<Instant>) -> anyhow::Result<()> {
        if self.clients.len() > 1 {
            bail!("clients cannot follow to a world that goes on from a log");
        }
        let roots = self.roots.clone();
        self.server = Some(self.logs()?.resume(log, at, roots)?);
        Ok(())
    }

    fn logs(&mut self) -> anyhow::Result<&mut Logs> {
        self.logs.as_mut().context(NO_WORLD)
    }

    fn advance(&mut self, steps: u64) -> anyhow::Result<()> {
        if steps > MAX_STEPS {
            bail!("{steps} steps are more than {MAX_STEPS}; run them in parts");
        }
        let server = self.server.as_mut().context(NO_WORLD)?;
        if steps > 0 {
            let guis = server.guis();
            take_over(server, &mut self.clients, &guis);
        }
        let recording = &mut self.logs.as_mut().context(NO_WORLD)?.recording;
        for _ in 0..steps {
            go_on(&self.end)?;
            let before = server.simulation().clock().iterations;
            server.step();
            recording.follow(server);
            keep(&mut self.messages, &mut self.events, server.drain_messages());
            if server.failed() {
                bail!("step {} failed", before + 1);
            }
        }
        Ok(())
    }

    fn join(&mut self, name: &str, kind: ClientKind) -> anyhow::Result<()> {
        if self.clients.iter().any(|client| client.name == name) {
            bail!("there is a client named {name:?} already");
        }
        let server = self.server.as_mut().context(NO_WORLD)?;
        self.clients.push(Client::join(name, kind, server, self.roots.clone())?);
        Ok(())
    }

    /// Carries a live command out and returns what it printed.
    fn command(&mut self, client: Option<&str>, line: &LiveLine) -> anyhow::Result<String> {
        let name = client.unwrap_or(FIRST);
        let server = self.server.as_mut().context(NO_WORLD)?;
        let known = self.clients.iter().map(|c| c.name.clone()).collect::<Vec<_>>().join(", ");
        let acting = self.clients.iter().position(|client| client.name == name);
        let acting = acting.with_context(|| format!("No client named {name:?}. Known: {known}"))?;
        self.now += 1;
        let (clients, now) = (self.clients.as_mut_slice(), self.now);
        let mut out = Vec::new();
        let mut printer = Printer { out: &mut out, format: line.global.format };
        let recording = &mut self.logs.as_mut().context(NO_WORLD)?.recording;
        let mut link = LocalLink { server, clients, acting, now, recording };
        live::run(&line.command, &mut link, &mut printer)?;
        Ok(String::from_utf8_lossy(&out).into_owned())
    }

    /// Lets replicas follow and collects events.
    fn settle(&mut self) -> anyhow::Result<()> {
        let Some(server) = &mut self.server else { return Ok(()) };
        for client in &mut self.clients {
            client.follow(server)?;
        }
        keep(&mut self.messages, &mut self.events, server.drain_messages());
        self.events.extend(server.drain_events().iter().map(events::of_event));
        if let Some(logs) = &mut self.logs {
            logs.recording.follow(server);
        }
        Ok(())
    }

    fn expect(&mut self, expectation: &Expectation) -> anyhow::Result<()> {
        match expectation {
            Expectation::Hash { name, equal } => self.expect_hash(name, *equal),
            Expectation::Error { text, command } => self.expect_error(text, command),
            Expectation::Motion { robot, motion, state, text } => {
                let ecm = self.server()?.simulation().ecm();
                measure::motion(ecm, (robot, motion), state, text.as_deref())
            }
            Expectation::Messages { topic, count, text } => {
                self.expect_messages(topic, *count, text.as_deref())
            }
            Expectation::Event { name, text } => self.expect_event(name, text.as_deref()),
            Expectation::Paused(paused) => match self.server()?.paused() == *paused {
                true => Ok(()),
                false if *paused => bail!("expected paused, got running"),
                false => bail!("expected running, got paused"),
            },
            Expectation::History { undo, entries } => self.expect_history(*undo, entries),
            Expectation::Physics { key, value } => {
                measure::physics(&self.server()?.physics_state(), key, value)
            }
            Expectation::Ignored(key) => measure::ignored(&self.server()?.physics_state(), key),
            Expectation::Pending(expected) => self.expect_pending(expected),
            Expectation::Log { name, expected } => self.logs()?.expect(name, expected),
            Expectation::Timeline(expected) => {
                let server = self.server.as_mut().context(NO_WORLD)?;
                timeline::check(server, expected, &|name| saved_hash(&self.hashes, name))
            }
            Expectation::Item { item, bound } => {
                measure::item(item, *bound, self.server()?.read_signal(item))
            }
            Expectation::Component { entity, path, .. } if path.starts_with(FAILURE) => {
                let ecm = self.server()?.simulation().ecm();
                measure::check(ecm, expectation)?;
                let system = path_of(ecm, resolve(ecm, entity)?);
                let expected = stops(ecm).find(|(name, _)| *name == system);
                self.expected_stops.extend(expected);
                Ok(())
            }
            other => measure::check(self.server()?.simulation().ecm(), other),
        }
    }

    /// Checks what a GUI sees in its own Ecm and its own history.
    fn expect_by(&mut self, client: &str, expectation: &Expectation) -> anyhow::Result<()> {
        let gui = self.gui(client)?;
        match expectation {
            Expectation::History { undo, entries } => {
                expect_list(*undo, &gui.commands.history(), entries)
            }
            other => measure::check(gui.commands.ecm(), other),
        }
    }

    fn gui(&mut self, name: &str) -> anyhow::Result<&mut Gui> {
        let client = self.clients.iter_mut().find(|client| client.name == name);
        let gui = client.and_then(|client| client.gui.as_mut());
        gui.with_context(|| format!("No GUI named {name:?}"))
    }

    fn expect_pending(&mut self, expected: &[String]) -> anyhow::Result<()> {
        let pending = Arc::clone(self.server()?.pending());
        let all = pending.gui.iter().flat_map(|gui| &gui.action);
        let found: Vec<String> = all
            .map(|action| match action.refused.is_empty() {
                true => format!("{}: {}", action.author, action.description),
                false => format!("{}: {} (refused)", action.author, action.description),
            })
            .collect();
        match found == expected {
            true => Ok(()),
            false => bail!("expected pending {expected:?}, got {found:?}"),
        }
    }

    fn expect_messages(
        &mut self,
        topic: &str,
        count: usize,
        text: Option<&str>,
    ) -> anyhow::Result<()> {
        let of_topic = self.messages.iter().filter(|message| message.topic == topic);
        let texts: Vec<String> = of_topic.map(measure::message_text).collect();
        let meant = texts.iter().filter(|message| text.is_none_or(|text| message.contains(text)));
        let found = meant.count();
        if found != count {
            let all = texts.join("\n  ");
            bail!("expected {count} messages on {topic}, got {found} of\n  {all}");
        }
        self.messages.retain(|message| message.topic != topic);
        Ok(())
    }

    fn expect_hash(&mut self, name: &str, equal: bool) -> anyhow::Result<()> {
        let saved = saved_hash(&self.hashes, name)?;
        let hash = self.server()?.simulation().hash()?;
        match (hash == saved) == equal {
            true => Ok(()),
            false if equal => bail!("expected hash {saved} ({name}), got {hash}"),
            false => bail!("expected another hash than {name}, got the same"),
        }
    }

    fn expect_history(&mut self, undo: bool, expected: &[String]) -> anyhow::Result<()> {
        expect_list(undo, &Arc::clone(self.server()?.history()), expected)
    }

    fn expect_error(&mut self, text: &str, command: &[String]) -> anyhow::Result<()> {
        let words: Vec<&str> = command.iter().map(String::as_str).collect();
        let (client, words) = match words.split_first() {
            Some((first, rest)) if first.starts_with('@') => (Some(first[1..].to_owned()), rest),
            _ => (None, words.as_slice()),
        };
        let outcome = line::live(client, words).and_then(|line| match line {
            Line::Command(client, line) => self.command(client.as_deref(), &line),
            _ => Ok(String::new()),
        });
        match outcome {
            Err(error) if format!("{error:#}").contains(text) => Ok(()),
            Err(error) => bail!("expected an error with {text:?}, got {:?}", format!("{error:#}")),
            Ok(printed) => bail!("expected an error with {text:?}, got {:?}", printed.trim()),
        }
    }

    fn expect_event(&mut self, name: &str, text: Option<&str>) -> anyhow::Result<()> {
        let fits = |(kind, words): &(&str, String)| {
            *kind == name && text.is_none_or(|text| words.contains(text))
        };
        if self.events.iter().any(fits) {
            // What was told since the last such line is dealt with.
            let told = std::mem::take(&mut self.events);
            if name == events::NOTIFIED {
                let is_told = |(system, _): &(String, String)| {
                    let names = |(kind, words): &(&str, String)| {
                        *kind == events::NOTIFIED && words.contains(system)
                    };
                    told.iter().any(names)
                };
                let server = self.server.as_ref().context(NO_WORLD)?;
                let dealt_with = stops(server.simulation().ecm()).filter(is_told);
                self.expected_stops.extend(dealt_with);
            }
            return Ok(());
        }
        let seen: Vec<String> =
            self.events.iter().map(|(kind, words)| format!("{kind} ({words})")).collect();
        bail!(
            "expected event {name}{}, got [{}]",
            text.map(|t| format!(" with {t}")).unwrap_or_default(),
            seen.join(", ")
        )
    }

    fn server(&mut self) -> anyhow::Result<&mut Server> {
        self.server.as_mut().context(NO_WORLD)
    }
}

/// Lists the systems that are stopped, and why. Those that wait for a part that is gone are as the
/// scenario wanted them.
fn stops(ecm: &Ecm) -> impl Iterator<Item = (String, String)> {
    let stopped = ecm.iter::<SystemFailure>().filter(|(_, failure)| !failure.waits);
    stopped.map(|(plugin, failure)| (path_of(ecm, plugin), failure.reason.clone()))
}

fn saved_hash(hashes: &BTreeMap<String, String>, name: &str) -> anyhow::Result<String> {
    let known = hashes.keys().cloned().collect::<Vec<_>>().join(", ");
    let saved = hashes.get(name).cloned();
    saved.with_context(|| format!("No hash saved as {name:?}. Known: {known}"))
}

fn expect_list(undo: bool, stats: &UserCmdStats, expected: &[String]) -> anyhow::Result<()> {
    let (name, list) = if undo { ("undo", &stats.undo) } else { ("redo", &stats.redo) };
    let found: Vec<String> = list.iter().map(|entry| entry.description.clone()).collect();
    match found == expected {
        true => Ok(()),
        false => bail!("expected {name} {expected:?}, got {found:?}"),
    }
}

/// Refuses to go on once the user wants no more; what is given up this way is put away in order.
fn go_on(end: &AtomicBool) -> anyhow::Result<()> {
    match end.load(Ordering::Relaxed) {
        true => bail!("told to end"),
        false => Ok(()),
    }
}

pub(super) const NO_WORLD: &str = "the first line must be: world FILE";

/// Keeps messages of systems, and what they tell of goals.
fn keep(
    kept: &mut VecDeque<OutMessage>,
    events: &mut Vec<(&'static str, String)>,
    more: Vec<OutMessage>,
) {
    events.extend(more.iter().filter_map(events::of_message));
    kept.extend(more);
    let over = kept.len().saturating_sub(MAX_MESSAGES);
    kept.drain(..over);
}
