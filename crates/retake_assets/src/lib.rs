//! Resource roots, URI resolution, mesh and terrain files.
//!
//! World files name other files: models, meshes, images. This crate decides which file on disk a
//! name means, refuses every name that leads out of the configured folders, and reads meshes into
//! parts with looks and plain triangles, and images into heights. It also writes files so that they are
//! the old or the new ones, never parts. Nothing here reads the environment or opens the network.

mod file;
mod fuel;
mod heightmap;
mod mesh;
mod outline;
mod package;
mod roots;
mod whole_file;

pub use file::{ReadError, open_named, read_file};
pub use heightmap::{Heightmap, HeightmapError, load_heightmap};
pub use mesh::{
    Mesh, MeshError, MeshMaterial, MeshPart, Submesh, Texture, TriMesh, load_mesh, load_mesh_parts,
};
pub use outline::{FlatArea, OutlineError, cut_outlines};
pub use package::enclosing_package;
pub use roots::{ResolveError, ResourceRoots, RootError};
pub use whole_file::{Folder, WriteError, replace, write_whole, write_whole_bytes};
