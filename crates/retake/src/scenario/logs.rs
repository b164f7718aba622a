//! Logs of a scenario: recorded into a folder of its own, looked into, gone on from.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, bail};
use retake_log::{Log, LogStates};
use retake_math::SimTime;
use retake_sim::systems::registry;
use retake_sim::{Recorder, Recording, Server, ServerOptions, SimulationOptions, WhenFull};
use tempfile::TempDir;

use super::expect::Expectation;
use super::measure;
use crate::logs::{Instant, resume, verify};

/// What is recorded in a scenario, and where.
pub(super) struct Logs {
    folder: TempDir,
    pub(super) recording: Recording,
}

/// What a log must be.
#[derive(Debug, PartialEq)]
pub(super) enum LogExpectation {
    /// `at TIME [pass N] …`: something about the world at an instant of it
    At { sim_time: SimTime, pass: usize, expectation: Box<Expectation> },
    /// `passes TIME COUNT`: how many times it comes to a simulated time
    Passes { sim_time: SimTime, count: usize },
    /// `jumps COUNT`
    Jumps(usize),
    /// `states COUNT`
    States(usize),
}

impl Logs {
    pub(super) fn new(server: &Server) -> anyhow::Result<Self> {
        let folder = TempDir::with_prefix("retake-scenario-").context("no folder for logs")?;
        let recorder = Recorder::new(server.log_facts(), folder.path(), WhenFull::Wait);
        Ok(Self { recording: Recording::new(Arc::new(recorder)), folder })
    }

    /// Checks something about a log.
    pub(super) fn expect(&self, name: &str, expected: &LogExpectation) -> anyhow::Result<()> {
        let log = self.open(name)?;
        match expected {
            LogExpectation::At { sim_time, pass, expectation } => {
                let mut states = LogStates::new(log, registry());
                if !states.seek_sim_time(*sim_time, *pass)? {
                    bail!("the log has no pass {} over {sim_time}", pass + 1);
                }
                measure::check(states.ecm(), expectation)
            }
            LogExpectation::Passes { sim_time, count } => {
                let passes = log.passes(*sim_time).len();
                counted("passes", passes, *count)
            }
            LogExpectation::Jumps(count) => {
                let jumps = log.stretches().iter().filter(|s| s.jump.is_some()).count();
                counted("jumps", jumps, *count)
            }
            LogExpectation::States(count) => {
                let mut states = LogStates::new(Arc::clone(&log), registry());
                states.seek(SimTime::ZERO)?;
                let mut found = 1;
                while states.step(1)? == 1 {
                    found += 1;
                }
                counted("states", found, *count)
            }
        }
    }

    /// Makes a server that goes on from an instant of a log.
    pub(super) fn resume(
        &self,
        name: &str,
        at: Option<Instant>,
        roots: retake_assets::ResourceRoots,
    ) -> anyhow::Result<Server> {
        let log = self.open(name)?;
        let options = SimulationOptions { roots, ..SimulationOptions::default() };
        let resumed = resume(&log, at, &options)?;
        if let Some(note) = resumed.notes.first() {
            bail!("the log is not gone on from exactly: {note}");
        }
        let options = ServerOptions { paused: true, ..ServerOptions::default() };
        Ok(Server::new(resumed.simulation, &options))
    }

    /// Runs a log again.
    pub(super) fn verify(&self, name: &str) -> anyhow::Result<()> {
        let verified = verify(&self.open(name)?, &SimulationOptions::default())?;
        match verified.difference {
            Some(difference) => bail!("{difference}"),
            None if verified.steps == 0 => bail!("no step was made again"),
            None => Ok(()),
        }
    }

    fn open(&self, name: &str) -> anyhow::Result<Arc<Log>> {
        Ok(Arc::new(Log::open(&self.path(name))?))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(Path::new(name).with_extension("mcap"))
    }
}

fn counted(what: &str, found: usize, expected: usize) -> anyhow::Result<()> {
    match found == expected {
        true => Ok(()),
        false => bail!("expected {expected} {what}, got {found}"),
    }
}
