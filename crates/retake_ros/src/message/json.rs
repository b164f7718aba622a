//! Messages as rosbridge has them: JSON, with the names of times that each ROS has.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value, json};

use super::definition::{Count, Field, Kind, Primitive};
use super::error::MessageError;
use super::fields::{
    Spot, default_of, elements, float, member, seconds, signed, text, truth, unsigned,
};
use super::library::{Flavour, Library};

/// Which way a message goes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Outward,
    Inward,
}

pub(super) fn outward(
    library: &Library,
    type_name: &str,
    value: &Value,
) -> Result<Value, MessageError> {
    Shaper { library, way: Way::Outward }.message(type_name, value, &Spot::root(type_name))
}

pub(super) fn inward(
    library: &Library,
    type_name: &str,
    value: &Value,
) -> Result<Value, MessageError> {
    Shaper { library, way: Way::Inward }.message(type_name, value, &Spot::root(type_name))
}

struct Shaper<'a> {
    library: &'a Library,
    way: Way,
}

impl Shaper<'_> {
    fn message(
        &self,
        type_name: &str,
        value: &Value,
        spot: &Spot<'_>,
    ) -> Result<Value, MessageError> {
        let mut made = Map::new();
        for field in &self.library.find(type_name)?.fields {
            let spot = spot.field(&field.name);
            let shaped = match member(value, &field.name, &spot)? {
                Some(value) => self.field(field, value, &spot)?,
                None => self.field(field, &default_of(self.library, field)?, &spot)?,
            };
            made.insert(field.name.clone(), shaped);
        }
        Ok(Value::Object(made))
    }

    fn field(&self, field: &Field, value: &Value, spot: &Spot<'_>) -> Result<Value, MessageError> {
        if field.count == Count::One {
            return self.element(&field.kind, value, spot);
        }
        let are_bytes = field.kind == Kind::Primitive(Primitive::Uint(1));
        if let (true, Value::String(packed)) = (are_bytes, value) {
            let bytes = STANDARD.decode(packed).map_err(|_| spot.wrong("base64", value))?;
            return self.field(field, &json!(bytes), spot);
        }
        let list = elements(field, value, spot)?;
        let shape = |(index, value)| self.element(&field.kind, value, &spot.element(index));
        let shaped: Value = list.iter().enumerate().map(shape).collect::<Result<_, _>>()?;
        if are_bytes && self.way == Way::Outward {
            let all = shaped.as_array().into_iter().flatten();
            let bytes: Vec<u8> = all.filter_map(|byte| u8::try_from(byte.as_u64()?).ok()).collect();
            return Ok(json!(STANDARD.encode(bytes)));
        }
        Ok(shaped)
    }

    fn element(&self, kind: &Kind, value: &Value, spot: &Spot<'_>) -> Result<Value, MessageError> {
        let primitive = match kind {
            Kind::Message(name) => return self.message(name, value, spot),
            Kind::Primitive(primitive) => primitive,
        };
        Ok(match *primitive {
            Primitive::Bool => json!(truth(value, spot)?),
            Primitive::Int(bytes) => json!(signed(bytes, value, spot)?),
            Primitive::Uint(bytes) => json!(unsigned(bytes, value, spot)?),
            Primitive::Float(_) => json!(float(value, spot)?),
            Primitive::Text => json!(text(value, spot)?),
            Primitive::Time | Primitive::Duration => {
                let (sec, nanosec) = seconds(value, spot)?;
                match (self.way, self.library.flavour) {
                    (Way::Outward, Flavour::Ros1) => json!({"secs": sec, "nsecs": nanosec}),
                    _ => json!({"sec": sec, "nanosec": nanosec}),
                }
            }
        })
    }
}
