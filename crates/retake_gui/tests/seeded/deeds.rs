//! What clients want, by chance.

use fastrand::Rng;
use retake_msgs::{
    CopyEntity, DeleteEntities, EntityRef, FieldChange, FieldValue, InsertEntity, MoveEntity,
    ScaleEntity, SetComponent, UndoRedo, UserCmdStats, Vector3, field_value, user_cmd,
};

/// Boxes that everybody plays with.
pub const BOXES: usize = 4;

pub fn command(made: u64, rng: &mut Rng) -> user_cmd::Command {
    let name = format!("b{}", rng.usize(..BOXES + 1));
    let (entity, amount) = (Some(EntityRef::named(&name)), 0.5 + rng.f64());
    match rng.u8(..10) {
        0..4 => user_cmd::Command::MoveEntity(MoveEntity {
            entity,
            position: Some(Vector3 { x: amount, y: amount * 3.0, z: 1.0 + amount }),
            ..MoveEntity::default()
        }),
        4 => user_cmd::Command::ScaleEntity(ScaleEntity {
            entity,
            factor: Some(Vector3 { x: amount, y: amount, z: amount }),
        }),
        5 => user_cmd::Command::DeleteEntities(DeleteEntities {
            entity: entity.into_iter().collect(),
        }),
        6 => user_cmd::Command::CopyEntity(CopyEntity {
            entity,
            name: format!("copy_{made}"),
            ..CopyEntity::default()
        }),
        7 | 8 => friction(&format!("{name}::l::c"), amount),
        _ => user_cmd::Command::InsertEntity(InsertEntity {
            sdf: format!("<model name='new_{made}'><link name='l'/></model>"),
            ..InsertEntity::default()
        }),
    }
}

fn friction(name: &str, number: f64) -> user_cmd::Command {
    let value = Some(FieldValue { value: Some(field_value::Value::Number(number)) });
    user_cmd::Command::SetComponent(SetComponent {
        entity: Some(EntityRef::named(name)),
        component: "surface".to_owned(),
        change: vec![FieldChange { field: "friction.mu".to_owned(), value }],
    })
}

/// Undo or redo of what the client believes to be at the head, or of what was there once.
pub fn undo_redo(known: &UserCmdStats, rng: &mut Rng) -> Option<UndoRedo> {
    let undo = rng.u8(..3) > 0;
    let list = if undo { &known.undo } else { &known.redo };
    let jump = rng.u8(..4) == 0;
    let entry = if jump { rng.choice(list)? } else { list.last()? };
    Some(UndoRedo { id: entry.id.clone(), undo, jump, ..UndoRedo::default() })
}
