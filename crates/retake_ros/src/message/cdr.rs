//! The bytes of ROS 2: plain CDR, numbers aligned to their size after a header of four bytes.

use serde_json::{Value, json};

use super::MAX_ELEMENTS;
use super::definition::{Count, Field, Kind, Primitive};
use super::error::MessageError;
use super::fields::{
    Spot, default_of, elements, float, member, seconds, signed, text, truth, unsigned,
};
use super::library::Library;

/// Bytes before the message: little-endian, no options.
const HEADER: [u8; 4] = [0, 1, 0, 0];

pub(super) fn encode(
    library: &Library,
    type_name: &str,
    value: &Value,
) -> Result<Vec<u8>, MessageError> {
    let mut writer = Writer { library, bytes: HEADER.to_vec() };
    writer.message(type_name, value, &Spot::root(type_name))?;
    Ok(writer.bytes)
}

struct Writer<'a> {
    library: &'a Library,
    bytes: Vec<u8>,
}

impl Writer<'_> {
    fn put<const N: usize>(&mut self, number: [u8; N]) {
        let at = (self.bytes.len() - HEADER.len()).next_multiple_of(N);
        self.bytes.resize(at + HEADER.len(), 0);
        self.bytes.extend(number);
    }

    fn length(&mut self, count: usize) {
        self.put(u32::try_from(count).unwrap_or(u32::MAX).to_le_bytes());
    }

    fn message(
        &mut self,
        type_name: &str,
        value: &Value,
        spot: &Spot<'_>,
    ) -> Result<(), MessageError> {
        let library = self.library;
        let definition = library.find(type_name)?;
        if definition.fields.is_empty() {
            // A message without fields has one that says so, because structures need a member.
            self.put([0]);
        }
        for field in &definition.fields {
            let spot = spot.field(&field.name);
            match member(value, &field.name, &spot)? {
                Some(value) => self.field(field, value, &spot)?,
                None => self.field(field, &default_of(library, field)?, &spot)?,
            }
        }
        Ok(())
    }

    fn field(&mut self, field: &Field, value: &Value, spot: &Spot<'_>) -> Result<(), MessageError> {
        if field.count == Count::One {
            return self.element(&field.kind, value, spot);
        }
        let list = elements(field, value, spot)?;
        if field.count == Count::Any {
            self.length(list.len());
        }
        for (index, value) in list.iter().enumerate() {
            self.element(&field.kind, value, &spot.element(index))?;
        }
        Ok(())
    }

    fn element(&mut self, kind: &Kind, value: &Value, spot: &Spot<'_>) -> Result<(), MessageError> {
        let primitive = match kind {
            Kind::Message(name) => return self.message(name, value, spot),
            Kind::Primitive(primitive) => primitive,
        };
        match *primitive {
            Primitive::Bool => self.put([u8::from(truth(value, spot)?)]),
            Primitive::Int(bytes) => self.integer(bytes, signed(bytes, value, spot)?.to_le_bytes()),
            Primitive::Uint(bytes) => {
                self.integer(bytes, unsigned(bytes, value, spot)?.to_le_bytes());
            }
            Primitive::Float(4) => self.put((float(value, spot)? as f32).to_le_bytes()),
            Primitive::Float(_) => self.put(float(value, spot)?.to_le_bytes()),
            Primitive::Text => {
                let text = text(value, spot)?;
                self.length(text.len() + 1);
                self.bytes.extend(text.as_bytes());
                self.bytes.push(0);
            }
            Primitive::Time | Primitive::Duration => {
                let (sec, nanosec) = seconds(value, spot)?;
                self.integer(4, sec.to_le_bytes());
                self.integer(4, nanosec.to_le_bytes());
            }
        }
        Ok(())
    }

    /// Writes the lowest bytes of a number; the check of its range was before.
    fn integer(&mut self, bytes: u8, [a, b, c, d, e, f, g, h]: [u8; 8]) {
        match bytes {
            1 => self.put([a]),
            2 => self.put([a, b]),
            4 => self.put([a, b, c, d]),
            _ => self.put([a, b, c, d, e, f, g, h]),
        }
    }
}

