//! Follows the points of a trajectory by efforts, as Gazebo's JointTrajectoryController.
//!
//! Each point is aimed at from the time of the one before it until its own, without anything in
//! between; players of motions are for smooth ones.

mod gains;
mod target;

use retake_components::{AxisCommand, JointPosition, JointSpec, JointVelocity, WorldClock};
use retake_components::{EntityName, world_entity};
use retake_ecm::{Component, Ecm, EntityId, Parent};
use retake_math::SimTime;
use retake_msgs::{Double, JointTrajectory};
use serde::{Deserialize, Serialize};

use super::joint_drive::{check_axis, command_axis, find_joint, gone, release_axis};
use super::joint_topic::topic_or;
use super::pid::{Pid, PidState};
use super::{Attachment, SystemKind, message};
use crate::Outbox;
use crate::system::{StepInfo, System, SystemError};
use target::points_of;

pub(super) const KIND: SystemKind = SystemKind {
    names: &[
        "gz::sim::systems::JointTrajectoryController",
        "ignition::gazebo::systems::JointTrajectoryController",
    ],
    register: |builder| builder.with::<TrajectoryState>().with::<TrajectoryPoints>(),
    make: |attachment, ecm| JointTrajectoryController::make(attachment, ecm),
};

/// How far a trajectory controller is; on its plugin entity.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TrajectoryState {
    /// When the trajectory began.
    pub start: SimTime,
    /// The point that is aimed at; none before the first.
    pub point: Option<usize>,
    /// What each joint aims at.
    pub targets: Vec<JointTarget>,
}

impl Component for TrajectoryState {
    const NAME: &'static str = "joint_trajectory";
}

/// The points that a trajectory controller follows; on its plugin entity.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TrajectoryPoints(pub Vec<TrajectoryPoint>);

impl TrajectoryPoints {
    /// Most points that are taken at once.
    pub const MOST: usize = 65_536;
}

impl Component for TrajectoryPoints {
    const NAME: &'static str = "joint_trajectory_points";
}

/// A point of a trajectory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrajectoryPoint {
    /// When the next point is aimed at, in s from the start.
    pub until_secs: f64,
    /// What joints, by their index in the controller, aim at.
    pub joints: Vec<(usize, Aim)>,
}

/// Position, velocity and effort to aim at; what is not said is 0, as in Gazebo.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Aim {
    /// In rad or m.
    pub position: f64,
    /// In rad/s or m/s.
    pub velocity: f64,
    /// In N m or N.
    pub effort: f64,
}

/// What one joint aims at, and what its controllers remember.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct JointTarget {
    /// The aim.
    pub aim: Aim,
    /// Of the controller of the position.
    pub position_error: PidState,
    /// Of the controller of the velocity.
    pub velocity_error: PidState,
}

struct JointTrajectoryController {
    plugin: EntityId,
    joints: Vec<Controlled>,
    topic: String,
    use_header_start_time: bool,
    /// What the present step tells.
    progress: Option<f64>,
}

struct Controlled {
    joint: EntityId,
    name: String,
    position: Pid,
    velocity: Pid,
}

impl JointTrajectoryController {
    fn make(at: &Attachment, ecm: &mut Ecm) -> Result<Box<dyn System>, SystemError> {
        let params = at.params();
        let found = match params.texts("joint_name").as_slice() {
            [] => joints_with_one_axis(ecm, at.holder),
            names => names
                .iter()
                .map(|name| {
                    let joint = find_joint(ecm, at.holder, name)?;
                    check_axis(ecm, joint, 0).map(|()| (joint, (*name).to_owned()))
                })
                .collect::<Result<_, _>>()?,
        };
        if found.is_empty() {
            let reason = format!("{:?} has no joint with one axis to move", at.holder_name);
            return Err(SystemError::Unfit { reason });
        }
        let position = gains::read(&params, "position", found.len())?;
        let velocity = gains::read(&params, "velocity", found.len())?;
        let gains = position.into_iter().zip(velocity);
        let joints: Vec<Controlled> = found
            .into_iter()
            .zip(gains)
            .map(|((joint, name), (position, velocity))| Controlled {
                joint,
                name,
                position,
                velocity,
            })
            .collect();
        let known = ecm.get::<TrajectoryState>(at.plugin).map(|state| state.targets.len());
        if known != Some(joints.len()) {
            let starts = gains::numbers(&params, "initial_position")?;
            let mut targets = vec![JointTarget::default(); joints.len()];
            for (target, start) in targets.iter_mut().zip(starts) {
                target.aim.position = start;
            }
            // The plugin entity exists: this system is being made for it.
            ecm.set(at.plugin, TrajectoryState { targets, ..TrajectoryState::default() }).ok();
        }
        let own = format!("/model/{}/joint_trajectory", at.holder_name);
        Ok(Box::new(Self {
            plugin: at.plugin,
            joints,
            topic: topic_or(&params, "topic", &own),
            use_header_start_time: params.flag("use_header_start_time")?,
            progress: None,
        }))
    }
}

