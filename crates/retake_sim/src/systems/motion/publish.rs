//! What a robot's players tell others.

use std::sync::Arc;

use retake_ecm::Ecm;
use retake_math::SimTime;
use retake_motion::curve::Sample;
use retake_motion::player::{End, Outcome, Owner, Run, RunKind, RunProgress};
use retake_msgs::motion_result::State;
use retake_msgs::{
    JointPose, JointReference, JointTrajectoryPoint, MotionFeedback, MotionResult, SupportState,
    TextCommandFired, names,
};

use super::components::{FiredActions, MotionGoals, MotionOutcomes, MotionProgress};
use super::messages::text_command;
use super::{Player, operate};
use crate::Outbox;
use crate::system::StepInfo;

/// How often joints and feedback are told, in nanoseconds of simulated time.
const PERIOD_NANOS: i64 = 50_000_000;

impl Player {
    /// Tells what happened in a step.
    pub(super) fn publish(&mut self, step: &StepInfo, ecm: &Ecm, out: &mut Outbox) {
        let began = step.sim_time - step.step_size;
        let outcomes = ecm.get::<MotionOutcomes>(self.model).into_iter().flat_map(|all| &all.0);
        for outcome in outcomes.filter(|outcome| outcome.at_nanos == began.as_nanos()) {
            out.publish(&names::motion_result(&self.name), &motion_result(outcome));
        }
        let fired = ecm.get::<FiredActions>(self.model);
        let fired = fired.filter(|fired| fired.at_nanos == began.as_nanos());
        for (run, command) in fired.into_iter().flat_map(|fired| &fired.actions) {
            let fired = TextCommandFired {
                stamp: Some(step.sim_time.into()),
                robot: self.name.clone(),
                motion: run.name().to_owned(),
                goal_id: run.goal_id.clone(),
                command: Some(text_command(command)),
                player: run.player,
            };
            out.publish(&names::text_command(&self.name), &fired);
        }
        let goals = ecm.get::<MotionGoals>(self.model).map(|goals| &goals.0.runs);
        let progress = ecm.get::<MotionProgress>(self.model).map(|progress| &progress.0);
        let (Some(goals), Some(progress)) = (goals, progress) else { return };
        let due = began.as_nanos().div_euclid(PERIOD_NANOS);
        if due == step.sim_time.as_nanos().div_euclid(PERIOD_NANOS) {
            return;
        }
        self.publish_joints(step.sim_time, ecm, out);
        self.publish_references(step.sim_time, ecm, out);
        let all = goals.iter().zip(&progress.runs).filter(|(_, progress)| progress.begun);
        for (run, progress) in all {
            self.publish_feedback(step.sim_time, (run, progress), ecm, out);
        }
    }

    fn publish_joints(&self, now: SimTime, ecm: &Ecm, out: &mut Outbox) {
        let mut measured = Vec::new();
        operate::measure(ecm, &self.robot, &mut measured);
        out.publish(
            &names::joints_virtual(&self.name),
            &JointPose {
                stamp: Some(now.into()),
                name: self.joint_names(),
                position: measured.iter().map(|sample| sample.position).collect(),
                velocity: measured.iter().map(|sample| sample.velocity).collect(),
                effort: Vec::new(),
            },
        );
    }

    fn joint_names(&self) -> Vec<String> {
        self.robot.robot.joints().iter().map(|joint| joint.name.clone()).collect()
    }

    /// Tells where players want the joints that they have.
    fn publish_references(&self, now: SimTime, ecm: &Ecm, out: &mut Outbox) {
        let Some(progress) = ecm.get::<MotionProgress>(self.model) else { return };
        let drives = progress.0.drives.iter().zip(self.robot.robot.joints());
        let moved = drives.filter(|(drive, _)| matches!(drive.owner, Owner::Run(_)));
        let mut reference = JointReference { stamp: Some(now.into()), ..JointReference::default() };
        for (drive, joint) in moved {
            reference.name.push(joint.name.clone());
            reference.position.push(drive.reference.position);
            reference.velocity.push(drive.reference.velocity);
            reference.acceleration.push(drive.reference.acceleration);
        }
        if !reference.name.is_empty() {
            out.publish(&names::ref_joints(&self.name), &reference);
        }
    }

