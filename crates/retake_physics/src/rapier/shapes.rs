//! Shapes.
//!
//! The engine's cylinders and cones stand along y, ours along z. Planes are half spaces.
//! Ellipsoids, and polylines, are convex hulls of points. Triangle meshes collide with their
//! triangles, moving or not, unless the description asks for a hull or for convex parts.

use std::f64::consts::{FRAC_PI_2, PI, TAU};
use std::panic::{self, AssertUnwindSafe};

use rapier3d_f64::prelude::{SharedShape, TriMeshFlags};
use retake_description::{Geometry, MeshUse, Polyline};
use retake_ecm::EntityId;
use retake_math::{Pose, Quat, Vec3};

use super::note;
use crate::{ColliderSpec, EngineError, EngineNote, MeshData, check};

/// A shape and its place in the frame of the collision.
pub(super) struct Shape {
    pub(super) shape: SharedShape,
    pub(super) collision_from_shape: Pose,
}

impl From<SharedShape> for Shape {
    fn from(shape: SharedShape) -> Self {
        Self { shape, collision_from_shape: Pose::IDENTITY }
    }
}

/// Makes the shape of a collision; none when there is nothing that collides.
pub(super) fn shape(
    spec: &ColliderSpec,
    notes: &mut Vec<EngineNote>,
) -> Result<Option<Shape>, EngineError> {
    // Hulls and decompositions of degenerate points can panic inside the library.
    panic::catch_unwind(AssertUnwindSafe(|| make(spec, notes)))
        .unwrap_or_else(|_| Err(bad(spec.collision, "its points are degenerate")))
}

fn make(spec: &ColliderSpec, notes: &mut Vec<EngineNote>) -> Result<Option<Shape>, EngineError> {
    let id = spec.collision;
    let made = match &spec.geometry {
        Geometry::Empty => return Ok(None),
        Geometry::Box { size } => cuboid(id, *size)?.into(),
        Geometry::Sphere { radius } => SharedShape::ball(length(id, "radius", *radius)?).into(),
        Geometry::Cylinder { radius, length: height } => {
            let (radius, half) = (length(id, "radius", *radius)?, half(id, *height)?);
            along_z(SharedShape::cylinder(half, radius))
        }
        Geometry::Cone { radius, length: height } => {
            let (radius, half) = (length(id, "radius", *radius)?, half(id, *height)?);
            along_z(SharedShape::cone(half, radius))
        }
        Geometry::Capsule { radius, length: height } => {
            let (radius, half) = (length(id, "radius", *radius)?, half(id, *height)?);
            SharedShape::capsule_z(half, radius).into()
        }
        Geometry::Ellipsoid { radii } => hull(id, &ellipsoid_points(id, *radii)?)?.into(),
        Geometry::Plane { normal, .. } => {
            check::vector(id, "normal", *normal)?;
            check::positive(id, "length of normal", normal.length())?;
            SharedShape::halfspace(normal.normalize()).into()
        }
        Geometry::Polyline(outline) => hull(id, &prism_points(id, outline, notes)?)?.into(),
        Geometry::Mesh { collide_as, .. } => match &spec.mesh {
            Some(mesh) => triangles(id, mesh, *collide_as)?.into(),
            None => {
                return Ok(skipped(id, "the mesh is not loaded, so it does not collide", notes));
            }
        },
        Geometry::Heightmap { .. } => {
            return Ok(skipped(id, "heightmaps do not collide yet; use a mesh", notes));
        }
    };
    Ok(Some(made))
}

fn skipped(id: EntityId, message: &str, notes: &mut Vec<EngineNote>) -> Option<Shape> {
    note(notes, id, message);
    None
}

fn length(id: EntityId, field: &'static str, value: f64) -> Result<f64, EngineError> {
    check::length(id, field, value).map(|()| value)
}

fn half(id: EntityId, value: f64) -> Result<f64, EngineError> {
    length(id, "length", value).map(|value| value * 0.5)
}

fn cuboid(id: EntityId, size: Vec3) -> Result<SharedShape, EngineError> {
    let half = Vec3::new(
        length(id, "size.x", size.x)?,
        length(id, "size.y", size.y)?,
        length(id, "size.z", size.z)?,
    ) * 0.5;
    Ok(SharedShape::cuboid(half.x, half.y, half.z))
}

