//! Rest poses when an edit moves links or changes joints.
//!
//! An edit changes where links are now; joints stay at their positions, so where the links are with
//! every joint at zero follows. What the edit does not concern keeps its bits.

use std::collections::{BTreeMap, BTreeSet};

use retake_ecm::{Ecm, EntityId, Parent};
use retake_math::{Pose, Vec3, unit_pose};

use crate::{JointPosition, JointSpec, Kind, RestPose, pose_within};

/// Gives the links of a model directly below the world the rest poses that an edit left them with.
///
/// `before` is the state before the edit. Returns the links whose rest pose is another now.
pub fn keep_rest_poses(before: &Ecm, after: &mut Ecm, model: EntityId) -> Vec<EntityId> {
    let rest = Places::of(after, model).rest_after(before, after);
    let mut changed = Vec::new();
    for (link, model_from_link) in rest {
        let holder = after.get::<Parent>(link).map_or(model, |parent| parent.0);
        let holder_from_link = match holder == model {
            true => model_from_link,
            false => pose_within(after, model, holder).inverse() * model_from_link,
        };
        // The link was just found.
        after.set(link, RestPose(unit_pose(holder_from_link))).ok();
        changed.push(link);
    }
    changed
}

/// The links and joints of a model after an edit.
struct Places {
    model: EntityId,
    links: BTreeSet<EntityId>,
    joints: Vec<(EntityId, JointSpec)>,
}

impl Places {
    fn of(ecm: &Ecm, model: EntityId) -> Self {
        let entities = ecm.with_descendants(model);
        let is_link = |entity: &&EntityId| ecm.get::<Kind>(**entity) == Some(&Kind::Link);
        let joint = |entity: &EntityId| Some((*entity, ecm.get::<JointSpec>(*entity)?.clone()));
        Self {
            model,
            links: entities.iter().filter(is_link).copied().collect(),
            joints: entities.iter().filter_map(joint).collect(),
        }
    }

    /// Returns the links whose rest pose in the model is another after the edit.
    fn rest_after(&self, before: &Ecm, after: &Ecm) -> BTreeMap<EntityId, Pose> {
        let walk = Walk { model: self.model, before, after };
        let held: BTreeSet<EntityId> = self.joints.iter().map(|(_, spec)| spec.child).collect();
        let mut rest: BTreeMap<EntityId, Rest> = BTreeMap::new();
        let free = self.links.iter().filter(|link| !held.contains(link));
        rest.extend(free.map(|link| (*link, walk.free(*link))));
        let mut reached: Vec<Option<EntityId>> = vec![None];
        reached.extend(rest.keys().map(|link| Some(*link)));
        let mut next = 0;
        while let Some(&parent) = reached.get(next) {
            next += 1;
            for (joint, spec) in self.joints.iter().filter(|(_, spec)| spec.parent == parent) {
                // In a loop, the joint that came first has placed the link.
                if !self.links.contains(&spec.child) || rest.contains_key(&spec.child) {
                    continue;
                }
                let of_parent = parent.and_then(|parent| rest.get(&parent).copied());
                let of_child = walk.hung(*joint, spec, of_parent.unwrap_or(Rest::WORLD));
                rest.insert(spec.child, of_child);
                reached.push(Some(spec.child));
            }
        }
        rest.into_iter().filter_map(|(link, rest)| Some((link, rest.changed?))).collect()
    }
}

/// Where a link is with every joint at zero, in the frame of the outermost model.
#[derive(Clone, Copy)]
struct Rest {
    /// Before the edit.
    old: Pose,
    /// After it; none when that is the same to the bit.
    changed: Option<Pose>,
}

impl Rest {
    /// The world as parent of a joint: it does not move.
    const WORLD: Self = Self { old: Pose::IDENTITY, changed: None };
}

struct Walk<'a> {
    model: EntityId,
    before: &'a Ecm,
    after: &'a Ecm,
}

