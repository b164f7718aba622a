//! Whether the fields of a component are what the table says.

use std::collections::BTreeMap;
use std::path::Path;

use retake_description::{Geometry, bounds};
use retake_ecm::{Component, Ecm, EntityId};
use retake_msgs::FieldValue;
use retake_msgs::field_value::Value;

use super::{Edit, EditError};
use crate::fields::{
    ComesFrom, FieldAt, FieldShape, editable_component, fault, leaves, named, text_of,
};
use crate::{Inertia, Kind, Shape, VisualMaterial, path_of};

pub(super) fn check(edit: &Edit<'_>, component: &str) -> Result<(), EditError> {
    if let Some(tree) = edit.after.value_of(edit.entity, component)
        && let Some(editable) = editable_component(component)
    {
        let old = edit.before.value_of(edit.entity, component);
        let old = old.map(|tree| leaves(editable, &tree)).unwrap_or_default();
        let old: BTreeMap<String, FieldValue> =
            old.into_iter().map(|leaf| (leaf.path, leaf.value)).collect();
        for leaf in leaves(editable, &tree) {
            if old.get(&leaf.path) != Some(&leaf.value) {
                check_leaf(edit, component, &leaf)?;
            }
        }
    }
    match component {
        Inertia::NAME => check_inertia(edit),
        Shape::NAME => check_shape(edit),
        VisualMaterial::NAME => check_file(edit, named(component, "pbr.albedo_map"), texture_of),
        _ => Ok(()),
    }
}

fn check_leaf(edit: &Edit<'_>, component: &str, leaf: &FieldAt) -> Result<(), EditError> {
    let from = if edit.is_new() { ComesFrom::File } else { ComesFrom::Edit };
    let given = || text_of(leaf.field, &leaf.value, &|entity| path_of(edit.after, entity));
    let field = || named(component, &leaf.path);
    if let Some(expected) = fault(leaf.field, &leaf.value, from) {
        return Err(edit.value(field(), given(), expected));
    }
    let (FieldShape::Entity(kinds), Some(Value::Entity(id))) =
        (leaf.field.shape, &leaf.value.value)
    else {
        return Ok(());
    };
    let entity = EntityId::from_raw(*id);
    let is_one = edit.after.get::<Kind>(entity).is_some_and(|kind| kinds.contains(kind));
    match is_one {
        true => Ok(()),
        false if !edit.after.exists(entity) => {
            Err(edit.value(field(), entity, "no such entity is there"))
        }
        false => {
            let kinds: Vec<String> = kinds.iter().map(ToString::to_string).collect();
            Err(edit.value(field(), given(), format!("it must be a {}", kinds.join(" or "))))
        }
    }
}

/// Refuses mass properties that no real body has.
fn check_inertia(edit: &Edit<'_>) -> Result<(), EditError> {
    let Some(Inertia(now)) = edit.after.get::<Inertia>(edit.entity) else { return Ok(()) };
    if let Some(fault) = bounds::inertial_fault(now).filter(|_| !edit.is_new()) {
        let expected = format!("it must be {}", fault.allowed);
        return Err(edit.value(fault.field, fault.value, expected));
    }
    let old = edit.before.get::<Inertia>(edit.entity).map(|inertia| inertia.0);
    let turned = old.is_some_and(|old| old.moments != now.moments || old.products != now.products);
    if !turned || now.is_realizable() {
        return Ok(());
    }
    let m = now.principal_moments();
    let given = format!("{} {} {} about its principal axes", m.x, m.y, m.z);
    let expected = "no real body has moments of which one is more than the other two together";
    Err(edit.value("inertial.moments", given, expected))
}

fn check_shape(edit: &Edit<'_>) -> Result<(), EditError> {
    let Some(Shape(shape)) = edit.after.get::<Shape>(edit.entity) else { return Ok(()) };
    let field = match shape {
        Geometry::Mesh { .. } => "mesh.uri",
        Geometry::Heightmap { .. } => "heightmap.uri",
        Geometry::Polyline(line) if !edit.is_new() => {
            let short = line.outlines.iter().find(|outline| outline.len() < 3);
            let Some(short) = short else { return Ok(()) };
            let given = format!("an outline of {} points", short.len());
            return Err(edit.value("geometry.polyline", given, "an outline has 3 points or more"));
        }
        _ => return Ok(()),
    };
    check_file(edit, named(Shape::NAME, field), file_of)
}

/// Refuses files that nobody may name.
fn check_file(
    edit: &Edit<'_>,
    field: String,
    file: fn(&Ecm, EntityId) -> Option<&Path>,
) -> Result<(), EditError> {
    let now = file(edit.after, edit.entity);
    let Some(path) = now.filter(|path| !path.as_os_str().is_empty()) else { return Ok(()) };
    if file(edit.before, edit.entity) == now || (edit.rules.may_use_file)(path) {
        return Ok(());
    }
    let given = format!("{:?}", path.display().to_string());
    Err(edit.value(field, given, "name a file under the resource folders"))
}

fn file_of(ecm: &Ecm, entity: EntityId) -> Option<&Path> {
    match &ecm.get::<Shape>(entity)?.0 {
        Geometry::Mesh { path, .. } | Geometry::Heightmap { path, .. } => Some(path),
        _ => None,
    }
}

fn texture_of(ecm: &Ecm, entity: EntityId) -> Option<&Path> {
    ecm.get::<VisualMaterial>(entity)?.0.pbr.as_ref()?.albedo_path.as_deref()
}
