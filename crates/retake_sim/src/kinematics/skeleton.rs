//! The tree of links and joints of a model, ready to be put into any pose.

use std::collections::{BTreeMap, BTreeSet};

use retake_components::{
    CanonicalLink, JointPosition, JointSpec, Kind, RestPose, path_of, pose_within,
};
use retake_description::{JointKind, Mimic};
use retake_ecm::{Ecm, EntityId, Parent};
use retake_math::{Pose, Vec3};

/// A tree of links; joints that close a loop are left out.
pub(crate) struct Skeleton {
    /// The base first, and each after the one that it hangs on.
    nodes: Vec<Node>,
    joints: Vec<Joint>,
}

/// A joint with one coordinate.
pub(crate) struct Joint {
    /// Path below the model.
    pub(crate) name: String,
    pub(crate) entity: EntityId,
    pub(crate) kind: JointKind,
    /// Direction in the frame of the joint.
    pub(crate) axis: Vec3,
    /// Where it is now, in rad or m.
    now: f64,
    thread_pitch: f64,
    /// What it follows, and the place of that among the joints.
    leader: Option<(usize, Mimic)>,
}

/// A link.
struct Node {
    link: EntityId,
    /// What it hangs on; none is the frame of the base as it is now.
    parent: Option<usize>,
    /// Frame of the joint on the parent's side, in the parent; of what moves not, the link itself.
    parent_from_near: Pose,
    /// What moves it, and where it is behind that.
    moved_by: Option<(usize, Pose)>,
}

impl Skeleton {
    /// Reads the tree of a model, with all models inside it; none when it has no links.
    pub(crate) fn of(ecm: &Ecm, model: EntityId) -> Option<Self> {
        let parts = Parts::of(ecm, model);
        let base = parts.base(ecm)?;
        let joints = parts.joints();
        let mut skeleton = Self { nodes: Vec::with_capacity(parts.links.len()), joints };
        let mut places: BTreeMap<EntityId, usize> = BTreeMap::new();
        let free = parts.links.iter().copied().filter(|link| parts.is_root(*link));
        for root in std::iter::once(base).chain(free) {
            skeleton.grow(&parts, base, root, &mut places);
        }
        // What is left hangs in rings that nothing holds.
        for link in parts.links.iter().copied() {
            skeleton.grow(&parts, base, link, &mut places);
        }
        Some(skeleton)
    }

    /// Adds a link and all that hangs on it, unless it is there already.
    fn grow(
        &mut self,
        parts: &Parts<'_>,
        base: EntityId,
        root: EntityId,
        places: &mut BTreeMap<EntityId, usize>,
    ) {
        if places.contains_key(&root) {
            return;
        }
        let mut next = self.nodes.len();
        places.insert(root, next);
        let node = self.root(parts, base, root);
        self.nodes.push(node);
        while let Some(parent) = self.nodes.get(next).map(|node| node.link) {
            for joint in parts.below.get(&parent).into_iter().flatten() {
                let child = parts.specs[*joint].1.child;
                // In a loop, the joint that came first has placed the link.
                if parts.holder.get(&child) == Some(joint) && !places.contains_key(&child) {
                    places.insert(child, self.nodes.len());
                    let node = self.hung(parts, next, *joint);
                    self.nodes.push(node);
                }
            }
            next += 1;
        }
    }

    /// A link that hangs on nothing, or on the world.
    fn root(&self, parts: &Parts<'_>, base: EntityId, link: EntityId) -> Node {
        let base_from_link = parts.now(base).inverse() * parts.now(link);
        let base_from_link = if link == base { Pose::IDENTITY } else { base_from_link };
        let still = Node { link, parent: None, parent_from_near: base_from_link, moved_by: None };
        let Some(joint) = parts.holder.get(&link) else { return still };
        let spec = parts.specs[*joint].1;
        let Some(place) = self.moving(parts, *joint).filter(|_| spec.parent.is_none()) else {
            return still;
        };
        // The world has no frame in the model; where the link is now tells where it holds it.
        let displaced = self.joints[place].displacement(self.joints[place].now);
        let parent_from_near = base_from_link * spec.child_from_joint * displaced.inverse();
        let moved_by = Some((place, spec.child_from_joint.inverse()));
        Node { parent_from_near, moved_by, ..still }
    }

