//! The writing thread's work: encodes what happened and puts it into the log.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use prost::Message;
use retake_log::{LogError, LogWriter, Stamp};
use retake_math::SimTime;
use retake_msgs::{
    EditConflict, IntrospectionFilter, IntrospectionSample, LogGap, LoggedInput, LoggedKeyframe,
    Name, Notification, StampedState, TimeJumped, TypeDescriptor, WorldStatistics, names,
    type_descriptor,
};
use retake_transport::Bus;

use super::keyframes;
use super::resources::Resources;
use super::scene::SceneWriter;
use super::tape::{Happened, Happening};
use crate::{Event, Keyframe, OutMessage};

/// A full state is written when the changes since the last one are this many times as large.
const DELTAS_PER_FULL: u64 = 4;
/// It is written after this much time at the latest.
const FULL_PERIOD: SimTime = SimTime::from_nanos(10_000_000_000);

/// Writes one log.
pub(super) struct Writing {
    log: LogWriter,
    world: String,
    /// Where schemas come from that Retake was not built with.
    bus: Option<Arc<dyn Bus>>,
    schemas: BTreeMap<String, Option<Arc<TypeDescriptor>>>,
    /// Topics that mean something in this log, and those of them that others spoke on.
    own: Vec<String>,
    misused: BTreeSet<String>,
    /// Tick of the last state, from which the next one is told.
    tick: Option<u64>,
    full: LastFull,
    resources: Resources,
    scene: SceneWriter,
    /// When the last thing happened.
    stamp: Stamp,
    /// Whether the world was heard: what others say before has no time yet.
    begun: bool,
}

/// The full state that deltas build on.
#[derive(Default)]
struct LastFull {
    bytes: u64,
    /// Bytes of the deltas since.
    deltas: u64,
    at: SimTime,
}

impl Writing {
    pub(super) fn new(log: LogWriter, world: &str, bus: Option<Arc<dyn Bus>>) -> Self {
        Self {
            log,
            world: world.to_owned(),
            bus,
            schemas: BTreeMap::new(),
            own: names::topics_of_log(world),
            misused: BTreeSet::new(),
            tick: None,
            full: LastFull::default(),
            resources: Resources::default(),
            scene: SceneWriter::default(),
            stamp: Stamp { recorded: SimTime::ZERO, sim_time: SimTime::ZERO },
            begun: false,
        }
    }

    pub(super) fn log(&mut self) -> &mut LogWriter {
        &mut self.log
    }

    pub(super) fn into_log(self) -> LogWriter {
        self.log
    }

    /// Writes something that happened.
    pub(super) fn write(&mut self, happened: Happened) -> Result<(), LogError> {
        let Happened { stamp, what } = happened;
        self.begun |= matches!(what, Happening::Began(_));
        if !self.begun {
            return Ok(());
        }
        // What comes through the side door has no time of its own.
        if !matches!(what, Happening::Message(_)) || stamp.recorded > self.stamp.recorded {
            self.stamp = stamp;
        }
        match what {
            Happening::Began(source) => self.resources.attach_world(&mut self.log, &source),
            Happening::State { ecm, iterations } => self.write_state(&ecm, iterations),
            Happening::Keyframe(keyframe) => self.write_keyframe(&keyframe),
            Happening::Input(input) => {
                self.put::<LoggedInput>(&names::log_inputs(&self.world), &input)
            }
            Happening::Event(event) => self.write_event(&event),
            Happening::Sample(sample) => {
                self.put::<IntrospectionSample>(&sample.topic, &sample.sample)
            }
            Happening::Filter(filter) => {
                let topic = format!("{}/items", filter.topic);
                self.put::<IntrospectionFilter>(&topic, &filter)
            }
            Happening::Message(message) => self.write_message(&message),
            Happening::Stats(stats) => {
                self.put::<WorldStatistics>(&names::stats(&self.world), &stats)
            }
        }
    }

    /// Writes that so many messages of others are missing.
    pub(super) fn write_dropped(&mut self, others: u64) -> Result<(), LogError> {
        if others == 0 {
            return Ok(());
        }
        let at = Some(self.stamp.sim_time.into());
        self.write_gap(self.stamp, &LogGap { from: at, to: at, states: 0, others })
    }

    /// Writes that something is missing.
    pub(super) fn write_gap(&mut self, stamp: Stamp, gap: &LogGap) -> Result<(), LogError> {
        self.stamp = stamp;
        self.put(&names::log_gaps(&self.world), gap)
    }

