//! Mesh files as parts with looks, or as plain triangles.
//!
//! Reads STL (both forms), OBJ with MTL, COLLADA and glTF (both forms). Images are found but not
//! decoded, animation and skinning are left out. Coordinates are those of the file, in metres when
//! it names its unit; which axis is up is left as it is, as Gazebo does.

mod dae;
mod gltf;
mod mtl;
mod neighbours;
mod normals;
mod obj;
mod parts;
mod stl;

use std::path::{Path, PathBuf};

pub use parts::{Mesh, MeshMaterial, MeshPart, Texture, TriMesh};

use crate::file::{ReadError, read_file};
use crate::roots::ResourceRoots;
use neighbours::{Looks, Neighbours};

/// Longest mesh file that is read, in bytes.
const MAX_FILE_BYTES: u64 = 512 << 20;
/// Most triangles that a mesh may have.
const MAX_TRIANGLES: u64 = 5_000_000;
/// Most parts that a mesh may have.
const MAX_PARTS: usize = 20_000;

/// The only part of a mesh to use, as SDF's `<submesh>`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Submesh<'a> {
    /// Name of the part: an object, group or node of the file.
    pub name: &'a str,
    /// Whether the part is moved so that the middle of its bounding box is the origin.
    pub center: bool,
}

/// Why a mesh was not loaded.
#[derive(Debug, thiserror::Error)]
pub enum MeshError {
    /// The file was not read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The name's ending belongs to a format that is not read.
    #[error(
        "Retake does not read {format} meshes; export COLLADA, glTF, OBJ or STL instead of {path}"
    )]
    UnreadFormat {
        /// Name of the format.
        format: String,
        /// The file.
        path: PathBuf,
    },
    /// The content is not what the format asks for.
    #[error("{what}, in {path}")]
    Malformed {
        /// What is wrong.
        what: String,
        /// The file.
        path: PathBuf,
    },
    /// There are more triangles than the reader accepts.
    #[error("the mesh has {triangles} triangles or more, past the limit of {limit}, in {path}")]
    TooManyTriangles {
        /// How many there are at least.
        triangles: u64,
        /// How many are accepted.
        limit: u64,
        /// The file.
        path: PathBuf,
    },
    /// The mesh has no part of that name.
    #[error("no part called {name:?} in {path}. Known: {known}")]
    NoSuchSubmesh {
        /// Name that was asked for.
        name: String,
        /// Names that the mesh has.
        known: String,
        /// The file.
        path: PathBuf,
    },
}

/// What a format's reader found wrong; the file's name is added by the loader.
#[derive(Debug)]
enum Fault {
    Malformed(String),
    TooManyTriangles(u64),
    NoSuchSubmesh { name: String, known: String },
    Read(ReadError),
}

/// Reads the triangles of a mesh file, chosen by the ending of its name.
///
/// Corners at the same place are one. What the file needs besides, as the buffers of a glTF file,
/// is read from its own folder.
///
/// # Errors
/// [`MeshError`] when the file is missing, too large, of an unknown format or malformed: an STL
/// header that claims more than the file holds, an index out of range, a number that is not finite,
/// nodes in a circle.
pub fn load_mesh(path: &Path, submesh: Option<Submesh<'_>>) -> Result<TriMesh, MeshError> {
    let files = Neighbours::new(path, &ResourceRoots::new(), Looks::Unwanted);
    Ok(load(path, submesh, &files)?.triangles())
}

/// Reads the parts of a mesh file with their materials; textures may lie beside it or under `roots`.
///
/// A texture that is not there is a warning in the result, not an error.
///
/// # Errors
/// [`MeshError`], as for [`load_mesh`].
pub fn load_mesh_parts(
    path: &Path,
    submesh: Option<Submesh<'_>>,
    roots: &ResourceRoots,
) -> Result<Mesh, MeshError> {
    load(path, submesh, &Neighbours::new(path, roots, Looks::Wanted))
}

fn load(path: &Path, submesh: Option<Submesh<'_>>, files: &Neighbours) -> Result<Mesh, MeshError> {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    let parse: fn(Vec<u8>, &Neighbours) -> Result<Mesh, Fault> =
        match ending.to_ascii_lowercase().as_str() {
            "stl" | "stla" | "stlb" => |bytes, _| stl::parse(bytes),
            "obj" => |bytes, files| obj::parse(&bytes, files),
            "dae" => |bytes, files| dae::parse(&bytes, files),
            "gltf" | "glb" => |bytes, files| gltf::parse(&bytes, files),
            other => return Err(unread_format(other, path)),
        };
    let bytes = read_file(path, MAX_FILE_BYTES)?;
    let chosen = parse(bytes, files).and_then(|mesh| chosen(mesh, submesh));
    chosen.map_err(|fault| placed(fault, path))
}

fn chosen(mut mesh: Mesh, submesh: Option<Submesh<'_>>) -> Result<Mesh, Fault> {
    if let Some(submesh) = submesh {
        mesh.select(submesh.name)?;
        if submesh.center {
            mesh.center();
        }
    }
    Ok(mesh)
}

fn unread_format(ending: &str, path: &Path) -> MeshError {
    let format = match ending {
        "" => "nameless".to_owned(),
        other => format!(".{other}"),
    };
    MeshError::UnreadFormat { format, path: path.to_owned() }
}

fn placed(fault: Fault, path: &Path) -> MeshError {
    let path = path.to_owned();
    match fault {
        Fault::Malformed(what) => MeshError::Malformed { what, path },
        Fault::TooManyTriangles(triangles) => {
            MeshError::TooManyTriangles { triangles, limit: MAX_TRIANGLES, path }
        }
        Fault::NoSuchSubmesh { name, known } => MeshError::NoSuchSubmesh { name, known, path },
        Fault::Read(error) => MeshError::Read(error),
    }
}

/// Adds a part unless there are too many already.
fn push_part(mesh: &mut Mesh, part: MeshPart) -> Result<(), Fault> {
    if mesh.parts.len() >= MAX_PARTS {
        let what = format!("the mesh has more parts than the limit of {MAX_PARTS}");
        return Err(Fault::Malformed(what));
    }
    mesh.parts.push(part);
    Ok(())
}

/// Turns a colour of light into the numbers that screens take.
fn screen_color(linear: f32) -> f32 {
    match linear.clamp(0.0, 1.0) {
        low if low <= 0.003_130_8 => low * 12.92,
        high => 1.055 * high.powf(1.0 / 2.4) - 0.055,
    }
}

#[cfg(test)]
mod tests;
