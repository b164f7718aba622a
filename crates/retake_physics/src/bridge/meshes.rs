//! Meshes for collisions, loaded once.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use retake_assets::{Submesh, load_mesh};
use retake_description::Geometry;
use retake_math::Vec3;

use crate::MeshData;

/// Meshes by file, part and scale; a cache that any number of collisions share.
#[derive(Default)]
pub(super) struct MeshLibrary {
    loaded: BTreeMap<MeshKey, Result<Arc<MeshData>, String>>,
}

type MeshKey = (PathBuf, Option<String>, bool, [u64; 3]);

impl MeshLibrary {
    /// Returns the scaled triangles of a mesh geometry, or why there are none.
    pub(super) fn load(&mut self, geometry: &Geometry) -> Result<Arc<MeshData>, String> {
        let Geometry::Mesh { uri, path, scale, submesh, center_submesh, .. } = geometry else {
            return Err(format!("a {} is no mesh", geometry.kind()));
        };
        if path.as_os_str().is_empty() {
            return Err(format!("mesh {uri:?} was not found, so the shape does not collide"));
        }
        let bits = scale.to_array().map(f64::to_bits);
        let key = (path.clone(), submesh.clone(), *center_submesh, bits);
        let load = || {
            let part = submesh.as_deref().map(|name| Submesh { name, center: *center_submesh });
            let mesh = load_mesh(path, part).map_err(|error| error.to_string())?;
            let corner = |p: &[f32; 3]| Vec3::from_array(p.map(f64::from)) * *scale;
            let positions = mesh.positions.iter().map(corner).collect();
            Ok(Arc::new(MeshData { positions, indices: mesh.indices }))
        };
        self.loaded.entry(key).or_insert_with(load).clone()
    }
}
