//! Coordinates that follow others: mimic axes and screws.

use rapier3d_f64::prelude::{
    Multibody, MultibodyDofCoupling, MultibodyJointHandle, MultibodyLinkId, RigidBodyHandle,
};
use retake_ecm::EntityId;

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
    let (link1, axis1, dof1) = coordinate(state, given.leader?, 0)?;
    let (link2, axis2, dof2) = coordinate(state, spec.joint, index)?;
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
        coeff: mimic.multiplier,
        offset: mimic.offset - mimic.multiplier * mimic.reference,
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
