//! How an assembly becomes rigid bodies and joints: pure, for every engine with forces.
//!
//! Links that fixed joints hold together become one lump. Lumps that moving joints connect become
//! trees, each rooted in a lump or in an anchor of the world. What is left over closes a loop.

use std::collections::BTreeMap;

use retake_description::JointKind;
use retake_description::bounds::TREE_FREEDOMS;
use retake_ecm::EntityId;
use retake_math::{Inertial, Pose, Vec3};
use serde::{Deserialize, Serialize};

use crate::{Assembly, BodySpec, EngineError, JointSpec};

/// The structure to build.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Plan {
    /// Lumps in the order of their first links.
    pub(crate) lumps: Vec<Lump>,
    /// Trees of moving joints; lumps in no tree are on their own.
    pub(crate) trees: Vec<Tree>,
    /// Joints that close a loop or hang on a kinematic lump.
    pub(crate) loops: Vec<LoopEdge>,
    /// Joints between links of one lump: they cannot move.
    pub(crate) frozen: Vec<usize>,
    /// Gearboxes: they couple other joints and hold nothing themselves.
    pub(crate) gears: Vec<usize>,
}

/// Links that never move against each other.
#[derive(Debug, PartialEq)]
pub(crate) struct Lump {
    /// Indices of the links in the assembly.
    pub(crate) links: Vec<usize>,
    /// How it moves.
    pub(crate) motion: Motion,
}

/// How a lump moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Motion {
    /// Not at all: it is fixed to the world.
    Fixed,
    /// By command only.
    Kinematic,
    /// By forces.
    Dynamic,
}

/// A tree of moving joints.
#[derive(Debug, PartialEq)]
pub(crate) struct Tree {
    /// The lump at the root; none is an anchor of the world.
    pub(crate) root: Option<usize>,
    /// Edges; each starts at the root or at the end of an earlier one.
    pub(crate) edges: Vec<TreeEdge>,
}

/// A joint in a tree.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct TreeEdge {
    /// Index of the joint in the assembly.
    pub(crate) joint: usize,
    /// The lump nearer to the root; none is the anchor.
    pub(crate) near: Option<usize>,
    /// The lump that it carries.
    pub(crate) far: usize,
    /// Whether the joint's child is the nearer one.
    pub(crate) reversed: bool,
}

/// A joint that closes a loop.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct LoopEdge {
    /// Index of the joint in the assembly.
    pub(crate) joint: usize,
    /// Lump of the parent; none is the world.
    pub(crate) parent: Option<usize>,
    /// Lump of the child.
    pub(crate) child: usize,
}

impl LoopEdge {
    /// Returns the lump at the other end, and whether that is the parent; none is the world.
    fn other_end(&self, lump: usize) -> Option<(usize, bool)> {
        match self.parent == Some(lump) {
            true => Some((self.child, false)),
            false => self.parent.map(|parent| (parent, true)),
        }
    }
}

/// Plans an assembly.
pub(crate) fn plan(assembly: &Assembly) -> Result<Plan, EngineError> {
    let ends = joint_ends(assembly)?;
    if assembly.is_static {
        return Ok(static_plan(assembly));
    }
    let lump_of_link = lump_links(assembly, &ends);
    let mut planner = Planner::new(assembly, &ends, &lump_of_link);
    planner.grow_trees();
    let plan = planner.finish();
    check_freedoms(assembly, &plan)?;
    Ok(plan)
}

/// Refuses trees whose matrices would take all memory, before anybody makes one.
fn check_freedoms(assembly: &Assembly, plan: &Plan) -> Result<(), EngineError> {
    let count = plan.trees.iter().map(|tree| freedoms(assembly, plan, tree)).max().unwrap_or(0);
    if count <= TREE_FREEDOMS {
        return Ok(());
    }
    Err(EngineError::TooManyFreedoms { model: assembly.model, count, most: TREE_FREEDOMS })
}

/// Counts the coordinates of a tree, its root's among them.
pub(crate) fn freedoms(assembly: &Assembly, plan: &Plan, tree: &Tree) -> usize {
    let is_free = tree.root.is_some_and(|root| plan.lumps[root].motion == Motion::Dynamic);
    let of_root = if is_free { FREE_ROOT } else { 0 };
    let of_edge = |edge: &TreeEdge| assembly.joints[edge.joint].kind.freedoms();
    of_root + tree.edges.iter().map(of_edge).sum::<usize>()
}

