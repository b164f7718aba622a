//! Puts a model or light, read from SDF text before, into the world.

use retake_components::names::free_name;
use retake_components::{Kind, spawn_light, spawn_model, world_entity};
use retake_ecm::Ecm;
use retake_math::Pose;
use retake_msgs::InsertEntity;
use retake_sdf::Fragment;

use super::{Applied, CommandError, numbers};
use crate::preparation::ReadyInsert;

pub(super) fn apply(
    ecm: &mut Ecm,
    command: &InsertEntity,
    ready: ReadyInsert,
) -> Result<Applied, CommandError> {
    let mut fragment = ready.fragment?;
    let world = world_entity(ecm).ok_or(CommandError::Empty)?;
    let wanted = match command.name.trim() {
        "" => name_of(&fragment).to_owned(),
        name => name.to_owned(),
    };
    let name = free_name(ecm, (world, kind_of(&fragment)), &wanted, command.allow_renaming)?;
    set_name(&mut fragment, &name);
    if let Some(pose) = &command.pose {
        set_pose(&mut fragment, checked_pose("insert_entity.pose", pose)?);
    }
    let entity = match &fragment {
        Fragment::Model(model) => spawn_model(ecm, world, model),
        Fragment::Light(light) => spawn_light(ecm, world, light),
    };
    let entity = entity.map_err(|error| CommandError::BadSdf { findings: error.to_string() })?;
    Ok(Applied { description: format!("Insert {name}"), entities: vec![entity] })
}

/// Reads a pose; what is absent of it is zero.
pub(super) fn checked_pose(
    field: &'static str,
    pose: &retake_msgs::Pose,
) -> Result<Pose, CommandError> {
    let mut checked = Pose::IDENTITY;
    if let Some(position) = &pose.position {
        checked.position = numbers::position(field, position)?;
    }
    if let Some(orientation) = &pose.orientation {
        checked.rotation = numbers::rotation(field, orientation)?;
    }
    Ok(checked)
}

fn kind_of(fragment: &Fragment) -> Kind {
    match fragment {
        Fragment::Model(_) => Kind::Model,
        Fragment::Light(_) => Kind::Light,
    }
}

fn name_of(fragment: &Fragment) -> &str {
    match fragment {
        Fragment::Model(model) => &model.name,
        Fragment::Light(light) => &light.name,
    }
}

fn set_name(fragment: &mut Fragment, name: &str) {
    match fragment {
        Fragment::Model(model) => model.name = name.to_owned(),
        Fragment::Light(light) => light.name = name.to_owned(),
    }
}

fn set_pose(fragment: &mut Fragment, world_from_entity: Pose) {
    match fragment {
        Fragment::Model(model) => model.parent_from_model = world_from_entity,
        Fragment::Light(light) => light.parent_from_light = world_from_entity,
    }
}
