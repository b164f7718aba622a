//! Stretches of time without a jump: by them simulated time and recording time are known from one
//! another.

use prost::Message;
use retake_math::SimTime;
use retake_msgs::{LoggedKeyframe, TimeJumped, names};

use super::messages::{Walk, WalkStep};
use super::{Log, Place};
use crate::error::LogError;

/// Time without a jump: simulated time grows as recording time does.
#[derive(Clone, Debug, PartialEq)]
pub struct Stretch {
    /// Number of the stretch in the recorded world.
    pub epoch: u64,
    /// Stretch that the jump led back into; its own number in the first.
    pub parent_epoch: u64,
    /// Recording time of its first state.
    pub begin: SimTime,
    /// Recording time of its last state.
    pub end: SimTime,
    /// Simulated time of its first state.
    pub sim_begin: SimTime,
    /// The jump that it begins with; none for the first, and where the jump is lost.
    pub jump: Option<TimeJumped>,
    /// Its first message.
    pub(crate) from: Place,
}

impl Stretch {
    /// Returns the simulated time of its last state.
    pub fn sim_end(&self) -> SimTime {
        self.sim_begin + (self.end - self.begin)
    }

    /// Returns the recording time at which a simulated time is in this stretch.
    pub fn recorded_at(&self, sim_time: SimTime) -> Option<SimTime> {
        let within = (self.sim_begin..=self.sim_end()).contains(&sim_time);
        within.then(|| self.begin + (sim_time - self.sim_begin))
    }
}

/// Finds the stretches by the jumps between them. Where jumps may be lost in damaged chunks, they
/// are found by the times of states, for which all of the log is read.
pub(super) fn read(log: &Log) -> Result<Vec<Stretch>, LogError> {
    let Some(first) = first(log)? else { return Ok(Vec::new()) };
    let jumps = log.channels_of(&[names::LOG_TIMELINE]);
    let mut builder = Builder::new(log, first.clone());
    let mut walk = Walk::of(jumps.clone(), Place::START);
    while let Some(step) = walk.next(log)? {
        builder.jump(&step);
    }
    if !log.has_holes() {
        return Ok(builder.finish());
    }
    let world = &log.facts().world;
    let keyframes = log.channels_of(&[&names::log_keyframes(world)]);
    let states = log.channels_of(&[&names::log_full_state(world), &names::state_delta(world)]);
    let all = [&jumps, &keyframes, &states].into_iter().flatten().copied().collect();
    let mut builder = Builder::new(log, first);
    let mut walk = Walk::of(all, Place::START);
    while let Some(step) = walk.next(log)? {
        match step.entry.channel {
            channel if jumps.contains(&channel) => builder.jump(&step),
            channel if keyframes.contains(&channel) => builder.keyframe(&step),
            _ => builder.state(&step),
        }
    }
    Ok(builder.finish())
}

/// Puts stretches one after the other.
struct Builder<'a> {
    log: &'a Log,
    done: Vec<Stretch>,
    present: Stretch,
}

impl<'a> Builder<'a> {
    fn new(log: &'a Log, first: Stretch) -> Self {
        Self { log, done: Vec::new(), present: first }
    }

    fn jump(&mut self, step: &WalkStep) {
        let stamp = self.log.stamp(&step.entry);
        let Ok(jump) = TimeJumped::decode(step.content.bytes(&step.entry)) else {
            let text = format!("The jump in time at {} cannot be read", stamp.recorded);
            self.log.damaged(0, 0, text);
            return;
        };
        self.begin(Stretch {
            epoch: jump.epoch,
            parent_epoch: jump.parent_epoch,
            begin: stamp.recorded,
            end: stamp.recorded,
            sim_begin: jump.to.as_ref().map_or(stamp.sim_time, SimTime::from),
            jump: Some(jump),
            from: step.place,
        });
    }

    /// Begins a stretch where a state is not of the time that it should be.
    fn state(&mut self, step: &WalkStep) {
        let stamp = self.log.stamp(&step.entry);
        let since = stamp.recorded - self.present.begin;
        if self.present.sim_begin + since != stamp.sim_time {
            self.begin_unknown(step, self.present.epoch);
        }
    }

    /// Learns the epoch of a stretch whose jump is lost.
    fn keyframe(&mut self, step: &WalkStep) {
        let Ok(keyframe) = LoggedKeyframe::decode(step.content.bytes(&step.entry)) else { return };
        if keyframe.epoch == self.present.epoch {
            return;
        }
        let unknown = self.present.jump.is_none() && !self.done.is_empty();
        match unknown && self.present.begin == self.log.stamp(&step.entry).recorded {
            true => self.present.epoch = keyframe.epoch,
            false => self.begin_unknown(step, keyframe.epoch),
        }
    }

    fn begin_unknown(&mut self, step: &WalkStep, epoch: u64) {
        let stamp = self.log.stamp(&step.entry);
        self.begin(Stretch {
            epoch,
            parent_epoch: self.present.epoch,
            begin: stamp.recorded,
            end: stamp.recorded,
            sim_begin: stamp.sim_time,
            jump: None,
            from: step.place,
        });
    }

    fn begin(&mut self, next: Stretch) {
        let end = next.begin;
        let before = std::mem::replace(&mut self.present, next);
        self.done.push(Stretch { end, ..before });
    }

    fn finish(mut self) -> Vec<Stretch> {
        self.done.push(Stretch { end: self.log.length(), ..self.present });
        self.done
    }
}

/// Returns the stretch that the recording began in, as far as it is known yet.
fn first(log: &Log) -> Result<Option<Stretch>, LogError> {
    let Some(step) = Walk::new(Place::START).next(log)? else { return Ok(None) };
    let stamp = log.stamp(&step.entry);
    let epoch = first_epoch(log)?;
    Ok(Some(Stretch {
        epoch,
        parent_epoch: epoch,
        begin: SimTime::ZERO,
        end: SimTime::ZERO,
        // What comes first may be lost; within the stretch both times grow alike.
        sim_begin: stamp.sim_time - stamp.recorded,
        jump: None,
        from: Place::START,
    }))
}

/// Returns the epoch that the first keyframe tells, or else the one before the first jump.
fn first_epoch(log: &Log) -> Result<u64, LogError> {
    let keyframes = names::log_keyframes(&log.facts().world);
    let channels = log.channels_of(&[&keyframes, names::LOG_TIMELINE]);
    let timeline = log.channels_of(&[names::LOG_TIMELINE]);
    let mut walk = Walk::of(channels, Place::START);
    let Some(step) = walk.next(log)? else { return Ok(0) };
    let bytes = step.content.bytes(&step.entry);
    Ok(match timeline.contains(&step.entry.channel) {
        // Jumps are counted, so the one before has the number before.
        true => TimeJumped::decode(bytes).map_or(0, |jump| jump.epoch.saturating_sub(1)),
        false => LoggedKeyframe::decode(bytes).map_or(0, |keyframe| keyframe.epoch),
    })
}
