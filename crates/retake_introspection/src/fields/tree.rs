//! What numbers a message has, as a tree.

use std::borrow::Cow;

use prost_reflect::{
    DynamicMessage, FieldDescriptor, Kind, MessageDescriptor, ReflectMessage, Value,
};

use super::path::{FieldPath, Select};
use super::walk::is_number;

/// Something inside a message: a number, or what holds some.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldNode {
    /// As it is shown.
    pub label: String,
    /// Path from the message.
    pub path: String,
    /// Name of an array's element, or type of a field.
    pub detail: String,
    /// Paths of the numbers that it stands for: itself, or the parts of a vector.
    pub numbers: Vec<String>,
    /// Whether there is more below it.
    pub expandable: bool,
}

/// What is below a node.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FieldNodes {
    /// The nodes.
    pub nodes: Vec<FieldNode>,
    /// How many elements more there were.
    pub left_out: usize,
}

/// Elements of an array that are listed.
const MAX_ELEMENTS: usize = 1000;
/// Numbers that are taken together as one vector.
const MAX_PARTS: usize = 4;

/// Lists what is below `path` in messages of a type; an empty path is the message itself.
///
/// How many elements arrays have, and what those are called, is taken from `sample`: without one,
/// arrays are empty.
pub fn children(descriptor: &MessageDescriptor, sample: Option<&[u8]>, path: &str) -> FieldNodes {
    let decoded = sample.and_then(|bytes| DynamicMessage::decode(descriptor.clone(), bytes).ok());
    let Some(found) = Place::find(descriptor, decoded.as_ref(), path) else {
        return FieldNodes::default();
    };
    match found {
        Place::Message(message, value) => fields_of(&message, value.as_deref(), path),
        Place::List(field, elements) => elements_of(&field, &elements, path),
    }
}

/// Where a path leads.
enum Place<'a> {
    Message(MessageDescriptor, Option<Cow<'a, DynamicMessage>>),
    List(FieldDescriptor, Vec<Value>),
}

impl<'a> Place<'a> {
    fn find(
        descriptor: &MessageDescriptor,
        decoded: Option<&'a DynamicMessage>,
        path: &str,
    ) -> Option<Self> {
        let mut message = descriptor.clone();
        let mut value = decoded.map(Cow::Borrowed);
        if path.is_empty() {
            return Some(Self::Message(message, value));
        }
        let steps = FieldPath::parse(path).ok()?.steps;
        let last = steps.len() - 1;
        for (at, step) in steps.iter().enumerate() {
            let field = message.get_field_by_name(&step.field)?;
            let here = value.as_ref().map(|value| value.get_field(&field).into_owned());
            let inner = match (&step.select, here) {
                (Select::Only, here) if field.is_list() => {
                    let elements = match here {
                        Some(Value::List(elements)) => elements,
                        _ => Vec::new(),
                    };
                    return (at == last).then_some(Self::List(field, elements));
                }
                (Select::Only, here) => here,
                (Select::Index(index), Some(Value::List(list))) => list.get(*index).cloned(),
                (Select::Key { field, text }, Some(Value::List(list))) => {
                    list.into_iter().find(|element| text_of(element, field) == Some(text))
                }
                _ => None,
            };
            let Kind::Message(next) = field.kind() else { return None };
            message = next;
            value = match inner {
                Some(Value::Message(inner)) => Some(Cow::Owned(inner)),
                _ => None,
            };
        }
        Some(Self::Message(message, value))
    }
}

fn fields_of(
    message: &MessageDescriptor,
    value: Option<&DynamicMessage>,
    path: &str,
) -> FieldNodes {
    let nodes = message.fields().filter_map(|field| {
        let path = joined(path, field.name());
        if field.is_map() || !(is_number(&field.kind()) || holds_numbers(&field.kind(), 0)) {
            return None;
        }
        if field.is_list() {
            let count = value.and_then(|value| value.get_field(&field).as_list().map(<[_]>::len));
            let detail = count.map_or_else(String::new, |count| format!("{count} elements"));
            let label = format!("{}[]", field.name());
            return Some(FieldNode { label, path, detail, numbers: Vec::new(), expandable: true });
        }
        Some(node(field.name().to_owned(), path, &field.kind(), String::new()))
    });
    FieldNodes { nodes: nodes.collect(), left_out: 0 }
}

fn elements_of(field: &FieldDescriptor, elements: &[Value], path: &str) -> FieldNodes {
    let listed = elements.iter().take(MAX_ELEMENTS).enumerate().map(|(index, element)| {
        let name = element_name(element).unwrap_or_default();
        node(format!("[{index}]"), format!("{path}[{index}]"), &field.kind(), name)
    });
    let left_out = elements.len().saturating_sub(MAX_ELEMENTS);
    FieldNodes { nodes: listed.collect(), left_out }
}

fn node(label: String, path: String, kind: &Kind, detail: String) -> FieldNode {
    let (numbers, expandable) = match kind {
        Kind::Message(inner) => (parts_of(inner, &path), true),
        _ => (vec![path.clone()], false),
    };
    let detail = match (detail.is_empty(), kind) {
        (true, Kind::Message(inner)) => inner.name().to_owned(),
        (true, Kind::Enum(values)) => values.name().to_owned(),
        _ => detail,
    };
    FieldNode { label, path, detail, numbers, expandable }
}

/// A message of a few numbers and nothing else is taken as one vector.
fn parts_of(message: &MessageDescriptor, path: &str) -> Vec<String> {
    let count = message.fields().count();
    let plain = message.fields().all(|field| !field.is_list() && is_number(&field.kind()));
    match plain && (1..=MAX_PARTS).contains(&count) {
        true => message.fields().map(|field| joined(path, field.name())).collect(),
        false => Vec::new(),
    }
}

/// Says whether there are numbers inside; types may hold themselves, hence the bound.
fn holds_numbers(kind: &Kind, depth: usize) -> bool {
    const DEEPEST: usize = 8;
    let Kind::Message(message) = kind else { return is_number(kind) };
    depth < DEEPEST && message.fields().any(|field| holds_numbers(&field.kind(), depth + 1))
}

fn element_name(element: &Value) -> Option<String> {
    ["name", "id", "label", "title"].iter().find_map(|field| text_of(element, field)).cloned()
}

fn text_of<'a>(element: &'a Value, field: &str) -> Option<&'a String> {
    let message = element.as_message()?;
    let field = message.descriptor().get_field_by_name(field)?;
    let found = message.fields().find(|(known, _)| *known == field);
    match found {
        Some((_, Value::String(text))) if !text.is_empty() => Some(text),
        _ => None,
    }
}

fn joined(path: &str, field: &str) -> String {
    match path.is_empty() {
        true => field.to_owned(),
        false => format!("{path}.{field}"),
    }
}
