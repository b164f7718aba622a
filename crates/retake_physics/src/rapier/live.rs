//! Changing properties of what is there, without building it anew.
//!
//! Only what cannot be changed in place is refused, and the caller then rebuilds the model: shapes,
//! frames, kinds of joints, and links that share a body with others.

use std::sync::Arc;

use rapier3d_f64::prelude::{
    ActiveHooks, ColliderHandle, Group, InteractionGroups, InteractionTestMode,
};
use retake_description::Surface;
use retake_ecm::EntityId;
use serde::{Deserialize, Serialize};

use super::build;
use super::filter::Tag;
use super::joints;
use super::loops;
use super::note;
use super::state::State;
use super::surfaces::{self, SpecialSurface};
use super::tables::{AxisPlace, Held};
use crate::{BodySpec, EngineError, EngineNote, JointSpec, check};

fn rebuild(entity: EntityId, what: &str) -> EngineError {
    EngineError::Unsupported { entity, what: format!("{what} cannot change in place") }
}

/// Changes the surface of a collision.
pub(super) fn set_surface(
    state: &mut State,
    collision: EntityId,
    surface: &Surface,
) -> Result<Vec<EngineNote>, EngineError> {
    check::surface(collision, surface)?;
    let handle = find_collider(state, collision)?;
    let collider = &mut state.colliders[handle];
    collider.set_friction(surface.friction.mu);
    collider.set_restitution(surface.bounce.restitution);
    let mask = Group::from_bits_retain(surface.contact.collide_bitmask);
    // Setting the groups also makes the engine look at resting contacts again.
    collider.set_collision_groups(InteractionGroups::new(mask, mask, InteractionTestMode::And));
    let special = SpecialSurface::of(surface);
    let mut hooks = collider.active_hooks();
    hooks.set(ActiveHooks::MODIFY_SOLVER_CONTACTS, special.is_some());
    collider.set_active_hooks(hooks);
    let tables = Arc::make_mut(&mut state.tables);
    match special {
        Some(special) => tables.surfaces.insert(collision, special),
        None => tables.surfaces.remove(&collision),
    };
    if let Some(body) = state.colliders[handle].parent() {
        state.islands.wake_up(&mut state.bodies, body, true);
    }
    let mut notes = Vec::new();
    surfaces::remarks(surface, |said| note(&mut notes, collision, said));
    Ok(notes)
}

fn find_collider(state: &State, collision: EntityId) -> Result<ColliderHandle, EngineError> {
    let is_it = |packed: u128| Tag::unpack(packed).collision == collision;
    let found = state.colliders.iter().find(|(_, collider)| is_it(collider.user_data));
    let unknown = EngineError::Unknown { entity: collision, what: "collision" };
    found.map(|(handle, _)| handle).ok_or(unknown)
}

/// Changes mass, gravity and loss of velocity of a link that has a body of its own.
pub(super) fn set_link(state: &mut State, spec: &BodySpec) -> Result<(), EngineError> {
    check::body(spec)?;
    let (record, offset) = state.tables.link(spec.link)?;
    let (handle, held) = (record.handle, record.held);
    let (slot, alone) = (super::filter::slot(&state.bodies, handle), record.links.len() == 1);
    let body = &state.bodies[handle];
    if !alone || !body.is_dynamic() || spec.kinematic {
        return Err(rebuild(spec.link, "a link that shares its body or does not move freely"));
    }
    let mixes = |handle: &ColliderHandle| {
        Tag::unpack(state.colliders[*handle].user_data).self_collide != spec.self_collide
    };
    if body.colliders().iter().any(mixes) {
        return Err(rebuild(spec.link, "what a link collides with"));
    }
    // The body's frame is at the centre of mass.
    let kept = (offset.body_from_link.position + spec.inertial.link_from_com.position).length();
    if kept > 1e-12 {
        return Err(rebuild(spec.link, "the centre of mass"));
    }
    check::physical(spec.link, &spec.inertial)?;
    let body = &mut state.bodies[handle];
    body.set_additional_mass_properties(build::mass_properties(&spec.inertial), true);
    body.set_gravity_scale(f64::from(u8::from(spec.gravity)), true);
    body.set_linear_damping(spec.velocity_decay.linear);
    body.set_angular_damping(spec.velocity_decay.angular);
    if held != Held::Alone {
        let decaying = &mut Arc::make_mut(&mut state.tables).decaying;
        match spec.velocity_decay == retake_description::VelocityDecay::default() {
            true => decaying.remove(&slot),
            false => decaying.insert(slot, spec.velocity_decay),
        };
    }
    Ok(())
}

