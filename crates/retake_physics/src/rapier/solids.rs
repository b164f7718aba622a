//! Shapes that take time: triangles, hulls, convex parts, terrain, outlines, ellipsoids.
//!
//! Any thread may make them. Triangle meshes collide with their triangles, moving or not, unless
//! the description asks for a hull or for convex parts. Ellipsoids are hulls of points, and outlines
//! are convex prisms side by side.

use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;

use rapier3d_f64::parry::shape::HeightFieldFlags;
use rapier3d_f64::parry::transformation::try_convex_hull;
use rapier3d_f64::parry::utils::Array2;
use rapier3d_f64::prelude::{SharedShape, TriMeshFlags};
use retake_assets::{Heightmap, OutlineError, cut_outlines};
use retake_description::bounds::{self, Bound};
use retake_description::{Geometry, MeshUse, Polyline};
use retake_math::{Pose, Vec3, mesh_mass_properties};

use super::parts;
use super::shapes::{Shape, along_z};
use crate::shape::{
    CORNER_BYTES, HEIGHT_BYTES, HULL_CORNER_BYTES, MAX_HULL_CORNERS, TRIANGLE_BYTES,
};
use crate::{MeshData, PreparedShape, ShapeSource};

/// Directions along one edge of a cube's face in which points are looked for.
const DIRECTIONS: u32 = 11;

/// A shape in the making, with what is not as asked.
pub(super) struct Made {
    pub(super) shape: Shape,
    pub(super) bytes: usize,
    pub(super) remarks: Vec<String>,
}

impl Made {
    pub(super) fn new(shape: impl Into<Shape>, bytes: usize) -> Self {
        Self { shape: shape.into(), bytes, remarks: Vec::new() }
    }

    fn remark(mut self, text: impl Into<String>) -> Self {
        self.remarks.push(text.into());
        self
    }
}

/// Makes a shape; the reason tells why there is none.
pub(super) fn make(source: &ShapeSource<'_>) -> Result<PreparedShape, String> {
    // Hulls and decompositions of degenerate points can panic inside the library.
    let made = panic::catch_unwind(AssertUnwindSafe(|| match source {
        ShapeSource::Mesh { mesh, collide_as } => triangles(mesh, *collide_as),
        ShapeSource::Terrain { heights, size, position } => terrain(heights, *size, *position),
        ShapeSource::Plain(Geometry::Ellipsoid { radii }) => ellipsoid(*radii),
        ShapeSource::Plain(Geometry::Polyline(outlines)) => prisms(outlines),
        ShapeSource::Plain(other) => Err(format!("a {} needs a file", other.kind())),
    }));
    let made = made.unwrap_or_else(|_| Err("its points are degenerate".to_owned()))?;
    let is_used = |shape: &Shape| Arc::strong_count(&shape.shape.0) > 1;
    Ok(PreparedShape::new(made.bytes, made.remarks, made.shape, is_used))
}

fn triangles(mesh: &MeshData, collide_as: MeshUse) -> Result<Made, String> {
    let corners = mesh.positions.len();
    if mesh.indices.iter().flatten().any(|index| *index as usize >= corners) {
        return Err("a triangle names a corner that is not there".to_owned());
    }
    points_within(&mesh.positions)?;
    if mesh.indices.is_empty() {
        return Err("the mesh has no triangles".to_owned());
    }
    match collide_as {
        MeshUse::ConvexHull => hull(&used_points(mesh)),
        MeshUse::ConvexParts(wanted) => parts::decompose(mesh, wanted),
        MeshUse::Triangles => {
            let flags = TriMeshFlags::MERGE_DUPLICATE_VERTICES
                | TriMeshFlags::DELETE_DEGENERATE_TRIANGLES
                | TriMeshFlags::DELETE_DUPLICATE_TRIANGLES
                // Meshes in the wild turn their triangles either way.
                | TriMeshFlags::FIX_INTERNAL_EDGES_TWO_SIDED;
            let (positions, indices) = (mesh.positions.clone(), mesh.indices.clone());
            let shape = SharedShape::trimesh_with_flags(positions, indices, flags);
            let shape = shape.map_err(|error| error.to_string())?;
            Ok(Made::new(shape, corners * CORNER_BYTES + mesh.indices.len() * TRIANGLE_BYTES))
        }
    }
}

