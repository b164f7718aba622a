//! Shapes as Foxglove and others draw them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use retake_assets::{Submesh, TriMesh, load_mesh};
use retake_description::{Color, Geometry};
use retake_math::{Pose, Vec3};
use retake_msgs::foxglove::{self, SceneEntity};

use super::scene::{quaternion, vector};

/// Meshes with more triangles are not drawn elsewhere: each change of the scene tells all of them.
const MAX_TRIANGLES: usize = 50_000;
/// Thickness of planes, which are infinitely thin, and edge of those that are infinitely wide.
const PLANE: (f64, f64) = (0.001, 100.0);

/// Where a shape is, and its colour.
#[derive(Clone, Copy)]
pub(super) struct Look {
    pub(super) pose: Pose,
    pub(super) color: Color,
}

/// Triangles of mesh files; none for a file that cannot be read or is too large.
#[derive(Default)]
pub(super) struct Meshes(BTreeMap<(PathBuf, Option<String>, bool), Option<Arc<TriMesh>>>);

/// Adds a shape to an entity; what others have no shape for is left out.
pub(super) fn put_shape(
    entity: &mut SceneEntity,
    shape: &Geometry,
    look: Look,
    meshes: &mut Meshes,
) {
    let (pose, color) = (Some(pose_of(&look.pose)), Some(color_of(look.color)));
    let round = |size: Vec3, top_scale: f64| foxglove::CylinderPrimitive {
        pose,
        size: Some(vector(size)),
        bottom_scale: 1.0,
        top_scale,
        color,
    };
    match shape {
        Geometry::Empty | Geometry::Heightmap { .. } | Geometry::Polyline(_) => {}
        Geometry::Box { size } => {
            let size = Some(vector(*size));
            entity.cubes.push(foxglove::CubePrimitive { pose, size, color });
        }
        Geometry::Sphere { radius } => {
            let size = Some(vector(Vec3::splat(2.0 * radius)));
            entity.spheres.push(foxglove::SpherePrimitive { pose, size, color });
        }
        Geometry::Ellipsoid { radii } => {
            let size = Some(vector(2.0 * *radii));
            entity.spheres.push(foxglove::SpherePrimitive { pose, size, color });
        }
        Geometry::Cylinder { radius, length } => {
            entity.cylinders.push(round(across(*radius, *length), 1.0));
        }
        Geometry::Cone { radius, length } => {
            entity.cylinders.push(round(across(*radius, *length), 0.0));
        }
        Geometry::Capsule { radius, length } => {
            entity.cylinders.push(round(across(*radius, *length), 1.0));
            for end in [-0.5, 0.5] {
                let at = look.pose * Pose::from_position(Vec3::Z * (end * length));
                let size = Some(vector(Vec3::splat(2.0 * radius)));
                let pose = Some(pose_of(&at));
                entity.spheres.push(foxglove::SpherePrimitive { pose, size, color });
            }
        }
        Geometry::Plane { normal, size } => {
            let lies = retake_math::Quat::from_rotation_arc(Vec3::Z, *normal);
            let pose = Some(pose_of(&(look.pose * Pose::new(Vec3::ZERO, lies))));
            let [x, y] = size.map(|edge| edge.min(PLANE.1));
            let size = Some(vector(Vec3::new(x, y, PLANE.0)));
            entity.cubes.push(foxglove::CubePrimitive { pose, size, color });
        }
        Geometry::Mesh { path, scale, submesh, center_submesh, .. } => {
            if let Some(mesh) = meshes.find(path, submesh.as_deref(), *center_submesh) {
                entity.triangles.push(triangles(&mesh, *scale, look));
            }
        }
    }
}

impl Meshes {
    fn find(&mut self, path: &Path, submesh: Option<&str>, center: bool) -> Option<Arc<TriMesh>> {
        let key = (path.to_owned(), submesh.map(str::to_owned), center);
        let load = || {
            let part = submesh.map(|name| Submesh { name, center });
            // The server has told of files that cannot be read.
            let mesh = load_mesh(path, part).ok()?;
            (mesh.indices.len() <= MAX_TRIANGLES).then(|| Arc::new(mesh))
        };
        self.0.entry(key).or_insert_with(load).clone()
    }
}

fn triangles(mesh: &TriMesh, scale: Vec3, look: Look) -> foxglove::TriangleListPrimitive {
    let scaled = |[x, y, z]: &[f32; 3]| {
        let point = Vec3::new(f64::from(*x), f64::from(*y), f64::from(*z)) * scale;
        foxglove::Point3 { x: point.x, y: point.y, z: point.z }
    };
    foxglove::TriangleListPrimitive {
        pose: Some(pose_of(&look.pose)),
        points: mesh.positions.iter().map(scaled).collect(),
        color: Some(color_of(look.color)),
        colors: Vec::new(),
        indices: mesh.indices.iter().flatten().copied().collect(),
    }
}

fn across(radius: f64, length: f64) -> Vec3 {
    Vec3::new(2.0 * radius, 2.0 * radius, length)
}

fn pose_of(pose: &Pose) -> foxglove::Pose {
    foxglove::Pose { position: Some(vector(pose.position)), orientation: Some(quaternion(pose)) }
}

fn color_of(color: Color) -> foxglove::Color {
    let [r, g, b, a] = color.0.map(f64::from);
    foxglove::Color { r, g, b, a }
}
