//! Inserting and removing whole models.

use std::collections::BTreeMap;
use std::sync::Arc;

use rapier3d_f64::prelude::RigidBodyHandle;
use retake_ecm::EntityId;
use retake_math::Vec3;

use super::build::{self, Inserter, ReadyBody, SelfContacts};
use super::couplings;
use super::filter::{Tag, ordered};
use super::joints::{self, Freedom, Segment};
use super::live::JointFrame;
use super::loops;
use super::note;
use super::state::State;
use super::tables::{AssemblyRecord, AxisPlace, AxisRecord, Held, JointRecord};
use crate::plan::{self, Motion, Plan, Tree, TreeEdge};
use crate::{Assembly, EngineError, EngineNote, JointDrive, JointSpec, check};

/// Inserts a model.
pub(super) fn insert(
    state: &mut State,
    assembly: &Assembly,
) -> Result<Vec<EngineNote>, EngineError> {
    check::assembly(assembly)?;
    build::check_new(state, assembly)?;
    let mut notes = Vec::new();
    let mut plan = plan::plan(assembly)?;
    check_room(state, assembly, &plan)?;
    let ready = build::prepare(assembly, &plan, &mut notes)?;
    let segments = all_segments(assembly, &plan)?;
    let dropped = drop_loops(&mut plan, &segments);
    // Nothing below can fail.
    let contacts = self_contacts(state, assembly, &plan);
    let inserter =
        Inserter { state, assembly, contacts, slots: Vec::new(), poses: BTreeMap::new() };
    let builder =
        Builder { inserter, segments, dropped, slots: Vec::new(), roots: Vec::new(), notes };
    builder.build(&plan, ready)
}

/// Most memory that the matrices of all trees take together, in MiB: eight of the largest trees, or
/// 1,900 robots of sixty joints that nothing holds.
const MOST_TREES_MIB: usize = 1024;
/// What the engine keeps for each pair of freedoms of a tree: four mass matrices, and for each link
/// its Jacobian and the two of the Coriolis forces.
const BYTES_PER_PAIR: usize = 128;
const BYTES_PER_MIB: usize = 1 << 20;

/// Refuses a model when there is no room for its trees beside those that are there.
fn check_room(state: &State, assembly: &Assembly, plan: &Plan) -> Result<(), EngineError> {
    let there = state.multibody_joints.multibodies().map(|multibody| multibody.ndofs());
    let new = plan.trees.iter().map(|tree| plan::freedoms(assembly, plan, tree));
    let pairs: usize = there.chain(new).map(|freedoms| freedoms * freedoms).sum();
    let mebibytes = pairs * BYTES_PER_PAIR / BYTES_PER_MIB;
    if mebibytes <= MOST_TREES_MIB || plan.trees.is_empty() {
        return Ok(());
    }
    Err(EngineError::TooManyTrees { model: assembly.model, mebibytes, most: MOST_TREES_MIB })
}

/// Removes a model and returns the joints of others that hung on it.
pub(super) fn remove(state: &mut State, model: EntityId) -> Result<Vec<EntityId>, EngineError> {
    let record = state.tables.assembly(model)?.clone();
    for root in &record.roots {
        state.multibody_joints.remove_multibody_articulations(*root, true);
    }
    for joint in &record.joints {
        state.joints.remove(joint);
    }
    let orphans: Vec<EntityId> = state
        .joints
        .iter()
        .filter(|(_, joint)| joint.slots.iter().any(|slot| record.slots.contains(slot)))
        .map(|(id, _)| *id)
        .collect();
    for orphan in &orphans {
        loops::remove(state, *orphan)?;
    }
    for slot in &record.slots {
        remove_body(state, *slot);
    }
    Arc::make_mut(&mut state.tables).assemblies.remove(&model);
    Ok(orphans)
}

/// Removes a body and its colliders.
pub(super) fn remove_body(state: &mut State, slot: u32) {
    let tables = Arc::make_mut(&mut state.tables);
    let Some(record) = tables.remove_body(slot) else { return };
    for collider in state.bodies[record.handle].colliders() {
        let tag = Tag::unpack(state.colliders[*collider].user_data);
        tables.surfaces.remove(&tag.collision);
        tables.shapes.remove(&tag.collision);
    }
    state.pushed.retain(|handle| *handle != record.handle);
    // What rests on it must notice that it is gone.
    state.islands.wake_up(&mut state.bodies, record.handle, true);
    state.bodies.remove(
        record.handle,
        &mut state.islands,
        &mut state.colliders,
        &mut state.impulse_joints,
        &mut state.multibody_joints,
        &mut state.soft_bodies,
        true,
    );
}

