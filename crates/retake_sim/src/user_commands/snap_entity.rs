//! Puts a place on an entity's surface against a place on another's.

use retake_components::{path_of, world_pose};
use retake_ecm::{Ecm, EntityId};
use retake_math::{Pose, Quat, Vec3};
use retake_msgs::{MoveEntity, SnapEntity, SurfacePoint};

use super::{Applied, CommandError, find, move_entity, numbers};

pub(super) fn apply(ecm: &mut Ecm, command: &SnapEntity) -> Result<Applied, CommandError> {
    let from =
        Place::of(ecm, command.from.as_ref(), ["snap_entity.from", "snap_entity.from.normal"])?;
    let to = Place::of(ecm, command.to.as_ref(), ["snap_entity.to", "snap_entity.to.normal"])?;
    if ecm.with_descendants(from.entity).contains(&to.entity) {
        return Err(CommandError::WrongKind {
            name: path_of(ecm, to.entity),
            kind: "part of what is moved".to_owned(),
            expected: "name another entity to snap to",
        });
    }
    let turn = Quat::from_rotation_arc(from.normal, -to.normal);
    let about = Pose { position: to.point, rotation: turn } * Pose::from_position(-from.point);
    let world_from_entity = about * world_pose(ecm, from.entity);
    let moved = MoveEntity {
        entity: command.from.as_ref().and_then(|from| from.entity.clone()),
        position: Some(world_from_entity.position.into()),
        orientation: Some(world_from_entity.rotation.into()),
        keep_velocity: false,
    };
    let applied = move_entity::apply(ecm, &moved)?;
    let (name, target) = (path_of(ecm, from.entity), path_of(ecm, to.entity));
    Ok(Applied { description: format!("Snap {name} to {target}"), ..applied })
}

/// A place on a surface, in the world frame.
struct Place {
    entity: EntityId,
    point: Vec3,
    normal: Vec3,
}

impl Place {
    fn of(
        ecm: &Ecm,
        given: Option<&SurfacePoint>,
        [field, normal_field]: [&'static str; 2],
    ) -> Result<Self, CommandError> {
        let given = given.ok_or(CommandError::Missing { field })?;
        let entity = find(ecm, given.entity.as_ref(), field)?;
        let point = numbers::position(field, &given.point.unwrap_or_default())?;
        let normal = numbers::position(normal_field, &given.normal.unwrap_or_default())?;
        let Some(normal) = normal.try_normalize() else {
            let expected = "write the direction that points out of the surface".to_owned();
            return Err(CommandError::BadNumber { field: normal_field, value: 0.0, expected });
        };
        let pose = world_pose(ecm, entity);
        let point = (pose * Pose::from_position(point)).position;
        Ok(Self { entity, point, normal: pose.rotation * normal })
    }
}
