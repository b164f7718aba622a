//! Where things are.

use retake_ecm::{Component, Ecm, EntityId, NoSuchEntity, Parent};
use retake_math::Pose;
use serde::{Deserialize, Serialize};

/// Pose in the frame of the entity that holds this one.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LocalPose(pub Pose);

impl Component for LocalPose {
    const NAME: &'static str = "pose";
}

/// Pose of a link in its model with every joint at zero, as the file places it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RestPose(pub Pose);

impl Component for RestPose {
    const NAME: &'static str = "rest_pose";
}

/// Returns the pose of an entity in the world frame.
///
/// An entity without a pose is where its parent is.
pub fn world_pose(ecm: &Ecm, entity: EntityId) -> Pose {
    let poses = ecm.column::<LocalPose>();
    let parents = ecm.column::<Parent>();
    let mut world_from_entity = Pose::IDENTITY;
    let mut at = Some(entity);
    // A cycle of parents cannot be made by a command; the bound keeps a broken replica from hanging.
    for _ in 0..MAX_DEPTH {
        let Some(current) = at else { break };
        if let Some(LocalPose(parent_from_current)) = poses.get(current) {
            world_from_entity = *parent_from_current * world_from_entity;
        }
        at = parents.get(current).map(|parent| parent.0);
    }
    world_from_entity
}

/// Puts an entity at a pose in the world frame.
///
/// # Errors
/// [`NoSuchEntity`] when the entity is gone.
pub fn set_world_pose(
    ecm: &mut Ecm,
    entity: EntityId,
    world_from_entity: Pose,
) -> Result<(), NoSuchEntity> {
    let parent = ecm.get::<Parent>(entity).map(|parent| parent.0);
    let world_from_parent = parent.map_or(Pose::IDENTITY, |parent| world_pose(ecm, parent));
    let is_identity = world_from_parent == Pose::IDENTITY;
    let parent_from_entity = match is_identity {
        // No arithmetic, no rounding: what is asked for is what is stored.
        true => world_from_entity,
        false => world_from_parent.inverse() * world_from_entity,
    };
    ecm.set(entity, LocalPose(parent_from_entity))
}

/// Returns the pose of `entity` in the frame of its ancestor `holder`.
pub fn pose_within(ecm: &Ecm, holder: EntityId, entity: EntityId) -> Pose {
    let mut holder_from_entity = Pose::IDENTITY;
    let mut at = entity;
    for _ in 0..MAX_DEPTH {
        if at == holder {
            break;
        }
        let local = ecm.get::<LocalPose>(at).map_or(Pose::IDENTITY, |pose| pose.0);
        holder_from_entity = local * holder_from_entity;
        match ecm.get::<Parent>(at) {
            Some(parent) => at = parent.0,
            None => break,
        }
    }
    holder_from_entity
}

/// Deepest nesting that is followed.
const MAX_DEPTH: usize = 256;