/// Segments of all joints that move, by their index.
fn all_segments(
    assembly: &Assembly,
    plan: &Plan,
) -> Result<BTreeMap<usize, Vec<Segment>>, EngineError> {
    let poses: BTreeMap<EntityId, _> =
        assembly.bodies.iter().map(|body| (body.link, body.world_from_link.normalized())).collect();
    let cut = |index: usize| {
        let spec = &assembly.joints[index];
        Ok((index, joints::segments(spec, poses[&spec.child])?))
    };
    let in_trees = plan.trees.iter().flat_map(|tree| &tree.edges).map(|edge| edge.joint);
    let mut all: BTreeMap<usize, Vec<Segment>> = in_trees.map(cut).collect::<Result<_, _>>()?;
    for edge in &plan.loops {
        let (index, segments) = cut(edge.joint)?;
        all.insert(index, segments);
    }
    Ok(all)
}

/// Takes joints out of the plan that the engine only knows inside of multibodies.
fn drop_loops(plan: &mut Plan, segments: &BTreeMap<usize, Vec<Segment>>) -> Vec<usize> {
    let (kept, dropped): (Vec<_>, Vec<_>) = std::mem::take(&mut plan.loops)
        .into_iter()
        .partition(|edge| loops::can_hold(&segments[&edge.joint]));
    plan.loops = kept;
    dropped.into_iter().map(|edge| edge.joint).collect()
}

fn self_contacts(state: &State, assembly: &Assembly, plan: &Plan) -> SelfContacts {
    let all = assembly.self_collide;
    let some = all || assembly.bodies.iter().any(|body| body.self_collide);
    let one_multibody = plan.trees.len() == 1 && plan.trees[0].edges.len() + 1 >= plan.lumps.len();
    let two_axes = assembly.joints.iter().any(|joint| joint.axes.len() == 2);
    // The engine can switch contacts within one multibody and between neighbours by itself.
    let simple = if some { all && !two_axes } else { one_multibody };
    let hooked = plan.lumps.len() > 1 && !simple;
    SelfContacts { tag: state.tables.next_slot, all, hooked }
}

struct Builder<'a> {
    inserter: Inserter<'a>,
    segments: BTreeMap<usize, Vec<Segment>>,
    /// Joints that are left out.
    dropped: Vec<usize>,
    /// Slot and handle of each lump.
    slots: Vec<(u32, RigidBodyHandle)>,
    roots: Vec<RigidBodyHandle>,
    notes: Vec<EngineNote>,
}

