//! Resource roots, URI resolution and mesh files.
//!
//! World files name other files: models, meshes, images. This crate decides which file on disk a
//! name means, refuses every name that leads out of the configured folders, and reads meshes into
//! plain triangles. Nothing here reads the environment, opens the network or knows XML.

mod file;
mod mesh;
mod roots;

pub use file::{ReadError, read_file};
pub use mesh::{MeshError, Submesh, TriMesh, load_mesh};
pub use roots::{ResolveError, ResourceRoots, RootError};
