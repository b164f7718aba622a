//! A small world that is recorded, and what it was at each instant.

#![allow(dead_code, reason = "no test uses all of it")]

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex};

use prost::{Message, Name};
use retake_ecm::{Ecm, EcmSnapshot, Registry, StateHash};
use retake_log::{LogFacts, LogMessage, LogWriter, Stamp};
use retake_math::SimTime;
use retake_msgs::{
    Clock, ComponentState, ComponentType, EntityState, LoggedKeyframe, SerializedState,
    StampedState, TimeJumped, TypeDescriptor, names, type_descriptor,
};

pub const WORLD: &str = "a/world";
pub const STARTED: u64 = 1_700_000_000_000_000_000;
pub const STEP: SimTime = SimTime::from_nanos(10_000_000);

/// What a log should have: every message in order, and the hash of the state at each instant.
#[derive(Default)]
pub struct Truth {
    pub messages: Vec<LogMessage>,
    pub states: Vec<TrueState>,
    /// How many messages there were whenever a chunk ended.
    pub cuts: Vec<usize>,
}

/// One state, in the order of the recording.
#[derive(Clone, Debug, PartialEq)]
pub struct TrueState {
    pub stamp: Stamp,
    pub epoch: u64,
    pub hash: u128,
}

/// Records a world that changes at random, and jumps back now and then.
pub struct Recorder {
    pub writer: LogWriter,
    pub truth: Truth,
    rng: fastrand::Rng,
    ecm: Ecm,
    now: Stamp,
    epoch: u64,
    jumps: u64,
    keyframes: Vec<(EcmSnapshot, SimTime, u64)>,
}

impl Recorder {
    pub fn new(path: &Path, seed: u64) -> Self {
        let writer = LogWriter::create(path, &facts()).unwrap();
        let (now, keyframes) = (Stamp::default(), Vec::new());
        let ecm = Ecm::new(registry());
        let rng = fastrand::Rng::with_seed(seed);
        let truth = Truth::default();
        let mut recorder = Self { writer, truth, rng, ecm, now, epoch: 0, jumps: 0, keyframes };
        recorder.full();
        recorder.note();
        recorder
    }

    /// Makes steps; some of them are followed by an edit, a jump, a full state or a new chunk.
    pub fn run(&mut self, steps: usize) {
        for _ in 0..steps {
            self.step();
            match self.rng.u32(0..100) {
                0..4 => self.jump(),
                4..14 => self.edit(),
                14..20 => self.full(),
                20..24 => self.keyframes.push((self.ecm.snapshot(), self.now.sim_time, self.epoch)),
                24..34 => self.cut(),
                _ => {}
            }
        }
    }

    fn cut(&mut self) {
        self.writer.cut().unwrap();
        self.truth.cuts.push(self.truth.messages.len());
    }

    pub fn finish(self) -> Truth {
        self.writer.finish().unwrap();
        self.truth
    }

    fn step(&mut self) {
        self.now.recorded += STEP;
        self.now.sim_time += STEP;
        let clock = Clock { sim: Some(self.now.sim_time.into()) };
        self.write(names::CLOCK, &clock);
        self.edit();
    }

    /// Changes an entity, and writes what changed.
    fn edit(&mut self) {
        let base = self.ecm.close_tick();
        let id = self.rng.u64(1..20);
        let value = std::iter::repeat_with(|| self.rng.u8(..)).take(24).collect();
        let removed = self.rng.u8(0..10) == 0;
        let component = ComponentState { type_index: 0, value, ..ComponentState::default() };
        let components = if removed { Vec::new() } else { vec![component] };
        let change = SerializedState {
            types: vec![ComponentType { name: "place".to_owned(), version: 1 }],
            entities: vec![EntityState { id, removed, components, replaced: false }],
            ..SerializedState::default()
        };
        self.ecm.apply(&change).unwrap();
        let delta = self.stamped(self.ecm.encode_since(base));
        self.write(&names::state_delta(WORLD), &delta);
        self.note();
    }

    fn full(&mut self) {
        self.cut();
        let full = self.stamped(self.ecm.encode_full());
        self.write(&names::log_full_state(WORLD), &full);
        let keyframe = LoggedKeyframe { epoch: self.epoch, ..LoggedKeyframe::default() };
        self.write(&names::log_keyframes(WORLD), &keyframe);
    }

    fn jump(&mut self) {
        if self.keyframes.is_empty() {
            return;
        }
        let at = self.rng.usize(..self.keyframes.len());
        let (ecm, to, parent_epoch) = self.keyframes[at].clone();
        let from = std::mem::replace(&mut self.now.sim_time, to);
        self.jumps += 1;
        self.epoch = self.jumps;
        let jump = TimeJumped {
            from: Some(from.into()),
            to: Some(to.into()),
            cause: "undo".to_owned(),
            epoch: self.epoch,
            parent_epoch,
            ..TimeJumped::default()
        };
        self.ecm.close_tick();
        self.ecm.restore(&ecm);
        self.write(names::LOG_TIMELINE, &jump);
        self.full();
        self.note();
    }

    fn stamped(&self, state: SerializedState) -> StampedState {
        StampedState { state: Some(state), ..StampedState::default() }
    }

    fn note(&mut self) {
        let hash = hash(&self.ecm);
        self.truth.states.push(TrueState { stamp: self.now, epoch: self.epoch, hash });
    }

    pub fn write<M: Message + Name>(&mut self, topic: &str, message: &M) {
        let bytes = message.encode_to_vec();
        self.writer.write(topic, &descriptor::<M>(), self.now, &bytes).unwrap();
        let topic = Arc::from(topic);
        self.truth.messages.push(LogMessage { topic, stamp: self.now, bytes });
    }
}

pub fn facts() -> LogFacts {
    LogFacts {
        world: WORLD.to_owned(),
        world_file: "worlds/a.sdf".to_owned(),
        run: "first".to_owned(),
        version: "0.1.0".to_owned(),
        seed: 7,
        profile: "accurate".to_owned(),
        engine: "rapier".to_owned(),
        engine_version: "0.36".to_owned(),
        started_unix_nanos: STARTED,
    }
}

pub fn registry() -> Arc<Registry> {
    Registry::builder().build()
}

/// Returns the schema of a type; making one anew for each message would take most of the time.
pub fn descriptor<M: Name>() -> Arc<TypeDescriptor> {
    static KNOWN: Mutex<BTreeMap<String, Arc<TypeDescriptor>>> = Mutex::new(BTreeMap::new());
    let name = M::full_name();
    let mut known = KNOWN.lock().unwrap();
    let made =
        known.entry(name).or_insert_with_key(|name| Arc::new(type_descriptor(name).unwrap()));
    Arc::clone(made)
}

pub fn hash(ecm: &Ecm) -> u128 {
    let mut hash = StateHash::new();
    hash.add_ecm(ecm).unwrap();
    hash.finish()
}

/// Records so many steps into a finished log, with an attachment.
pub fn recorded(path: &Path, seed: u64, steps: usize) -> Truth {
    let mut recorder = Recorder::new(path, seed);
    recorder.writer.attach("world.sdf", "application/xml", b"<sdf version='1.11'/>").unwrap();
    recorder.run(steps);
    recorder.finish()
}
