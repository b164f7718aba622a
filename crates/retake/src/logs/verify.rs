//! Running a log's commands again and comparing what comes of them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use retake_ecm::{Ecm, StateHash};
use retake_log::{Log, LogStates};
use retake_math::SimTime;
use retake_sim::systems::registry;
use retake_sim::{Simulation, SimulationOptions};

use super::Files;
use super::rerun::{Start, starts};

/// What came of it.
#[derive(Debug, Default, serde::Serialize)]
pub(crate) struct Verified {
    /// Steps that were made again.
    pub(crate) steps: u64,
    /// Recorded states that were compared.
    pub(crate) states: u64,
    /// Complete states that were come to, with what the engine remembers.
    pub(crate) complete_states: u64,
    /// What came from outside and was done again.
    pub(crate) inputs: u64,
    /// Jumps whose state was compared with what was there before.
    pub(crate) jumps: u64,
    /// The first difference.
    pub(crate) difference: Option<String>,
    /// What could not be compared.
    pub(crate) remarks: Vec<String>,
    /// Whether nothing of the log is damaged or missing, so that all of it was compared.
    pub(crate) whole: bool,
    /// What the run passed through where jumps led to. A log with fewer states than steps may lack
    /// those that were there before a command.
    #[serde(skip)]
    targets: BTreeMap<Target, BTreeSet<String>>,
}

/// Where a jump led to: the stretch that it went back into, by its epoch, and the time there.
type Target = (u64, SimTime);

/// Runs everything again that lies between the complete states of a log.
pub(crate) fn verify(log: &Arc<Log>, options: &SimulationOptions) -> anyhow::Result<Verified> {
    let mut verified = Verified::default();
    let missing = log.missing()?;
    let starts = starts(log)?;
    let files = Files::unpack(log)?;
    if starts.is_empty() {
        anyhow::bail!("The log has no complete state to start from. {LOOK_AT_IT}");
    }
    let recording = Recording { log, files: &files, options, missing };
    let jumps = log.stretches().iter().skip(1);
    let led_to = jumps.map(|stretch| ((stretch.parent_epoch, stretch.sim_begin), BTreeSet::new()));
    verified.targets = led_to.collect();
    verified.compare_all(&recording, &starts)?;
    if verified.states == 0 {
        anyhow::bail!("The log has no states that could be compared. {LOOK_AT_IT}");
    }
    let damage = log.damage();
    verified.whole = damage.is_empty();
    verified.remarks.extend(damage.iter().map(ToString::to_string));
    Ok(verified)
}

/// What to do about a log that cannot be compared.
const LOOK_AT_IT: &str = "Look at it: retake log check";

impl Verified {
    /// Compares up to the first difference.
    fn compare_all(&mut self, recording: &Recording<'_>, starts: &[Start]) -> anyhow::Result<()> {
        for (number, start) in starts.iter().enumerate() {
            let next = starts.get(number + 1);
            let next = next.filter(|next| next.keyframe.epoch == start.keyframe.epoch);
            self.run(recording, start, next)?;
            if self.difference.is_some() {
                return Ok(());
            }
        }
        self.compare_jumps(recording)
    }

    /// Runs from one complete state to the next, or to the end of the stretch.
    fn run(
        &mut self,
        of: &Recording<'_>,
        start: &Start,
        next: Option<&Start>,
    ) -> anyhow::Result<()> {
        let (mut rerun, mut notes) = start.restore(of.options, of.files)?;
        let simulation = &mut rerun;
        self.remarks.append(&mut notes);
        let mut recorded = Recorded::of(of, start)?;
        let mut inputs = start.inputs.iter().peekable();
        let goal = next.map(|next| next.keyframe.iterations);
        loop {
            let clock = simulation.clock();
            let made = clock.iterations;
            // What was carried out before the next complete state belongs to it.
            let mut passed = vec![hash(simulation.ecm())?];
            while let Some(input) = inputs.next_if(|input| input.iterations <= made) {
                simulation.replay(input).map_err(anyhow::Error::msg)?;
                passed.push(hash(simulation.ecm())?);
                self.inputs += 1;
            }
            if let Some(led_to) = self.targets.get_mut(&(start.keyframe.epoch, clock.sim_time)) {
                led_to.extend(passed.iter().cloned());
            }
            let last = goal == Some(made);
            let found = recorded.compare(clock.sim_time, &passed)?;
            self.states += found.compared;
            if found.unknown && !last {
                let at = clock.sim_time;
                self.difference = Some(format!("At {at} the recorded state is another one"));
            }
            // Edits after the next complete state, at the same instant, are compared with that.
            if self.difference.is_some() || last || recorded.is_over() {
                break;
            }
            simulation.step()?;
            self.steps += 1;
        }
        let next = next.filter(|next| recorded.whole_until >= next.recorded);
        if let (Some(next), None) = (next, &self.difference) {
            self.compare_complete(simulation, next, of)?;
        }
        Ok(())
    }

    fn compare_complete(
        &mut self,
        simulation: &Simulation,
        next: &Start,
        of: &Recording<'_>,
    ) -> anyhow::Result<()> {
        let (kept, _) = next.restore(of.options, of.files)?;
        self.complete_states += 1;
        if simulation.hash()? != kept.hash()? {
            let at = kept.clock().sim_time;
            self.difference = Some(format!("At {at} the complete state is another one"));
        }
        Ok(())
    }

