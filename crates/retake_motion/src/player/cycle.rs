//! One period of a robot's players.

use std::sync::Arc;

use super::arbiter::standing;
use super::run::GoalRun;
use super::{
    End, GoalTime, Goals, Outcome, Owner, Progress, Robot, Run, RunKind, Trajectory, nanos, secs,
};
use crate::ErrorCode;
use crate::blend::Blend;
use crate::curve::Sample;

/// How long the speed takes to change by 1, in s.
const EASING_SECS: f64 = 0.2;

/// A robot's players at one instant, to be asked or to go on by one period.
pub struct Cycle<'a> {
    /// The joints.
    pub robot: &'a Robot,
    /// The goals.
    pub goals: &'a mut Goals,
    /// How far they have come.
    pub progress: &'a mut Progress,
    /// Where each joint of the robot is.
    pub measured: &'a [Sample],
    /// Simulated time.
    pub now_nanos: i64,
    /// How goals ended; more are added.
    pub outcomes: &'a mut Vec<Outcome>,
    /// Whether goals came, began or went.
    pub goals_changed: bool,
}

/// The curves of the goals that run; can be dropped at any time.
#[derive(Debug, Default)]
pub struct Curves {
    /// With the run itself: after a rewind its number may be that of another.
    built: Vec<(Arc<Run>, Trajectory)>,
    samples: Vec<Sample>,
}

impl Curves {
    /// Returns the curves of a run, built now if need be.
    pub fn of(&mut self, run: &Arc<Run>) -> Option<&Trajectory> {
        let RunKind::Goal(goal) = &run.kind else { return None };
        let at = match self.built.iter().position(|(built, _)| Arc::ptr_eq(built, run)) {
            Some(at) => at,
            None => {
                let trajectory = Trajectory::new(goal, run.rules.blend).ok()?;
                self.built.push((Arc::clone(run), trajectory));
                self.built.len() - 1
            }
        };
        self.built.get(at).map(|(_, trajectory)| trajectory)
    }

    fn keep(&mut self, goals: &Goals) {
        let is_kept = |built: &Arc<Run>| goals.runs.iter().any(|run| Arc::ptr_eq(run, built));
        self.built.retain(|(built, _)| is_kept(built));
    }
}

