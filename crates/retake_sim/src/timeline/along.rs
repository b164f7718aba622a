//! What items were like all the way to an instant, computed again.

use retake_introspection::Update;
use retake_math::SimTime;
use retake_msgs::{PastPart, PastSamples, PastStretch, SetFilter, TimelineInstant};
use retake_physics::Watched;

use super::TimelineError;
use super::find::{Goal, Way};
use super::keeper::Timeline;
use super::stretch::{Place, Stretch};
use super::viewer::WayError;
use crate::Simulation;
use crate::introspection::WorldIntrospection;

/// Steps that are made again at most; of a longer past only the end is told.
const MAX_STEPS: u64 = 600_000;
/// Numbers that an answer has at most; where each step would have more, steps are left out evenly.
const MAX_NUMBERS: usize = 1 << 20;
/// Numbers that a sample without any counts as.
const SAMPLE_OVERHEAD: usize = 6;

/// One stretch after the other, up to an instant.
pub(crate) struct LongWay {
    /// In the order of time; never empty.
    pub(super) ways: Vec<Way>,
    /// Where each of them goes on from the one before.
    begins: Vec<SimTime>,
}

impl Timeline {
    /// Finds the way through all that is kept of the past of an instant.
    ///
    /// # Errors
    /// [`TimelineError`] says what is not there, and what is.
    pub(crate) fn find_all(&self, instant: &TimelineInstant) -> Result<LongWay, TimelineError> {
        // The instant itself must be kept.
        let last = self.find(instant)?;
        let (mut child, mut steps_left) = (None::<Place>, MAX_STEPS);
        let (mut ways, mut begins) = (Vec::new(), Vec::new());
        for (epoch, stretch) in self.line(last.epoch) {
            let goal = child.map_or(last.goal, |child| {
                Goal::Place(stretch.place_before(child.iterations, child.sim_time))
            });
            let Some(way) = stretch.long_way(last.branch.clone(), epoch, goal, steps_left) else {
                break;
            };
            steps_left = steps_left.saturating_sub(way.steps(stretch));
            let reaches_back = way.from.iterations <= stretch.begin.iterations;
            ways.push(way);
            begins.push(stretch.begin.sim_time);
            child = Some(stretch.begin);
            // What lies before a gap has no end to go on from.
            if !reaches_back || steps_left == 0 {
                break;
            }
        }
        ways.reverse();
        begins.reverse();
        Ok(LongWay { ways, begins })
    }
}

impl Stretch {
    /// Returns the way to an instant from the first state that is at most so many steps before it.
    fn long_way(&self, branch: String, epoch: u64, goal: Goal, steps: u64) -> Option<Way> {
        let last = self.start_for(goal)?;
        let earliest = goal.bound(self).iterations.saturating_sub(steps);
        let mut near = self.marks.iter().filter(|mark| mark.place <= last.place);
        let first = near.find(|mark| mark.place.iterations >= earliest).unwrap_or(last);
        Some(self.way_from(first, branch, epoch, goal))
    }
}

impl Way {
    /// Returns how many steps it takes at most.
    fn steps(&self, stretch: &Stretch) -> u64 {
        self.goal.bound(stretch).iterations.saturating_sub(self.from.iterations)
    }
}

impl LongWay {
    /// Tells which stretches it leads through.
    pub(super) fn stretches(&self) -> Vec<PastStretch> {
        let stretches = self.ways.iter().zip(&self.begins);
        let told = stretches
            .map(|(way, begin)| PastStretch { epoch: way.epoch, begin: Some((*begin).into()) });
        told.collect()
    }
}

/// Watches items of a world that is simulated again.
pub(super) struct Watcher {
    introspection: WorldIntrospection,
    filter: String,
    parts: Vec<PastPart>,
    numbers: usize,
    every: u64,
    /// Steps that were seen.
    steps: u64,
}

impl Watcher {
    /// Watches these items.
    ///
    /// # Errors
    /// [`WayError::Watch`] when they cannot be watched together.
    pub(super) fn new(simulation: &mut Simulation, items: &[String]) -> Result<Self, WayError> {
        let mut introspection = WorldIntrospection::new("", "");
        let request = SetFilter { filter_id: String::new(), item: items.to_vec(), rate_hz: 0.0 };
        let step = simulation.clock().step_size;
        let filter = introspection.set(simulation.ecm(), &request, step);
        if !filter.ok {
            return Err(WayError::Watch(filter.message));
        }
        let filter = filter.filter_id;
        let mut watcher =
            Self { introspection, filter, parts: Vec::new(), numbers: 0, every: 1, steps: 0 };
        watcher.follow_names(simulation);
        Ok(watcher)
    }

    /// Takes a sample after a step of the stretch `epoch`.
    pub(super) fn stepped(&mut self, simulation: &mut Simulation, epoch: u64) {
        self.follow_names(simulation);
        self.steps += 1;
        if !self.steps.is_multiple_of(self.every) {
            return;
        }
        let clock = simulation.clock();
        let update = Update { stamp: clock.sim_time, number: clock.iterations, epoch };
        let readings = simulation.readings();
        let sampled = self.introspection.sample(simulation.ecm(), readings, update).pop();
        let Some(sample) = sampled.map(|sampled| sampled.sample) else { return };
        let filter = self.parts.last().and_then(|part| part.filter.as_ref());
        if filter.is_none_or(|filter| filter.version != sample.filter_version) {
            let filter = Some(self.introspection.get(&self.filter));
            self.parts.push(PastPart { filter, sample: Vec::new() });
        }
        self.numbers += sample.value.len() + SAMPLE_OVERHEAD;
        if let Some(part) = self.parts.last_mut() {
            part.sample.push(sample);
        }
        if self.numbers > MAX_NUMBERS {
            self.thin();
        }
    }

    /// Lets go of the items; returns what was seen of them.
    pub(super) fn end(self, simulation: &mut Simulation, way: &LongWay) -> PastSamples {
        simulation.watch(Watched::default());
        PastSamples { stretch: way.stretches(), part: self.parts, every: self.every }
    }

    fn follow_names(&mut self, simulation: &mut Simulation) {
        if let Some(watched) = self.introspection.follow(simulation.ecm()) {
            simulation.watch(watched);
        }
    }

    /// Leaves out every other sample, and so from now on.
    fn thin(&mut self) {
        self.every *= 2;
        let mut odd = false;
        self.numbers = 0;
        for part in &mut self.parts {
            part.sample.retain(|_| {
                odd = !odd;
                !odd
            });
            let numbers = part.sample.iter().map(|sample| sample.value.len() + SAMPLE_OVERHEAD);
            self.numbers += numbers.sum::<usize>();
        }
    }
}
