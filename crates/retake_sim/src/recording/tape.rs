//! What happens to a world, noted in order while somebody records it.

use std::collections::BTreeMap;

use retake_components::WorldClock;
use retake_ecm::EcmSnapshot;
use retake_introspection::FilterSample;
use retake_log::Stamp;
use retake_math::SimTime;
use retake_msgs::{IntrospectionFilter, LoggedInput, WorldSource, WorldStatistics};

use crate::{Event, Keyframe, OutMessage};

/// Entries that wait to be taken; past it states and samples are left out, and counted.
const MAX_WAITING: usize = 65_536;
/// How often what the engine remembers is noted, so that the world can go on from there.
const KEYFRAME_PERIOD: SimTime = SimTime::from_nanos(10_000_000_000);
/// How often statistics are noted.
const STATS_PERIOD: SimTime = SimTime::from_nanos(200_000_000);

/// Something that happened, and when.
pub struct Happened {
    /// When.
    pub stamp: Stamp,
    /// What.
    pub what: Happening,
}

/// Something that happened.
pub enum Happening {
    /// The recording began; the world came from there.
    Began(Box<WorldSource>),
    /// The world came to a state.
    State {
        /// The state.
        ecm: EcmSnapshot,
        /// Steps made.
        iterations: u64,
    },
    /// The complete state, from which the world can go on.
    Keyframe(Box<Keyframe>),
    /// Something came from outside.
    Input(Box<LoggedInput>),
    /// Clients were told something; jumps in time are among it.
    Event(Event),
    /// Something was watched.
    Sample(FilterSample),
    /// What is watched changed.
    Filter(IntrospectionFilter),
    /// A system published something, or somebody else did on a topic that is recorded.
    Message(OutMessage),
    /// The statistics of now.
    Stats(Box<WorldStatistics>),
}

impl Happening {
    /// Says whether a recording still makes sense without it: more of the kind follows.
    pub(super) fn may_be_left_out(&self) -> bool {
        match self {
            Self::State { .. } | Self::Keyframe(_) | Self::Sample(_) => true,
            Self::Message(_) | Self::Stats(_) => true,
            Self::Began(_) | Self::Input(_) | Self::Event(_) | Self::Filter(_) => false,
        }
    }
}

/// Notes what happens.
pub(crate) struct Tape {
    happened: Vec<Happened>,
    /// Time that was recorded.
    recorded: SimTime,
    /// Time between states; none is each step.
    period: Option<SimTime>,
    /// When the next state is due.
    next_state: SimTime,
    /// When the last one was noted.
    last_state: Option<SimTime>,
    next_keyframe: SimTime,
    next_stats: SimTime,
    /// Events of the simulation that are noted already.
    heard: usize,
    /// Versions of the filters that were noted.
    filters: BTreeMap<String, u64>,
    /// What was left out because nobody took it.
    left_out: u64,
}

impl Tape {
    /// Makes an empty one that notes at most `rate_hz` states per second; 0 is each step.
    pub(crate) fn new(rate_hz: f64) -> Self {
        let zero = SimTime::ZERO;
        Self {
            happened: Vec::new(),
            recorded: zero,
            period: (rate_hz > 0.0).then(|| SimTime::from_secs_f64(1.0 / rate_hz)),
            next_state: zero,
            last_state: None,
            next_keyframe: zero,
            next_stats: zero,
            heard: 0,
            filters: BTreeMap::new(),
            left_out: 0,
        }
    }

    /// Notes something that happened at simulated time `sim_time`.
    pub(crate) fn note(&mut self, sim_time: SimTime, what: Happening) {
        if self.happened.len() >= MAX_WAITING && what.may_be_left_out() {
            self.left_out += 1;
            return;
        }
        if matches!(what, Happening::State { .. }) {
            self.last_state = Some(self.recorded);
        }
        let stamp = Stamp { recorded: self.recorded, sim_time };
        self.happened.push(Happened { stamp, what });
    }

    /// Notes the events that are new among all that wait to be told.
    pub(crate) fn note_events(&mut self, sim_time: SimTime, events: &[Event]) {
        let new = events.get(self.heard..).unwrap_or_default();
        self.heard = events.len();
        for event in new {
            if matches!(event, Event::TimeJumped(_)) {
                // Whoever goes on from after the jump needs its complete state.
                self.next_keyframe = self.recorded;
                self.next_state = self.recorded;
            }
            self.note(sim_time, Happening::Event(event.clone()));
        }
    }

    /// Takes note that this many events wait to be told that are of no concern: 0 when all were
    /// told.
    pub(crate) fn skip_events(&mut self, waiting: usize) {
        self.heard = waiting;
    }

    /// Says whether a filter has another shape than when this was asked last.
    pub(crate) fn filter_changed(&mut self, sample: &FilterSample) -> bool {
        let version = sample.sample.filter_version;
        self.filters.insert(sample.filter.clone(), version) != Some(version)
    }

    /// Lets recorded time pass with a step.
    pub(crate) fn pass(&mut self, clock: WorldClock) {
        self.recorded += clock.step_size;
    }

    /// Says whether a state is due after a step.
    pub(crate) fn state_is_due(&mut self) -> bool {
        let due = self.recorded >= self.next_state;
        if let (true, Some(period)) = (due, self.period) {
            // From the time that it was due on, so that the rate holds on average.
            let from = self.next_state.max(self.recorded - period);
            self.next_state = from + period;
        }
        due
    }

    /// Says whether the present state is not noted yet.
    pub(crate) fn is_behind(&self) -> bool {
        self.last_state != Some(self.recorded)
    }

    /// Returns the time that was recorded.
    pub(crate) fn recorded(&self) -> SimTime {
        self.recorded
    }

    /// Says whether a keyframe is due.
    pub(crate) fn keyframe_is_due(&self) -> bool {
        self.recorded >= self.next_keyframe
    }

    /// Takes note that there is one now.
    pub(crate) fn keyframe_was_taken(&mut self) {
        self.next_keyframe = self.recorded + KEYFRAME_PERIOD;
    }

    /// Says whether statistics are due.
    pub(crate) fn stats_are_due(&mut self) -> bool {
        due(self.recorded, &mut self.next_stats, STATS_PERIOD)
    }

    /// Takes out what was noted, oldest first, and how much was left out.
    pub(crate) fn drain(&mut self) -> (Vec<Happened>, u64) {
        (std::mem::take(&mut self.happened), std::mem::take(&mut self.left_out))
    }
}

fn due(now: SimTime, next: &mut SimTime, period: SimTime) -> bool {
    let due = now >= *next;
    if due {
        *next = now + period;
    }
    due
}
