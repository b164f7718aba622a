//! Values of fields, checked against what the field takes.

use serde_json::{Value, json};

use super::definition::{Count, Field, Kind, Primitive};
use super::error::MessageError;
use super::library::Library;

/// Where in a message something is; made to text only when something is wrong there.
#[derive(Clone, Copy)]
pub(super) struct Spot<'a> {
    outer: Option<&'a Spot<'a>>,
    name: &'a str,
    index: Option<usize>,
}

impl<'a> Spot<'a> {
    pub(super) fn root(type_name: &'a str) -> Self {
        Self { outer: None, name: type_name, index: None }
    }

    pub(super) fn field(&'a self, name: &'a str) -> Self {
        Self { outer: Some(self), name, index: None }
    }

    pub(super) fn element(&self, index: usize) -> Self {
        Self { index: Some(index), ..*self }
    }

    pub(super) fn text(&self) -> String {
        let own = match self.index {
            Some(index) => format!("{}[{index}]", self.name),
            None => self.name.to_owned(),
        };
        match self.outer {
            Some(outer) if outer.outer.is_some() => format!("{}.{own}", outer.text()),
            _ => own,
        }
    }

    pub(super) fn wrong(&self, expected: impl Into<String>, found: &Value) -> MessageError {
        let found = match found {
            Value::Array(_) => "a list".to_owned(),
            Value::Object(_) => "an object".to_owned(),
            other => {
                let mut text = other.to_string();
                text.truncate(40);
                text
            }
        };
        MessageError::WrongValue { field: self.text(), expected: expected.into(), found }
    }

    pub(super) fn too_short(&self) -> MessageError {
        MessageError::TooShort { field: self.text() }
    }
}

/// Returns a field of a message; none when the value lacks it.
pub(super) fn member<'v>(
    value: &'v Value,
    name: &str,
    spot: &Spot<'_>,
) -> Result<Option<&'v Value>, MessageError> {
    match value {
        Value::Object(members) => Ok(members.get(name)),
        other => Err(spot.wrong("an object", other)),
    }
}

/// Returns the value of a field that is not given.
pub(super) fn default_of(library: &Library, field: &Field) -> Result<Value, MessageError> {
    match field.count {
        Count::Any => Ok(json!([])),
        Count::Exactly(many) => {
            let one = default_element(library, &field.kind)?;
            Ok(Value::Array(vec![one; many]))
        }
        Count::One => default_element(library, &field.kind),
    }
}

fn default_element(library: &Library, kind: &Kind) -> Result<Value, MessageError> {
    Ok(match kind {
        Kind::Primitive(Primitive::Bool) => json!(false),
        Kind::Primitive(Primitive::Text) => json!(""),
        Kind::Primitive(Primitive::Float(_)) => json!(0.0),
        Kind::Primitive(Primitive::Time | Primitive::Duration) => json!({"sec": 0, "nanosec": 0}),
        Kind::Primitive(_) => json!(0),
        Kind::Message(name) => {
            let definition = library.find(name)?;
            let of = |field: &Field| Ok((field.name.clone(), default_of(library, field)?));
            let fields: Result<_, MessageError> = definition.fields.iter().map(of).collect();
            // The unit rotation, as definitions of ROS 2 have it.
            let mut made = Value::Object(fields?);
            if name == "geometry_msgs/Quaternion" {
                made["w"] = json!(1.0);
            }
            made
        }
    })
}

/// Returns the elements of a field's value.
pub(super) fn elements<'v>(
    field: &Field,
    value: &'v Value,
    spot: &Spot<'_>,
) -> Result<&'v [Value], MessageError> {
    let Value::Array(list) = value else { return Err(spot.wrong("a list", value)) };
    match field.count {
        Count::Exactly(many) if list.len() != many => {
            Err(spot.wrong(format!("a list of {many}"), value))
        }
        _ => Ok(list),
    }
}

pub(super) fn signed(bytes: u8, value: &Value, spot: &Spot<'_>) -> Result<i64, MessageError> {
    let bits = u32::from(bytes) * 8;
    let least = i64::MIN >> (64 - bits);
    let most = i64::MAX >> (64 - bits);
    let found =
        whole(value).filter(|number| (i128::from(least)..=i128::from(most)).contains(number));
    found
        .and_then(|number| i64::try_from(number).ok())
        .ok_or_else(|| spot.wrong(format!("a whole number of {bits} bits"), value))
}

pub(super) fn unsigned(bytes: u8, value: &Value, spot: &Spot<'_>) -> Result<u64, MessageError> {
    let bits = u32::from(bytes) * 8;
    let most = u64::MAX >> (64 - bits);
    let found = whole(value).filter(|number| (0..=i128::from(most)).contains(number));
    found
        .and_then(|number| u64::try_from(number).ok())
        .ok_or_else(|| spot.wrong(format!("a whole number of {bits} bits, not negative"), value))
}

/// A whole number, also when it is written with a point: JavaScript does not tell the two apart.
fn whole(value: &Value) -> Option<i128> {
    let Value::Number(number) = value else { return None };
    let integer = number.as_i64().map(i128::from).or_else(|| number.as_u64().map(i128::from));
    let exact = |float: f64| (float.fract() == 0.0 && float.abs() < 9e15).then_some(float as i128);
    integer.or_else(|| number.as_f64().and_then(exact))
}

pub(super) fn float(value: &Value, spot: &Spot<'_>) -> Result<f64, MessageError> {
    match value {
        Value::Null => Ok(f64::NAN),
        Value::Number(number) => Ok(number.as_f64().unwrap_or(f64::NAN)),
        other => Err(spot.wrong("a number", other)),
    }
}

pub(super) fn text<'v>(value: &'v Value, spot: &Spot<'_>) -> Result<&'v str, MessageError> {
    value.as_str().ok_or_else(|| spot.wrong("a text", value))
}

pub(super) fn truth(value: &Value, spot: &Spot<'_>) -> Result<bool, MessageError> {
    match value {
        Value::Bool(truth) => Ok(*truth),
        other => match whole(other) {
            Some(0) => Ok(false),
            Some(1) => Ok(true),
            _ => Err(spot.wrong("true or false", other)),
        },
    }
}

/// Returns seconds and nanoseconds of a time in the names of either ROS.
pub(super) fn seconds(value: &Value, spot: &Spot<'_>) -> Result<(i64, i64), MessageError> {
    let Value::Object(members) = value else {
        return Err(spot.wrong("a time: {sec, nanosec}", value));
    };
    let part = |names: [&str; 2]| -> Result<i64, MessageError> {
        let found = names.iter().find_map(|name| members.get(*name));
        let Some(found) = found else { return Ok(0) };
        let number = whole(found).and_then(|number| i64::try_from(number).ok());
        number.ok_or_else(|| spot.wrong("a time: {sec, nanosec}", found))
    };
    Ok((part(["sec", "secs"])?, part(["nanosec", "nsecs"])?))
}
