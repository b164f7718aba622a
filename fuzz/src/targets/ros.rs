//! Messages of ROS: definitions, JSON, CDR and the bytes of ROS 1.

use fastrand::Rng;
use retake_ros::{Count, Definition, Flavour, Kind, Library, MessageError, Primitive, library};
use serde_json::{Value, json};

use super::{Verdict, ensure, seen, text};

/// The samples of a flavour: each starts with the number of its type.
fn all(
    flavour: Flavour,
    encode: impl Fn(&Library, &str, &Value) -> Option<Vec<u8>>,
) -> Vec<Vec<u8>> {
    let library = library(flavour);
    let mut rng = Rng::with_seed(1);
    let each = library.names().enumerate().filter_map(|(number, name)| {
        let bytes = encode(library, name, &message(library, name, &mut rng))?;
        let number = u16::try_from(number).ok()?;
        Some([number.to_le_bytes().to_vec(), bytes].concat())
    });
    each.collect()
}

/// Takes an input apart into a type and its bytes.
fn typed(flavour: Flavour, input: &[u8]) -> Option<(&'static Library, String, &[u8])> {
    let library = library(flavour);
    let (number, rest) = input.split_first_chunk::<2>()?;
    let names: Vec<&str> = library.names().collect();
    let name = names[usize::from(u16::from_le_bytes(*number)) % names.len()];
    Some((library, name.to_owned(), rest))
}

fn message(library: &Library, name: &str, rng: &mut Rng) -> Value {
    let Ok(definition) = library.find(name) else { return Value::Null };
    let fields = definition.fields.iter().map(|field| {
        let many = match field.count {
            Count::One => return (field.name.clone(), element(library, &field.kind, rng)),
            Count::Any => rng.usize(..3),
            Count::Exactly(many) => many,
        };
        let all = (0..many).map(|_| element(library, &field.kind, rng)).collect();
        (field.name.clone(), Value::Array(all))
    });
    Value::Object(fields.collect())
}

fn element(library: &Library, kind: &Kind, rng: &mut Rng) -> Value {
    match kind {
        Kind::Message(name) => message(library, name, rng),
        Kind::Primitive(Primitive::Bool) => json!(rng.bool()),
        Kind::Primitive(Primitive::Int(_) | Primitive::Uint(_)) => json!(rng.u8(..128)),
        Kind::Primitive(Primitive::Float(_)) => json!(f64::from(rng.i16(..)) / 8.0),
        Kind::Primitive(Primitive::Text) => json!("joint"),
        Kind::Primitive(Primitive::Time | Primitive::Duration) => {
            json!({"sec": rng.u16(..), "nanosec": rng.u16(..)})
        }
    }
}

pub(super) fn definition_samples() -> Vec<Vec<u8>> {
    library(Flavour::Ros2).texts().map(|(_, text)| text.as_bytes().to_vec()).collect()
}

pub(super) fn json_samples() -> Vec<Vec<u8>> {
    all(Flavour::Ros2, |library, name, value| {
        library.to_json(name, value).ok().map(|value| value.to_string().into_bytes())
    })
}

pub(super) fn cdr_samples() -> Vec<Vec<u8>> {
    all(Flavour::Ros2, |library, name, value| library.to_cdr(name, value).ok())
}

pub(super) fn ros1_samples() -> Vec<Vec<u8>> {
    all(Flavour::Ros1, |library, name, value| library.to_ros1(name, value).ok())
}

pub(super) fn read_definition(input: &[u8]) -> Verdict {
    let read = Definition::read("pkg", &text(input));
    if let Err(reason) = &read {
        ensure(!reason.is_empty(), || "refused without a word".to_owned())?;
    }
    Ok(seen(read.is_ok()))
}

pub(super) fn read_json(input: &[u8]) -> Verdict {
    let Some((library, name, bytes)) = typed(Flavour::Ros2, input) else { return Ok(seen(false)) };
    let Ok(value) = serde_json::from_slice::<Value>(bytes) else { return Ok(seen(false)) };
    let inner = match library.from_json(&name, &value) {
        Ok(inner) => inner,
        Err(error) => return refused(&error),
    };
    // What was taken has the shape of its type, so that every encoding can carry it.
    library.to_cdr(&name, &inner).map_err(|error| format!("{name} {value} was taken: {error}"))?;
    Ok(seen(true))
}

pub(super) fn read_cdr(input: &[u8]) -> Verdict {
    let Some((library, name, bytes)) = typed(Flavour::Ros2, input) else { return Ok(seen(false)) };
    let value = match library.from_cdr(&name, bytes) {
        Ok(value) => value,
        Err(error) => return refused(&error),
    };
    let again = library.to_cdr(&name, &value);
    let again = again.and_then(|bytes| library.from_cdr(&name, &bytes));
    same(&name, &value, again)
}

pub(super) fn read_ros1(input: &[u8]) -> Verdict {
    let Some((library, name, bytes)) = typed(Flavour::Ros1, input) else { return Ok(seen(false)) };
    let value = match library.from_ros1(&name, bytes) {
        Ok(value) => value,
        Err(error) => return refused(&error),
    };
    let again = library.to_ros1(&name, &value);
    let again = again.and_then(|bytes| library.from_ros1(&name, &bytes));
    same(&name, &value, again)
}

fn same(name: &str, value: &Value, again: Result<Value, MessageError>) -> Verdict {
    let same = again.as_ref().is_ok_and(|again| again == value);
    ensure(same, || format!("{name} {value} read back as {again:?}"))?;
    Ok(seen(true))
}

fn refused(error: &MessageError) -> Verdict {
    ensure(!error.to_string().is_empty(), || "refused without a word".to_owned())?;
    Ok(seen(false))
}
