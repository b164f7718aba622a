//! Numbers, vectors, colours, poses and flags as SDF writes them.

use retake_description::Color;
use retake_description::bounds::{self, Bound};
use retake_diag::Diagnostic;
use retake_math::{Pose, Quat, Vec3, quat_from_rpy, unit_quat};

use super::context::Context;
use super::draft::Named;
use crate::xml::Node;

/// Values this large mean "no limit" in SDF files.
const SDF_INFINITY: f64 = 1e16;

impl Context<'_> {
    /// Reads a finite number from the child called `name`.
    pub(crate) fn number(&mut self, node: Node<'_>, name: &str, default: f64) -> f64 {
        match node.take(name) {
            Some(child) => self.numbers::<1>(child).map_or(default, |[value]| value),
            None => default,
        }
    }

    /// Reads a number within a bound from the child called `name`.
    pub(crate) fn number_in(
        &mut self,
        node: Node<'_>,
        name: &str,
        default: f64,
        bound: &Bound,
    ) -> f64 {
        let value = self.number(node, name, default);
        if value == default || bound.contains(value) {
            return value;
        }
        self.out_of_range(node, name, bound);
        default
    }

    /// Reads a vector whose components are within a bound from the child called `name`.
    pub(crate) fn vec3_in(
        &mut self,
        node: Node<'_>,
        name: &str,
        default: Vec3,
        bound: &Bound,
    ) -> Vec3 {
        let value = self.vec3(node, name, default);
        if value == default || value.to_array().iter().all(|&number| bound.contains(number)) {
            return value;
        }
        self.out_of_range(node, name, bound);
        default
    }

    /// Reports that the child called `name` is outside of what can be simulated.
    pub(crate) fn out_of_range(&mut self, node: Node<'_>, name: &str, bound: &Bound) {
        if let Some(child) = node.take(name) {
            self.report_range(child, bound);
        }
    }

    /// Reports that an element is outside of what can be simulated.
    pub(crate) fn report_range(&mut self, node: Node<'_>, bound: &Bound) {
        let message = format!("{} is {:?}", node.path(), shown(node));
        let error = Diagnostic::error("sdf-out-of-range", message).at(node.place());
        self.diagnostics.push(error.help(format!("It must be {}", bound.words)));
    }

    /// Warns that the child called `name` is what nothing can be simulated with, though other
    /// loaders take it, and says what counts in its place.
    pub(crate) fn replaced(&mut self, node: Node<'_>, name: &str, bound: &Bound, by: &str) {
        let Some(child) = node.take(name) else { return };
        let message = format!("{} is {:?}; it counts as {by} now", child.path(), shown(child));
        let warning = Diagnostic::warning("sdf-out-of-range", message).at(child.place());
        self.diagnostics.push(warning.help(format!("It must be {}", bound.words)));
    }

    /// Reads a number that may be infinite from the child called `name`; SDF's 1e16 is infinite.
    pub(crate) fn limit(&mut self, node: Node<'_>, name: &str, default: f64) -> f64 {
        let Some(child) = node.take(name) else { return default };
        match child.text().parse::<f64>() {
            Ok(value) if value.abs() >= SDF_INFINITY => f64::INFINITY.copysign(value),
            Ok(value) if !value.is_nan() => value,
            _ => {
                self.bad_value(child, "a number, or inf");
                default
            }
        }
    }

    /// Reads a vector from the child called `name`.
    pub(crate) fn vec3(&mut self, node: Node<'_>, name: &str, default: Vec3) -> Vec3 {
        match node.take(name) {
            Some(child) => self.numbers::<3>(child).map_or(default, Vec3::from_array),
            None => default,
        }
    }

    /// Reads a flag from the child called `name`.
    pub(crate) fn flag(&mut self, node: Node<'_>, name: &str, default: bool) -> bool {
        let Some(child) = node.take(name) else { return default };
        parsed_flag(child.text()).unwrap_or_else(|| {
            self.bad_value(child, "true or false");
            default
        })
    }

    /// Reads a flag from an attribute.
    pub(crate) fn flag_attribute(&mut self, node: Node<'_>, name: &str, default: bool) -> bool {
        let Some(text) = node.attribute(name) else { return default };
        parsed_flag(text).unwrap_or_else(|| {
            let message = format!("{name}={text:?} is neither true nor false");
            self.error("sdf-bad-value", node.attribute_place(name), message);
            default
        })
    }

    /// Reads a colour of three or four numbers from the child called `name`.
    pub(crate) fn color(&mut self, node: Node<'_>, name: &str, default: Color) -> Color {
        let Some(child) = node.take(name) else { return default };
        let mut color = [0.0, 0.0, 0.0, 1.0];
        let mut count = 0;
        for word in child.text().split_whitespace() {
            match (color.get_mut(count), word.parse::<f32>()) {
                (Some(channel), Ok(value)) if (0.0..=1.0).contains(&value) => *channel = value,
                _ => count = usize::MAX - 1,
            }
            count += 1;
        }
        if !(3..=4).contains(&count) {
            self.bad_value(child, "a colour: red, green, blue and perhaps alpha from 0 to 1");
            return default;
        }
        Color(color)
    }

    /// Reads text from the child called `name`; empty text counts as none.
    pub(crate) fn text(&mut self, node: Node<'_>, name: &str) -> Option<String> {
        node.take(name).map(Node::text).filter(|text| !text.is_empty()).map(str::to_owned)
    }

    /// Reads the `<pose>` of an element, and the frame that it is relative to.
    pub(crate) fn pose(&mut self, node: Node<'_>) -> (Pose, Option<Named>) {
        let Some(child) = node.take("pose") else { return (Pose::IDENTITY, None) };
        let relative_to = named_attribute(child, "relative_to").or_else(|| {
            // What SDF 1.6 and before called it.
            let old = self.version < (1, 7);
            if old { named_attribute(child, "frame") } else { None }
        });
        (self.pose_value(child), relative_to)
    }

    fn pose_value(&mut self, node: Node<'_>) -> Pose {
        if node.text().is_empty() {
            return Pose::IDENTITY;
        }
        let pose = self.written_pose(node);
        let bound = bounds::COORDINATE_M;
        if pose.position.to_array().iter().all(|&coordinate| bound.contains(coordinate)) {
            return pose;
        }
        self.report_range(node, &bound);
        Pose::IDENTITY
    }

    fn written_pose(&mut self, node: Node<'_>) -> Pose {
        let degrees = self.flag_attribute(node, "degrees", false);
        match node.attribute("rotation_format").unwrap_or("euler_rpy") {
            "quat_xyzw" => {
                let read = self.numbers::<7>(node);
                read.map_or(Pose::IDENTITY, |[x, y, z, qx, qy, qz, qw]| {
                    Pose::new(Vec3::new(x, y, z), unit_quat(Quat::from_xyzw(qx, qy, qz, qw)))
                })
            }
            "euler_rpy" => {
                let read = self.numbers::<6>(node);
                read.map_or(Pose::IDENTITY, |[x, y, z, roll, pitch, yaw]| {
                    let angles = Vec3::new(roll, pitch, yaw);
                    let rpy_rad = if degrees { angles.map(f64::to_radians) } else { angles };
                    Pose::new(Vec3::new(x, y, z), quat_from_rpy(rpy_rad))
                })
            }
            other => {
                let message = format!("rotation_format={other:?} is not known");
                let error = Diagnostic::error("sdf-bad-value", message)
                    .at(node.attribute_place("rotation_format"));
                self.diagnostics.push(error.help("Known: euler_rpy, quat_xyzw"));
                Pose::IDENTITY
            }
        }
    }

    /// Reads exactly `N` finite numbers from the text of an element.
    pub(crate) fn numbers<const N: usize>(&mut self, node: Node<'_>) -> Option<[f64; N]> {
        let mut values = [0.0; N];
        let mut words = node.text().split_whitespace();
        let filled = values.iter_mut().all(|slot| {
            let word = words.next().and_then(|word| word.parse::<f64>().ok());
            word.filter(|value| value.is_finite()).map(|value| *slot = value).is_some()
        });
        if filled {
            if words.next().is_some() {
                let message = format!("<{}> takes {N} numbers; the rest is ignored", node.name());
                self.warning("sdf-extra-numbers", node.place(), message);
            }
            return Some(values);
        }
        let expected = match N {
            1 => "a finite number".to_owned(),
            count => format!("{count} finite numbers"),
        };
        self.bad_value(node, &expected);
        None
    }

    /// Reports that the text of an element is not what it should be.
    pub(crate) fn bad_value(&mut self, node: Node<'_>, expected: &str) {
        let message = format!("<{}> is {:?}", node.name(), shown(node));
        self.unreadable = true;
        let error = Diagnostic::error("sdf-bad-value", message).at(node.place());
        self.diagnostics.push(error.help(format!("Write {expected}")));
    }
}

/// The start of an element's text, long enough to know it again.
fn shown(node: Node<'_>) -> String {
    node.text().chars().take(60).collect()
}

/// Reads an attribute that names something; an empty one counts as none.
pub(crate) fn named_attribute(node: Node<'_>, attribute: &str) -> Option<Named> {
    let name = node.attribute(attribute).map(str::trim).filter(|name| !name.is_empty())?;
    Some(Named { name: name.to_owned(), place: node.attribute_place(attribute) })
}

fn parsed_flag(text: &str) -> Option<bool> {
    match text.trim().to_ascii_lowercase().as_str() {
        "true" | "1" => Some(true),
        "false" | "0" => Some(false),
        _ => None,
    }
}