/// Freedoms of a root that nothing holds.
const FREE_ROOT: usize = 6;

/// Mass properties of links that are fixed together, in the frame of the first.
pub(crate) fn lumped_inertial(
    specs: &[&BodySpec],
    first_from_link: impl Fn(&BodySpec) -> Pose,
) -> Inertial {
    let moved = |spec: &&BodySpec| {
        let link_from_com = spec.inertial.link_from_com.normalized();
        Inertial { link_from_com, ..spec.inertial }.moved(first_from_link(spec))
    };
    let first = moved(&specs[0]);
    specs[1..].iter().fold(first, |sum, spec| sum.combined(&moved(spec)))
}

/// The hinges that a gearbox joins: the parent's turns by `factor` times what the child's turns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Gears {
    pub(crate) parent: EntityId,
    pub(crate) child: EntityId,
    pub(crate) factor: f64,
}

/// Finds what a gearbox joins; none when its reference does not carry both by hinges.
pub(crate) fn gears(assembly: &Assembly, spec: &JointSpec) -> Option<Gears> {
    let gearbox = spec.gearbox?;
    let world_from_gear = pose_of(assembly, spec.child)? * spec.child_from_joint;
    let axis = |index: usize| world_from_gear.transform_vector(spec.axes[index].axis.xyz);
    let (parent, parent_sign) = hinge(assembly, gearbox.reference, spec.parent?, axis(0))?;
    let (child, child_sign) = hinge(assembly, gearbox.reference, spec.child, axis(1))?;
    Some(Gears { parent, child, factor: -gearbox.ratio * parent_sign * child_sign })
}

/// The hinge between two links, and whether it turns along `axis` (1) or against it (-1) as the
/// second turns away from the first.
fn hinge(
    assembly: &Assembly,
    reference: EntityId,
    link: EntityId,
    axis: Vec3,
) -> Option<(EntityId, f64)> {
    let joins = |joint: &&JointSpec| {
        let ends = [joint.parent, Some(joint.child)];
        matches!(joint.kind, JointKind::Revolute | JointKind::Continuous)
            && ends.contains(&Some(reference))
            && ends.contains(&Some(link))
    };
    let joint = assembly.joints.iter().find(joins)?;
    let world_from_joint = pose_of(assembly, joint.child)? * joint.child_from_joint;
    let along = world_from_joint.transform_vector(joint.axes[0].axis.xyz).dot(axis);
    let forward = if joint.child == link { 1.0 } else { -1.0 };
    Some((joint.joint, forward * 1f64.copysign(along)))
}

fn pose_of(assembly: &Assembly, link: EntityId) -> Option<Pose> {
    assembly.bodies.iter().find(|body| body.link == link).map(|body| body.world_from_link)
}

/// Indices of a joint's parent (none is the world) and child among the links.
type Ends = (Option<usize>, usize);

fn joint_ends(assembly: &Assembly) -> Result<Vec<Ends>, EngineError> {
    let index: BTreeMap<EntityId, usize> =
        assembly.bodies.iter().enumerate().map(|(i, body)| (body.link, i)).collect();
    let find = |joint: &JointSpec, link: EntityId| {
        let what = || "a link of the joint is not part of its model".to_owned();
        let unsupported = || EngineError::Unsupported { entity: joint.joint, what: what() };
        index.get(&link).copied().ok_or_else(unsupported)
    };
    let ends = |joint: &JointSpec| {
        let parent = joint.parent.map(|link| find(joint, link)).transpose()?;
        let child = find(joint, joint.child)?;
        if parent == Some(child) {
            let what = "the joint connects a link to itself".to_owned();
            return Err(EngineError::Unsupported { entity: joint.joint, what });
        }
        Ok((parent, child))
    };
    assembly.joints.iter().map(ends).collect()
}

fn static_plan(assembly: &Assembly) -> Plan {
    let links: Vec<usize> = (0..assembly.bodies.len()).collect();
    let lumps = if links.is_empty() { vec![] } else { vec![Lump { links, motion: Motion::Fixed }] };
    Plan { lumps, frozen: (0..assembly.joints.len()).collect(), ..Plan::default() }
}

