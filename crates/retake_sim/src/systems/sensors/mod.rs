//! Sensors that need no picture: what they share.

pub mod altimeter;
pub(super) mod contact;

use retake_components::{EntityName, Extras, SensorProperties, world_entity};
use retake_description::Element;
use retake_ecm::{Ecm, EntityId};

use super::joint_topic::absolute;
use super::rate::Rate;

/// Returns the sensors of a kind, as SDF names it, in the order of their ids.
fn sensors_of(ecm: &Ecm, kind: &str) -> Vec<(EntityId, Rate)> {
    let all = ecm.iter::<SensorProperties>().filter(|(_, sensor)| sensor.kind == kind);
    all.map(|(entity, sensor)| (entity, Rate::hz(sensor.update_rate_hz))).collect()
}

/// Returns an element of a sensor.
fn element<'a>(ecm: &'a Ecm, sensor: EntityId, name: &str) -> Option<&'a Element> {
    ecm.get::<Extras>(sensor)?.0.iter().find(|element| element.name == name)
}

/// Returns the text of an element within an element.
fn part<'a>(element: &'a Element, name: &str) -> Option<&'a str> {
    let parts = element.children.iter().filter(|part| part.name == name);
    parts.map(|part| part.text.trim()).find(|text| !text.is_empty())
}

/// Returns the topic that is given, or what Gazebo calls the sensor's own, which ends in `verb`.
fn topic(ecm: &Ecm, sensor: EntityId, given: Option<&str>, verb: &str) -> String {
    let named = element(ecm, sensor, "topic").map(|element| element.text.trim());
    if let Some(topic) = given.or(named.filter(|text| !text.is_empty())) {
        return absolute(topic);
    }
    let name = |entity: EntityId| ecm.get::<EntityName>(entity).map(|name| name.0.clone());
    let mut names: Vec<String> = ecm.with_holders(sensor).filter_map(name).collect();
    names.reverse();
    let world = world_entity(ecm).and_then(name).unwrap_or_default();
    // The last two are the link and the sensor, the first is the world.
    let models = names.iter().skip(1).take(names.len().saturating_sub(3));
    let models: Vec<String> = models.map(|name| format!("model/{name}")).collect();
    let [.., link, sensor] = names.as_slice() else { return absolute(verb) };
    format!("/world/{world}/{}/link/{link}/sensor/{sensor}/{verb}", models.join("/"))
}
