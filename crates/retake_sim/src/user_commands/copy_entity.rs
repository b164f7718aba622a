//! Puts another model or light like one that is there into the world.

use std::collections::BTreeMap;

use retake_components::names::free_name;
use retake_components::{
    EntityName, JointPosition, Kind, export_light, export_model, path_of, spawn_light, spawn_model,
    world_entity, world_pose,
};
use retake_ecm::{Ecm, EntityId};
use retake_msgs::CopyEntity;

use super::insert_entity::checked_pose;
use super::{Applied, CommandError, find};

pub(super) fn apply(ecm: &mut Ecm, command: &CopyEntity) -> Result<Applied, CommandError> {
    let original = find(ecm, command.entity.as_ref(), "copy_entity.entity")?;
    let world = world_entity(ecm).ok_or(CommandError::Empty)?;
    let own = ecm.get::<EntityName>(original).map(|name| name.0.clone()).unwrap_or_default();
    let wanted = if command.name.is_empty() { &own } else { &command.name };
    let kind = ecm.get::<Kind>(original).copied().unwrap_or(Kind::Model);
    let name = free_name(ecm, (world, kind), wanted, command.name.is_empty())?;
    let pose = match &command.pose {
        Some(pose) => checked_pose("copy_entity.pose", pose)?,
        None => world_pose(ecm, original),
    };
    let spawned = if let Some(mut model) = export_model(ecm, original) {
        (model.name, model.parent_from_model) = (name.clone(), pose);
        spawn_model(ecm, world, &model)
    } else if let Some(mut light) = export_light(ecm, original) {
        (light.name, light.parent_from_light) = (name.clone(), pose);
        spawn_light(ecm, world, &light)
    } else {
        return Err(CommandError::WrongKind {
            name: path_of(ecm, original),
            kind: ecm.get::<Kind>(original).map(ToString::to_string).unwrap_or_default(),
            expected: "only models and lights can be copied",
        });
    };
    let copy = spawned.map_err(|error| CommandError::BadSdf { findings: error.to_string() })?;
    copy_joint_positions(ecm, original, copy);
    Ok(Applied { description: format!("Paste {name}"), entities: vec![copy] })
}

/// A description places links with every joint at zero; the copy is as the original is.
fn copy_joint_positions(ecm: &mut Ecm, original: EntityId, copy: EntityId) {
    let below = |ecm: &Ecm, top: EntityId, joint: EntityId| {
        let path = path_of(ecm, joint);
        path.strip_prefix(&path_of(ecm, top)).map(str::to_owned)
    };
    let joints = |ecm: &Ecm, top: EntityId| -> BTreeMap<String, EntityId> {
        let all = ecm.with_descendants(top).into_iter();
        let joints = all.filter(|entity| ecm.get::<JointPosition>(*entity).is_some());
        joints.filter_map(|joint| Some((below(ecm, top, joint)?, joint))).collect()
    };
    let originals = joints(ecm, original);
    for (path, joint) in joints(ecm, copy) {
        let position = originals.get(&path).and_then(|from| ecm.get::<JointPosition>(*from));
        if let Some(position) = position.cloned() {
            // The joint was just found.
            ecm.set(joint, position).ok();
        }
    }
}
