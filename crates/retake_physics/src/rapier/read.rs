//! Reading the state: poses, velocities, joints and contacts.

use rapier3d_f64::geometry::ContactManifold;
use rapier3d_f64::prelude::{
    ColliderHandle, ContactPair, Multibody, MultibodyJointHandle, MultibodyLink, RigidBody,
    RigidBodyHandle,
};
use retake_ecm::EntityId;
use retake_math::{Pose, Twist, Vec3};

use super::convert::from_rapier;
use super::filter::Tag;
use super::joints;
use super::loops;
use super::state::State;
use super::tables::{AxisPlace, AxisRecord, BodyRecord, Held, LinkOffset};
use crate::{BodyState, ContactPoint, ContactState, FrictionModel, JointDrive, JointState};

/// Visits the links of one body.
pub(super) fn visit_body(
    state: &State,
    body: &RigidBody,
    record: &BodyRecord,
    visitor: &mut dyn FnMut(EntityId, &BodyState),
) {
    let velocity = com_velocity(state, body, record);
    for offset in &record.links {
        visitor(offset.link, &link_state(body, offset, velocity));
    }
}

/// State of the one link of a body that stands alone, which is where the body is.
pub(super) fn free_link_state(body: &RigidBody) -> BodyState {
    BodyState {
        world_from_link: from_rapier(body.position()),
        twist: Twist { linear: body.linvel(), angular: body.angvel() },
        asleep: body.is_sleeping(),
    }
}

/// State of one link.
pub(super) fn body_state(state: &State, link: EntityId) -> Option<BodyState> {
    let (record, offset) = state.tables.link(link).ok()?;
    let body = state.bodies.get(record.handle)?;
    Some(link_state(body, offset, com_velocity(state, body, record)))
}

fn link_state(body: &RigidBody, offset: &LinkOffset, velocity: (Vec3, Vec3)) -> BodyState {
    let world_from_body = from_rapier(body.position());
    let (linear, angular) = velocity;
    let asleep = body.is_sleeping();
    if offset.body_from_link == Pose::IDENTITY {
        return BodyState {
            world_from_link: world_from_body,
            twist: Twist { linear, angular },
            asleep,
        };
    }
    let lever = world_from_body.transform_vector(offset.body_from_link.position);
    BodyState {
        world_from_link: world_from_body * offset.body_from_link,
        twist: Twist { linear: linear + angular.cross(lever), angular },
        asleep,
    }
}

/// Velocity of a body's centre of mass.
fn com_velocity(state: &State, body: &RigidBody, record: &BodyRecord) -> (Vec3, Vec3) {
    if record.held == Held::Alone {
        return (body.linvel(), body.angvel());
    }
    velocity_of(state, record.handle)
}

/// Velocity of a body's centre of mass, linear and angular, in or out of a multibody.
pub(super) fn velocity_of(state: &State, handle: RigidBodyHandle) -> (Vec3, Vec3) {
    let body = &state.bodies[handle];
    // In a multibody the bodies' own velocities are those of the last sub-step's beginning.
    let found = state.multibody_joints.rigid_body_link(handle).and_then(|link| {
        let multibody = state.multibody_joints.get_multibody(link.multibody)?;
        Some((multibody, link.id))
    });
    let Some((multibody, id)) = found else { return (body.linvel(), body.angvel()) };
    let jacobian = multibody.body_jacobian(id);
    if jacobian.ncols() != multibody.ndofs() {
        return (body.linvel(), body.angvel());
    }
    // By columns and without room for a result: this is done for every link in every step.
    let (mut linear, mut angular) = (Vec3::ZERO, Vec3::ZERO);
    let columns = jacobian.as_slice().as_chunks::<6>().0;
    for ([x, y, z, a, b, c], speed) in
        columns.iter().zip(multibody.generalized_velocity().as_slice())
    {
        linear += Vec3::new(*x, *y, *z) * *speed;
        angular += Vec3::new(*a, *b, *c) * *speed;
    }
    (linear, angular)
}