/// For each link the first link of its lump, and whether the lump is fixed to the world.
fn lump_links(assembly: &Assembly, ends: &[Ends]) -> Vec<(usize, bool)> {
    let links = assembly.bodies.len();
    let mut earlier: Vec<usize> = (0..links).collect();
    let mut fixed = vec![false; links];
    for (spec, (parent, child)) in assembly.joints.iter().zip(ends) {
        if spec.kind != JointKind::Fixed {
            continue;
        }
        let child = first_of(&mut earlier, *child);
        let parent_first = parent.map_or(child, |parent| first_of(&mut earlier, parent));
        let (kept, gone) = (parent_first.min(child), parent_first.max(child));
        fixed[kept] |= parent.is_none() || fixed[gone];
        earlier[gone] = kept;
    }
    let lump = |link| {
        let first = first_of(&mut earlier, link);
        (first, fixed[first])
    };
    (0..links).map(lump).collect()
}

/// Follows a link to the first of its lump, and shortens the way for the next time.
fn first_of(earlier: &mut [usize], mut link: usize) -> usize {
    while earlier[link] != link {
        earlier[link] = earlier[earlier[link]];
        link = earlier[link];
    }
    link
}

struct Planner<'a> {
    assembly: &'a Assembly,
    plan: Plan,
    /// For each moving joint: its index and the lumps at its ends.
    moving: Vec<LoopEdge>,
    /// For each lump its moving joints, in their order: looking at all for each lump would take
    /// minutes where there are many.
    around: Vec<Vec<usize>>,
    in_tree: Vec<bool>,
    used: Vec<bool>,
}

impl<'a> Planner<'a> {
    fn new(assembly: &'a Assembly, ends: &[Ends], lump_of_link: &[(usize, bool)]) -> Self {
        let mut plan = Plan::default();
        let mut index = vec![0; lump_of_link.len()];
        for (link, (first, fixed)) in lump_of_link.iter().enumerate() {
            if *first == link {
                index[link] = plan.lumps.len();
                let motion = if *fixed { Motion::Fixed } else { Motion::Dynamic };
                plan.lumps.push(Lump { links: vec![], motion });
            }
            index[link] = index[*first];
            let lump = &mut plan.lumps[index[*first]];
            lump.links.push(link);
            if assembly.bodies[link].kinematic && lump.motion == Motion::Dynamic {
                lump.motion = Motion::Kinematic;
            }
        }
        let mut moving = Vec::new();
        for (joint, (parent, child)) in ends.iter().enumerate() {
            let (parent, child) = (parent.map(|link| index[link]), index[*child]);
            if assembly.joints[joint].kind == JointKind::Gearbox {
                plan.gears.push(joint);
            } else if assembly.joints[joint].kind == JointKind::Fixed || parent == Some(child) {
                plan.frozen.push(joint);
            } else {
                moving.push(LoopEdge { joint, parent, child });
            }
        }
        let mut around = vec![Vec::new(); plan.lumps.len()];
        for (at, edge) in moving.iter().enumerate() {
            edge.parent.into_iter().chain([edge.child]).for_each(|lump| around[lump].push(at));
        }
        let (in_tree, used) = (vec![false; plan.lumps.len()], vec![false; moving.len()]);
        Self { assembly, plan, moving, around, in_tree, used }
    }

    /// Roots in this order: what is fixed, what hangs on the world, what is nobody's child, the
    /// rest (rings without a beginning).
    fn grow_trees(&mut self) {
        for lump in 0..self.plan.lumps.len() {
            if self.plan.lumps[lump].motion != Motion::Dynamic {
                self.in_tree[lump] = true;
            }
        }
        for lump in 0..self.plan.lumps.len() {
            if self.plan.lumps[lump].motion == Motion::Fixed {
                self.grow(lump);
            }
        }
        for at in 0..self.moving.len() {
            // A lump that a tree has reached hangs on the world by a loop.
            if self.moving[at].parent.is_none() && !self.in_tree[self.moving[at].child] {
                self.grow_from_world(at);
            }
        }
        let mut is_child = vec![false; self.plan.lumps.len()];
        self.moving.iter().for_each(|edge| is_child[edge.child] = true);
        let (starts, rest): (Vec<usize>, Vec<usize>) =
            (0..self.plan.lumps.len()).partition(|lump| !is_child[*lump]);
        for lump in starts.into_iter().chain(rest) {
            if !self.in_tree[lump] {
                self.in_tree[lump] = true;
                self.grow(lump);
            }
        }
    }

