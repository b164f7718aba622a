//! From one element to entities, in a world that is there.

use retake_ecm::{Ecm, EntityId};
use retake_sdf::Part;

use crate::names::scope_in;
use crate::spawn::{
    Links, spawn_collision, spawn_frame, spawn_joint, spawn_link, spawn_plugin, spawn_sensor,
    spawn_visual,
};
use crate::{EntityName, Kind, SpawnError, spawn_light, spawn_model};

/// Makes the entities of a part under `holder`, which must be able to hold it.
///
/// Which link carries the models around it, and where links rest, is left to the caller.
///
/// # Errors
/// [`SpawnError`] when a joint names a link that is not below `holder`, or `holder` is gone.
pub fn spawn_part(ecm: &mut Ecm, holder: EntityId, part: &Part) -> Result<EntityId, SpawnError> {
    match part {
        Part::Model(model) => spawn_model(ecm, holder, model),
        Part::Light(light) => spawn_light(ecm, holder, light),
        Part::Link(link) => spawn_link(ecm, holder, link),
        Part::Joint(joint) => {
            let links = links_below(ecm, holder);
            spawn_joint(ecm, holder, joint, &links)
        }
        Part::Frame(frame) => {
            let scope = scope_in(ecm, holder, Kind::Frame);
            let link = links_below(ecm, scope).get(&frame.attached_to).copied();
            Ok(spawn_frame(ecm, scope, frame, link)?)
        }
        Part::Collision(collision) => spawn_collision(ecm, holder, collision),
        Part::Visual(visual) => spawn_visual(ecm, holder, visual),
        Part::Sensor(sensor) => spawn_sensor(ecm, holder, sensor),
        Part::Plugin(plugin) => Ok(spawn_plugin(ecm, holder, plugin)?),
    }
}

/// Finds all links below an entity by their names scoped from there.
fn links_below(ecm: &Ecm, holder: EntityId) -> Links {
    let all = ecm.with_descendants(holder).into_iter();
    let links = all.filter(|entity| ecm.get::<Kind>(*entity) == Some(&Kind::Link));
    links.filter_map(|link| Some((scoped_name(ecm, holder, link)?, link))).collect()
}

fn scoped_name(ecm: &Ecm, holder: EntityId, link: EntityId) -> Option<String> {
    let inside: Vec<EntityId> =
        ecm.with_holders(link).take_while(|around| *around != holder).collect();
    let names = inside.iter().rev().map(|part| Some(ecm.get::<EntityName>(*part)?.0.as_str()));
    names.collect::<Option<Vec<&str>>>().map(|names| names.join("::"))
}
