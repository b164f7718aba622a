//! Meshes for collisions, read once as long as they fit.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use retake_assets::{Submesh, TriMesh, load_mesh};
use retake_description::Geometry;
use retake_math::Vec3;

use crate::MeshData;

/// Most meshes that are kept.
const MAX_MESHES: usize = 256;
/// Most triangles of all meshes that are kept: some hundred megabytes.
const MAX_TRIANGLES: usize = 8_000_000;

/// Meshes by file and part, as they are in the file: a cache that any number of collisions share.
///
/// The ones read longest ago give way to new ones. What cannot be read is tried again each time,
/// because the file may be there by then.
#[derive(Default)]
pub(super) struct MeshLibrary {
    kept: BTreeMap<MeshKey, Kept>,
    triangles: usize,
    /// How many meshes were read so far.
    reads: u64,
}

type MeshKey = (PathBuf, Option<String>, bool);

struct Kept {
    mesh: Arc<TriMesh>,
    read: u64,
}

impl MeshLibrary {
    /// Returns the scaled triangles of a mesh geometry, or why there are none.
    pub(super) fn load(&mut self, geometry: &Geometry) -> Result<Arc<MeshData>, String> {
        let Geometry::Mesh { uri, path, scale, submesh, center_submesh, .. } = geometry else {
            return Err(format!("a {} is no mesh", geometry.kind()));
        };
        if path.as_os_str().is_empty() {
            return Err(format!("mesh {uri:?} was not found, so the shape does not collide"));
        }
        let part = submesh.as_deref().map(|name| Submesh { name, center: *center_submesh });
        let mesh = self.unscaled(path, part)?;
        let corner = |p: &[f32; 3]| Vec3::from_array(p.map(f64::from)) * *scale;
        let positions = mesh.positions.iter().map(corner).collect();
        Ok(Arc::new(MeshData { positions, indices: mesh.indices.clone() }))
    }

    fn unscaled(&mut self, path: &Path, part: Option<Submesh<'_>>) -> Result<Arc<TriMesh>, String> {
        let name = part.map(|part| part.name.to_owned());
        let key = (path.to_owned(), name, part.is_some_and(|part| part.center));
        if let Some(kept) = self.kept.get(&key) {
            return Ok(kept.mesh.clone());
        }
        let mesh = Arc::new(load_mesh(path, part).map_err(|error| error.to_string())?);
        self.keep(key, mesh.clone());
        Ok(mesh)
    }

    fn keep(&mut self, key: MeshKey, mesh: Arc<TriMesh>) {
        self.reads += 1;
        self.triangles += mesh.indices.len();
        self.kept.insert(key, Kept { mesh, read: self.reads });
        while self.kept.len() > MAX_MESHES || self.triangles > MAX_TRIANGLES {
            let oldest = self.kept.iter().min_by_key(|(_, kept)| kept.read);
            let Some(oldest) = oldest.map(|(key, _)| key.clone()) else { return };
            let gone = self.kept.remove(&oldest);
            self.triangles -= gone.map_or(0, |kept| kept.mesh.indices.len());
        }
    }
}

#[cfg(test)]
mod tests {
    use retake_description::MeshUse;

    use super::*;

    const TRIANGLE: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";

    fn mesh(path: &Path, scale: f64) -> Geometry {
        Geometry::Mesh {
            uri: String::new(),
            path: path.to_owned(),
            scale: Vec3::splat(scale),
            submesh: None,
            center_submesh: false,
            collide_as: MeshUse::Triangles,
        }
    }

    fn key(number: usize) -> MeshKey {
        (PathBuf::from(number.to_string()), None, false)
    }

    #[test]
    fn one_file_is_read_once_for_all_scales() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.obj");
        std::fs::write(&path, TRIANGLE).unwrap();
        let mut library = MeshLibrary::default();
        for scale in [1.0, 2.0, 3.0] {
            let read = library.load(&mesh(&path, scale)).unwrap();
            assert_eq!(read.positions[1], Vec3::X * scale);
        }
        assert_eq!((library.reads, library.kept.len(), library.triangles), (1, 1, 1));
    }

    #[test]
    fn a_file_that_comes_later_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.obj");
        let mut library = MeshLibrary::default();
        assert!(library.load(&mesh(&path, 1.0)).is_err());
        std::fs::write(&path, TRIANGLE).unwrap();
        assert!(library.load(&mesh(&path, 1.0)).is_ok());
    }

    #[test]
    fn the_oldest_give_way() {
        let mut library = MeshLibrary::default();
        for number in 0..MAX_MESHES + 10 {
            let indices = vec![[0, 1, 2]];
            let mesh = TriMesh { positions: vec![[0.0; 3]; 3], indices };
            library.keep(key(number), Arc::new(mesh));
        }
        assert_eq!((library.kept.len(), library.triangles), (MAX_MESHES, MAX_MESHES));
        assert!(!library.kept.contains_key(&key(9)) && library.kept.contains_key(&key(10)));
        let large = TriMesh { positions: Vec::new(), indices: vec![[0; 3]; MAX_TRIANGLES] };
        library.keep(key(1000), Arc::new(large));
        assert_eq!((library.kept.len(), library.triangles), (1, MAX_TRIANGLES));
    }
}
