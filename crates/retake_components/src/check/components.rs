//! Which components an edit may change.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use retake_ecm::{Component, Ecm, EntityId, Parent};

use super::{Edit, EditError};
use crate::fields::editable_component;
use crate::{
    ActorText, BodyTwist, CanonicalLink, Contacts, CurrentProfile, EntityName, Extras, FrameScope,
    Gravity, Inertia, JointCommand, JointEffort, JointPosition, JointSpec, JointVelocity,
    JointWrench, Kind, LightEmission, LinkAcceleration, LinkProperties, LocalPose, ModelProperties,
    PhysicsProfiles, PluginConfig, RestPose, Seed, SensorProperties, Shape, ShapeSurface,
    VisualMaterial, VisualProperties, WorldClock, WorldScene, WorldText,
};

/// Largest value of a type that nobody here knows, in bytes.
const MOST_UNKNOWN: usize = 64 * 1024;

/// Returns the names of the components that differ, when all of them may.
pub(super) fn changed(edit: &Edit<'_>, kind: Kind) -> Result<Vec<String>, EditError> {
    let before = encoded(edit.before, edit.entity);
    let after = encoded(edit.after, edit.entity);
    let names: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    let mut changed = Vec::new();
    for name in names {
        let (old, new) = (before.get(name), after.get(name));
        if old == new {
            continue;
        }
        let allowed = match edit.is_new() {
            true => may_come(edit, kind, name),
            false => may_change(edit, kind, name),
        };
        if !allowed {
            return Err(EditError::NotEditable {
                entity: edit.path(),
                kind: kind.to_string(),
                component: name.clone(),
            });
        }
        check_size(edit, name, new.map_or(0, Vec::len))?;
        changed.push(name.clone());
    }
    let lacking = required(kind).iter().find(|name| !after.contains_key(**name));
    match lacking {
        Some(name) => Err(edit.incomplete(&kind.to_string(), name)),
        None => Ok(changed),
    }
}

/// Components of an entity as bytes, by name.
fn encoded(ecm: &Ecm, entity: EntityId) -> BTreeMap<String, Vec<u8>> {
    let state = ecm.encode_entities([entity]);
    let components = state.entities.into_iter().flat_map(|entity| entity.components);
    let named = components.filter_map(|component| {
        let name = state.types.get(component.type_index as usize)?.name.clone();
        Some((name, component.value))
    });
    named.collect()
}

/// What follows from edits, or is moved by commands, on entities that are there.
fn follows(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::Link => &[RestPose::NAME, BodyTwist::NAME],
        Kind::Joint => &[
            // Where it is drawn follows from its child.
            LocalPose::NAME,
            JointVelocity::NAME,
            JointEffort::NAME,
            JointCommand::NAME,
            // A gearbox names a link there.
            Extras::NAME,
        ],
        Kind::Frame => &[FrameScope::NAME],
        Kind::Plugin => &[EntityName::NAME],
        _ => &[],
    }
}

fn may_change(edit: &Edit<'_>, kind: Kind, name: &str) -> bool {
    editable_component(name).is_some_and(|component| component.belongs_to(kind))
        || follows(kind).contains(&name)
        || edit.rules.commanded.contains(&name)
        || !edit.after.knows(name)
}

fn may_come(edit: &Edit<'_>, kind: Kind, name: &str) -> bool {
    required(kind).contains(&name)
        || optional(kind).contains(&name)
        || !edit.after.knows(name)
        || is_of_a_system(name)
}

/// Systems remember components of their own, wherever they need them.
fn is_of_a_system(name: &str) -> bool {
    static OWN: LazyLock<Vec<&'static str>> =
        LazyLock::new(|| crate::registry().build().names().collect());
    !OWN.contains(&name)
}

fn check_size(edit: &Edit<'_>, name: &str, bytes: usize) -> Result<(), EditError> {
    if edit.after.knows(name) || bytes <= MOST_UNKNOWN {
        return Ok(());
    }
    let (entity, component) = (edit.path(), name.to_owned());
    Err(EditError::TooLarge { entity, component, bytes, most: MOST_UNKNOWN })
}

/// What makes an entity one of its kind.
fn required(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::World => &[
            Kind::NAME,
            EntityName::NAME,
            Gravity::NAME,
            WorldScene::NAME,
            PhysicsProfiles::NAME,
            CurrentProfile::NAME,
            WorldClock::NAME,
            Seed::NAME,
            WorldText::NAME,
        ],
        Kind::Model => {
            &[Kind::NAME, EntityName::NAME, Parent::NAME, LocalPose::NAME, ModelProperties::NAME]
        }
        Kind::Link => &[
            Kind::NAME,
            EntityName::NAME,
            Parent::NAME,
            LocalPose::NAME,
            RestPose::NAME,
            BodyTwist::NAME,
            Inertia::NAME,
            LinkProperties::NAME,
        ],
        Kind::Joint => &[
            Kind::NAME,
            EntityName::NAME,
            Parent::NAME,
            LocalPose::NAME,
            JointSpec::NAME,
            JointPosition::NAME,
            JointVelocity::NAME,
            JointEffort::NAME,
            JointCommand::NAME,
        ],
        Kind::Collision => &[
            Kind::NAME,
            EntityName::NAME,
            Parent::NAME,
            LocalPose::NAME,
            Shape::NAME,
            ShapeSurface::NAME,
        ],
        Kind::Visual => &[
            Kind::NAME,
            EntityName::NAME,
            Parent::NAME,
            LocalPose::NAME,
            Shape::NAME,
            VisualProperties::NAME,
        ],
        Kind::Light => {
            &[Kind::NAME, EntityName::NAME, Parent::NAME, LocalPose::NAME, LightEmission::NAME]
        }
        Kind::Sensor => {
            &[Kind::NAME, EntityName::NAME, Parent::NAME, LocalPose::NAME, SensorProperties::NAME]
        }
        Kind::Plugin => &[Kind::NAME, EntityName::NAME, Parent::NAME, PluginConfig::NAME],
        Kind::Frame => &[Kind::NAME, EntityName::NAME, Parent::NAME, LocalPose::NAME],
    }
}

/// What an entity may have beside that.
fn optional(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::Model => &[Extras::NAME, CanonicalLink::NAME, ActorText::NAME, Contacts::NAME],
        Kind::Link => &[Extras::NAME, LinkAcceleration::NAME, Contacts::NAME],
        Kind::Joint => &[Extras::NAME, JointWrench::NAME],
        Kind::Collision => &[Extras::NAME, Contacts::NAME],
        Kind::Visual => &[Extras::NAME, VisualMaterial::NAME],
        Kind::Frame => &[Extras::NAME, FrameScope::NAME],
        Kind::World | Kind::Light | Kind::Sensor => &[Extras::NAME],
        Kind::Plugin => &[],
    }
}
