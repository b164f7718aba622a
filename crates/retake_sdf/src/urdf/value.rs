//! Numbers and rotations, with the precision that libsdformat gives them.
//!
//! libsdformat writes what it makes of a URDF file as text and reads that again: with sixteen
//! digits in most places and six in some, and with rotations as roll, pitch and yaw. Close to a
//! pitch of a right angle that moves things by more than rounding, so it is done alike here.

use retake_diag::Place;
use retake_math::{Pose, Quat, Vec3, quat_from_rpy};

use crate::xml::Node;

/// From this sine of the pitch on, URDF's own conversion takes the pitch for a right angle.
const URDF_UPRIGHT: f64 = 0.99999;
/// How close to one the sine of the pitch is for SDF's conversion to take it for a right angle.
const SDF_UPRIGHT: f64 = 1e-15;

/// What is wrong with a part of a URDF file, and where.
pub(super) struct Fault {
    pub(super) place: Place,
    pub(super) message: String,
}

impl Fault {
    /// Makes a fault at the opening tag of an element.
    pub(super) fn at(node: Node<'_>, message: impl Into<String>) -> Self {
        Self { place: node.place(), message: message.into() }
    }
}

/// Reads a finite number from a text.
pub(super) fn number_in(text: &str) -> Option<f64> {
    text.trim().parse::<f64>().ok().filter(|value| value.is_finite())
}

/// Reads three finite numbers from a text.
pub(super) fn vec3_in(text: &str) -> Option<Vec3> {
    let mut words = text.split_whitespace().map(number_in);
    let vector = Vec3::new(words.next()??, words.next()??, words.next()??);
    words.next().is_none().then_some(vector)
}

/// Reads a number from an attribute; none when there is no such attribute.
pub(super) fn optional_number(node: Node<'_>, name: &str) -> Result<Option<f64>, Fault> {
    let Some(text) = node.attribute(name) else { return Ok(None) };
    let value = number_in(text);
    value.map(Some).ok_or_else(|| not_readable(node, name, "a finite number"))
}

/// Reads a number from an attribute that must be there.
pub(super) fn number(node: Node<'_>, name: &str) -> Result<f64, Fault> {
    let value = optional_number(node, name)?;
    value.ok_or_else(|| Fault::at(node, format!("<{}> has no {name}", node.name())))
}

/// Reads a vector from an attribute; none when there is no such attribute.
pub(super) fn optional_vec3(node: Node<'_>, name: &str) -> Result<Option<Vec3>, Fault> {
    let Some(text) = node.attribute(name) else { return Ok(None) };
    let value = vec3_in(text);
    value.map(Some).ok_or_else(|| not_readable(node, name, "three finite numbers"))
}

/// Reads the `<origin>` of an element; without one it is the identity.
pub(super) fn origin(owner: Node<'_>) -> Result<Pose, Fault> {
    let Some(node) = owner.child("origin") else { return Ok(Pose::IDENTITY) };
    let position = optional_vec3(node, "xyz")?.unwrap_or(Vec3::ZERO);
    let rpy_rad = optional_vec3(node, "rpy")?.unwrap_or(Vec3::ZERO);
    Ok(Pose::new(position, quat_from_rpy(rpy_rad)).normalized())
}

/// Says that an attribute is not what it should be.
fn not_readable(node: Node<'_>, name: &str, expected: &str) -> Fault {
    let shown: String = node.attribute(name).unwrap_or_default().chars().take(60).collect();
    let message = format!("{name}={shown:?} of <{}> is not {expected}", node.name());
    Fault { place: node.attribute_place(name), message }
}

/// Returns roll, pitch and yaw as URDF's library computes them.
pub(super) fn urdf_rpy(q: Quat) -> Vec3 {
    let sine = -2.0 * (q.x * q.z - q.w * q.y);
    if sine.abs() >= URDF_UPRIGHT {
        let sign = sine.signum();
        let yaw = 2.0 * (-sign * q.x).atan2(sign * q.y);
        return Vec3::new(0.0, sign * std::f64::consts::FRAC_PI_2, yaw);
    }
    let (roll, yaw) = roll_and_yaw(q);
    Vec3::new(roll, sine.asin(), yaw)
}