fn joints_with_one_axis(ecm: &Ecm, model: EntityId) -> Vec<(EntityId, String)> {
    let of_model = |joint: EntityId| ecm.get::<Parent>(joint).map(|p| p.0) == Some(model);
    ecm.iter::<JointSpec>()
        .filter(|(joint, spec)| spec.axes.len() == 1 && of_model(*joint))
        .filter_map(|(joint, _)| Some((joint, ecm.get::<EntityName>(joint)?.0.clone())))
        .collect()
}

impl System for JointTrajectoryController {
    fn subscriptions(&self) -> Vec<String> {
        vec![self.topic.clone()]
    }

    fn on_message(&mut self, topic: &str, bytes: &[u8], ecm: &mut Ecm) -> Result<(), SystemError> {
        let bad = |reason: String| SystemError::BadMessage { topic: topic.to_owned(), reason };
        let message: JointTrajectory = message::read(topic, bytes)?;
        let names: Vec<&str> = self.joints.iter().map(|joint| joint.name.as_str()).collect();
        let points = points_of(&message, &names).map_err(bad)?;
        let clock = world_entity(ecm).and_then(|world| ecm.get::<WorldClock>(world)).copied();
        let now = clock.unwrap_or_default().sim_time;
        let stamp = message.stamp.as_ref().filter(|_| self.use_header_start_time);
        let state = ecm.get_mut::<TrajectoryState>(self.plugin).ok_or(SystemError::NothingHeld)?;
        (state.start, state.point) = (stamp.map_or(now, SimTime::from), None);
        for target in &mut state.targets {
            (target.position_error, target.velocity_error) = Default::default();
        }
        ecm.set(self.plugin, TrajectoryPoints(points)).map_err(|_| SystemError::NothingHeld)
    }

    fn release(&mut self, ecm: &mut Ecm) {
        self.joints.iter().for_each(|controlled| release_axis(ecm, controlled.joint, 0));
    }

    fn pre_update(&mut self, step: &StepInfo, ecm: &mut Ecm) -> Result<(), SystemError> {
        let Some(mut state) = ecm.get::<TrajectoryState>(self.plugin).cloned() else {
            return Ok(());
        };
        let points = ecm.get::<TrajectoryPoints>(self.plugin);
        self.progress = points.and_then(|points| state.advance(points, step.sim_time));
        for (controlled, target) in self.joints.iter().zip(&mut state.targets) {
            let joint = controlled.joint;
            let position = ecm.get::<JointPosition>(joint).and_then(|all| all.0.first().copied());
            let velocity = ecm.get::<JointVelocity>(joint).and_then(|all| all.0.first().copied());
            let (Some(position), Some(velocity)) = (position, velocity) else {
                return Err(gone(ecm, joint));
            };
            let dt = step.dt_secs();
            let off = (target.aim.position - position, target.aim.velocity - velocity);
            let effort = controlled.position.effort(&mut target.position_error, off.0, dt)
                + controlled.velocity.effort(&mut target.velocity_error, off.1, dt)
                + target.aim.effort;
            command_axis(ecm, joint, 0, AxisCommand::Effort { effort })?;
        }
        ecm.set(self.plugin, state).map_err(|_| SystemError::NothingHeld)
    }

    fn post_update(&mut self, _: &StepInfo, _: &Ecm, out: &mut Outbox) -> Result<(), SystemError> {
        if let Some(data) = self.progress.take() {
            out.publish(&format!("{}_progress", self.topic), &Double { data });
        }
        Ok(())
    }
}
