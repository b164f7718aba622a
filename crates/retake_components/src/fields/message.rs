//! The table as a message, for whoever makes editors.

use retake_description::bounds::Bound;
use retake_msgs::component_field::Type;
use retake_msgs::{ComponentField, ComponentFields};

use super::{EditableComponent, Field, FieldShape, editable_components};
use crate::Kind;

/// Returns everything that can be edited.
pub fn component_fields() -> ComponentFields {
    let rows = |component: &&EditableComponent| {
        let component: &EditableComponent = component;
        component.fields.iter().map(|field| row(component, field)).collect::<Vec<_>>()
    };
    ComponentFields { field: editable_components().iter().flat_map(rows).collect() }
}

fn row(component: &EditableComponent, field: &Field) -> ComponentField {
    let kinds = |kinds: &[Kind]| kinds.iter().map(ToString::to_string).collect::<Vec<_>>();
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
    let (bound, infinite) = match field.shape {
        FieldShape::Number { bound, infinite } => (Some(bound), infinite),
        FieldShape::Integer { bound } | FieldShape::Vector { bound, .. } => (Some(bound), false),
        _ => (None, false),
    };
    ComponentField {
        component: component.name.to_owned(),
        field: field.path.to_owned(),
        label: field.label.to_owned(),
        help: field.help.to_owned(),
        r#type: type_of(&field.shape).into(),
        unit: field.unit.to_owned(),
        min: bound.and_then(|bound: Bound| end(bound.least)),
        max: bound.and_then(|bound: Bound| end(bound.most)),
        infinite,
        choice: match field.shape {
            FieldShape::Choice(choices) | FieldShape::Variant(choices) => words(choices),
            _ => Vec::new(),
        },
        optional: field.optional,
        entity_kind: match field.shape {
            FieldShape::Entity(allowed) => kinds(allowed).join("|"),
            _ => String::new(),
        },
        kind: kinds(component.kinds),
    }
}

/// The end of a range, unless there is none.
fn end(value: f64) -> Option<f64> {
    (value.abs() < f64::MAX).then_some(value)
}

fn type_of(shape: &FieldShape) -> Type {
    match shape {
        FieldShape::Number { .. } => Type::Number,
        FieldShape::Integer { .. } => Type::Integer,
        FieldShape::Flag | FieldShape::Part => Type::Flag,
        FieldShape::Text { .. } | FieldShape::File | FieldShape::Xml => Type::Text,
        FieldShape::Choice(_) | FieldShape::Variant(_) => Type::Choice,
        FieldShape::Vector { .. } => Type::Vector,
        FieldShape::Pose => Type::Pose,
        FieldShape::Color => Type::Color,
        FieldShape::Entity(_) => Type::Entity,
    }
}
