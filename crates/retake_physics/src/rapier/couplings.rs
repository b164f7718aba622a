//! Coordinates that follow others: mimic axes, gears and screws.

use rapier3d_f64::prelude::{
    Multibody, MultibodyDofCoupling, MultibodyJointHandle, MultibodyLinkId, RigidBodyHandle,
};
use retake_ecm::EntityId;

use super::joints::{ANGULAR_X, LINEAR_X};
use super::note;
use super::state::State;
use super::tables::AxisPlace;
use crate::plan::{self, Gears, Plan};
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
    let Gears { parent, child, factor } = plan::gears(assembly, spec)?;
    tie(state, (child, 0), (parent, 0), (factor, 0.0))
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
