//! Whether a model has more joints in one tree than engines with forces take.
//!
//! They have the last word, and only they know which joint of a ring is no part of its tree. Here it
//! is told where such a model is written, before anybody makes an engine.

use std::collections::HashMap;

use retake_description::bounds::TREE_FREEDOMS;
use retake_description::{Joint, JointKind, Model, WORLD_LINK};
use retake_diag::{Diagnostic, Place};

use crate::sdf::Context;

/// Freedoms of a tree that nothing holds.
const FREE_ROOT: usize = 6;

/// Warns of a model with a tree that is too large.
pub(super) fn check(cx: &mut Context<'_>, model: &Model, place: Place) {
    let freedoms = all_freedoms(model);
    if FREE_ROOT + freedoms <= TREE_FREEDOMS || has_static(model) {
        return;
    }
    let count = Bonds::of(model).largest_tree();
    if count <= TREE_FREEDOMS {
        return;
    }
    let message = format!(
        "model {:?} has {count} degrees of freedom in one tree of joints; engines with forces take \
         at most {TREE_FREEDOMS} and do not simulate it",
        model.name
    );
    let warning = Diagnostic::warning("sdf-too-many-freedoms", message).at(place);
    cx.diagnostics
        .push(warning.help("Make several models of it, or fix joints that need not move"));
}

fn all_freedoms(model: &Model) -> usize {
    let own: usize = model.joints.iter().map(|joint| joint.kind.freedoms()).sum();
    own + model.models.iter().map(all_freedoms).sum::<usize>()
}

/// A model with a part that never moves does not move at all.
fn has_static(model: &Model) -> bool {
    model.is_static || model.models.iter().any(has_static)
}

/// Joints of a model and of all in it, between links by their numbers.
#[derive(Default)]
struct Bonds {
    links: usize,
    kinematic: Vec<bool>,
    /// Kind, parent (none is the world) and child.
    joints: Vec<(JointKind, Option<usize>, usize)>,
}

/// Numbers of links by their names, scoped from a model.
type Links = HashMap<String, usize>;

impl Bonds {
    fn of(model: &Model) -> Self {
        let mut bonds = Self::default();
        bonds.take(model);
        bonds
    }

    /// Takes all of a model, and returns what its links are called in it.
    fn take(&mut self, model: &Model) -> Links {
        let mut links = Links::new();
        for link in &model.links {
            links.insert(link.name.clone(), self.links);
            self.kinematic.push(link.kinematic);
            self.links += 1;
        }
        for nested in &model.models {
            let inner = self.take(nested);
            let scoped =
                inner.into_iter().map(|(name, at)| (format!("{}::{name}", nested.name), at));
            links.extend(scoped);
        }
        self.joints.extend(model.joints.iter().filter_map(|joint| bond(&links, joint)));
        links
    }

    /// Counts the freedoms of the largest tree.
    fn largest_tree(&self) -> usize {
        let lumps = Lumps::of(self);
        let mut trees = Trees::new(self.links);
        let moving = self.joints.iter().filter(|(kind, ..)| kind.freedoms() > 0);
        let moving = moving.map(|(kind, parent, child)| Edge {
            freedoms: kind.freedoms(),
            parent: parent.map(|link| lumps.of_link[link]),
            child: lumps.of_link[*child],
        });
        let moving: Vec<Edge> = moving.collect();
        moving.iter().for_each(|edge| trees.join(edge, &lumps));
        moving.iter().for_each(|edge| trees.hang_on_fixed(edge, &lumps));
        moving.iter().for_each(|edge| trees.hang_on_world(edge, &lumps));
        trees.largest()
    }
}

/// A joint that moves, between lumps.
struct Edge {
    freedoms: usize,
    /// None is the world.
    parent: Option<usize>,
    child: usize,
}

/// Lumps that move, with the joints between them.
struct Trees {
    sets: Sets,
    /// Freedoms of the joints in the tree of a lump, by the first lump of it.
    inside: Vec<usize>,
    /// Whether something holds the tree.
    held: Vec<bool>,
    /// Freedoms of all that a fixed lump carries, or of a tree that hangs on the world.
    rooted: Vec<usize>,
}

