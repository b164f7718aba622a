//! Shapes.
//!
//! The engine's cylinders and cones stand along y, ours along z. Planes are half spaces. What takes
//! time to make, as meshes and terrain, comes ready from [`super::solids`].

use std::f64::consts::FRAC_PI_2;

use rapier3d_f64::prelude::SharedShape;
use retake_description::Geometry;
use retake_ecm::EntityId;
use retake_math::{Pose, Quat, Vec3};

use super::{note, solids};
use crate::{ColliderSpec, EngineError, EngineNote, PreparedShape, ShapeSource, check};

/// A shape and its place in the frame of the collision.
#[derive(Clone)]
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
    let id = spec.collision;
    let made = match &spec.geometry {
        Geometry::Empty => return Ok(None),
        Geometry::Box { size } => cuboid(id, *size)?.into(),
        Geometry::Sphere { radius } => SharedShape::ball(length(id, "radius", *radius)?).into(),
        Geometry::Cylinder { radius, length: height } => {
            let (radius, half) = (length(id, "radius", *radius)?, half(id, *height)?);
            let rim = rim(half, radius);
            along_z(SharedShape::round_cylinder(half - rim, radius - rim, rim))
        }
        Geometry::Cone { radius, length: height } => {
            let (radius, half) = (length(id, "radius", *radius)?, half(id, *height)?);
            along_z(SharedShape::cone(half, radius))
        }
        Geometry::Capsule { radius, length: height } => {
            let (radius, half) = (length(id, "radius", *radius)?, half(id, *height)?);
            SharedShape::capsule_z(half, radius).into()
        }
        Geometry::Plane { normal, .. } => {
            check::vector(id, "normal", *normal)?;
            check::positive(id, "length of normal", normal.length())?;
            SharedShape::halfspace(normal.normalize()).into()
        }
        slow => return prepared(spec, slow, notes),
    };
    Ok(Some(made))
}

/// Takes the shape that was made ready, or makes what needs no file.
fn prepared(
    spec: &ColliderSpec,
    geometry: &Geometry,
    notes: &mut Vec<EngineNote>,
) -> Result<Option<Shape>, EngineError> {
    let id = spec.collision;
    let needs_file = matches!(geometry, Geometry::Mesh { .. } | Geometry::Heightmap { .. });
    let ready: PreparedShape = match &spec.prepared {
        Some(ready) => ready.clone(),
        None if needs_file => {
            let kind = geometry.kind();
            note(notes, id, &format!("the {kind} is not loaded, so it does not collide"));
            return Ok(None);
        }
        None => solids::make(&ShapeSource::Plain(geometry)).map_err(|why| bad(id, why))?,
    };
    for remark in ready.remarks() {
        note(notes, id, remark);
    }
    let shape = ready.shape::<Shape>().cloned();
    shape.map(Some).ok_or_else(|| bad(id, "it was made for another engine".to_owned()))
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

/// Radius of the rounding of a cylinder's rims, within its size.
///
/// The engine looks for contacts between cores that are smaller by this much. Faces that touch
/// exactly would otherwise give it no direction to push in, and fall through each other.
fn rim(half: f64, radius: f64) -> f64 {
    (0.02 * half.min(radius)).min(1e-3)
}

/// Turns a shape of the engine so that its y axis points along ours z.
pub(super) fn along_z(shape: SharedShape) -> Shape {
    let y_to_z = Quat::from_rotation_x(FRAC_PI_2);
    Shape { shape, collision_from_shape: Pose::new(Vec3::ZERO, y_to_z) }
}

fn bad(collision: EntityId, reason: String) -> EngineError {
    EngineError::BadShape { collision, reason }
}
