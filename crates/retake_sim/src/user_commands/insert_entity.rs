//! Puts a model or light, read from SDF text before, into the world.

use retake_components::{EntityName, spawn_light, spawn_model, world_entity};
use retake_ecm::{Ecm, EntityId};
use retake_math::Pose;
use retake_msgs::InsertEntity;
use retake_sdf::Fragment;

use super::{Applied, CommandError, numbers};
use crate::preparation::ReadyInsert;

/// Longest name that an entity can have.
const MAX_NAME: usize = 256;

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
    let name = free_name(ecm, world, &wanted, command.allow_renaming)?;
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

/// Control characters and marks that turn the direction of writing: they could forge what a
/// terminal or a page shows.
pub(crate) fn is_unprintable(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Checks a name, and adds a number when it is taken and that is allowed.
pub(super) fn free_name(
    ecm: &Ecm,
    world: EntityId,
    wanted: &str,
    allow_renaming: bool,
) -> Result<String, CommandError> {
    let usable = !wanted.is_empty()
        && wanted.len() <= MAX_NAME
        && !wanted.contains(['/', '#'])
        && !wanted.contains("::")
        && !wanted.chars().any(is_unprintable);
    if !usable {
        let findings = format!(
            "{:?} is no name; use up to {MAX_NAME} characters without ::, /, # and control characters",
            wanted.chars().take(40).collect::<String>()
        );
        return Err(CommandError::BadSdf { findings });
    }
    let taken = |name: &str| {
        let children = ecm.children(world).iter();
        children.filter_map(|child| ecm.get::<EntityName>(*child)).any(|there| there.0 == name)
    };
    if !taken(wanted) {
        return Ok(wanted.to_owned());
    }
    if !allow_renaming {
        return Err(CommandError::NameTaken { name: wanted.to_owned() });
    }
    let mut numbered = (1..).map(|number: u64| format!("{wanted}_{number}"));
    numbered.find(|name| !taken(name)).ok_or(CommandError::NameTaken { name: wanted.to_owned() })
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
