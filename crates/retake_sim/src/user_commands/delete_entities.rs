//! Takes entities out of the world.

use retake_components::{JointSpec, Kind, path_of};
use retake_ecm::{Ecm, EntityId};
use retake_msgs::DeleteEntities;

use super::{Applied, CommandError, find};

pub(super) fn apply(ecm: &mut Ecm, command: &DeleteEntities) -> Result<Applied, CommandError> {
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
        entities.push(entity);
    }
    let description = match entities.as_slice() {
        [one] => format!("Delete {}", path_of(ecm, *one)),
        many => format!("Delete {} entities", many.len()),
    };
    for entity in &entities {
        ecm.remove_entity(*entity);
    }
    remove_joints_without_links(ecm);
    Ok(Applied { description, entities })
}

/// A joint whose link is gone joins nothing.
fn remove_joints_without_links(ecm: &mut Ecm) {
    let lost = |joint: &JointSpec| {
        !ecm.exists(joint.child) || joint.parent.is_some_and(|parent| !ecm.exists(parent))
    };
    let joints: Vec<EntityId> =
        ecm.iter::<JointSpec>().filter(|(_, joint)| lost(joint)).map(|(joint, _)| joint).collect();
    joints.into_iter().for_each(|joint| {
        ecm.remove_entity(joint);
    });
}