/// Changes limits and passive forces of a joint's axes.
pub(super) fn set_axes(state: &mut State, spec: &JointSpec) -> Result<(), EngineError> {
    check::joint(spec)?;
    let unknown = EngineError::Unknown { entity: spec.joint, what: "joint" };
    let record = state.joints.get(&spec.joint).ok_or(unknown)?;
    let same_frame = record.frame == JointFrame::of(spec);
    let same_axes = record.axes.len() == spec.axes.len()
        && record.axes.iter().zip(&spec.axes).all(|(known, given)| {
            known.axis.xyz == given.axis.xyz && known.axis.mimic == given.axis.mimic
        });
    let braked = |friction: f64| friction > 0.0;
    let same_brake = record.impulse.is_none()
        || record.axes.iter().zip(&spec.axes).all(|(known, given)| {
            let (old, new) = (known.axis.dynamics.friction, given.axis.dynamics.friction);
            !braked(old) && !braked(new)
        });
    if !same_frame || !same_axes || !same_brake {
        return Err(rebuild(spec.joint, "the kind or the frame of a joint"));
    }
    for (index, given) in spec.axes.iter().enumerate() {
        set_axis(state, spec.joint, index, &given.axis);
    }
    Ok(())
}

fn set_axis(
    state: &mut State,
    joint: EntityId,
    index: usize,
    axis: &retake_description::JointAxis,
) {
    let Some(record) = state.joints.get_mut(&joint) else { return };
    record.axes[index].axis = Arc::new(axis.clone());
    let (place, drive) = (record.axes[index].place, record.axes[index].drive);
    let motor = joints::motor(&drive, axis);
    let limits = joints::limits(axis);
    match place {
        AxisPlace::Multibody { handle, spatial, dof } => {
            let (multibody, id) =
                state.multibody_joints.get_mut(handle).expect("the table names living joints");
            let link = multibody.link_mut(id).expect("the joint has a link");
            let dynamics = &axis.dynamics;
            joints::set_limits(&mut link.joint.data, spatial, limits);
            link.joint.set_spring(spatial, dynamics.spring_stiffness, dynamics.spring_reference);
            joints::set_motor(&mut link.joint.data, spatial, motor);
            let first = link.assembly_id();
            multibody.damping_mut()[first + dof] = dynamics.damping;
            multibody.frictions_mut()[first + dof] = dynamics.friction;
        }
        AxisPlace::Impulse { handle, spatial, position } => {
            let near = limits.map(|limits| loops::near_limits(spatial, limits, position));
            if let Some(found) = state.impulse_joints.get_mut(handle, true) {
                joints::set_limits(&mut found.data, spatial, near);
                let motor = joints::with_passive_forces(motor, axis);
                joints::set_motor(&mut found.data, spatial, motor);
            }
            loops::follow_turns(state);
        }
        AxisPlace::Frozen { .. } => {}
    }
}

/// What of a joint cannot change in place.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct JointFrame {
    kind: retake_description::JointKind,
    parent: Option<EntityId>,
    child: EntityId,
    child_from_joint: retake_math::Pose,
    thread_pitch: f64,
    gearbox: Option<crate::GearboxSpec>,
}

impl JointFrame {
    pub(super) fn of(spec: &JointSpec) -> Self {
        Self {
            kind: spec.kind,
            parent: spec.parent,
            child: spec.child,
            child_from_joint: spec.child_from_joint,
            thread_pitch: spec.thread_pitch,
            gearbox: spec.gearbox,
        }
    }
}
