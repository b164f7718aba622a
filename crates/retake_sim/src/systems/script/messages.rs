//! Messages of any type as tables, and back.

use prost::Message;
use prost_reflect::{DynamicMessage, FieldDescriptor, Kind, MessageDescriptor, ReflectMessage};
use retake_script::{Key, Value};

/// Deepest nesting of messages that is followed.
const MAX_DEPTH: usize = 12;

/// Finds a message type; without a package it is one of Retake's.
pub(super) fn message_type(name: &str) -> Result<MessageDescriptor, String> {
    let full = match name.contains('.') {
        true => name.to_owned(),
        false => format!("retake.msgs.{name}"),
    };
    retake_msgs::descriptor_pool()
        .get_message_by_name(&full)
        .ok_or_else(|| format!("no message type is called {name:?}; write one as Double"))
}

/// Reads a message as a table.
pub(super) fn read_message(kind: &MessageDescriptor, bytes: &[u8]) -> Result<Value, String> {
    let message = DynamicMessage::decode(kind.clone(), bytes).map_err(|error| error.to_string())?;
    Ok(table_of(&message, 0))
}

fn table_of(message: &DynamicMessage, depth: usize) -> Value {
    let descriptor = message.descriptor();
    let mut table = retake_script::Table::new();
    for field in descriptor.fields() {
        let is_part = matches!(field.kind(), Kind::Message(_)) || field.supports_presence();
        if depth >= MAX_DEPTH || (is_part && !message.has_field(&field)) {
            continue;
        }
        let value = plain(&message.get_field(&field), depth);
        if value != Value::Nil {
            table.insert(Key::Text(field.name().to_owned()), value);
        }
    }
    Value::Table(table)
}

/// Makes a plain value; bytes and maps are left out, because scripts have no such things.
fn plain(value: &prost_reflect::Value, depth: usize) -> Value {
    use prost_reflect::Value as Field;
    match value {
        Field::Bool(value) => Value::Boolean(*value),
        Field::I32(number) | Field::EnumNumber(number) => f64::from(*number).into(),
        Field::I64(number) => (*number as f64).into(),
        Field::U32(number) => f64::from(*number).into(),
        Field::U64(number) => (*number as f64).into(),
        Field::F32(number) => f64::from(*number).into(),
        Field::F64(number) => (*number).into(),
        Field::String(text) => Value::Text(text.clone()),
        Field::Message(message) => table_of(message, depth + 1),
        Field::List(items) => Value::list(items.iter().map(|item| plain(item, depth))),
        Field::Bytes(_) | Field::Map(_) => Value::Nil,
    }
}

/// Makes a message of a table; returns the full name of its type and its bytes.
pub(super) fn message_of(name: &str, value: Option<&Value>) -> Result<(String, Vec<u8>), String> {
    let descriptor = message_type(name)?;
    let message = filled(&descriptor, value.unwrap_or(&Value::Nil))?;
    Ok((descriptor.full_name().to_owned(), message.encode_to_vec()))
}

fn filled(descriptor: &MessageDescriptor, value: &Value) -> Result<DynamicMessage, String> {
    let mut message = DynamicMessage::new(descriptor.clone());
    let fields = match value {
        Value::Nil => return Ok(message),
        Value::Table(fields) => fields,
        other => return Err(format!("a message is a table, not a {}", other.kind())),
    };
    for (key, value) in fields {
        let Key::Text(name) = key else {
            return Err(format!("{} has no field {key}", descriptor.name()));
        };
        let field = descriptor.get_field_by_name(name).ok_or_else(|| {
            let known: Vec<String> = descriptor.fields().map(|f| f.name().to_owned()).collect();
            format!("{} has no field {name:?}. Known: {}", descriptor.name(), known.join(", "))
        })?;
        message.set_field(&field, field_value(&field, value)?);
    }
    Ok(message)
}

fn field_value(field: &FieldDescriptor, value: &Value) -> Result<prost_reflect::Value, String> {
    if field.is_map() {
        return Err(format!("{} is a map, which scripts cannot fill", field.name()));
    }
    match (field.is_list(), value) {
        (false, value) => item(field, value),
        (true, Value::Table(items)) => {
            let items: Result<Vec<_>, _> = items.values().map(|value| item(field, value)).collect();
            items.map(prost_reflect::Value::List)
        }
        (true, other) => Err(format!("{} is a list, not a {}", field.name(), other.kind())),
    }
}

fn item(field: &FieldDescriptor, value: &Value) -> Result<prost_reflect::Value, String> {
    use prost_reflect::Value as Field;
    let kind = field.kind();
    Ok(match (&kind, value) {
        (Kind::Bool, Value::Boolean(value)) => Field::Bool(*value),
        (Kind::Double, Value::Number(number)) => Field::F64(*number),
        (Kind::Float, Value::Number(number)) => Field::F32(*number as f32),
        (Kind::String, Value::Text(text)) => Field::String(text.clone()),
        (Kind::Message(inner), value) => Field::Message(filled(inner, value)?),
        // Numbers beyond the field's range become its least or greatest.
        (Kind::Int32 | Kind::Sint32 | Kind::Sfixed32, Value::Number(n)) => Field::I32(*n as i32),
        (Kind::Int64 | Kind::Sint64 | Kind::Sfixed64, Value::Number(n)) => Field::I64(*n as i64),
        (Kind::Uint32 | Kind::Fixed32, Value::Number(n)) => Field::U32(*n as u32),
        (Kind::Uint64 | Kind::Fixed64, Value::Number(n)) => Field::U64(*n as u64),
        (Kind::Enum(_), Value::Number(n)) => Field::EnumNumber(*n as i32),
        _ => return Err(format!("{} cannot be a {}", field.name(), value.kind())),
    })
}
