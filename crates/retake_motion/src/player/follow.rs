//! Following poses that others publish.

use std::sync::Arc;

use super::arbiter::standing;
use super::start::limp;
use super::{Cycle, Follow, Order, Owner, Run, RunKind, RunProgress, check};
use crate::curve::Sample;
use crate::{ErrorCode, Refusal};

impl Cycle<'_> {
    /// Follows poses that others publish; joints that are not named stay as they are.
    ///
    /// Groups are asked for once: whoever takes one later keeps it until he is done, however many
    /// poses come meanwhile.
    ///
    /// # Errors
    /// [`Refusal`] when a joint is unknown or limp, or a number cannot be used.
    pub fn follow(&mut self, order: &Order, pose: &[(&str, f64)]) -> Result<(), Refusal> {
        let old =
            self.goals.runs.iter().position(|run| {
                run.player == order.player && matches!(run.kind, RunKind::Follow(_))
            });
        let known = old.map(|at| Arc::clone(&self.goals.runs[at]));
        let mut follow = Follow::default();
        if let Some(RunKind::Follow(before)) = known.as_ref().map(|run| &run.kind) {
            follow.clone_from(before);
        }
        for (name, position) in pose {
            self.aim(&mut follow, name, *position)?;
        }
        if old.is_none() {
            self.check_room(order)?;
        }
        let groups = self.groups_of(follow.targets.iter().map(|(joint, _)| *joint));
        let new: Vec<usize> =
            groups.iter().copied().filter(|group| follow.asked_for(*group).is_none()).collect();
        if known.is_none() || !new.is_empty() {
            self.goals.taken += 1;
        }
        follow.asked.extend(new.into_iter().map(|group| (group, self.goals.taken)));
        let id = known.as_ref().map_or(self.goals.taken, |run| run.id);
        let run = Arc::new(Run {
            id,
            goal_id: known.as_ref().map_or(&order.goal_id, |run| &run.goal_id).clone(),
            player: order.player,
            rules: order.rules.clone(),
            kind: RunKind::Follow(follow),
            groups,
            keep_alive_nanos: 0,
        });
        self.goals_changed = true;
        match old {
            Some(at) => self.goals.runs[at] = Arc::clone(&run),
            None => {
                self.goals.runs.push(Arc::clone(&run));
                self.progress.runs.push(RunProgress { begun: true, ..RunProgress::of(id) });
            }
        }
        self.take_what_is_new(&run, known.as_deref());
        Ok(())
    }

    /// Notes where a joint is to be: the shorter way round, and not beyond its limits.
    fn aim(&self, follow: &mut Follow, name: &str, position: f64) -> Result<(), Refusal> {
        let joint = self.robot.find(name).ok_or_else(|| unknown(name))?;
        let facts = &self.robot.joints()[joint];
        if !position.is_finite() {
            let text = format!("joint {name:?} is to be at {position}; send a finite number");
            return Err(check::invalid(text));
        }
        if self.progress.drives[joint].owner == Owner::Limp {
            return Err(limp(facts));
        }
        let position = facts.within_limits(position);
        let place = follow.targets.binary_search_by_key(&joint, |(target, _)| *target);
        match place {
            Ok(at) => {
                let before = follow.targets[at].1;
                follow.targets[at].1 = position + facts.turns_towards(before, position);
            }
            Err(at) => {
                let present = self.measured(joint).position;
                let position = position + facts.turns_towards(present, position);
                follow.targets.insert(at, (joint, position));
            }
        }
        Ok(())
    }

    /// Takes groups that were not asked for before, and goes on in those that it has.
    fn take_what_is_new(&mut self, run: &Run, before: Option<&Run>) {
        let RunKind::Follow(follow) = &run.kind else { return };
        let is_old = |group: usize| before.is_some_and(|before| before.groups.contains(&group));
        let has = |group: &usize| {
            let joints = &self.robot.groups()[*group].joints;
            joints.iter().any(|joint| self.progress.drives[*joint].owner == Owner::Run(run.id))
        };
        let taken = run.groups.iter().copied().filter(|group| !is_old(*group) || has(group));
        let taken: Vec<usize> = taken.collect();
        let mut fresh: Vec<(usize, Sample)> = Vec::new();
        for &(joint, position) in &follow.targets {
            let was = before.and_then(|before| before.target(joint));
            match was {
                Some(was) if was == position => {}
                Some(_) => self.retarget(joint, run, position),
                None if taken.contains(&self.robot.group_of(joint)) => {
                    fresh.push((joint, standing(position)));
                }
                None => {}
            }
        }
        self.take_groups(run.id, &taken, &fresh);
    }
}

fn unknown(name: &str) -> Refusal {
    let text = format!("the robot has no joint {name:?}");
    Refusal::new(ErrorCode::InvalidJoints, text)
}
