//! Drafts that were executed: where they are, and how they ended.

use retake_ecm::{Ecm, EntityId};
use retake_motion::player::End;
use retake_msgs::motion_result::State as Ended;
use retake_msgs::teach_run::State;
use retake_msgs::{RealRobot, TeachRun};
use retake_sim::systems::motion::{MotionGoals, MotionOutcomes, MotionProgress};

/// How often a goal may be looked for in vain before it counts as gone.
const PATIENCE: u32 = 40;

/// A draft that was executed.
#[derive(Clone, Debug)]
pub(super) struct TaughtRun {
    pub(super) goal_id: String,
    pub(super) way: RunWay,
    pub(super) state: State,
    pub(super) text: String,
    /// In the draft's own time, in s.
    time: Option<f64>,
    /// How often in a row it was looked for in vain.
    missed: u32,
}

/// How a draft is executed.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RunWay {
    pub(super) speed: f64,
    pub(super) backward: bool,
    pub(super) loops: bool,
    /// How long the robot goes to where it begins, in s.
    pub(super) approach_secs: f64,
    /// The markers, in the draft's own time, in s.
    pub(super) from_secs: f64,
    pub(super) to_secs: f64,
}

impl RunWay {
    /// Returns the draft's own time when so much of the goal is over.
    fn time(&self, elapsed_secs: f64) -> f64 {
        let way = (elapsed_secs - self.approach_secs).max(0.0) * self.speed;
        let way = way.min(self.to_secs - self.from_secs);
        if self.backward { self.to_secs - way } else { self.from_secs + way }
    }
}

impl TaughtRun {
    /// One that the robot has taken.
    pub(super) fn begun(goal_id: String, way: RunWay, text: String) -> Self {
        Self { goal_id, way, state: State::Running, text, time: None, missed: 0 }
    }

    /// One that the robot has not taken.
    pub(super) fn refused(goal_id: String, way: RunWay, text: String) -> Self {
        Self { state: State::Refused, ..Self::begun(goal_id, way, text) }
    }

    /// Looks how it is in the simulation. What was undone goes back, what was redone comes again.
    pub(super) fn follow_virtual(&mut self, ecm: &Ecm, model: EntityId) {
        if self.state == State::Refused {
            return;
        }
        let goals = ecm.get::<MotionGoals>(model);
        let at = goals.and_then(|goals| goals.0.runs.iter().position(|run| self.is(&run.goal_id)));
        if let Some(at) = at {
            let progress = ecm.get::<MotionProgress>(model).and_then(|all| all.0.runs.get(at));
            self.time = progress.map(|run| self.way.time(run.elapsed_nanos as f64 / 1e9));
            return self.tell(State::Running, None);
        }
        let outcomes = ecm.get::<MotionOutcomes>(model);
        let ended = outcomes.and_then(|all| all.0.iter().rev().find(|end| self.is(&end.goal_id)));
        match ended {
            Some(ended) => {
                let state = match ended.end {
                    End::Succeeded => State::Succeeded,
                    End::Canceled => State::Canceled,
                    End::Aborted => State::Aborted,
                    End::Preempted => State::Preempted,
                };
                self.tell(state, Some(ended.text.clone()));
            }
            None => self.miss("It is gone: it was undone, or the world was reset"),
        }
    }

    /// Looks how it is with the robot outside.
    pub(super) fn follow_real(&mut self, twin: Option<&RealRobot>) {
        if self.state != State::Running {
            return;
        }
        let Some(twin) = twin else {
            return self.miss("The robot is not there any more");
        };
        if self.is(&twin.goal_id) {
            return self.tell(State::Running, None);
        }
        match twin.ended.iter().rev().find(|end| self.is(&end.goal_id)) {
            Some(ended) => {
                let state = match ended.state() {
                    Ended::Succeeded => State::Succeeded,
                    Ended::Canceled => State::Canceled,
                    Ended::Aborted => State::Aborted,
                    Ended::Preempted => State::Preempted,
                    Ended::Rejected => State::Refused,
                    Ended::Unknown => State::Unknown,
                };
                self.tell(state, Some(ended.error_string.clone()));
            }
            None => self.miss("What became of it is not known"),
        }
    }

    pub(super) fn message(&self) -> TeachRun {
        TeachRun {
            goal_id: self.goal_id.clone(),
            state: self.state.into(),
            text: self.text.clone(),
            time: self.time.filter(|_| self.state == State::Running),
            backward: self.way.backward,
            loops: self.way.loops,
        }
    }

    fn is(&self, goal_id: &str) -> bool {
        self.goal_id == goal_id
    }

    fn tell(&mut self, state: State, text: Option<String>) {
        self.missed = 0;
        self.state = state;
        if let Some(text) = text {
            self.text = text;
        }
    }

    /// It takes a moment until what was begun is seen.
    fn miss(&mut self, text: &str) {
        self.missed = self.missed.saturating_add(1);
        if self.missed > PATIENCE && self.state != State::Unknown {
            self.state = State::Unknown;
            text.clone_into(&mut self.text);
        }
    }
}
