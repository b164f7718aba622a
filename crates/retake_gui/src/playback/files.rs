//! Files of a log's world that are elsewhere on this machine.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use retake_components::{Shape, VisualMaterial};
use retake_description::Geometry;
use retake_ecm::Ecm;

/// Lets shapes and materials that changed since `tick` name the files that there are.
pub fn relocate(ecm: &mut Ecm, places: &BTreeMap<PathBuf, PathBuf>, tick: u64) {
    let shapes: Vec<_> = ecm
        .changed_since::<Shape>(tick)
        .filter_map(|(entity, shape)| {
            let mut geometry = shape.0.clone();
            let (Geometry::Mesh { path, .. } | Geometry::Heightmap { path, .. }) = &mut geometry
            else {
                return None;
            };
            path.clone_from(places.get(path.as_path())?);
            Some((entity, Shape(geometry)))
        })
        .collect();
    let materials: Vec<_> = ecm
        .changed_since::<VisualMaterial>(tick)
        .filter_map(|(entity, material)| {
            let mut material = material.clone();
            let path = material.0.pbr.as_mut()?.albedo_path.as_mut()?;
            path.clone_from(places.get::<Path>(path)?);
            Some((entity, material))
        })
        .collect();
    // The entities are there: they were just found.
    for (entity, shape) in shapes {
        ecm.set(entity, shape).ok();
    }
    for (entity, material) in materials {
        ecm.set(entity, material).ok();
    }
}
