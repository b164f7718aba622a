//! Finds a number in an encoded message without decoding it.
//!
//! Absent numbers of proto3 are zero, as their type says; a number inside something that is absent,
//! or past the end of an array, is not there.

use prost::encoding::{DecodeContext, WireType, decode_key, decode_varint, skip_field};
use prost_reflect::{Cardinality, FieldDescriptor, Kind, MessageDescriptor};
use thiserror::Error;

use super::path::{FieldPath, Select};

/// Finds one number in messages of one type.
#[derive(Clone, Debug)]
pub struct Walker {
    steps: Vec<Step>,
    leaf: Leaf,
}

/// Why a path leads to no number of a type.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FieldError {
    /// The type has no such field.
    #[error("{message} has no field {field:?}. Known: {known}")]
    Unknown {
        /// The type.
        message: String,
        /// What was asked for.
        field: String,
        /// What it has.
        known: String,
    },
    /// A field of many values needs to be told which.
    #[error("{field} of {message} has many values; write {field}[0]")]
    NoIndex {
        /// The type.
        message: String,
        /// The field.
        field: String,
    },
    /// A field of one value has no others.
    #[error("{field} of {message} has one value; leave the brackets out")]
    NoList {
        /// The type.
        message: String,
        /// The field.
        field: String,
    },
    /// The path goes on behind a number, or ends before one.
    #[error("{field} of {message} is {found}, not {expected}")]
    WrongKind {
        /// The type.
        message: String,
        /// The field.
        field: String,
        /// What it is.
        found: &'static str,
        /// What it should be.
        expected: &'static str,
    },
}

#[derive(Clone, Debug)]
struct Step {
    number: u32,
    pick: Pick,
}

#[derive(Clone, Debug)]
enum Pick {
    /// The last one, as the format has it.
    Last,
    At(usize),
    /// The first element whose field has this text.
    Keyed {
        number: u32,
        text: Vec<u8>,
    },
}

#[derive(Clone, Copy, Debug)]
struct Leaf {
    number: Number,
    /// Whether absence means zero.
    zero_when_absent: bool,
}

/// How a number is written.
#[derive(Clone, Copy, Debug)]
enum Number {
    Double,
    Float,
    Signed,
    Unsigned,
    ZigZag,
    Fixed32,
    Fixed64,
    SignedFixed32,
    SignedFixed64,
}

impl Walker {
    /// Makes a walker for messages of a type.
    ///
    /// # Errors
    /// [`FieldError`] when the path leads to no number of it.
    pub fn new(descriptor: &MessageDescriptor, path: &FieldPath) -> Result<Self, FieldError> {
        let mut message = descriptor.clone();
        let mut steps = Vec::new();
        let last = path.steps.len().saturating_sub(1);
        for (place, step) in path.steps.iter().enumerate() {
            let field = field_called(&message, &step.field)?;
            steps
                .push(Step { number: field.number(), pick: pick(&message, &field, &step.select)? });
            let wrong = |found, expected| FieldError::WrongKind {
                message: message.full_name().to_owned(),
                field: step.field.clone(),
                found,
                expected,
            };
            match (field.kind(), place == last) {
                (Kind::Message(_), true) => return Err(wrong("a message", "a number")),
                (Kind::Message(inner), false) => message = inner,
                (kind, is_last) => {
                    let number = number_of(&kind).ok_or_else(|| wrong("text", "a number"))?;
                    if !is_last {
                        return Err(wrong("a number", "a message"));
                    }
                    let zero_when_absent = !field.is_list() && !field.supports_presence();
                    return Ok(Self { steps, leaf: Leaf { number, zero_when_absent } });
                }
            }
        }
        Err(FieldError::Unknown {
            message: message.full_name().to_owned(),
            field: String::new(),
            known: known_fields(&message),
        })
    }

    /// Returns the number in a message; none when it is not there or the message is damaged.
    pub fn read(&self, message: &[u8]) -> Option<f64> {
        walk(message, &self.steps, self.leaf)
    }
}

fn walk(message: &[u8], steps: &[Step], leaf: Leaf) -> Option<f64> {
    let (step, rest) = steps.split_first()?;
    let mut found = None;
    let mut seen = 0;
    let mut at = message;
    while !at.is_empty() {
        let (number, wire) = decode_key(&mut at).ok()?;
        if number != step.number {
            skip_field(wire, number, &mut at, DecodeContext::default()).ok()?;
            continue;
        }
        if !rest.is_empty() {
            let inner = delimited(&mut at, wire)?;
            match &step.pick {
                Pick::Last => found = Some(inner),
                Pick::At(index) if *index == seen => return walk(inner, rest, leaf),
                Pick::Keyed { number, text } if text_at(inner, *number) == Some(text) => {
                    return walk(inner, rest, leaf);
                }
                Pick::At(_) | Pick::Keyed { .. } => {}
            }
            seen += 1;
            continue;
        }
        match (&step.pick, wire) {
            // Lists of numbers come packed, mostly.
            (Pick::At(index), WireType::LengthDelimited) => {
                let mut packed = delimited(&mut at, wire)?;
                while !packed.is_empty() {
                    let value = leaf.number.decode(&mut packed)?;
                    if seen == *index {
                        return Some(value);
                    }
                    seen += 1;
                }
            }
            (Pick::At(index), _) => {
                let value = leaf.number.decode(&mut at)?;
                if seen == *index {
                    return Some(value);
                }
                seen += 1;
            }
            _ => return last_number(message, step.number, leaf),
        }
    }
    match (rest.is_empty(), found) {
        (false, Some(inner)) => walk(inner, rest, leaf),
        (false, None) => None,
        (true, _) => (leaf.zero_when_absent && matches!(step.pick, Pick::Last)).then_some(0.0),
    }
}

