//! Turns a plan into bodies, colliders and joints of the engine.
//!
//! Every body's origin is its centre of mass: the engine's free multibody roots turn about their
//! origin, which is right only there.

use std::collections::BTreeMap;
use std::sync::Arc;

use rapier3d_f64::prelude::{
    ActiveHooks, CoefficientCombineRule, Collider, ColliderBuilder, Group, InteractionGroups,
    InteractionTestMode, MassProperties, RigidBodyActivation, RigidBodyBuilder, RigidBodyHandle,
    RigidBodyType,
};
use retake_description::VelocityDecay;
use retake_ecm::EntityId;
use retake_math::{Inertial, Pose, Vec3};

use super::convert::to_rapier;
use super::filter::Tag;
use super::note;
use super::shapes::{self, Shape};
use super::state::State;
use super::surfaces::{self, SpecialSurface};
use super::tables::{BodyRecord, Held, LinkOffset};
use crate::plan::{self, Lump, Motion, Plan};
use crate::{
    Assembly, BodySpec, ColliderSpec, EngineError, EngineNote, PreparedShape, ShapeLibrary, check,
};

/// A body that can be inserted: everything that can fail has been done.
pub(super) struct ReadyBody {
    pub(super) world_from_body: Pose,
    motion: Motion,
    mass: MassProperties,
    /// Mass and least moment, to scale helper bodies by.
    pub(super) scale: (f64, f64),
    offsets: Vec<LinkOffset>,
    colliders: Vec<(Pose, Shape, ColliderSpec, bool)>,
    com_twist: (Vec3, Vec3),
    gravity: bool,
    decay: VelocityDecay,
}

/// Prepares all bodies of a plan.
pub(super) fn prepare(
    assembly: &Assembly,
    plan: &Plan,
    notes: &mut Vec<EngineNote>,
) -> Result<Vec<ReadyBody>, EngineError> {
    plan.lumps.iter().map(|lump| prepare_body(assembly, lump, notes)).collect()
}

fn prepare_body(
    assembly: &Assembly,
    lump: &Lump,
    notes: &mut Vec<EngineNote>,
) -> Result<ReadyBody, EngineError> {
    let specs: Vec<&BodySpec> = lump.links.iter().map(|link| &assembly.bodies[*link]).collect();
    let world_from_first = specs[0].world_from_link.normalized();
    let first_from_link = |spec: &BodySpec| {
        if spec.link == specs[0].link {
            Pose::IDENTITY
        } else {
            world_from_first.inverse() * spec.world_from_link.normalized()
        }
    };
    let inertial = plan::lumped_inertial(&specs, first_from_link);
    if lump.motion == Motion::Dynamic {
        check::physical(specs[0].link, &inertial)?;
    }
    let com =
        if lump.motion == Motion::Fixed { Vec3::ZERO } else { inertial.link_from_com.position };
    let world_from_body = world_from_first * Pose::from_position(com);
    let mut ready = ReadyBody {
        world_from_body,
        motion: lump.motion,
        mass: mass_properties(&inertial),
        scale: (inertial.mass_kg, inertial.moments.min_element()),
        offsets: Vec::new(),
        colliders: Vec::new(),
        com_twist: com_twist(specs[0], world_from_body),
        gravity: specs.iter().any(|spec| spec.gravity),
        decay: decay(&specs),
    };
    for spec in &specs {
        let body_from_link = Pose::from_position(-com) * first_from_link(spec);
        let body_com = body_from_link.transform_point(spec.inertial.link_from_com.position);
        ready.offsets.push(LinkOffset { link: spec.link, body_from_link, body_com });
        prepare_colliders(&mut ready, spec, body_from_link, notes)?;
    }
    if specs.iter().any(|spec| spec.gravity != ready.gravity) {
        note(notes, specs[0].link, "links fixed together share gravity; it pulls all of them");
    }
    Ok(ready)
}

fn prepare_colliders(
    ready: &mut ReadyBody,
    spec: &BodySpec,
    body_from_link: Pose,
    notes: &mut Vec<EngineNote>,
) -> Result<(), EngineError> {
    for collider in &spec.colliders {
        let Some(shape) = shapes::shape(collider, notes)? else { continue };
        surfaces::remarks(&collider.surface, |said| note(notes, collider.collision, said));
        let body_from_shape =
            body_from_link * collider.link_from_collision.normalized() * shape.collision_from_shape;
        ready.colliders.push((body_from_shape, shape, collider.clone(), spec.self_collide));
    }
    Ok(())
}

