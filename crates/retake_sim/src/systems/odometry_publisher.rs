//! Publishes where a model is and how it moves, as Gazebo's OdometryPublisher.

use retake_components::{BodyTwist, CanonicalLink, world_pose};
use retake_ecm::{Component, Ecm, EntityId};
use retake_math::{Pose, SimTime, Twist, Vec3};
use retake_msgs::{Odometry, names};
use serde::{Deserialize, Serialize};

use super::{Attachment, SystemKind};
use crate::Outbox;
use crate::system::{StepInfo, System, SystemError};

pub(super) const KIND: SystemKind = SystemKind {
    names: &["gz::sim::systems::OdometryPublisher", "ignition::gazebo::systems::OdometryPublisher"],
    register: |builder| builder.with::<OdometryDue>(),
    make: |attachment, ecm| OdometryPublisher::make(attachment, ecm),
};

/// When a model's odometry is published next; on the plugin entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OdometryDue(pub SimTime);

impl Component for OdometryDue {
    const NAME: &'static str = "odometry_due";
}

struct OdometryPublisher {
    plugin: EntityId,
    model: EntityId,
    topic: String,
    frame_id: String,
    child_frame_id: String,
    period: SimTime,
    flat: bool,
    model_from_base: Pose,
}

impl OdometryPublisher {
    fn make(at: &Attachment, ecm: &mut Ecm) -> Result<Box<dyn System>, SystemError> {
        let (params, model) = (at.params(), &at.holder_name);
        let text = |name: &str, otherwise: String| {
            let given = params.text(name).filter(|text| !text.is_empty());
            given.map_or(otherwise, str::to_owned)
        };
        let vector = |name: &str| {
            let rows = params.rows::<3>(name, "three numbers")?;
            Ok::<_, SystemError>(rows.first().copied().map(Vec3::from_array).unwrap_or_default())
        };
        let rate_hz = params.positive_or("odom_publish_frequency", 50.0)?;
        if params.number_or("gaussian_noise", 0.0)? != 0.0 {
            let reason = "<gaussian_noise> is not simulated; remove it or set it to 0".to_owned();
            return Err(SystemError::Unfit { reason });
        }
        if ecm.get::<OdometryDue>(at.plugin).is_none() {
            // The plugin entity exists: this system is being made for it.
            ecm.set(at.plugin, OdometryDue(SimTime::ZERO)).ok();
        }
        let topic = text("odom_topic", names::odometry(model));
        Ok(Box::new(Self {
            plugin: at.plugin,
            model: at.holder,
            topic: format!("/{}", topic.trim_start_matches('/')),
            frame_id: text("odom_frame", format!("{model}/odom")),
            child_frame_id: text("robot_base_frame", format!("{model}/base_footprint")),
            period: SimTime::from_secs_f64(1.0 / rate_hz),
            flat: params.word_or("dimensions", "2", &["2", "3"])? == "2",
            model_from_base: Pose::from_xyz_rpy(vector("xyz_offset")?, vector("rpy_offset")?),
        }))
    }

    /// Returns pose in the world, and velocity in the base's own frame.
    fn measure(&self, ecm: &Ecm) -> (Pose, Twist) {
        let pose = world_pose(ecm, self.model) * self.model_from_base;
        let link = ecm.get::<CanonicalLink>(self.model).map(|link| link.0);
        let of_link = link.and_then(|link| ecm.get::<BodyTwist>(link)).copied();
        let of_link = of_link.unwrap_or_default().0;
        let origin = link.map_or(pose.position, |link| world_pose(ecm, link).position);
        let linear = of_link.linear + of_link.angular.cross(pose.position - origin);
        let back = pose.inverse();
        let twist = Twist {
            linear: back.transform_vector(linear),
            angular: back.transform_vector(of_link.angular),
        };
        if !self.flat {
            return (pose, twist);
        }
        let (p, heading) = (pose.position, pose.rpy_rad().z);
        let flat = Pose::from_xyz_rpy(Vec3::new(p.x, p.y, 0.0), Vec3::new(0.0, 0.0, heading));
        let twist = Twist {
            linear: Vec3::new(twist.linear.x, twist.linear.y, 0.0),
            angular: Vec3::new(0.0, 0.0, twist.angular.z),
        };
        (flat, twist)
    }
}

impl System for OdometryPublisher {
    fn pre_update(&mut self, step: &StepInfo, ecm: &mut Ecm) -> Result<(), SystemError> {
        let due = ecm.get::<OdometryDue>(self.plugin).is_some_and(|due| step.sim_time >= due.0);
        match due {
            true => ecm.set(self.plugin, OdometryDue(step.sim_time + self.period)),
            false => Ok(()),
        }
        .map_err(|_| SystemError::NothingHeld)
    }

    fn post_update(
        &mut self,
        step: &StepInfo,
        ecm: &Ecm,
        out: &mut Outbox,
    ) -> Result<(), SystemError> {
        let Some(OdometryDue(due)) = ecm.get(self.plugin).copied() else { return Ok(()) };
        // `pre_update` moved the due time exactly when this step is one that publishes.
        if due != step.sim_time - step.step_size + self.period {
            return Ok(());
        }
        let (pose, twist) = self.measure(ecm);
        let message = Odometry {
            stamp: Some(step.sim_time.into()),
            frame_id: self.frame_id.clone(),
            child_frame_id: self.child_frame_id.clone(),
            pose: Some(pose.into()),
            twist: Some(twist.into()),
        };
        out.publish(&self.topic, &message);
        Ok(())
    }
}
