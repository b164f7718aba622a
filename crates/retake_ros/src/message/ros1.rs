//! The bytes of ROS 1: little-endian, nothing aligned, lengths of four bytes.

use serde_json::{Value, json};

use super::MAX_ELEMENTS;
use super::definition::{Count, Field, Kind, Primitive};
use super::error::MessageError;
use super::fields::{
    Spot, default_of, elements, float, member, seconds, signed, text, truth, unsigned,
};
use super::library::Library;

pub(super) fn encode(
    library: &Library,
    type_name: &str,
    value: &Value,
) -> Result<Vec<u8>, MessageError> {
    let mut bytes = Vec::new();
    write(library, type_name, value, &Spot::root(type_name), &mut bytes)?;
    Ok(bytes)
}

fn write(
    library: &Library,
    type_name: &str,
    value: &Value,
    spot: &Spot<'_>,
    to: &mut Vec<u8>,
) -> Result<(), MessageError> {
    for field in &library.find(type_name)?.fields {
        let spot = spot.field(&field.name);
        match member(value, &field.name, &spot)? {
            Some(value) => write_field(library, field, value, &spot, to)?,
            None => write_field(library, field, &default_of(library, field)?, &spot, to)?,
        }
    }
    Ok(())
}

fn write_field(
    library: &Library,
    field: &Field,
    value: &Value,
    spot: &Spot<'_>,
    to: &mut Vec<u8>,
) -> Result<(), MessageError> {
    if field.count == Count::One {
        return write_element(library, &field.kind, value, spot, to);
    }
    let list = elements(field, value, spot)?;
    if field.count == Count::Any {
        to.extend(length(list.len()).to_le_bytes());
    }
    for (index, value) in list.iter().enumerate() {
        write_element(library, &field.kind, value, &spot.element(index), to)?;
    }
    Ok(())
}

fn write_element(
    library: &Library,
    kind: &Kind,
    value: &Value,
    spot: &Spot<'_>,
    to: &mut Vec<u8>,
) -> Result<(), MessageError> {
    match kind {
        Kind::Message(name) => return write(library, name, value, spot, to),
        Kind::Primitive(Primitive::Bool) => to.push(u8::from(truth(value, spot)?)),
        Kind::Primitive(Primitive::Int(bytes)) => {
            to.extend(&signed(*bytes, value, spot)?.to_le_bytes()[..usize::from(*bytes)]);
        }
        Kind::Primitive(Primitive::Uint(bytes)) => {
            to.extend(&unsigned(*bytes, value, spot)?.to_le_bytes()[..usize::from(*bytes)]);
        }
        Kind::Primitive(Primitive::Float(4)) => {
            to.extend((float(value, spot)? as f32).to_le_bytes());
        }
        Kind::Primitive(Primitive::Float(_)) => to.extend(float(value, spot)?.to_le_bytes()),
        Kind::Primitive(Primitive::Text) => {
            let text = text(value, spot)?;
            to.extend(length(text.len()).to_le_bytes());
            to.extend(text.as_bytes());
        }
        Kind::Primitive(Primitive::Time | Primitive::Duration) => {
            // A time is unsigned and a duration signed; both are four bytes each.
            let (sec, nanosec) = seconds(value, spot)?;
            to.extend(&sec.to_le_bytes()[..4]);
            to.extend(&nanosec.to_le_bytes()[..4]);
        }
    }
    Ok(())
}

fn length(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

pub(super) fn decode(
    library: &Library,
    type_name: &str,
    bytes: &[u8],
) -> Result<Value, MessageError> {
    let mut reader = Reader { library, rest: bytes };
    let value = reader.message(type_name, &Spot::root(type_name))?;
    match reader.rest.len() {
        0 => Ok(value),
        count => Err(MessageError::TooLong { count }),
    }
}

struct Reader<'a> {
    library: &'a Library,
    rest: &'a [u8],
}

