//! Pushes a joint with the effort that a topic says, as Gazebo's ApplyJointForce.

use retake_components::AxisCommand;
use retake_ecm::{Component, Ecm, EntityId};
use serde::{Deserialize, Serialize};

use super::joint_drive::{check_axis, command_axis, find_joint, release_axis};
use super::joint_topic::{joint_topic, read_number};
use super::{Attachment, SystemKind};
use crate::system::{StepInfo, System, SystemError};

pub(super) const KIND: SystemKind = SystemKind {
    names: &["gz::sim::systems::ApplyJointForce", "ignition::gazebo::systems::ApplyJointForce"],
    register: |builder| builder.with::<JointForce>(),
    make: |attachment, ecm| ApplyJointForce::make(attachment, ecm),
};

/// What a joint is pushed with, in N m or N; on the plugin entity.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct JointForce(pub f64);

impl Component for JointForce {
    const NAME: &'static str = "joint_force";
}

struct ApplyJointForce {
    plugin: EntityId,
    joint: EntityId,
    topic: String,
}

impl ApplyJointForce {
    fn make(at: &Attachment, ecm: &mut Ecm) -> Result<Box<dyn System>, SystemError> {
        let params = at.params();
        let name = params.required("joint_name")?;
        let joint = find_joint(ecm, at.holder, name)?;
        check_axis(ecm, joint, 0)?;
        if ecm.get::<JointForce>(at.plugin).is_none() {
            // The plugin entity exists: this system is being made for it.
            ecm.set(at.plugin, JointForce(0.0)).ok();
        }
        let topic = joint_topic(&params, &at.holder_name, (name, "cmd_force"));
        Ok(Box::new(Self { plugin: at.plugin, joint, topic }))
    }
}

impl System for ApplyJointForce {
    fn subscriptions(&self) -> Vec<String> {
        vec![self.topic.clone()]
    }

    fn on_message(&mut self, topic: &str, bytes: &[u8], ecm: &mut Ecm) -> Result<(), SystemError> {
        let force = read_number(topic, bytes)?;
        ecm.set(self.plugin, JointForce(force)).map_err(|_| SystemError::NothingHeld)
    }

    fn release(&mut self, ecm: &mut Ecm) {
        release_axis(ecm, self.joint, 0);
    }

    fn pre_update(&mut self, _: &StepInfo, ecm: &mut Ecm) -> Result<(), SystemError> {
        let Some(JointForce(effort)) = ecm.get(self.plugin).copied() else { return Ok(()) };
        command_axis(ecm, self.joint, 0, AxisCommand::Effort { effort })
    }
}
