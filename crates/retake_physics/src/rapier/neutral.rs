//! Shapes that were made for this engine, as another one can read them.
//!
//! One library of shapes serves all engines, and it makes them for Rapier: a profile may change the
//! engine at any time, and no file is read again for that.

use retake_math::{Pose, Vec3};
use serde::{Deserialize, Serialize};

use super::convert::from_rapier;
use super::shapes::Shape;
use crate::PreparedShape;

/// A shape without a word of any engine, in the frame of the collision.
pub(crate) enum Solid {
    /// A ball.
    Ball(f64),
    /// Convex parts, each by its corners.
    Hulls(Vec<Vec<Vec3>>),
    /// The corners of triangles that need not be convex.
    Triangles(Vec<Vec3>),
    /// Heights on a grid.
    Terrain(Terrain),
}

/// Heights on a grid, rows from -y to y and columns from -x to x.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Terrain {
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    /// Heights in metres, row by row.
    pub(crate) heights: Vec<f64>,
    /// Extent along x and y in metres.
    pub(crate) size: [f64; 2],
    /// Where the middle of its ground is in the frame of the collision.
    pub(crate) position: Vec3,
}

/// Reads a shape that the library of shapes made; none when it is of a kind that is not known.
pub(crate) fn solid_of(prepared: &PreparedShape) -> Option<Solid> {
    let Shape { shape, collision_from_shape } = prepared.shape::<Shape>()?;
    if let Some(ball) = shape.as_ball() {
        return Some(Solid::Ball(ball.radius));
    }
    if let Some(field) = shape.as_heightfield() {
        let (rows, columns) = (field.heights().nrows(), field.heights().ncols());
        // Its rows go from y down to -y.
        let of_row = |row: usize| (0..columns).map(move |column| (rows - 1 - row, column));
        let heights = (0..rows).flat_map(of_row).map(|(i, j)| field.heights()[(i, j)]).collect();
        let size = [field.scale().x, field.scale().z];
        let position = collision_from_shape.position;
        return Some(Solid::Terrain(Terrain { rows, columns, heights, size, position }));
    }
    let placed = |pose: Pose, points: &[Vec3]| -> Vec<Vec3> {
        points.iter().map(|point| (*collision_from_shape * pose).transform_point(*point)).collect()
    };
    if let Some(hull) = shape.as_convex_polyhedron() {
        return Some(Solid::Hulls(vec![placed(Pose::IDENTITY, hull.points())]));
    }
    if let Some(mesh) = shape.as_trimesh() {
        return Some(Solid::Triangles(placed(Pose::IDENTITY, mesh.vertices())));
    }
    let parts = shape.as_compound()?.shapes().iter();
    let parts = parts.map(|(place, part)| {
        let hull = part.as_convex_polyhedron()?;
        Some(placed(from_rapier(place), hull.points()))
    });
    parts.collect::<Option<Vec<_>>>().map(Solid::Hulls)
}
