//! A world that goes on from an instant of a log, bit by bit as it did.

use std::ops::RangeBounds;

use anyhow::{Context, bail};
use prost::Message;
use retake_log::{Log, LogMessage, LogStates};
use retake_math::SimTime;
use retake_msgs::{LoggedInput, LoggedKeyframe, names};
use retake_sim::systems::registry;
use retake_sim::{EngineState, Simulation, SimulationOptions};

use super::Files;

/// Where in a log: a simulated time, and which of the passes over it, from 0.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Instant {
    pub(crate) sim_time: SimTime,
    pub(crate) pass: usize,
}

/// A world that goes on, and what people should know about it.
pub(crate) struct Resumed {
    pub(crate) simulation: Simulation,
    pub(crate) notes: Vec<String>,
    /// Files that it needs for as long as it is there.
    pub(crate) files: Files,
}

/// A complete state of a log, with what came from outside after it.
pub(crate) struct Start {
    pub(crate) keyframe: LoggedKeyframe,
    /// When it was recorded.
    pub(crate) recorded: SimTime,
    /// In order, up to the next jump in time.
    pub(crate) inputs: Vec<LoggedInput>,
}

/// Goes on from an instant of a log; none is its end.
pub(crate) fn resume(
    log: &std::sync::Arc<Log>,
    at: Option<Instant>,
    options: &SimulationOptions,
) -> anyhow::Result<Resumed> {
    let mut states = LogStates::new(std::sync::Arc::clone(log), registry());
    match at {
        None => states.seek(log.length())?,
        Some(Instant { sim_time, pass }) => {
            if !states.seek_sim_time(sim_time, pass)? {
                bail!("{}", no_such_pass(log, sim_time, pass));
            }
        }
    }
    let files = Files::unpack(log)?;
    let (epoch, wanted) = (states.epoch(), states.stamp());
    let start = start_before(log, wanted.recorded)?;
    let start = start.filter(|start| {
        let at = start.keyframe.sim_time.as_ref().map(SimTime::from).unwrap_or_default();
        start.keyframe.epoch == epoch && at <= wanted.sim_time
    });
    let Some(start) = start else {
        let mut ecm = states.ecm().clone();
        files.relocate(&mut ecm, 0);
        let (simulation, mut notes) = Simulation::resume(ecm, None, options)?;
        notes.push("The log has no complete state before this instant".to_owned());
        return Ok(Resumed { simulation, notes, files });
    };
    let (simulation, notes) = start.restore(options, &files)?;
    let mut resumed = Resumed { simulation, notes, files };
    let mut inputs = start.inputs.iter().peekable();
    loop {
        let clock = resumed.simulation.clock();
        let arrived = clock.sim_time >= wanted.sim_time;
        while let Some(input) = inputs.next_if(|input| input.iterations <= clock.iterations) {
            // Of an instant that was chosen the first state is wanted, of the end the last.
            if !arrived || at.is_none() {
                resumed.simulation.replay(input).map_err(anyhow::Error::msg)?;
            }
        }
        if arrived {
            return Ok(resumed);
        }
        resumed.simulation.step()?;
    }
}

/// Finds the last complete state at a recording time or before, by the index.
fn start_before(log: &Log, recorded: SimTime) -> anyhow::Result<Option<Start>> {
    let keyframes = names::log_keyframes(&log.facts().world);
    let Some(message) = log.last_before(&keyframes, recorded)? else { return Ok(None) };
    let from = message.stamp.recorded;
    Ok(starts_in(log, from..)?.into_iter().next())
}

/// Lists the complete states of a log in the order of the recording.
pub(crate) fn starts(log: &Log) -> anyhow::Result<Vec<Start>> {
    starts_in(log, ..)
}

fn starts_in(log: &Log, span: impl RangeBounds<SimTime>) -> anyhow::Result<Vec<Start>> {
    let world = &log.facts().world;
    let (keyframes, inputs) = (names::log_keyframes(world), names::log_inputs(world));
    let mut starts: Vec<Start> = Vec::new();
    for message in log.messages(&[&keyframes, &inputs], span) {
        let message = message?;
        if *message.topic == *keyframes {
            let keyframe = decode::<LoggedKeyframe>(&message)?;
            starts.push(Start { keyframe, recorded: message.stamp.recorded, inputs: Vec::new() });
        } else if let Some(start) = starts.last_mut() {
            let input = decode::<LoggedInput>(&message)?;
            // What led to another stretch is a jump, and another complete state follows it.
            if input.epoch == start.keyframe.epoch {
                start.inputs.push(input);
            }
        }
    }
    Ok(starts)
}

impl Start {
    /// Puts the complete state in place.
    pub(crate) fn restore(
        &self,
        options: &SimulationOptions,
        files: &Files,
    ) -> anyhow::Result<(Simulation, Vec<String>)> {
        let mut ecm = Simulation::empty_ecm();
        let state = self.keyframe.state.as_ref().context("A complete state is empty")?;
        ecm.apply(state).context("A complete state cannot be used")?;
        files.relocate(&mut ecm, 0);
        ecm.close_tick();
        let engine = EngineState {
            engine: self.keyframe.engine.clone(),
            version: self.keyframe.engine_version.clone(),
            bytes: self.keyframe.engine_state.clone(),
        };
        Ok(Simulation::resume(ecm, Some(&engine), options)?)
    }
}

fn decode<M: Message + Default>(message: &LogMessage) -> anyhow::Result<M> {
    M::decode(message.bytes.as_slice()).with_context(|| {
        format!("A message of {} at {} cannot be read", message.topic, message.stamp.recorded)
    })
}

fn no_such_pass(log: &Log, sim_time: SimTime, pass: usize) -> String {
    match log.passes(sim_time).len() {
        0 => {
            let spans =
                log.stretches().iter().map(|s| format!("{} to {}", s.sim_begin, s.sim_end()));
            let spans: Vec<String> = spans.collect();
            format!("The log has no state at {sim_time}; it has {}", spans.join(", "))
        }
        count => {
            format!("The log comes to {sim_time} {count} times; there is no pass {}", pass + 1)
        }
    }
}
