//! A type as text, with all that it is made of, as connections and files tell it.

use std::collections::BTreeSet;

use super::definition::{Definition, Kind, Primitive};
use super::library::{Flavour, Library};

/// Line between two types.
const LINE: usize = 80;

/// Writes a type and all types that it is made of; empty when it is not known.
pub fn schema_text(library: &Library, type_name: &str) -> String {
    let mut parts = Vec::new();
    let (mut waiting, mut seen) = (vec![type_name.to_owned()], BTreeSet::new());
    while let Some(name) = waiting.pop() {
        let Ok(definition) = library.find(&name) else { continue };
        if !seen.insert(name.clone()) {
            continue;
        }
        let text = fields_text(library, definition, &mut waiting);
        parts.push(match parts.is_empty() {
            true => text,
            false => format!("MSG: {name}\n{text}"),
        });
    }
    parts.join(&format!("\n{}\n", "=".repeat(LINE)))
}

fn fields_text(library: &Library, definition: &Definition, waiting: &mut Vec<String>) -> String {
    let constants = definition.constants.iter();
    let mut lines: Vec<String> =
        constants.map(|(kind, name, value)| format!("{kind} {name}={value}")).collect();
    for field in &definition.fields {
        let nested = match (&field.kind, library.flavour) {
            (Kind::Message(name), _) => Some(name.clone()),
            (Kind::Primitive(Primitive::Time), Flavour::Ros2) => {
                Some("builtin_interfaces/Time".to_owned())
            }
            (Kind::Primitive(Primitive::Duration), Flavour::Ros2) => {
                Some("builtin_interfaces/Duration".to_owned())
            }
            (Kind::Primitive(_), _) => None,
        };
        let kind = match (&nested, &field.kind) {
            (Some(name), _) => name.clone(),
            (None, Kind::Primitive(primitive)) => primitive.ros1_name().to_owned(),
            (None, Kind::Message(name)) => name.clone(),
        };
        waiting.extend(nested);
        lines.push(format!("{kind}{} {}", field.count.suffix(), field.name));
    }
    lines.join("\n")
}
