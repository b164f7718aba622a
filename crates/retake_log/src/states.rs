//! The entities of a log at any instant: the nearest full state, and the deltas after it.

use std::collections::BTreeSet;
use std::sync::Arc;

use prost::Message;
use retake_ecm::{Ecm, Registry};
use retake_math::SimTime;
use retake_msgs::{SerializedState, StampedState, names};

use crate::error::LogError;
use crate::facts::Stamp;
use crate::read::{Log, Place, Walk, WalkStep};

/// The latest recording time there is.
const END_OF_TIME: SimTime = SimTime::from_nanos(i64::MAX);

/// The entities of a log, at one instant after another.
pub struct LogStates {
    log: Arc<Log>,
    ecm: Ecm,
    topics: StateTopics,
    at: Option<Shown>,
    /// Tick of the recorded Ecm that the entities are at.
    tick: u64,
    complete: bool,
    /// The states of the chunk that was asked about last.
    listed: Option<(usize, Vec<usize>)>,
}

/// The channels that states are made of.
struct StateTopics {
    full: BTreeSet<u16>,
    states: BTreeSet<u16>,
    /// States and jumps.
    all: BTreeSet<u16>,
}

/// The state that is shown.
#[derive(Clone, Copy)]
struct Shown {
    place: Place,
    stamp: Stamp,
}

impl LogStates {
    /// Makes entities of a log, none yet.
    pub fn new(log: Arc<Log>, registry: Arc<Registry>) -> Self {
        let world = log.facts().world.clone();
        let (full, delta) = (names::log_full_state(&world), names::state_delta(&world));
        let channels = |topics: &[&str]| log.channels_of(topics);
        let topics = StateTopics {
            full: channels(&[&full]),
            states: channels(&[&full, &delta]),
            all: channels(&[&full, &delta, names::LOG_TIMELINE]),
        };
        let ecm = Ecm::new(registry);
        Self { log, ecm, topics, at: None, tick: 0, complete: false, listed: None }
    }

    /// Returns the log.
    pub fn log(&self) -> &Arc<Log> {
        &self.log
    }

    /// Returns the entities. Ticks go on whatever the time does, so that readers find by
    /// `changed_since` what differs.
    pub fn ecm(&self) -> &Ecm {
        &self.ecm
    }

    /// Lets somebody change the entities, as where their files are, until the next state does.
    pub fn change(&mut self, change: impl FnOnce(&mut Ecm)) {
        change(&mut self.ecm);
        self.ecm.close_tick();
    }

    /// Returns when the shown state was; zero before the first seek.
    pub fn stamp(&self) -> Stamp {
        self.at.map(|shown| shown.stamp).unwrap_or_default()
    }

    /// Returns the epoch of the shown state.
    pub fn epoch(&self) -> u64 {
        let stretches = self.log.stretches();
        let place = self.at.map_or(Place::START, |shown| shown.place);
        let after = stretches.partition_point(|stretch| stretch.from <= place);
        stretches.get(after.saturating_sub(1)).map_or(0, |stretch| stretch.epoch)
    }

    /// Says whether the entities are those of the shown instant. They are those of an earlier one
    /// where a part of the log is missing, up to the next full state.
    pub fn complete(&self) -> bool {
        self.complete
    }

    /// Goes to the last state at a recording time or before; to the first when there is none.
    ///
    /// # Errors
    /// [`LogError::NoState`] when the log has no states, and others when they cannot be read.
    pub fn seek(&mut self, recorded: SimTime) -> Result<(), LogError> {
        let found = self.log.last_place(&self.topics.states, recorded, None)?;
        let target = match found {
            Some(place) => Some(place),
            None => self.next_state(Place::START)?.map(|step| step.place),
        };
        match target {
            Some(place) => self.go(place),
            None => Err(LogError::NoState { path: self.log.path().to_owned() }),
        }
    }