impl Trees {
    fn new(lumps: usize) -> Self {
        Self {
            sets: Sets::new(lumps),
            inside: vec![0; lumps],
            held: vec![false; lumps],
            rooted: vec![0; lumps],
        }
    }

    fn join(&mut self, edge: &Edge, lumps: &Lumps) {
        let parent = edge.parent.filter(|parent| lumps.moves(*parent) && lumps.moves(edge.child));
        let joined = parent.and_then(|parent| self.sets.join(parent, edge.child));
        if let Some((kept, gone)) = joined {
            self.inside[kept] += std::mem::take(&mut self.inside[gone]) + edge.freedoms;
        }
    }

    /// All that one fixed lump carries is one tree.
    fn hang_on_fixed(&mut self, edge: &Edge, lumps: &Lumps) {
        let Some(parent) = edge.parent else { return };
        match (lumps.fixed[parent], lumps.fixed[edge.child]) {
            (true, false) => self.hang(edge.child, parent, edge, lumps),
            (false, true) => self.hang(parent, edge.child, edge, lumps),
            _ => {}
        }
    }

    /// Each joint with the world begins a tree of its own.
    fn hang_on_world(&mut self, edge: &Edge, lumps: &Lumps) {
        if edge.parent.is_none() {
            self.hang(edge.child, edge.child, edge, lumps);
        }
    }

    fn hang(&mut self, lump: usize, root: usize, edge: &Edge, lumps: &Lumps) {
        let tree = self.sets.first(lump);
        if lumps.moves(lump) && !self.held[tree] {
            self.held[tree] = true;
            self.rooted[root] += self.inside[tree] + edge.freedoms;
        }
    }

    fn largest(&self) -> usize {
        let is_free = |lump: &usize| !self.held[*lump] && self.inside[*lump] > 0;
        let free = (0..self.inside.len()).filter(is_free);
        let free = free.map(|lump| FREE_ROOT + self.inside[lump]);
        self.rooted.iter().copied().chain(free).max().unwrap_or(0)
    }
}

/// Finds the links of a joint.
fn bond(links: &Links, joint: &Joint) -> Option<(JointKind, Option<usize>, usize)> {
    let child = *links.get(&joint.child)?;
    let parent = match joint.parent.as_str() {
        WORLD_LINK => None,
        name => Some(*links.get(name)?),
    };
    Some((joint.kind, parent, child))
}

/// Links that fixed joints hold together.
struct Lumps {
    of_link: Vec<usize>,
    fixed: Vec<bool>,
    kinematic: Vec<bool>,
}

impl Lumps {
    fn of(bonds: &Bonds) -> Self {
        let mut sets = Sets::new(bonds.links);
        let joints = || bonds.joints.iter().filter(|(kind, ..)| *kind == JointKind::Fixed);
        for (_, parent, child) in joints() {
            sets.join(parent.unwrap_or(*child), *child);
        }
        let of_link: Vec<usize> = (0..bonds.links).map(|link| sets.first(link)).collect();
        let (mut fixed, mut kinematic) = (vec![false; bonds.links], vec![false; bonds.links]);
        for (_, _, child) in joints().filter(|(_, parent, _)| parent.is_none()) {
            fixed[of_link[*child]] = true;
        }
        for (lump, by_command) in of_link.iter().zip(&bonds.kinematic) {
            kinematic[*lump] |= *by_command;
        }
        Self { of_link, fixed, kinematic }
    }

    /// Says whether forces move a lump.
    fn moves(&self, lump: usize) -> bool {
        !self.fixed[lump] && !self.kinematic[lump]
    }
}

/// Numbers in sets, each named by the first of them.
struct Sets(Vec<usize>);

impl Sets {
    fn new(count: usize) -> Self {
        Self((0..count).collect())
    }

    fn first(&mut self, mut at: usize) -> usize {
        while self.0[at] != at {
            // The way becomes shorter for the next time.
            self.0[at] = self.0[self.0[at]];
            at = self.0[at];
        }
        at
    }

    /// Makes one set of two, and returns their names; none when they are one already.
    fn join(&mut self, a: usize, b: usize) -> Option<(usize, usize)> {
        let (a, b) = (self.first(a), self.first(b));
        let (kept, gone) = (a.min(b), a.max(b));
        self.0[gone] = kept;
        (kept != gone).then_some((kept, gone))
    }
}
