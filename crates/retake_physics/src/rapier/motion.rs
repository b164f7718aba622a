//! Moving things by hand: teleports, velocities, drives and pushes.
//!
//! A link of a multibody has no pose of its own in the engine: positions go through the joint
//! coordinates, and the poses that follow from them are then told to the bodies, so that colliders
//! and sleeping neighbours notice.

use rapier3d_f64::prelude::{Multibody, RigidBodyHandle};
use retake_ecm::EntityId;
use retake_math::{Pose, Twist, Vec3};

use super::convert::{from_rapier, to_rapier};
use super::joints;
use super::loops;
use super::state::State;
use super::tables::{AxisPlace, AxisRecord, Held};
use crate::{AfterTeleport, EngineError, JointDrive, check};

/// Moves a model so that `link` gets a pose; returns the bodies that moved.
pub(super) fn set_assembly_pose(
    state: &mut State,
    link: EntityId,
    world_from_link: Pose,
    velocities: AfterTeleport,
) -> Result<Vec<RigidBodyHandle>, EngineError> {
    check::pose(link, "pose", &world_from_link)?;
    let (body, offset) = state.tables.link(link)?;
    let (reference, model) = (body.handle, body.model);
    let world_from_body = world_from_link.normalized() * offset.body_from_link.inverse();
    let moved_by = world_from_body * from_rapier(state.bodies[reference].position()).inverse();
    let record = state.tables.assembly(model)?.clone();
    let handles: Vec<RigidBodyHandle> =
        record.slots.iter().map(|slot| state.tables.body(*slot).handle).collect();
    for handle in &handles {
        let old = from_rapier(state.bodies[*handle].position());
        let new = if *handle == reference { world_from_body } else { moved_by * old };
        let body = &mut state.bodies[*handle];
        body.set_position(to_rapier(new.normalized()), true);
        if velocities == AfterTeleport::Rest {
            body.set_linvel(Vec3::ZERO, true);
            body.set_angvel(Vec3::ZERO, true);
        }
    }
    for root in &record.roots {
        if velocities == AfterTeleport::Rest {
            with_multibody(state, *root, |multibody| {
                multibody.generalized_velocity_mut().fill(0.0);
            });
        }
        place_links(state, *root);
    }
    Ok(handles)
}

/// Sets the velocity of a link that no joint holds.
pub(super) fn set_body_twist(
    state: &mut State,
    link: EntityId,
    twist: Twist,
) -> Result<RigidBodyHandle, EngineError> {
    check::twist(link, &twist)?;
    let (record, offset) = state.tables.link(link)?;
    let (handle, held) = (record.handle, record.held);
    if held == Held::InMultibody || state.bodies[handle].is_fixed() {
        let what = "a joint holds the link; set the joint's velocity instead".to_owned();
        return Err(EngineError::Unsupported { entity: link, what });
    }
    let world_from_body = from_rapier(state.bodies[handle].position());
    // From the link's origin to the centre of mass, which is the body's origin.
    let lever = -world_from_body.transform_vector(offset.body_from_link.position);
    let linear = twist.linear + twist.angular.cross(lever);
    state.bodies[handle].set_linvel(linear, true);
    state.bodies[handle].set_angvel(twist.angular, true);
    if held == Held::FreeRoot {
        with_multibody(state, handle, |multibody| {
            let mut velocity = multibody.generalized_velocity_mut();
            for i in 0..3 {
                velocity[i] = linear[i];
                velocity[i + 3] = twist.angular[i];
            }
        });
    }
    Ok(handle)
}

/// Puts one axis somewhere, at rest; returns the bodies that may have moved.
pub(super) fn set_joint_position(
    state: &mut State,
    joint: EntityId,
    axis: usize,
    position: f64,
) -> Result<Vec<RigidBodyHandle>, EngineError> {
    check::joint_position(joint, position)?;
    let record = axis_record(state, joint, axis)?;
    let limits = record.axis.limits;
    if position < limits.lower || position > limits.upper {
        let (field, allowed) = ("position", "within the joint's limits");
        return Err(EngineError::OutOfRange { entity: joint, field, value: position, allowed });
    }
    let (handle, spatial, dof) = multibody_place(joint, record)?;
    let (multibody, id) =
        state.multibody_joints.get_mut(handle).expect("the table names living joints");
    move_coordinate(multibody, id, (spatial, dof), position);
    let mut wanted = vec![(id, spatial, position)];
    // Followers go along, or the coupling would snap them over in the next step.
    while let Some((leader, leader_axis, q)) = wanted.pop() {
        let follows = |c: &&rapier3d_f64::prelude::MultibodyDofCoupling| {
            c.link1 == leader && c.axis1 == leader_axis
        };
        let followers: Vec<_> = multibody.couplings().iter().filter(follows).copied().collect();
        for c in followers {
            let q2 = c.coeff * q + c.offset;
            move_coordinate(multibody, c.link2, (c.axis2, c.dof2), q2);
            // A ring of followers ends when it comes back to where it began.
            if wanted.len() < multibody.couplings().len() && c.link2 != id {
                wanted.push((c.link2, c.axis2, q2));
            }
        }
    }
    let root = multibody.root().rigid_body_handle();
    Ok(place_links(state, root))
}

