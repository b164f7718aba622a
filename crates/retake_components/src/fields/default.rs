//! What a component, a part of it or a shape of another kind begins with.

use retake_description::{
    ConvexParts, Geometry, JointAxis, JointKind, Material, MeshUse, Mimic, Pbr, Polyline,
    SphericalCoordinates,
};
use retake_ecm::{Component, EntityId};
use retake_math::{Pose, Vec3};
use rmpv::Value;

use super::path::{entry, entry_mut};
use super::tree::tree_of;
use crate::{JointSpec, Shape, VisualMaterial, WorldText};

/// Returns what a component begins with on an entity that can have it but does not.
pub fn default_component(component: &str) -> Option<Value> {
    (component == VisualMaterial::NAME).then(|| tree_of(VisualMaterial(Material::default())))
}

/// Returns what a part begins with that is not there; `*` stands for a position in a list.
pub(super) fn part(component: &str, path: &str) -> Option<Value> {
    let whole = match (component, path) {
        (VisualMaterial::NAME, "pbr") => {
            let material = Material { pbr: Some(Pbr::default()), ..Material::default() };
            return entry(&tree_of(VisualMaterial(material)), "pbr").cloned();
        }
        (WorldText::NAME, "spherical_coordinates") => tree_of(WorldText {
            magnetic_field: Vec3::ZERO,
            wind: Vec3::ZERO,
            spherical_coordinates: Some(SphericalCoordinates {
                surface_model: "EARTH_WGS84".to_owned(),
                latitude_deg: 0.0,
                longitude_deg: 0.0,
                elevation: 0.0,
                heading_deg: 0.0,
            }),
        }),
        (JointSpec::NAME, "axes.*.mimic") => return mimic(),
        _ => return None,
    };
    entry(&whole, path).cloned()
}

fn mimic() -> Option<Value> {
    let none = Mimic { joint: String::new(), multiplier: 1.0, offset: 0.0, reference: 0.0 };
    entry(&axis(JointAxis { mimic: Some(none), ..JointAxis::default() })?, "mimic").cloned()
}

/// The tree of an axis.
fn axis(axis: JointAxis) -> Option<Value> {
    let spec = JointSpec {
        kind: JointKind::Revolute,
        parent: None,
        child: EntityId::FIRST,
        child_from_joint: Pose::IDENTITY,
        axes: vec![axis],
        thread_pitch: 0.0,
        gearbox_ratio: 1.0,
    };
    entry(&tree_of(spec), "axes")?.as_array()?.first().cloned()
}

/// Gives a joint as many axes as its kind has.
pub(super) fn fit_axes(joint: &mut Value) {
    let kind = entry(joint, "kind").and_then(Value::as_str).and_then(JointKind::from_name);
    let (Some(kind), Some(Value::Array(axes))) = (kind, entry_mut(joint, "axes")) else { return };
    axes.resize(kind.axis_count(), axis(JointAxis::default()).unwrap_or(Value::Nil));
}

/// Returns another kind of what stands at a path.
pub(super) fn variant(component: &str, path: &str, wanted: &str, present: &Value) -> Option<Value> {
    match (component, path) {
        (Shape::NAME, "") => Some(tree_of(Shape(shape(wanted, size_of(present))?))),
        (Shape::NAME, "mesh.collide_as") => {
            let collide_as = match wanted {
                "convex_hull" => MeshUse::ConvexHull,
                "convex_parts" => MeshUse::ConvexParts(ConvexParts::default()),
                _ => MeshUse::Triangles,
            };
            let Geometry::Mesh { uri, path, scale, submesh, center_submesh, .. } = mesh() else {
                return None;
            };
            let mesh = Geometry::Mesh { uri, path, scale, submesh, center_submesh, collide_as };
            let tree = tree_of(Shape(mesh));
            entry(entry(&tree, "mesh")?, "collide_as").cloned()
        }
        _ => None,
    }
}

fn mesh() -> Geometry {
    Geometry::Mesh {
        uri: String::new(),
        path: std::path::PathBuf::new(),
        scale: Vec3::ONE,
        submesh: None,
        center_submesh: false,
        collide_as: MeshUse::default(),
    }
}

/// Makes a shape of a kind about as large as `size` along each axis.
fn shape(kind: &str, size: Vec3) -> Option<Geometry> {
    let across = (size.x + size.y) / 4.0;
    Some(match kind {
        "empty" => Geometry::Empty,
        "box" => Geometry::Box { size },
        "sphere" => Geometry::Sphere { radius: size.element_product().cbrt() / 2.0 },
        "cylinder" => Geometry::Cylinder { radius: across, length: size.z },
        "cone" => Geometry::Cone { radius: across, length: size.z },
        "ellipsoid" => Geometry::Ellipsoid { radii: size / 2.0 },
        "capsule" => {
            // What is not longer than wide keeps a part between its ends.
            let length = (size.z - 2.0 * across).max(across);
            Geometry::Capsule { radius: across, length }
        }
        "plane" => Geometry::Plane { normal: Vec3::Z, size: [size.x, size.y] },
        "mesh" => mesh(),
        "heightmap" => Geometry::Heightmap {
            uri: String::new(),
            path: std::path::PathBuf::new(),
            size,
            position: Vec3::ZERO,
        },
        "polyline" => {
            let (x, y) = (size.x / 2.0, size.y / 2.0);
            let outlines = vec![vec![[-x, -y], [x, -y], [x, y], [-x, y]]];
            Geometry::Polyline(Polyline { outlines, height: size.z })
        }
        _ => return None,
    })
}

/// Returns how large the shape in a tree is along each axis, in metres; one where nobody knows.
fn size_of(tree: &Value) -> Vec3 {
    let Some((kind, inside)) = tree.as_map().and_then(|entries| entries.first()) else {
        return Vec3::ONE;
    };
    let number = |key: &str| entry(inside, key).and_then(Value::as_f64).unwrap_or(1.0);
    let vector = |key: &str| {
        let numbers = entry(inside, key).and_then(Value::as_array);
        let at = |index: usize| numbers.and_then(|all| all.get(index)?.as_f64()).unwrap_or(1.0);
        Vec3::new(at(0), at(1), at(2))
    };
    let round = |length: f64| {
        let width = 2.0 * number("radius");
        Vec3::new(width, width, length)
    };
    match kind.as_str() {
        Some("box") => vector("size"),
        Some("heightmap") => vector("size").abs(),
        Some("sphere") => round(2.0 * number("radius")),
        Some("cylinder" | "cone") => round(number("length")),
        Some("capsule") => round(number("length") + 2.0 * number("radius")),
        Some("ellipsoid") => vector("radii") * 2.0,
        Some("polyline") => outline_size(inside),
        _ => Vec3::ONE,
    }
}

fn outline_size(polyline: &Value) -> Vec3 {
    let height = entry(polyline, "height").and_then(Value::as_f64).unwrap_or(1.0);
    let outlines = entry(polyline, "outlines").and_then(Value::as_array);
    let points = outlines.into_iter().flatten().filter_map(Value::as_array).flatten();
    let coordinate = |point: &Value, axis: usize| point.as_array()?.get(axis)?.as_f64();
    let mut reach = [0.0f64; 2];
    for point in points {
        for (axis, reach) in reach.iter_mut().enumerate() {
            *reach = reach.max(coordinate(point, axis).unwrap_or(0.0).abs());
        }
    }
    let width = |reach: f64| if reach > 0.0 { 2.0 * reach } else { 1.0 };
    Vec3::new(width(reach[0]), width(reach[1]), height)
}