/// The last of a number's values counts, should there be several.
fn last_number(message: &[u8], wanted: u32, leaf: Leaf) -> Option<f64> {
    let mut found = None;
    let mut at = message;
    while !at.is_empty() {
        let (number, wire) = decode_key(&mut at).ok()?;
        if number == wanted && wire != WireType::LengthDelimited {
            found = Some(leaf.number.decode(&mut at)?);
        } else {
            skip_field(wire, number, &mut at, DecodeContext::default()).ok()?;
        }
    }
    found
}

fn delimited<'a>(at: &mut &'a [u8], wire: WireType) -> Option<&'a [u8]> {
    if wire != WireType::LengthDelimited {
        return None;
    }
    let length = usize::try_from(decode_varint(at).ok()?).ok()?;
    let (inner, behind) = at.split_at_checked(length)?;
    *at = behind;
    Some(inner)
}

fn text_at(message: &[u8], wanted: u32) -> Option<&[u8]> {
    let mut at = message;
    while !at.is_empty() {
        let (number, wire) = decode_key(&mut at).ok()?;
        if number == wanted {
            return delimited(&mut at, wire);
        }
        skip_field(wire, number, &mut at, DecodeContext::default()).ok()?;
    }
    None
}

impl Number {
    fn decode(self, at: &mut &[u8]) -> Option<f64> {
        Some(match self {
            Self::Double => f64::from_le_bytes(fixed(at)?),
            Self::Float => f32::from_le_bytes(fixed(at)?).into(),
            Self::Signed => decode_varint(at).ok()?.cast_signed() as f64,
            Self::Unsigned => decode_varint(at).ok()? as f64,
            Self::ZigZag => {
                let value = decode_varint(at).ok()?;
                ((value >> 1).cast_signed() ^ -((value & 1).cast_signed())) as f64
            }
            Self::Fixed32 => u32::from_le_bytes(fixed(at)?).into(),
            Self::Fixed64 => u64::from_le_bytes(fixed(at)?) as f64,
            Self::SignedFixed32 => i32::from_le_bytes(fixed(at)?).into(),
            Self::SignedFixed64 => i64::from_le_bytes(fixed(at)?) as f64,
        })
    }
}

fn fixed<const N: usize>(at: &mut &[u8]) -> Option<[u8; N]> {
    let (bytes, behind) = at.split_first_chunk::<N>()?;
    *at = behind;
    Some(*bytes)
}

/// Returns how a kind of field is written; none for those that are no numbers.
pub(super) fn is_number(kind: &Kind) -> bool {
    number_of(kind).is_some()
}

fn number_of(kind: &Kind) -> Option<Number> {
    Some(match kind {
        Kind::Double => Number::Double,
        Kind::Float => Number::Float,
        Kind::Int32 | Kind::Int64 | Kind::Enum(_) => Number::Signed,
        Kind::Uint32 | Kind::Uint64 | Kind::Bool => Number::Unsigned,
        Kind::Sint32 | Kind::Sint64 => Number::ZigZag,
        Kind::Fixed32 => Number::Fixed32,
        Kind::Fixed64 => Number::Fixed64,
        Kind::Sfixed32 => Number::SignedFixed32,
        Kind::Sfixed64 => Number::SignedFixed64,
        Kind::String | Kind::Bytes | Kind::Message(_) => return None,
    })
}

fn field_called(message: &MessageDescriptor, name: &str) -> Result<FieldDescriptor, FieldError> {
    message.get_field_by_name(name).ok_or_else(|| FieldError::Unknown {
        message: message.full_name().to_owned(),
        field: name.to_owned(),
        known: known_fields(message),
    })
}

fn known_fields(message: &MessageDescriptor) -> String {
    message.fields().map(|field| field.name().to_owned()).collect::<Vec<_>>().join(", ")
}

fn pick(
    message: &MessageDescriptor,
    field: &FieldDescriptor,
    select: &Select,
) -> Result<Pick, FieldError> {
    let (inside, name) = (message.full_name().to_owned(), field.name().to_owned());
    let is_list = field.cardinality() == Cardinality::Repeated;
    match (select, is_list) {
        (Select::Only, false) => Ok(Pick::Last),
        (Select::Only, true) => Err(FieldError::NoIndex { message: inside, field: name }),
        (_, false) => Err(FieldError::NoList { message: inside, field: name }),
        (Select::Index(index), true) => Ok(Pick::At(*index)),
        (Select::Key { field: key, text }, true) => {
            let Kind::Message(element) = field.kind() else {
                let (found, expected) = ("a list of numbers", "a list of messages");
                return Err(FieldError::WrongKind {
                    message: inside,
                    field: name,
                    found,
                    expected,
                });
            };
            let key = field_called(&element, key)?;
            match key.kind() {
                Kind::String => {
                    Ok(Pick::Keyed { number: key.number(), text: text.as_bytes().to_vec() })
                }
                _ => Err(FieldError::WrongKind {
                    message: element.full_name().to_owned(),
                    field: key.name().to_owned(),
                    found: "no text",
                    expected: "text",
                }),
            }
        }
    }
}
