//! Files of a log's world that are elsewhere on this machine.

use std::path::{Path, PathBuf};

use retake_components::{Shape, VisualMaterial};
use retake_description::Geometry;
use retake_ecm::Ecm;

/// Lets shapes and materials that changed since `tick` name other files; `place_of` says where a
/// file is that is named, and none when it is to stay as it is.
pub fn relocate(ecm: &mut Ecm, place_of: impl Fn(&Path) -> Option<PathBuf>, tick: u64) {
    let moved = |path: &Path| {
        let named = Some(path).filter(|path| !path.as_os_str().is_empty());
        place_of(named?).filter(|place| place != path)
    };
    let shapes: Vec<_> = ecm
        .changed_since::<Shape>(tick)
        .filter_map(|(entity, shape)| {
            let (Geometry::Mesh { path, .. } | Geometry::Heightmap { path, .. }) = &shape.0 else {
                return None;
            };
            let place = moved(path)?;
            let mut geometry = shape.0.clone();
            if let Geometry::Mesh { path, .. } | Geometry::Heightmap { path, .. } = &mut geometry {
                *path = place;
            }
            Some((entity, Shape(geometry)))
        })
        .collect();
    let materials: Vec<_> = ecm
        .changed_since::<VisualMaterial>(tick)
        .filter_map(|(entity, material)| {
            let place = moved(material.0.pbr.as_ref()?.albedo_path.as_deref()?)?;
            let mut material = material.clone();
            material.0.pbr.as_mut()?.albedo_path = Some(place);
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
