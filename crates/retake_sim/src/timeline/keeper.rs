//! The timeline itself: what it holds, and how it follows the world.

use std::collections::BTreeMap;
use std::sync::Arc;

use retake_components::WorldClock;
use retake_math::SimTime;
use retake_msgs::{LoggedInput, Timeline as TimelineMsg, logged_input, user_cmd};

use super::TimelineLimits;
use super::branches::{Bookmark, Branch};
use super::slot::Slot;
use super::squeezer::Squeezer;
use super::stretch::Stretch;
use crate::Keyframe;

/// Time between two states that are kept, when they are small and steps are short.
const PERIOD: SimTime = SimTime::from_nanos(250_000_000);
/// Most time between them, however large they are.
const LONGEST_PERIOD: SimTime = SimTime::from_nanos(1_000_000_000);
/// Steps between two states at least: capturing one takes about as long as one or two steps.
const MIN_STEPS: u64 = 128;
/// So many states as they are captured should fit; larger ones are captured less often.
const WANTED_STATES: u64 = 64;

/// What is kept of the past.
pub(crate) struct Timeline {
    pub(super) limits: TimelineLimits,
    /// By epoch.
    pub(super) stretches: BTreeMap<u64, Stretch>,
    /// Stretches that are forgotten because no time passed in them, with what they came from: states
    /// of the history may still be theirs. The oldest are dropped first.
    pub(super) passed_over: BTreeMap<u64, u64>,
    /// The branch that the world goes on with.
    pub(super) live: Branch,
    /// The others, in the order in which they were left.
    pub(super) branches: Vec<Branch>,
    pub(super) bookmarks: Vec<Bookmark>,
    /// Simulated time that passed in all; ages are counted in it, because time itself jumps.
    pub(super) passed: SimTime,
    /// Numbers the names that are made here.
    pub(super) made: u64,
    /// Branches and bookmarks that were dropped for lack of room.
    pub(super) dropped: u64,
    /// What people should hear about that.
    pub(super) remarks: Vec<String>,
    pub(super) squeezer: Squeezer,
    /// When the next state is due, and after how many steps at the earliest.
    due: (SimTime, u64),
    /// What clients were told last; none when something changed since.
    pub(super) told: Option<Arc<TimelineMsg>>,
}

impl Timeline {
    /// Makes an empty one; [`Timeline::begin`] starts it.
    pub(crate) fn new(limits: TimelineLimits) -> Self {
        Self {
            limits,
            stretches: BTreeMap::new(),
            passed_over: BTreeMap::new(),
            live: Branch::first(),
            branches: Vec::new(),
            bookmarks: Vec::new(),
            passed: SimTime::ZERO,
            made: 0,
            dropped: 0,
            remarks: Vec::new(),
            squeezer: Squeezer::default(),
            due: (SimTime::ZERO, 0),
            told: None,
        }
    }

    /// Says whether anything is kept.
    pub(crate) fn is_on(&self) -> bool {
        self.limits.enabled()
    }

    /// Starts with the present state.
    pub(crate) fn begin(&mut self, now: Keyframe) {
        self.live.tip = now.epoch;
        self.start_stretch(None, now);
    }

    /// Squeezes on a thread from now on.
    pub(crate) fn squeeze_on_thread(&mut self) {
        self.squeezer = Squeezer::on_thread();
    }

    /// Changes how much is kept; what no longer fits is dropped.
    pub(crate) fn set_limits(&mut self, limits: TimelineLimits, now: impl FnOnce() -> Keyframe) {
        let was_on = self.is_on();
        self.limits = limits;
        self.told = None;
        if was_on && limits.enabled() {
            return self.make_room();
        }
        let squeezer = std::mem::take(&mut self.squeezer);
        *self = Self { squeezer, ..Self::new(limits) };
        if limits.enabled() {
            self.begin(now());
        }
    }

    /// Takes out what people should hear.
    pub(crate) fn drain_remarks(&mut self) -> Vec<String> {
        std::mem::take(&mut self.remarks)
    }

    /// Follows a step; `capture` is called when a state is due.
    pub(crate) fn step(&mut self, clock: WorldClock, capture: impl FnOnce() -> Keyframe) {
        let Some(stretch) = self.stretches.get_mut(&self.live.tip) else { return };
        stretch.step(clock);
        self.passed += clock.step_size;
        if self.passed >= self.due.0 && clock.iterations >= self.due.1 {
            self.keep(capture());
        }
    }

    /// Takes note of something from outside that was carried out, unless it is a jump in time or
    /// changes no state.
    pub(crate) fn note(&mut self, input: &LoggedInput) {
        let Some(stretch) = self.stretches.get_mut(&self.live.tip) else { return };
        if changes_state(input) {
            stretch.note(input.clone());
        }
    }

    /// Keeps the present state.
    pub(super) fn keep(&mut self, now: Keyframe) {
        let (clock, size) = (now.clock(), now.engine.bytes() as u64);
        let Some(stretch) = self.stretches.get_mut(&self.live.tip) else { return };
        stretch.keep(now, self.passed);
        let share = size.saturating_mul(WANTED_STATES) as f64 / self.limits.max_bytes.max(1) as f64;
        let period = SimTime::from_secs_f64(PERIOD.as_secs_f64() * share);
        let period = period.clamp(PERIOD, LONGEST_PERIOD);
        self.due = (self.passed + period, clock.iterations + MIN_STEPS);
        self.make_room();
        self.told = None;
    }

    pub(super) fn start_stretch(&mut self, parent: Option<u64>, now: Keyframe) {
        self.stretches.insert(now.epoch, Stretch::new(parent, now.clock()));
        self.keep(now);
    }

    /// Lets go of states, on the thread that squeezes when there is one.
    pub(super) fn free(&mut self, slots: Vec<Arc<Slot>>) {
        if !slots.is_empty() {
            self.told = None;
            self.squeezer.free(slots);
        }
    }

    /// Lists a stretch and those that it came from, newest first.
    pub(super) fn line(&self, tip: u64) -> impl Iterator<Item = (u64, &Stretch)> {
        let mut next = Some(tip);
        std::iter::from_fn(move || {
            let epoch = next?;
            let stretch = self.stretches.get(&epoch)?;
            // Parents are older, so that this ends whatever the numbers are.
            next = stretch.parent.filter(|parent| *parent < epoch);
            Some((epoch, stretch))
        })
    }
}

/// Says whether doing it again is needed to come to the states after it.
fn changes_state(input: &LoggedInput) -> bool {
    let refused = input.reply.as_ref().is_some_and(|reply| !reply.ok);
    match &input.input {
        Some(logged_input::Input::Command(command)) => !refused && !is_jump(command),
        Some(logged_input::Input::Message(_) | logged_input::Input::TakeOver(_)) => true,
        _ => false,
    }
}

fn is_jump(command: &retake_msgs::UserCmd) -> bool {
    use user_cmd::Command;
    matches!(command.command, Some(Command::ResetWorld(_) | Command::ResumeTimeline(_)))
}
