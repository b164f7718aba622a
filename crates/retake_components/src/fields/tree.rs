//! Values of fields as they stand in the tree of a component, and as messages carry them.

use std::sync::{Arc, LazyLock};

use retake_description::Element;
use retake_ecm::{Component, Ecm, Registry};
use retake_msgs::{FieldValue, Numbers, field_value};
use rmpv::Value;

use super::path::entry;
use super::{Field, FieldShape};

/// Returns the tree that a component is encoded as.
pub(crate) fn tree_of<T: Component>(component: T) -> Value {
    static REGISTRY: LazyLock<Arc<Registry>> = LazyLock::new(|| crate::registry().build());
    let mut ecm = Ecm::new(Arc::clone(&REGISTRY));
    let entity = ecm.create();
    // The entity was just made.
    ecm.set(entity, component).ok();
    ecm.value_of(entity, T::NAME).unwrap_or(Value::Nil)
}

/// Reads a field out of the tree; none when something else stands there.
pub(super) fn read(field: &Field, tree: &Value) -> Option<FieldValue> {
    if tree.is_nil() && field.optional {
        return Some(value(field_value::Value::None(true)));
    }
    Some(value(match field.shape {
        FieldShape::Number { .. } | FieldShape::Integer { .. } => {
            field_value::Value::Number(number(tree)?)
        }
        FieldShape::Flag => field_value::Value::Flag(tree.as_bool()?),
        FieldShape::Part => field_value::Value::Flag(!tree.is_nil()),
        FieldShape::Text { .. } | FieldShape::File | FieldShape::Choice(_) => {
            field_value::Value::Text(tree.as_str()?.to_owned())
        }
        FieldShape::Variant(_) => field_value::Value::Text(variant(tree)?.to_owned()),
        FieldShape::Xml => {
            let elements = tree.as_array()?.iter().map(element).collect::<Option<Vec<_>>>()?;
            field_value::Value::Text(retake_sdf::print_elements(&elements))
        }
        FieldShape::Vector { .. } | FieldShape::Color => {
            field_value::Value::Numbers(Numbers { number: numbers(tree)? })
        }
        FieldShape::Pose => {
            let mut number = numbers(entry(tree, "position")?)?;
            number.extend(numbers(entry(tree, "rotation")?)?);
            field_value::Value::Numbers(Numbers { number })
        }
        FieldShape::Entity(_) => field_value::Value::Entity(tree.as_u64()?),
    }))
}

/// Returns the name of the kind that stands in the tree.
pub(super) fn variant(tree: &Value) -> Option<&str> {
    match tree {
        Value::Map(entries) => entries.first().and_then(|(name, _)| name.as_str()),
        other => other.as_str(),
    }
}

pub(super) fn value(value: field_value::Value) -> FieldValue {
    FieldValue { value: Some(value) }
}

pub(super) fn list(numbers: &[f64]) -> Value {
    Value::Array(numbers.iter().map(|number| Value::F64(*number)).collect())
}

/// Writes a pose of position and quaternion.
pub(super) fn pose(numbers: &[f64]) -> Value {
    let (position, rotation) = numbers.split_at(3.min(numbers.len()));
    Value::Map(vec![("position".into(), list(position)), ("rotation".into(), list(rotation))])
}

/// Writes elements as the tree has them.
pub(super) fn elements(elements: &[Element]) -> Value {
    let pair = |(key, value): &(String, String)| {
        Value::Array(vec![key.as_str().into(), value.as_str().into()])
    };
    let one = |element: &Element| {
        Value::Map(vec![
            ("name".into(), element.name.as_str().into()),
            ("attributes".into(), Value::Array(element.attributes.iter().map(pair).collect())),
            ("text".into(), element.text.as_str().into()),
            ("children".into(), self::elements(&element.children)),
        ])
    };
    Value::Array(elements.iter().map(one).collect())
}

/// Returns the nameless element among others: what stands in the tag around them.
pub(super) fn nameless(tree: &Value) -> Option<Element> {
    let elements = tree.as_array()?.iter().filter_map(element);
    elements.into_iter().find(|element| element.name.is_empty())
}

fn element(tree: &Value) -> Option<Element> {
    let text = |key: &str| Some(entry(tree, key)?.as_str()?.to_owned());
    let attribute = |pair: &Value| {
        let pair = pair.as_array()?;
        Some((pair.first()?.as_str()?.to_owned(), pair.get(1)?.as_str()?.to_owned()))
    };
    Some(Element {
        name: text("name")?,
        attributes: entry(tree, "attributes")?
            .as_array()?
            .iter()
            .map(attribute)
            .collect::<Option<_>>()?,
        text: text("text")?,
        children: entry(tree, "children")?
            .as_array()?
            .iter()
            .map(element)
            .collect::<Option<_>>()?,
    })
}

fn number(tree: &Value) -> Option<f64> {
    match tree {
        // The shortest decimal that means this number, which as a double is another one.
        Value::F32(number) if number.is_finite() => number.to_string().parse().ok(),
        other => other.as_f64(),
    }
}

fn numbers(tree: &Value) -> Option<Vec<f64>> {
    tree.as_array()?.iter().map(number).collect()
}
