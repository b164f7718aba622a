//! Mesh files as plain triangles.
//!
//! Reads STL (both forms) and OBJ. Materials and textures are not here: a collision needs only
//! the triangles, and the page draws from the same ones.

mod obj;
mod stl;

use std::path::{Path, PathBuf};

use crate::file::{ReadError, read_file};

/// Longest mesh file that is read, in bytes.
const MAX_FILE_BYTES: u64 = 512 << 20;
/// Most triangles that a mesh may have.
const MAX_TRIANGLES: u64 = 5_000_000;

/// Triangles with shared vertices, in the units of the file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TriMesh {
    /// Corners; every number is finite.
    pub positions: Vec<[f32; 3]>,
    /// Triangles as indices of corners, counter-clockwise seen from outside; all in range.
    pub indices: Vec<[u32; 3]>,
}

/// The only part of a mesh to use, as SDF's `<submesh>`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Submesh<'a> {
    /// Name of the part: an object or group of the file.
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
    #[error("Retake does not read {format} meshes yet; export STL or OBJ instead of {path}")]
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
    #[error("the mesh has {triangles} triangles, more than the limit of {limit}, in {path}")]
    TooManyTriangles {
        /// How many there are.
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

/// What a format's reader found wrong; the file's name is added by [`load_mesh`].
enum Fault {
    Malformed(String),
    TooManyTriangles(u64),
    NoSuchSubmesh { name: String, known: String },
}

/// Reads the triangles of a mesh file, chosen by the ending of its name.
///
/// # Errors
/// [`MeshError`] when the file is missing, too large, of an unknown format or malformed: an STL
/// header that claims more than the file holds, an index out of range, a number that is not finite.
pub fn load_mesh(path: &Path, submesh: Option<Submesh<'_>>) -> Result<TriMesh, MeshError> {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    let mesh = match ending.to_ascii_lowercase().as_str() {
        "stl" => stl::parse(read_file(path, MAX_FILE_BYTES)?, submesh.map(|part| part.name)),
        "obj" => obj::parse(&read_file(path, MAX_FILE_BYTES)?, submesh.map(|part| part.name)),
        other => return Err(unread_format(other, path)),
    };
    let mesh = mesh.map_err(|fault| placed(fault, path))?;
    let center = submesh.is_some_and(|part| part.center);
    Ok(if center { centered(mesh) } else { mesh })
}

fn unread_format(ending: &str, path: &Path) -> MeshError {
    let format = match ending {
        "dae" => "COLLADA (.dae)".to_owned(),
        "gltf" | "glb" => format!("glTF (.{ending})"),
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
    }
}

/// Moves the middle of the bounding box to the origin.
fn centered(mut mesh: TriMesh) -> TriMesh {
    let Some(&first) = mesh.positions.first() else { return mesh };
    let (mut low, mut high) = (first, first);
    for position in &mesh.positions {
        for axis in 0..3 {
            low[axis] = low[axis].min(position[axis]);
            high[axis] = high[axis].max(position[axis]);
        }
    }
    for position in &mut mesh.positions {
        for axis in 0..3 {
            position[axis] -= low[axis] + (high[axis] - low[axis]) * 0.5;
        }
    }
    mesh
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(name: &str, content: &[u8], submesh: Option<&str>) -> String {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        std::fs::write(&path, content).unwrap();
        let submesh = submesh.map(|name| Submesh { name, center: false });
        let error = load_mesh(&path, submesh).unwrap_err().to_string();
        error.replace(&format!("{}/", folder.path().display()), "")
    }

    #[test]
    fn says_what_is_wrong() {
        for (name, content, submesh, expected) in [
            (
                "a.dae",
                "",
                None,
                "Retake does not read COLLADA (.dae) meshes yet; export STL or OBJ instead of a.dae",
            ),
            (
                "a",
                "",
                None,
                "Retake does not read nameless meshes yet; export STL or OBJ instead of a",
            ),
            ("a.obj", "v 0 0 0\nf 1 2 3\n", None, "face vertex index out of bounds, in a.obj"),
            (
                "a.obj",
                "v 0 nan 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n",
                None,
                "vertex 1 has a number that is not finite, in a.obj",
            ),
            (
                "a.obj",
                "v 0 0 0\nv 1 0 0\nv 0 1 0\no lid\nf 1 2 3\n",
                Some("box"),
                "no part called \"box\" in a.obj. Known: lid",
            ),
            ("a.stl", "short", None, "an STL file is at least 84 bytes long, in a.stl"),
        ] {
            assert_eq!(refusal(name, content.as_bytes(), submesh), expected);
        }
    }

    #[test]
    fn a_part_can_be_centered() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("A.OBJ");
        std::fs::write(&path, "o a\nv 2 0 0\nv 4 0 0\nv 2 6 0\nf 1 2 3\no b\nf 3 2 1\n").unwrap();
        let mesh = load_mesh(&path, Some(Submesh { name: "a", center: true })).unwrap();
        assert_eq!(mesh.positions, [[-1.0, -3.0, 0.0], [1.0, -3.0, 0.0], [-1.0, 3.0, 0.0]]);
        assert_eq!(mesh.indices, [[0, 1, 2]]);
    }
}
