//! Coordinates that follow others: mimic axes, gears and screws.

use retake_ecm::EntityId;
use serde::{Deserialize, Serialize};

use super::model::{AxisPlace, Model};
use super::note;
use crate::plan::{self, Gears, Plan};
use crate::{Assembly, EngineNote, JointSpec};

/// A coordinate, by its body and its number there.
pub(super) type Place = (usize, usize);

/// A coordinate that follows another: `factor` times its position and `offset`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Tie {
    pub(super) leader: Place,
    pub(super) follower: Place,
    pub(super) factor: f64,
    pub(super) offset: f64,
}

/// Finds all ties of a model, and says which are not simulated.
pub(super) fn ties(
    assembly: &Assembly,
    plan: &Plan,
    model: &Model,
    screws: Vec<(usize, f64)>,
    notes: &mut Vec<EngineNote>,
) -> Vec<Tie> {
    let screw = |(body, pitch): (usize, f64)| Tie {
        leader: (body, 1),
        follower: (body, 0),
        factor: 1.0 / pitch,
        offset: 0.0,
    };
    let mut found: Vec<Tie> = screws.into_iter().map(screw).collect();
    for edge in plan.trees.iter().flat_map(|tree| &tree.edges) {
        let spec = &assembly.joints[edge.joint];
        for index in 0..spec.axes.len() {
            if spec.axes[index].axis.mimic.is_none() {
                continue;
            }
            match mimic(model, spec, index) {
                Some(tie) => found.push(tie),
                None => note(
                    notes,
                    spec.joint,
                    "mimic is not simulated: the joint it follows is not in the same model or closes a loop",
                ),
            }
        }
    }
    for index in &plan.gears {
        let spec = &assembly.joints[*index];
        match gear(assembly, model, spec) {
            Some(tie) => found.push(tie),
            None => note(
                notes,
                spec.joint,
                "the gearbox is not simulated: it needs a gearbox_reference_body that carries its parent and its child by hinges",
            ),
        }
    }
    found
}

fn mimic(model: &Model, spec: &JointSpec, index: usize) -> Option<Tie> {
    let given = &spec.axes[index];
    let mimic = given.axis.mimic.as_ref()?;
    let (leader, follower) =
        (coordinate(model, given.leader?, 0)?, coordinate(model, spec.joint, index)?);
    let offset = mimic.offset - mimic.multiplier * mimic.reference;
    (leader != follower).then_some(Tie { leader, follower, factor: mimic.multiplier, offset })
}

fn gear(assembly: &Assembly, model: &Model, spec: &JointSpec) -> Option<Tie> {
    let Gears { parent, child, factor } = plan::gears(assembly, spec)?;
    let (leader, follower) = (coordinate(model, child, 0)?, coordinate(model, parent, 0)?);
    (leader != follower).then_some(Tie { leader, follower, factor, offset: 0.0 })
}

fn coordinate(model: &Model, joint: EntityId, axis: usize) -> Option<Place> {
    let joint = model.joints.iter().find(|known| known.entity == joint)?;
    match joint.axes.get(axis)?.place {
        AxisPlace::Coord { body, coord } => Some((body, coord)),
        _ => None,
    }
}
