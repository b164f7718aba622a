//! `retake entity fields` and `retake entity set`

use anyhow::{Context, bail};
use retake_components::fields::{
    EditableComponent, Field, FieldShape, editable_component, editable_components, fields_of,
    text_of, value_from_words,
};
use retake_components::{Kind, path_of, resolve};
use retake_ecm::{Ecm, EntityId};
use retake_msgs::{FieldChange, SetComponent, user_cmd};
use serde_json::{Value, json};

use super::entity::reference;
use super::print_reply;
use crate::link::Link;
use crate::output::{Printer, write_table};
use crate::replica;

/// Changes one field.
pub(super) fn set(
    entity: &str,
    field: &str,
    words: &[String],
    link: &mut dyn Link,
    printer: &mut Printer<'_>,
) -> anyhow::Result<()> {
    let (component, path) = field.split_once('.').unwrap_or((field, ""));
    let component = known(component)?;
    let Some(field) = component.field(path) else {
        let known: Vec<&str> = component.fields.iter().map(|field| field.path).collect();
        bail!("{} has no field {path:?}. Known: {}", component.name, known.join(", "));
    };
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let mut ecm = None;
    let mut find = |name: &str| match id_of(name, &mut ecm, link) {
        Ok(id) => Ok(id),
        Err(error) => Err(format!("{error:#}")),
    };
    let value = value_from_words(field, &words, &mut find)?;
    let command = user_cmd::Command::SetComponent(SetComponent {
        entity: Some(reference(entity)),
        component: component.name.to_owned(),
        change: vec![FieldChange { field: path.to_owned(), value: Some(value) }],
    });
    print_reply(&link.command(command)?, printer)
}

fn id_of(name: &str, ecm: &mut Option<Ecm>, link: &mut dyn Link) -> anyhow::Result<EntityId> {
    if ecm.is_none() {
        *ecm = Some(replica::fetch(link)?.0);
    }
    Ok(resolve(ecm.as_ref().context("the state was just fetched")?, name)?)
}

fn known(component: &str) -> anyhow::Result<&'static EditableComponent> {
    editable_component(component).with_context(|| {
        let known: Vec<&str> = editable_components().iter().map(|known| known.name).collect();
        format!("No component named {component:?} can be edited. Known: {}", known.join(", "))
    })
}

/// Lists what can be edited.
pub(super) fn list(
    what: Option<&str>,
    link: &mut dyn Link,
    printer: &mut Printer<'_>,
) -> anyhow::Result<()> {
    match what {
        None => list_table(editable_components(), printer),
        Some(name) => match editable_component(name) {
            Some(component) => list_table(&[component], printer),
            None => list_entity(name, link, printer),
        },
    }
}

fn list_table(
    components: &[&'static EditableComponent],
    printer: &mut Printer<'_>,
) -> anyhow::Result<()> {
    let each = || {
        let rows = |component: &&'static EditableComponent| {
            let component = *component;
            component.fields.iter().map(move |field| (component, field))
        };
        components.iter().flat_map(rows)
    };
    let value: Vec<Value> = each().map(|(component, field)| field_json(component, field)).collect();
    printer.print(&value, |out| {
        let mut rows =
            vec![["field", "takes", "unit", "of", "meaning"].map(str::to_owned).to_vec()];
        rows.extend(each().map(|(component, field)| {
            vec![
                named(component.name, field.path),
                takes(field),
                field.unit.to_owned(),
                kinds(component.kinds),
                field.help.to_owned(),
            ]
        }));
        write_table(out, &rows)
    })
}

fn list_entity(name: &str, link: &mut dyn Link, printer: &mut Printer<'_>) -> anyhow::Result<()> {
    let (ecm, _) = replica::fetch(link)?;
    let entity = resolve(&ecm, name)?;
    let kind = ecm.get::<Kind>(entity).copied();
    let components =
        editable_components().iter().filter(|c| kind.is_some_and(|kind| c.belongs_to(kind)));
    let mut found = Vec::new();
    for component in components {
        let fields = fields_of(&ecm, entity, component.name);
        found.extend(fields.into_iter().map(|field| (*component, field)));
    }
    let text = |at: &retake_components::fields::FieldAt| {
        text_of(at.field, &at.value, &|entity| path_of(&ecm, entity))
    };
    let value: Vec<Value> = found
        .iter()
        .map(|(component, at)| {
            let mut row = field_json(component, at.field);
            row["field"] = named(component.name, &at.path).into();
            row["value"] = text(at).into();
            row
        })
        .collect();
    printer.print(&value, |out| {
        let mut rows = vec![["field", "value", "unit", "takes"].map(str::to_owned).to_vec()];
        rows.extend(found.iter().map(|(component, at)| {
            let unit = at.field.unit.to_owned();
            vec![named(component.name, &at.path), text(at), unit, takes(at.field)]
        }));
        write_table(out, &rows)
    })
}

fn field_json(component: &EditableComponent, field: &Field) -> Value {
    json!({
        "field": named(component.name, field.path),
        "label": field.label,
        "takes": takes(field),
        "unit": field.unit,
        "optional": field.optional,
        "kinds": component.kinds.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "help": field.help,
    })
}

fn named(component: &str, path: &str) -> String {
    if path.is_empty() { component.to_owned() } else { format!("{component}.{path}") }
}

fn kinds(kinds: &[Kind]) -> String {
    kinds.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// Says in a few words what a field takes.
fn takes(field: &Field) -> String {
    let base = match field.shape {
        FieldShape::Number { bound, infinite: true } => format!("{} or inf", bound.words),
        FieldShape::Number { bound, .. } => bound.words.to_owned(),
        FieldShape::Integer { bound } => format!("whole number, {}", bound.words),
        FieldShape::Flag | FieldShape::Part => "true or false".to_owned(),
        FieldShape::Text { .. } => "text".to_owned(),
        FieldShape::File => "file".to_owned(),
        FieldShape::Xml => "XML".to_owned(),
        FieldShape::Choice(choices) | FieldShape::Variant(choices) => choices.join("|"),
        FieldShape::Vector { count, .. } => format!("{count} numbers"),
        FieldShape::Pose => "x y z roll pitch yaw".to_owned(),
        FieldShape::Color => "red green blue alpha".to_owned(),
        FieldShape::Entity(allowed) => {
            format!("path of a {}", kinds(allowed).replace(", ", " or "))
        }
    };
    if field.optional { format!("{base}, or none") } else { base }
}
