//! Shapes that URDF has, and what stands for those that it has not.

use retake_description::{Element, Geometry};
use retake_math::{Pose, Vec3};

use super::super::tree::{Build, element};
use super::super::value::{number, numbers};

/// Writes a shape at a place; as several ones, or one around it, when URDF has no word for it.
pub(super) fn shapes(
    shape: &Geometry,
    place: Pose,
    what: &str,
    notes: &mut Vec<String>,
) -> Vec<(Pose, Element)> {
    let made = match shape {
        Geometry::Empty => return Vec::new(),
        Geometry::Box { size } => boxed(*size),
        Geometry::Sphere { radius } => sphere(*radius),
        Geometry::Cylinder { radius, length } => cylinder(*radius, *length),
        Geometry::Capsule { radius, length } => return capsule(*radius, *length, place),
        Geometry::Ellipsoid { radii } => {
            notes.push(format!("{what} is an ellipsoid: written as the box around it"));
            boxed(*radii * 2.0)
        }
        Geometry::Cone { radius, length } => {
            notes.push(format!("{what} is a cone: written as the cylinder around it"));
            cylinder(*radius, *length)
        }
        Geometry::Mesh { path, scale, .. } => {
            let file = format!("file://{}", path.display());
            let made = element("mesh").with("filename", &file);
            made.with("scale", &numbers(&scale.to_array()))
        }
        Geometry::Plane { .. } | Geometry::Heightmap { .. } | Geometry::Polyline(_) => {
            notes.push(format!("{what} is a {}, which URDF has not: left out", shape.kind()));
            return Vec::new();
        }
    };
    vec![(place, geometry(made))]
}

fn geometry(shape: Element) -> Element {
    element("geometry").holding(vec![shape])
}

fn boxed(size: Vec3) -> Element {
    element("box").with("size", &numbers(&size.to_array()))
}

fn sphere(radius: f64) -> Element {
    element("sphere").with("radius", &number(radius))
}

fn cylinder(radius: f64, length: f64) -> Element {
    element("cylinder").with("radius", &number(radius)).with("length", &number(length))
}

/// A cylinder and a ball at each end are exactly a capsule.
fn capsule(radius: f64, length: f64, place: Pose) -> Vec<(Pose, Element)> {
    let end = |z: f64| place * Pose::from_position(Vec3::new(0.0, 0.0, z));
    vec![
        (place, geometry(cylinder(radius, length))),
        (end(length / 2.0), geometry(sphere(radius))),
        (end(-length / 2.0), geometry(sphere(radius))),
    ]
}