    fn write_state(&mut self, ecm: &retake_ecm::Ecm, iterations: u64) -> Result<(), LogError> {
        let since = self.tick.filter(|_| !self.is_full_due());
        self.resources.attach_new(&mut self.log, ecm, self.tick)?;
        let state = match since {
            Some(tick) => ecm.encode_since(tick),
            None => ecm.encode_full(),
        };
        let is_full = state.full;
        let sim_time = Some(self.stamp.sim_time.into());
        let state = StampedState { sim_time, iterations, state: Some(state) };
        let bytes = state.encode_to_vec();
        let size = bytes.len() as u64;
        let topic = match is_full {
            true => {
                self.log.cut()?;
                self.full = LastFull { bytes: size, deltas: 0, at: self.stamp.recorded };
                names::log_full_state(&self.world)
            }
            false => {
                self.full.deltas += size;
                names::state_delta(&self.world)
            }
        };
        self.put_bytes(&topic, &StampedState::full_name(), &bytes)?;
        for (topic, type_name, bytes) in self.scene.follow(ecm, self.stamp, self.tick) {
            self.put_bytes(&topic, &type_name, &bytes)?;
        }
        self.tick = Some(ecm.tick());
        Ok(())
    }

    fn is_full_due(&self) -> bool {
        let large = self.full.deltas > DELTAS_PER_FULL * self.full.bytes;
        large || self.stamp.recorded - self.full.at >= FULL_PERIOD
    }

    fn write_event(&mut self, event: &Event) -> Result<(), LogError> {
        match event {
            Event::TimeJumped(jump) => {
                // The next state is told whole: whoever seeks to it need not know what was before.
                self.tick = None;
                self.scene.forget();
                self.put::<TimeJumped>(names::LOG_TIMELINE, jump)
            }
            Event::Notified(said) => {
                self.put::<Notification>(&names::notifications(&self.world), said)?;
                self.put(names::LOG_TEXT, &super::scene::log_line(said))
            }
            Event::Conflict(conflict) => {
                self.put::<EditConflict>(&names::conflicts(&self.world), conflict)
            }
        }
    }

    fn write_keyframe(&mut self, keyframe: &Keyframe) -> Result<(), LogError> {
        match keyframes::logged(keyframe) {
            Ok(logged) => self.put::<LoggedKeyframe>(&names::log_keyframes(&self.world), &logged),
            Err(error) => {
                // The log is good without it; only going on from it is less exact.
                tracing::warn!(%error, "what the engine remembers is not in the log");
                Ok(())
            }
        }
    }

    /// Writes what somebody said, unless whoever reads the log would take it for the log's own word.
    fn write_message(&mut self, message: &OutMessage) -> Result<(), LogError> {
        let topic = &message.topic;
        if self.own.contains(topic) {
            if self.misused.insert(topic.clone()) {
                tracing::warn!(topic, "a log has this topic itself; what others say is left out");
            }
            return Ok(());
        }
        self.put_bytes(topic, &message.type_name, &message.bytes)
    }

    fn put<M: Message + Name>(&mut self, topic: &str, message: &M) -> Result<(), LogError> {
        self.put_bytes(topic, &M::full_name(), &message.encode_to_vec())
    }

    fn put_bytes(&mut self, topic: &str, type_name: &str, bytes: &[u8]) -> Result<(), LogError> {
        match self.schema(type_name) {
            Some(schema) => match self.log.write(topic, &schema, self.stamp, bytes) {
                Err(LogError::TooLarge { .. }) => {
                    tracing::warn!(topic, bytes = bytes.len(), "a message is too large for a log");
                    Ok(())
                }
                done => done,
            },
            None => Ok(()),
        }
    }

    /// Finds a schema; one that nobody knows is told once, and its messages are left out.
    fn schema(&mut self, type_name: &str) -> Option<Arc<TypeDescriptor>> {
        if let Some(known) = self.schemas.get(type_name) {
            return known.clone();
        }
        let ours = type_descriptor(type_name);
        let found = ours.or_else(|| self.bus.as_ref()?.descriptor(type_name).ok()).map(Arc::new);
        if found.is_none() {
            tracing::warn!(type_name, "nobody knows this type; its messages are not recorded");
        }
        self.schemas.insert(type_name.to_owned(), found.clone());
        found
    }
}