    /// Goes to the first state of a simulated time, in the given one of the passes over it, or to
    /// the last state before where none is of just that time. Says whether there is such a pass.
    ///
    /// # Errors
    /// As [`LogStates::seek`].
    pub fn seek_sim_time(&mut self, sim_time: SimTime, pass: usize) -> Result<bool, LogError> {
        let stretches = self.log.stretches();
        let passes = stretches.iter().enumerate();
        let mut passes = passes.filter_map(|(at, s)| Some((at, s.recorded_at(sim_time)?)));
        let Some((stretch, recorded)) = passes.nth(pass) else { return Ok(false) };
        let (from, end) = (stretches[stretch].from, stretches.get(stretch + 1).map(|s| s.from));
        let within = |place: &Place| *place >= from && end.is_none_or(|end| *place < end);
        let earlier = recorded - SimTime::from_nanos(1);
        let before = self.log.last_place(&self.topics.states, earlier, end)?.filter(within);
        let next = self.next_state(before.map_or(from, Place::next))?;
        let next = next.filter(|step| self.log.stamp(&step.entry).recorded == recorded);
        let target = next.map(|step| step.place).filter(within).or(before);
        match target {
            Some(place) => self.go(place).map(|()| true),
            None => Ok(false),
        }
    }

    /// Goes so many recorded states forward, or back when negative; returns how many it went.
    ///
    /// # Errors
    /// As [`LogStates::seek`].
    pub fn step(&mut self, states: i64) -> Result<i64, LogError> {
        let Some(shown) = self.at else {
            self.seek(SimTime::ZERO)?;
            return Ok(0);
        };
        let mut place = shown.place;
        let mut made = 0;
        while made != states {
            let next = match states > 0 {
                true => self.state_after(place)?,
                false => self.state_before(place)?,
            };
            let Some(next) = next else { break };
            place = next;
            made += states.signum();
        }
        if made != 0 {
            self.go(place)?;
        }
        Ok(made)
    }

    /// Returns the recording time of the next state; none at the end.
    ///
    /// # Errors
    /// [`LogError::Read`] when the file cannot be read.
    pub fn next_at(&mut self) -> Result<Option<SimTime>, LogError> {
        let next = match self.at {
            Some(shown) => self.state_after(shown.place)?,
            None => self.next_state(Place::START)?.map(|step| step.place),
        };
        let Some(next) = next else { return Ok(None) };
        let content = self.log.chunk(next.chunk)?;
        let entry = content.as_ref().and_then(|content| content.messages.get(next.message));
        Ok(entry.map(|entry| self.log.stamp(entry).recorded))
    }

    /// Goes to the state at a place: from the shown one where that is nearer than a full state.
    fn go(&mut self, target: Place) -> Result<(), LogError> {
        let before = self.log.last_place(&self.topics.full, END_OF_TIME, Some(target.next()))?;
        let full = match before {
            Some(full) => full,
            None => self.first_full()?,
        };
        // Where the beginning is lost, there is nothing to show before the first full state.
        let target = target.max(full);
        let shown = self.at.map(|shown| shown.place);
        let from = match shown.filter(|at| (full..=target).contains(at)) {
            Some(at) => at.next(),
            None => full,
        };
        let mut walk = self.walk_states(from);
        while let Some(step) = walk.next(&self.log)?.filter(|step| step.place <= target) {
            self.take(&step)?;
        }
        Ok(())
    }

    /// Lays a recorded state over the entities when it fits.
    fn take(&mut self, step: &WalkStep) -> Result<(), LogError> {
        let stamp = self.log.stamp(&step.entry);
        // Whoever goes on after an error goes on behind what caused it.
        self.at = Some(Shown { place: step.place, stamp });
        let decoded = StampedState::decode(step.content.bytes(&step.entry));
        let stamped = decoded.map_err(|error| LogError::Unreadable {
            topic: self.log.message(&step.content, &step.entry).topic.to_string(),
            at: stamp.recorded,
            reason: error.to_string(),
            path: self.log.path().to_owned(),
        })?;
        let Some(state) = stamped.state else { return Ok(()) };
        match self.fits(&state) {
            Fit::Known => return Ok(()),
            Fit::Gap => {
                self.complete = false;
                return Ok(());
            }
            Fit::Next => {}
        }
        if let Err(source) = self.ecm.apply(&state) {
            self.complete = false;
            let path = self.log.path().to_owned();
            return Err(LogError::State { at: stamp.recorded, source, path });
        }
        self.ecm.close_tick();
        self.tick = state.tick;
        self.complete = true;
        Ok(())
    }

