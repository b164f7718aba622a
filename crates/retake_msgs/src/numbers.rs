//! Finds numbers that nobody can mean, in messages of any type, with the path of their field.
//!
//! It reads encoded messages, so that a long list of numbers costs no copy. What a number means,
//! and which bounds it has, is for those who use it.

use std::fmt;

use prost::encoding::{WireType, decode_key, decode_varint};
use prost::{DecodeError, Message, Name};
use prost_reflect::{FieldDescriptor, Kind, MessageDescriptor};

use crate::descriptor_pool;

/// Greatest number that any field takes; those who use a field know a lesser bound.
pub const MOST: f64 = 1e100;

/// Values of components may be endless where their own table says so, and it names what it refuses.
const HAS_OWN_RULES: &str = "retake.msgs.FieldValue";

/// A number that is none, endless or beyond all reason.
#[derive(Clone, Debug, PartialEq)]
pub struct WildNumber {
    /// Path of its field; elements of lists are counted from 0.
    pub path: String,
    /// What stands there.
    pub value: f64,
}

impl fmt::Display for WildNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is {:e}; write a finite number within ±{MOST:e}", self.path, self.value)
    }
}

impl std::error::Error for WildNumber {}

/// Why a message is not read.
#[derive(Clone, Debug, PartialEq)]
pub enum ReadError {
    /// It is of another type, or damaged.
    Malformed(DecodeError),
    /// It has a number that nobody can mean.
    Wild(WildNumber),
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed(cause) => cause.fmt(f),
            Self::Wild(wild) => wild.fmt(f),
        }
    }
}

impl std::error::Error for ReadError {}

/// Reads a message whose numbers can all be meant.
///
/// # Errors
/// [`ReadError`], with the path of the field when it is for a number.
pub fn read<M: Message + Name + Default>(bytes: &[u8]) -> Result<M, ReadError> {
    let message = M::decode(bytes).map_err(ReadError::Malformed)?;
    match find_wild_number(&M::full_name(), bytes) {
        Some(wild) => Err(ReadError::Wild(wild)),
        None => Ok(message),
    }
}

/// Returns the first wild number of an encoded message of type `type_name`.
///
/// For messages that were decoded before: that bounds how deep they are. What cannot be read is
/// looked at as far as it can; unknown types and fields have no numbers.
pub fn find_wild_number(type_name: &str, bytes: &[u8]) -> Option<WildNumber> {
    find(&descriptor_pool().get_message_by_name(type_name)?, bytes)
}

fn find(message: &MessageDescriptor, bytes: &[u8]) -> Option<WildNumber> {
    if message.full_name() == HAS_OWN_RULES {
        return None;
    }
    let mut rest = bytes;
    while !rest.is_empty() {
        let before = &bytes[..bytes.len() - rest.len()];
        let (number, wire, value) = next_field(&mut rest)?;
        let Some(field) = message.get_field(number) else { continue };
        if let Some(found) = find_in_field(&field, wire, value, before) {
            return Some(found);
        }
    }
    None
}

fn find_in_field(
    field: &FieldDescriptor,
    wire: WireType,
    value: &[u8],
    before: &[u8],
) -> Option<WildNumber> {
    let path = |at: usize| match field.is_list() {
        true => format!("{}[{}]", field.name(), count(before, field.number()) + at),
        false => field.name().to_owned(),
    };
    let first_wild = |values: &mut dyn Iterator<Item = f64>| {
        let wild = values.enumerate().find(|(_, value)| is_wild(*value));
        wild.map(|(at, value)| WildNumber { path: path(at), value })
    };
    match (field.kind(), wire) {
        (Kind::Message(inner), WireType::LengthDelimited) => {
            let WildNumber { path: inside, value } = find(&inner, value)?;
            Some(WildNumber { path: format!("{}.{inside}", path(0)), value })
        }
        (Kind::Double, _) => {
            first_wild(&mut value.as_chunks().0.iter().map(|bytes| f64::from_le_bytes(*bytes)))
        }
        (Kind::Float, _) => {
            let values = value.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes));
            first_wild(&mut values.map(f64::from))
        }
        _ => None,
    }
}

fn is_wild(value: f64) -> bool {
    value.is_nan() || value.abs() > MOST
}

/// Counts how often a field stands in bytes that were read already.
fn count(mut bytes: &[u8], number: u32) -> usize {
    let fields = std::iter::from_fn(|| next_field(&mut bytes));
    fields.filter(|(at, ..)| *at == number).count()
}