/// Corners that triangles use: a file may have others that belong to no surface.
fn used_points(mesh: &MeshData) -> Vec<Vec3> {
    let mut used: Vec<u32> = mesh.indices.iter().flatten().copied().collect();
    used.sort_unstable();
    used.dedup();
    used.into_iter().map(|index| mesh.positions[index as usize]).collect()
}

/// Makes the hull of points.
pub(super) fn hull(points: &[Vec3]) -> Result<Made, String> {
    points_within(points)?;
    let flat = || "its points are all in one plane or on one line".to_owned();
    if points.len() < 4 {
        return Err(flat());
    }
    let (corners, faces) = try_convex_hull(points).map_err(|_| flat())?;
    if !is_solid(&corners, &faces) {
        return Err(flat());
    }
    let found = corners.len();
    let few = if found > MAX_HULL_CORNERS { outermost(&corners) } else { corners };
    let shape = SharedShape::convex_hull(&few).ok_or_else(flat)?;
    let made = Made::new(shape, few.len() * HULL_CORNER_BYTES);
    if few.len() == found {
        return Ok(made);
    }
    Ok(made.remark(format!(
        "the convex hull has {found} corners; the {} outermost of them collide",
        few.len()
    )))
}

/// Least volume of a hull in cubes of its extent: below is rounding.
const LEAST_VOLUME: f64 = 1e-9;

/// Says whether a hull encloses more than next to nothing.
pub(super) fn is_solid(corners: &[Vec3], faces: &[[u32; 3]]) -> bool {
    let low = corners.iter().copied().fold(Vec3::INFINITY, Vec3::min);
    let high = corners.iter().copied().fold(Vec3::NEG_INFINITY, Vec3::max);
    let least = (high - low).max_element().powi(3) * LEAST_VOLUME;
    mesh_mass_properties(corners, faces).is_some_and(|solid| solid.mass_kg > least)
}

/// Picks the points that are farthest out in evenly spread directions.
pub(super) fn outermost(points: &[Vec3]) -> Vec<Vec3> {
    let farthest = |direction: Vec3| {
        let along = |at: &usize| points[*at].dot(direction);
        (0..points.len()).max_by(|a, b| along(a).total_cmp(&along(b)))
    };
    let mut kept: Vec<usize> = directions().filter_map(farthest).collect();
    kept.sort_unstable();
    kept.dedup();
    kept.into_iter().map(|at| points[at]).collect()
}

/// Directions through a grid on each face of a cube, the six axes among them.
///
/// Made without sines, whose last digits differ between platforms.
fn directions() -> impl Iterator<Item = Vec3> {
    let at = |step: u32| f64::from(step) * 2.0 / f64::from(DIRECTIONS - 1) - 1.0;
    let cells = (0..DIRECTIONS).flat_map(|u| (0..DIRECTIONS).map(move |v| (u, v)));
    cells.flat_map(move |(u, v)| {
        let (u, v) = (at(u), at(v));
        [1.0, -1.0].into_iter().flat_map(move |side| {
            [Vec3::new(side, u, v), Vec3::new(u, side, v), Vec3::new(u, v, side)]
        })
    })
}

/// The hull of points on an ellipsoid, dense enough to be within 1 % of its radii; exact where
/// the axes go through it.
fn ellipsoid(radii: Vec3) -> Result<Made, String> {
    within("radii.x", radii.x, &bounds::SIZE_M)?;
    within("radii.y", radii.y, &bounds::SIZE_M)?;
    within("radii.z", radii.z, &bounds::SIZE_M)?;
    if radii.x == radii.y && radii.y == radii.z {
        return Ok(Made::new(SharedShape::ball(radii.x), size_of::<Vec3>()));
    }
    let points: Vec<Vec3> = directions().map(|direction| direction.normalize() * radii).collect();
    hull(&points)
}