pub(super) fn mass_properties(inertial: &Inertial) -> MassProperties {
    let (mass, rotation) = (inertial.mass_kg, inertial.link_from_com.rotation);
    if inertial.products == Vec3::ZERO {
        let moments = inertial.moments;
        return MassProperties::with_principal_inertia_frame(Vec3::ZERO, mass, moments, rotation);
    }
    let turned = retake_math::Mat3::from_quat(rotation);
    let matrix = turned * inertial.matrix() * turned.transpose();
    MassProperties::with_inertia_matrix(Vec3::ZERO, mass, matrix)
}

/// Velocity of the centre of mass.
fn com_twist(spec: &BodySpec, world_from_body: Pose) -> (Vec3, Vec3) {
    let lever = world_from_body.position - spec.world_from_link.position;
    (spec.twist.linear + spec.twist.angular.cross(lever), spec.twist.angular)
}

/// The greatest decay of all links: the engine knows one for each body.
fn decay(specs: &[&BodySpec]) -> VelocityDecay {
    specs.iter().fold(VelocityDecay::default(), |greatest, spec| VelocityDecay {
        linear: greatest.linear.max(spec.velocity_decay.linear),
        angular: greatest.angular.max(spec.velocity_decay.angular),
    })
}

/// How colliders of an assembly treat each other.
#[derive(Clone, Copy)]
pub(super) struct SelfContacts {
    /// Tells assemblies apart.
    pub(super) tag: u32,
    /// Whether all links collide with each other.
    pub(super) all: bool,
    /// Whether pairs must be asked about one by one.
    pub(super) hooked: bool,
}

/// What is the same for all bodies of an assembly.
pub(super) struct Inserter<'a> {
    pub(super) state: &'a mut State,
    pub(super) assembly: &'a Assembly,
    pub(super) contacts: SelfContacts,
    /// Slots inserted so far.
    pub(super) slots: Vec<u32>,
    pub(super) poses: BTreeMap<u32, Pose>,
}

impl Inserter<'_> {
    /// Inserts a body with its colliders.
    pub(super) fn insert_body(&mut self, ready: ReadyBody, held: Held) -> (u32, RigidBodyHandle) {
        let kind = match ready.motion {
            Motion::Fixed => RigidBodyType::Fixed,
            Motion::Kinematic => RigidBodyType::KinematicVelocityBased,
            Motion::Dynamic => RigidBodyType::Dynamic,
        };
        let builder = RigidBodyBuilder::new(kind)
            .pose(to_rapier(ready.world_from_body))
            .additional_mass_properties(ready.mass)
            .linvel(ready.com_twist.0)
            .angvel(ready.com_twist.1)
            .gravity_scale(f64::from(u8::from(ready.gravity)))
            .linear_damping(ready.decay.linear)
            .angular_damping(ready.decay.angular);
        let (slot, handle) = self.insert_record(builder, ready.offsets, held);
        if held != Held::Alone && ready.decay != VelocityDecay::default() {
            Arc::make_mut(&mut self.state.tables).decaying.insert(slot, ready.decay);
        }
        self.poses.insert(slot, ready.world_from_body);
        for (body_from_shape, shape, spec, self_collide) in ready.colliders {
            let tag = Tag {
                collision: spec.collision,
                assembly: self.contacts.tag,
                self_collide: self_collide || self.contacts.all,
            };
            let mut built = collider(&spec, shape, body_from_shape, tag);
            built.set_active_hooks(self.hooks(&spec));
            if let Some(source) = shape_source(&spec) {
                Arc::make_mut(&mut self.state.tables).shapes.insert(spec.collision, source);
            }
            self.state.colliders.insert_with_parent(built, handle, &mut self.state.bodies);
        }
        (slot, handle)
    }

    /// What must be asked about a collider, whose surface is kept when contacts depend on it.
    fn hooks(&mut self, spec: &ColliderSpec) -> ActiveHooks {
        let mut hooks = ActiveHooks::empty();
        hooks.set(ActiveHooks::FILTER_CONTACT_PAIRS, self.contacts.hooked);
        if let Some(special) = SpecialSurface::of(&spec.surface) {
            Arc::make_mut(&mut self.state.tables).surfaces.insert(spec.collision, special);
            hooks.insert(ActiveHooks::MODIFY_SOLVER_CONTACTS);
        }
        hooks
    }

    /// Inserts a body without links: an anchor in the world.
    pub(super) fn insert_anchor(&mut self, world_from_anchor: Pose) -> (u32, RigidBodyHandle) {
        let builder = RigidBodyBuilder::fixed().pose(to_rapier(world_from_anchor));
        let (slot, handle) = self.insert_record(builder, Vec::new(), Held::InMultibody);
        self.poses.insert(slot, world_from_anchor);
        (slot, handle)
    }

    /// Inserts the light body between the two axes of a universal joint.
    pub(super) fn insert_middle(
        &mut self,
        world_from_middle: Pose,
        scale: (f64, f64),
    ) -> (u32, RigidBodyHandle) {
        // Light enough not to be felt, heavy enough for the arithmetic.
        let (mass, moment) = (scale.0 * 1e-6, scale.1 * 1e-6);
        let builder = RigidBodyBuilder::dynamic()
            .pose(to_rapier(world_from_middle))
            .additional_mass_properties(MassProperties::new(Vec3::ZERO, mass, Vec3::splat(moment)));
        let (slot, handle) = self.insert_record(builder, Vec::new(), Held::InMultibody);
        self.poses.insert(slot, world_from_middle);
        (slot, handle)
    }

    fn insert_record(
        &mut self,
        builder: RigidBodyBuilder,
        links: Vec<LinkOffset>,
        held: Held,
    ) -> (u32, RigidBodyHandle) {
        let state = &mut *self.state;
        let tables = Arc::make_mut(&mut state.tables);
        let builder = builder.user_data(u128::from(tables.next_slot)).allow_fast_rotation(true);
        let mut body = builder.build();
        let may_sleep = held == Held::Alone && self.assembly.may_sleep;
        *body.activation_mut() = activation(may_sleep && state.settings.sleeping);
        let handle = state.bodies.insert(body);
        let model = self.assembly.model;
        let slot = tables.add_body(BodyRecord { handle, model, links, held, may_sleep });
        self.slots.push(slot);
        (slot, handle)
    }
}

