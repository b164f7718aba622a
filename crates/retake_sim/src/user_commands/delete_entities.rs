//! Takes entities out of the world, and the joints that held them.

use std::collections::BTreeSet;

use retake_components::{JointSpec, Kind, ModelProperties, path_of};
use retake_ecm::{Ecm, EntityId, Parent};
use retake_msgs::DeleteEntities;

use super::{Applied, CommandError, check, consequences, find};
use crate::preparation::Preparer;

pub(super) fn apply(
    ecm: &mut Ecm,
    command: &DeleteEntities,
    preparer: &Preparer,
) -> Result<Applied, CommandError> {
    let entities = named(ecm, command)?;
    let mut gone: BTreeSet<EntityId> =
        entities.iter().flat_map(|entity| ecm.with_descendants(*entity)).collect();
    let joints = joints_without_links(ecm, &gone);
    let description = describe(ecm, &entities, joints.len());
    gone.extend(&joints);
    let before = ecm.clone();
    for entity in entities.iter().chain(&joints) {
        ecm.remove_entity(*entity);
    }
    check_models_have_links(&before, ecm, &gone)?;
    let mut touched: Vec<EntityId> = gone.iter().copied().collect();
    for holder in holders_left(&before, ecm, &gone) {
        touched.extend(consequences::parts_changed(&before, ecm, holder));
    }
    check(&before, ecm, &touched, preparer)?;
    Ok(Applied { description, entities })
}

fn named(ecm: &Ecm, command: &DeleteEntities) -> Result<Vec<EntityId>, CommandError> {
    if command.entity.is_empty() {
        return Err(CommandError::Missing { field: "delete_entities.entity" });
    }
    let mut entities = Vec::new();
    for reference in &command.entity {
        let entity = find(ecm, Some(reference), "delete_entities.entity")?;
        if ecm.get::<Kind>(entity) == Some(&Kind::World) {
            let (name, kind) = (path_of(ecm, entity), Kind::World.to_string());
            let expected = "it cannot be deleted";
            return Err(CommandError::WrongKind { name, kind, expected });
        }
        if !entities.contains(&entity) {
            entities.push(entity);
        }
    }
    Ok(entities)
}

/// Finds the joints that stay behind without one of their links; they join nothing.
fn joints_without_links(ecm: &Ecm, gone: &BTreeSet<EntityId>) -> Vec<EntityId> {
    let lost = |joint: &JointSpec| {
        gone.contains(&joint.child) || joint.parent.is_some_and(|parent| gone.contains(&parent))
    };
    let joints = ecm.iter::<JointSpec>().filter(|(_, joint)| lost(joint));
    joints.map(|(joint, _)| joint).filter(|joint| !gone.contains(joint)).collect()
}

fn describe(ecm: &Ecm, entities: &[EntityId], joints: usize) -> String {
    let what = match entities {
        [one] => path_of(ecm, *one),
        many => format!("{} entities", many.len()),
    };
    match joints {
        0 => format!("Delete {what}"),
        1 => format!("Delete {what} and 1 joint"),
        more => format!("Delete {what} and {more} joints"),
    }
}

/// Finds what held something that is gone and is still there itself.
fn holders_left(before: &Ecm, ecm: &Ecm, gone: &BTreeSet<EntityId>) -> BTreeSet<EntityId> {
    let holders = gone.iter().filter_map(|entity| before.get::<Parent>(*entity));
    holders.map(|parent| parent.0).filter(|holder| ecm.exists(*holder)).collect()
}

/// A model that can move is nothing without a link, and no file can have it.
fn check_models_have_links(
    before: &Ecm,
    ecm: &Ecm,
    gone: &BTreeSet<EntityId>,
) -> Result<(), CommandError> {
    let has_body = |ecm: &Ecm, model: EntityId| {
        let kinds = ecm.children(model).iter().map(|child| ecm.get::<Kind>(*child));
        kinds.into_iter().any(|kind| matches!(kind, Some(Kind::Link | Kind::Model)))
    };
    for entity in gone {
        let Some(Parent(model)) = before.get::<Parent>(*entity).copied() else { continue };
        let moves = ecm.get::<ModelProperties>(model).is_some_and(|model| !model.is_static);
        if moves && has_body(before, model) && !has_body(ecm, model) {
            let kind = before.get::<Kind>(*entity).map(ToString::to_string).unwrap_or_default();
            let expected = "its model would have nothing left, so delete the model";
            return Err(CommandError::WrongKind { name: path_of(before, *entity), kind, expected });
        }
    }
    Ok(())
}
