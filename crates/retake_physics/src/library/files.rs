//! Files that shapes are made from.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

use retake_assets::{Heightmap, Submesh, TriMesh, load_heightmap, load_mesh};
use retake_description::Geometry;
use xxhash_rust::xxh3::Xxh3;

/// What is wanted of which file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum FileKey {
    /// A mesh, or the part of it with this name, moved to its middle or not.
    Mesh(PathBuf, Option<(String, bool)>),
    /// Terrain.
    Terrain(PathBuf),
}

impl FileKey {
    /// Returns what a shape needs of which file; none when it needs none.
    pub(super) fn of(geometry: &Geometry) -> Option<(&str, Self)> {
        match geometry {
            Geometry::Mesh { uri, path, submesh, center_submesh, .. } => {
                let part = submesh.clone().map(|name| (name, *center_submesh));
                Some((uri, Self::Mesh(path.clone(), part)))
            }
            Geometry::Heightmap { uri, path, .. } => Some((uri, Self::Terrain(path.clone()))),
            _ => None,
        }
    }

    pub(super) fn path(&self) -> &Path {
        match self {
            Self::Mesh(path, _) | Self::Terrain(path) => path,
        }
    }
}

/// By what a file is known to be as it was: its length and when it was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stamp(u64, Duration);

impl Stamp {
    /// Looks at a file; none when there is no telling.
    pub(super) fn of(path: &Path) -> Option<Self> {
        let metadata = fs::metadata(path).ok()?;
        let written = metadata.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
        Some(Self(metadata.len(), written))
    }
}

/// A file that was read.
#[derive(Clone)]
pub(super) struct Read {
    pub(super) content: Content,
    /// Equal for equal contents, whatever the file is called.
    pub(super) digest: u128,
}

#[derive(Clone)]
pub(super) enum Content {
    Mesh(Arc<TriMesh>),
    Terrain(Arc<Heightmap>),
}

/// How much a file holds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Size {
    /// Corners of a mesh or points of terrain.
    pub(super) corners: usize,
    pub(super) triangles: usize,
}

impl Read {
    pub(super) fn size(&self) -> Size {
        match &self.content {
            Content::Mesh(mesh) => {
                Size { corners: mesh.positions.len(), triangles: mesh.indices.len() }
            }
            Content::Terrain(heights) => {
                Size { corners: heights.rows() * heights.columns(), triangles: 0 }
            }
        }
    }

    /// Returns about how many bytes it keeps in memory.
    pub(super) fn bytes(&self) -> usize {
        match &self.content {
            Content::Mesh(mesh) => (mesh.positions.len() + mesh.indices.len()) * 12,
            Content::Terrain(heights) => heights.rows() * heights.columns() * 4,
        }
    }
}

/// Reads a file.
pub(super) fn read(key: &FileKey) -> Result<Read, String> {
    let mut hash = Xxh3::new();
    match key {
        FileKey::Mesh(path, part) => {
            let part = part.as_ref().map(|(name, center)| Submesh { name, center: *center });
            let mesh = load_mesh(path, part).map_err(|error| error.to_string())?;
            for position in &mesh.positions {
                position.iter().for_each(|number| hash.update(&number.to_le_bytes()));
            }
            for triangle in &mesh.indices {
                triangle.iter().for_each(|index| hash.update(&index.to_le_bytes()));
            }
            Ok(Read { content: Content::Mesh(Arc::new(mesh)), digest: hash.digest128() })
        }
        FileKey::Terrain(path) => {
            let heights = load_heightmap(path).map_err(|error| error.to_string())?;
            hash.update(&(heights.columns() as u64).to_le_bytes());
            heights.fractions().iter().for_each(|height| hash.update(&height.to_le_bytes()));
            Ok(Read { content: Content::Terrain(Arc::new(heights)), digest: hash.digest128() })
        }
    }
}
