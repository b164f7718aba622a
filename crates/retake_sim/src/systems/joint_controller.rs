//! Turns joints at the velocity that a topic says, as Gazebo's JointController: by the engine's
//! drive, or by the effort of a PID controller of the velocity.

use retake_components::{AxisCommand, JointVelocity};
use retake_ecm::{Component, Ecm, EntityId};
use serde::{Deserialize, Serialize};

use super::joint_drive::{check_axis, command_axis, find_joint, gone, release_axis};
use super::joint_topic::{joint_topic, read_number};
use super::pid::{Pid, PidState};
use super::{Attachment, SystemKind};
use crate::system::{StepInfo, System, SystemError};

pub(super) const KIND: SystemKind = SystemKind {
    names: &["gz::sim::systems::JointController", "ignition::gazebo::systems::JointController"],
    register: |builder| builder.with::<JointVelocityTarget>(),
    make: |attachment, ecm| JointController::make(attachment, ecm),
};

/// What a velocity controller aims at; on its plugin entity.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JointVelocityTarget {
    /// Velocity of its joints, in rad/s or m/s.
    pub velocity: f64,
    /// What the controller of each joint remembers, where efforts are commanded.
    pub errors: Vec<PidState>,
}

impl Component for JointVelocityTarget {
    const NAME: &'static str = "joint_velocity_target";
}

struct JointController {
    plugin: EntityId,
    joints: Vec<EntityId>,
    topic: String,
    /// None where the engine's own drive holds the velocity.
    by_effort: Option<Pid>,
}

impl JointController {
    fn make(at: &Attachment, ecm: &mut Ecm) -> Result<Box<dyn System>, SystemError> {
        let params = at.params();
        let first = params.required("joint_name")?;
        if params.flag("use_actuator_msg")? {
            let reason =
                "<use_actuator_msg>: actuator messages are not read; send a Double instead";
            return Err(SystemError::Unfit { reason: reason.to_owned() });
        }
        let find = |name: &&str| {
            let joint = find_joint(ecm, at.holder, name)?;
            check_axis(ecm, joint, 0).map(|()| joint)
        };
        let joints: Vec<EntityId> =
            params.texts("joint_name").iter().map(find).collect::<Result<_, _>>()?;
        let by_effort = match params.flag("use_force_commands")? {
            true => Some(Pid::read(&params, &Pid::DEFAULT)?),
            false => None,
        };
        let known = ecm.get::<JointVelocityTarget>(at.plugin);
        if known.is_none_or(|known| known.errors.len() != joints.len()) {
            let start = params.number_or("initial_velocity", 0.0)?;
            let velocity = known.map_or(start, |known| known.velocity);
            let errors = vec![PidState::default(); joints.len()];
            // The plugin entity exists: this system is being made for it.
            ecm.set(at.plugin, JointVelocityTarget { velocity, errors }).ok();
        }
        let topic = joint_topic(&params, &at.holder_name, (first, "cmd_vel"));
        Ok(Box::new(Self { plugin: at.plugin, joints, topic, by_effort }))
    }
}

impl System for JointController {
    fn subscriptions(&self) -> Vec<String> {
        vec![self.topic.clone()]
    }

    fn on_message(&mut self, topic: &str, bytes: &[u8], ecm: &mut Ecm) -> Result<(), SystemError> {
        let velocity = read_number(topic, bytes)?;
        if let Some(target) = ecm.get_mut::<JointVelocityTarget>(self.plugin) {
            target.velocity = velocity;
        }
        Ok(())
    }

    fn release(&mut self, ecm: &mut Ecm) {
        self.joints.iter().for_each(|joint| release_axis(ecm, *joint, 0));
    }

    fn pre_update(&mut self, step: &StepInfo, ecm: &mut Ecm) -> Result<(), SystemError> {
        let Some(mut target) = ecm.get::<JointVelocityTarget>(self.plugin).cloned() else {
            return Ok(());
        };
        let Some(pid) = &self.by_effort else {
            let drive =
                AxisCommand::Velocity { target: target.velocity, max_effort: f64::INFINITY };
            return self.joints.iter().try_for_each(|joint| command_axis(ecm, *joint, 0, drive));
        };
        for (joint, errors) in self.joints.iter().zip(&mut target.errors) {
            let velocity = ecm.get::<JointVelocity>(*joint).and_then(|v| v.0.first().copied());
            let velocity = velocity.ok_or_else(|| gone(ecm, *joint))?;
            let effort = pid.effort(errors, target.velocity - velocity, step.dt_secs());
            command_axis(ecm, *joint, 0, AxisCommand::Effort { effort })?;
        }
        ecm.set(self.plugin, target).map_err(|_| SystemError::NothingHeld)
    }
}
