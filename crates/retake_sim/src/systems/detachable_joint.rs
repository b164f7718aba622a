//! Holds two models together until a topic says otherwise, as Gazebo's DetachableJoint.
//!
//! The joint is an entity of the world like any other: it is seen, logged and undone.

use retake_components::{Kind, path_of, spawn_part, world_entity};
use retake_description::{Joint, JointKind};
use retake_ecm::{Component, Ecm, EntityId};
use retake_math::Pose;
use retake_msgs::Text;
use retake_sdf::Part;
use serde::{Deserialize, Serialize};

use super::{Attachment, SystemKind};
use crate::Outbox;
use crate::system::{StepInfo, System, SystemError};

pub(super) const KIND: SystemKind = SystemKind {
    names: &["gz::sim::systems::DetachableJoint", "ignition::gazebo::systems::DetachableJoint"],
    register: |builder| builder.with::<DetachableState>(),
    make: |attachment, ecm| DetachableJoint::make(attachment, ecm),
};

/// Whether two models are held together; on the plugin entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DetachableState {
    /// The joint that holds them; none while they are apart.
    pub joint: Option<EntityId>,
    /// Whether that is to be told with the next step.
    pub untold: bool,
}

impl Component for DetachableState {
    const NAME: &'static str = "detachable_joint";
}

struct DetachableJoint {
    plugin: EntityId,
    /// Paths of the links that are held together.
    parent: String,
    child: String,
    detach_topic: String,
    attach_topic: String,
    output_topic: String,
    /// Whether the present step tells the state.
    telling: bool,
}

impl DetachableJoint {
    fn make(at: &Attachment, ecm: &mut Ecm) -> Result<Box<dyn System>, SystemError> {
        let (params, model) = (at.params(), &at.holder_name);
        let child_model = params.required("child_model")?;
        let topic = |names: [&str; 2], own: String| {
            let given = names.iter().find_map(|name| params.text(name));
            let topic = given.filter(|topic| !topic.is_empty()).map_or(own, str::to_owned);
            format!("/{}", topic.trim_start_matches('/'))
        };
        let base = format!("/model/{model}/detachable_joint");
        let mut system = Self {
            plugin: at.plugin,
            parent: format!("{}::{}", path_of(ecm, at.holder), params.required("parent_link")?),
            child: format!("{child_model}::{}", params.required("child_link")?),
            detach_topic: topic(["detach_topic", "topic"], format!("{base}/detach")),
            attach_topic: topic(["attach_topic", "attach_topic"], format!("{base}/attach")),
            output_topic: topic(
                ["output_topic", "output_topic"],
                format!("/model/{child_model}/detachable_joint/state"),
            ),
            telling: false,
        };
        if ecm.get::<DetachableState>(at.plugin).is_none() {
            system.attach(ecm)?;
        }
        Ok(Box::new(system))
    }

    fn attach(&mut self, ecm: &mut Ecm) -> Result<(), SystemError> {
        let unfit = |reason: String| SystemError::Unfit { reason };
        for link in [&self.parent, &self.child] {
            let found = retake_components::find(ecm, link);
            if found.and_then(|found| ecm.get::<Kind>(found)) != Some(&Kind::Link) {
                return Err(unfit(format!("there is no link {link:?} to hold; insert it first")));
            }
        }
        let world = world_entity(ecm).ok_or(SystemError::NothingHeld)?;
        let joint = Joint {
            // The plugin's id makes it the only one of that name.
            name: format!("detachable_joint_{}", self.plugin.raw()),
            kind: JointKind::Fixed,
            parent: self.parent.clone(),
            child: self.child.clone(),
            child_from_joint: Pose::IDENTITY,
            axes: Vec::new(),
            thread_pitch: 1.0,
            gearbox_ratio: 1.0,
            extras: Vec::new(),
        };
        let joint = spawn_part(ecm, world, &Part::Joint(joint));
        let joint = joint.map_err(|error| unfit(error.to_string()))?;
        self.note(ecm, Some(joint))
    }

    fn note(&self, ecm: &mut Ecm, joint: Option<EntityId>) -> Result<(), SystemError> {
        let state = DetachableState { joint, untold: true };
        ecm.set(self.plugin, state).map_err(|_| SystemError::NothingHeld)
    }
}

impl System for DetachableJoint {
    fn subscriptions(&self) -> Vec<String> {
        vec![self.detach_topic.clone(), self.attach_topic.clone()]
    }

    fn on_message(&mut self, topic: &str, _: &[u8], ecm: &mut Ecm) -> Result<(), SystemError> {
        let joint = ecm.get::<DetachableState>(self.plugin).and_then(|state| state.joint);
        // Somebody may have deleted it.
        let joint = joint.filter(|joint| ecm.exists(*joint));
        match (topic == self.attach_topic, joint) {
            (true, None) => self.attach(ecm),
            (false, Some(joint)) => {
                ecm.remove_entity(joint);
                self.note(ecm, None)
            }
            _ => Ok(()),
        }
    }

    fn release(&mut self, ecm: &mut Ecm) {
        let state = ecm.get::<DetachableState>(self.plugin);
        if let Some(joint) = state.and_then(|state| state.joint) {
            ecm.remove_entity(joint);
        }
    }

    fn pre_update(&mut self, _: &StepInfo, ecm: &mut Ecm) -> Result<(), SystemError> {
        let state = ecm.get::<DetachableState>(self.plugin).copied();
        self.telling = state.is_some_and(|state| state.untold);
        if let Some(state) = state.filter(|state| state.untold) {
            let told = DetachableState { untold: false, ..state };
            ecm.set(self.plugin, told).map_err(|_| SystemError::NothingHeld)?;
        }
        Ok(())
    }

    fn post_update(
        &mut self,
        _: &StepInfo,
        ecm: &Ecm,
        out: &mut Outbox,
    ) -> Result<(), SystemError> {
        if std::mem::take(&mut self.telling) {
            let state = ecm.get::<DetachableState>(self.plugin);
            let attached = state.is_some_and(|state| state.joint.is_some());
            let data = if attached { "attached" } else { "detached" }.to_owned();
            out.publish(&self.output_topic, &Text { data });
        }
        Ok(())
    }
}