impl Walk<'_> {
    /// A link that no joint holds: it was moved, or not.
    fn free(&self, link: EntityId) -> Rest {
        let (Some(old), Some(was)) = (self.old_rest(link), self.place(self.before, link)) else {
            return self.fresh(link);
        };
        let now = pose_within(self.after, self.model, link);
        let changed = match was == now {
            true => None,
            false if old == was => Some(now),
            false => Some(now * was.inverse() * old),
        };
        Rest { old, changed }
    }

    /// A link that hangs on a joint.
    fn hung(&self, joint: EntityId, spec: &JointSpec, parent: Rest) -> Rest {
        let now_between = self.between(self.after, spec);
        let was_between = self.old_between(spec);
        let parent_rest = parent.changed.unwrap_or(parent.old);
        let Some(old) = self.old_rest(spec.child) else {
            let between = self.at_zero(joint, spec, now_between);
            return Rest { old: parent_rest * between, changed: Some(parent_rest * between) };
        };
        let same_joint = self.is_same_joint(joint, spec);
        match (was_between, parent.changed) {
            (Some(was), None) if same_joint && was == now_between => Rest { old, changed: None },
            (Some(was), _) if same_joint => {
                let rest_between = parent.old.inverse() * old;
                let moved = match was == now_between {
                    true => rest_between,
                    false => now_between * was.inverse() * rest_between,
                };
                Rest { old, changed: Some(parent_rest * moved) }
            }
            _ => {
                let between = self.at_zero(joint, spec, now_between);
                Rest { old, changed: Some(parent_rest * between) }
            }
        }
    }

    /// Pose of a child in its parent with the joint at zero, from the one that it has now.
    fn at_zero(&self, joint: EntityId, spec: &JointSpec, parent_from_child: Pose) -> Pose {
        let positions = self.after.get::<JointPosition>(joint).map_or(&[][..], |all| &all.0);
        if positions.iter().all(|position| *position == 0.0) {
            return parent_from_child;
        }
        let axes: Vec<(Vec3, f64)> =
            spec.axes.iter().map(|axis| axis.xyz).zip(positions.iter().copied()).collect();
        let displacement = spec.kind.displacement(spec.thread_pitch, &axes);
        let c = spec.child_from_joint;
        parent_from_child * c * displacement.inverse() * c.inverse()
    }

    /// A link that is new in the model: nothing of it has moved.
    fn fresh(&self, link: EntityId) -> Rest {
        let now = pose_within(self.after, self.model, link);
        let kept = self.after.get::<RestPose>(link).map(|rest| rest.0);
        let holder = self.after.get::<Parent>(link).map(|parent| parent.0);
        let rest = holder.zip(kept).map(|(holder, rest)| match holder == self.model {
            true => rest,
            false => pose_within(self.after, self.model, holder) * rest,
        });
        Rest { old: now, changed: (rest != Some(now)).then_some(now) }
    }

    /// Says whether a joint lets its links move as before the edit.
    fn is_same_joint(&self, joint: EntityId, now: &JointSpec) -> bool {
        let axes = |spec: &JointSpec| spec.axes.iter().map(|axis| axis.xyz).collect::<Vec<_>>();
        let Some(was) = self.before.get::<JointSpec>(joint) else { return false };
        was.kind == now.kind
            && (was.parent, was.child) == (now.parent, now.child)
            && was.child_from_joint == now.child_from_joint
            && axes(was) == axes(now)
            && was.thread_pitch == now.thread_pitch
            && self.before.get::<JointPosition>(joint) == self.after.get::<JointPosition>(joint)
    }

    fn old_between(&self, spec: &JointSpec) -> Option<Pose> {
        let of_parent = match spec.parent {
            Some(parent) => self.place(self.before, parent)?,
            None => Pose::IDENTITY,
        };
        Some(of_parent.inverse() * self.place(self.before, spec.child)?)
    }

    fn between(&self, ecm: &Ecm, spec: &JointSpec) -> Pose {
        let child = pose_within(ecm, self.model, spec.child);
        match spec.parent {
            Some(parent) => pose_within(ecm, self.model, parent).inverse() * child,
            None => Pose::IDENTITY.inverse() * child,
        }
    }

    fn old_rest(&self, link: EntityId) -> Option<Pose> {
        let rest = self.before.get::<RestPose>(link)?.0;
        let holder = self.before.get::<Parent>(link)?.0;
        match holder == self.model {
            true => Some(rest),
            false => Some(self.place(self.before, holder)? * rest),
        }
    }

    /// Pose of an entity in the model; none when it was not in it.
    fn place(&self, ecm: &Ecm, entity: EntityId) -> Option<Pose> {
        let inside = ecm.with_holders(entity).any(|around| around == self.model);
        inside.then(|| pose_within(ecm, self.model, entity))
    }
}
