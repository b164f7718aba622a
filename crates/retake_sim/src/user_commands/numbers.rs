//! Checking numbers at the door.

use retake_math::{Quat, Vec3};
use retake_msgs::numbers::find_wild_number;
use retake_msgs::{Name as _, UserCmd, user_cmd};

use super::CommandError;

/// Positions further out than this are refused: beyond it, steps of a millimetre are lost.
const FARTHEST: f64 = 1e9;

/// Refuses a command with a number that nobody can mean, whatever its fields are.
pub(super) fn check_all(command: &user_cmd::Command) -> Result<(), CommandError> {
    let mut bytes = Vec::with_capacity(command.encoded_len());
    command.encode(&mut bytes);
    find_wild_number(&UserCmd::full_name(), &bytes).map_or(Ok(()), |wild| Err(wild.into()))
}

pub(super) fn finite(field: &'static str, value: f64) -> Result<f64, CommandError> {
    if value.is_finite() {
        return Ok(value);
    }
    Err(CommandError::BadNumber { field, value, expected: "write a finite number".to_owned() })
}

/// Checks a number that is none below zero, and none above a bound.
pub(super) fn up_to(field: &'static str, value: f64, most: f64) -> Result<f64, CommandError> {
    if (0.0..=most).contains(&value) {
        return Ok(value);
    }
    let expected = format!("write a number from 0 to {most:e}");
    Err(CommandError::BadNumber { field, value, expected })
}

pub(super) fn position(
    field: &'static str,
    v: &retake_msgs::Vector3,
) -> Result<Vec3, CommandError> {
    for value in [v.x, v.y, v.z] {
        let within = finite(field, value)?.abs() <= FARTHEST;
        if !within {
            let expected = format!("write metres between -{FARTHEST:e} and {FARTHEST:e}");
            return Err(CommandError::BadNumber { field, value, expected });
        }
    }
    Ok(Vec3::from(v))
}

pub(super) fn rotation(
    field: &'static str,
    q: &retake_msgs::Quaternion,
) -> Result<Quat, CommandError> {
    for value in [q.x, q.y, q.z, q.w] {
        finite(field, value)?;
    }
    let rotation = Quat::from(q);
    let length = rotation.length();
    if length.is_finite() && length > 1e-9 {
        return Ok(rotation / length);
    }
    let expected = "write a quaternion that can be scaled to length 1".to_owned();
    Err(CommandError::BadNumber { field, value: length, expected })
}
