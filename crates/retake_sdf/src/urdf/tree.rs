//! Links and joints to one tree.

use std::collections::BTreeMap;

use retake_diag::Diagnostic;

use super::robot::{Joint, Link, Robot, WORLD};
use crate::sdf::{Context, nearest};
use crate::xml::Node;

/// How many unknown names get a hint at a similar one.
const MAX_HINTS: usize = 20;

/// Hangs every link on its joint; none when that does not make one tree.
pub(super) fn grown<'d>(
    cx: &mut Context<'_>,
    node: Node<'d>,
    mut links: Vec<Link<'d>>,
    mut joints: Vec<Joint<'d>>,
) -> Option<Robot<'d>> {
    joints.sort_by_key(|joint| joint.name);
    hang(cx, &mut links, &mut joints)?;
    let root = only_root(cx, node, &links)?;
    let robot = Robot { node, links, joints, root };
    report_unreached(cx, &robot);
    Some(robot)
}

impl Robot<'_> {
    /// Returns the links from the root on, each before those that hang on it.
    pub(super) fn downwards(&self) -> Vec<usize> {
        let mut order = Vec::with_capacity(self.links.len());
        let mut open = vec![self.root];
        while let Some(link) = open.pop() {
            order.push(link);
            open.extend(self.links[link].children.iter().rev());
        }
        order
    }

    /// Returns the links from the tips on, each after those that hang on it, in their order.
    pub(super) fn upwards(&self) -> Vec<usize> {
        let mut order = Vec::with_capacity(self.links.len());
        let mut open = vec![(self.root, 0)];
        while let Some((link, next)) = open.pop() {
            match self.links[link].children.get(next) {
                Some(&child) => open.extend([(link, next + 1), (child, 0)]),
                None => order.push(link),
            }
        }
        order
    }

    /// Returns the index of the link on which another hangs.
    pub(super) fn parent_of(&self, link: usize) -> Option<usize> {
        self.links[link].joint.map(|joint| self.joints[joint].parent)
    }
}

/// Notes on each link its joint and what hangs on it; none when a joint names an unknown link.
fn hang(cx: &mut Context<'_>, links: &mut [Link<'_>], joints: &mut [Joint<'_>]) -> Option<()> {
    let by_name: BTreeMap<&str, usize> =
        links.iter().enumerate().map(|(index, link)| (link.name, index)).collect();
    let mut unknown = 0;
    let mut children = Vec::with_capacity(joints.len());
    for (index, joint) in joints.iter_mut().enumerate() {
        let mut end = |tag: &str, name: &str| {
            let found = by_name.get(name).copied();
            if found.is_none() {
                let node = joint.node.child(tag).unwrap_or(joint.node);
                // Looking for similar names takes time, and few are enough.
                let candidates = if unknown < MAX_HINTS { Some(&by_name) } else { None };
                unknown_link(cx, node, name, candidates);
                unknown += 1;
            }
            found
        };
        let ends = (end("parent", joint.ends.0), end("child", joint.ends.1));
        let (Some(parent), Some(child)) = ends else { continue };
        joint.parent = parent;
        children.push((index, child));
        if links[child].joint.replace(index).is_some() {
            let message = format!(
                "link {:?} hangs on two joints; only {:?} counts",
                links[child].name, joint.name
            );
            cx.error("urdf-two-parents", joint.node.place(), message);
        }
    }
    for (joint, child) in children {
        if links[child].joint == Some(joint) {
            links[joints[joint].parent].children.push(child);
        }
    }
    (unknown == 0).then_some(())
}

fn unknown_link(
    cx: &mut Context<'_>,
    node: Node<'_>,
    name: &str,
    candidates: Option<&BTreeMap<&str, usize>>,
) {
    let message = format!("there is no link {name:?}");
    let mut error = Diagnostic::error("urdf-unknown-link", message).at(node.place());
    let names = candidates.into_iter().flat_map(|by_name| by_name.keys().copied());
    if let Some(similar) = nearest(name, names) {
        error = error.help(format!("Did you mean {similar:?}?"));
    }
    cx.diagnostics.push(error);
}

/// Finds the one link that hangs on no other.
fn only_root(cx: &mut Context<'_>, node: Node<'_>, links: &[Link<'_>]) -> Option<usize> {
    let mut roots = (0..links.len()).filter(|&link| links[link].joint.is_none());
    let Some(root) = roots.next() else {
        let message = "no link hangs on no other: the joints go round in a circle";
        cx.error("urdf-cycle", node.place(), message);
        return None;
    };
    let second = roots.next().map(|link| &links[link]);
    if let Some(second) = second {
        let message = format!(
            "links {:?} and {:?} hang on no joint; a robot has one such link",
            links[root].name, second.name
        );
        let error = Diagnostic::error("urdf-two-roots", message).at(second.node.place());
        cx.diagnostics.push(error.help("Join them, or put them into files of their own"));
        return None;
    }
    let inner = links.iter().enumerate().find(|(index, link)| *index != root && link.name == WORLD);
    if let Some((_, link)) = inner {
        let message = "link \"world\" stands for the world and cannot hang on another link";
        cx.error("urdf-reserved-name", link.node.place(), message);
        return None;
    }
    Some(root)
}

/// Reports links that hang on one another in a circle beside the tree.
fn report_unreached(cx: &mut Context<'_>, robot: &Robot<'_>) {
    let mut reached = vec![false; robot.links.len()];
    robot.downwards().into_iter().for_each(|link| reached[link] = true);
    for (link, _) in robot.links.iter().zip(reached).filter(|(_, reached)| !reached) {
        let message = format!("link {:?} hangs on itself by a circle of joints", link.name);
        let error = Diagnostic::error("urdf-cycle", message).at(link.node.place());
        cx.diagnostics.push(error.help("It is left out; break the circle"));
    }
}
