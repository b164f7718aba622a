//! Whether a value fits a field.

use retake_description::bounds::Bound;
use retake_math::{Quat, Vec3, unit_vec};
use retake_msgs::FieldValue;
use retake_msgs::field_value::Value;

use super::{Field, FieldShape};
use retake_description::bounds;

/// Whether a value comes from an edit or from a file, which may go beyond some ranges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum From {
    Edit,
    File,
}

/// Says what should be there instead of a value; none when it fits.
pub(crate) fn fault(field: &Field, value: &FieldValue, from: From) -> Option<String> {
    let Some(value) = &value.value else { return Some(expected(field)) };
    let ranged = !(field.loose && from == From::File);
    let within =
        |number: f64, bound: &Bound| number.is_finite() && (!ranged || bound.contains(number));
    let fits = match (&field.shape, value) {
        (_, Value::None(_)) => field.optional || matches!(field.shape, FieldShape::Part),
        (FieldShape::Number { bound, infinite }, Value::Number(number)) => {
            within(*number, bound) || (*infinite && is_infinite_end(*number, bound))
        }
        (FieldShape::Integer { bound }, Value::Number(number)) => {
            within(*number, bound) && number.fract() == 0.0
        }
        (FieldShape::Flag | FieldShape::Part, Value::Flag(_)) => true,
        (FieldShape::Text { most }, Value::Text(text)) => text.len() <= *most,
        (FieldShape::File, Value::Text(text)) => text.len() <= MOST_FILE,
        (FieldShape::Xml, Value::Text(text)) => text.len() <= MOST_XML,
        (FieldShape::Choice(choices) | FieldShape::Variant(choices), Value::Text(text)) => {
            !ranged || choices.contains(&text.as_str())
        }
        (FieldShape::Vector { count, bound, unit }, Value::Numbers(numbers)) => {
            let numbers = &numbers.number;
            let points = || {
                numbers.as_chunks::<3>().0.iter().all(|v| unit_vec(Vec3::from_array(*v)).is_some())
            };
            numbers.len() == *count
                && numbers.iter().all(|number| within(*number, bound))
                && (!unit || points())
        }
        (FieldShape::Pose, Value::Numbers(numbers)) => is_pose(&numbers.number),
        (FieldShape::Color, Value::Numbers(numbers)) => {
            numbers.number.len() == 4 && numbers.number.iter().all(|n| (0.0..=1.0).contains(n))
        }
        // Whether the entity is there and of the right kind is another question.
        (FieldShape::Entity(_), Value::Entity(_)) => true,
        _ => false,
    };
    (!fits).then(|| expected(field))
}

const MOST_FILE: usize = 4096;
/// Longest XML text of a field, in bytes.
const MOST_XML: usize = 256 * 1024;

/// An infinite number is a limit where the range has an end on that side.
fn is_infinite_end(number: f64, bound: &Bound) -> bool {
    number == f64::INFINITY || (number == f64::NEG_INFINITY && bound.least < 0.0)
}

fn is_pose(numbers: &[f64]) -> bool {
    let [x, y, z, qx, qy, qz, qw] = numbers else { return false };
    let length = Quat::from_xyzw(*qx, *qy, *qz, *qw).length();
    [x, y, z].iter().all(|number| bounds::COORDINATE_M.contains(**number))
        && length.is_finite()
        && length > 1e-9
}

/// Says what a field takes.
pub(crate) fn expected(field: &Field) -> String {
    let none = if field.optional { ", or none" } else { "" };
    match &field.shape {
        FieldShape::Number { bound, infinite: true } if !bound.words.contains("infinite") => {
            format!("it must be {} or infinite{none}", bound.words)
        }
        FieldShape::Number { bound, .. } => format!("it must be {}{none}", bound.words),
        FieldShape::Integer { bound } => {
            format!("it must be a whole number, {}{none}", bound.words)
        }
        FieldShape::Flag => "write true or false".to_owned(),
        FieldShape::Part => "write true when it is to be there, false when not".to_owned(),
        FieldShape::Text { most } => format!("write a text of at most {most} bytes{none}"),
        FieldShape::File => format!("write the name of a file{none}"),
        FieldShape::Xml => format!("write XML of at most {MOST_XML} bytes"),
        FieldShape::Choice(choices) | FieldShape::Variant(choices) => {
            format!("write one of: {}", choices.join(", "))
        }
        FieldShape::Vector { count, unit: true, .. } => {
            format!("write {count} numbers that point somewhere")
        }
        FieldShape::Vector { count, bound, .. } if bound.most == f64::MAX => {
            format!("write {count} finite numbers{none}")
        }
        FieldShape::Vector { count, bound, .. } => {
            format!("write {count} numbers, each {}{none}", bound.words)
        }
        FieldShape::Pose => {
            format!("write a position, {}, and a quaternion", bounds::COORDINATE_M.words)
        }
        FieldShape::Color => "write red, green, blue and alpha, each from 0 to 1".to_owned(),
        FieldShape::Entity(kinds) => {
            let kinds: Vec<String> = kinds.iter().map(ToString::to_string).collect();
            format!("write a {}{none}", kinds.join(" or "))
        }
    }
}