/// Returns roll, pitch and yaw as SDF's library computes them.
pub(super) fn sdf_rpy(q: Quat) -> Vec3 {
    let q = Pose::new(Vec3::ZERO, q).normalized().rotation;
    let sine = -2.0 * (q.x * q.z - q.w * q.y);
    let pitch = sine.clamp(-1.0, 1.0).asin();
    if sine.abs() - 1.0 > -SDF_UPRIGHT {
        let across = sine.signum() * 2.0 * (q.x * q.y - q.z * q.w);
        let along = q.w * q.w - q.x * q.x + q.y * q.y - q.z * q.z;
        return Vec3::new(across.atan2(along), pitch, 0.0);
    }
    let (roll, yaw) = roll_and_yaw(q);
    Vec3::new(roll, pitch, yaw)
}

fn roll_and_yaw(q: Quat) -> (f64, f64) {
    let [x, y, z, w] = [q.x * q.x, q.y * q.y, q.z * q.z, q.w * q.w];
    let roll = (2.0 * (q.y * q.z + q.w * q.x)).atan2(w - x - y + z);
    let yaw = (2.0 * (q.x * q.y + q.w * q.z)).atan2(w + x - y - z);
    (roll, yaw)
}

/// Writes numbers with sixteen digits.
pub(super) fn written<const N: usize>(values: [f64; N]) -> String {
    joined(values, 15)
}

/// Writes numbers with six digits.
pub(super) fn written_short<const N: usize>(values: [f64; N]) -> String {
    joined(values, 5)
}

/// Writes a position and angles with sixteen digits.
pub(super) fn written_pose(position: Vec3, rpy_rad: Vec3) -> String {
    let ([x, y, z], [roll, pitch, yaw]) = (position.to_array(), rpy_rad.to_array());
    written([x, y, z, roll, pitch, yaw])
}

fn joined<const N: usize>(values: [f64; N], decimals: usize) -> String {
    values.map(|value| rounded(value, decimals)).join(" ")
}

fn rounded(value: f64, decimals: usize) -> String {
    let scientific = format!("{value:.decimals$e}");
    match scientific.parse::<f64>() {
        Ok(0.0) => "0".to_owned(),
        Ok(number) => format!("{number:?}"),
        Err(_) => scientific,
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::FRAC_PI_2;

    use super::*;

    #[test]
    fn numbers_are_finite_and_whole() {
        assert_eq!(number_in(" 1e3 "), Some(1000.0));
        for text in ["", "nan", "inf", "1e999", "1 2", "1,5", "0x10", "${x}"] {
            assert_eq!(number_in(text), None, "{text}");
        }
        assert_eq!(vec3_in("1  -2 .5"), Some(Vec3::new(1.0, -2.0, 0.5)));
        assert_eq!(vec3_in("1 2"), None);
        assert_eq!(vec3_in("1 2 3 4"), None);
    }

    #[test]
    fn digits_are_those_of_libsdformat() {
        assert_eq!(written([0.1 + 0.2, -0.0, 5.0]), "0.3 0 5.0");
        assert_eq!(written_short([0.123_456_78, 1e-9, 12_345_678.0]), "0.123457 1e-9 12345700.0");
    }

    #[test]
    fn both_conversions_agree_away_from_upright() {
        for rpy in [Vec3::new(0.3, -0.7, 2.0), Vec3::new(-3.0, 1.5, 0.1), Vec3::ZERO] {
            let q = quat_from_rpy(rpy);
            assert!((urdf_rpy(q) - rpy).length() < 1e-14);
            assert!((sdf_rpy(q) - rpy).length() < 1e-14);
        }
    }

    #[test]
    fn almost_upright_is_upright_to_urdf_only() {
        let q = quat_from_rpy(Vec3::new(0.2, 1.57, 0.5));
        assert_eq!(urdf_rpy(q).y, FRAC_PI_2);
        assert!((urdf_rpy(q).z - 0.3).abs() < 1e-3, "{}", urdf_rpy(q));
        assert!((sdf_rpy(q).y - 1.57).abs() < 1e-9);
        let down = quat_from_rpy(Vec3::new(0.2, -FRAC_PI_2, 0.5));
        for rpy in [urdf_rpy(down), sdf_rpy(down)] {
            assert!(quat_from_rpy(rpy).dot(down).abs() > 1.0 - 1e-12, "{rpy}");
        }
    }
}