impl Reader<'_> {
    fn take<const N: usize>(&mut self, spot: &Spot<'_>) -> Result<[u8; N], MessageError> {
        let (taken, rest) = self.rest.split_first_chunk::<N>().ok_or_else(|| spot.too_short())?;
        self.rest = rest;
        Ok(*taken)
    }

    fn length(&mut self, spot: &Spot<'_>) -> Result<usize, MessageError> {
        let count = u32::from_le_bytes(self.take(spot)?) as usize;
        // No element is without bytes: what claims more is not believed before memory is taken.
        if count > self.rest.len() || count > MAX_ELEMENTS {
            return Err(spot.too_short());
        }
        Ok(count)
    }

    fn message(&mut self, type_name: &str, spot: &Spot<'_>) -> Result<Value, MessageError> {
        let definition = self.library.find(type_name)?;
        let mut made = serde_json::Map::new();
        for field in &definition.fields {
            let value = self.field(field, &spot.field(&field.name))?;
            made.insert(field.name.clone(), value);
        }
        Ok(Value::Object(made))
    }

    fn field(&mut self, field: &Field, spot: &Spot<'_>) -> Result<Value, MessageError> {
        let count = match field.count {
            Count::One => return self.element(&field.kind, spot),
            Count::Any => self.length(spot)?,
            Count::Exactly(many) => many,
        };
        (0..count).map(|index| self.element(&field.kind, &spot.element(index))).collect()
    }

    fn element(&mut self, kind: &Kind, spot: &Spot<'_>) -> Result<Value, MessageError> {
        Ok(match kind {
            Kind::Message(name) => self.message(name, spot)?,
            Kind::Primitive(Primitive::Bool) => json!(self.take::<1>(spot)?[0] != 0),
            Kind::Primitive(Primitive::Int(1)) => json!(i8::from_le_bytes(self.take(spot)?)),
            Kind::Primitive(Primitive::Int(2)) => json!(i16::from_le_bytes(self.take(spot)?)),
            Kind::Primitive(Primitive::Int(4)) => json!(i32::from_le_bytes(self.take(spot)?)),
            Kind::Primitive(Primitive::Int(_)) => json!(i64::from_le_bytes(self.take(spot)?)),
            Kind::Primitive(Primitive::Uint(1)) => json!(self.take::<1>(spot)?[0]),
            Kind::Primitive(Primitive::Uint(2)) => json!(u16::from_le_bytes(self.take(spot)?)),
            Kind::Primitive(Primitive::Uint(4)) => json!(u32::from_le_bytes(self.take(spot)?)),
            Kind::Primitive(Primitive::Uint(_)) => json!(u64::from_le_bytes(self.take(spot)?)),
            Kind::Primitive(Primitive::Float(4)) => json!(f32::from_le_bytes(self.take(spot)?)),
            Kind::Primitive(Primitive::Float(_)) => json!(f64::from_le_bytes(self.take(spot)?)),
            Kind::Primitive(Primitive::Text) => json!(self.text(spot)?),
            Kind::Primitive(Primitive::Time) => {
                let sec = u32::from_le_bytes(self.take(spot)?);
                json!({"sec": sec, "nanosec": u32::from_le_bytes(self.take(spot)?)})
            }
            Kind::Primitive(Primitive::Duration) => {
                let sec = i32::from_le_bytes(self.take(spot)?);
                json!({"sec": sec, "nanosec": i32::from_le_bytes(self.take(spot)?)})
            }
        })
    }

    fn text(&mut self, spot: &Spot<'_>) -> Result<String, MessageError> {
        let count = u32::from_le_bytes(self.take(spot)?) as usize;
        let (text, rest) = self.rest.split_at_checked(count).ok_or_else(|| spot.too_short())?;
        self.rest = rest;
        let text = String::from_utf8(text.to_vec());
        text.map_err(|_| MessageError::NoText { field: spot.text() })
    }
}
