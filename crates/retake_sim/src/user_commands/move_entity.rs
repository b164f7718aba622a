//! Puts an entity somewhere else.

use retake_components::{
    BodyTwist, JointSpec, JointVelocity, Kind, path_of, set_world_pose, world_pose,
};
use retake_ecm::{Ecm, EntityId};
use retake_msgs::MoveEntity;

use super::{Applied, CommandError, find, numbers};

pub(super) fn apply(ecm: &mut Ecm, command: &MoveEntity) -> Result<Applied, CommandError> {
    let entity = find(ecm, command.entity.as_ref(), "move_entity.entity")?;
    check_movable(ecm, entity)?;
    let mut world_from_entity = world_pose(ecm, entity);
    if let Some(position) = &command.position {
        world_from_entity.position = numbers::position("move_entity.position", position)?;
    }
    if let Some(orientation) = &command.orientation {
        world_from_entity.rotation = numbers::rotation("move_entity.orientation", orientation)?;
    }
    set_world_pose(ecm, entity, world_from_entity)?;
    if !command.keep_velocity {
        bring_to_rest(ecm, entity);
    }
    let verb = match command.position.is_none() && command.orientation.is_some() {
        true => "Rotate",
        false => "Move",
    };
    let description = format!("{verb} {}", path_of(ecm, entity));
    Ok(Applied { description, entities: vec![entity] })
}

fn check_movable(ecm: &Ecm, entity: EntityId) -> Result<(), CommandError> {
    let kind = ecm.get::<Kind>(entity).copied();
    let held = || ecm.iter::<JointSpec>().any(|(_, joint)| joint.child == entity);
    let expected = match kind {
        Some(Kind::Model | Kind::Light | Kind::Collision | Kind::Visual | Kind::Sensor) => {
            return Ok(());
        }
        Some(Kind::Link) if !held() => return Ok(()),
        Some(Kind::Link) => "a joint holds it, so move the model or set the joint",
        _ => "only models, links, lights and what hangs on links can be moved",
    };
    Err(CommandError::WrongKind {
        name: path_of(ecm, entity),
        kind: kind.map_or_else(String::new, |kind| kind.to_string()),
        expected,
    })
}

pub(super) fn bring_to_rest(ecm: &mut Ecm, entity: EntityId) {
    for part in ecm.with_descendants(entity) {
        if let Some(twist) = ecm.get_mut::<BodyTwist>(part) {
            *twist = BodyTwist::default();
        }
        if let Some(velocity) = ecm.get_mut::<JointVelocity>(part) {
            velocity.0.fill(0.0);
        }
    }
}
