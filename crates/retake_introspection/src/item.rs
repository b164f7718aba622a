//! What can be watched.

use retake_msgs::IntrospectionItem;
use retake_msgs::introspection_item::Type;

/// A value that a manager offers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// As in `box::link::linear_velocity`.
    pub name: String,
    /// What kind of value it has.
    pub kind: ItemType,
    /// Unit of its numbers; empty when they have none.
    pub unit: &'static str,
    /// Frame that it is expressed in; empty when it has none.
    pub frame: &'static str,
}

impl Item {
    /// Describes a value without unit or frame.
    pub fn new(name: impl Into<String>, kind: ItemType) -> Self {
        Self { name: name.into(), kind, unit: "", frame: "" }
    }

    /// Adds the unit of its numbers.
    pub fn unit(self, unit: &'static str) -> Self {
        Self { unit, ..self }
    }

    /// Adds the frame that it is expressed in.
    pub fn frame(self, frame: &'static str) -> Self {
        Self { frame, ..self }
    }
}

impl From<&Item> for IntrospectionItem {
    fn from(item: &Item) -> Self {
        Self {
            name: item.name.clone(),
            r#type: Type::from(item.kind).into(),
            unit: item.unit.to_owned(),
            frame: item.frame.to_owned(),
        }
    }
}

/// What kind of value an item has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ItemType {
    /// A number.
    Double,
    /// A whole number.
    Int,
    /// True or false; 1 or 0 as a number.
    Bool,
    /// Text; it has no numbers.
    Text,
    /// A time; a number of seconds.
    Time,
    /// Two numbers.
    Vector2,
    /// Three numbers.
    Vector3,
    /// A rotation: x, y, z, w.
    Quaternion,
    /// A position and an orientation.
    Pose,
    /// Red, green, blue and opacity, from 0 to 1.
    Color,
}

impl ItemType {
    /// Returns the names of its numbers, in the order of samples; one without a name for values
    /// that are numbers themselves.
    pub const fn parts(self) -> &'static [&'static str] {
        match self {
            Self::Double | Self::Int | Self::Bool | Self::Time => &[""],
            Self::Text => &[],
            Self::Vector2 => &["x", "y"],
            Self::Vector3 => &["x", "y", "z"],
            Self::Quaternion => &["x", "y", "z", "w"],
            Self::Color => &["r", "g", "b", "a"],
            Self::Pose => &[
                "position.x",
                "position.y",
                "position.z",
                "orientation.x",
                "orientation.y",
                "orientation.z",
                "orientation.w",
            ],
        }
    }

    /// Returns the type that a message names; none for those of later versions.
    pub fn of_message(item: &IntrospectionItem) -> Option<Self> {
        Some(match item.r#type() {
            Type::Double => Self::Double,
            Type::Int => Self::Int,
            Type::Bool => Self::Bool,
            Type::String => Self::Text,
            Type::Time => Self::Time,
            Type::Vector2 => Self::Vector2,
            Type::Vector3 => Self::Vector3,
            Type::Quaternion => Self::Quaternion,
            Type::Pose => Self::Pose,
            Type::Color => Self::Color,
            Type::Unspecified => return None,
        })
    }
}

impl From<ItemType> for Type {
    fn from(kind: ItemType) -> Self {
        match kind {
            ItemType::Double => Self::Double,
            ItemType::Int => Self::Int,
            ItemType::Bool => Self::Bool,
            ItemType::Text => Self::String,
            ItemType::Time => Self::Time,
            ItemType::Vector2 => Self::Vector2,
            ItemType::Vector3 => Self::Vector3,
            ItemType::Quaternion => Self::Quaternion,
            ItemType::Pose => Self::Pose,
            ItemType::Color => Self::Color,
        }
    }
}
