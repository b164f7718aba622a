//! One step of a robot's players.

use std::sync::Arc;

use retake_components::AxisCommand;
use retake_ecm::Ecm;
use retake_motion::TextCommand;
use retake_motion::curve::Sample;
use retake_motion::player::{Cycle, Drive, Goals, Outcome, Owner, Run};

use super::components::{
    FiredActions, Gains, MotionGoals, MotionProgress, MotionRobot, SharedRobot,
};
use super::{Player, operate, text_actions};
use crate::system::{StepInfo, SystemError};
use crate::systems::UserDriven;
use crate::systems::joint_drive::write_command;

/// Room for what is computed in each step, so that none is asked for while motions play.
pub(super) struct Buffers {
    measured: Vec<Sample>,
    goals: Goals,
    outcomes: Vec<Outcome>,
}

impl Buffers {
    pub(super) fn new(robot: &MotionRobot) -> Self {
        let measured = Vec::with_capacity(robot.joints.len());
        Self { measured, goals: Goals::default(), outcomes: Vec::new() }
    }
}

impl Player {
    /// Goes on by a step: where each joint is to be at its end becomes its command.
    pub(super) fn conduct(&mut self, step: &StepInfo, ecm: &mut Ecm) -> Result<(), SystemError> {
        self.renew_robot(ecm);
        let progress = ecm.get::<MotionProgress>(self.model);
        if progress.is_none_or(|progress| progress.0.is_at_rest()) {
            return self.command(ecm);
        }
        let Buffers { measured, goals, outcomes } = &mut self.buffers;
        operate::measure(ecm, &self.robot, measured);
        if let Some(kept) = ecm.get::<MotionGoals>(self.model) {
            goals.runs.clone_from(&kept.0.runs);
            goals.taken = kept.0.taken;
        }
        let Some(progress) = ecm.get_mut::<MotionProgress>(self.model) else { return Ok(()) };
        if !progress.0.fits(&self.robot.robot, goals) {
            let reason = "what it was doing does not belong to its joints; reset the world";
            return Err(SystemError::Unfit { reason: reason.to_owned() });
        }
        let mut cycle = Cycle {
            robot: &self.robot.robot,
            goals,
            progress: &mut progress.0,
            measured,
            now_nanos: step.sim_time.as_nanos(),
            outcomes,
            goals_changed: false,
        };
        cycle.advance(&mut self.curves, step.step_size.as_nanos());
        if cycle.goals_changed {
            ecm.set(self.model, MotionGoals(self.buffers.goals.clone())).ok();
            operate::keep_outcomes(ecm, self.model, &mut self.buffers.outcomes);
            operate::mark_owned(ecm, self.model, &self.robot);
        }
        self.command(ecm)?;
        self.act(step.sim_time.as_nanos(), ecm);
        Ok(())
    }

    /// Takes the robot as the last of the players that were made has found it.
    fn renew_robot(&mut self, ecm: &Ecm) {
        let Some(SharedRobot(robot)) = ecm.get::<SharedRobot>(self.model) else { return };
        if !Arc::ptr_eq(robot, &self.robot) {
            self.robot = Arc::clone(robot);
        }
    }

    /// Commands every joint that players have, unless a user has it in hand.
    fn command(&self, ecm: &mut Ecm) -> Result<(), SystemError> {
        for (place, (joint, gains)) in self.robot.joints.iter().zip(&self.robot.gains).enumerate() {
            let drives = ecm.get::<MotionProgress>(self.model).map(|progress| &progress.0.drives);
            let Some(drive) = drives.and_then(|drives| drives.get(place)).copied() else { break };
            let Some(command) = command_of(&drive, gains) else { continue };
            if ecm.get::<UserDriven>(*joint).is_none() {
                write_command(ecm, *joint, 0, command)?;
            }
        }
        Ok(())
    }

    /// Does what the text actions say whose time has come, and notes it for telling.
    fn act(&self, now_nanos: i64, ecm: &mut Ecm) {
        let goals = ecm.get::<MotionGoals>(self.model).map(|goals| &goals.0.runs);
        let progress = ecm.get::<MotionProgress>(self.model).map(|progress| &progress.0.runs);
        let runs = goals.into_iter().flatten().zip(progress.into_iter().flatten());
        let due = runs.flat_map(|(run, progress)| run.due(progress).iter().map(move |d| (run, d)));
        let actions: Vec<(Arc<Run>, TextCommand)> =
            due.map(|(run, action)| (Arc::clone(run), action.command.clone())).collect();
        if actions.is_empty() {
            return;
        }
        for (run, command) in &actions {
            text_actions::act(ecm, self.model, run, command);
        }
        // The model exists: it has the goals whose actions these are.
        ecm.set(self.model, FiredActions { at_nanos: now_nanos, actions }).ok();
    }
}

/// Returns what a joint is commanded, if players have it.
fn command_of(drive: &Drive, gains: &Gains) -> Option<AxisCommand> {
    let Sample { position, velocity, .. } = drive.reference;
    match drive.owner {
        Owner::Released => None,
        Owner::Limp => Some(AxisCommand::Free),
        Owner::Run(_) | Owner::Hold { .. } => Some(AxisCommand::Position {
            // The drive damps all motion; damping only what differs from the wanted velocity is
            // the same as aiming a little ahead.
            target: position + velocity * gains.damping / gains.stiffness,
            stiffness: gains.stiffness,
            damping: gains.damping,
            max_effort: gains.max_effort,
        }),
    }
}
