//! Coordinates that follow others: mimic axes, gears and screws.

use rapier3d_f64::prelude::{
    Multibody, MultibodyDofCoupling, MultibodyJointHandle, MultibodyLinkId, RigidBodyHandle,
};
use retake_description::JointKind;
use retake_ecm::EntityId;
use retake_math::{Pose, Vec3};

use super::joints::{ANGULAR_X, LINEAR_X};
use super::note;
use super::plan::Plan;
use super::state::State;
use super::tables::AxisPlace;
use crate::{Assembly, AxisSpec, EngineNote, JointSpec};

/// Ties every axis of a tree that mimics another to its leader.
pub(super) fn insert(
    state: &mut State,
    assembly: &Assembly,
    plan: &Plan,
    notes: &mut Vec<EngineNote>,
) {
    for edge in plan.trees.iter().flat_map(|tree| &tree.edges) {
        let spec = &assembly.joints[edge.joint];
        for (index, given) in spec.axes.iter().enumerate() {
            if given.axis.mimic.is_some() && couple(state, spec, index, given).is_none() {
                note(
                    notes,
                    spec.joint,
                    "mimic is not simulated: the joint it follows is not in the same tree of joints",
                );
            }
        }
    }
}

/// Ties the hinges that each gearbox joins.
pub(super) fn insert_gears(
    state: &mut State,
    assembly: &Assembly,
    plan: &Plan,
    notes: &mut Vec<EngineNote>,
) {
    for index in &plan.gears {
        let spec = &assembly.joints[*index];
        if mesh_gears(state, assembly, spec).is_none() {
            note(
                notes,
                spec.joint,
                "the gearbox is not simulated: it needs a gearbox_reference_body that carries its parent and its child by hinges",
            );
        }
    }
}

/// Couples the hinge of a gearbox's parent to that of its child.
fn mesh_gears(state: &mut State, assembly: &Assembly, spec: &JointSpec) -> Option<()> {
    let gearbox = spec.gearbox?;
    let world_from_gear = pose_of(assembly, spec.child)? * spec.child_from_joint;
    let axis = |index: usize| world_from_gear.transform_vector(spec.axes[index].axis.xyz);
    let (parent, parent_sign) = hinge(assembly, gearbox.reference, spec.parent?, axis(0))?;
    let (child, child_sign) = hinge(assembly, gearbox.reference, spec.child, axis(1))?;
    let coeff = -gearbox.ratio * parent_sign * child_sign;
    tie(state, (child, 0), (parent, 0), (coeff, 0.0))
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

/// Makes the turn of a screw follow its slide.
pub(super) fn insert_screw(multibody: &mut Multibody, link: usize, pitch: f64) {
    multibody.add_dof_coupling(MultibodyDofCoupling {
        link1: link,
        dof1: 0,
        axis1: LINEAR_X,
        link2: link,
        dof2: 1,
        axis2: ANGULAR_X,
        coeff: pitch,
        offset: 0.0,
    });
}

/// A coordinate: its link, its index among the six, its index among the free ones.
type Coordinate = (MultibodyLinkId, usize, usize);

fn couple(state: &mut State, spec: &JointSpec, index: usize, given: &AxisSpec) -> Option<()> {
    let mimic = given.axis.mimic.as_ref()?;
    let offset = mimic.offset - mimic.multiplier * mimic.reference;
    tie(state, (given.leader?, 0), (spec.joint, index), (mimic.multiplier, offset))
}

/// Makes one axis follow another; none when they are not in one multibody.
fn tie(
    state: &mut State,
    leader: (EntityId, usize),
    follower: (EntityId, usize),
    (coeff, offset): (f64, f64),
) -> Option<()> {
    let (link1, axis1, dof1) = coordinate(state, leader.0, leader.1)?;
    let (link2, axis2, dof2) = coordinate(state, follower.0, follower.1)?;
    if link1.multibody != link2.multibody || link1.id == link2.id {
        return None;
    }
    let multibody = state.multibody_joints.get_multibody_mut(link1.multibody)?;
    multibody.add_dof_coupling(MultibodyDofCoupling {
        link1: link1.id,
        dof1,
        axis1,
        link2: link2.id,
        dof2,
        axis2,
        coeff,
        offset,
    });
    Some(())
}

fn coordinate(state: &State, joint: EntityId, axis: usize) -> Option<Coordinate> {
    let AxisPlace::Multibody { handle, spatial, dof } =
        state.joints.get(&joint)?.axes.get(axis)?.place
    else {
        return None;
    };
    let MultibodyJointHandle(body) = handle;
    let link = state.multibody_joints.rigid_body_link(RigidBodyHandle(body))?;
    Some((*link, spatial, dof))
}