    fn publish_feedback(
        &mut self,
        now: SimTime,
        (run, progress): (&Arc<Run>, &RunProgress),
        ecm: &Ecm,
        out: &mut Outbox,
    ) {
        let RunKind::Goal(goal) = &run.kind else { return };
        let Some(all) = ecm.get::<MotionProgress>(self.model) else { return };
        let mut measured = Vec::new();
        operate::measure(ecm, &self.robot, &mut measured);
        let wanted: Vec<Sample> =
            goal.moved.iter().map(|moved| all.0.drives[moved.joint].reference).collect();
        let actual: Vec<Sample> = goal.moved.iter().map(|moved| measured[moved.joint]).collect();
        let errors = goal.moved.iter().zip(wanted.iter().zip(&actual));
        let error = errors.map(|(moved, (wanted, actual))| Sample {
            position: self.robot.robot.joints()[moved.joint]
                .error(wanted.position, actual.position),
            velocity: wanted.velocity - actual.velocity,
            acceleration: 0.0,
        });
        let time = progress.elapsed_nanos as f64 / 1e9;
        let error: Vec<Sample> = error.collect();
        out.publish(
            &names::motion_feedback(&self.name),
            &MotionFeedback {
                stamp: Some(now.into()),
                goal_id: run.goal_id.clone(),
                motion: run.name().to_owned(),
                joint_names: goal
                    .moved
                    .iter()
                    .map(|m| goal.goal.joints[m.column].clone())
                    .collect(),
                desired: Some(point(&wanted, time)),
                actual: Some(point(&actual, time)),
                error: Some(point(&error, time)),
                duration_secs: goal.end_nanos() as f64 / 1e9,
            },
        );
        if goal.moved.is_empty() {
            return;
        }
        let curves = self.curves.of(run);
        let support =
            |at: usize| curves.map_or(0.0, |curves| curves.support(at, progress.elapsed_nanos));
        // A limb that is moved carries nothing, unless the motion says what it carries.
        let moved_groups =
            run.groups.iter().map(|group| (self.robot.robot.groups()[*group].name.clone(), 0.0));
        let told = goal.supports.iter().enumerate().map(|(at, column)| {
            let name = goal.goal.joints[*column].trim_start_matches("support/");
            (name.to_owned(), support(at))
        });
        let told: Vec<(String, f64)> = told.collect();
        let moved_groups =
            moved_groups.filter(|(name, _)| !told.iter().any(|(known, _)| known == name));
        let all: Vec<(String, f64)> = moved_groups.chain(told.iter().cloned()).collect();
        out.publish(
            &names::ref_support(&self.name),
            &SupportState {
                stamp: Some(now.into()),
                name: all.iter().map(|(name, _)| name.clone()).collect(),
                support: all.iter().map(|(_, support)| *support).collect(),
            },
        );
    }
}

fn point(samples: &[Sample], time_from_start: f64) -> JointTrajectoryPoint {
    JointTrajectoryPoint {
        positions: samples.iter().map(|sample| sample.position).collect(),
        velocities: samples.iter().map(|sample| sample.velocity).collect(),
        accelerations: samples.iter().map(|sample| sample.acceleration).collect(),
        effort: Vec::new(),
        time_from_start,
    }
}

/// Writes how a goal ended.
pub fn motion_result(outcome: &Outcome) -> MotionResult {
    let state = match outcome.end {
        End::Succeeded => State::Succeeded,
        End::Canceled => State::Canceled,
        End::Aborted => State::Aborted,
        End::Preempted => State::Preempted,
    };
    MotionResult {
        stamp: Some(SimTime::from_nanos(outcome.at_nanos).into()),
        goal_id: outcome.goal_id.clone(),
        motion: outcome.motion.clone(),
        state: state as i32,
        error_code: outcome.code.number(),
        error_string: outcome.text.clone(),
    }
}
