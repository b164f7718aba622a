//! What a model becomes: bodies with coordinates, as plain values without a word of MuJoCo.
//!
//! The frame of a body that moves has its origin at the centre of mass and is turned as its first
//! link. Everything is told at the poses of the insertion; where things are now is in
//! [`super::place::Now`].

use retake_description::{JointAxis, JointKind, Surface, VelocityDecay};
use retake_ecm::EntityId;
use retake_math::{Inertial, Pose, Quat, Vec3};
use serde::{Deserialize, Serialize};

use super::forms::{self, Form};
use super::note;
use super::ties::{self, Tie};
use crate::plan::{self, Lump, Motion, Plan, TreeEdge};
use crate::rapier::surface_remarks;
use crate::{Assembly, BodySpec, EngineError, EngineNote, JointSpec, check};

/// A model.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Model {
    pub(super) entity: EntityId,
    /// Bodies; each comes after the one that carries it.
    pub(super) bodies: Vec<Body>,
    /// Joints in the order of their entities.
    pub(super) joints: Vec<Joint>,
    /// Coordinates that follow others.
    pub(super) ties: Vec<Tie>,
    /// Joints that close a loop.
    pub(super) closures: Vec<Closure>,
    /// Pairs of bodies that never touch.
    pub(super) apart: Vec<(usize, usize)>,
    /// How many numbers its position and its velocity have.
    pub(super) size: (usize, usize),
}

/// Links that never move against each other, or an anchor in the world without links.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Body {
    pub(super) links: Vec<LinkOffset>,
    pub(super) motion: Motion,
    /// The body that carries it; none is the world.
    pub(super) carrier: Option<usize>,
    /// Pose in the carrier, or in the world, at the insertion.
    pub(super) carrier_from_body: Pose,
    pub(super) coords: Vec<Coord>,
    /// Mass properties in the body's frame.
    pub(super) inertial: Inertial,
    pub(super) gravity: bool,
    pub(super) decay: VelocityDecay,
    pub(super) geoms: Vec<Geom>,
}

/// A link in its body.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct LinkOffset {
    pub(super) link: EntityId,
    pub(super) body_from_link: Pose,
    /// The link's own centre of mass in the body.
    pub(super) body_com: Vec3,
}

/// Coordinates of a body, in MuJoCo's order.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Coord {
    pub(super) freedom: Freedom,
    /// First place among the model's positions and velocities.
    pub(super) at: (usize, usize),
}

/// What a coordinate lets move, in the frame of its body.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) enum Freedom {
    /// Everything: seven numbers for the position, six for the velocity.
    Free,
    /// Every rotation: four and three.
    Ball { anchor: Vec3 },
    /// Rotation about an axis; at the insertion it is at `zero`.
    Turn { anchor: Vec3, axis: Vec3, zero: f64 },
    /// Translation along an axis.
    Slide { axis: Vec3, zero: f64 },
}

impl Freedom {
    /// How many numbers position and velocity have.
    pub(super) fn size(self) -> (usize, usize) {
        match self {
            Self::Free => (7, 6),
            Self::Ball { .. } => (4, 3),
            Self::Turn { .. } | Self::Slide { .. } => (1, 1),
        }
    }
}

/// A shape that collides.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Geom {
    pub(super) collision: EntityId,
    pub(super) body_from_collision: Pose,
    pub(super) form: Form,
    pub(super) surface: Surface,
    /// What a library made the form from.
    pub(super) source: Option<u128>,
}

/// A joint.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Joint {
    pub(super) entity: EntityId,
    pub(super) axes: Vec<Axis>,
}

/// An axis of a joint.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Axis {
    pub(super) axis: JointAxis,
    pub(super) place: AxisPlace,
}

/// Where the position of an axis is found.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) enum AxisPlace {
    /// Among the coordinates of a body.
    Coord { body: usize, coord: usize },
    /// Nowhere: it cannot move.
    Frozen { position: f64 },
    /// Between the frames of the closure with this number.
    Closure { index: usize },
}

/// A joint outside of the tree: two bodies that are kept together.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Closure {
    pub(super) joint: EntityId,
    pub(super) kind: JointKind,
    /// Links of the parent (none is the world) and the child, with the joint's frame in each; its x
    /// is the axis. The frame of the child is turned by the position.
    pub(super) parent: (Option<EntityId>, Pose),
    pub(super) child: (EntityId, Pose),
    pub(super) position: f64,
}

