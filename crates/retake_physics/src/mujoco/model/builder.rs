//! Puts the bodies and joints of an assembly together.

use retake_description::{JointKind, VelocityDecay};
use retake_ecm::EntityId;
use retake_math::{Inertial, Pose};

use super::body::body;
use super::freedoms::freedoms;
use super::{
    Axis, AxisPlace, Body, Closure, Coord, Freedom, Joint, Model, can_close, closure,
    closure_refusal,
};
use crate::mujoco::{note, ties};
use crate::plan::{Motion, Plan, TreeEdge};
use crate::{Assembly, EngineError, EngineNote, JointSpec};

/// A model on its way.
pub(super) struct Builder<'a, 'n> {
    assembly: &'a Assembly,
    plan: &'a Plan,
    /// Bodies in the order of the lumps, then anchors.
    bodies: Vec<Body>,
    world_from_body: Vec<Pose>,
    /// Bodies, each after the one that carries it.
    order: Vec<usize>,
    joints: Vec<Joint>,
    closures: Vec<Closure>,
    apart: Vec<(usize, usize)>,
    screws: Vec<(usize, f64)>,
    notes: &'n mut Vec<EngineNote>,
}

impl<'a, 'n> Builder<'a, 'n> {
    pub(super) fn new(
        assembly: &'a Assembly,
        plan: &'a Plan,
        notes: &'n mut Vec<EngineNote>,
    ) -> Result<Self, EngineError> {
        let (mut bodies, mut world_from_body) = (Vec::new(), Vec::new());
        for lump in &plan.lumps {
            let (body, world_from) = body(assembly, lump, notes)?;
            bodies.push(body);
            world_from_body.push(world_from);
        }
        let is_far = |lump: usize| {
            plan.trees.iter().any(|tree| tree.edges.iter().any(|edge| edge.far == lump))
        };
        let order = (0..bodies.len()).filter(|lump| !is_far(*lump)).collect();
        let (joints, closures, apart, screws) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Ok(Self {
            assembly,
            plan,
            bodies,
            world_from_body,
            order,
            joints,
            closures,
            apart,
            screws,
            notes,
        })
    }

    /// Hangs a lump on the one that carries it, or on an anchor of its own.
    pub(super) fn add_edge(&mut self, edge: &TreeEdge) {
        let spec = &self.assembly.joints[edge.joint];
        let world_from_joint = self.world_from_joint(spec);
        let near = match edge.near {
            Some(lump) => lump,
            None => self.add_anchor(world_from_joint),
        };
        let far = edge.far;
        self.order.push(far);
        self.apart.push((near, far));
        let body_from_world = self.world_from_body[far].inverse();
        self.bodies[far].carrier = Some(near);
        let body_from_joint = body_from_world * world_from_joint;
        let freedoms = freedoms(spec, body_from_joint, edge.reversed);
        if spec.kind == JointKind::Screw {
            self.screws.push((far, spec.thread_pitch));
        }
        let coords = freedoms.iter().map(|(freedom, _)| Coord { freedom: *freedom, at: (0, 0) });
        self.bodies[far].coords = coords.collect();
        let place = |index: usize| {
            let coord = freedoms.iter().position(|(_, axis)| *axis == Some(index));
            coord.map_or(AxisPlace::Frozen { position: 0.0 }, |coord| AxisPlace::Coord {
                body: far,
                coord,
            })
        };
        let axes = spec.axes.iter().enumerate();
        let axes = axes.map(|(i, given)| Axis { axis: given.axis.clone(), place: place(i) });
        self.joints.push(Joint { entity: spec.joint, axes: axes.collect() });
    }

    fn add_anchor(&mut self, world_from_anchor: Pose) -> usize {
        let at = self.bodies.len();
        self.bodies.push(Body {
            links: Vec::new(),
            motion: Motion::Fixed,
            carrier: None,
            carrier_from_body: world_from_anchor,
            coords: Vec::new(),
            inertial: Inertial::default(),
            gravity: false,
            decay: VelocityDecay::default(),
            geoms: Vec::new(),
        });
        self.world_from_body.push(world_from_anchor);
        self.order.push(at);
        at
    }

    fn world_from_joint(&self, spec: &JointSpec) -> Pose {
        let child = self.assembly.bodies.iter().find(|body| body.link == spec.child);
        // The plan refused joints whose links are not here.
        let world_from_child = child.map_or(Pose::IDENTITY, |body| body.world_from_link);
        world_from_child.normalized() * spec.child_from_joint.normalized()
    }

    /// Bodies that nothing carries move freely.
    pub(super) fn add_free_roots(&mut self) {
        for body in &mut self.bodies {
            if body.carrier.is_none() && body.motion == Motion::Dynamic {
                body.coords = vec![Coord { freedom: Freedom::Free, at: (0, 0) }];
            }
        }
    }