/// States of the axes of a joint.
pub(super) fn joint_states(state: &State, axes: &[AxisRecord], out: &mut Vec<JointState>) {
    out.clear();
    out.extend(axes.iter().map(|axis| axis_state(state, axis)));
}

pub(super) fn axis_state(state: &State, axis: &AxisRecord) -> JointState {
    // A joint of a robot is looked up once for all of it: this is done for every axis in every step.
    let (position, velocity, motor) = match axis.place {
        AxisPlace::Frozen { position } => (position, 0.0, joints::motor(&axis.drive, &axis.axis)),
        AxisPlace::Impulse { .. } => {
            let (position, velocity) = loops::coordinate(state, &axis.place).unwrap_or_default();
            (position, velocity, joints::motor(&axis.drive, &axis.axis))
        }
        AxisPlace::Multibody { handle, spatial, dof } => {
            let (multibody, link) = multibody_link(state, handle);
            let joint = &link.joint().data;
            // What the drive became with the joint's limits.
            let has_motor = joint.motor_axes.contains(super::axis_mask(spatial));
            let motor = has_motor.then(|| joint.motors[spatial]);
            (link.joint().coords()[spatial], multibody.joint_velocity(link)[dof], motor)
        }
    };
    let effort = match axis.drive {
        JointDrive::Free => 0.0,
        JointDrive::Effort(effort) => {
            effort.clamp(-axis.axis.limits.effort, axis.axis.limits.effort)
        }
        _ => joints::effort(motor, position, velocity),
    };
    JointState { position, velocity, effort }
}

fn multibody_link(state: &State, handle: MultibodyJointHandle) -> (&Multibody, &MultibodyLink) {
    let (multibody, id) =
        state.multibody_joints.get(handle).expect("the table names living joints");
    (multibody, multibody.link(id).expect("the joint has a link"))
}

/// How many contact points of a manifold show the friction of the whole of it.
fn friction_sharers(state: &State, manifold: &ContactManifold) -> f64 {
    let in_robot = [manifold.data.rigid_body1, manifold.data.rigid_body2]
        .into_iter()
        .flatten()
        .any(|body| state.multibody_joints.rigid_body_link(body).is_some());
    if in_robot || state.settings.friction_model == FrictionModel::Coulomb {
        return 1.0;
    }
    manifold.data.solver_contacts.len() as f64
}

/// Visits one pair of colliders when they touch; one that was removed since the step touches nothing.
pub(super) fn visit_contact(
    state: &State,
    pair: &ContactPair,
    points: &mut Vec<ContactPoint>,
    visitor: &mut dyn FnMut(&ContactState<'_>),
) {
    points.clear();
    let tag = |handle: ColliderHandle| {
        state.colliders.get(handle).map(|collider| Tag::unpack(collider.user_data).collision)
    };
    let (Some(first), Some(second)) = (tag(pair.collider1), tag(pair.collider2)) else { return };
    let substeps = f64::from(state.settings.substeps);
    for manifold in pair.solver_manifolds() {
        let share = substeps / friction_sharers(state, manifold);
        let normal = manifold.data.normal;
        for contact in &manifold.data.solver_contacts {
            let (near, far) = manifold.data.solver_contact_world_points(contact, &state.bodies);
            let index = contact.contact_indices()[0] as usize;
            let solved = manifold.points.get(index).map(|point| &point.data);
            let impulse = solved.map_or(0.0, |data| data.impulse);
            // The engine keeps the friction of the last sub-step, on the first body.
            let friction = solved.map_or(Vec3::ZERO, |data| data.warmstart_tangent_world * -share);
            let depth = (near - far).dot(normal);
            // The engine looks ahead a little: what neither touched nor pushed is no contact.
            if depth >= 0.0 || impulse > 0.0 {
                let position = (near + far) * 0.5;
                points.push(ContactPoint { position, normal, depth, impulse, friction });
            }
        }
    }
    if !points.is_empty() {
        visitor(&ContactState { first, second, points });
    }
}