impl Cycle<'_> {
    /// Goes on by one period: ends what is over, begins what is due, and says where each joint is
    /// to be at the end of the period.
    pub fn advance(&mut self, curves: &mut Curves, dt_nanos: i64) {
        self.end_what_is_over();
        self.begin_anew_what_repeats();
        self.begin_what_is_due(dt_nanos);
        curves.keep(self.goals);
        self.ease_speed(secs(dt_nanos));
        for at in 0..self.goals.runs.len() {
            self.pass_time(at, dt_nanos);
            self.follow_run(at, curves, secs(dt_nanos));
        }
        self.settle(secs(dt_nanos));
        self.release_what_rests();
    }

    fn end_what_is_over(&mut self) {
        let mut at = 0;
        while at < self.goals.runs.len() {
            match self.verdict(at) {
                Some((end, code, text)) => {
                    let id = self.goals.runs[at].id;
                    self.end(id, end, code, text);
                }
                None => at += 1,
            }
        }
    }

    /// Says how a run ends now, if it does.
    fn verdict(&self, at: usize) -> Option<(End, ErrorCode, String)> {
        let (run, progress) = (&self.goals.runs[at], &self.progress.runs[at]);
        let RunKind::Goal(goal) = &run.kind else { return None };
        if run.keep_alive_nanos > 0 && progress.silent_nanos >= run.keep_alive_nanos {
            let text = format!(
                "its sender was not heard for {:.3} s, so that it was stopped",
                secs(progress.silent_nanos)
            );
            return Some((End::Aborted, ErrorCode::InvalidGoal, text));
        }
        if !progress.begun {
            return None;
        }
        if progress.elapsed_nanos < goal.end_nanos() || goal.goal.repeat {
            return self.off_the_path(run, goal);
        }
        match self.off_the_goal(run, goal) {
            None => Some((End::Succeeded, ErrorCode::Successful, String::new())),
            Some(text) => {
                let allowed = goal_time(run, goal);
                let late = allowed.is_some_and(|allowed| progress.settling_nanos > allowed);
                late.then_some((End::Aborted, ErrorCode::GoalToleranceViolated, text))
            }
        }
    }

    fn off_the_path(&self, run: &Run, goal: &GoalRun) -> Option<(End, ErrorCode, String)> {
        for moved in &goal.moved {
            let (joint, drive) =
                (&self.robot.joints()[moved.joint], &self.progress.drives[moved.joint]);
            if drive.owner != Owner::Run(run.id) {
                continue;
            }
            let Sample { position, velocity, .. } = self.measured[moved.joint];
            let error = joint.error(drive.reference.position, position).abs();
            let faster = (drive.reference.velocity - velocity).abs();
            let text = if is_beyond(error, moved.path) {
                format!("{error:.3} off the path at {position:.3}, where {:.3}", moved.path)
            } else if is_beyond(faster, moved.path_velocity) {
                format!(
                    "{faster:.3} off the velocity at {velocity:.3}, where {:.3}",
                    moved.path_velocity
                )
            } else {
                continue;
            };
            let text = format!("joint {:?} is {text} is allowed", joint.name);
            return Some((End::Aborted, ErrorCode::PathToleranceViolated, text));
        }
        None
    }

    /// Says which joint is too far from the end of the goal.
    fn off_the_goal(&self, run: &Run, goal: &GoalRun) -> Option<String> {
        let last = goal.goal.points.last()?;
        for moved in &goal.moved {
            let joint = &self.robot.joints()[moved.joint];
            if self.progress.drives[moved.joint].owner != Owner::Run(run.id) {
                continue;
            }
            let measured = self.measured[moved.joint];
            let wanted = last.positions[moved.column] + moved.shift;
            let error = joint.error(wanted, measured.position).abs();
            if is_beyond(error, moved.goal) {
                return Some(format!(
                    "joint {:?} ended at {:.3}, {error:.3} off, where {:.3} is allowed",
                    joint.name, measured.position, moved.goal
                ));
            }
            // What it is told, not what the last point says: after a moving end it is told to rest.
            let wanted = self.progress.drives[moved.joint].reference.velocity;
            if is_beyond((measured.velocity - wanted).abs(), moved.goal_velocity) {
                return Some(format!(
                    "joint {:?} still moves at {:.3}, where {:.3} is allowed",
                    joint.name, measured.velocity, moved.goal_velocity
                ));
            }
        }
        None
    }

    fn begin_anew_what_repeats(&mut self) {
        let mut at = 0;
        while at < self.goals.runs.len() {
            let (run, progress) = (&self.goals.runs[at], &self.progress.runs[at]);
            let repeats = matches!(&run.kind, RunKind::Goal(goal) if goal.goal.repeat);
            let is_over = run.end_nanos().is_some_and(|end| progress.elapsed_nanos >= end);
            let id = run.id;
            if repeats
                && progress.begun
                && is_over
                && let Err(refusal) = self.begin_anew(at)
            {
                self.end(id, End::Aborted, refusal.code, refusal.text);
                // Others may have gone with it: the places are others now.
                at = 0;
                continue;
            }
            at += 1;
        }
    }

    fn begin_what_is_due(&mut self, dt_nanos: i64) {
        for at in 0..self.goals.runs.len() {
            let Some(progress) = self.progress.runs.get(at).copied() else { return };
            let is_due = !progress.begun && progress.elapsed_nanos + dt_nanos > 0;
            if !is_due {
                continue;
            }
            if let Err(refusal) = self.begin_waiting(progress.id) {
                self.end(progress.id, End::Aborted, refusal.code, refusal.text);
            }
            // What it took the joints from may have gone: the places are others now.
            return self.begin_what_is_due(dt_nanos);
        }
    }

    /// Makes trajectory time pass faster or slower little by little, so that no velocity jumps.
    fn ease_speed(&mut self, dt_secs: f64) {
        let Progress { speed, wanted_speed, .. } = &mut *self.progress;
        let reach = dt_secs / EASING_SECS;
        *speed += (*wanted_speed - *speed).clamp(-reach, reach);
    }

    fn pass_time(&mut self, at: usize, dt_nanos: i64) {
        let (run, speed) = (&self.goals.runs[at], self.progress.speed);
        let progress = &mut self.progress.runs[at];
        progress.silent_nanos = progress.silent_nanos.saturating_add(dt_nanos);
        let RunKind::Goal(goal) = &run.kind else { return };
        if progress.begun && progress.elapsed_nanos >= goal.end_nanos() {
            progress.settling_nanos = progress.settling_nanos.saturating_add(dt_nanos);
        }
        // Waiting is for a time of the clock, whatever the speed is.
        let passed = match progress.begun {
            true => nanos(speed * secs(dt_nanos)),
            false => dt_nanos,
        };
        if progress.begun && progress.moved {
            progress.fired_nanos = progress.elapsed_nanos;
        }
        progress.moved = progress.begun;
        progress.elapsed_nanos = progress.elapsed_nanos.saturating_add(passed);
    }

    fn follow_run(&mut self, at: usize, curves: &mut Curves, dt_secs: f64) {
        let run = &self.goals.runs[at];
        let elapsed = self.progress.runs[at].elapsed_nanos;
        match &run.kind {
            RunKind::Follow(follow) => {
                for (joint, position) in &follow.targets {
                    drive(self.progress, (*joint, run), standing(*position), dt_secs);
                }
            }
            RunKind::Goal(_) if !self.progress.runs[at].begun => {}
            RunKind::Goal(goal) => {
                let mut samples = std::mem::take(&mut curves.samples);
                let count = curves.of(run).map_or(0, |curve| curve.joints(elapsed, &mut samples));
                for (moved, sample) in goal.moved.iter().zip(&samples[..count]) {
                    let sample = sample.at_speed(self.progress.speed);
                    drive(self.progress, (moved.joint, run), sample, dt_secs);
                }
                curves.samples = samples;
            }
        }
    }

    /// Lets joints that nobody moves come to rest, and limp ones be where they are.
    fn settle(&mut self, dt_secs: f64) {
        for (drive, measured) in self.progress.drives.iter_mut().zip(self.measured) {
            match drive.owner {
                Owner::Hold { position, stop_secs } if !drive.is_still() => {
                    let rest = standing(position);
                    let blend = Blend::Transient { time_secs: stop_secs };
                    drive.reference = blend.cycle(&mut drive.blending, rest, dt_secs);
                }
                Owner::Limp if measured.position.is_finite() => {
                    drive.reference = standing(measured.position);
                }
                _ => {}
            }
        }
    }
}

