//! A second world that goes to instants of the past.

use retake_components::WorldClock;
use retake_ecm::EcmSnapshot;
use retake_math::SimTime;
use retake_msgs::{Past, PastSamples};
use thiserror::Error;

use super::along::{LongWay, Watcher};
use super::find::{Goal, Way};
use super::slot::Content;
use super::stretch::Place;
use crate::preparation::Preparer;
use crate::request::seen;
use crate::whereabouts::Whereabouts;
use crate::{Keyframe, Simulation, StepFailure};

/// Why an instant could not be come to.
#[derive(Debug, Error)]
pub(crate) enum WayError {
    #[error("The state cannot be put in place: {0}")]
    Start(String),
    #[error("What was done at {at} cannot be done again: {reason}")]
    Input { at: SimTime, reason: String },
    #[error(transparent)]
    Step(#[from] StepFailure),
    #[error("{0}")]
    Watch(String),
    #[error("A newer instant was asked for")]
    Overtaken,
}

/// Goes to instants; keeps its world, so that the next one may be near.
#[derive(Default)]
pub(crate) struct Viewer {
    there: Option<There>,
    /// Which of its world's systems acts, for whoever watches.
    whereabouts: Whereabouts,
}

/// The viewer's world, and where it is.
struct There {
    simulation: Simulation,
    at: Option<(u64, Place)>,
}

/// Where a way led.
pub(crate) struct Arrived<'a> {
    pub(crate) simulation: &'a mut Simulation,
    epoch: u64,
    steps: u64,
}

impl Viewer {
    /// Makes one that says there which system acts.
    pub(crate) fn seen_at(whereabouts: Whereabouts) -> Self {
        Self { there: None, whereabouts }
    }

    /// Lets go of its world.
    pub(crate) fn forget(&mut self) {
        self.there = None;
    }

    /// Goes a way; `overtaken` is asked before each step whether it is still wanted.
    pub(crate) fn go(
        &mut self,
        way: &Way,
        preparer: &Preparer,
        overtaken: &dyn Fn() -> bool,
    ) -> Result<Arrived<'_>, WayError> {
        let there = self.world(way, preparer)?;
        // Whatever goes wrong on the way, nobody takes this for a place of the past.
        let at = there.at.take();
        let mut place = match at.filter(|(epoch, at)| way.leads_through(*epoch, *at)) {
            Some((_, place)) => place,
            None => {
                there.put_in_place(way)?;
                way.from
            }
        };
        let steps = there.follow(way, &mut place, overtaken, &mut |_| ())?;
        Ok(there.arrive(way.epoch, place, steps))
    }

    /// Goes a long way, and watches items on it.
    pub(crate) fn watch(
        &mut self,
        way: &LongWay,
        items: &[String],
        preparer: &Preparer,
        overtaken: &dyn Fn() -> bool,
    ) -> Result<(PastSamples, Arrived<'_>), WayError> {
        let nothing = || WayError::Start("nothing is kept".to_owned());
        let first = way.ways.first().ok_or_else(nothing)?;
        let there = self.world(first, preparer)?;
        there.at = None;
        there.put_in_place(first)?;
        let mut watcher = Watcher::new(&mut there.simulation, items)?;
        let (mut steps, mut end) = (0, (first.epoch, first.from));
        for part in &way.ways {
            there.put_in_place(part)?;
            end = (part.epoch, part.from);
            let mut seen = |world: &mut Simulation| watcher.stepped(world, part.epoch);
            steps += there.follow(part, &mut end.1, overtaken, &mut seen)?;
        }
        let samples = watcher.end(&mut there.simulation, way);
        Ok((samples, there.arrive(end.0, end.1, steps)))
    }

    fn world(&mut self, way: &Way, preparer: &Preparer) -> Result<&mut There, WayError> {
        if self.there.is_none() {
            let whereabouts = self.whereabouts.clone();
            let simulation = Simulation::beside(way.start.ecm(), preparer, whereabouts);
            let simulation = simulation.map_err(|error| WayError::Start(error.to_string()))?;
            self.there = Some(There { simulation, at: None });
        }
        self.there.as_mut().ok_or_else(|| WayError::Start("no world".to_owned()))
    }
}

impl Way {
    /// Says whether a place lies on the way, not before its start.
    fn leads_through(&self, epoch: u64, at: Place) -> bool {
        let reached = match self.goal {
            Goal::Place(goal) => at <= goal,
            Goal::Time(time) => at.sim_time <= time,
        };
        let before_the_rest = self.beyond.is_none_or(|(_, number)| at.inputs <= number);
        epoch == self.epoch && at >= self.from && reached && before_the_rest
    }

    /// Says whether the world is there, after the inputs that belong to this instant.
    fn is_reached(&self, clock: WorldClock) -> bool {
        // What is done next may make the steps longer than they are now.
        let ends_here = self.beyond.is_some_and(|(iterations, _)| clock.iterations >= iterations);
        ends_here
            || match self.goal {
                Goal::Time(time) => clock.sim_time + clock.step_size > time,
                Goal::Place(place) => clock.iterations >= place.iterations,
            }
    }
}

