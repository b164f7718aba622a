//! A pose of a draft, for looking at.

use std::sync::Arc;

use retake_motion::edit::WaypointsList;
use retake_motion::review::curves;
use retake_msgs::show_pose::Pose as Wanted;
use retake_msgs::{GhostPose, JointPose, TeachAnswer, names};
use retake_sim::kinematics::stance;
use retake_transport::{Bus, Delivery, Publisher};

use super::robot::SeenRobot;
use super::{Answered, Teaching};
use crate::lock::locked;

/// Tells other programs which pose is looked at, of the robot that was looked at last.
pub(super) struct Marker {
    bus: Arc<dyn Bus>,
    robot: String,
    publisher: Publisher<JointPose>,
}

impl Teaching {
    /// Returns where the links of a robot would be.
    pub(super) fn show(&self, robot: &str, wanted: Option<Wanted>) -> Answered {
        let wanted = wanted.ok_or("Say which pose: a waypoint, or a time")?;
        let pose = self.with_desk(robot, |desk| pose_of(desk.draft.list(), wanted))?;
        let view = self.view();
        let seen = SeenRobot::find(&view.ecm, robot).ok_or_else(|| not_there(robot))?;
        let position = |name: &str| {
            let place = pose.iter().find(|(known, _)| known == name);
            place.map(|(_, position)| *position)
        };
        let stance = stance(&view.ecm, seen.model, &position);
        let stance = stance.ok_or_else(|| format!("{robot} has no links to be shown"))?;
        self.mark(robot, &pose);
        let numbers = stance.links.iter().flat_map(|(_, pose)| {
            let (at, turn) = (pose.position, pose.rotation);
            [at.x, at.y, at.z, turn.x, turn.y, turn.z, turn.w].map(|number| number as f32)
        });
        let ghost = GhostPose {
            base: stance.base.raw(),
            pose: numbers.collect(),
            link: stance.links.iter().map(|(link, _)| link.raw()).collect(),
        };
        Ok(TeachAnswer { ghost: Some(ghost), ..TeachAnswer::default() })
    }

    /// Tells other programs; pages see the ghost all the same when that fails.
    fn mark(&self, robot: &str, pose: &[(String, f64)]) {
        let Some(bus) = self.link.bus() else { return };
        let mut marker = locked(&self.marker);
        let fits = |marker: &Marker| marker.robot == robot && Arc::ptr_eq(&marker.bus, &bus);
        if !marker.as_ref().is_some_and(fits) {
            let topic = names::joints_marker_set(robot);
            *marker = match Publisher::new(bus.as_ref(), &topic, Delivery::Newest) {
                Ok(publisher) => Some(Marker { bus, robot: robot.to_owned(), publisher }),
                Err(error) => {
                    tracing::debug!(%error, "the pose that is looked at is not told to others");
                    None
                }
            };
        }
        let (name, position) = pose.iter().cloned().unzip();
        let message = JointPose { name, position, ..JointPose::default() };
        if let Some(Err(error)) = marker.as_ref().map(|marker| marker.publisher.publish(&message)) {
            tracing::debug!(%error, "the pose that is looked at is not told to others");
        }
    }
}

pub(super) fn not_there(robot: &str) -> String {
    format!("There is no robot {robot:?} that plays motions")
}

fn pose_of(list: &WaypointsList, wanted: Wanted) -> Result<Vec<(String, f64)>, String> {
    let point = match wanted {
        Wanted::Waypoint(id) => list.points().iter().find(|point| point.id == id),
        // Joints that the motion does not move are where the waypoint before has them.
        Wanted::Time(secs) => {
            let before = list.points().iter().rev().find(|point| point.time_secs <= secs);
            before.or_else(|| list.points().first())
        }
    };
    let point = point.ok_or("There is no such waypoint")?;
    let names = list.joints().iter().map(|joint| joint.name.clone());
    let mut pose: Vec<_> = names.zip(point.positions.iter().copied()).collect();
    if let Wanted::Time(secs) = wanted
        && let Ok(Some(curves)) = curves(&list.to_motion())
    {
        let moved = list.to_motion().joints;
        for (place, joint) in moved.iter().enumerate() {
            let entry = pose.iter_mut().find(|(name, _)| name == joint);
            if let Some((_, position)) = entry {
                *position = curves.sample(place, secs).position;
            }
        }
    }
    Ok(pose)
}