    /// A link that a joint holds.
    fn hung(&self, parts: &Parts<'_>, parent: usize, joint: usize) -> Node {
        let spec = parts.specs[joint].1;
        let (above, link) = (self.nodes[parent].link, spec.child);
        let at_rest = parts.rest(above).zip(parts.rest(link));
        let at_rest = at_rest.map(|(above, link)| above.inverse() * link);
        let as_now = || parts.now(above).inverse() * parts.now(link);
        let still =
            |pose| Node { link, parent: Some(parent), parent_from_near: pose, moved_by: None };
        let Some(place) = self.moving(parts, joint) else {
            let is_fixed = spec.kind == JointKind::Fixed;
            return still(at_rest.filter(|_| is_fixed).unwrap_or_else(as_now));
        };
        let moves = &self.joints[place];
        let at_zero = at_rest.map(|between| between * spec.child_from_joint);
        let parent_from_near = at_zero.unwrap_or_else(|| {
            as_now() * spec.child_from_joint * moves.displacement(moves.now).inverse()
        });
        let moved_by = Some((place, spec.child_from_joint.inverse()));
        Node { parent_from_near, moved_by, ..still(Pose::IDENTITY) }
    }

    /// Returns the place of a joint among those with one coordinate.
    fn moving(&self, parts: &Parts<'_>, joint: usize) -> Option<usize> {
        let entity = parts.specs[joint].0;
        self.joints.iter().position(|known| known.entity == entity)
    }

    /// Returns the link that all others are told from.
    pub(crate) fn base(&self) -> EntityId {
        self.nodes[0].link
    }

    /// Returns the links, the base first.
    pub(crate) fn links(&self) -> impl Iterator<Item = EntityId> + '_ {
        self.nodes.iter().map(|node| node.link)
    }

    /// Returns the joints that have one coordinate.
    pub(crate) fn joints(&self) -> &[Joint] {
        &self.joints
    }

    /// Returns one position for each joint: where it is told to be, or as it is now.
    pub(crate) fn positions(&self, told: &dyn Fn(&str) -> Option<f64>) -> Vec<f64> {
        let told: Vec<Option<f64>> = self.joints.iter().map(|joint| told(&joint.name)).collect();
        self.completed(&told)
    }

    /// Returns one position for each joint, from what each of them is told, if anything.
    pub(crate) fn completed(&self, told: &[Option<f64>]) -> Vec<f64> {
        (0..self.joints.len()).map(|place| self.position(told, place)).collect()
    }

    fn position(&self, told: &[Option<f64>], place: usize) -> f64 {
        let (mut factor, mut offset, mut at) = (1.0, 0.0, place);
        // Joints that follow each other in a ring lead nowhere.
        for _ in 0..self.joints.len() {
            if let Some(position) = told[at].filter(|position| position.is_finite()) {
                return factor * position + offset;
            }
            let Some((leader, mimic)) = &self.joints[at].leader else { break };
            offset += factor * (mimic.offset - mimic.multiplier * mimic.reference);
            factor *= mimic.multiplier;
            at = *leader;
        }
        self.joints[place].now
    }

    /// Returns the pose of each link in the frame that the base has now, with one position for each
    /// joint.
    pub(crate) fn place(&self, positions: &[f64]) -> Vec<Pose> {
        let mut placed: Vec<Pose> = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            let base_from_parent = node.parent.map_or(Pose::IDENTITY, |parent| placed[parent]);
            let parent_from_link = match node.moved_by {
                None => node.parent_from_near,
                Some((joint, far_from_link)) => {
                    let displaced = self.joints[joint].displacement(positions[joint]);
                    node.parent_from_near * displaced * far_from_link
                }
            };
            placed.push((base_from_parent * parent_from_link).normalized());
        }
        placed
    }

    /// Returns the axes of the joints that hold a link of the tree in the frame of the base, with
    /// every joint at zero: the place of each joint, and the direction.
    pub(crate) fn axes_at_zero(&self) -> Vec<(usize, Vec3)> {
        let placed = self.place(&vec![0.0; self.joints.len()]);
        let base_from_now = placed[0].inverse();
        let axis = |node: &Node| {
            let (joint, _) = node.moved_by?;
            let now_from_parent = node.parent.map_or(Pose::IDENTITY, |parent| placed[parent]);
            let base_from_near = base_from_now * now_from_parent * node.parent_from_near;
            let direction = self.joints[joint].axis.normalize_or(Vec3::Z);
            Some((joint, base_from_near.transform_vector(direction)))
        };
        self.nodes.iter().filter_map(axis).collect()
    }
}

impl Joint {
    fn displacement(&self, position: f64) -> Pose {
        self.kind.displacement(self.thread_pitch, &[(self.axis, position)])
    }

    /// Says whether it follows another joint.
    pub(crate) fn follows(&self) -> bool {
        self.leader.is_some()
    }
}

