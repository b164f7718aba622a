//! Who has which joints.
//!
//! Goals take whole groups, and the last one wins. A goal that loses a group is ended. Poses that
//! others publish are followed for ever: they wait where they lost, and go on when the group is
//! free again.

use std::sync::Arc;

use super::stop::Stop;
use super::{Cycle, End, Owner, Run, RunKind, StartFrom};
use crate::ErrorCode;
use crate::blend::Blend;
use crate::curve::Sample;

impl Cycle<'_> {
    /// Gives a run some groups, of which it moves the joints of `wanted`, each with where the run
    /// wants it now; goals that had one of the groups are ended.
    pub(super) fn take_groups(&mut self, id: u64, groups: &[usize], wanted: &[(usize, Sample)]) {
        let Some(run) = self.goals.find(id).cloned() else { return };
        // What those who lose leave behind is not what the joints do now.
        let before = wanted.iter().map(|(joint, _)| self.present(*joint, run.rules.start_from));
        let before: Vec<Sample> = before.collect();
        if let Some(progress) = self.progress.runs.iter_mut().find(|progress| progress.id == id) {
            progress.begun = true;
        }
        self.end_goals_with(groups, &run);
        for joint in groups.iter().flat_map(|group| &self.robot.groups()[*group].joints) {
            self.take_from_follower(*joint, id);
        }
        for (&(joint, reference), before) in wanted.iter().zip(before) {
            let drive = &mut self.progress.drives[joint];
            drive.owner = Owner::Run(id);
            drive.blending = run.rules.blend.start(before, reference);
            drive.reference = drive.blending.output();
        }
    }

    /// Ends the goals that have one of the groups, because a run takes them.
    fn end_goals_with(&mut self, groups: &[usize], taker: &Run) {
        let losers = self.goals_with(groups).filter(|other| other.id != taker.id);
        for loser in losers.cloned().collect::<Vec<_>>() {
            let text = format!("{:?} took its joints", taker.name());
            self.end_alone(loser.id, End::Preempted, ErrorCode::InvalidGoal, text);
            // A goal that an action started may take the joints of the one that started it.
            if !taker.is_below(&loser.goal_id) {
                self.end_below(&loser.goal_id);
            }
        }
    }

    /// Returns the goals that have one of the groups; those that have not begun have none yet.
    fn goals_with(&self, groups: &[usize]) -> impl Iterator<Item = &Arc<Run>> {
        let runs = self.goals.runs.iter().zip(&self.progress.runs);
        let goals =
            runs.filter(|(run, progress)| progress.begun && matches!(run.kind, RunKind::Goal(_)));
        goals.map(|(run, _)| run).filter(|run| run.groups.iter().any(|own| groups.contains(own)))
    }

    /// Lets a joint come to rest that follows poses, because somebody else has its group now.
    fn take_from_follower(&mut self, joint: usize, taker: u64) {
        let Owner::Run(id) = self.progress.drives[joint].owner else { return };
        let follower = self.goals.find(id).filter(|_| id != taker).cloned();
        if let Some(follower) = follower {
            self.stop(joint, &follower, Stop::OnTheWay);
        }
    }

    /// Gives a joint of a group that is free to whoever waits for the group; says whether one did.
    pub(super) fn give_back(&mut self, joint: usize) -> bool {
        let group = self.robot.group_of(joint);
        if self.goals_with(&[group]).next().is_some() {
            return false;
        }
        let asked = |run: &Arc<Run>| match &run.kind {
            RunKind::Follow(follow) => follow.asked_for(group),
            RunKind::Goal(_) => None,
        };
        let waiting = self.goals.runs.iter().filter_map(|run| Some((asked(run)?, run)));
        let last = waiting.max_by_key(|(number, _)| *number);
        let Some(run) = last.map(|(_, run)| Arc::clone(run)) else { return false };
        let Some(position) = run.target(joint) else { return false };
        let before = self.present(joint, StartFrom::Desired);
        let drive = &mut self.progress.drives[joint];
        drive.owner = Owner::Run(run.id);
        drive.blending = run.rules.blend.start(before, standing(position));
        drive.reference = drive.blending.output();
        true
    }

    /// Lets a joint that follows poses go over to another one.
    pub(super) fn retarget(&mut self, joint: usize, run: &Run, position: f64) {
        let drive = &mut self.progress.drives[joint];
        // A low-pass takes every step smoothly, and would lose what it remembers.
        let smooth = matches!(run.rules.blend, Blend::LowPass { .. });
        if drive.owner == Owner::Run(run.id) && !smooth {
            drive.blending = run.rules.blend.start(drive.reference, standing(position));
        }
    }
}

/// Returns a joint at rest.
pub(super) fn standing(position: f64) -> Sample {
    Sample { position, velocity: 0.0, acceleration: 0.0 }
}