/// Says whether a joint can be outside of the tree.
pub(super) fn can_close(kind: JointKind) -> bool {
    use JointKind::{Ball, Continuous, Fixed, Revolute};
    matches!(kind, Fixed | Revolute | Continuous | Ball)
}

/// Why a joint cannot be outside of the tree.
pub(super) fn closure_refusal(kind: JointKind) -> String {
    format!(
        "a {} joint cannot close a loop or connect two models in mujoco; it is left out",
        kind.name()
    )
}

/// Makes a model of an assembly.
pub(super) fn model(
    assembly: &Assembly,
    notes: &mut Vec<EngineNote>,
) -> Result<Model, EngineError> {
    check::assembly(assembly)?;
    let plan = plan::plan(assembly)?;
    let mut builder = Builder::new(assembly, &plan, notes)?;
    for tree in &plan.trees {
        for edge in &tree.edges {
            builder.add_edge(edge)?;
        }
    }
    builder.add_free_roots();
    builder.add_still_joints();
    builder.add_closures();
    builder.finish()
}

struct Builder<'a, 'n> {
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
    fn new(
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
    fn add_edge(&mut self, edge: &TreeEdge) -> Result<(), EngineError> {
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
        let freedoms = freedoms(spec, body_from_joint, edge.reversed)?;
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
        Ok(())
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
    fn add_free_roots(&mut self) {
        for body in &mut self.bodies {
            if body.carrier.is_none() && body.motion == Motion::Dynamic {
                body.coords = vec![Coord { freedom: Freedom::Free, at: (0, 0) }];
            }
        }
    }

    /// Joints that cannot move, and gearboxes, which hold nothing.
    fn add_still_joints(&mut self) {
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

    fn add_closures(&mut self) {
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
    fn finish(mut self) -> Result<Model, EngineError> {
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

/// Makes a body of a lump, and says where it is in the world.
fn body(
    assembly: &Assembly,
    lump: &Lump,
    notes: &mut Vec<EngineNote>,
) -> Result<(Body, Pose), EngineError> {
    let specs: Vec<&BodySpec> = lump.links.iter().map(|link| &assembly.bodies[*link]).collect();
    let world_from_first = specs[0].world_from_link.normalized();
    let first_from_link = |spec: &BodySpec| match spec.link == specs[0].link {
        true => Pose::IDENTITY,
        false => world_from_first.inverse() * spec.world_from_link.normalized(),
    };
    let inertial = plan::lumped_inertial(&specs, first_from_link);
    if lump.motion == Motion::Dynamic {
        check::physical(specs[0].link, &inertial)?;
    }
    let com =
        if lump.motion == Motion::Fixed { Vec3::ZERO } else { inertial.link_from_com.position };
    let world_from_body = world_from_first * Pose::from_position(com);
    let gravity = specs.iter().any(|spec| spec.gravity);
    if specs.iter().any(|spec| spec.gravity != gravity) {
        note(notes, specs[0].link, "links fixed together share gravity; it pulls all of them");
    }
    let greatest = |read: fn(&VelocityDecay) -> f64| {
        specs.iter().map(|spec| read(&spec.velocity_decay)).fold(0.0, f64::max)
    };
    let decay = VelocityDecay {
        linear: greatest(|decay| decay.linear),
        angular: greatest(|decay| decay.angular),
    };
    let mut body = Body {
        links: Vec::new(),
        motion: lump.motion,
        carrier: None,
        carrier_from_body: world_from_body,
        coords: Vec::new(),
        inertial: inertial.moved(Pose::from_position(-com)),
        gravity,
        decay,
        geoms: Vec::new(),
    };
    for spec in &specs {
        let body_from_link = Pose::from_position(-com) * first_from_link(spec);
        let body_com = body_from_link.transform_point(spec.inertial.link_from_com.position);
        body.links.push(LinkOffset { link: spec.link, body_from_link, body_com });
        add_geoms(&mut body, spec, body_from_link, notes)?;
    }
    Ok((body, world_from_body))
}

fn add_geoms(
    body: &mut Body,
    spec: &BodySpec,
    body_from_link: Pose,
    notes: &mut Vec<EngineNote>,
) -> Result<(), EngineError> {
    for collider in &spec.colliders {
        let Some(form) = forms::form(collider, notes)? else { continue };
        let only_still = matches!(form, Form::Plane(_) | Form::Terrain(_));
        if only_still && body.motion != Motion::Fixed {
            let reason = "mujoco has planes and terrain only on what never moves; make the model static or use a box";
            let collision = collider.collision;
            return Err(EngineError::BadShape { collision, reason: reason.to_owned() });
        }
        surface_remarks(&collider.surface, |said| note(notes, collider.collision, said));
        body.geoms.push(Geom {
            collision: collider.collision,
            body_from_collision: body_from_link * collider.link_from_collision.normalized(),
            form,
            surface: collider.surface,
            source: forms::source(collider),
        });
    }
    Ok(())
}

/// The coordinates of a joint in the body that it carries, each with the axis that it belongs to.
fn freedoms(
    spec: &JointSpec,
    body_from_joint: Pose,
    reversed: bool,
) -> Result<Vec<(Freedom, Option<usize>)>, EngineError> {
    let anchor = body_from_joint.position;
    let sign = if reversed { -1.0 } else { 1.0 };
    let along = |xyz: Vec3| body_from_joint.transform_vector(xyz.normalize()) * sign;
    let turn = |axis: Vec3, zero: f64| Freedom::Turn { anchor, axis, zero };
    let given = |index: usize| (spec.axes[index].axis.xyz, spec.axes[index].position);
    Ok(match spec.kind {
        JointKind::Ball => vec![(Freedom::Ball { anchor }, None)],
        JointKind::Revolute | JointKind::Continuous => {
            let (xyz, zero) = given(0);
            vec![(turn(along(xyz), zero), Some(0))]
        }
        JointKind::Prismatic => {
            let (xyz, zero) = given(0);
            vec![(Freedom::Slide { axis: along(xyz), zero }, Some(0))]
        }
        JointKind::Screw => {
            if spec.thread_pitch == 0.0 {
                let (entity, field, allowed) = (spec.joint, "thread_pitch", "different from 0");
                return Err(EngineError::OutOfRange { entity, field, value: 0.0, allowed });
            }
            let (xyz, zero) = given(0);
            let slide = Freedom::Slide { axis: along(xyz), zero: zero / spec.thread_pitch };
            vec![(slide, None), (turn(along(xyz), zero), Some(0))]
        }
        JointKind::Universal | JointKind::Revolute2 => {
            let ((first, p0), (second, p1)) = (given(0), given(1));
            // The first axis is carried along by nothing; the second has turned under it.
            let back = Quat::from_axis_angle(second.normalize(), -p1);
            let mut both =
                vec![(turn(along(back * first), p0), Some(0)), (turn(along(second), p1), Some(1))];
            if reversed {
                both.reverse();
            }
            both
        }
        JointKind::Fixed | JointKind::Gearbox => Vec::new(),
    })
}

/// Makes a closure of a joint whose links have these poses, and says what it does not do.
pub(super) fn closure(
    spec: &JointSpec,
    world_from_child: Pose,
    world_from_parent: Option<Pose>,
    notes: &mut Vec<EngineNote>,
) -> Closure {
    let axis = spec.axes.first();
    let to_axis = axis.map_or(Quat::IDENTITY, |given| {
        Quat::from_rotation_arc(Vec3::X, given.axis.xyz.normalize())
    });
    let child_from_far = spec.child_from_joint.normalized() * Pose::new(Vec3::ZERO, to_axis);
    let position = axis.map_or(0.0, |given| given.position);
    let turned_back = Pose::new(Vec3::ZERO, Quat::from_rotation_x(-position));
    let world_from_near = world_from_child * child_from_far * turned_back;
    let parent_from_world = world_from_parent.map_or(Pose::IDENTITY, |pose| pose.inverse());
    if let Some(given) = axis {
        closure_notes(spec.joint, &given.axis, notes);
    }
    Closure {
        joint: spec.joint,
        kind: spec.kind,
        parent: (spec.parent, parent_from_world * world_from_near),
        child: (spec.child, child_from_far),
        position,
    }
}

fn closure_notes(joint: EntityId, axis: &JointAxis, notes: &mut Vec<EngineNote>) {
    let (limits, dynamics) = (&axis.limits, &axis.dynamics);
    let mut say = |what: &str| {
        note(
            notes,
            joint,
            &format!(
                "{what} of a joint that closes a loop or connects two models is not simulated by mujoco"
            ),
        );
    };
    if limits.lower.is_finite() || limits.upper.is_finite() {
        say("the limit");
    }
    if dynamics.damping != 0.0 || dynamics.friction != 0.0 || dynamics.spring_stiffness != 0.0 {
        say("damping, friction or spring");
    }
    if axis.mimic.is_some() {
        say("mimic");
    }
}
