//! Kinematic chains: the groups of joints that a robot has when its file names none.

use std::collections::{BTreeMap, BTreeSet};

use retake_components::JointSpec;
use retake_ecm::{Ecm, EntityId};
use retake_motion::player::Group;

/// Finds the chains of `joints`: each a row of joints without a branch, named after its first.
///
/// Joints that are not listed, as fixed ones, belong to the chain that they lie in.
pub(super) fn chains(ecm: &Ecm, all: &[EntityId], joints: &[(EntityId, String)]) -> Vec<Group> {
    let tree = Tree::new(ecm, all, joints);
    let mut groups: Vec<Group> = Vec::new();
    for (joint, name) in joints {
        if tree.is_continued(*joint) {
            continue;
        }
        let row = std::iter::successors(Some(*joint), |joint| tree.only_child(*joint));
        // A ring of links has no end.
        let members = row.take(all.len()).filter_map(|joint| tree.place(joint));
        let mut members: Vec<usize> = members.collect();
        members.sort_unstable();
        members.dedup();
        let taken = |place: &usize| groups.iter().any(|group| group.joints.contains(place));
        members.retain(|place| !taken(place));
        if !members.is_empty() {
            groups.push(Group { name: name.clone(), joints: members });
        }
    }
    groups
}

/// The joints that players move, and those between them.
struct Tree<'a> {
    listed: &'a [(EntityId, String)],
    /// Joints below each link.
    below: BTreeMap<EntityId, Vec<EntityId>>,
    /// The joint that holds each link.
    holder: BTreeMap<EntityId, EntityId>,
    /// Parent and child link of each joint.
    links: BTreeMap<EntityId, (Option<EntityId>, EntityId)>,
}

impl<'a> Tree<'a> {
    fn new(ecm: &Ecm, all: &[EntityId], listed: &'a [(EntityId, String)]) -> Self {
        let specs = all.iter().filter_map(|joint| Some((*joint, ecm.get::<JointSpec>(*joint)?)));
        let links: BTreeMap<EntityId, (Option<EntityId>, EntityId)> =
            specs.map(|(joint, spec)| (joint, (spec.parent, spec.child))).collect();
        let holder = links.iter().map(|(joint, (_, child))| (*child, *joint)).collect();
        let mut tree = Self { listed, below: BTreeMap::new(), holder, links };
        // What holds nothing that moves, as a camera, is no branch.
        let mut useful = BTreeSet::new();
        for (joint, _) in listed {
            let mut at = Some(*joint);
            while let Some(joint) = at.filter(|joint| useful.insert(*joint)) {
                at = tree.above(joint);
            }
        }
        for joint in useful {
            if let Some((Some(parent), _)) = tree.links.get(&joint) {
                tree.below.entry(*parent).or_default().push(joint);
            }
        }
        tree
    }

    fn place(&self, joint: EntityId) -> Option<usize> {
        self.listed.iter().position(|(listed, _)| *listed == joint)
    }

    /// Returns the joint that holds the parent link of a joint.
    fn above(&self, joint: EntityId) -> Option<EntityId> {
        let (parent, _) = self.links.get(&joint)?;
        self.holder.get(&(*parent)?).copied()
    }

    /// Returns the joint below, if there is just one.
    fn only_child(&self, joint: EntityId) -> Option<EntityId> {
        let (_, child) = self.links.get(&joint)?;
        match self.below.get(child).map(Vec::as_slice) {
            Some([only]) => Some(*only),
            _ => None,
        }
    }

    /// Says whether a joint belongs to a chain that a joint above it begins.
    fn is_continued(&self, joint: EntityId) -> bool {
        let mut at = joint;
        for _ in 0..self.links.len() {
            let Some(above) = self.above(at).filter(|above| self.only_child(*above) == Some(at))
            else {
                return false;
            };
            if self.place(above).is_some() {
                return true;
            }
            at = above;
        }
        false
    }
}
