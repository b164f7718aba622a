//! Where links are when every joint stands at zero.
//!
//! A file places links as they are at zero, and limits count from there. Describing a robot that
//! has moved therefore means turning every joint back first.

use std::collections::{BTreeMap, BTreeSet};

use retake_description::JointKind;
use retake_ecm::{Ecm, EntityId};
use retake_math::{Pose, Quat, Vec3};

use crate::{JointPosition, JointSpec, Kind, world_pose};

/// Returns the world poses that the links of `model` have with every joint at zero.
///
/// Links that no joint has moved are left out. Ball joints have no position that could be taken
/// back, so what hangs on one stays as it is.
pub(crate) fn rest_poses(ecm: &Ecm, model: EntityId) -> BTreeMap<EntityId, Pose> {
    let entities = ecm.with_descendants(model);
    let joints: Vec<(&JointSpec, &[f64])> = entities
        .iter()
        .filter_map(|joint| {
            Some((ecm.get::<JointSpec>(*joint)?, ecm.get::<JointPosition>(*joint)?))
        })
        .map(|(spec, position)| (spec, position.0.as_slice()))
        .collect();
    if joints.iter().all(|(_, position)| position.iter().all(|value| *value == 0.0)) {
        return BTreeMap::new();
    }
    let links = entities.iter().filter(|entity| ecm.get::<Kind>(**entity) == Some(&Kind::Link));
    let now: BTreeMap<EntityId, Pose> = links.map(|link| (*link, world_pose(ecm, *link))).collect();
    turned_back(&joints, &now)
}

/// Walks from the links that no joint moves down to the last ones.
fn turned_back(
    joints: &[(&JointSpec, &[f64])],
    now: &BTreeMap<EntityId, Pose>,
) -> BTreeMap<EntityId, Pose> {
    let children: BTreeSet<EntityId> = joints.iter().map(|(joint, _)| joint.child).collect();
    let mut rest: BTreeMap<EntityId, Pose> = BTreeMap::new();
    let mut reached: Vec<Option<EntityId>> = vec![None];
    reached.extend(now.keys().filter(|link| !children.contains(link)).map(|link| Some(*link)));
    let mut next = 0;
    while next < reached.len() {
        let parent = reached[next];
        next += 1;
        for (joint, position) in joints.iter().filter(|(joint, _)| joint.parent == parent) {
            let Some(world_from_child) = now.get(&joint.child) else { continue };
            if rest.contains_key(&joint.child) {
                // A loop: the joint that came first has placed this link.
                continue;
            }
            let place =
                |poses: &BTreeMap<EntityId, Pose>| parent.and_then(|p| poses.get(&p).copied());
            let world_from_parent = place(now).unwrap_or_default();
            let rest_parent = place(&rest).unwrap_or(world_from_parent);
            let child_from_joint = joint.child_from_joint;
            let unturn =
                child_from_joint * motion(joint, position).inverse() * child_from_joint.inverse();
            let parent_from_child = world_from_parent.inverse() * *world_from_child * unturn;
            rest.insert(joint.child, rest_parent * parent_from_child);
            reached.push(Some(joint.child));
        }
    }
    rest
}

/// The transform that a joint's position makes, in the joint's frame.
fn motion(joint: &JointSpec, position: &[f64]) -> Pose {
    let axis = |at: usize| joint.axes.get(at).map_or(Vec3::Z, |axis| axis.xyz);
    let value = |at: usize| position.get(at).copied().unwrap_or(0.0);
    let turn = |at: usize| Pose::new(Vec3::ZERO, Quat::from_axis_angle(axis(at), value(at)));
    match joint.kind {
        JointKind::Fixed | JointKind::Ball | JointKind::Gearbox => Pose::IDENTITY,
        JointKind::Revolute | JointKind::Continuous => turn(0),
        JointKind::Prismatic => Pose::from_position(axis(0) * value(0)),
        JointKind::Universal | JointKind::Revolute2 => turn(0) * turn(1),
        JointKind::Screw if joint.thread_pitch != 0.0 => {
            Pose::from_position(axis(0) * (value(0) / joint.thread_pitch)) * turn(0)
        }
        JointKind::Screw => turn(0),
    }
}
