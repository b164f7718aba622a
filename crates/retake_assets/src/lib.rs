//! Resource roots, URI resolution, mesh and terrain files.
//!
//! World files name other files: models, meshes, images. This crate decides which file on disk a
//! name means, refuses every name that leads out of the configured folders, and reads meshes into
//! plain triangles and images into heights. Nothing here reads the environment, opens the network
//! or knows XML beyond the name in a package's manifest.

mod file;
mod heightmap;
mod mesh;
mod package;
mod roots;

pub use file::{ReadError, read_file};
pub use heightmap::{Heightmap, HeightmapError, load_heightmap};
pub use mesh::{MeshError, Submesh, TriMesh, load_mesh};
pub use package::enclosing_package;
pub use roots::{ResolveError, ResourceRoots, RootError};