pub(super) fn decode(
    library: &Library,
    type_name: &str,
    bytes: &[u8],
) -> Result<Value, MessageError> {
    let spot = Spot::root(type_name);
    let (header, body) = bytes.split_first_chunk::<4>().ok_or_else(|| spot.too_short())?;
    let order = match header {
        [0, 1, ..] => Order::Little,
        [0, 0, ..] => Order::Big,
        [first, second, ..] => {
            return Err(MessageError::NotPlain { first: *first, second: *second });
        }
    };
    // What is left over is filling up to a multiple of four, which DDS may add.
    Reader { library, order, body, at: 0 }.message(type_name, &spot)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    Little,
    Big,
}

struct Reader<'a> {
    library: &'a Library,
    order: Order,
    body: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    /// Takes an aligned number, as little-endian bytes.
    fn take<const N: usize>(&mut self, spot: &Spot<'_>) -> Result<[u8; N], MessageError> {
        let from = self.at.next_multiple_of(N);
        let rest = self.body.get(from..).and_then(|rest| rest.first_chunk::<N>());
        let mut number = *rest.ok_or_else(|| spot.too_short())?;
        self.at = from + N;
        if self.order == Order::Big {
            number.reverse();
        }
        Ok(number)
    }

    fn length(&mut self, spot: &Spot<'_>) -> Result<usize, MessageError> {
        let count = u32::from_le_bytes(self.take(spot)?) as usize;
        let left = self.body.len().saturating_sub(self.at);
        // No element is without bytes: what claims more is not believed before memory is taken.
        if count > left || count > MAX_ELEMENTS { Err(spot.too_short()) } else { Ok(count) }
    }

    fn message(&mut self, type_name: &str, spot: &Spot<'_>) -> Result<Value, MessageError> {
        let definition = self.library.find(type_name)?;
        let mut made = serde_json::Map::new();
        if definition.fields.is_empty() && self.at < self.body.len() {
            self.take::<1>(spot)?;
        }
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
        let primitive = match kind {
            Kind::Message(name) => return self.message(name, spot),
            Kind::Primitive(primitive) => primitive,
        };
        Ok(match *primitive {
            Primitive::Bool => json!(self.take::<1>(spot)?[0] != 0),
            Primitive::Int(1) => json!(i8::from_le_bytes(self.take(spot)?)),
            Primitive::Int(2) => json!(i16::from_le_bytes(self.take(spot)?)),
            Primitive::Int(4) => json!(i32::from_le_bytes(self.take(spot)?)),
            Primitive::Int(_) => json!(i64::from_le_bytes(self.take(spot)?)),
            Primitive::Uint(1) => json!(self.take::<1>(spot)?[0]),
            Primitive::Uint(2) => json!(u16::from_le_bytes(self.take(spot)?)),
            Primitive::Uint(4) => json!(u32::from_le_bytes(self.take(spot)?)),
            Primitive::Uint(_) => json!(u64::from_le_bytes(self.take(spot)?)),
            Primitive::Float(4) => json!(f32::from_le_bytes(self.take(spot)?)),
            Primitive::Float(_) => json!(f64::from_le_bytes(self.take(spot)?)),
            Primitive::Text => json!(self.text(spot)?),
            Primitive::Time | Primitive::Duration => {
                let sec = i32::from_le_bytes(self.take(spot)?);
                json!({"sec": sec, "nanosec": u32::from_le_bytes(self.take(spot)?)})
            }
        })
    }

    fn text(&mut self, spot: &Spot<'_>) -> Result<String, MessageError> {
        let count = self.length(spot)?;
        let bytes = &self.body[self.at..self.at + count];
        self.at += count;
        // The length counts the zero at the end; some leave both away for an empty text.
        let bytes = bytes.strip_suffix(&[0]).unwrap_or(bytes);
        let text = String::from_utf8(bytes.to_vec());
        text.map_err(|_| MessageError::NoText { field: spot.text() })
    }
}
