//! Publishes the joints of a model in simulated time, as Gazebo's JointStatePublisher.
//!
//! Beside it the server publishes the joints of every model on `/model/<model>/joint_state`, at most
//! 60 times in a real second.

use retake_components::{JointSpec, path_of, world_entity};
use retake_ecm::{Ecm, EntityId, Parent};
use retake_msgs::JointStateV;

use super::joint_drive::find_joint;
use super::joint_topic::topic_or;
use super::rate::Rate;
use super::{Attachment, SystemKind};
use crate::Outbox;
use crate::publisher::joint_state;
use crate::system::{StepInfo, System, SystemError};

pub(super) const KIND: SystemKind = SystemKind {
    names: &[
        "gz::sim::systems::JointStatePublisher",
        "ignition::gazebo::systems::JointStatePublisher",
    ],
    // It remembers nothing: it publishes what is.
    register: |builder| builder,
    make: |attachment, ecm| JointStatePublisher::make(attachment, ecm),
};

struct JointStatePublisher {
    model: String,
    joints: Vec<EntityId>,
    topic: String,
    rate: Rate,
}

impl JointStatePublisher {
    fn make(at: &Attachment, ecm: &mut Ecm) -> Result<Box<dyn System>, SystemError> {
        let params = at.params();
        let of_model = |joint: EntityId| ecm.get::<Parent>(joint).map(|p| p.0) == Some(at.holder);
        let joints = match params.texts("joint_name").as_slice() {
            [] => ecm
                .iter::<JointSpec>()
                .filter(|(joint, spec)| !spec.axes.is_empty() && of_model(*joint))
                .map(|(joint, _)| joint)
                .collect(),
            names => names
                .iter()
                .map(|name| find_joint(ecm, at.holder, name))
                .collect::<Result<_, _>>()?,
        };
        let world = world_entity(ecm).map(|world| path_of(ecm, world)).unwrap_or_default();
        let own = format!("/world/{world}/model/{}/joint_state", at.holder_name);
        Ok(Box::new(Self {
            model: path_of(ecm, at.holder),
            joints,
            topic: topic_or(&params, "topic", &own),
            rate: Rate::hz(params.at_least_zero("update_rate", 0.0)?),
        }))
    }
}

impl System for JointStatePublisher {
    fn post_update(
        &mut self,
        step: &StepInfo,
        ecm: &Ecm,
        out: &mut Outbox,
    ) -> Result<(), SystemError> {
        if self.rate.is_due(step) {
            let joint = self.joints.iter().map(|joint| joint_state(ecm, *joint)).collect();
            let stamp = Some(step.sim_time.into());
            out.publish(&self.topic, &JointStateV { stamp, model: self.model.clone(), joint });
        }
        Ok(())
    }
}