/// A convex prism for each convex piece of the outlines.
fn prisms(polyline: &Polyline) -> Result<Made, String> {
    let height = polyline.height;
    within("height", height, &bounds::SIZE_M)?;
    let area = match cut_outlines(&polyline.outlines) {
        Ok(area) => area,
        Err(error @ OutlineError::Crossing) => {
            let flat: Vec<[f64; 2]> = polyline.outlines.iter().flatten().copied().collect();
            let made = hull(&prism(&flat, height))?;
            return Ok(made.remark(format!("{error}; its convex hull collides")));
        }
        Err(error) => return Err(error.to_string()),
    };
    let hulls = area.pieces.iter().map(|piece| {
        let corners: Vec<[f64; 2]> = piece.iter().map(|at| area.corners[*at as usize]).collect();
        hull(&prism(&corners, height))
    });
    together(hulls.collect::<Result<Vec<Made>, String>>()?)
}

fn prism(outline: &[[f64; 2]], height: f64) -> Vec<Vec3> {
    let ends = |&[x, y]: &[f64; 2]| [Vec3::new(x, y, 0.0), Vec3::new(x, y, height)];
    outline.iter().flat_map(ends).collect()
}

/// Makes one shape of several convex ones.
pub(super) fn together(mut parts: Vec<Made>) -> Result<Made, String> {
    match parts.len() {
        0 => Err("nothing of it is solid".to_owned()),
        1 => Ok(parts.remove(0)),
        _ => {
            let bytes = parts.iter().map(|part| part.bytes).sum();
            let remarks = parts.iter_mut().flat_map(|part| part.remarks.drain(..)).collect();
            let place = rapier3d_f64::math::Pose::IDENTITY;
            let shapes = parts.into_iter().map(|part| (place, part.shape.shape)).collect();
            Ok(Made { shape: SharedShape::compound(shapes).into(), bytes, remarks })
        }
    }
}

/// Terrain: the engine's rows go along its z, which is our -y, from the top of the image down.
fn terrain(heights: &Heightmap, size: Vec3, position: Vec3) -> Result<Made, String> {
    within("size.x", size.x, &bounds::SIZE_M)?;
    within("size.y", size.y, &bounds::SIZE_M)?;
    within("size.z", size.z, &bounds::POINT_M)?;
    for coordinate in position.to_array() {
        within("pos", coordinate, &bounds::COORDINATE_M)?;
    }
    let (rows, columns) = (heights.rows(), heights.columns());
    let grid = Array2::from_fn(rows, columns, |row, column| heights.height_m(row, column, size.z));
    let scale = Vec3::new(size.x, 1.0, size.y);
    let flags = HeightFieldFlags::FIX_INTERNAL_EDGES;
    let upright = along_z(SharedShape::heightfield_with_flags(grid, scale, flags));
    let collision_from_shape = Pose::from_position(position) * upright.collision_from_shape;
    Ok(Made::new(Shape { collision_from_shape, ..upright }, rows * columns * HEIGHT_BYTES))
}

fn points_within(points: &[Vec3]) -> Result<(), String> {
    let out = |point: &&Vec3| !point.to_array().iter().all(|&x| bounds::POINT_M.contains(x));
    match points.iter().find(out) {
        None => Ok(()),
        Some(point) => Err(format!("its point {point} is outside of {}", bounds::POINT_M.words)),
    }
}

fn within(field: &str, value: f64, bound: &Bound) -> Result<(), String> {
    if bound.contains(value) {
        return Ok(());
    }
    Err(format!("{field} is {value}; it must be {}", bound.words))
}
