//! Finds numbers that nobody can mean, in messages of any type, with the path of their field.
//!
//! It reads encoded messages, so that a long list of numbers costs no copy. What a number means,
//! and which bounds it has, is for those who use it.

use std::fmt;

use prost::encoding::{WireType, decode_key, decode_varint};
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
    Some((number, wire, value))
}

#[cfg(test)]
mod tests {
    use prost::Message as _;

    use super::*;
    use crate::{JointTrajectory, JointTrajectoryPoint, Name as _, Pose, Vector3};

    fn told<M: prost::Message + crate::Name>(message: &M) -> Option<String> {
        find_wild_number(&M::full_name(), &message.encode_to_vec()).map(|wild| wild.to_string())
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
    fn bytes_that_are_cut_off_or_of_no_type_have_none() {
        let bytes = Pose { position: Some(Vector3 { x: 1.0, y: 2.0, z: 3.0 }), orientation: None };
        let bytes = bytes.encode_to_vec();
        for end in 0..bytes.len() {
            assert_eq!(find_wild_number(&Pose::full_name(), &bytes[..end]), None);
        }
        assert_eq!(find_wild_number("no.such.Type", &[9, 0, 0, 0, 0, 0, 0, 0xf0, 0x7f]), None);
    }
}
