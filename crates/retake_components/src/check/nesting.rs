//! What holds what, and how it is called there.

use retake_description::bounds::MODEL_DEPTH;
use retake_ecm::{Component, EntityId, Parent};

use super::{Edit, EditError};
use crate::names::{MAX_NAME, NamesInUse, check_name, is_unprintable};
use crate::{EntityName, FrameScope, Kind, NameError, PluginConfig, path_of};

/// Returns the kinds of entities that can hold one of `kind`.
pub fn holders_of(kind: Kind) -> &'static [Kind] {
    match kind {
        Kind::World => &[],
        Kind::Model | Kind::Joint => &[Kind::World, Kind::Model],
        Kind::Link => &[Kind::Model],
        Kind::Collision | Kind::Visual | Kind::Sensor => &[Kind::Link],
        Kind::Light => &[Kind::World, Kind::Link],
        Kind::Plugin => &[Kind::World, Kind::Model, Kind::Link, Kind::Sensor],
        Kind::Frame => &[Kind::World, Kind::Model, Kind::Link],
    }
}

/// Says whether `holder` can hold `kind`.
pub fn may_hold(holder: Kind, kind: Kind) -> bool {
    holders_of(kind).contains(&holder)
}

pub(super) fn check(
    edit: &Edit<'_>,
    kind: Kind,
    changed: &[String],
    names: &mut NamesInUse<'_>,
) -> Result<(), EditError> {
    let differs = |name: &str| changed.iter().any(|changed| changed == name);
    if differs(Parent::NAME) {
        check_holder(edit, kind)?;
    }
    if differs(Parent::NAME) || differs(EntityName::NAME) || differs(FrameScope::NAME) {
        check_own_name(edit, kind, differs(EntityName::NAME))?;
        if names.takes_from(edit.entity) {
            return Err(NameError::Taken { name: name_of(edit).to_owned() }.into());
        }
    }
    let named = edit.after.get::<EntityName>(edit.entity).map(|name| name.0.as_str());
    match edit.after.get::<PluginConfig>(edit.entity) {
        Some(plugin) if named != Some(plugin.0.name.as_str()) => {
            Err(edit.value("name", named.unwrap_or_default(), "a plugin's name is plugin.name"))
        }
        _ => Ok(()),
    }
}

fn check_holder(edit: &Edit<'_>, kind: Kind) -> Result<(), EditError> {
    let ecm = edit.after;
    let Some(Parent(holder)) = ecm.get::<Parent>(edit.entity).copied() else { return Ok(()) };
    let holder_kind = ecm.get::<Kind>(holder).copied();
    if !holder_kind.is_some_and(|holder| may_hold(holder, kind)) {
        let allowed: Vec<String> = holders_of(kind).iter().map(ToString::to_string).collect();
        let holder = match holder_kind {
            Some(kind) => format!("{} (a {kind})", path_of(ecm, holder)),
            None => format!("{holder}, which is not there"),
        };
        let (entity, kind) = (edit.path(), kind.to_string());
        return Err(EditError::Holder { entity, kind, holder, allowed: allowed.join(" or ") });
    }
    let outermost = ecm.with_holders(edit.entity).last();
    let ends = outermost.and_then(|last| ecm.get::<Kind>(last)) == Some(&Kind::World);
    if ends && model_depth(edit, edit.entity) <= MODEL_DEPTH {
        return Ok(());
    }
    Err(EditError::TooDeep { entity: edit.path(), most: MODEL_DEPTH })
}

/// How many models the deepest one below an entity is inside of, itself included.
fn model_depth(edit: &Edit<'_>, entity: EntityId) -> usize {
    let is_model = |entity: &EntityId| edit.after.get::<Kind>(*entity) == Some(&Kind::Model);
    let below = edit.after.with_descendants(entity).into_iter().filter(is_model);
    let depth = |model: EntityId| edit.after.with_holders(model).filter(is_model).count();
    below.map(depth).max().unwrap_or(0)
}

fn check_own_name(edit: &Edit<'_>, kind: Kind, renamed: bool) -> Result<(), EditError> {
    let name = name_of(edit);
    match renamed && !edit.is_new() && kind != Kind::Plugin {
        true => Ok(check_name(name)?),
        // Names in files may have more than those that people give.
        false if name.chars().count() <= MAX_NAME && !name.chars().any(is_unprintable) => Ok(()),
        false => Err(NameError::Unusable { name: name.chars().take(40).collect() }.into()),
    }
}

fn name_of<'a>(edit: &Edit<'a>) -> &'a str {
    edit.after.get::<EntityName>(edit.entity).map(|name| name.0.as_str()).unwrap_or_default()
}
