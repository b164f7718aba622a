//! The files that a mesh file may name: buffers, material libraries, images.
//!
//! What a mesh names comes from whoever made it, so it is looked for in the mesh's own folder and
//! under the resource roots, and nowhere else. A name that leads elsewhere reads like one that
//! leads nowhere.

use std::path::{Path, PathBuf};

use crate::file::{ReadError, read_file};
use crate::roots::ResourceRoots;

use super::Fault;

/// Where the files are that a mesh file names.
pub(super) struct Neighbours {
    /// The mesh's own folder.
    own: ResourceRoots,
    /// The own folder and the roots.
    all: ResourceRoots,
    folder: PathBuf,
    /// Name of the mesh file itself.
    mesh: String,
    looks: Looks,
}

/// Whether materials and textures are wanted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Looks {
    Wanted,
    Unwanted,
}

impl Neighbours {
    /// Looks around `mesh`, which must be a file that may be read.
    pub(super) fn new(mesh: &Path, roots: &ResourceRoots, looks: Looks) -> Self {
        let folder = mesh.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new(".")).to_owned();
        let mut own = ResourceRoots::new();
        let mut all = roots.clone();
        // A folder that cannot be entered has no files to offer; reading the mesh says why.
        own.add(&folder).ok();
        all.add(&folder).ok();
        let mesh = mesh.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Self { own, all, folder, mesh, looks }
    }

    /// Returns the name of the mesh file, for warnings.
    pub(super) fn mesh_name(&self) -> &str {
        &self.mesh
    }

    pub(super) fn looks(&self) -> Looks {
        self.looks
    }

    /// Reads a file that the mesh cannot do without, from its own folder only.
    pub(super) fn read_own(&self, name: &str, limit: u64) -> Result<Vec<u8>, Fault> {
        let path = self.own.resolve(&address(name), Some(&self.folder));
        let path = path.map_err(|_| Fault::Malformed(missing("file", name)))?;
        read_file(&path, limit).map_err(Fault::Read)
    }

    /// Reads a material library.
    pub(super) fn read_library(&self, name: &str, limit: u64) -> Result<Vec<u8>, String> {
        let path = self.find(name).ok_or_else(|| missing("material library", name))?;
        read_file(&path, limit).map_err(|error: ReadError| error.to_string())
    }

    /// Finds an image: beside the mesh, in the model's `materials/textures`, under the roots.
    pub(super) fn image(&self, name: &str) -> Result<PathBuf, String> {
        let name = name.trim();
        let found = self.find(name).or_else(|| self.find(&format!("../materials/textures/{name}")));
        found.filter(|path| path.is_file()).ok_or_else(|| missing("texture", name))
    }

    fn find(&self, name: &str) -> Option<PathBuf> {
        // Formats differ in how names are escaped, and so do exporters.
        let ways = [name.to_owned(), name.replace("\\ ", " "), address(name)];
        ways.iter().find_map(|way| self.all.resolve(way, Some(&self.folder)).ok())
    }
}

/// Writes a name as an address, so that escapes in it are undone.
fn address(name: &str) -> String {
    let name = name.replace('\\', "/");
    if name.contains("://") { name } else { format!("file://{name}") }
}

fn missing(what: &str, name: &str) -> String {
    let shown: String = name.chars().take(200).collect();
    format!("the {what} {shown:?} is not beside the mesh nor under the resource folders")
}
