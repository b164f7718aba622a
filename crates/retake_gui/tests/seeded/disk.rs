//! What is recorded, and what is left of it when the writer dies.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use fastrand::Rng;
use prost::Message as _;
use retake_ecm::StateHash;
use retake_log::{Log, LogStates, LogWriter, Stamp};
use retake_math::SimTime;
use retake_msgs::{Name as _, StampedState, TypeDescriptor, names, type_descriptor};
use retake_sim::{Happened, Happening, Server};
use tempfile::TempDir;

/// A recording of the server's states.
pub struct Disk {
    folder: TempDir,
    path: PathBuf,
    writer: Option<LogWriter>,
    schema: Arc<TypeDescriptor>,
    tick: Option<u64>,
    /// Hashes of the states of each recording time: edits while the world stands have one time.
    written: BTreeMap<SimTime, Vec<u128>>,
    states: usize,
    /// How many states of each time were synced.
    synced: BTreeMap<SimTime, usize>,
    /// Bytes of the file at the last sync.
    synced_bytes: u64,
}

impl Disk {
    /// Begins to record a server.
    pub fn new(server: &mut Server) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.mcap");
        let writer = LogWriter::create(&path, &server.log_facts()).unwrap();
        server.begin_tape(0.0);
        let schema = Arc::new(type_descriptor(&StampedState::full_name()).unwrap());
        let (written, synced) = Default::default();
        let (tick, states, synced_bytes) = (None, 0, 0);
        let writer = Some(writer);
        Self { folder, path, writer, schema, tick, written, states, synced, synced_bytes }
    }

    /// Writes what happened since the last time.
    pub fn follow(&mut self, server: &mut Server) {
        let (happened, _) = server.drain_tape();
        for Happened { stamp, what } in happened {
            if let Happening::State { ecm, iterations } = what {
                self.write(stamp, &ecm, iterations);
            }
        }
    }

    fn write(&mut self, stamp: Stamp, ecm: &retake_ecm::Ecm, iterations: u64) {
        let Some(writer) = &mut self.writer else { return };
        let full = self.tick.is_none() || self.states.is_multiple_of(50);
        let state = match self.tick.filter(|_| !full) {
            Some(tick) => ecm.encode_since(tick),
            None => ecm.encode_full(),
        };
        let topic = match state.full {
            true => names::log_full_state("w"),
            false => names::state_delta("w"),
        };
        if state.full {
            writer.cut().unwrap();
        }
        self.tick = Some(state.tick);
        let sim_time = Some(stamp.sim_time.into());
        let state = StampedState { sim_time, iterations, state: Some(state) };
        writer.write(&topic, &self.schema, stamp, &state.encode_to_vec()).unwrap();
        let mut hash = StateHash::new();
        hash.add_ecm(ecm).unwrap();
        self.written.entry(stamp.recorded).or_default().push(hash.finish());
        self.states += 1;
    }

    pub fn sync(&mut self) {
        if let Some(writer) = &mut self.writer {
            writer.cut().unwrap();
            writer.sync().unwrap();
            self.synced = self.written.iter().map(|(at, all)| (*at, all.len())).collect();
            self.synced_bytes = writer.bytes();
        }
    }

    /// The writer dies: of what was not synced any part is there, or other bytes are.
    pub fn crash(mut self, rng: &mut Rng) -> Result<(), String> {
        self.writer = None;
        let whole = std::fs::read(&self.path).unwrap();
        let synced = self.synced_bytes as usize;
        let kept = rng.usize(synced.min(whole.len())..=whole.len());
        let mut left = whole[..kept].to_vec();
        if rng.bool() {
            left.extend((0..rng.usize(..200)).map(|_| rng.u8(..)));
        }
        let path = self.folder.path().join("left.mcap");
        std::fs::write(&path, left).unwrap();
        let log = Arc::new(Log::open(&path).map_err(|error| format!("after a crash: {error}"))?);
        let mut states = LogStates::new(log, retake_sim::systems::registry());
        for (at, many) in &self.synced {
            states.seek(*at).map_err(|error| format!("after a crash, at {at}: {error}"))?;
            let mut hash = StateHash::new();
            hash.add_ecm(states.ecm()).unwrap();
            // The last that was synced, or one that came later and was not lost.
            if !self.written[at][many - 1..].contains(&hash.finish()) {
                return Err(format!("after a crash the state at {at} is another"));
            }
        }
        Ok(())
    }
}