fn along_z(shape: SharedShape) -> Shape {
    let y_to_z = Quat::from_rotation_x(FRAC_PI_2);
    Shape { shape, collision_from_shape: Pose::new(Vec3::ZERO, y_to_z) }
}

/// Points on an ellipsoid, dense enough that the hull is within 1 % of its radii.
fn ellipsoid_points(id: EntityId, radii: Vec3) -> Result<Vec<Vec3>, EngineError> {
    let radii = Vec3::new(
        length(id, "radii.x", radii.x)?,
        length(id, "radii.y", radii.y)?,
        length(id, "radii.z", radii.z)?,
    );
    const RINGS: u32 = 14;
    const SECTORS: u32 = 28;
    let mut points = vec![radii * Vec3::Z, radii * Vec3::NEG_Z];
    for ring in 1..RINGS {
        let (sin_polar, cos_polar) = (PI * f64::from(ring) / f64::from(RINGS)).sin_cos();
        for sector in 0..SECTORS {
            let (sin, cos) = (TAU * f64::from(sector) / f64::from(SECTORS)).sin_cos();
            points.push(radii * Vec3::new(sin_polar * cos, sin_polar * sin, cos_polar));
        }
    }
    Ok(points)
}

fn prism_points(
    id: EntityId,
    polyline: &Polyline,
    notes: &mut Vec<EngineNote>,
) -> Result<Vec<Vec3>, EngineError> {
    let height = length(id, "height", polyline.height)?;
    if polyline.outlines.len() > 1 || polyline.outlines.iter().any(|outline| !is_convex(outline)) {
        note(notes, id, "the outline is not convex; its convex hull collides");
    }
    let corners = polyline.outlines.iter().flatten();
    let points = corners.flat_map(|[x, y]| [Vec3::new(*x, *y, 0.0), Vec3::new(*x, *y, height)]);
    Ok(points.collect())
}

fn is_convex(outline: &[[f64; 2]]) -> bool {
    let count = outline.len();
    let turn = |i: usize| {
        let ([ax, ay], [bx, by], [cx, cy]) =
            (outline[i], outline[(i + 1) % count], outline[(i + 2) % count]);
        (bx - ax) * (cy - by) - (by - ay) * (cx - bx)
    };
    (0..count).all(|i| turn(i) >= 0.0) || (0..count).all(|i| turn(i) <= 0.0)
}

fn triangles(
    id: EntityId,
    mesh: &MeshData,
    collide_as: MeshUse,
) -> Result<SharedShape, EngineError> {
    let corners = mesh.positions.len();
    if mesh.indices.iter().flatten().any(|index| *index as usize >= corners) {
        return Err(bad(id, "a triangle names a corner that is not there"));
    }
    finite_points(id, &mesh.positions)?;
    if mesh.indices.is_empty() {
        return Err(bad(id, "the mesh has no triangles"));
    }
    match collide_as {
        MeshUse::ConvexHull => hull(id, &mesh.positions),
        MeshUse::ConvexParts => {
            Ok(SharedShape::convex_decomposition(&mesh.positions, &mesh.indices))
        }
        MeshUse::Triangles => {
            let flags = TriMeshFlags::MERGE_DUPLICATE_VERTICES
                | TriMeshFlags::DELETE_DEGENERATE_TRIANGLES
                | TriMeshFlags::DELETE_DUPLICATE_TRIANGLES
                // Meshes in the wild turn their triangles either way.
                | TriMeshFlags::FIX_INTERNAL_EDGES_TWO_SIDED;
            let (positions, indices) = (mesh.positions.clone(), mesh.indices.clone());
            SharedShape::trimesh_with_flags(positions, indices, flags)
                .map_err(|error| bad(id, &error.to_string()))
        }
    }
}

fn hull(id: EntityId, points: &[Vec3]) -> Result<SharedShape, EngineError> {
    finite_points(id, points)?;
    if points.len() < 4 {
        return Err(bad(id, "a convex hull needs four points that are not in one plane"));
    }
    SharedShape::convex_hull(points)
        .ok_or_else(|| bad(id, "its points are all in one plane or on one line"))
}

fn finite_points(id: EntityId, points: &[Vec3]) -> Result<(), EngineError> {
    points.iter().try_for_each(|point| check::point(id, *point))
}

fn bad(collision: EntityId, reason: &str) -> EngineError {
    EngineError::BadShape { collision, reason: reason.to_owned() }
}
