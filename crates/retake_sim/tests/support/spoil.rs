//! Messages with one number in them that nobody can mean.

use prost_reflect::{DynamicMessage, Kind, ReflectMessage as _, Value};

/// None, endless, or beyond all reason.
pub const WILD: [f64; 4] = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e308];

/// Puts a number into each numeric field of a message in turn, down to `depth` messages inside;
/// returns each with the path of the field.
pub fn spoiled(message: &DynamicMessage, wild: f64, depth: usize) -> Vec<(String, DynamicMessage)> {
    let mut all = Vec::new();
    for field in message.descriptor().fields().filter(|field| !field.is_map()) {
        let path = match field.is_list() {
            true => format!("{}[0]", field.name()),
            false => field.name().to_owned(),
        };
        let mut with = |path: String, value: Value| {
            let value = if field.is_list() { Value::List(vec![value]) } else { value };
            let mut copy = message.clone();
            copy.set_field(&field, value);
            all.push((path, copy));
        };
        match field.kind() {
            Kind::Double => with(path, Value::F64(wild)),
            Kind::Float => with(path, Value::F32(wild as f32)),
            Kind::Message(inner) if depth > 0 => {
                let old = match &*message.get_field(&field) {
                    Value::List(items) => items.first().cloned(),
                    value => Some(value.clone()),
                };
                let old = match old {
                    Some(Value::Message(old)) => old,
                    _ => DynamicMessage::new(inner),
                };
                for (inside, part) in spoiled(&old, wild, depth - 1) {
                    with(format!("{path}.{inside}"), Value::Message(part));
                }
            }
            _ => {}
        }
    }
    all
}
