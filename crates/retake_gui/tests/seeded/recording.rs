//! What is recorded, and what is left of it when the disk is full or fails, or the writer dies.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use prost::Message as _;
use retake_ecm::StateHash;
use retake_log::{Log, LogError, LogStates, LogWriter, Stamp};
use retake_math::SimTime;
use retake_msgs::{Name as _, StampedState, TypeDescriptor, names, type_descriptor};
use retake_sim::{Happened, Happening, Server};

use crate::store::Store;

/// Room that a log asks for at once, and all that its end can need here.
const ROOM: u64 = 6 << 20;

/// A recording of the server's states.
pub struct Recording {
    store: Store,
    path: PathBuf,
    writer: Option<LogWriter>,
    schema: Arc<TypeDescriptor>,
    tick: Option<u64>,
    /// Hashes of the states of each recording time: edits while the world stands have one time.
    written: BTreeMap<SimTime, Vec<u128>>,
    states: usize,
    /// How many states of each time were synced.
    synced: BTreeMap<SimTime, usize>,
}

impl Recording {
    /// Begins to record a server; none when the disk does not take it, which must have a reason.
    pub fn begin(server: &mut Server, store: &Store, name: &str) -> Result<Option<Self>, String> {
        let path = PathBuf::from(name);
        let Ok(file) = store.file(&path) else {
            return refused(store, "a file").map(|()| None);
        };
        let writer = match LogWriter::on_disk(Box::new(file), &path, &server.log_facts()) {
            Ok(writer) => writer,
            Err(error) => {
                store.remove_file(&path);
                return refused(store, &error.to_string()).map(|()| None);
            }
        };
        server.begin_tape(0.0);
        let schema = Arc::new(type_descriptor(&StampedState::full_name()).unwrap());
        let (written, synced) = Default::default();
        let (store, writer) = (store.clone(), Some(writer));
        Ok(Some(Self { store, path, writer, schema, tick: None, written, states: 0, synced }))
    }

    /// Writes what happened since the last time; says whether it goes on.
    pub fn follow(&mut self, server: &mut Server) -> Result<bool, String> {
        let (happened, _) = server.drain_tape();
        for Happened { stamp, what } in happened {
            if let Happening::State { ecm, iterations } = what {
                let written = self.write(stamp, &ecm, iterations);
                if let Err(error) = written {
                    return self.end(&error).map(|()| false);
                }
            }
        }
        Ok(true)
    }

    fn write(
        &mut self,
        stamp: Stamp,
        ecm: &retake_ecm::Ecm,
        iterations: u64,
    ) -> Result<(), LogError> {
        let Some(writer) = &mut self.writer else { return Ok(()) };
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
            writer.cut()?;
        }
        let tick = state.tick;
        let sim_time = Some(stamp.sim_time.into());
        let state = StampedState { sim_time, iterations, state: Some(state) };
        writer.write(&topic, &self.schema, stamp, &state.encode_to_vec())?;
        self.tick = Some(tick);
        let mut hash = StateHash::new();
        hash.add_ecm(ecm).unwrap();
        self.written.entry(stamp.recorded).or_default().push(hash.finish());
        self.states += 1;
        Ok(())
    }

    /// Sees to it that all is on the disk; says whether the recording goes on.
    pub fn sync(&mut self) -> Result<bool, String> {
        let Some(writer) = &mut self.writer else { return Ok(true) };
        match writer.cut().and_then(|()| writer.sync()) {
            Ok(()) => {
                self.note_synced();
                Ok(true)
            }
            Err(error) => self.end(&error).map(|()| false),
        }
    }

    fn note_synced(&mut self) {
        self.synced = self.written.iter().map(|(at, all)| (*at, all.len())).collect();
    }

    /// The disk took no more: all that it took is there, whole if it promised the room for it.
    fn end(&mut self, error: &LogError) -> Result<(), String> {
        refused(&self.store, &error.to_string())?;
        let Some(writer) = self.writer.take() else { return Ok(()) };
        let is_whole = matches!(error, LogError::Full { .. }) && !self.store.fails();
        match writer.finish() {
            Ok(_) => {
                self.note_synced();
                self.read(Whole::Yes)
            }
            Err(why) if is_whole && !self.store.is_out() => {
                Err(format!("there was no room for the end of a log: {why}"))
            }
            Err(_) => self.read(Whole::No),
        }
    }

    /// Ends it in peace.
    pub fn finish(mut self) -> Result<(), String> {
        let Some(writer) = self.writer.take() else { return Ok(()) };
        match writer.finish() {
            Ok(_) => {
                self.note_synced();
                self.read(Whole::Yes)
            }
            Err(error) => {
                refused(&self.store, &error.to_string()).and_then(|()| self.read(Whole::No))
            }
        }
    }

    /// The power was gone: what was synced is there.
    pub fn crash(mut self) -> Result<(), String> {
        self.writer = None;
        self.read(Whole::No).map_err(|reason| format!("after a crash: {reason}"))
    }

    /// Reads all that was synced.
    fn read(&self, whole: Whole) -> Result<(), String> {
        if self.synced.is_empty() && whole == Whole::No {
            return Ok(());
        }
        let bytes = self.store.read(&self.path).ok_or("a log that was synced is gone")?;
        let log = Arc::new(opened(&bytes)?);
        if whole == Whole::Yes && !(log.finished() && log.damage().is_empty()) {
            return Err(format!("a log that was ended is not whole: {:?}", log.damage()));
        }
        let mut states = LogStates::new(log, retake_sim::systems::registry());
        for (at, many) in &self.synced {
            states.seek(*at).map_err(|error| format!("at {at}: {error}"))?;
            let mut hash = StateHash::new();
            hash.add_ecm(states.ecm()).unwrap();
            // The last that was synced, or one that came later and was not lost.
            if !self.written[at][many - 1..].contains(&hash.finish()) {
                return Err(format!("the state at {at} is another"));
            }
        }
        Ok(())
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Whole {
    Yes,
    No,
}

/// Opens bytes as a log.
fn opened(bytes: &[u8]) -> Result<Log, String> {
    let folder = tempfile::tempdir().unwrap();
    let path: &Path = &folder.path().join("left.mcap");
    std::fs::write(path, bytes).unwrap();
    Log::open(path).map_err(|error| error.to_string())
}

/// Fails unless the disk has a reason to refuse.
fn refused(store: &Store, what: &str) -> Result<(), String> {
    match store.fails() || store.is_out() || store.free() < ROOM {
        true => Ok(()),
        false => Err(format!("a disk with {} bytes free refused: {what}", store.free())),
    }
}
