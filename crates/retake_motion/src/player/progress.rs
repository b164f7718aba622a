//! What varies while goals are followed.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{Robot, Run};
use crate::blend::{Blend, Blending};
use crate::curve::Sample;

/// The goals that were taken and are not over; changes only when one comes, begins or goes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Goals {
    /// In the order in which they were taken.
    pub runs: Vec<Arc<Run>>,
    /// How many were ever taken; asking for more groups counts too.
    pub taken: u64,
}

impl Goals {
    /// Finds a run by its number.
    pub fn find(&self, id: u64) -> Option<&Arc<Run>> {
        self.runs.iter().find(|run| run.id == id)
    }

    /// Finds a run by what its sender calls it.
    pub fn find_goal(&self, goal_id: &str) -> Option<&Arc<Run>> {
        self.runs.iter().find(|run| run.goal_id == goal_id)
    }
}

/// How far goals have come and what each joint does; changes in every cycle.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Progress {
    /// Trajectory time for each second that passes.
    pub speed: f64,
    /// What it goes towards.
    pub wanted_speed: f64,
    /// Whether joints that hold are let go of when they have come to rest.
    pub releasing: bool,
    /// One for each joint of the robot.
    pub drives: Vec<Drive>,
    /// One for each run of [`Goals`], in that order.
    pub runs: Vec<RunProgress>,
}

/// What a joint does.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Drive {
    /// Who says where it is to be.
    pub owner: Owner,
    /// Where it is to be now.
    pub reference: Sample,
    /// What is left of what it did before.
    pub blending: Blending,
}

/// Who says where a joint is to be.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Owner {
    /// No player.
    Released,
    /// The run of that number.
    Run(u64),
    /// Nobody any more: it holds.
    Hold {
        /// Where, in rad or m.
        position: f64,
        /// How long it takes to come to rest there, in s; 0 at once.
        stop_secs: f64,
    },
    /// Its torque is off: it is where it is.
    Limp,
}

/// How far a run has come.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunProgress {
    /// Number of the run.
    pub id: u64,
    /// Trajectory time that has passed, in nanoseconds; negative before it begins.
    pub elapsed_nanos: i64,
    /// Trajectory time up to which actions had fired before the present period: those after it, up to
    /// what has elapsed, fire in it.
    pub fired_nanos: i64,
    /// Time that passed since the end was reached, in nanoseconds.
    pub settling_nanos: i64,
    /// Time that passed since its sender was heard, in nanoseconds.
    pub silent_nanos: i64,
    /// Whether it has begun.
    pub begun: bool,
    /// Whether a period has passed since it began.
    pub moved: bool,
}

impl Progress {
    /// Nothing is followed, nobody has the joints.
    pub fn new(robot: &Robot) -> Self {
        let free = Drive {
            owner: Owner::Released,
            reference: Sample::default(),
            blending: Blend::None.start(Sample::default(), Sample::default()),
        };
        Self {
            speed: 1.0,
            wanted_speed: 1.0,
            releasing: false,
            drives: vec![free; robot.joints().len()],
            runs: Vec::new(),
        }
    }

    /// Says whether it belongs to the robot and the goals; of what others sent it may not.
    pub fn fits(&self, robot: &Robot, goals: &Goals) -> bool {
        let ids = self.runs.iter().map(|run| run.id);
        self.drives.len() == robot.joints().len()
            && ids.eq(goals.runs.iter().map(|run| run.id))
            && goals.runs.iter().all(|run| run.fits(robot))
    }

    /// Says whether nothing changes in a cycle but what others change.
    pub fn is_at_rest(&self) -> bool {
        let rests = |drive: &Drive| match drive.owner {
            Owner::Released => true,
            Owner::Hold { .. } => drive.is_still(),
            Owner::Run(_) | Owner::Limp => false,
        };
        self.runs.is_empty() && self.speed == self.wanted_speed && self.drives.iter().all(rests)
    }

    /// Finds how far a run has come.
    pub fn find(&self, id: u64) -> Option<&RunProgress> {
        self.runs.iter().find(|run| run.id == id)
    }
}

impl RunProgress {
    /// A run that has not begun.
    pub(super) fn of(id: u64) -> Self {
        Self {
            id,
            elapsed_nanos: 0,
            fired_nanos: 0,
            settling_nanos: 0,
            silent_nanos: 0,
            begun: false,
            moved: false,
        }
    }
}

impl Drive {
    /// Lets a joint hold where it is told to be, if it followed a run.
    pub fn stop_following(&mut self) {
        if let Owner::Run(_) = self.owner {
            let position = self.reference.position;
            self.owner = Owner::Hold { position, stop_secs: 0.0 };
            self.reference = Sample { position, velocity: 0.0, acceleration: 0.0 };
        }
    }

    /// Says whether a joint that holds has come to rest.
    pub fn is_still(&self) -> bool {
        match self.owner {
            Owner::Hold { position, .. } => {
                let rest = Sample { position, velocity: 0.0, acceleration: 0.0 };
                self.reference == rest
            }
            _ => false,
        }
    }
}
