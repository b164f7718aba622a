//! Changes fields of a component.

use retake_components::fields::{self, EditableComponent, Field};
use retake_components::{EntityName, Kind, LocalPose, Shape, VisualMaterial, path_of};
use retake_description::Geometry;
use retake_ecm::{Component, Ecm, EntityId, Parent};
use retake_msgs::entity_ref::By;
use retake_msgs::{EntityRef, SetComponent};

use super::{Applied, CommandError, check, consequences, find};
use crate::preparation::Preparer;

/// Most fields that one command changes.
const MOST_CHANGES: usize = 256;

pub(super) fn apply(
    ecm: &mut Ecm,
    command: &SetComponent,
    preparer: &Preparer,
) -> Result<Applied, CommandError> {
    let named = find(ecm, command.entity.as_ref(), "set_component.entity")?;
    let is_name = matches!(command.entity, Some(EntityRef { by: Some(By::Name(_)) }));
    let entity = match is_name {
        true => namesake_with(ecm, named, &command.component).unwrap_or(named),
        false => named,
    };
    let component = editable(ecm, entity, &command.component)?;
    let count = command.change.len();
    if count == 0 {
        return Err(CommandError::Missing { field: "set_component.change" });
    }
    if count > MOST_CHANGES {
        let expected = format!("at most {MOST_CHANGES} at once");
        let (field, value) = ("set_component.change", count as f64);
        return Err(CommandError::BadNumber { field, value, expected });
    }
    let before = ecm.clone();
    let fields = set_fields(ecm, entity, component, command)?;
    find_files(&before, ecm, entity, preparer)?;
    let mut touched = consequences::follow(&before, ecm, entity, component.name)?;
    touched.push(entity);
    check(&before, ecm, &touched, preparer)?;
    let description = describe(&before, ecm, entity, component, &fields);
    Ok(Applied { description, entities: vec![entity] })
}

/// Finds which of the things that share a path is meant: a collision and a visual of one link may
/// have one name, and each has components that the other has not.
fn namesake_with(ecm: &Ecm, entity: EntityId, component: &str) -> Option<EntityId> {
    let component = fields::editable_component(component)?;
    let name = ecm.get::<EntityName>(entity)?;
    let holder = ecm.get::<Parent>(entity)?.0;
    let fits = |other: &EntityId| {
        let has_it = ecm.get::<Kind>(*other).is_some_and(|kind| component.belongs_to(*kind));
        has_it && ecm.get::<EntityName>(*other) == Some(name)
    };
    std::iter::once(entity).chain(ecm.children(holder).iter().copied()).find(fits)
}

/// Finds a component that people can edit of this entity.
fn editable(
    ecm: &Ecm,
    entity: EntityId,
    name: &str,
) -> Result<&'static EditableComponent, CommandError> {
    let kind = ecm.get::<Kind>(entity).copied();
    let belongs =
        |component: &EditableComponent| kind.is_some_and(|kind| component.belongs_to(kind));
    let found = fields::editable_component(name).filter(|component| belongs(component));
    found.ok_or_else(|| {
        let known = fields::editable_components().iter().filter(|c| belongs(c));
        CommandError::NoComponent {
            component: name.chars().take(80).collect(),
            kind: kind.map_or_else(|| "nameless thing".to_owned(), |kind| kind.to_string()),
            known: known.map(|component| component.name).collect(),
        }
    })
}

fn set_fields(
    ecm: &mut Ecm,
    entity: EntityId,
    component: &'static EditableComponent,
    command: &SetComponent,
) -> Result<Vec<&'static Field>, CommandError> {
    let present = ecm.value_of(entity, component.name);
    let present = present.or_else(|| fields::default_component(component.name));
    let missing = || CommandError::NoComponent {
        component: component.name.to_owned(),
        kind: "thing that lacks it".to_owned(),
        known: Vec::new(),
    };
    let mut tree = present.ok_or_else(missing)?;
    let mut changed = Vec::new();
    for change in &command.change {
        let set = fields::set_field(component, &mut tree, change);
        changed.push(set.map_err(|cause| {
            let entity = path_of(ecm, entity);
            CommandError::Field { entity, cause }
        })?);
    }
    let set = ecm.set_value(entity, component.name, &tree);
    set.map_err(|error| CommandError::Unfit { reason: error.to_string() })?;
    Ok(changed)
}

/// Finds the files that a shape or material names now.
fn find_files(
    before: &Ecm,
    ecm: &mut Ecm,
    entity: EntityId,
    preparer: &Preparer,
) -> Result<(), CommandError> {
    if before.get::<Shape>(entity) != ecm.get::<Shape>(entity)
        && let Some(Shape(Geometry::Mesh { uri, path, .. } | Geometry::Heightmap { uri, path, .. })) =
            ecm.get_mut::<Shape>(entity)
        && !names_same_file(before, entity, uri)
    {
        *path = if uri.is_empty() { Default::default() } else { preparer.find_file(uri)? };
    }
    if before.get::<VisualMaterial>(entity) != ecm.get::<VisualMaterial>(entity)
        && let Some(material) = ecm.get_mut::<VisualMaterial>(entity)
        && let Some(pbr) = &mut material.0.pbr
    {
        let old = before.get::<VisualMaterial>(entity).and_then(|old| old.0.pbr.as_ref());
        if old.and_then(|old| old.albedo_map.as_ref()) != pbr.albedo_map.as_ref() {
            pbr.albedo_path =
                pbr.albedo_map.as_ref().map(|uri| preparer.find_file(uri)).transpose()?;
        }
    }
    Ok(())
}

/// Says whether a shape named this file before: then it was found already, or told missing.
fn names_same_file(before: &Ecm, entity: EntityId, uri: &str) -> bool {
    match before.get::<Shape>(entity) {
        Some(Shape(Geometry::Mesh { uri: old, .. } | Geometry::Heightmap { uri: old, .. })) => {
            old == uri
        }
        _ => false,
    }
}

fn describe(
    before: &Ecm,
    ecm: &Ecm,
    entity: EntityId,
    component: &EditableComponent,
    fields: &[&Field],
) -> String {
    let path = path_of(ecm, entity);
    match (component.name, fields) {
        (EntityName::NAME, _) => {
            let name = ecm.get::<EntityName>(entity).map(|name| name.0.as_str());
            format!("Rename {} to {}", path_of(before, entity), name.unwrap_or_default())
        }
        (Parent::NAME, _) => {
            let holder = ecm.get::<Parent>(entity).map(|parent| path_of(ecm, parent.0));
            format!("Put {} into {}", path_of(before, entity), holder.unwrap_or_default())
        }
        (LocalPose::NAME, _) => format!("Set pose of {path}"),
        (_, [field]) => format!("Set {} of {path}", in_sentence(field.label)),
        (_, fields) => format!("Set {} fields of {path}", fields.len()),
    }
}

/// A label as it stands inside of a sentence.
fn in_sentence(label: &str) -> String {
    let mut letters = label.chars();
    match letters.next() {
        Some(first) => first.to_lowercase().chain(letters).collect(),
        None => String::new(),
    }
}
