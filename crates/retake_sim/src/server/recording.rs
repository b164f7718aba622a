//! What a server notes for those who record it.

use retake_components::{CurrentProfile, Seed};
use retake_introspection::FilterSample;
use retake_log::LogFacts;
use retake_math::SimTime;
use retake_msgs::{LoggedInput, UserCmdReply, logged_input};

use super::Server;
use crate::recording::{Happened, Happening, Tape};

impl Server {
    /// Starts to note what happens, with at most `rate_hz` states per simulated second; 0 is each step.
    ///
    /// Whatever was noted before and not taken is gone.
    pub fn begin_tape(&mut self, rate_hz: f64) {
        let mut tape = Tape::new(rate_hz);
        // What waits to be told belongs to the time before.
        tape.skip_events(self.simulation.events().len());
        self.tape = Some(tape);
        self.note(Happening::Began(Box::new(self.source.clone())));
        if self.tape.as_mut().is_some_and(Tape::stats_are_due) {
            self.note_stats();
        }
        if self.tape.as_mut().is_some_and(Tape::state_is_due) {
            self.note_state();
        }
        self.note_keyframe();
    }

    /// Ends that, with the present state as the last one, and returns what was noted.
    pub fn end_tape(&mut self) -> (Vec<Happened>, u64) {
        if self.tape.as_ref().is_some_and(Tape::is_behind) {
            self.note_state();
        }
        let rest = self.drain_tape();
        self.tape = None;
        rest
    }

    /// Returns the time that was noted, counted on through jumps.
    pub fn taped(&self) -> SimTime {
        self.tape.as_ref().map(Tape::recorded).unwrap_or_default()
    }

    /// Takes out what was noted, oldest first, and how much was left out because nobody took it.
    pub fn drain_tape(&mut self) -> (Vec<Happened>, u64) {
        self.tape.as_mut().map(Tape::drain).unwrap_or_default()
    }

    /// Notes what happened in a step.
    pub(super) fn note_step(&mut self, before: u64) {
        let clock = self.simulation.clock();
        let Some(tape) = &mut self.tape else { return };
        let jumped = clock.iterations != before + 1;
        if !jumped {
            tape.pass(clock);
        }
        tape.note_events(clock.sim_time, self.simulation.events());
        if tape.state_is_due() || jumped {
            self.note_state();
        }
        self.note_keyframe();
        if self.tape.as_mut().is_some_and(Tape::stats_are_due) {
            self.note_stats();
        }
    }

    /// Notes something from outside that was carried out, and what came of it.
    pub(super) fn note_input(
        &mut self,
        input: impl FnOnce() -> logged_input::Input,
        reply: Option<&UserCmdReply>,
    ) {
        if self.tape.is_none() && !self.timeline.is_on() {
            return;
        }
        let clock = self.simulation.clock();
        let input = LoggedInput {
            sim_time: Some(clock.sim_time.into()),
            iterations: clock.iterations,
            epoch: self.simulation.epoch(),
            reply: reply.cloned(),
            input: Some(input()),
        };
        self.timeline.note(&input);
        let Some(tape) = &mut self.tape else { return };
        tape.note(clock.sim_time, Happening::Input(Box::new(input)));
        tape.note_events(clock.sim_time, self.simulation.events());
    }

    /// Notes an edit from outside that was carried out or refused, and what the world is after it.
    pub(super) fn note_edit(
        &mut self,
        input: impl FnOnce() -> logged_input::Input,
        reply: Option<&UserCmdReply>,
    ) {
        self.note_input(input, reply);
        if reply.is_none_or(|reply| reply.ok) {
            self.note_state();
            self.note_keyframe();
        }
    }

    /// Notes samples of what is watched, and what they mean when that changed.
    pub(super) fn note_samples(&mut self, samples: &[FilterSample]) {
        let sim_time = self.simulation.clock().sim_time;
        let Some(tape) = &mut self.tape else { return };
        for sample in samples {
            if tape.filter_changed(sample) {
                let filter = self.introspection.get(&sample.filter);
                tape.note(sim_time, Happening::Filter(filter));
            }
            tape.note(sim_time, Happening::Sample(sample.clone()));
        }
    }

    pub(super) fn note(&mut self, what: Happening) {
        let sim_time = self.simulation.clock().sim_time;
        if let Some(tape) = &mut self.tape {
            tape.note(sim_time, what);
        }
    }

    fn note_state(&mut self) {
        if self.tape.is_some() {
            let iterations = self.simulation.clock().iterations;
            let ecm = self.simulation.view();
            self.note(Happening::State { ecm, iterations });
        }
    }

    /// Notes a keyframe when one is due and the engine's half of it is complete.
    fn note_keyframe(&mut self) {
        if !self.tape.as_ref().is_some_and(Tape::keyframe_is_due) {
            return;
        }
        let keyframe = self.simulation.capture();
        if keyframe.is_exact() {
            self.note(Happening::Keyframe(Box::new(keyframe)));
            self.tape.iter_mut().for_each(Tape::keyframe_was_taken);
        }
    }

    fn note_stats(&mut self) {
        let mut stats = self.statistics();
        let measured = self.introspection.measured();
        stats.real_time = Some(measured.real_time.into());
        stats.real_time_factor = measured.real_time_factor;
        self.note(Happening::Stats(Box::new(stats)));
    }

    /// Returns what a log of this world says of itself.
    pub fn log_facts(&self) -> LogFacts {
        let (ecm, world) = (self.simulation.ecm(), self.simulation.world());
        let engine = self.simulation.engine();
        let profile = ecm.get::<CurrentProfile>(world);
        LogFacts {
            world: self.world_name.clone(),
            world_file: self.world_file.clone(),
            run: self.run.clone(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            seed: ecm.get::<Seed>(world).map_or(0, |seed| seed.0),
            profile: profile.map(|profile| profile.0.clone()).unwrap_or_default(),
            engine: engine.name().to_owned(),
            engine_version: engine.version().to_owned(),
            // Told by whoever has a clock on the wall.
            started_unix_nanos: 0,
        }
    }
}