    /// Compares the state after each jump with those that were recorded at the instant it led to.
    fn compare_jumps(&mut self, of: &Recording<'_>) -> anyhow::Result<()> {
        let log = of.log;
        let mut states = LogStates::new(Arc::clone(log), registry());
        for (number, stretch) in log.stretches().iter().enumerate().skip(1) {
            let at = stretch.sim_begin;
            let passes = |upto: usize| {
                log.stretches()[..upto].iter().filter(|s| s.recorded_at(at).is_some()).count()
            };
            let Some(parent) = log.stretches()[..number]
                .iter()
                .position(|earlier| earlier.epoch == stretch.parent_epoch)
                .filter(|parent| log.stretches()[*parent].recorded_at(at).is_some())
            else {
                continue;
            };
            // Where a part of the log is missing there is nothing to compare with.
            if !is_shown(&mut states, at, passes(number))? {
                continue;
            }
            let (after, rerun) = (hash(states.ecm())?, of.hash_here(states.ecm())?);
            let known = self.targets.get(&(stretch.parent_epoch, at));
            let passed = known.is_some_and(|passed| passed.contains(&rerun));
            if !passed && !is_shown(&mut states, at, passes(parent))? {
                continue;
            }
            self.jumps += 1;
            if !passed && !hashes_at(&mut states, at)?.contains(&after) {
                let cause = stretch.jump.as_ref().map(|jump| jump.cause.as_str()).unwrap_or("jump");
                let text = format!("The {cause} to {at} led to a state that was not there before");
                self.difference = Some(text);
                return Ok(());
            }
        }
        Ok(())
    }
}

/// Shows the first state of an instant, and says whether it is there, as a whole.
fn is_shown(states: &mut LogStates, at: SimTime, pass: usize) -> anyhow::Result<bool> {
    let is_found = states.seek_sim_time(at, pass)?;
    Ok(is_found && states.complete() && states.stamp().sim_time == at)
}

/// Hashes all states of the present instant: while the world stood, it may have had several.
fn hashes_at(states: &mut LogStates, at: SimTime) -> anyhow::Result<Vec<String>> {
    let epoch = states.epoch();
    let mut hashes = vec![hash(states.ecm())?];
    while states.step(1)? == 1 && states.epoch() == epoch && states.stamp().sim_time == at {
        hashes.push(hash(states.ecm())?);
    }
    Ok(hashes)
}

fn hash(ecm: &Ecm) -> anyhow::Result<String> {
    let mut hash = StateHash::new();
    hash.add_ecm(ecm)?;
    Ok(hash.to_string())
}

const END_OF_TIME: SimTime = SimTime::from_nanos(i64::MAX);

/// A log that is run again.
struct Recording<'a> {
    log: &'a Arc<Log>,
    files: &'a Files,
    options: &'a SimulationOptions,
    /// Spans of recording time of which something is missing.
    missing: Vec<(SimTime, SimTime)>,
}

impl Recording<'_> {
    /// Hashes recorded entities with the files that they have here, as a run has them.
    fn hash_here(&self, recorded: &Ecm) -> anyhow::Result<String> {
        let mut here = recorded.clone();
        self.files.relocate(&mut here, 0);
        hash(&here)
    }

    /// Returns the recording time up to which nothing is missing after another one.
    fn whole_until(&self, from: SimTime) -> SimTime {
        let later = self.missing.iter().filter(|(_, end)| *end > from);
        later.map(|(begin, _)| *begin).min().unwrap_or(END_OF_TIME)
    }
}

/// What came of comparing an instant.
struct Found {
    compared: u64,
    /// Whether a state was recorded that the run did not pass through.
    unknown: bool,
}

/// The recorded states of one stretch, walked along with the run.
struct Recorded<'a> {
    files: &'a Files,
    states: LogStates,
    epoch: u64,
    /// What was recorded later may follow from what is missing.
    whole_until: SimTime,
    over: bool,
}

impl<'a> Recorded<'a> {
    fn of(of: &Recording<'a>, start: &Start) -> anyhow::Result<Self> {
        let Recording { log, files, .. } = of;
        let whole_until = of.whole_until(start.recorded);
        let mut states = LogStates::new(Arc::clone(log), registry());
        let at = start.keyframe.sim_time.as_ref().map(SimTime::from).unwrap_or_default();
        let epoch = start.keyframe.epoch;
        let stretches = log.stretches().iter().take_while(|stretch| stretch.epoch != epoch);
        let pass = stretches.filter(|stretch| stretch.recorded_at(at).is_some()).count();
        let over = !states.seek_sim_time(at, pass)?;
        let mut recorded = Self { files, states, epoch, whole_until, over };
        // Where the state beside the complete one is missing, one before it was found.
        while !recorded.over && recorded.states.stamp().recorded < start.recorded {
            recorded.advance()?;
        }
        Ok(recorded)
    }

    fn is_over(&self) -> bool {
        self.over
    }

    /// Compares the recorded states of an instant with those that the run passed through then, up
    /// to the first that it did not.
    fn compare(&mut self, now: SimTime, passed: &[String]) -> anyhow::Result<Found> {
        let mut compared = 0;
        while !self.over && self.states.stamp().sim_time <= now {
            let mut recorded = self.states.ecm().clone();
            self.files.relocate(&mut recorded, 0);
            // Where a part of the log is missing there is nothing to compare with.
            if self.states.complete() {
                if !passed.contains(&hash(&recorded)?) {
                    return Ok(Found { compared, unknown: true });
                }
                compared += 1;
            }
            self.advance()?;
        }
        Ok(Found { compared, unknown: false })
    }

    fn advance(&mut self) -> anyhow::Result<()> {
        let ended = self.states.step(1)? == 0;
        let is_lost = self.states.stamp().recorded > self.whole_until;
        self.over = ended || is_lost || self.states.epoch() != self.epoch;
        Ok(())
    }
}