    /// Grows a tree from an anchor of the world: it carries a single joint, so that every robot has
    /// its own.
    fn grow_from_world(&mut self, at: usize) {
        let mut tree = Tree { root: None, edges: Vec::new() };
        self.reach(&mut tree, at, None, (self.moving[at].child, false));
        self.spread(tree);
    }

    /// Grows a tree from a lump.
    fn grow(&mut self, root: usize) {
        self.spread(Tree { root: Some(root), edges: Vec::new() });
    }

    /// Follows the joints from where a tree is to all that they lead to.
    fn spread(&mut self, mut tree: Tree) {
        let mut reached: Vec<usize> = tree.root.into_iter().collect();
        reached.extend(tree.edges.iter().map(|edge| edge.far));
        let mut next = 0;
        while let Some(&near) = reached.get(next) {
            next += 1;
            for at in std::mem::take(&mut self.around[near]) {
                let Some((far, reversed)) = self.moving[at].other_end(near) else { continue };
                if !self.in_tree[far] {
                    self.reach(&mut tree, at, Some(near), (far, reversed));
                    reached.push(far);
                }
            }
        }
        if !tree.edges.is_empty() {
            self.plan.trees.push(tree);
        }
    }

    fn reach(
        &mut self,
        tree: &mut Tree,
        at: usize,
        near: Option<usize>,
        (far, reversed): (usize, bool),
    ) {
        self.in_tree[far] = true;
        self.used[at] = true;
        tree.edges.push(TreeEdge { joint: self.moving[at].joint, near, far, reversed });
    }

    fn finish(mut self) -> Plan {
        let used = self.used;
        self.plan.loops = self
            .moving
            .into_iter()
            .zip(used)
            .filter(|(_, used)| !used)
            .map(|(edge, _)| edge)
            .collect();
        debug_assert_eq!(
            self.assembly.joints.len(),
            self.plan.loops.len()
                + self.plan.frozen.len()
                + self.plan.gears.len()
                + self.plan.trees.iter().map(|tree| tree.edges.len()).sum::<usize>()
        );
        self.plan
    }
}

#[cfg(test)]
mod tests {
    use retake_description::VelocityDecay;
    use retake_math::Twist;

    use super::*;
    use crate::AxisSpec;

    /// Plans links 1 to `links` with joints given as kind, parent (0 is the world) and child.
    fn plan_of(links: u64, joints: &[(JointKind, u64, u64)]) -> Plan {
        plan(&assembly_of(links, joints)).unwrap()
    }

    fn assembly_of(links: u64, joints: &[(JointKind, u64, u64)]) -> Assembly {
        let body = |link| BodySpec {
            link: EntityId::from_raw(link),
            world_from_link: Pose::IDENTITY,
            twist: Twist::ZERO,
            inertial: Inertial::default(),
            gravity: true,
            kinematic: false,
            self_collide: false,
            velocity_decay: VelocityDecay::default(),
            colliders: Vec::new(),
        };
        let joint = |(i, (kind, parent, child)): (usize, &(JointKind, u64, u64))| JointSpec {
            joint: EntityId::from_raw(100_000 + i as u64),
            kind: *kind,
            parent: (*parent > 0).then(|| EntityId::from_raw(*parent)),
            child: EntityId::from_raw(*child),
            child_from_joint: Pose::IDENTITY,
            axes: vec![AxisSpec::default(); kind.axis_count()],
            thread_pitch: 1.0,
            gearbox: None,
        };
        Assembly {
            model: EntityId::from_raw(1_000_000),
            is_static: false,
            self_collide: false,
            may_sleep: true,
            bodies: (1..=links).map(body).collect(),
            joints: joints.iter().enumerate().map(joint).collect(),
        }
    }

    /// Hinges from the first link (0 is the world) to each of the others.
    fn star(middle: u64, others: std::ops::RangeInclusive<u64>) -> Vec<(JointKind, u64, u64)> {
        others.map(|link| (JointKind::Revolute, middle, link)).collect()
    }

    fn edge(joint: usize, near: Option<usize>, far: usize, reversed: bool) -> TreeEdge {
        TreeEdge { joint, near, far, reversed }
    }

