//! Ending goals, and what becomes of their joints.

use std::sync::Arc;

use super::arbiter::standing;
use super::{Cycle, End, OnCancel, Outcome, Owner, Run, RunKind};
use crate::blend::{Blend, stop_pose};
use crate::{ErrorCode, Refusal};

/// Most trajectory seconds for each second.
pub const FASTEST: f64 = 10.0;

impl Cycle<'_> {
    /// Cancels a goal by its sender's id, or all of them when it is empty; says how many.
    ///
    /// What actions of a goal started ends with it.
    pub fn cancel(&mut self, goal_id: &str) -> usize {
        let meant =
            |run: &&Arc<Run>| goal_id.is_empty() || run.goal_id == goal_id || run.is_below(goal_id);
        let ids: Vec<u64> = self.goals.runs.iter().filter(meant).map(|run| run.id).collect();
        for id in &ids {
            self.end(*id, End::Canceled, ErrorCode::Successful, "it was cancelled".to_owned());
        }
        ids.len()
    }

    /// Lets go of joints that nobody follows anything with: at once of those that rest, of the others
    /// when they have come to rest.
    pub fn release(&mut self) {
        self.progress.releasing = true;
        self.release_what_rests();
    }

    /// Lets go of joints that have come to rest, if that is wanted.
    pub(super) fn release_what_rests(&mut self) {
        if !self.progress.releasing {
            return;
        }
        let drives = self.progress.drives.iter_mut();
        let mut moves = false;
        for drive in drives.filter(|drive| matches!(drive.owner, Owner::Hold { .. })) {
            match drive.is_still() {
                true => {
                    drive.owner = Owner::Released;
                    // Whoever keeps the goals looks who has which joints.
                    self.goals_changed = true;
                }
                false => moves = true,
            }
        }
        self.progress.releasing = moves;
    }

    /// Lets go of every joint that players hold, limp ones too.
    pub fn release_all(&mut self) {
        let drives = self.progress.drives.iter_mut();
        let held = drives.filter(|d| matches!(d.owner, Owner::Limp | Owner::Hold { .. }));
        held.for_each(|drive| drive.owner = Owner::Released);
    }

    /// Goes on with joints that somebody had in hand, from where they are.
    pub fn rejoin(&mut self, joints: &[usize]) {
        for joint in self.known(joints) {
            let now = self.measured(joint);
            match self.progress.drives[joint].owner {
                Owner::Hold { .. } => self.hold_measured(joint),
                Owner::Run(id) => {
                    let Some(blend) = self.goals.find(id).map(|run| run.rules.blend) else {
                        continue;
                    };
                    let drive = &mut self.progress.drives[joint];
                    drive.blending = blend.start(now, drive.reference);
                    drive.reference = drive.blending.output();
                }
                Owner::Released | Owner::Limp => {}
            }
        }
    }

    /// Makes joints limp; goals that move one of them are ended, those that begin later too.
    pub fn torque_off(&mut self, joints: &[usize]) {
        for run in self.goals.runs.clone() {
            if joints.iter().any(|joint| run.moves(*joint)) {
                let text = "torque of its joints was switched off".to_owned();
                self.end(run.id, End::Aborted, ErrorCode::InvalidJoints, text);
            }
        }
        for joint in self.known(joints) {
            let rest = standing(self.measured(joint).position);
            let drive = &mut self.progress.drives[joint];
            (drive.owner, drive.reference) = (Owner::Limp, rest);
        }
    }

    /// Lets limp joints hold where they are.
    pub fn torque_on(&mut self, joints: &[usize]) {
        for joint in self.known(joints) {
            if self.progress.drives[joint].owner == Owner::Limp {
                self.hold_measured(joint);
            }
        }
    }

    /// Lets joints that players have hold where they are; goals that move one of them are ended,
    /// unless they begin later.
    pub fn hold_at(&mut self, joints: &[usize]) {
        for run in self.goals.runs.clone() {
            let has_begun = self.progress.find(run.id).is_some_and(|progress| progress.begun);
            if has_begun && joints.iter().any(|joint| run.moves(*joint)) {
                let text = "its joints were put elsewhere".to_owned();
                self.end(run.id, End::Aborted, ErrorCode::InvalidGoal, text);
            }
        }
        for joint in self.known(joints) {
            if let Owner::Hold { .. } = self.progress.drives[joint].owner {
                self.hold_measured(joint);
            }
        }
    }

    fn known(&self, joints: &[usize]) -> Vec<usize> {
        let count = self.progress.drives.len();
        joints.iter().copied().filter(|joint| *joint < count).collect()
    }

    fn hold_measured(&mut self, joint: usize) {
        let position = self.measured(joint).position;
        let drive = &mut self.progress.drives[joint];
        drive.owner = Owner::Hold { position, stop_secs: 0.0 };
        drive.reference = standing(position);
    }

    /// Lets trajectory time pass faster or slower.
    ///
    /// # Errors
    /// [`Refusal`] for a factor below 0 or above 10.
    pub fn set_speed(&mut self, factor: f64) -> Result<(), Refusal> {
        if !(0.0..=FASTEST).contains(&factor) {
            let text = format!("the speed is {factor}; write a number from 0 to {FASTEST}");
            return Err(Refusal::new(ErrorCode::InvalidGoal, text));
        }
        self.progress.wanted_speed = factor;
        if self.progress.runs.is_empty() {
            self.progress.speed = factor;
        }
        Ok(())
    }

    /// Notes that the sender of a goal is there.
    pub fn keep_alive(&mut self, goal_id: &str) {
        let Some(id) = self.goals.find_goal(goal_id).map(|run| run.id) else { return };
        let run = self.progress.runs.iter_mut().find(|run| run.id == id);
        run.into_iter().for_each(|run| run.silent_nanos = 0);
    }

    /// Ends a run, and what its actions started unless all was done.
    pub(super) fn end(&mut self, id: u64, end: End, code: ErrorCode, text: String) {
        let Some(run) = self.goals.find(id).cloned() else { return };
        self.end_alone(id, end, code, text);
        if end != End::Succeeded {
            self.end_below(&run.goal_id);
        }
    }

    /// Ends what actions of a goal that has ended started.
    pub(super) fn end_below(&mut self, goal_id: &str) {
        for run in self.goals.runs.clone() {
            if run.is_below(goal_id) {
                let text = format!("{goal_id:?}, which started it, has ended");
                self.end_alone(run.id, End::Canceled, ErrorCode::Successful, text);
            }
        }
    }

    /// Ends a run: its joints go to whoever waits for them, or come to rest and hold.
    pub(super) fn end_alone(&mut self, id: u64, end: End, code: ErrorCode, text: String) {
        let Some(at) = self.goals.runs.iter().position(|run| run.id == id) else { return };
        let run = self.goals.runs.remove(at);
        let begun = self.progress.find(id).is_some_and(|progress| progress.begun);
        self.progress.runs.retain(|progress| progress.id != id);
        self.goals_changed = true;
        for joint in 0..self.progress.drives.len() {
            let owner = self.progress.drives[joint].owner;
            let had = owner == Owner::Run(id);
            // Joints that it did not move, but kept from whoever waits for them.
            let kept = begun
                && matches!(owner, Owner::Hold { .. } | Owner::Released)
                && run.groups.contains(&self.robot.group_of(joint));
            let is_given = (had || kept) && self.give_back(joint);
            if had && !is_given {
                self.stop(joint, &run, Stop::of(code, end));
            }
        }
        self.outcomes.push(Outcome {
            at_nanos: self.now_nanos,
            goal_id: run.goal_id.clone(),
            motion: run.name().to_owned(),
            player: run.player,
            end,
            code,
            text,
        });
    }

    /// Lets a joint that a run had stop.
    pub(super) fn stop(&mut self, joint: usize, run: &Run, stop: Stop) {
        let measured = self.measured(joint).position;
        let facts = &self.robot.joints()[joint];
        let drive = &mut self.progress.drives[joint];
        let now = drive.reference;
        let secs = run.rules.stop_secs;
        let (position, stop_secs) = match (stop, run.rules.on_cancel) {
            (Stop::AtTheEnd, _) => {
                let is_abrupt = run.rules.blend == Blend::None;
                let secs = if is_abrupt { 0.0 } else { secs };
                (last_position(run, joint).unwrap_or(now.position), secs)
            }
            (_, OnCancel::Hold) => (measured, 0.0),
            (Stop::WhereItIs, OnCancel::Decelerate) => (measured, secs),
            (Stop::OnTheWay, OnCancel::Decelerate) => {
                let position = stop_pose(now, secs);
                // Near a limit it stops harder, and so does not swing beyond it.
                let room = facts.within_limits(position) - now.position;
                let share = room / (position - now.position);
                (position, if share > 0.0 && share < 1.0 { secs * share } else { secs })
            }
        };
        let position = facts.within_limits(position);
        drive.owner = Owner::Hold { position, stop_secs };
        match stop_secs > 0.0 {
            true => {
                let blend = Blend::Transient { time_secs: stop_secs };
                drive.blending = blend.start(now, standing(position));
            }
            false => drive.reference = standing(position),
        }
    }
}

/// Where a joint stops when its run is over.
#[derive(Clone, Copy)]
pub(super) enum Stop {
    /// At the last point.
    AtTheEnd,
    /// Where it is: it could not follow, and there it can stay.
    WhereItIs,
    /// As soon as it can.
    OnTheWay,
}

impl Stop {
    fn of(code: ErrorCode, end: End) -> Self {
        match (end, code) {
            (End::Succeeded, _) => Self::AtTheEnd,
            (_, ErrorCode::PathToleranceViolated | ErrorCode::GoalToleranceViolated) => {
                Self::WhereItIs
            }
            _ => Self::OnTheWay,
        }
    }
}

/// Returns where the last point of a goal has a joint.
fn last_position(run: &Run, joint: usize) -> Option<f64> {
    let RunKind::Goal(goal) = &run.kind else { return None };
    let moved = goal.moved.iter().find(|moved| moved.joint == joint)?;
    Some(goal.goal.points.last()?.positions[moved.column] + moved.shift)
}