/// Sets the velocity of one axis.
pub(super) fn set_joint_velocity(
    state: &mut State,
    joint: EntityId,
    axis: usize,
    velocity: f64,
) -> Result<(), EngineError> {
    check::joint_velocity(joint, velocity)?;
    let (handle, _, dof) = multibody_place(joint, axis_record(state, joint, axis)?)?;
    let (multibody, id) =
        state.multibody_joints.get_mut(handle).expect("the table names living joints");
    let first = multibody.link(id).expect("the joint has a link").assembly_id();
    multibody.generalized_velocity_mut()[first + dof] = velocity;
    Ok(())
}

/// Sets what drives an axis.
pub(super) fn set_joint_drive(
    state: &mut State,
    joint: EntityId,
    axis: usize,
    drive: JointDrive,
) -> Result<(), EngineError> {
    check::drive(joint, &drive)?;
    let record = axis_record(state, joint, axis)?;
    let motor = joints::motor(&drive, &record.axis);
    match record.place {
        AxisPlace::Multibody { handle, spatial, .. } => {
            let (multibody, id) =
                state.multibody_joints.get_mut(handle).expect("the table names living joints");
            let link = multibody.link_mut(id).expect("the joint has a link");
            joints::set_motor(&mut link.joint.data, spatial, motor);
        }
        AxisPlace::Impulse { handle, spatial, .. } => {
            let motor = joints::with_passive_forces(motor, &record.axis);
            if let Some(joint) = state.impulse_joints.get_mut(handle, true) {
                joints::set_motor(&mut joint.data, spatial, motor);
            }
        }
        AxisPlace::Frozen { .. } => {
            let what = "the joint cannot move, so nothing can drive it".to_owned();
            return Err(EngineError::Unsupported { entity: joint, what });
        }
    }
    let Some(record) = state.joints.get_mut(&joint) else { return Ok(()) };
    record.axes[axis].drive = drive;
    if record.impulse.is_some() {
        let slots = record.slots;
        state.refresh_sleep(slots);
        loops::follow_turns(state);
    }
    Ok(())
}

/// Pushes a link during the next step.
pub(super) fn apply_wrench(
    state: &mut State,
    link: EntityId,
    force_n: Vec3,
    torque_nm: Vec3,
) -> Result<(), EngineError> {
    check::vector(link, "force", force_n)?;
    check::vector(link, "torque", torque_nm)?;
    let (record, offset) = state.tables.link(link)?;
    let handle = record.handle;
    let body = &state.bodies[handle];
    if !body.is_dynamic() {
        return Ok(());
    }
    let lever = from_rapier(body.position()).transform_vector(offset.body_com);
    let torque_nm = torque_nm + lever.cross(force_n);
    // Finite pushes can add up to more than a number holds.
    check::vector(link, "sum of the forces", body.user_force() + force_n)?;
    check::vector(link, "sum of the torques", body.user_torque() + torque_nm)?;
    state.push(handle, force_n, torque_nm);
    Ok(())
}

/// Finds an axis of a joint.
pub(super) fn axis_record(
    state: &State,
    joint: EntityId,
    axis: usize,
) -> Result<&AxisRecord, EngineError> {
    let unknown = EngineError::Unknown { entity: joint, what: "joint" };
    let record = state.joints.get(&joint).ok_or(unknown)?;
    let count = record.axes.len();
    record.axes.get(axis).ok_or(EngineError::NoSuchAxis { joint, axis, count })
}

fn multibody_place(
    joint: EntityId,
    record: &AxisRecord,
) -> Result<(rapier3d_f64::prelude::MultibodyJointHandle, usize, usize), EngineError> {
    let what = match record.place {
        AxisPlace::Multibody { handle, spatial, dof } => return Ok((handle, spatial, dof)),
        AxisPlace::Impulse { .. } => {
            "the joint closes a loop or connects two models; move the links instead"
        }
        AxisPlace::Frozen { .. } => "the joint cannot move: its links are fixed together",
    };
    Err(EngineError::Unsupported { entity: joint, what: what.to_owned() })
}

fn move_coordinate(multibody: &mut Multibody, id: usize, axis: (usize, usize), position: f64) {
    let (spatial, dof) = axis;
    let Some(link) = multibody.link(id) else { return };
    let first = link.assembly_id() + dof;
    let mut displacement = vec![0.0; multibody.ndofs()];
    displacement[first] = position - link.joint().coords()[spatial];
    multibody.apply_displacements(&displacement);
    multibody.generalized_velocity_mut()[first] = 0.0;
}

fn with_multibody(state: &mut State, root: RigidBodyHandle, change: impl FnOnce(&mut Multibody)) {
    let Some(link) = state.multibody_joints.rigid_body_link(root).copied() else { return };
    if let Some(multibody) = state.multibody_joints.get_multibody_mut(link.multibody) {
        change(multibody);
    }
}

/// Puts every link of a multibody where its coordinates say, and returns them.
fn place_links(state: &mut State, root: RigidBodyHandle) -> Vec<RigidBodyHandle> {
    let Some(link) = state.multibody_joints.rigid_body_link(root).copied() else {
        return Vec::new();
    };
    let Some(multibody) = state.multibody_joints.get_multibody_mut(link.multibody) else {
        return Vec::new();
    };
    multibody.forward_kinematics(&state.bodies, true);
    let mut placed = Vec::new();
    for link in multibody.links() {
        let handle = link.rigid_body_handle();
        state.bodies[handle].set_position(*link.local_to_world(), true);
        placed.push(handle);
    }
    placed
}
