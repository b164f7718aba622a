//! A log that is shown: where it is, and how it goes on.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use retake_components::{CurrentProfile, WorldClock, world_entity};
use retake_ecm::EcmSnapshot;
use retake_log::{Log, LogError, LogStates};
use retake_math::SimTime;
use retake_msgs::playback_control::Seek;
use retake_msgs::{Playback, PlaybackControl, TimeJumped, WorldControl, WorldStatistics};

use super::files::relocate;

/// Slowest and fastest that a log can be played.
const SPEEDS: std::ops::RangeInclusive<f64> = 0.1..=10.0;

/// Shows a log.
pub(super) struct Player {
    log: Arc<Log>,
    states: LogStates,
    playing: bool,
    speed: f64,
    repeat: bool,
    /// Recording time that playing has come to; between two states it is after the shown one.
    at: SimTime,
    /// Where the files of the log are on this machine; no other is ever read.
    files: BTreeMap<PathBuf, PathBuf>,
}

impl Player {
    /// Shows the first state.
    pub(super) fn new(
        log: Arc<Log>,
        states: LogStates,
        files: BTreeMap<PathBuf, PathBuf>,
    ) -> Result<Self, LogError> {
        let at = SimTime::ZERO;
        let mut player = Self { log, states, playing: false, speed: 1.0, repeat: false, at, files };
        player.move_states(|states| states.seek(SimTime::ZERO))?;
        Ok(player)
    }

    pub(super) fn playing(&self) -> bool {
        self.playing
    }

    /// Does what a page asks for.
    ///
    /// # Errors
    /// A sentence that says why not; nothing changed then.
    pub(super) fn control(&mut self, control: &PlaybackControl) -> Result<(), String> {
        if let Some(speed) = control.speed
            && !SPEEDS.contains(&speed)
        {
            return Err(format!("speed is {speed}; use 0.1 to 10"));
        }
        match control.seek {
            Some(Seek::AtSecs(secs)) => self.seek(checked(secs)?)?,
            Some(Seek::SimTime(place)) => self.seek_sim_time(checked(place.secs)?, place.pass)?,
            None => {}
        }
        self.speed = control.speed.unwrap_or(self.speed);
        self.repeat = control.repeat.unwrap_or(self.repeat);
        if let Some(play) = control.play {
            self.play(play)?;
        }
        if let Some(states) = control.step {
            self.step(i64::from(states))?;
        }
        Ok(())
    }

    /// Does what the controls of a world ask for.
    ///
    /// # Errors
    /// As [`Player::control`].
    pub(super) fn control_world(&mut self, control: &WorldControl) -> Result<(), String> {
        let step = control.multi_step.map(|steps| i32::try_from(steps).unwrap_or(i32::MAX));
        self.control(&PlaybackControl {
            play: control.pause.map(|pause| !pause),
            speed: control.real_time_factor,
            step: step.filter(|steps| *steps > 0),
            ..PlaybackControl::default()
        })
    }

    /// Lets time pass; returns the jumps that were passed on the way.
    ///
    /// # Errors
    /// What of the log cannot be read.
    pub(super) fn advance(&mut self, elapsed: Duration) -> Result<Vec<TimeJumped>, String> {
        if !self.playing {
            return Ok(Vec::new());
        }
        let before = self.states.epoch();
        let to = self.at + SimTime::from_secs_f64(elapsed.as_secs_f64() * self.speed);
        let end = self.log.length();
        if to >= end {
            self.go_to(end)?;
            let jumps = self.jumps_since(before);
            match self.repeat {
                true => self.go_to(SimTime::ZERO)?,
                false => self.playing = false,
            }
            return Ok(jumps);
        }
        self.go_to(to)?;
        Ok(self.jumps_since(before))
    }

    /// Returns the state that is shown.
    pub(super) fn ecm(&self) -> EcmSnapshot {
        self.states.ecm().snapshot()
    }

