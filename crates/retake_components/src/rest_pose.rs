//! Where links are when every joint stands at zero.
//!
//! A file places links as they are at zero, and limits count from there. Describing a robot that
//! has moved therefore means telling where its links were when it was made, carried along with the
//! link that all others hang on. No motion is computed back: what nobody moved keeps its bits.

use std::collections::{BTreeMap, BTreeSet};

use retake_ecm::{Ecm, EntityId, Parent};
use retake_math::Pose;

use crate::{JointSpec, Kind, LocalPose, RestPose, pose_within};

/// Returns the poses in their own models that the links of `model` have with every joint at zero.
///
/// Links that no joint holds are left out: they are where they are.
pub(crate) fn rest_poses(ecm: &Ecm, model: EntityId) -> BTreeMap<EntityId, Pose> {
    let entities = ecm.with_descendants(model);
    let joints: Vec<&JointSpec> =
        entities.iter().filter_map(|joint| ecm.get::<JointSpec>(*joint)).collect();
    if joints.is_empty() {
        return BTreeMap::new();
    }
    let links = entities.iter().copied();
    let links = links.filter(|entity| ecm.get::<Kind>(*entity) == Some(&Kind::Link));
    let rest = hung(&joints, links.collect(), |link| shift_of(ecm, model, link));
    let place = |(link, shift): (EntityId, Shift)| Some((link, placed(ecm, model, link, shift)?));
    rest.into_iter().filter_map(place).collect()
}

/// How far a link, and all that hangs on it, is from where the file placed it, in the frame of the
/// outermost model. None is exactly nothing.
type Shift = Option<Pose>;

/// Walks from the links that no joint holds down to the last ones; each hands its shift on.
fn hung(
    joints: &[&JointSpec],
    links: BTreeSet<EntityId>,
    shift_of: impl Fn(EntityId) -> Shift,
) -> BTreeMap<EntityId, Shift> {
    let held: BTreeSet<EntityId> = joints.iter().map(|joint| joint.child).collect();
    let mut hanging: BTreeMap<Option<EntityId>, Vec<EntityId>> = BTreeMap::new();
    for joint in joints.iter().filter(|joint| links.contains(&joint.child)) {
        hanging.entry(joint.parent).or_default().push(joint.child);
    }
    let mut rest = BTreeMap::new();
    let mut reached: Vec<(Option<EntityId>, Shift)> = vec![(None, None)];
    let free = links.iter().filter(|link| !held.contains(link));
    reached.extend(free.map(|link| (Some(*link), shift_of(*link))));
    let mut next = 0;
    while let Some(&(parent, shift)) = reached.get(next) {
        next += 1;
        for child in hanging.get(&parent).into_iter().flatten() {
            // In a loop, the joint that came first has placed the link.
            if !rest.contains_key(child) {
                rest.insert(*child, shift);
                reached.push((Some(*child), shift));
            }
        }
    }
    rest
}

fn shift_of(ecm: &Ecm, model: EntityId, link: EntityId) -> Shift {
    let rest = ecm.get::<RestPose>(link)?.0;
    let now = ecm.get::<LocalPose>(link)?.0;
    if rest == now {
        return None;
    }
    let model_from_holder = pose_within(ecm, model, ecm.get::<Parent>(link)?.0);
    Some(model_from_holder * now * (model_from_holder * rest).inverse())
}

fn placed(ecm: &Ecm, model: EntityId, link: EntityId, shift: Shift) -> Option<Pose> {
    let rest = ecm.get::<RestPose>(link)?.0;
    let Some(shift) = shift else { return Some(rest) };
    let model_from_holder = pose_within(ecm, model, ecm.get::<Parent>(link)?.0);
    Some(model_from_holder.inverse() * shift * model_from_holder * rest)
}