/// Moves a joint that the run has on towards where the run wants it.
fn drive(progress: &mut Progress, (joint, run): (usize, &Run), wanted: Sample, dt_secs: f64) {
    let Some(drive) = progress.drives.get_mut(joint) else { return };
    if drive.owner == Owner::Run(run.id) {
        drive.reference = run.rules.blend.cycle(&mut drive.blending, wanted, dt_secs);
    }
}

impl Sample {
    /// Returns it with the rates of a trajectory whose time runs faster or slower.
    pub(super) fn at_speed(self, speed: f64) -> Self {
        Self {
            position: self.position,
            velocity: self.velocity * speed,
            acceleration: self.acceleration * speed * speed,
        }
    }
}

/// Says whether an error is more than allowed; one that is no number is.
fn is_beyond(error: f64, allowed: f64) -> bool {
    allowed.is_finite() && (error > allowed || error.is_nan())
}

/// Returns how long joints may take to settle, in nanoseconds; none is without limit.
fn goal_time(run: &Run, goal: &GoalRun) -> Option<i64> {
    let given = goal.goal.goal_time_tolerance_secs;
    match (given, run.rules.goal_time) {
        (0.0, GoalTime::Unlimited) => None,
        (0.0, GoalTime::Secs(secs)) => Some(nanos(secs)),
        (given, _) if given > 0.0 => Some(nanos(given)),
        _ => None,
    }
}