    /// Returns where it is.
    pub(super) fn shown(&self) -> Playback {
        let stamp = self.states.stamp();
        let stretches = self.log.stretches().iter();
        let passes: Vec<u64> = stretches
            .filter(|stretch| stretch.recorded_at(stamp.sim_time).is_some())
            .map(|stretch| stretch.epoch)
            .collect();
        let here = passes.iter().position(|epoch| *epoch == self.states.epoch());
        Playback {
            at_secs: if self.playing { self.at } else { stamp.recorded }.as_secs_f64(),
            sim_secs: stamp.sim_time.as_secs_f64(),
            epoch: self.states.epoch(),
            pass: here.unwrap_or_default() as u32,
            passes: passes.len() as u32,
            playing: self.playing,
            speed: self.speed,
            repeat: self.repeat,
        }
    }

    /// Returns the statistics of what is shown, as those of a world.
    pub(super) fn stats(&self) -> WorldStatistics {
        let ecm = self.states.ecm();
        let world = world_entity(ecm);
        let clock: Option<&WorldClock> = world.and_then(|world| ecm.get(world));
        let clock = clock.copied().unwrap_or_default();
        let profile: Option<&CurrentProfile> = world.and_then(|world| ecm.get(world));
        WorldStatistics {
            sim_time: Some(self.states.stamp().sim_time.into()),
            iterations: clock.iterations,
            paused: !self.playing,
            real_time_factor: if self.playing { self.speed } else { 0.0 },
            target_real_time_factor: self.speed,
            step_size_secs: clock.step_size.as_secs_f64(),
            entity_count: ecm.entity_count() as u64,
            profile: profile.map(|profile| profile.0.clone()).unwrap_or_default(),
            ..WorldStatistics::default()
        }
    }

    fn play(&mut self, play: bool) -> Result<(), String> {
        if play && self.at >= self.log.length() {
            // Whoever plays at the end wants to see it once more.
            self.go_to(SimTime::ZERO)?;
        }
        self.playing = play;
        Ok(())
    }

    fn step(&mut self, states: i64) -> Result<(), String> {
        self.playing = false;
        self.move_states(|shown| shown.step(states)).map_err(told)?;
        self.at = self.states.stamp().recorded;
        Ok(())
    }

    fn seek(&mut self, to: SimTime) -> Result<(), String> {
        self.go_to(to.clamp(SimTime::ZERO, self.log.length()))
    }

    fn seek_sim_time(&mut self, time: SimTime, pass: u32) -> Result<(), String> {
        let found = self.move_states(|states| states.seek_sim_time(time, pass as usize));
        if !found.map_err(told)? {
            return Err(match self.log.passes(time).len() {
                0 => format!("The log has no state at {time}"),
                count => format!("The log comes to {time} {count} times; pass {pass} is none"),
            });
        }
        self.at = self.states.stamp().recorded;
        Ok(())
    }

    fn go_to(&mut self, to: SimTime) -> Result<(), String> {
        self.move_states(|states| states.seek(to)).map_err(told)?;
        self.at = to;
        Ok(())
    }

    /// Goes to another state, whose files are those of this machine then.
    fn move_states<T>(
        &mut self,
        go: impl FnOnce(&mut LogStates) -> Result<T, LogError>,
    ) -> Result<T, LogError> {
        let tick = self.states.ecm().tick().saturating_sub(1);
        let done = go(&mut self.states);
        let place_of = |path: &Path| Some(self.files.get(path).cloned().unwrap_or_default());
        self.states.change(|ecm| relocate(ecm, place_of, tick));
        done
    }

    /// Returns the jumps that led from the stretch `before` to the present one.
    fn jumps_since(&self, before: u64) -> Vec<TimeJumped> {
        let now = self.states.epoch();
        let stretches = self.log.stretches().iter();
        let after = stretches.skip_while(|stretch| stretch.epoch != before).skip(1);
        let passed = after.take_while(|stretch| stretch.epoch <= now);
        passed.filter_map(|stretch| stretch.jump.clone()).collect()
    }
}

fn checked(secs: f64) -> Result<SimTime, String> {
    match secs.is_finite() {
        true => Ok(SimTime::from_secs_f64(secs)),
        false => Err(format!("{secs} is no time")),
    }
}

fn told(error: LogError) -> String {
    error.to_string()
}
