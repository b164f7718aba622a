//! What both ends of a connection compare: MD5 sums of ROS 1, type hashes of ROS 2.

use std::collections::BTreeMap;
use std::fmt::Write;

use md5::Md5;
use serde_json::json;
use sha2::{Digest, Sha256};

use super::definition::{Count, Definition, Field, Kind, Primitive};
use super::error::MessageError;
use super::library::Library;

/// Returns the MD5 sum by which ROS 1 knows a message type.
///
/// # Errors
/// [`MessageError::UnknownType`].
pub fn md5_sum(library: &Library, type_name: &str) -> Result<String, MessageError> {
    Ok(hex(&Md5::digest(md5_text(library, library.find(type_name)?)?)))
}

/// Returns the MD5 sum by which ROS 1 knows a service type.
///
/// # Errors
/// [`MessageError::UnknownType`].
pub fn service_md5_sum(library: &Library, type_name: &str) -> Result<String, MessageError> {
    let names = library.service(type_name);
    let request = md5_text(library, library.find(&names.request)?)?;
    let response = md5_text(library, library.find(&names.response)?)?;
    Ok(hex(&Md5::digest(request + &response)))
}

/// The text that is summed: constants, then fields, messages by their own sum.
fn md5_text(library: &Library, definition: &Definition) -> Result<String, MessageError> {
    let mut lines = Vec::new();
    for (kind, name, value) in &definition.constants {
        lines.push(format!("{kind} {name}={value}"));
    }
    for field in &definition.fields {
        let kind = match &field.kind {
            Kind::Primitive(primitive) => {
                format!("{}{}", primitive.ros1_name(), field.count.suffix())
            }
            Kind::Message(name) => md5_sum(library, name)?,
        };
        lines.push(format!("{kind} {}", field.name));
    }
    Ok(lines.join("\n"))
}

/// Returns the hash by which ROS 2 knows a type, `RIHS01_…`.
///
/// # Errors
/// [`MessageError::UnknownType`].
pub fn type_hash(library: &Library, type_name: &str) -> Result<String, MessageError> {
    let mut others = BTreeMap::new();
    let own = describe(library, type_name, &mut others)?;
    let others: Vec<String> = others.into_values().flatten().collect();
    let text = format!(
        "{{\"type_description\": {own}, \"referenced_type_descriptions\": [{}]}}",
        others.join(", ")
    );
    Ok(format!("RIHS01_{}", hex(&Sha256::digest(text))))
}

/// Describes a type, and adds those it refers to.
fn describe(
    library: &Library,
    type_name: &str,
    others: &mut BTreeMap<String, Option<String>>,
) -> Result<String, MessageError> {
    let mut fields = library.find(type_name)?.fields.clone();
    if fields.is_empty() {
        fields.push(Field {
            name: "structure_needs_at_least_one_member".to_owned(),
            kind: Kind::Primitive(Primitive::Uint(1)),
            count: Count::One,
        });
    }
    let mut described = Vec::new();
    for field in &fields {
        let nested = match &field.kind {
            Kind::Message(name) => Some(library.full_name(name)),
            Kind::Primitive(Primitive::Time) => Some("builtin_interfaces/msg/Time".to_owned()),
            Kind::Primitive(Primitive::Duration) => {
                Some("builtin_interfaces/msg/Duration".to_owned())
            }
            Kind::Primitive(_) => None,
        };
        if let Some(nested) = &nested
            && !others.contains_key(nested)
        {
            // Marked first, so that it is described once.
            others.insert(nested.clone(), None);
            let text = describe(library, nested, others)?;
            others.insert(nested.clone(), Some(text));
        }
        let (array, capacity) = match field.count {
            Count::One => (0, 0),
            Count::Exactly(many) => (48, many),
            Count::Any => (144, 0),
        };
        described.push(format!(
            "{{\"name\": {}, \"type\": {{\"type_id\": {}, \"capacity\": {capacity}, \
             \"string_capacity\": 0, \"nested_type_name\": {}}}}}",
            json!(field.name),
            type_id(&field.kind) + array,
            json!(nested.unwrap_or_default()),
        ));
    }
    Ok(format!(
        "{{\"type_name\": {}, \"fields\": [{}]}}",
        json!(library.full_name(type_name)),
        described.join(", ")
    ))
}

/// Numbers of `type_description_interfaces/FieldType`.
fn type_id(kind: &Kind) -> u32 {
    let Kind::Primitive(primitive) = kind else { return 1 };
    match primitive {
        Primitive::Int(1) => 2,
        Primitive::Uint(1) => 3,
        Primitive::Int(2) => 4,
        Primitive::Uint(2) => 5,
        Primitive::Int(4) => 6,
        Primitive::Uint(4) => 7,
        Primitive::Int(_) => 8,
        Primitive::Uint(_) => 9,
        Primitive::Float(4) => 10,
        Primitive::Float(_) => 11,
        Primitive::Bool => 15,
        Primitive::Text => 17,
        Primitive::Time | Primitive::Duration => 1,
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a string does not fail.
        write!(text, "{byte:02x}").ok();
        text
    })
}
