//! Taking a goal.

use std::sync::Arc;

use super::run::{GoalRun, Moved};
use super::{
    Cycle, Joint, Order, Owner, Rules, Run, RunKind, RunProgress, StartFrom, Trajectory, check,
    nanos,
};
use crate::curve::Sample;
use crate::{ErrorCode, Refusal};

/// Goals that a robot may have at once, those that begin later included.
const MAX_RUNS: usize = 64;
/// Longest id of a goal, in bytes.
const MAX_ID_BYTES: usize = 256;

/// What became of a goal that was taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Start {
    /// It moves joints now.
    Begun,
    /// It begins when its time comes.
    Later,
}

impl Cycle<'_> {
    /// Takes a goal, or says why not; then nothing has changed.
    ///
    /// Goals that have joints of the same groups are ended, unless it begins later.
    ///
    /// # Errors
    /// [`Refusal`] with the code of `FollowJointTrajectory` and what to do.
    pub fn start(&mut self, order: &Order) -> Result<Start, Refusal> {
        self.check_room(order)?;
        let mut run = check::check(self.robot, order, self.now_nanos)?;
        self.check_torque(&run)?;
        let keep_alive_nanos = nanos(order.keep_alive_secs.clamp(0.0, 1e6));
        let waits = run.begun_nanos < 0;
        let wanted = match waits {
            // Built to see that it can be; where the joints are then will show when it begins.
            true => Trajectory::new(&run, order.rules.blend).map(|_| Vec::new())?,
            false => self.anchor(&mut run, &order.rules)?,
        };
        let groups = self.groups_of(run.moved.iter().map(|moved| moved.joint));
        self.goals.taken += 1;
        let id = self.goals.taken;
        let elapsed_nanos = run.begun_nanos;
        self.goals.runs.push(Arc::new(Run {
            id,
            goal_id: order.goal_id.clone(),
            player: order.player,
            rules: order.rules.clone(),
            kind: RunKind::Goal(Box::new(run)),
            groups: groups.clone(),
            keep_alive_nanos,
        }));
        // Actions at the very beginning are still to come.
        let fired_nanos = elapsed_nanos.max(0) - 1;
        self.progress.runs.push(RunProgress { elapsed_nanos, fired_nanos, ..RunProgress::of(id) });
        self.goals_changed = true;
        self.progress.releasing = false;
        if waits {
            return Ok(Start::Later);
        }
        self.take_groups(id, &groups, &wanted);
        Ok(Start::Begun)
    }

    /// Begins a goal whose time has come.
    pub(super) fn begin_waiting(&mut self, id: u64) -> Result<(), Refusal> {
        let Some(at) = self.goals.runs.iter().position(|run| run.id == id) else { return Ok(()) };
        let mut run = Run::clone(&self.goals.runs[at]);
        let RunKind::Goal(goal) = &mut run.kind else { return Ok(()) };
        goal.begun_nanos = goal.begun_nanos.max(0);
        self.check_torque(goal)?;
        let wanted = self.anchor(goal, &run.rules)?;
        let groups = run.groups.clone();
        self.goals.runs[at] = Arc::new(run);
        self.goals_changed = true;
        self.take_groups(id, &groups, &wanted);
        Ok(())
    }

    /// Begins a goal that repeats anew, from where its joints are told to be; what its actions
    /// started goes on, as after a goal that has ended well.
    pub(super) fn begin_anew(&mut self, at: usize) -> Result<(), Refusal> {
        let mut run = Run::clone(&self.goals.runs[at]);
        let RunKind::Goal(goal) = &mut run.kind else { return Ok(()) };
        goal.begun_nanos = 0;
        // However a first pass begins, joints that it has are where it told them to be.
        let rules =
            Rules { start_from: StartFrom::Desired, check_start: false, ..run.rules.clone() };
        for (joint, wanted) in self.anchor(goal, &rules)? {
            let drive = &mut self.progress.drives[joint];
            if drive.owner == Owner::Run(run.id) {
                drive.blending = rules.blend.start(drive.reference, wanted);
            }
        }
        let progress = &mut self.progress.runs[at];
        let silent_nanos = progress.silent_nanos;
        // Actions at the very beginning are still to come.
        *progress =
            RunProgress { fired_nanos: -1, silent_nanos, begun: true, ..RunProgress::of(run.id) };
        self.goals.runs[at] = Arc::new(run);
        self.goals_changed = true;
        Ok(())
    }

    pub(super) fn check_room(&self, order: &Order) -> Result<(), Refusal> {
        if order.goal_id.is_empty() || order.goal_id.len() > MAX_ID_BYTES {
            return Err(check::invalid(format!("its id must have 1 to {MAX_ID_BYTES} bytes")));
        }
        if self.goals.find_goal(&order.goal_id).is_some() {
            let id = &order.goal_id;
            return Err(check::invalid(format!("goal {id:?} is being followed already")));
        }
        match self.goals.runs.len() < MAX_RUNS {
            true => Ok(()),
            false => Err(check::invalid(format!(
                "the robot has {MAX_RUNS} goals already; cancel some first"
            ))),
        }
    }

    fn check_torque(&self, run: &GoalRun) -> Result<(), Refusal> {
        let limp_one = |moved: &&Moved| self.progress.drives[moved.joint].owner == Owner::Limp;
        match run.moved.iter().find(limp_one) {
            Some(moved) => Err(limp(&self.robot.joints()[moved.joint])),
            None => Ok(()),
        }
    }

    /// Notes where the joints are as the goal begins, and turns joints without end the short way;
    /// returns where it wants each joint now.
    fn anchor(&self, run: &mut GoalRun, rules: &Rules) -> Result<Vec<(usize, Sample)>, Refusal> {
        let began = run.begun_nanos.max(0);
        let present = |moved: &Moved| self.present(moved.joint, rules.start_from);
        run.anchor = run.moved.iter().map(present).collect();
        let first = run.goal.points.iter().find(|point| nanos(point.time_secs) >= began);
        if let Some(first) = first {
            for (moved, anchor) in run.moved.iter_mut().zip(&run.anchor) {
                let joint = &self.robot.joints()[moved.joint];
                moved.shift = joint.turns_towards(anchor.position, first.positions[moved.column]);
            }
        }
        self.check_start(run, rules)?;
        let trajectory = Trajectory::new(run, rules.blend)?;
        let joints = run.moved.iter().enumerate();
        let wanted = joints.filter_map(|(at, moved)| {
            let sample = trajectory.joint(at, began)?;
            Some((moved.joint, sample.at_speed(self.progress.speed)))
        });
        Ok(wanted.collect())
    }

    /// Returns where a joint is, as the rules see it.
    pub(super) fn present(&self, joint: usize, from: StartFrom) -> Sample {
        let drive = &self.progress.drives[joint];
        match (from, drive.owner) {
            (StartFrom::Desired, Owner::Run(_) | Owner::Hold { .. }) => drive.reference,
            _ => Sample { acceleration: 0.0, ..self.measured(joint) },
        }
    }

    /// Returns where a joint is; where it is to be, when that is not known.
    pub(super) fn measured(&self, joint: usize) -> Sample {
        let known = |sample: &&Sample| sample.position.is_finite() && sample.velocity.is_finite();
        let told = self.progress.drives[joint].reference;
        self.measured.get(joint).filter(known).copied().unwrap_or(told)
    }

    /// Returns the groups that joints are in, sorted.
    pub(super) fn groups_of(&self, joints: impl Iterator<Item = usize>) -> Vec<usize> {
        let mut groups: Vec<usize> = joints.map(|joint| self.robot.group_of(joint)).collect();
        groups.sort_unstable();
        groups.dedup();
        groups
    }

    /// Refuses a motion that begins at once elsewhere than the joints are.
    fn check_start(&self, run: &GoalRun, rules: &Rules) -> Result<(), Refusal> {
        let first = run.goal.points.first().filter(|point| point.time_secs == 0.0);
        let Some(first) = first.filter(|_| rules.check_start && run.begun_nanos == 0) else {
            return Ok(());
        };
        for moved in &run.moved {
            let joint = &self.robot.joints()[moved.joint];
            let wanted = first.positions[moved.column];
            let actual = self.measured(moved.joint).position;
            let off = joint.error(wanted, actual).abs();
            if off > moved.path {
                let text = format!(
                    "joint {:?} is at {actual:.3}, and it begins at {wanted:.3}: {off:.3} off, \
                     where {:.3} is allowed. Move it there first, or raise its path tolerance",
                    joint.name, moved.path
                );
                return Err(Refusal::new(ErrorCode::PathToleranceViolated, text));
            }
        }
        Ok(())
    }
}

pub(super) fn limp(joint: &Joint) -> Refusal {
    let name = &joint.name;
    check::invalid(format!("the torque of joint {name:?} is off; switch it on first"))
}
