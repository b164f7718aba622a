//! The tree that a model's links make.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use retake_description::{Joint, Link, Model, WORLD_LINK};
use retake_math::Pose;

use super::UrdfFrame;

/// Links, each after the one that it hangs on.
pub(super) struct Tree<'a> {
    pub(super) parts: Vec<Part<'a>>,
}

/// A link with its place in the tree.
pub(super) struct Part<'a> {
    /// Path of what holds the link, with `::` at its end; empty in the model itself.
    pub(super) scope: String,
    pub(super) link: &'a Link,
    pub(super) holder: Holder<'a>,
    /// Place of the link that it hangs on; none is the world.
    pub(super) parent: Option<usize>,
    pub(super) link_from_frame: Pose,
    /// The link's own frame in the outer model, with every joint at zero.
    model_from_link: Pose,
}

/// What holds a link.
#[derive(Clone, Copy)]
pub(super) enum Holder<'a> {
    Nothing,
    Joint(&'a Joint),
}

impl Part<'_> {
    /// Returns its path below the model.
    fn path(&self) -> String {
        format!("{}{}", self.scope, self.link.name)
    }

    /// Returns its name in the document.
    pub(super) fn name(&self) -> String {
        self.path().replace("::", "/")
    }
}

impl<'a> Tree<'a> {
    pub(super) fn of(model: &'a Model, notes: &mut Vec<String>) -> Self {
        let mut gathered = Gathered::default();
        gathered.gather(model, "", Pose::IDENTITY);
        let mut holders: BTreeMap<String, (String, &Joint)> = BTreeMap::new();
        for (scope, joint) in gathered.joints {
            let child = format!("{scope}{}", joint.child);
            let parent = match joint.parent.as_str() {
                WORLD_LINK => String::new(),
                inside => format!("{scope}{inside}"),
            };
            match holders.entry(child) {
                Entry::Occupied(_) => {
                    let name = &joint.name;
                    notes
                        .push(format!("joint {name:?} closes a loop, which URDF cannot: left out"));
                }
                Entry::Vacant(free) => {
                    free.insert((parent, joint));
                }
            }
        }
        Self { parts: in_order(gathered.links, &holders) }
    }

    /// Says whether a link must stand for the world: several things hang on it, or one that moves.
    pub(super) fn needs_world(&self) -> bool {
        let mut bases = self.parts.iter().filter(|part| part.parent.is_none());
        let moves = |part: &Part<'_>| match part.holder {
            Holder::Joint(joint) => !joint.axes.is_empty(),
            Holder::Nothing => false,
        };
        bases.clone().count() > 1 || bases.any(moves)
    }

    /// Returns where a link's frame is in that of the one it hangs on, with every joint at zero.
    pub(super) fn parent_from(&self, place: usize) -> Pose {
        let frame = |part: &Part<'_>| part.model_from_link * part.link_from_frame;
        let part = &self.parts[place];
        let above = part.parent.map_or(Pose::IDENTITY, |parent| frame(&self.parts[parent]));
        above.inverse() * frame(part)
    }

    pub(super) fn frames(&self) -> Vec<UrdfFrame> {
        let frame = |part: &Part<'_>| UrdfFrame {
            name: part.name(),
            link: part.path(),
            parent: part.parent.map(|parent| self.parts[parent].name()),
            link_from_frame: part.link_from_frame,
        };
        self.parts.iter().map(frame).collect()
    }
}

/// All links and joints, with those of models inside.
#[derive(Default)]
struct Gathered<'a> {
    links: Vec<(String, &'a Link, Pose)>,
    joints: Vec<(String, &'a Joint)>,
}

impl<'a> Gathered<'a> {
    fn gather(&mut self, model: &'a Model, scope: &str, outer_from_model: Pose) {
        for link in &model.links {
            let place = outer_from_model * link.model_from_link;
            self.links.push((scope.to_owned(), link, place));
        }
        self.joints.extend(model.joints.iter().map(|joint| (scope.to_owned(), joint)));
        for inner in &model.models {
            let scope = format!("{scope}{}::", inner.name);
            self.gather(inner, &scope, outer_from_model * inner.parent_from_model);
        }
    }
}

/// Puts links in the order of the tree; what hangs in a ring begins anew with its first link.
fn in_order<'a>(
    links: Vec<(String, &'a Link, Pose)>,
    holders: &BTreeMap<String, (String, &'a Joint)>,
) -> Vec<Part<'a>> {
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    let mut parts: Vec<Part<'a>> = Vec::new();
    let mut waiting = links;
    while !waiting.is_empty() {
        let ready = |(scope, link, _): &(String, &Link, Pose)| {
            let held = holders.get(&format!("{scope}{}", link.name));
            held.is_none_or(|(parent, _)| parent.is_empty() || places.contains_key(parent))
        };
        let next = waiting.iter().position(ready).unwrap_or(0);
        let (scope, link, model_from_link) = waiting.remove(next);
        let path = format!("{scope}{}", link.name);
        let held = holders.get(&path);
        let parent = held.and_then(|(parent, _)| places.get(parent).copied());
        // In a ring nothing is there yet to hang on.
        let held = held.filter(|(above, _)| above.is_empty() || parent.is_some());
        let (holder, link_from_frame) = match held {
            Some((_, joint)) if parent.is_some() || !joint.axes.is_empty() => {
                (Holder::Joint(joint), joint.child_from_joint)
            }
            Some((_, joint)) => (Holder::Joint(joint), Pose::IDENTITY),
            None => (Holder::Nothing, Pose::IDENTITY),
        };
        places.insert(path, parts.len());
        parts.push(Part { scope, link, holder, parent, link_from_frame, model_from_link });
    }
    parts
}
