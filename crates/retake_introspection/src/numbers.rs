//! One number of an item, by name: `linear_velocity.x`, `pose.yaw`.

use retake_math::{Quat, rpy_from_quat};
use thiserror::Error;

use crate::ItemType;

/// Where a number of an item is found among its numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberOf {
    /// As it comes.
    Plain(usize),
    /// An angle of a rotation whose x is at `first`: roll, pitch or yaw for an axis of 0, 1 or 2.
    Angle {
        /// Place of the rotation's x.
        first: usize,
        /// Which angle.
        axis: usize,
    },
}

/// Why a value has no such number.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NumberError {
    /// It is text.
    #[error("{item} is text and has no numbers")]
    Text {
        /// The item.
        item: String,
    },
    /// It has others.
    #[error("{item} has no number {part:?}. Known: {known}")]
    Unknown {
        /// The item.
        item: String,
        /// What was asked for.
        part: String,
        /// What it has.
        known: String,
    },
}

const ANGLES: [&str; 3] = ["roll", "pitch", "yaw"];

impl NumberOf {
    /// Finds a number by what stands behind the item's name and a dot; empty for plain numbers.
    ///
    /// # Errors
    /// [`NumberError`] when values of the type have no such number.
    pub fn find(item: &str, kind: ItemType, part: &str) -> Result<Self, NumberError> {
        if let Some(at) = kind.parts().iter().position(|known| *known == part) {
            return Ok(Self::Plain(at));
        }
        if let (Some(first), Some(axis)) =
            (rotation_of(kind), ANGLES.iter().position(|known| *known == part))
        {
            return Ok(Self::Angle { first, axis });
        }
        let item = item.to_owned();
        match Self::names(kind).as_slice() {
            [] => Err(NumberError::Text { item }),
            known => {
                Err(NumberError::Unknown { item, part: part.to_owned(), known: known.join(", ") })
            }
        }
    }

    /// Names all numbers of a type.
    pub fn names(kind: ItemType) -> Vec<&'static str> {
        let angles = rotation_of(kind).map_or([].as_slice(), |_| ANGLES.as_slice());
        kind.parts().iter().chain(angles).copied().collect()
    }

    /// Returns the number among an item's numbers; not a number when there are too few.
    pub fn read(self, numbers: &[f64]) -> f64 {
        match self {
            Self::Plain(at) => numbers.get(at).copied().unwrap_or(f64::NAN),
            Self::Angle { first, axis } => match numbers.get(first..first + 4) {
                Some([x, y, z, w]) => rpy_from_quat(Quat::from_xyzw(*x, *y, *z, *w))[axis],
                _ => f64::NAN,
            },
        }
    }

    /// Returns the unit of the number, where the item's unit is `unit`.
    pub fn unit(self, kind: ItemType, unit: &str) -> &str {
        match (self, kind) {
            (Self::Angle { .. }, _) => "rad",
            // A quaternion's numbers have no unit, whatever a pose's position is in.
            (Self::Plain(3..), ItemType::Pose) => "",
            _ => unit,
        }
    }
}

fn rotation_of(kind: ItemType) -> Option<usize> {
    match kind {
        ItemType::Pose => Some(3),
        ItemType::Quaternion => Some(0),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use retake_math::quat_from_rpy;

    use super::*;
    use crate::Any;

    #[test]
    fn angles_come_from_the_rotation() {
        let rotation = quat_from_rpy(retake_math::Vec3::new(0.1, -0.2, 0.3));
        let mut numbers = Vec::new();
        Any::Quaternion(rotation).push_numbers(&mut numbers);
        let yaw = NumberOf::find("q", ItemType::Quaternion, "yaw").unwrap();
        assert!((yaw.read(&numbers) - 0.3).abs() < 1e-12);
        assert_eq!(yaw.unit(ItemType::Quaternion, ""), "rad");
        assert!(yaw.read(&numbers[..3]).is_nan());
    }

    #[test]
    fn a_wrong_number_lists_the_right_ones() {
        let refused = NumberOf::find("a::v", ItemType::Vector3, "w").unwrap_err();
        assert_eq!(refused.to_string(), "a::v has no number \"w\". Known: x, y, z");
        let refused = NumberOf::find("a::name", ItemType::Text, "x").unwrap_err();
        assert_eq!(refused.to_string(), "a::name is text and has no numbers");
    }
}
