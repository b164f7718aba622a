//! Where frames are, as `tf2_msgs/TFMessage` tells it.

use retake_components::{BodyTwist, Kind, path_of, world_pose};
use retake_ecm::{Ecm, EntityId};
use retake_math::Pose;
use serde_json::{Value, json};

use super::{Robot, RobotLink};
use crate::clock::RosTime;

/// Frame that all others hang on.
pub const WORLD: &str = "world";

/// Most things beside robots whose frames are told; further ones are left out.
const MOST_LOOSE: usize = 1000;

/// How far, in m or rad, a frame that is fixed must have moved to be told anew: engines hold what is
/// fixed a little loosely, but people may have put it elsewhere.
const MOVED: f64 = 1e-4;

/// Tells where each link of a robot that can move is, from the one that it hangs on.
pub fn transforms(robot: &Robot, ecm: &Ecm, stamp: RosTime) -> Vec<Value> {
    let links = robot.links.iter().filter(|link| !link.fixed);
    links
        .map(|link| transform(robot.above(link), &link.frame, pose(robot, link, ecm), stamp))
        .collect()
}

/// Returns where links of robots are that cannot move, from what they hang on.
pub fn fixed_poses(robots: &[Robot], ecm: &Ecm) -> Vec<Pose> {
    fixed(robots).map(|(robot, link)| pose(robot, link, ecm)).collect()
}

/// Tells where links of robots are that cannot move, by what [`fixed_poses`] returned.
pub fn fixed_transforms(robots: &[Robot], poses: &[Pose], stamp: RosTime) -> Vec<Value> {
    let links = fixed(robots).zip(poses);
    links
        .map(|((robot, link), pose)| transform(robot.above(link), &link.frame, *pose, stamp))
        .collect()
}

/// Says whether frames are elsewhere than they were.
pub fn moved(before: &[Pose], after: &[Pose]) -> bool {
    let is_elsewhere = |(before, after): (&Pose, &Pose)| {
        before.position.distance(after.position) > MOVED
            || before.rotation.angle_between(after.rotation) > MOVED
    };
    before.len() != after.len() || before.iter().zip(after).any(is_elsewhere)
}

fn fixed(robots: &[Robot]) -> impl Iterator<Item = (&Robot, &RobotLink)> {
    robots.iter().flat_map(|robot| {
        robot.links.iter().filter(|link| link.fixed).map(move |link| (robot, link))
    })
}

/// Where a link's frame is, from the one that it hangs on.
fn pose(robot: &Robot, link: &RobotLink, ecm: &Ecm) -> Pose {
    let world_from = |link: &RobotLink| world_pose(ecm, link.entity) * link.link_from_frame;
    match link.parent {
        Some(parent) => world_from(&robot.links[parent]).inverse() * world_from(link),
        None => world_from(link),
    }
}

/// Tells where everything else is that moves, from the world: frames `model/link`.
pub fn loose_transforms(robots: &[Robot], ecm: &Ecm, stamp: RosTime) -> Vec<Value> {
    let known = |link: EntityId| {
        robots.iter().any(|robot| robot.links.iter().any(|part| part.entity == link))
    };
    let links = ecm.iter::<Kind>().filter(|(entity, kind)| {
        **kind == Kind::Link && ecm.get::<BodyTwist>(*entity).is_some() && !known(*entity)
    });
    links
        .take(MOST_LOOSE)
        .map(|(link, _)| {
            let frame = path_of(ecm, link).replace("::", "/");
            transform(WORLD, &frame, world_pose(ecm, link), stamp)
        })
        .collect()
}

fn transform(parent: &str, child: &str, pose: Pose, stamp: RosTime) -> Value {
    let (p, q) = (pose.position, pose.rotation);
    json!({
        "header": {"stamp": stamp.message(), "frame_id": parent},
        "child_frame_id": child,
        "transform": {
            "translation": {"x": p.x, "y": p.y, "z": p.z},
            "rotation": {"x": q.x, "y": q.y, "z": q.z, "w": q.w},
        },
    })
}
