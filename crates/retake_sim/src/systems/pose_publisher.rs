//! Publishes where a model and its parts are, as Gazebo's PosePublisher.
//!
//! Each pose names the entity whose frame it is in.

use retake_components::{Kind, LocalPose, path_of, world_pose};
use retake_ecm::{Ecm, EntityId, Parent};
use retake_msgs::{EntityPose, PoseV};

use super::rate::Rate;
use super::{Attachment, Params, SystemKind};
use crate::Outbox;
use crate::system::{StepInfo, System, SystemError};

pub(super) const KIND: SystemKind = SystemKind {
    names: &["gz::sim::systems::PosePublisher", "ignition::gazebo::systems::PosePublisher"],
    // It remembers nothing: it publishes what is.
    register: |builder| builder,
    make: |attachment, _| PosePublisher::make(attachment),
};

struct PosePublisher {
    model: EntityId,
    topic: String,
    as_vector: bool,
    rate: Rate,
    /// Kinds of parts that are published.
    kinds: Vec<Kind>,
    own_pose: bool,
    nested_poses: bool,
}

impl PosePublisher {
    fn make(at: &Attachment) -> Result<Box<dyn System>, SystemError> {
        let params = at.params();
        let wanted = |params: &Params<'_>, name: &str, kind: Kind, otherwise: bool| {
            Ok::<_, SystemError>(params.flag_or(name, otherwise)?.then_some(kind))
        };
        let kinds = [
            wanted(&params, "publish_link_pose", Kind::Link, true)?,
            wanted(&params, "publish_visual_pose", Kind::Visual, false)?,
            wanted(&params, "publish_collision_pose", Kind::Collision, false)?,
            wanted(&params, "publish_sensor_pose", Kind::Sensor, false)?,
        ];
        let nested_poses = params.flag_or("publish_nested_model_pose", false)?;
        Ok(Box::new(Self {
            model: at.holder,
            topic: format!("/model/{}/pose", at.holder_name),
            as_vector: params.flag_or("use_pose_vector_msg", false)?,
            rate: Rate::hz(params.number_or("update_frequency", -1.0)?),
            kinds: kinds.into_iter().flatten().collect(),
            own_pose: params.flag_or("publish_model_pose", nested_poses)?,
            nested_poses,
        }))
    }

    fn poses(&self, ecm: &Ecm) -> Vec<EntityPose> {
        let parts = ecm.with_descendants(self.model).into_iter();
        let wanted = |entity: &EntityId| match ecm.get::<Kind>(*entity) {
            Some(Kind::Model) if *entity == self.model => self.own_pose,
            Some(Kind::Model) => self.nested_poses,
            Some(kind) => self.kinds.contains(kind),
            None => false,
        };
        parts.filter(wanted).map(|entity| pose_of(ecm, entity)).collect()
    }
}

fn pose_of(ecm: &Ecm, entity: EntityId) -> EntityPose {
    let holder = ecm.get::<Parent>(entity).map(|parent| parent.0);
    let holder = holder.filter(|holder| ecm.get::<LocalPose>(*holder).is_some());
    let world_from_entity = world_pose(ecm, entity);
    let pose = match holder {
        Some(holder) => world_pose(ecm, holder).inverse() * world_from_entity,
        None => world_from_entity,
    };
    EntityPose {
        id: entity.raw(),
        name: path_of(ecm, entity),
        pose: Some(pose.into()),
        frame: holder.map(|holder| path_of(ecm, holder)).unwrap_or_default(),
    }
}

impl System for PosePublisher {
    fn post_update(
        &mut self,
        step: &StepInfo,
        ecm: &Ecm,
        out: &mut Outbox,
    ) -> Result<(), SystemError> {
        if !self.rate.is_due(step) {
            return Ok(());
        }
        let pose = self.poses(ecm);
        match self.as_vector {
            true => out.publish(&self.topic, &PoseV { stamp: Some(step.sim_time.into()), pose }),
            false => pose.iter().for_each(|pose| out.publish(&self.topic, pose)),
        }
        Ok(())
    }
}
