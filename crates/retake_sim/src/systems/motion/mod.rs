//! Players of motions: systems that move the joints of a model along trajectories.
//!
//! A model may have several: one that takes trajectories, one that plays stored motions by name,
//! one that follows the joint states of others. They share the model's joints and arbiter: the one
//! with the lowest id conducts them all. The mathematics is in [`retake_motion::player`]; here it is
//! put between the Ecm and the topics.

mod chains;
mod components;
mod conduct;
mod config;
mod gains;
mod messages;
mod operate;
mod publish;
mod robot;
mod text_actions;

use std::sync::Arc;

use retake_components::{Kind, path_of};
use retake_ecm::{Ecm, EntityId};
use retake_motion::player::Curves;
use retake_msgs::names;

use super::{Attachment, SystemKind};
use crate::Outbox;
use crate::system::{StepInfo, System, SystemError};
pub(crate) use components::{Handover, PlayerDriven};
pub use components::{
    MotionGoals, MotionOutcomes, MotionPlayer, MotionProgress, MotionRobot, PlayerKind, TorqueOff,
};
pub(crate) use messages::goal_of_message;
pub use messages::message_of_goal;
pub use operate::NoPlayer;
pub(crate) use operate::{
    aim_controllers, find_player, find_robot, hand_over, operate, rejoin, robots, with_joints,
};
pub use publish::motion_result;
use robot::follow_model;

pub(super) const TRAJECTORY: SystemKind = SystemKind {
    names: &["retake::AnimationJointTrajectory"],
    register: components::register,
    make: |attachment, ecm| Player::make(attachment, ecm, PlayerKind::Trajectory),
};

pub(super) const STORED: SystemKind = SystemKind {
    names: &["retake::AnimationStoredJointTrajectory"],
    // The other kind of player has registered them.
    register: |builder| builder,
    make: |attachment, ecm| Player::make(attachment, ecm, PlayerKind::Stored),
};

pub(super) const FOLLOW: SystemKind = SystemKind {
    names: &["retake::FollowJointState"],
    register: |builder| builder,
    make: |attachment, ecm| Player::make(attachment, ecm, PlayerKind::Follow),
};

/// A player; what it plays is on the model, what it was told by the world file on its plugin.
struct Player {
    plugin: EntityId,
    model: EntityId,
    kind: PlayerKind,
    /// Path of the model, for topics.
    name: String,
    /// Whether it is the one that moves the joints, for all players of the model.
    conducts: bool,
    robot: Arc<MotionRobot>,
    curves: Curves,
    buffers: conduct::Buffers,
}

impl Player {
    fn make(
        at: &Attachment,
        ecm: &mut Ecm,
        kind: PlayerKind,
    ) -> Result<Box<dyn System>, SystemError> {
        if ecm.get::<Kind>(at.holder) != Some(&Kind::Model) {
            let reason = format!("{:?} is no model; put the player into one", at.holder_name);
            return Err(SystemError::Unfit { reason });
        }
        let player = config::read(&at.params(), kind).inspect_err(|_| {
            // One that cannot act is nobody that others could leave things to.
            ecm.remove::<MotionPlayer>(at.plugin);
        })?;
        if ecm.get::<MotionPlayer>(at.plugin) != Some(&player) {
            // The plugin entity exists: this system is being made for it.
            ecm.set(at.plugin, player).ok();
        }
        let robot = follow_model(ecm, at.holder)?;
        Ok(Box::new(Self {
            plugin: at.plugin,
            model: at.holder,
            kind,
            name: path_of(ecm, at.holder),
            conducts: operate::players(ecm, at.holder).first() == Some(&at.plugin),
            buffers: conduct::Buffers::new(&robot),
            robot,
            curves: Curves::default(),
        }))
    }
}

impl System for Player {
    fn subscriptions(&self) -> Vec<String> {
        let keep_alive = self.conducts.then(|| names::motion_keep_alive(&self.name));
        let follows = self.kind == PlayerKind::Follow;
        let poses = follows.then(|| names::joints_virtual_set(&self.name));
        keep_alive.into_iter().chain(poses).collect()
    }

    fn on_message(&mut self, topic: &str, bytes: &[u8], ecm: &mut Ecm) -> Result<(), SystemError> {
        let outcome = match topic == names::motion_keep_alive(&self.name) {
            true => messages::keep_alive(ecm, self.model, bytes),
            false => messages::follow(ecm, self.model, self.plugin, bytes),
        };
        outcome.map_err(|reason| SystemError::BadMessage { topic: topic.to_owned(), reason })
    }

    fn release(&mut self, ecm: &mut Ecm) {
        operate::leave(ecm, self.model, self.plugin);
    }

    fn pre_update(&mut self, step: &StepInfo, ecm: &mut Ecm) -> Result<(), SystemError> {
        match self.conducts {
            true => self.conduct(step, ecm),
            false => Ok(()),
        }
    }

    fn post_update(
        &mut self,
        step: &StepInfo,
        ecm: &Ecm,
        out: &mut Outbox,
    ) -> Result<(), SystemError> {
        if self.conducts {
            self.publish(step, ecm, out);
        }
        Ok(())
    }
}
