//! Numbers, vectors, colours and poses as SDF writes them.

use retake_description::{Color, Element};
use retake_math::{Pose, Vec3, quat_from_rpy};

use super::tree::{Build, leaf};

/// Writes a number so that reading gives the same bits.
pub(super) fn number(value: f64) -> String {
    let size = value.abs();
    match size {
        _ if value.is_infinite() => if value > 0.0 { "inf" } else { "-inf" }.to_owned(),
        _ if size != 0.0 && !(1e-5..1e15).contains(&size) => format!("{value:e}"),
        _ => value.to_string(),
    }
}

/// Writes numbers with spaces between.
pub(super) fn numbers(values: &[f64]) -> String {
    values.iter().map(|&value| number(value)).collect::<Vec<_>>().join(" ")
}

/// Makes an element that holds a number.
pub(super) fn number_leaf(name: &str, value: f64) -> Element {
    leaf(name, number(value))
}

/// Makes an element that holds a vector.
pub(super) fn vec3_leaf(name: &str, value: Vec3) -> Element {
    leaf(name, numbers(&value.to_array()))
}

/// Makes an element that holds true or false.
pub(super) fn flag_leaf(name: &str, value: bool) -> Element {
    leaf(name, value.to_string())
}

/// Makes an element that holds a colour.
pub(super) fn color_leaf(name: &str, Color(channels): Color) -> Element {
    leaf(name, channels.map(|channel| channel.to_string()).join(" "))
}

/// Makes a `<pose>`; none for the identity.
///
/// Roll, pitch and yaw are written where they give the quaternion back to the bit, else the
/// quaternion itself.
pub(super) fn pose(pose: Pose) -> Option<Element> {
    if pose == Pose::IDENTITY {
        return None;
    }
    let p = pose.position;
    let element = match exact_rpy(pose) {
        Some(rpy) => leaf("pose", numbers(&[p.x, p.y, p.z, rpy.x, rpy.y, rpy.z])),
        None => {
            let q = pose.rotation;
            leaf("pose", numbers(&[p.x, p.y, p.z, q.x, q.y, q.z, q.w]))
                .with("rotation_format", "quat_xyzw")
        }
    };
    Some(element)
}

/// Finds the angles with the fewest digits that give the rotation back to the bit.
///
/// Adding zero takes the sign from a negative zero.
fn exact_rpy(pose: Pose) -> Option<Vec3> {
    let raw = pose.rpy_rad();
    let rounded =
        [1e4, 1e6, 1e8, 1e12].map(|scale| raw.map(|angle| (angle * scale).round() / scale + 0.0));
    rounded.into_iter().chain([raw]).find(|&rpy| quat_from_rpy(rpy) == pose.rotation)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(written: Pose) -> String {
        pose(written).map_or_else(String::new, |element| element.text)
    }

    #[test]
    fn angles_come_back_as_people_write_them() {
        let turned = Pose::from_xyz_rpy(Vec3::new(1.0, 0.0, -2.5), Vec3::new(0.0, 0.1, 1.2345));
        assert_eq!(text(turned), "1 0 -2.5 0 0.1 1.2345");
        assert_eq!(text(Pose::IDENTITY), "");
    }

    #[test]
    fn extreme_numbers_are_short() {
        assert_eq!(numbers(&[1e300, -1e-9, 0.1, 1e12]), "1e300 -1e-9 0.1 1000000000000");
        assert_eq!(numbers(&[f64::NEG_INFINITY, -0.0]), "-inf -0");
    }
}
