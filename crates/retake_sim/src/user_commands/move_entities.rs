//! Puts several entities somewhere else.

use retake_ecm::Ecm;
use retake_msgs::MoveEntities;

use super::{Applied, CommandError, move_entity};

pub(super) fn apply(ecm: &mut Ecm, command: &MoveEntities) -> Result<Applied, CommandError> {
    if command.r#move.is_empty() {
        return Err(CommandError::Missing { field: "move_entities.move" });
    }
    let mut entities = Vec::new();
    for one in &command.r#move {
        entities.extend(move_entity::apply(ecm, one)?.entities);
    }
    Ok(Applied { description: format!("Move {} entities", entities.len()), entities })
}
