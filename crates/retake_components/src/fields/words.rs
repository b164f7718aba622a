//! Values of fields as people write and read them.

use retake_ecm::EntityId;
use retake_math::{Pose, Quat, Vec3};
use retake_msgs::field_value::Value;
use retake_msgs::{FieldValue, Numbers};
use thiserror::Error;

use super::judge::expected;
use super::{Field, FieldShape, tree};

/// Words that make no value of a field.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum WordsError {
    /// They do not fit the field.
    #[error("{given:?} does not fit: {expected}")]
    Unfit {
        /// What was written.
        given: String,
        /// What would have been taken.
        expected: String,
    },
    /// They name no entity.
    #[error("{0}")]
    NoEntity(String),
}

/// Reads what people write for a field: `0.5`, `30deg`, `inf`, `1 2 3`, `none`, a name.
///
/// A pose is x y z and roll, pitch, yaw, or a quaternion x y z w instead of these. `entity` finds an
/// entity by what is written.
///
/// # Errors
/// [`WordsError`] says what would have been right.
pub fn value_from_words(
    field: &Field,
    words: &[&str],
    entity: &mut dyn FnMut(&str) -> Result<EntityId, String>,
) -> Result<FieldValue, WordsError> {
    let unfit = || WordsError::Unfit { given: words.join(" "), expected: expected(field) };
    if words == ["none"] {
        return Ok(tree::value(Value::None(true)));
    }
    let value = match (&field.shape, words) {
        (FieldShape::Number { .. } | FieldShape::Integer { .. }, [word]) => {
            number(word, field.unit).map(Value::Number)
        }
        (FieldShape::Flag | FieldShape::Part, [word]) => flag(word).map(Value::Flag),
        (FieldShape::Vector { .. }, words) => numbers(words, field.unit).map(Value::Numbers),
        (FieldShape::Color, [r, g, b]) => numbers(&[r, g, b, "1"], "").map(Value::Numbers),
        (FieldShape::Color, words) => numbers(words, "").map(Value::Numbers),
        (FieldShape::Pose, words) => pose(words).map(Value::Numbers),
        (FieldShape::Entity(_), [word]) => {
            let found = entity(word).map_err(WordsError::NoEntity)?;
            Some(Value::Entity(found.raw()))
        }
        (FieldShape::Text { .. } | FieldShape::File | FieldShape::Xml, words) => {
            Some(Value::Text(words.join(" ")))
        }
        (FieldShape::Choice(_) | FieldShape::Variant(_), [word]) => {
            Some(Value::Text((*word).to_owned()))
        }
        _ => None,
    };
    value.map(tree::value).ok_or_else(unfit)
}

/// Writes a value as [`value_from_words`] reads it; `name` names an entity.
pub fn text_of(field: &Field, value: &FieldValue, name: &dyn Fn(EntityId) -> String) -> String {
    match (&field.shape, &value.value) {
        (_, Some(Value::Entity(id))) => name(EntityId::from_raw(*id)),
        (FieldShape::Pose, Some(Value::Numbers(numbers))) => match numbers.number.as_slice() {
            [x, y, z, rotation @ ..] if rotation.len() == 4 => {
                let pose = Pose::new(Vec3::new(*x, *y, *z), Quat::from_slice(rotation));
                let angles = pose.rpy_rad();
                joined(&[*x, *y, *z, angles.x, angles.y, angles.z])
            }
            other => joined(other),
        },
        _ => shown(value),
    }
}

/// Shows a value whatever field it is for.
pub(super) fn shown(value: &FieldValue) -> String {
    const MOST: usize = 80;
    match &value.value {
        None => "missing".to_owned(),
        Some(Value::Number(number)) => number.to_string(),
        Some(Value::Flag(flag)) => flag.to_string(),
        Some(Value::Text(text)) if text.chars().nth(MOST).is_some() => {
            format!("{:?}…", text.chars().take(MOST).collect::<String>())
        }
        Some(Value::Text(text)) => text.clone(),
        Some(Value::Numbers(numbers)) => joined(&numbers.number),
        Some(Value::Entity(id)) => format!("#{id}"),
        Some(Value::None(_)) => "none".to_owned(),
    }
}