    #[test]
    fn fixed_joints_lump_across_several_steps() {
        use JointKind::{Fixed, Revolute};
        let plan = plan_of(5, &[(Fixed, 3, 4), (Fixed, 1, 3), (Revolute, 4, 2), (Fixed, 5, 2)]);
        let links: Vec<_> = plan.lumps.iter().map(|lump| lump.links.clone()).collect();
        assert_eq!(links, vec![vec![0, 2, 3], vec![1, 4]]);
        assert_eq!(
            plan.trees,
            vec![Tree { root: Some(0), edges: vec![edge(2, Some(0), 1, false)] }]
        );
        assert_eq!((plan.loops, plan.frozen), (vec![], vec![0, 1, 3]));
    }

    #[test]
    fn what_is_fixed_to_the_world_is_the_root() {
        use JointKind::{Fixed, Revolute};
        let plan = plan_of(3, &[(Revolute, 1, 2), (Revolute, 2, 3), (Fixed, 0, 3)]);
        assert_eq!(plan.lumps[2].motion, Motion::Fixed);
        let edges = vec![edge(1, Some(2), 1, true), edge(0, Some(1), 0, true)];
        assert_eq!(plan.trees, vec![Tree { root: Some(2), edges }]);
    }

    #[test]
    fn every_tree_on_the_world_has_its_own_anchor_and_rings_are_closed() {
        use JointKind::Revolute;
        let hinges = [(Revolute, 0, 1), (Revolute, 0, 2), (Revolute, 2, 3), (Revolute, 0, 3)];
        let plan = plan_of(3, &hinges);
        let roots: Vec<_> = plan.trees.iter().map(|tree| (tree.root, tree.edges.len())).collect();
        assert_eq!(roots, vec![(None, 1), (None, 2)]);
        assert_eq!(plan.loops, vec![LoopEdge { joint: 3, parent: None, child: 2 }]);
        let ring = plan_of(3, &[(Revolute, 1, 2), (Revolute, 2, 3), (Revolute, 3, 1)]);
        assert_eq!(ring.trees.len(), 1);
        assert_eq!(ring.loops.len(), 1);
    }

    #[test]
    fn a_moving_joint_inside_of_a_lump_is_frozen() {
        use JointKind::{Fixed, Revolute};
        let plan = plan_of(2, &[(Fixed, 1, 2), (Revolute, 1, 2)]);
        assert_eq!((plan.lumps.len(), plan.frozen), (1, vec![0, 1]));
    }

    #[test]
    fn a_tree_with_more_freedoms_than_its_matrices_may_hold_is_refused() {
        use JointKind::{Ball, Fixed, Revolute, Screw};
        let refused = |links: u64, joints: &[(JointKind, u64, u64)]| {
            plan(&assembly_of(links, joints)).err().map(|error| error.to_string())
        };
        // The free root has six of its own.
        assert_eq!(refused(1019, &star(1, 2..=1019)), None);
        let expected = "1025 degrees of freedom hang together in a tree of joints of model \
             #1000000, and at most 1024 can be simulated: the memory that they take grows with \
             their square. Make several models of it, or fix joints that need not move";
        assert_eq!(refused(1020, &star(1, 2..=1020)).as_deref(), Some(expected));
        // A fixed root has none, and what hangs on the world by itself are trees of their own.
        let mut held = star(1, 2..=1025);
        held.push((Fixed, 0, 1));
        assert_eq!(refused(1025, &held), None);
        held.push((Screw, 1025, 1026));
        assert!(refused(1026, &held).is_some_and(|text| text.starts_with("1026 degrees")));
        assert_eq!(refused(3000, &star(0, 1..=3000)), None);
        // Rings and all that joins links of one lump add nothing.
        let chain: Vec<_> = (1..340).map(|link| (Ball, link, link + 1)).collect();
        assert_eq!(refused(340, &[chain, vec![(Revolute, 340, 1); 99]].concat()), None);
    }

    #[test]
    fn a_hundred_thousand_joints_are_planned_at_once() {
        let pairs = (1..=50_000).map(|link| (JointKind::Revolute, link, link + 50_000));
        let plan = plan_of(100_000, &pairs.collect::<Vec<_>>());
        assert_eq!((plan.trees.len(), plan.loops.len()), (50_000, 0));
        let plan = plan_of(100_000, &star(0, 1..=100_000));
        assert_eq!(plan.trees.len(), 100_000);
        let all: Vec<_> = (1..100_000).rev().map(|l| (JointKind::Fixed, l, l + 1)).collect();
        assert_eq!(plan_of(100_000, &all).lumps.len(), 1);
    }
}
