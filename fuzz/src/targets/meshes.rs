//! Meshes and terrain. Their readers take files, so each input is one.

use std::cell::OnceCell;
use std::path::{Path, PathBuf};

use retake_assets::{ResourceRoots, TriMesh, load_heightmap, load_mesh_parts};
use tempfile::TempDir;

use super::{Verdict, ensure, seen};
use crate::samples::{files, texts};

/// A triangle with its bytes in the text.
const GLTF: &str = r#"{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],
 "nodes":[{"mesh":0,"name":"n","translation":[1,2,3],"children":[1]},{"mesh":0,"scale":[2,2,2]}],
 "meshes":[{"name":"m","primitives":[{"attributes":{"POSITION":1},"indices":0,"material":0}]}],
 "materials":[{"pbrMetallicRoughness":{"baseColorFactor":[1,0,0,1],"roughnessFactor":0.5}}],
 "buffers":[{"uri":"data:application/octet-stream;base64,AAABAAIAAAAAAAAAAAAAAAAAAAAAAIA/AAAAAAAAAAAAAAAAAACAPwAAAAA=","byteLength":44}],
 "bufferViews":[{"buffer":0,"byteOffset":0,"byteLength":6},{"buffer":0,"byteOffset":8,"byteLength":36}],
 "accessors":[{"bufferView":0,"componentType":5123,"count":3,"type":"SCALAR"},
  {"bufferView":1,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[1,1,0]}]}"#;

const ASCII_STL: &str = "solid s\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\n\
    vertex 0 1 0\nendloop\nendfacet\nendsolid s\n";

const MESHES: &[&str] = &["worlds", "scenarios/worlds"];

pub(super) fn stl_samples() -> Vec<Vec<u8>> {
    [files(MESHES, &[".stl"]), texts(&[ASCII_STL])].concat()
}

pub(super) fn obj_samples() -> Vec<Vec<u8>> {
    files(MESHES, &[".obj"])
}

pub(super) fn dae_samples() -> Vec<Vec<u8>> {
    files(MESHES, &[".dae"])
}

pub(super) fn gltf_samples() -> Vec<Vec<u8>> {
    texts(&[GLTF])
}

pub(super) fn glb_samples() -> Vec<Vec<u8>> {
    files(MESHES, &[".glb"])
}

pub(super) fn image_samples() -> Vec<Vec<u8>> {
    files(MESHES, &[".png"])
}

pub(super) fn read_stl(input: &[u8]) -> Verdict {
    read("m.stl", input)
}

pub(super) fn read_obj(input: &[u8]) -> Verdict {
    read("m.obj", input)
}

pub(super) fn read_dae(input: &[u8]) -> Verdict {
    read("m.dae", input)
}

pub(super) fn read_gltf(input: &[u8]) -> Verdict {
    read("m.gltf", input)
}

pub(super) fn read_glb(input: &[u8]) -> Verdict {
    read("m.glb", input)
}

fn read(name: &str, input: &[u8]) -> Verdict {
    let path = file(name, input)?;
    match load_mesh_parts(&path, None, &ResourceRoots::new()) {
        Ok(mesh) => whole(&mesh.triangles()).map(|()| seen(true)),
        Err(error) => names_its_file(&error.to_string(), &path),
    }
}

/// Whatever is taken has only corners that exist, at places that exist.
fn whole(mesh: &TriMesh) -> Result<(), String> {
    let corners = mesh.positions.len();
    let inside = mesh.indices.iter().flatten().all(|corner| (*corner as usize) < corners);
    ensure(inside, || format!("a triangle has a corner beyond the {corners} of the mesh"))?;
    let finite = mesh.positions.iter().flatten().all(|number| number.is_finite());
    ensure(finite, || "a corner is nowhere".to_owned())
}

pub(super) fn read_heightmap(input: &[u8]) -> Verdict {
    let path = file("h.png", input)?;
    match load_heightmap(&path) {
        Ok(heights) => {
            ensure(heights.columns() >= 2, || "terrain without columns".to_owned())?;
            Ok(seen(true))
        }
        Err(error) => names_its_file(&error.to_string(), &path),
    }
}

fn names_its_file(error: &str, path: &Path) -> Verdict {
    let named = error.contains(&path.display().to_string());
    ensure(named, || format!("an error that names no file: {error}"))?;
    Ok(seen(false))
}

/// Writes an input into a folder of this thread.
pub(super) fn file(name: &str, input: &[u8]) -> Result<PathBuf, String> {
    thread_local! {
        static FOLDER: OnceCell<TempDir> = const { OnceCell::new() };
    }
    let path = FOLDER.with(|folder| {
        if folder.get().is_none() {
            folder.set(TempDir::new().map_err(|error| error.to_string())?).ok();
        }
        folder.get().map(|folder| folder.path().join(name)).ok_or_else(|| "no folder".to_owned())
    })?;
    std::fs::write(&path, input).map_err(|error| format!("no file for the input: {error}"))?;
    Ok(path)
}
