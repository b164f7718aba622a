//! Properties that change in place: whatever else is simulated does not notice.

use std::collections::BTreeSet;

use retake_components::{Inertia, JointSpec, LinkProperties, ShapeSurface, top_level_model};
use retake_ecm::{Ecm, EntityId};

use super::assemble::{joint_of, link_of};
use super::follow::{changed_entities, is_world_joint};
use super::{Followed, Physics};
use crate::{EngineError, EngineNote};

/// Brings changed properties to what is there already, and returns the models to build anew:
/// those that are in `dirty`, and those where something cannot change in place.
pub(super) fn change_in_place(
    physics: &mut Physics,
    ecm: &Ecm,
    mut dirty: BTreeSet<EntityId>,
    followed: &mut Followed,
) -> BTreeSet<EntityId> {
    for entity in changed_properties(ecm, physics.seen) {
        let Some(model) = top_level_model(ecm, entity) else { continue };
        if dirty.contains(&model) {
            continue;
        }
        if !physics.index.contains_model(model) {
            dirty.insert(model);
            continue;
        }
        match change(physics, ecm, entity) {
            // The bridge builds the model anew, and the engine then says what is wrong.
            Err(_) => {
                dirty.insert(model);
            }
            changed => followed.take(ecm, entity, changed),
        }
    }
    dirty
}

fn changed_properties(ecm: &Ecm, since: u64) -> BTreeSet<EntityId> {
    let mut changed = Vec::new();
    changed_entities::<LinkProperties>(ecm, since, &mut changed);
    changed_entities::<Inertia>(ecm, since, &mut changed);
    changed_entities::<ShapeSurface>(ecm, since, &mut changed);
    changed_entities::<JointSpec>(ecm, since, &mut changed);
    changed.into_iter().filter(|entity| !is_world_joint(ecm, *entity)).collect()
}

fn change(
    physics: &mut Physics,
    ecm: &Ecm,
    entity: EntityId,
) -> Result<Vec<EngineNote>, EngineError> {
    if let Some(surface) = ecm.get::<ShapeSurface>(entity) {
        return physics.engine.set_surface(entity, &surface.0);
    }
    if let Some(joint) = joint_of(ecm, entity) {
        return physics.engine.set_joint_axes(&joint).map(|()| Vec::new());
    }
    let link = link_of(ecm, entity);
    let unknown = EngineError::Unknown { entity, what: "link" };
    physics.engine.set_link(&link.ok_or(unknown)?).map(|()| Vec::new())
}
