//! A robot whose joints do exactly what they are told, or fail to in a known way.

use retake_motion::curve::Sample;
use retake_motion::player::{Curves, Cycle, Goals, Group, Joint, Outcome, Owner, Progress, Robot};

/// How a joint moves.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Body {
    /// It is where it is told to be.
    #[default]
    Ideal,
    /// It does not move.
    Stuck,
    /// It follows with a time constant, in s.
    Lags(f64),
    /// It does not get beyond.
    Wall(f64),
}

/// A robot with its players.
pub struct Stage {
    pub robot: Robot,
    pub goals: Goals,
    pub progress: Progress,
    pub measured: Vec<Sample>,
    pub bodies: Vec<Body>,
    pub now_nanos: i64,
    pub outcomes: Vec<Outcome>,
    pub curves: Curves,
}

impl Stage {
    pub fn new(joints: Vec<Joint>, groups: Vec<Group>) -> Self {
        let robot = Robot::new(joints, groups).unwrap();
        let count = robot.joints().len();
        Self {
            progress: Progress::new(&robot),
            robot,
            goals: Goals::default(),
            measured: vec![Sample::default(); count],
            bodies: vec![Body::Ideal; count],
            now_nanos: 0,
            outcomes: Vec::new(),
            curves: Curves::default(),
        }
    }

    /// Asks the players something.
    pub fn ask<T>(&mut self, what: impl FnOnce(&mut Cycle<'_>) -> T) -> T {
        what(&mut Cycle {
            robot: &self.robot,
            goals: &mut self.goals,
            progress: &mut self.progress,
            measured: &self.measured,
            now_nanos: self.now_nanos,
            outcomes: &mut self.outcomes,
            goals_changed: false,
        })
    }

    /// Lets a period pass, at the end of which the joints are where their bodies let them be.
    pub fn advance(&mut self, dt_nanos: i64) {
        let mut curves = std::mem::take(&mut self.curves);
        self.ask(|cycle| cycle.advance(&mut curves, dt_nanos));
        self.curves = curves;
        self.now_nanos += dt_nanos;
        let dt_secs = dt_nanos as f64 / 1e9;
        for (at, drive) in self.progress.drives.iter().enumerate() {
            if matches!(drive.owner, Owner::Released | Owner::Limp) {
                continue;
            }
            let (before, wanted) = (self.measured[at].position, drive.reference);
            self.measured[at] = match self.bodies[at] {
                Body::Ideal => Sample { acceleration: 0.0, ..wanted },
                Body::Stuck => Sample { position: before, ..Sample::default() },
                Body::Lags(secs) => {
                    let way = (wanted.position - before) * (1.0 - (-dt_secs / secs).exp());
                    let velocity = if dt_secs > 0.0 { way / dt_secs } else { 0.0 };
                    Sample { position: before + way, velocity, acceleration: 0.0 }
                }
                Body::Wall(wall) if wanted.position > wall => {
                    Sample { position: wall, ..Sample::default() }
                }
                Body::Wall(_) => Sample { acceleration: 0.0, ..wanted },
            };
        }
    }

    /// Returns what joints are told.
    pub fn references(&self) -> Vec<Sample> {
        self.progress.drives.iter().map(|drive| drive.reference).collect()
    }

    /// Returns the actions that fired in the last period, with the goals that had them.
    pub fn fired(&self) -> Vec<(String, String)> {
        let runs = self.goals.runs.iter().zip(&self.progress.runs);
        let due = runs.flat_map(|(run, progress)| {
            let due = run.due(progress).iter();
            due.map(|action| (run.goal_id.clone(), action.command.command.clone()))
        });
        due.collect()
    }
}

/// A joint without limits.
pub fn joint(name: &str) -> Joint {
    let limits = (f64::NEG_INFINITY, f64::INFINITY);
    Joint { name: name.to_owned(), continuous: false, limits }
}