fn joined(numbers: &[f64]) -> String {
    numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

fn flag(word: &str) -> Option<bool> {
    match word {
        "true" | "yes" | "on" | "1" => Some(true),
        "false" | "no" | "off" | "0" => Some(false),
        _ => None,
    }
}

fn numbers(words: &[&str], unit: &str) -> Option<Numbers> {
    let number = words.iter().map(|word| self::number(word, unit)).collect::<Option<_>>()?;
    Some(Numbers { number })
}

fn pose(words: &[&str]) -> Option<Numbers> {
    let (position, turned) = words.split_at_checked(3)?;
    let position = Vec3::from_slice(&numbers(position, "m")?.number);
    let turned = numbers(turned, "rad")?.number;
    let number = match turned.as_slice() {
        [roll, pitch, yaw] => {
            let pose = Pose::from_xyz_rpy(position, Vec3::new(*roll, *pitch, *yaw));
            [pose.position.to_array().as_slice(), &pose.rotation.to_array()].concat()
        }
        [_, _, _, _] => [position.to_array().as_slice(), &turned].concat(),
        _ => return None,
    };
    Some(Numbers { number })
}

/// Units that may stand behind a number, what they are a multiple of, and how much of it.
const UNITS: [(&str, &str, f64); 9] = [
    ("deg", "rad", std::f64::consts::PI / 180.0),
    ("rad", "rad", 1.0),
    ("mm", "m", 1e-3),
    ("cm", "m", 1e-2),
    ("km", "m", 1e3),
    ("kg", "kg", 1.0),
    ("g", "kg", 1e-3),
    ("Hz", "Hz", 1.0),
    ("m", "m", 1.0),
];

fn number(word: &str, unit: &str) -> Option<f64> {
    let fits = |base: &str| unit.split('|').any(|unit| unit == base);
    let (digits, scale) = UNITS
        .iter()
        .filter(|(_, base, _)| fits(base))
        .find_map(|(suffix, _, scale)| Some((word.strip_suffix(suffix)?, *scale)))
        .unwrap_or((word, 1.0));
    let value: f64 = digits.parse().ok()?;
    // One is left out, so that a plain number keeps its bits.
    Some(if scale == 1.0 { value } else { value * scale })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fields::editable_component;

    fn read(component: &str, path: &str, words: &str) -> Result<String, String> {
        let field = editable_component(component).unwrap().field(path).unwrap();
        let words: Vec<&str> = words.split(' ').collect();
        let mut entity = |name: &str| match name {
            "arm" => Ok(EntityId::from_raw(7)),
            other => Err(format!("no {other}")),
        };
        let value = value_from_words(field, &words, &mut entity).map_err(|e| e.to_string())?;
        Ok(text_of(field, &value, &|id| format!("entity {id}")))
    }

    #[test]
    fn units_vectors_and_names_are_read() {
        for (component, path, words, expected) in [
            ("joint", "axes.0.limits.upper", "180deg", "3.141592653589793"),
            ("joint", "axes.0.limits.upper", "inf", "inf"),
            ("joint", "axes.1.limits.lower", "-25mm", "-0.025"),
            ("inertial", "mass_kg", "500g", "0.5"),
            ("gravity", "", "0 0 -9.8", "0 0 -9.8"),
            ("pose", "", "1m 2 300cm 0 0 0", "1 2 3 0 0 0"),
            ("material", "diffuse", "1 0 0", "1 0 0 1"),
            ("canonical_link", "", "arm", "entity #7"),
        ] {
            assert_eq!(read(component, path, words).as_deref(), Ok(expected), "{path}");
        }
        let refused = read("surface", "friction.mu", "1kg").unwrap_err();
        assert_eq!(refused, "\"1kg\" does not fit: it must be 0 to 1e16");
        assert!(read("gravity", "", "0 0 down").is_err());
        assert_eq!(read("canonical_link", "", "leg").unwrap_err(), "no leg");
    }
}