impl There {
    fn put_in_place(&mut self, way: &Way) -> Result<(), WayError> {
        let start = |error: &dyn std::fmt::Display| WayError::Start(error.to_string());
        let keyframe = match way.start.content() {
            Content::Captured(keyframe) => keyframe,
            Content::Squeezed(squeezed, ecm) => {
                let state = squeezed.open().map_err(|error| start(&error))?;
                let engine = self.simulation.decode(&state, &ecm).map_err(|e| start(&e))?;
                Keyframe { ecm, engine, engine_ecm: None, epoch: way.start.epoch() }
            }
        };
        self.simulation.restore(&keyframe, "look back");
        Ok(())
    }

    /// Takes note of where the world is now.
    fn arrive(&mut self, epoch: u64, place: Place, steps: u64) -> Arrived<'_> {
        self.at = Some((epoch, place));
        // Nobody listens to this world.
        self.simulation.drain_events();
        self.simulation.drain_messages();
        Arrived { simulation: &mut self.simulation, epoch, steps }
    }

    /// Makes steps and does inputs until the goal is reached; returns how many steps. `stepped` is
    /// called after each of them.
    fn follow(
        &mut self,
        way: &Way,
        place: &mut Place,
        overtaken: &dyn Fn() -> bool,
        stepped: &mut dyn FnMut(&mut Simulation),
    ) -> Result<u64, WayError> {
        let done = place.inputs;
        let mut inputs = way.inputs.iter().skip_while(|(number, _)| *number < done).peekable();
        let mut steps = 0;
        loop {
            let clock = self.simulation.clock();
            while let Some((number, input)) =
                inputs.next_if(|(_, input)| input.iterations <= clock.iterations)
            {
                let failed = |reason| WayError::Input { at: clock.sim_time, reason };
                self.simulation.replay(input).map_err(failed)?;
                place.inputs = number + 1;
            }
            // An input may have changed the length of a step.
            if way.is_reached(self.simulation.clock()) {
                return Ok(steps);
            }
            if overtaken() {
                return Err(WayError::Overtaken);
            }
            self.simulation.step()?;
            stepped(&mut self.simulation);
            steps += 1;
            let clock = self.simulation.clock();
            (place.iterations, place.sim_time) = (clock.iterations, clock.sim_time);
        }
    }
}

impl Arrived<'_> {
    /// Captures the instant, to go on from.
    pub(crate) fn keyframe(&self) -> Keyframe {
        Keyframe { epoch: self.epoch, ..self.simulation.capture() }
    }

    /// Answers whoever asked how the world was.
    pub(crate) fn answer(&mut self, hash: bool, full: bool) -> PastAnswer {
        let stuck = self.simulation.stuck_systems();
        let mut message = match stuck.is_empty() {
            true => String::new(),
            false => format!("These systems are not as they were: {}", stuck.join(", ")),
        };
        let mut hashes = (String::new(), String::new());
        if hash {
            match (self.simulation.hash(), self.simulation.component_hash()) {
                (Ok(whole), Ok(components)) => hashes = (whole, components),
                (Err(error), _) | (_, Err(error)) => message = format!("No state hash: {error}"),
            }
        }
        let (clock, steps) = (self.simulation.clock(), self.steps);
        let view = self.simulation.view();
        let epoch = self.epoch;
        PastAnswer { view, clock, epoch, steps, hashes, message, full, samples: None }
    }
}

/// The world as it was; encoded by whoever sends it.
pub struct PastAnswer {
    view: EcmSnapshot,
    clock: WorldClock,
    epoch: u64,
    steps: u64,
    hashes: (String, String),
    message: String,
    full: bool,
    samples: Option<PastSamples>,
}

impl PastAnswer {
    /// Adds what was watched on the way.
    pub(crate) fn with_samples(self, samples: PastSamples) -> Self {
        Self { samples: Some(samples), ..self }
    }

    /// Returns the entities.
    pub fn ecm(&self) -> &EcmSnapshot {
        &self.view
    }

    /// Returns all but the entities and samples.
    pub fn header(&self) -> Past {
        Past {
            ok: true,
            message: self.message.clone(),
            sim_time: Some(self.clock.sim_time.into()),
            iterations: self.clock.iterations,
            epoch: self.epoch,
            steps: self.steps,
            hash: self.hashes.0.clone(),
            component_hash: self.hashes.1.clone(),
            state: None,
            samples: None,
        }
    }

    /// Takes out what was watched on the way.
    pub fn take_samples(&mut self) -> Option<PastSamples> {
        self.samples.take()
    }

    /// Encodes it.
    pub fn past(&self) -> Past {
        let state = match self.full {
            true => self.view.encode_full(),
            false => self.view.encode_entities(seen(&self.view)),
        };
        Past { state: Some(state), samples: self.samples.clone(), ..self.header() }
    }
}