    fn fits(&self, state: &SerializedState) -> Fit {
        match state.full {
            true => Fit::Next,
            // Without a full state before it a delta means nothing.
            false if !self.complete || state.base_tick > self.tick => Fit::Gap,
            false if state.tick < self.tick => Fit::Known,
            false => Fit::Next,
        }
    }

    fn walk_states(&self, from: Place) -> Walk {
        Walk::of(self.topics.states.clone(), from)
    }

    fn next_state(&self, from: Place) -> Result<Option<WalkStep>, LogError> {
        self.walk_states(from).next(&self.log)
    }

    fn first_full(&self) -> Result<Place, LogError> {
        let first = Walk::of(self.topics.full.clone(), Place::START).next(&self.log)?;
        let none = || LogError::NoState { path: self.log.path().to_owned() };
        first.map(|step| step.place).ok_or_else(none)
    }

    fn state_after(&mut self, place: Place) -> Result<Option<Place>, LogError> {
        for chunk in place.chunk..self.log.chunk_count() {
            let later = |message: &&usize| Place { chunk, message: **message } > place;
            if let Some(message) = self.states_in(chunk)?.iter().find(later) {
                return Ok(Some(Place { chunk, message: *message }));
            }
        }
        Ok(None)
    }

    fn state_before(&mut self, place: Place) -> Result<Option<Place>, LogError> {
        // A full state may be the same state told again; then the one before it is meant.
        let Some(present) = self.last_state(place.next())? else { return Ok(None) };
        self.last_state(present)
    }

    fn last_state(&mut self, before: Place) -> Result<Option<Place>, LogError> {
        for chunk in (0..=before.chunk).rev() {
            let earlier = |message: &&usize| Place { chunk, message: **message } < before;
            if let Some(message) = self.states_in(chunk)?.iter().rev().find(earlier) {
                return Ok(Some(Place { chunk, message: *message }));
            }
        }
        Ok(None)
    }

    /// Lists the states in a chunk. A full state that tells again what the state just before it
    /// told is none of its own.
    fn states_in(&mut self, chunk: usize) -> Result<&[usize], LogError> {
        if self.listed.as_ref().is_none_or(|(listed, _)| *listed != chunk) {
            let states = self.list_states(chunk)?;
            self.listed = Some((chunk, states));
        }
        Ok(self.listed.as_ref().map_or(&[], |(_, states)| states))
    }

    fn list_states(&self, chunk: usize) -> Result<Vec<usize>, LogError> {
        let mut states = Vec::new();
        if !self.log.chunk_has(chunk, Some(&self.topics.states), (0, u64::MAX)) {
            return Ok(states);
        }
        let start = Place { chunk, message: 0 };
        let before = self.log.last_place(&self.topics.all, END_OF_TIME, Some(start))?;
        let mut last = match before {
            Some(place) => self.log.chunk(place.chunk)?.map(|c| c.messages[place.message]),
            None => None,
        };
        let Some(content) = self.log.chunk(chunk)? else { return Ok(states) };
        let told = content.messages.iter().enumerate();
        for (at, entry) in told.filter(|(_, entry)| self.topics.all.contains(&entry.channel)) {
            let same = last.is_some_and(|last| {
                let state = self.topics.states.contains(&last.channel);
                state && (last.log_time, last.publish_time) == (entry.log_time, entry.publish_time)
            });
            let again = same && self.topics.full.contains(&entry.channel);
            if self.topics.states.contains(&entry.channel) && !again {
                states.push(at);
            }
            last = Some(*entry);
        }
        Ok(states)
    }
}

/// How a recorded state goes with the one that is there.
enum Fit {
    /// It comes next.
    Next,
    /// A full state had it already.
    Known,
    /// Something before it is missing.
    Gap,
}