/// Half of the speed below which a free body may fall asleep, in m/s.
///
/// The engine's own threshold stops things that visibly roll; this one is a tenth of it.
const SLEEP_SPEED: f64 = 0.005;
/// How long it must be slower than that, in seconds.
const SLEEP_AFTER_SECS: f64 = 1.0;

/// Sleep settings of a body.
pub(super) fn activation(may_sleep: bool) -> RigidBodyActivation {
    if !may_sleep {
        return RigidBodyActivation::cannot_sleep();
    }
    let mut activation = RigidBodyActivation::active();
    activation.normalized_linear_threshold = SLEEP_SPEED;
    activation.time_until_sleep = SLEEP_AFTER_SECS;
    activation
}

fn collider(spec: &ColliderSpec, shape: Shape, body_from_shape: Pose, tag: Tag) -> Collider {
    let mask = Group::from_bits_retain(spec.surface.contact.collide_bitmask);
    ColliderBuilder::new(shape.shape)
        .position(to_rapier(body_from_shape))
        .density(0.0)
        .friction(spec.surface.friction.mu)
        .friction_combine_rule(CoefficientCombineRule::Min)
        .restitution(spec.surface.bounce.restitution)
        .restitution_combine_rule(CoefficientCombineRule::Multiply)
        .collision_groups(InteractionGroups::new(mask, mask, InteractionTestMode::And))
        .user_data(tag.pack())
        .build()
}

/// What the shape of a collision is made from, when a library made it.
fn shape_source(spec: &ColliderSpec) -> Option<u128> {
    // What is quick to make is made from its numbers, whatever is ready.
    let ready = spec.prepared.as_ref().filter(|_| ShapeLibrary::is_slow(&spec.geometry));
    ready.and_then(PreparedShape::source)
}

/// Refuses entities that are there already.
pub(super) fn check_new(state: &State, assembly: &Assembly) -> Result<(), EngineError> {
    let duplicate = |entity, what| Err(EngineError::Duplicate { entity, what });
    if state.tables.assemblies.contains_key(&assembly.model) {
        return duplicate(assembly.model, "model");
    }
    let mut links: Vec<EntityId> = assembly.bodies.iter().map(|body| body.link).collect();
    links.sort_unstable();
    for pair in links.windows(2) {
        if pair[0] == pair[1] {
            return duplicate(pair[0], "link");
        }
    }
    for link in links {
        if state.tables.links.contains_key(&link) {
            return duplicate(link, "link");
        }
    }
    let mut joints: Vec<EntityId> = assembly.joints.iter().map(|joint| joint.joint).collect();
    joints.sort_unstable();
    let twice = joints.windows(2).find(|pair| pair[0] == pair[1]).map(|pair| pair[0]);
    let known = joints.iter().find(|joint| state.joints.contains_key(joint)).copied();
    twice.or(known).map_or(Ok(()), |joint| duplicate(joint, "joint"))
}
