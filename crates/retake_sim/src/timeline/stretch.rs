//! A stretch of time without a jump: states that are kept of it, and what came from outside.

use std::sync::Arc;

use prost::Message;
use retake_components::WorldClock;
use retake_math::SimTime;
use retake_msgs::LoggedInput;

use super::find::Goal;
use super::slot::Slot;
use crate::Keyframe;

/// A place in a stretch: how many steps were made, and how many inputs done, then.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    pub(crate) iterations: u64,
    /// Counted from the begin of the stretch.
    pub(crate) inputs: u64,
    pub(crate) sim_time: SimTime,
}

impl Place {
    pub(super) fn of(clock: WorldClock, inputs: u64) -> Self {
        Self { iterations: clock.iterations, inputs, sim_time: clock.sim_time }
    }
}

/// A state that is kept.
pub(super) struct Mark {
    pub(super) place: Place,
    /// Simulated time that had passed in all when it was captured.
    pub(super) taken: SimTime,
    pub(super) slot: Arc<Slot>,
    /// Bytes of entities that are not shared with the mark before.
    pub(super) entity_bytes: u64,
    /// Whether somebody squeezes it.
    pub(super) squeezing: bool,
}

impl Mark {
    pub(super) fn bytes(&self) -> u64 {
        self.slot.engine_bytes() + self.entity_bytes
    }
}

/// Something from outside, numbered within its stretch.
pub(super) struct Input {
    pub(super) number: u64,
    pub(super) iterations: u64,
    /// Simulated time after the step that followed it; none as long as no step did.
    pub(super) stepped: Option<SimTime>,
    pub(super) logged: Arc<LoggedInput>,
    pub(super) bytes: u64,
}

/// Bytes that an input takes beside its content.
const INPUT_OVERHEAD: u64 = 256;

/// A stretch of time without a jump.
pub(super) struct Stretch {
    pub(super) parent: Option<u64>,
    pub(super) begin: Place,
    pub(super) end: Place,
    /// In order of their places.
    pub(super) marks: Vec<Mark>,
    /// In order; those that no mark needs any more are dropped.
    pub(super) inputs: Vec<Input>,
    /// Bytes of the inputs.
    pub(super) input_bytes: u64,
}

impl Stretch {
    /// Begins a stretch.
    pub(super) fn new(parent: Option<u64>, clock: WorldClock) -> Self {
        let begin = Place::of(clock, 0);
        Self { parent, begin, end: begin, marks: Vec::new(), inputs: Vec::new(), input_bytes: 0 }
    }

    /// Takes note of a step.
    pub(super) fn step(&mut self, clock: WorldClock) {
        self.end.iterations = clock.iterations;
        self.end.sim_time = clock.sim_time;
        let waiting = self.inputs.iter_mut().rev().take_while(|input| input.stepped.is_none());
        waiting.for_each(|input| input.stepped = Some(clock.sim_time));
    }

    /// Takes note of something from outside.
    pub(super) fn note(&mut self, input: LoggedInput) {
        let bytes = input.encoded_len() as u64 + INPUT_OVERHEAD;
        let (number, iterations) = (self.end.inputs, self.end.iterations);
        let logged = Arc::new(input);
        self.inputs.push(Input { number, iterations, stepped: None, logged, bytes });
        self.input_bytes += bytes;
        self.end.inputs += 1;
    }

    /// Keeps the state at the end of the stretch.
    pub(super) fn keep(&mut self, keyframe: Keyframe, taken: SimTime) {
        let entity_bytes = match self.marks.last() {
            Some(last) => keyframe.ecm.bytes_beyond(last.slot.ecm()),
            None => keyframe.ecm.bytes(),
        };
        self.marks.push(Mark {
            place: self.end,
            taken,
            slot: Arc::new(Slot::new(keyframe)),
            entity_bytes: entity_bytes as u64,
            squeezing: false,
        });
    }

    /// Drops a mark, and the inputs that were needed for it alone.
    pub(super) fn drop_mark(&mut self, at: usize) -> Arc<Slot> {
        let gone = self.marks.remove(at);
        let earlier = at.checked_sub(1).map(|before| Arc::clone(&self.marks[before].slot));
        if let Some(next) = self.marks.get_mut(at) {
            // What it shared with the one that is gone is its own now.
            next.entity_bytes = match earlier {
                Some(earlier) => next.slot.ecm().bytes_beyond(earlier.ecm()),
                None => next.slot.ecm().bytes(),
            } as u64;
        }
        if at == 0 {
            let needed = self.marks.first().map_or(u64::MAX, |first| first.place.inputs);
            self.forget_inputs(|input| input.number < needed);
        }
        gone.slot
    }

    /// Ends the stretch earlier: whatever lies behind `end` is dropped.
    pub(super) fn cut(&mut self, end: Place) -> Vec<Arc<Slot>> {
        let keep = self.marks.partition_point(|mark| mark.place <= end);
        let gone = self.marks.drain(keep..).map(|mark| mark.slot).collect();
        self.forget_inputs(|input| input.number >= end.inputs);
        self.end = end;
        gone
    }

    fn forget_inputs(&mut self, is_gone: impl Fn(&Input) -> bool) {
        self.inputs.retain(|input| !is_gone(input));
        self.input_bytes = self.inputs.iter().map(|input| input.bytes).sum();
    }

    /// Returns the first input that is not to be done again on the way to an instant.
    ///
    /// An instant is the state in which the world came to it, so that what was done then is not part
    /// of it: only what a step was made after, and one that ends no later than the instant.
    pub(super) fn first_beyond(&self, goal: Goal) -> Option<&Input> {
        let is_needed = |input: &Input| match goal {
            Goal::Place(place) => input.number < place.inputs,
            Goal::Time(time) => input.stepped.is_some_and(|stepped| stepped <= time),
        };
        self.inputs.get(self.inputs.partition_point(is_needed))
    }

    /// Returns the last state from which one comes to an instant; none when none is kept.
    pub(super) fn start_for(&self, goal: Goal) -> Option<&Mark> {
        let beyond = self.first_beyond(goal).map_or(u64::MAX, |input| input.number);
        let leads_there = |mark: &&Mark| match goal {
            Goal::Place(place) => mark.place <= place,
            Goal::Time(time) => mark.place.sim_time <= time && mark.place.inputs <= beyond,
        };
        self.marks.iter().rfind(leads_there)
    }

    /// Returns from when on it can be shown; none when not at all.
    pub(super) fn kept_from(&self) -> Option<SimTime> {
        self.marks.first().map(|mark| mark.place.sim_time)
    }

    /// Says whether simulated time passed in it.
    pub(super) fn has_passed(&self) -> bool {
        self.end.iterations > self.begin.iterations
    }

    /// Returns about how many bytes it takes.
    pub(super) fn bytes(&self) -> u64 {
        self.input_bytes + self.marks.iter().map(Mark::bytes).sum::<u64>()
    }

    /// Finds the place in which the world came to a simulated time at which a fork is.
    pub(super) fn place_before(&self, iterations: u64, sim_time: SimTime) -> Place {
        let done = self.inputs.iter().filter(|input| input.iterations < iterations);
        let first = self.inputs.first().map_or(self.end.inputs, |input| input.number);
        Place { iterations, inputs: first + done.count() as u64, sim_time }
    }
}