impl Builder<'_> {
    fn build(mut self, plan: &Plan, ready: Vec<ReadyBody>) -> Result<Vec<EngineNote>, EngineError> {
        let scales: Vec<(f64, f64)> = ready.iter().map(|body| body.scale).collect();
        for (body, held) in ready.into_iter().zip(all_held(plan)) {
            let inserted = self.inserter.insert_body(body, held);
            self.slots.push(inserted);
        }
        for tree in &plan.trees {
            self.insert_tree(tree, &scales);
        }
        for edge in &plan.loops {
            self.insert_loop(edge);
        }
        for index in &plan.frozen {
            self.insert_frozen(*index);
        }
        for index in std::mem::take(&mut self.dropped) {
            let spec = &self.inserter.assembly.joints[index];
            self.insert_still(spec);
            note(&mut self.notes, spec.joint, &loops::refusal(spec));
        }
        for index in &plan.gears {
            self.insert_still(&self.inserter.assembly.joints[*index]);
        }
        self.start_joints();
        for edge in plan.trees.iter().flat_map(|tree| &tree.edges) {
            self.start_ball(edge);
        }
        let assembly = self.inserter.assembly;
        couplings::insert(self.inserter.state, assembly, plan, &mut self.notes);
        couplings::insert_gears(self.inserter.state, assembly, plan, &mut self.notes);
        let joints = assembly.joints.iter().map(|joint| joint.joint).collect();
        let record = AssemblyRecord { slots: self.inserter.slots, roots: self.roots, joints };
        Arc::make_mut(&mut self.inserter.state.tables).assemblies.insert(assembly.model, record);
        Ok(self.notes)
    }

    fn insert_tree(&mut self, tree: &Tree, scales: &[(f64, f64)]) {
        let anchor = tree.root.is_none().then(|| {
            let place = self.segments[&tree.edges[0].joint][0].world_from_near;
            self.inserter.insert_anchor(place)
        });
        let root = tree.root.map(|lump| self.slots[lump]).or(anchor);
        let root = root.expect("a tree has a lump or an anchor at its root");
        for edge in &tree.edges {
            let near = edge.near.map_or(root, |lump| self.slots[lump]);
            self.insert_edge(edge, near, scales[edge.far]);
        }
        self.roots.push(root.1);
        self.tune_multibody(root.1);
    }

    fn insert_edge(&mut self, edge: &TreeEdge, near: (u32, RigidBodyHandle), scale: (f64, f64)) {
        let mut segments = self.segments[&edge.joint].clone();
        if edge.reversed {
            segments = segments.into_iter().rev().map(Segment::reversed).collect();
        }
        let far = self.slots[edge.far];
        let spec = &self.inserter.assembly.joints[edge.joint];
        let mut places = vec![AxisPlace::Frozen { position: 0.0 }; spec.axes.len()];
        let mut from = near;
        for (index, segment) in segments.iter().enumerate() {
            let last = index + 1 == segments.len();
            let to =
                if last { far } else { self.inserter.insert_middle(segment.world_from_far, scale) };
            let poses = &self.inserter.poses;
            let joint = segment.joint(poses[&from.0], poses[&to.0]);
            let handle = self.inserter.state.multibody_joints.insert(from.1, to.1, joint, true);
            let handle = handle.expect("the plan gives every body one parent");
            if let Some(axis) = segment.axis {
                let freedom = segment.freedom;
                places[axis] =
                    AxisPlace::Multibody { handle, spatial: freedom.spatial(), dof: freedom.dof() };
            }
            from = to;
        }
        if segments.len() > 1 {
            let tables = Arc::make_mut(&mut self.inserter.state.tables);
            tables.separated.insert(ordered(near.0, far.0));
        }
        self.insert_record(spec, places, [near.0, far.0]);
    }

    /// Gives a ball joint the velocity that its links have against each other.
    fn start_ball(&mut self, edge: &TreeEdge) {
        let assembly = self.inserter.assembly;
        let [segment] = self.segments[&edge.joint].as_slice() else { return };
        if segment.freedom != Freedom::Ball {
            return;
        }
        let spec = &assembly.joints[edge.joint];
        let spin = |link: Option<EntityId>| {
            let body = assembly.bodies.iter().find(|body| Some(body.link) == link);
            body.map_or(Vec3::ZERO, |body| body.twist.angular)
        };
        let mut turning = spin(Some(spec.child)) - spin(spec.parent);
        let mut near = *segment;
        if edge.reversed {
            (turning, near) = (-turning, segment.reversed());
        }
        let turning = near.world_from_near.inverse().transform_vector(turning);
        let state = &mut *self.inserter.state;
        let body = self.slots[edge.far].1;
        let Some(link) = state.multibody_joints.rigid_body_link(body).copied() else { return };
        let Some(multibody) = state.multibody_joints.get_multibody_mut(link.multibody) else {
            return;
        };
        let first = multibody.link(link.id).map_or(0, |link| link.assembly_id());
        for i in 0..3 {
            multibody.generalized_velocity_mut()[first + i] = turning[i];
        }
    }

    fn insert_record(&mut self, spec: &JointSpec, places: Vec<AxisPlace>, slots: [u32; 2]) {
        let axes = spec.axes.iter().zip(places).map(|(given, place)| AxisRecord {
            axis: Arc::new(given.axis.clone()),
            place,
            drive: JointDrive::Free,
        });
        let model = Some(self.inserter.assembly.model);
        let record = JointRecord {
            model,
            slots,
            frame: JointFrame::of(spec),
            impulse: None,
            brake: None,
            axes: axes.collect(),
        };
        self.inserter.state.joints.insert(spec.joint, record);
    }

    fn insert_loop(&mut self, edge: &plan::LoopEdge) {
        let spec = &self.inserter.assembly.joints[edge.joint];
        let segment = self.segments[&edge.joint][0];
        let parent = match edge.parent {
            Some(lump) => self.slots[lump],
            None => self.inserter.insert_anchor(segment.world_from_near),
        };
        let ends = [parent, self.slots[edge.child]];
        let poses = ends.map(|(slot, _)| self.inserter.poses[&slot]);
        let joint = segment.joint(poses[0], poses[1]);
        let model = Some(self.inserter.assembly.model);
        loops::insert(self.inserter.state, spec, joint, ends, model);
        loops::notes(spec, &mut self.notes);
    }

    fn insert_frozen(&mut self, index: usize) {
        let spec = &self.inserter.assembly.joints[index];
        self.insert_still(spec);
        let movable = spec.kind != retake_description::JointKind::Fixed;
        if movable && !self.inserter.assembly.is_static {
            note(
                &mut self.notes,
                spec.joint,
                "the joint cannot move: fixed joints hold its links together",
            );
        }
    }

    /// Keeps a record of a joint that is not in the engine.
    fn insert_still(&mut self, spec: &JointSpec) {
        let frozen = |given: &crate::AxisSpec| AxisPlace::Frozen { position: given.position };
        let places = spec.axes.iter().map(frozen).collect();
        let slot = self.slots[0].0;
        self.insert_record(spec, places, [slot, slot]);
    }

    /// Sets what the engine gets wrong by default, and who touches whom.
    fn tune_multibody(&mut self, root: RigidBodyHandle) {
        let state = &mut *self.inserter.state;
        let link = *state.multibody_joints.rigid_body_link(root).expect("the tree has joints");
        let multibody = state.multibody_joints.get_multibody_mut(link.multibody);
        let multibody = multibody.expect("the link is of this multibody");
        // Takes away the six freedoms of the root when it is fixed.
        multibody.forward_kinematics(&state.bodies, true);
        // The engine brakes every rotation a little unless told otherwise.
        multibody.damping_mut().fill(0.0);
        let assembly = self.inserter.assembly;
        let some = assembly.self_collide || assembly.bodies.iter().any(|body| body.self_collide);
        multibody.set_self_contacts_enabled(some);
        let slot = super::filter::slot(&state.bodies, root);
        let twist = (state.bodies[root].linvel(), state.bodies[root].angvel());
        if state.tables.body(slot).held == Held::FreeRoot {
            let mut velocity = multibody.generalized_velocity_mut();
            for i in 0..3 {
                velocity[i] = twist.0[i];
                velocity[i + 3] = twist.1[i];
            }
        }
    }

    /// Limits, passive forces, positions and velocities of all axes in multibodies.
    fn start_joints(&mut self) {
        for index in self.segments.keys().copied().collect::<Vec<_>>() {
            let spec = &self.inserter.assembly.joints[index];
            for segment in self.segments[&index].clone() {
                self.start_axis(spec, &segment);
            }
        }
        for root in &self.roots {
            let state = &mut *self.inserter.state;
            let link = *state.multibody_joints.rigid_body_link(*root).expect("the tree has joints");
            if let Some(multibody) = state.multibody_joints.get_multibody_mut(link.multibody) {
                multibody.forward_kinematics(&state.bodies, true);
            }
        }
    }

    fn start_axis(&mut self, spec: &JointSpec, segment: &Segment) {
        let state = &mut *self.inserter.state;
        let Some(index) = segment.axis else { return };
        let AxisPlace::Multibody { handle, spatial, dof } =
            state.joints[&spec.joint].axes[index].place
        else {
            return;
        };
        let given = &spec.axes[index];
        let (multibody, id) =
            state.multibody_joints.get_mut(handle).expect("the joint was just inserted");
        let link = multibody.link_mut(id).expect("the joint has a link");
        joints::set_limits(&mut link.joint.data, spatial, joints::limits(&given.axis));
        let dynamics = &given.axis.dynamics;
        link.joint.set_spring(spatial, dynamics.spring_stiffness, dynamics.spring_reference);
        let first = link.assembly_id();
        let mut displacement = vec![0.0; multibody.ndofs()];
        displacement[first + dof] = given.position;
        multibody.generalized_velocity_mut()[first + dof] = given.velocity;
        if let Freedom::Screw { pitch } = segment.freedom {
            displacement[first] = given.position / pitch;
            multibody.generalized_velocity_mut()[first] = given.velocity / pitch;
            couplings::insert_screw(multibody, id, pitch);
        }
        multibody.apply_displacements(&displacement);
        multibody.damping_mut()[first + dof] = dynamics.damping;
        multibody.frictions_mut()[first + dof] = dynamics.friction;
    }
}

/// How each lump is held.
fn all_held(plan: &Plan) -> Vec<Held> {
    let mut all = vec![Held::Alone; plan.lumps.len()];
    for root in plan.trees.iter().filter_map(|tree| tree.root) {
        all[root] = match plan.lumps[root].motion {
            Motion::Dynamic => Held::FreeRoot,
            Motion::Fixed | Motion::Kinematic => Held::InMultibody,
        };
    }
    for edge in plan.trees.iter().flat_map(|tree| &tree.edges) {
        all[edge.far] = Held::InMultibody;
    }
    all
}