/// The links and joints of a model, as the Ecm has them.
struct Parts<'a> {
    ecm: &'a Ecm,
    model: EntityId,
    /// In the order of the file.
    links: Vec<EntityId>,
    specs: Vec<(EntityId, &'a JointSpec)>,
    /// The joint that holds each link: the first that names it as its child.
    holder: BTreeMap<EntityId, usize>,
    /// Joints below each link.
    below: BTreeMap<EntityId, Vec<usize>>,
}

impl<'a> Parts<'a> {
    fn of(ecm: &'a Ecm, model: EntityId) -> Self {
        let entities = ecm.with_descendants(model);
        let is_link = |entity: &EntityId| ecm.get::<Kind>(*entity) == Some(&Kind::Link);
        let links: Vec<EntityId> = entities.iter().copied().filter(is_link).collect();
        let known: BTreeSet<EntityId> = links.iter().copied().collect();
        let spec = |joint: &EntityId| Some((*joint, ecm.get::<JointSpec>(*joint)?));
        let holds = |spec: &JointSpec| {
            let is_inside = spec.parent.is_none_or(|parent| known.contains(&parent));
            // A gearbox couples links that others hold.
            spec.kind != JointKind::Gearbox && known.contains(&spec.child) && is_inside
        };
        let specs: Vec<(EntityId, &JointSpec)> =
            entities.iter().filter_map(spec).filter(|(_, spec)| holds(spec)).collect();
        let (mut holder, mut below) = (BTreeMap::new(), BTreeMap::<EntityId, Vec<usize>>::new());
        for (place, (_, spec)) in specs.iter().enumerate() {
            holder.entry(spec.child).or_insert(place);
            if let Some(parent) = spec.parent {
                below.entry(parent).or_default().push(place);
            }
        }
        Self { ecm, model, links, specs, holder, below }
    }

    /// The link at the top of the tree that has the link which carries the model's frame.
    fn base(&self, ecm: &Ecm) -> Option<EntityId> {
        let carrier = ecm.get::<CanonicalLink>(self.model).map(|link| link.0);
        let inside = carrier.filter(|link| self.links.contains(link));
        let mut at = inside.or_else(|| self.links.first().copied())?;
        for _ in 0..self.links.len() {
            let above = self.holder.get(&at).and_then(|joint| self.specs[*joint].1.parent);
            let Some(above) = above else { break };
            at = above;
        }
        Some(at)
    }

    /// Says whether no other link of the model holds a link.
    fn is_root(&self, link: EntityId) -> bool {
        self.holder.get(&link).is_none_or(|joint| self.specs[*joint].1.parent.is_none())
    }

    /// The joints with one coordinate, in the order of the file.
    fn joints(&self) -> Vec<Joint> {
        let scope = format!("{}::", path_of(self.ecm, self.model));
        let mut mimics = Vec::new();
        let mut joints: Vec<Joint> = Vec::new();
        for (entity, spec) in &self.specs {
            let turns_or_slides = matches!(
                spec.kind,
                JointKind::Revolute
                    | JointKind::Continuous
                    | JointKind::Prismatic
                    | JointKind::Screw
            );
            let Some(axis) = spec.axes.first().filter(|_| turns_or_slides) else { continue };
            let path = path_of(self.ecm, *entity);
            let positions = self.ecm.get::<JointPosition>(*entity);
            mimics.push(axis.mimic.clone());
            joints.push(Joint {
                name: path.strip_prefix(&scope).unwrap_or(&path).to_owned(),
                entity: *entity,
                kind: spec.kind,
                axis: axis.xyz,
                now: positions.and_then(|all| all.0.first().copied()).unwrap_or(0.0),
                thread_pitch: spec.thread_pitch,
                leader: None,
            });
        }
        for (place, mimic) in mimics.into_iter().enumerate() {
            let leader = mimic.and_then(|mimic| {
                let leader = self.leader(joints[place].entity, &mimic.joint)?;
                Some((joints.iter().position(|joint| joint.entity == leader)?, mimic))
            });
            joints[place].leader = leader;
        }
        joints
    }

    /// A mimic names its leader from the model that holds the joint.
    fn leader(&self, joint: EntityId, name: &str) -> Option<EntityId> {
        let holder = self.ecm.get::<Parent>(joint)?.0;
        retake_components::find(self.ecm, &format!("{}::{name}", path_of(self.ecm, holder)))
    }

    /// Pose of a link in the model now.
    fn now(&self, link: EntityId) -> Pose {
        pose_within(self.ecm, self.model, link)
    }

    /// Pose of a link in the model with every joint at zero.
    fn rest(&self, link: EntityId) -> Option<Pose> {
        let rest = self.ecm.get::<RestPose>(link)?.0;
        let holder = self.ecm.get::<Parent>(link)?.0;
        // Models inside another never move in it: their links do.
        Some(pose_within(self.ecm, self.model, holder) * rest)
    }
}
