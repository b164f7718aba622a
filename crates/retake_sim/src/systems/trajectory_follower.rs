//! Pushes a model from waypoint to waypoint in the plane, as Gazebo's TrajectoryFollower.

use retake_components::{BodyTwist, ExternalWrench, Kind, find, path_of, world_pose};
use retake_ecm::{Component, Ecm, EntityId};
use retake_math::{Pose, Vec3};
use retake_msgs::Boolean;
use serde::{Deserialize, Serialize};

use super::joint_topic::topic_or;
use super::{Attachment, Params, SystemKind, message};
use crate::system::{StepInfo, System, SystemError};

pub(super) const KIND: SystemKind = SystemKind {
    names: &[
        "gz::sim::systems::TrajectoryFollower",
        "ignition::gazebo::systems::TrajectoryFollower",
    ],
    register: |builder| builder.with::<FollowedCourse>(),
    make: |attachment, ecm| TrajectoryFollower::make(attachment, ecm),
};

/// Where a model is on its way; on the plugin entity.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FollowedCourse {
    /// Places in the world to come to, in m.
    pub waypoints: Vec<[f64; 2]>,
    /// The one that is aimed at.
    pub next: usize,
    /// Whether somebody said that it is to wait.
    pub paused: bool,
}

impl Component for FollowedCourse {
    const NAME: &'static str = "followed_course";
}

/// Points of a circle.
const CIRCLE_POINTS: u32 = 8;

struct TrajectoryFollower {
    plugin: EntityId,
    link: EntityId,
    repeat: bool,
    force_n: f64,
    torque_nm: f64,
    range_m: f64,
    bearing_rad: f64,
    stop_turning: bool,
    topic: String,
}

impl TrajectoryFollower {
    fn make(at: &Attachment, ecm: &mut Ecm) -> Result<Box<dyn System>, SystemError> {
        let params = at.params();
        let path = format!("{}::{}", path_of(ecm, at.holder), params.required("link_name")?);
        let link = find(ecm, &path).filter(|link| ecm.get::<Kind>(*link) == Some(&Kind::Link));
        let unfit = || SystemError::Unfit { reason: format!("<link_name>: {path:?} is no link") };
        let link = link.ok_or_else(unfit)?;
        if ecm.get::<FollowedCourse>(at.plugin).is_none() {
            let waypoints = waypoints(&params, world_pose(ecm, link))?;
            // The plugin entity exists: this system is being made for it.
            ecm.set(at.plugin, FollowedCourse { waypoints, next: 0, paused: false }).ok();
        }
        let own = format!("/model/{}/trajectory_follower/pause", at.holder_name);
        Ok(Box::new(Self {
            plugin: at.plugin,
            link,
            repeat: params.flag("loop")?,
            force_n: params.number_or("force", 60.0)?,
            torque_nm: params.number_or("torque", 50.0)?,
            range_m: params.at_least_zero("range_tolerance", 0.5)?,
            bearing_rad: params.at_least_zero("bearing_tolerance", 2.0)?.to_radians(),
            stop_turning: params.flag("zero_vel_on_bearing_reached")?,
            topic: topic_or(&params, "topic", &own),
        }))
    }
}

/// Reads the waypoints, or makes them of a circle or a line from where the model stands.
fn waypoints(params: &Params<'_>, start: Pose) -> Result<Vec<[f64; 2]>, SystemError> {
    let at = |x: f64, y: f64| [start.position.x + x, start.position.y + y];
    if let Some(given) = params.elements("waypoints").next() {
        let given = Params::of(given);
        given.required("waypoint")?;
        return given.rows::<2>("waypoint", "two numbers, x and y");
    }
    if let Some(circle) = params.elements("circle").next() {
        let circle = Params::of(circle);
        circle.required("radius")?;
        let radius = circle.positive_or("radius", 1.0)?;
        let angle =
            |point: u32| f64::from(point) * std::f64::consts::TAU / f64::from(CIRCLE_POINTS);
        let points = (0..CIRCLE_POINTS).map(|point| angle(point).sin_cos());
        return Ok(points.map(|(sin, cos)| at(radius * cos, radius * sin)).collect());
    }
    let Some(line) = params.elements("line").next() else {
        return Err(SystemError::MissingParameter { parameter: "waypoints" });
    };
    let line = Params::of(line);
    line.required("direction")?;
    line.required("length")?;
    let direction = line.number_or("direction", 0.0)? + start.rpy_rad().z;
    let length = line.number_or("length", 0.0)?;
    Ok(vec![at(0.0, 0.0), at(length * direction.cos(), length * direction.sin())])
}

impl System for TrajectoryFollower {
    fn subscriptions(&self) -> Vec<String> {
        vec![self.topic.clone()]
    }

    fn on_message(&mut self, topic: &str, bytes: &[u8], ecm: &mut Ecm) -> Result<(), SystemError> {
        let message: Boolean = message::read(topic, bytes)?;
        if let Some(course) = ecm.get_mut::<FollowedCourse>(self.plugin) {
            course.paused = message.data;
        }
        Ok(())
    }

    fn pre_update(&mut self, _: &StepInfo, ecm: &mut Ecm) -> Result<(), SystemError> {
        let Some(course) = ecm.get::<FollowedCourse>(self.plugin) else { return Ok(()) };
        let Some([x, y]) = course.waypoints.get(course.next).copied() else { return Ok(()) };
        if course.paused {
            return Ok(());
        }
        let (count, next) = (course.waypoints.len(), course.next + 1);
        let pose = world_pose(ecm, self.link);
        let away = Vec3::new(x - pose.position.x, y - pose.position.y, 0.0);
        let local = pose.inverse().transform_vector(away);
        if local.length() <= self.range_m {
            let next = if next < count || self.repeat { next % count } else { next - 1 };
            if let Some(course) = ecm.get_mut::<FollowedCourse>(self.plugin) {
                course.next = next;
            }
            return Ok(());
        }
        let bearing = local.y.atan2(local.x);
        if bearing.abs() > self.bearing_rad {
            let torque = pose.transform_vector(Vec3::Z * self.torque_nm.copysign(bearing));
            ExternalWrench::add(ecm, self.link, Vec3::ZERO, torque);
            return Ok(());
        }
        if self.stop_turning
            && bearing.abs() <= self.bearing_rad * 0.5
            && let Some(twist) = ecm.get_mut::<BodyTwist>(self.link)
        {
            twist.0.angular = Vec3::ZERO;
        }
        let force = pose.transform_vector(Vec3::X * self.force_n);
        ExternalWrench::add(ecm, self.link, force, Vec3::ZERO);
        Ok(())
    }
}