/// Takes the next field: its number, how it is written, and its bytes.
fn next_field<'a>(rest: &mut &'a [u8]) -> Option<(u32, WireType, &'a [u8])> {
    let (number, wire) = decode_key(rest).ok()?;
    let value = match wire {
        WireType::StartGroup => {
            skip_group(rest)?;
            &[]
        }
        wire => take_value(rest, wire)?,
    };
    Some((number, wire, value))
}

/// Passes over a group that was opened: no field of ours is one, and decoders pass over them too.
fn skip_group(rest: &mut &[u8]) -> Option<()> {
    let mut open = 1usize;
    while open > 0 {
        match decode_key(rest).ok()?.1 {
            WireType::StartGroup => open += 1,
            WireType::EndGroup => open -= 1,
            wire => _ = take_value(rest, wire)?,
        }
    }
    Some(())
}

fn take_value<'a>(rest: &mut &'a [u8], wire: WireType) -> Option<&'a [u8]> {
    let length = match wire {
        WireType::Varint => {
            decode_varint(rest).ok()?;
            0
        }
        WireType::SixtyFourBit => 8,
        WireType::ThirtyTwoBit => 4,
        WireType::LengthDelimited => usize::try_from(decode_varint(rest).ok()?).ok()?,
        WireType::StartGroup | WireType::EndGroup => return None,
    };
    let (value, after) = rest.split_at_checked(length)?;
    *rest = after;
    Some(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{JointTrajectory, JointTrajectoryPoint, Pose, Vector3};

    fn told<M: prost::Message + crate::Name>(message: &M) -> Option<String> {
        find_wild_number(&M::full_name(), &message.encode_to_vec()).map(|wild| wild.to_string())
    }

    #[test]
    fn a_group_that_decoders_pass_over_hides_no_number() {
        // Field 100 is no field of ours; a group holds another, a number and a text.
        let group = b"\xa3\x06\xab\x06\x09\0\0\0\0\0\0\0\0\xac\x06\x12\x01a\x18\x01\xa4\x06";
        let wild = Vector3 { y: f64::INFINITY, ..Vector3::default() };
        let bytes = [group, wild.encode_to_vec().as_slice()].concat();
        assert_eq!(Vector3::decode(bytes.as_slice()), Ok(wild));
        let found = find_wild_number(&Vector3::full_name(), &bytes).map(|wild| wild.path);
        assert_eq!(found.as_deref(), Some("y"));
        // One that does not end is none that a decoder takes.
        assert_eq!(find_wild_number(&Vector3::full_name(), &group[..9]), None);
    }

    #[test]
    fn a_wild_number_is_found_with_its_path() {
        let position = Vector3 { y: f64::NAN, ..Vector3::default() };
        let pose = Pose { position: Some(position), ..Pose::default() };
        let text = "position.y is NaN; write a finite number within ±1e100";
        assert_eq!(told(&pose).as_deref(), Some(text));
        assert_eq!(told(&Pose::default()), None);

        let point = |positions: &[f64]| JointTrajectoryPoint {
            positions: positions.to_vec(),
            ..JointTrajectoryPoint::default()
        };
        let points = vec![point(&[1.0, 2.0]), point(&[]), point(&[1e99, 1e308])];
        let trajectory = JointTrajectory { points, ..JointTrajectory::default() };
        let told = told(&trajectory).unwrap();
        assert!(told.starts_with("points[2].positions[1] is 1e308;"), "{told}");
    }

    #[test]
    fn a_message_is_read_when_all_its_numbers_can_be_meant() {
        let (tame, wild) =
            (Vector3 { x: 1.0, y: 2.0, z: 3.0 }, Vector3 { x: 1e200, y: 2.0, z: 3.0 });
        assert_eq!(read(&tame.encode_to_vec()), Ok(tame));
        let refused = read::<Vector3>(&wild.encode_to_vec()).unwrap_err().to_string();
        assert!(refused.starts_with("x is 1e200;"), "{refused}");
        assert!(matches!(read::<Vector3>(&[0xff]), Err(ReadError::Malformed(_))));
    }

    #[test]
    fn bytes_that_are_cut_off_or_of_no_type_have_none() {
        let bytes = Pose { position: Some(Vector3 { x: 1.0, y: 2.0, z: 3.0 }), orientation: None };
        let bytes = bytes.encode_to_vec();
        for end in 0..bytes.len() {
            assert_eq!(find_wild_number(&Pose::full_name(), &bytes[..end]), None);
        }
        assert_eq!(find_wild_number("no.such.Type", &[9, 0, 0, 0, 0, 0, 0, 0xf0, 0x7f]), None);
    }
}
