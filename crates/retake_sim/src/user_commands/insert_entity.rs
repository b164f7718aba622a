//! Puts an element, read from SDF text before, into the world or a part of it.

use retake_components::names::{free_name, scope_in};
use retake_components::{
    EditError, EntityName, Kind, describe_model_now, describe_world_now, holders_of, may_hold,
    path_of, spawn_part, world_entity,
};
use retake_diag::Diagnostics;
use retake_ecm::{Ecm, EntityId, Parent};
use retake_math::Pose;
use retake_msgs::InsertEntity;
use retake_sdf::{Part, PartDraft, Surroundings};

use super::{Applied, CommandError, check, consequences, find, numbers};
use crate::preparation::{Preparer, ReadyInsert, faults};

pub(super) fn apply(
    ecm: &mut Ecm,
    command: &InsertEntity,
    ready: ReadyInsert,
    preparer: &Preparer,
) -> Result<Applied, CommandError> {
    let mut draft = ready.part?;
    let world = world_entity(ecm).ok_or(CommandError::Empty)?;
    let holder = match &command.parent {
        Some(parent) => find(ecm, Some(parent), "insert_entity.parent")?,
        None => world,
    };
    let kind = kind_of(&draft);
    check_holder(ecm, holder, (kind, draft.name()))?;
    let wanted = match command.name.trim() {
        "" => draft.name(),
        name => name,
    };
    let name = free_name(ecm, (scope_in(ecm, holder, kind), kind), wanted, command.allow_renaming)?;
    draft.rename(&name);
    let pose = command.pose.as_ref();
    let pose = pose.map(|pose| checked_pose("insert_entity.pose", pose)).transpose()?;
    if kind == Kind::Plugin && pose.is_some() {
        let (kind, expected) = (kind.to_string(), "it has no pose, so leave that out");
        return Err(CommandError::WrongKind { name, kind, expected });
    }
    let part = placed(ecm, holder, draft, pose)?;
    let before = ecm.clone();
    let entity = spawn_part(ecm, holder, &part)
        .map_err(|error| CommandError::BadSdf { findings: error.to_string() })?;
    let mut touched = ecm.with_descendants(entity);
    touched.extend(consequences::parts_changed(&before, ecm, holder));
    check(&before, ecm, &touched, preparer)?;
    let description = match holder == world {
        true => format!("Insert {name}"),
        false => format!("Insert {name} into {}", path_of(ecm, holder)),
    };
    Ok(Applied { description, entities: vec![entity] })
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

fn kind_of(draft: &PartDraft) -> Kind {
    match draft.tag() {
        "light" => Kind::Light,
        "link" => Kind::Link,
        "joint" => Kind::Joint,
        "frame" => Kind::Frame,
        "collision" => Kind::Collision,
        "visual" => Kind::Visual,
        "sensor" => Kind::Sensor,
        "plugin" => Kind::Plugin,
        _ => Kind::Model,
    }
}

fn check_holder(
    ecm: &Ecm,
    holder: EntityId,
    (kind, name): (Kind, &str),
) -> Result<(), CommandError> {
    let holder_kind = ecm.get::<Kind>(holder).copied();
    if holder_kind.is_some_and(|holder| may_hold(holder, kind)) {
        return Ok(());
    }
    let holder_kind = holder_kind.map_or_else(|| "thing".to_owned(), |kind| kind.to_string());
    let allowed: Vec<String> = holders_of(kind).iter().map(ToString::to_string).collect();
    Err(CommandError::Edit(EditError::Holder {
        entity: name.chars().take(80).collect(),
        kind: kind.to_string(),
        holder: format!("{} (a {holder_kind})", path_of(ecm, holder)),
        allowed: allowed.join(" or "),
    }))
}

fn model_of(ecm: &Ecm, link: EntityId) -> Option<EntityId> {
    ecm.get::<Parent>(link).map(|parent| parent.0)
}

/// Resolves the frames and links that a part names among those that are there, where they are now.
fn placed(
    ecm: &Ecm,
    holder: EntityId,
    draft: PartDraft,
    pose: Option<Pose>,
) -> Result<Part, CommandError> {
    let mut found = Diagnostics::new();
    let part = match ecm.get::<Kind>(holder) {
        Some(Kind::World) if draft.names_others() => {
            let world = describe_world_now(ecm, holder).ok_or(CommandError::Empty)?;
            draft.placed_in(Surroundings::World(&world), pose, &mut found)
        }
        Some(Kind::Model) => {
            let model = describe_model_now(ecm, holder).ok_or(CommandError::Empty)?;
            draft.placed_in(Surroundings::Model(&model), pose, &mut found)
        }
        Some(Kind::Link) => {
            let model = model_of(ecm, holder).and_then(|model| describe_model_now(ecm, model));
            let model = model.ok_or(CommandError::Empty)?;
            let link = ecm.get::<EntityName>(holder).map_or("", |name| name.0.as_str());
            draft.placed_in(Surroundings::Link { model: &model, link }, pose, &mut found)
        }
        _ => draft.placed_in(Surroundings::Nothing, pose, &mut found),
    };
    match (part, faults(&found)) {
        (Some(part), None) => Ok(part),
        (_, findings) => Err(CommandError::BadSdf {
            findings: findings.unwrap_or_else(|| "it is left out".to_owned()),
        }),
    }
}
