//! Makes an entity larger or smaller about its own origin.

use retake_components::{Inertia, JointSpec, Kind, LocalPose, RestPose, Shape, path_of};
use retake_ecm::{Ecm, EntityId};
use retake_math::{Quat, Vec3};
use retake_msgs::ScaleEntity;

use super::{Applied, CommandError, find, numbers};

/// Least and greatest factor.
const LEAST: f64 = 1e-3;
const GREATEST: f64 = 1e3;

pub(super) fn apply(ecm: &mut Ecm, command: &ScaleEntity) -> Result<Applied, CommandError> {
    let entity = find(ecm, command.entity.as_ref(), "scale_entity.entity")?;
    let given = command.factor.as_ref();
    let given = given.ok_or(CommandError::Missing { field: "scale_entity.factor" })?;
    let factor = checked(given)?;
    check_scalable(ecm, entity)?;
    let parts = ecm.with_descendants(entity);
    for part in parts {
        // The entity itself stays where it is, and what is turned has other axes.
        if part != entity {
            check_axes(ecm, part, factor)?;
            move_part(ecm, part, factor);
        }
        scale_part(ecm, part, factor)?;
    }
    Ok(Applied { description: format!("Scale {}", path_of(ecm, entity)), entities: vec![entity] })
}

fn checked(factor: &retake_msgs::Vector3) -> Result<Vec3, CommandError> {
    let field = "scale_entity.factor";
    for value in [factor.x, factor.y, factor.z] {
        if !(LEAST..=GREATEST).contains(&numbers::finite(field, value)?) {
            let expected = format!("write a factor from {LEAST} to {GREATEST}");
            return Err(CommandError::BadNumber { field, value, expected });
        }
    }
    Ok(Vec3::from(factor))
}

fn check_scalable(ecm: &Ecm, entity: EntityId) -> Result<(), CommandError> {
    let parts = ecm.with_descendants(entity);
    let held = ecm.iter::<JointSpec>().any(|(_, joint)| {
        parts.contains(&joint.child) || joint.parent.is_some_and(|parent| parts.contains(&parent))
    });
    let expected = match ecm.get::<Kind>(entity) {
        Some(Kind::Collision | Kind::Visual) => return Ok(()),
        Some(Kind::Model | Kind::Link) if !held => return Ok(()),
        Some(Kind::Model | Kind::Link) => "joints hold it, so scale its collisions and visuals",
        _ => "only models, links, collisions and visuals can be scaled",
    };
    Err(wrong(ecm, entity, expected))
}

/// Refuses uneven factors for what is turned against the axes of the scaled entity.
fn check_axes(ecm: &Ecm, part: EntityId, factor: Vec3) -> Result<(), CommandError> {
    let is_even = factor.x == factor.y && factor.y == factor.z;
    let rotation = ecm.get::<LocalPose>(part).map_or(Quat::IDENTITY, |pose| pose.0.rotation);
    match is_even || rotation.angle_between(Quat::IDENTITY) < 1e-9 {
        true => Ok(()),
        false => Err(wrong(ecm, part, "it is turned, so scale by one factor or one by one")),
    }
}

fn move_part(ecm: &mut Ecm, part: EntityId, factor: Vec3) {
    if let Some(pose) = ecm.get_mut::<LocalPose>(part) {
        pose.0.position *= factor;
    }
    if let Some(pose) = ecm.get_mut::<RestPose>(part) {
        pose.0.position *= factor;
    }
}

fn scale_part(ecm: &mut Ecm, part: EntityId, factor: Vec3) -> Result<(), CommandError> {
    if let Some(shape) = ecm.get::<Shape>(part) {
        let scaled = shape.0.scaled(factor);
        let expected = "its shape can be scaled only alike across its axis";
        let scaled = scaled.ok_or_else(|| wrong(ecm, part, expected))?;
        ecm.set(part, Shape(scaled))?;
    }
    if let Some(inertia) = ecm.get_mut::<Inertia>(part) {
        inertia.0 = inertia.0.scaled(factor);
    }
    Ok(())
}

fn wrong(ecm: &Ecm, entity: EntityId, expected: &'static str) -> CommandError {
    let kind = ecm.get::<Kind>(entity).map(ToString::to_string).unwrap_or_default();
    CommandError::WrongKind { name: path_of(ecm, entity), kind, expected }
}
