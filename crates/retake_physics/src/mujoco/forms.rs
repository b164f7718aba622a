//! Shapes as MuJoCo has them.
//!
//! Primitives stay primitives. Meshes, convex parts and outlines become hulls; a mesh that asks for
//! its triangles becomes one hull too, which is told, because MuJoCo knows no other meshes.

use std::sync::Arc;

use retake_description::Geometry;
use retake_ecm::EntityId;
use retake_math::Vec3;
use serde::{Deserialize, Serialize};

use super::note;
use crate::rapier::{Solid, Terrain, solid_of};
use crate::{
    ColliderSpec, EngineError, EngineNote, PreparedShape, RapierEngine, ShapeLibrary, ShapeSource,
    check,
};

/// A shape.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) enum Form {
    /// Half of the edges.
    Box(Vec3),
    Ball(f64),
    /// Along z.
    Cylinder {
        radius: f64,
        half: f64,
    },
    /// Along z; `half` is that of its straight part.
    Capsule {
        radius: f64,
        half: f64,
    },
    Ellipsoid(Vec3),
    Plane(Vec3),
    /// Convex parts by their corners.
    Hulls(Arc<Vec<Vec<Vec3>>>),
    Terrain(Arc<Terrain>),
    /// Not in the bytes of a state: made again from this source.
    Elsewhere(u128),
}

/// Corners on the rim of a cone.
const CONE_CORNERS: u32 = 32;

/// Makes the shape of a collision; none when there is nothing that collides.
pub(super) fn form(
    spec: &ColliderSpec,
    notes: &mut Vec<EngineNote>,
) -> Result<Option<Form>, EngineError> {
    let id = spec.collision;
    let made = match &spec.geometry {
        Geometry::Empty => return Ok(None),
        Geometry::Box { size } => Form::Box(
            Vec3::new(
                length(id, "size.x", size.x)?,
                length(id, "size.y", size.y)?,
                length(id, "size.z", size.z)?,
            ) * 0.5,
        ),
        Geometry::Sphere { radius } => Form::Ball(length(id, "radius", *radius)?),
        Geometry::Cylinder { radius, length: height } => Form::Cylinder {
            radius: length(id, "radius", *radius)?,
            half: length(id, "length", *height)? * 0.5,
        },
        Geometry::Capsule { radius, length: height } => Form::Capsule {
            radius: length(id, "radius", *radius)?,
            half: length(id, "length", *height)? * 0.5,
        },
        Geometry::Ellipsoid { radii } => Form::Ellipsoid(Vec3::new(
            length(id, "radii.x", radii.x)?,
            length(id, "radii.y", radii.y)?,
            length(id, "radii.z", radii.z)?,
        )),
        Geometry::Cone { radius, length: height } => {
            let (radius, height) = (length(id, "radius", *radius)?, length(id, "length", *height)?);
            note(notes, id, "the cone collides in mujoco as a hull with 32 corners on its rim");
            cone(radius, height)
        }
        Geometry::Plane { normal, .. } => {
            check::vector(id, "normal", *normal)?;
            check::positive(id, "length of normal", normal.length())?;
            Form::Plane(normal.normalize())
        }
        slow => return prepared(spec, slow, notes),
    };
    Ok(Some(made))
}

/// What a shape is made from, when a library made it and can make it again.
pub(super) fn source(spec: &ColliderSpec) -> Option<u128> {
    let ready = spec.prepared.as_ref().filter(|_| ShapeLibrary::is_slow(&spec.geometry));
    ready.and_then(PreparedShape::source)
}

/// Reads a shape that was made ready.
pub(super) fn ready(
    id: EntityId,
    prepared: &PreparedShape,
    notes: &mut Vec<EngineNote>,
) -> Result<Form, EngineError> {
    match solid_of(prepared) {
        Some(Solid::Ball(radius)) => Ok(Form::Ball(radius)),
        Some(Solid::Hulls(parts)) => Ok(Form::Hulls(Arc::new(parts))),
        Some(Solid::Terrain(terrain)) => Ok(Form::Terrain(Arc::new(terrain))),
        Some(Solid::Triangles(corners)) => {
            note(
                notes,
                id,
                "mujoco knows no triangles: the mesh collides as its convex hull; ask for convex parts, or use rapier",
            );
            Ok(Form::Hulls(Arc::new(vec![corners])))
        }
        None => {
            let reason = "it was made for another engine".to_owned();
            Err(EngineError::BadShape { collision: id, reason })
        }
    }
}

fn prepared(
    spec: &ColliderSpec,
    geometry: &Geometry,
    notes: &mut Vec<EngineNote>,
) -> Result<Option<Form>, EngineError> {
    let id = spec.collision;
    let needs_file = matches!(geometry, Geometry::Mesh { .. } | Geometry::Heightmap { .. });
    let shape = match &spec.prepared {
        Some(ready) => ready.clone(),
        None if needs_file => {
            let kind = geometry.kind();
            note(notes, id, &format!("the {kind} is not loaded, so it does not collide"));
            return Ok(None);
        }
        None => (RapierEngine::SHAPE_MAKER)(&ShapeSource::Plain(geometry))
            .map_err(|reason| EngineError::BadShape { collision: id, reason })?,
    };
    for remark in shape.remarks() {
        note(notes, id, remark);
    }
    ready(id, &shape, notes).map(Some)
}

fn cone(radius: f64, height: f64) -> Form {
    let rim = (0..CONE_CORNERS).map(|i| {
        let angle = f64::from(i) * std::f64::consts::TAU / f64::from(CONE_CORNERS);
        Vec3::new(radius * angle.cos(), radius * angle.sin(), -height * 0.5)
    });
    let corners = rim.chain([Vec3::Z * height * 0.5]).collect();
    Form::Hulls(Arc::new(vec![corners]))
}

fn length(id: EntityId, field: &'static str, value: f64) -> Result<f64, EngineError> {
    check::length(id, field, value).map(|()| value)
}
