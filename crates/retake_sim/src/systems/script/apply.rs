//! Doing what a script wants done.

use retake_components::{BodyTwist, Contacts, ExternalWrench};
use retake_ecm::{Component, Ecm, EntityId};

use super::components::{ScriptDrives, ScriptItemNames, ScriptItems, ScriptTopics};
use super::host::Effect;
use crate::OutMessage;
use crate::system::SystemError;
use crate::systems::joint_drive::{command_axis, release_axis};

/// Does all that a call wanted, in order; returns what is to be published.
pub(super) fn apply(
    ecm: &mut Ecm,
    plugin: EntityId,
    effects: Vec<Effect>,
) -> Result<Vec<OutMessage>, SystemError> {
    let mut published = Vec::new();
    for effect in effects {
        match effect {
            Effect::Drive { joint, axis, command } => {
                note_drive(ecm, plugin, (joint, axis));
                command_axis(ecm, joint, axis, command)?;
            }
            Effect::Push { link, force, torque } => ExternalWrench::add(ecm, link, force, torque),
            Effect::Move { link, twist } => put(ecm, link, BodyTwist(twist)),
            Effect::Steer { model, command } => put(ecm, model, command),
            Effect::MeasureContacts { entity } => put(ecm, entity, Contacts::default()),
            Effect::Publish(message) => {
                note_topic(ecm, plugin, &message.topic)?;
                published.push(message);
            }
            Effect::Show { name, number } => show(ecm, plugin, name, number)?,
        }
    }
    Ok(published)
}

fn put<T: Component>(ecm: &mut Ecm, entity: EntityId, value: T) {
    // It was found in this very state.
    ecm.set(entity, value).ok();
}

/// Remembers that a script drives an axis.
fn note_drive(ecm: &mut Ecm, plugin: EntityId, axis: (EntityId, usize)) {
    let known = ecm.get::<ScriptDrives>(plugin).map_or(&[][..], |drives| &drives.0);
    if let Err(at) = known.binary_search(&axis) {
        let mut drives = ScriptDrives(known.to_vec());
        drives.0.insert(at, axis);
        ecm.set(plugin, drives).ok();
    }
}

/// Remembers that a script publishes to a topic.
fn note_topic(ecm: &mut Ecm, plugin: EntityId, topic: &str) -> Result<(), SystemError> {
    let known = ecm.get::<ScriptTopics>(plugin).map_or(&[][..], |topics| &topics.0);
    let Err(at) = known.binary_search_by(|known| known.as_str().cmp(topic)) else { return Ok(()) };
    if known.len() >= ScriptTopics::MOST {
        let reason = format!("it publishes to more than {} topics", ScriptTopics::MOST);
        return Err(SystemError::Script { reason });
    }
    let mut topics = ScriptTopics(known.to_vec());
    topics.0.insert(at, topic.to_owned());
    // The plugin exists: its script just ran.
    ecm.set(plugin, topics).ok();
    Ok(())
}

/// Lets go of every axis that a script drives.
pub(super) fn release(ecm: &mut Ecm, plugin: EntityId) {
    let drives = ecm.get::<ScriptDrives>(plugin).cloned().unwrap_or_default();
    for (joint, axis) in drives.0 {
        release_axis(ecm, joint, axis);
    }
    ecm.remove::<ScriptDrives>(plugin);
}

/// Puts a number where it can be watched.
fn show(ecm: &mut Ecm, plugin: EntityId, name: String, number: f64) -> Result<(), SystemError> {
    let names = ecm.get::<ScriptItemNames>(plugin).map_or(&[][..], |names| &names.0);
    let at = match names.binary_search(&name) {
        Ok(at) => at,
        Err(at) => {
            let names = ScriptItemNames(names.to_vec());
            add_item(ecm, plugin, names, (at, name))?;
            at
        }
    };
    if let Some(items) = ecm.get_mut::<ScriptItems>(plugin)
        && let Some(item) = items.0.get_mut(at)
    {
        *item = number;
    }
    Ok(())
}

fn add_item(
    ecm: &mut Ecm,
    plugin: EntityId,
    mut names: ScriptItemNames,
    (at, name): (usize, String),
) -> Result<(), SystemError> {
    if names.0.len() >= ScriptItemNames::MOST {
        let reason = format!("it shows more than {} numbers", ScriptItemNames::MOST);
        return Err(SystemError::Script { reason });
    }
    names.0.insert(at, name);
    let mut items = ecm.get::<ScriptItems>(plugin).cloned().unwrap_or_default();
    items.0.insert(at.min(items.0.len()), 0.0);
    // The plugin exists: its script just ran.
    ecm.set(plugin, names).ok();
    ecm.set(plugin, items).ok();
    Ok(())
}