    /// Joints that cannot move, and gearboxes, which hold nothing.
    pub(super) fn add_still_joints(&mut self) {
        for index in self.plan.frozen.iter().chain(&self.plan.gears) {
            let spec = &self.assembly.joints[*index];
            let axes = spec.axes.iter().map(|given| Axis {
                axis: given.axis.clone(),
                place: AxisPlace::Frozen { position: given.position },
            });
            self.joints.push(Joint { entity: spec.joint, axes: axes.collect() });
            let couples = spec.kind == JointKind::Gearbox;
            if spec.kind != JointKind::Fixed && !couples && !self.assembly.is_static {
                let said = "the joint cannot move: fixed joints hold its links together";
                note(self.notes, spec.joint, said);
            }
        }
    }

    pub(super) fn add_closures(&mut self) {
        for edge in &self.plan.loops {
            let spec = &self.assembly.joints[edge.joint];
            let parent = edge.parent.unwrap_or(edge.child);
            self.apart.push((parent, edge.child));
            if !can_close(spec.kind) {
                note(self.notes, spec.joint, &closure_refusal(spec.kind));
                let frozen = |given: &crate::AxisSpec| Axis {
                    axis: given.axis.clone(),
                    place: AxisPlace::Frozen { position: given.position },
                };
                let axes = spec.axes.iter().map(frozen).collect();
                self.joints.push(Joint { entity: spec.joint, axes });
                continue;
            }
            let pose = |link: EntityId| {
                let body = self.assembly.bodies.iter().find(|body| body.link == link);
                body.map_or(Pose::IDENTITY, |body| body.world_from_link.normalized())
            };
            let made = closure(spec, pose(spec.child), spec.parent.map(pose), self.notes);
            let index = self.closures.len();
            let axes = spec.axes.iter().map(|given| Axis {
                axis: given.axis.clone(),
                place: AxisPlace::Closure { index },
            });
            self.joints.push(Joint { entity: spec.joint, axes: axes.collect() });
            self.closures.push(made);
        }
    }

    /// Puts carriers first, and gives every coordinate its place.
    pub(super) fn finish(mut self) -> Result<Model, EngineError> {
        let mut new_index = vec![0; self.bodies.len()];
        for (new, old) in self.order.iter().enumerate() {
            new_index[*old] = new;
        }
        let mut size = (0, 0);
        for (index, body) in self.bodies.iter_mut().enumerate() {
            body.carrier_from_body = match body.carrier {
                Some(carrier) => {
                    self.world_from_body[carrier].inverse() * self.world_from_body[index]
                }
                None => self.world_from_body[index],
            };
            body.carrier = body.carrier.map(|carrier| new_index[carrier]);
        }
        let mut sorted: Vec<Option<Body>> = self.bodies.into_iter().map(Some).collect();
        let taken = self.order.iter().filter_map(|old| sorted[*old].take());
        let mut bodies: Vec<Body> = taken.collect();
        for coord in bodies.iter_mut().flat_map(|body| &mut body.coords) {
            coord.at = size;
            let (positions, velocities) = coord.freedom.size();
            size = (size.0 + positions, size.1 + velocities);
        }
        for axis in self.joints.iter_mut().flat_map(|joint| &mut joint.axes) {
            if let AxisPlace::Coord { body, .. } = &mut axis.place {
                *body = new_index[*body];
            }
        }
        self.joints.sort_by_key(|joint| joint.entity);
        let renamed = |(a, b): &(usize, usize)| (new_index[*a], new_index[*b]);
        let mut apart: Vec<_> = self.apart.iter().map(renamed).collect();
        apart.extend(strangers(self.assembly, &bodies));
        apart.retain(|(a, b)| a != b);
        let screws = self.screws.iter().map(|(body, pitch)| (new_index[*body], *pitch)).collect();
        let mut model = Model {
            entity: self.assembly.model,
            bodies,
            joints: self.joints,
            ties: Vec::new(),
            closures: self.closures,
            apart,
            size,
        };
        model.ties = ties::ties(self.assembly, self.plan, &model, screws, self.notes);
        Ok(model)
    }
}

/// Pairs of bodies of one model that do not touch because nothing asks for it.
fn strangers(assembly: &Assembly, bodies: &[Body]) -> Vec<(usize, usize)> {
    if assembly.self_collide {
        return Vec::new();
    }
    let wants = |body: &Body| {
        let wants = |link: EntityId| {
            assembly.bodies.iter().any(|spec| spec.link == link && spec.self_collide)
        };
        body.links.iter().any(|offset| wants(offset.link))
    };
    let wants: Vec<bool> = bodies.iter().map(wants).collect();
    let collides = |index: usize| !bodies[index].geoms.is_empty();
    let mut pairs = Vec::new();
    for a in (0..bodies.len()).filter(|a| collides(*a)) {
        let others = (a + 1..bodies.len()).filter(|b| collides(*b) && !wants[a] && !wants[*b]);
        pairs.extend(others.map(|b| (a, b)));
    }
    pairs
}
