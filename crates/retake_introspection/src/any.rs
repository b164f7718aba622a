//! The value of an item.

use retake_math::{Pose, Quat, SimTime, Vec3};
use retake_msgs::any::Value;
use retake_msgs::{Color, Vector2};

use crate::ItemType;

/// The value of an item at one instant.
#[derive(Clone, Debug, PartialEq)]
pub enum Any {
    /// A number.
    Double(f64),
    /// A whole number.
    Int(i64),
    /// True or false.
    Bool(bool),
    /// Text.
    Text(String),
    /// A time.
    Time(SimTime),
    /// Two numbers.
    Vector2([f64; 2]),
    /// Three numbers.
    Vector3(Vec3),
    /// A rotation.
    Quaternion(Quat),
    /// A position and an orientation.
    Pose(Pose),
    /// Red, green, blue and opacity, from 0 to 1.
    Color([f64; 4]),
}

impl Any {
    /// Returns what kind of value this is.
    pub fn kind(&self) -> ItemType {
        match self {
            Self::Double(_) => ItemType::Double,
            Self::Int(_) => ItemType::Int,
            Self::Bool(_) => ItemType::Bool,
            Self::Text(_) => ItemType::Text,
            Self::Time(_) => ItemType::Time,
            Self::Vector2(_) => ItemType::Vector2,
            Self::Vector3(_) => ItemType::Vector3,
            Self::Quaternion(_) => ItemType::Quaternion,
            Self::Pose(_) => ItemType::Pose,
            Self::Color(_) => ItemType::Color,
        }
    }

    /// Makes a value of a type from its numbers; none when they are too few, or it is text.
    pub fn from_numbers(kind: ItemType, numbers: &[f64]) -> Option<Self> {
        Some(match (kind, numbers) {
            (ItemType::Double, [value]) => Self::Double(*value),
            (ItemType::Int, [value]) => Self::Int(*value as i64),
            (ItemType::Bool, [value]) => Self::Bool(*value != 0.0),
            (ItemType::Time, [value]) => Self::Time(SimTime::from_secs_f64(*value)),
            (ItemType::Vector2, [x, y]) => Self::Vector2([*x, *y]),
            (ItemType::Vector3, [x, y, z]) => Self::Vector3(Vec3::new(*x, *y, *z)),
            (ItemType::Quaternion, [x, y, z, w]) => {
                Self::Quaternion(Quat::from_xyzw(*x, *y, *z, *w))
            }
            (ItemType::Color, [r, g, b, a]) => Self::Color([*r, *g, *b, *a]),
            (ItemType::Pose, [x, y, z, rotation @ ..]) => {
                let rotation = Quat::from_array(rotation.try_into().ok()?);
                Self::Pose(Pose::new(Vec3::new(*x, *y, *z), rotation))
            }
            _ => return None,
        })
    }

    /// Adds its numbers, in the order of [`ItemType::parts`].
    pub fn push_numbers(&self, numbers: &mut Vec<f64>) {
        match self {
            Self::Double(value) => numbers.push(*value),
            Self::Int(value) => numbers.push(*value as f64),
            Self::Bool(value) => numbers.push(f64::from(u8::from(*value))),
            Self::Text(_) => {}
            Self::Time(time) => numbers.push(time.as_secs_f64()),
            Self::Vector2(values) => numbers.extend(values),
            Self::Vector3(v) => numbers.extend([v.x, v.y, v.z]),
            Self::Quaternion(q) => numbers.extend([q.x, q.y, q.z, q.w]),
            Self::Pose(pose) => {
                let (p, q) = (pose.position, pose.rotation);
                numbers.extend([p.x, p.y, p.z, q.x, q.y, q.z, q.w]);
            }
            Self::Color(values) => numbers.extend(values),
        }
    }
}

impl From<&Any> for retake_msgs::Any {
    fn from(any: &Any) -> Self {
        let value = match any {
            Any::Double(value) => Value::DoubleValue(*value),
            Any::Int(value) => Value::IntValue(*value),
            Any::Bool(value) => Value::BoolValue(*value),
            Any::Text(text) => Value::StringValue(text.clone()),
            Any::Time(time) => Value::TimeValue((*time).into()),
            Any::Vector2([x, y]) => Value::Vector2Value(Vector2 { x: *x, y: *y }),
            Any::Vector3(v) => Value::Vector3Value((*v).into()),
            Any::Quaternion(q) => Value::QuaternionValue((*q).into()),
            Any::Pose(pose) => Value::PoseValue((*pose).into()),
            Any::Color([r, g, b, a]) => Value::ColorValue(Color { r: *r, g: *g, b: *b, a: *a }),
        };
        Self { value: Some(value) }
    }
}

impl From<f64> for Any {
    fn from(value: f64) -> Self {
        Self::Double(value)
    }
}

impl From<i64> for Any {
    fn from(value: i64) -> Self {
        Self::Int(value)
    }
}

impl From<bool> for Any {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl From<String> for Any {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<Vec3> for Any {
    fn from(value: Vec3) -> Self {
        Self::Vector3(value)
    }
}

impl From<Pose> for Any {
    fn from(value: Pose) -> Self {
        Self::Pose(value)
    }
}
