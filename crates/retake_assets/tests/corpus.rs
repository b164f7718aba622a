//! Mesh files as people have them, when they are at hand.

use std::path::{Path, PathBuf};

use retake_assets::{ResourceRoots, TriMesh, load_mesh, load_mesh_parts};

/// Models beside the checkout; none on machines that do not have them.
fn models() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus/models");
    let there = folder.is_dir();
    if !there {
        eprintln!("skipped: {} is not there", folder.display());
    }
    there.then_some(folder)
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).into_iter().flatten();
    let mut entries: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    entries.sort();
    for entry in entries {
        if entry.is_dir() {
            files(&entry, found);
        } else if entry.extension().is_some_and(|ending| {
            ["dae", "obj", "stl", "glb", "gltf"]
                .iter()
                .any(|known| ending.eq_ignore_ascii_case(known))
        }) {
            found.push(entry);
        }
    }
}

#[test]
fn every_mesh_of_the_corpus_is_read() {
    let Some(folder) = models() else { return };
    let mut roots = ResourceRoots::new();
    roots.add(&folder).unwrap();
    let mut all = Vec::new();
    files(&folder, &mut all);
    let (mut triangles, mut textures, mut warnings, mut faults) = (0, 0, 0, Vec::new());
    for path in &all {
        match load_mesh_parts(path, None, &roots) {
            Ok(mesh) => {
                triangles += mesh.parts.iter().map(|part| part.indices.len()).sum::<usize>();
                textures += mesh.textures.len();
                warnings += mesh.warnings.len();
            }
            Err(error) => faults.push(error.to_string()),
        }
    }
    let count = all.len();
    eprintln!("{count} meshes: {triangles} triangles, {textures} textures, {warnings} warnings");
    assert_eq!(faults, [""; 0]);
}

fn bounds(mesh: &TriMesh) -> [[f32; 3]; 2] {
    let pick = |axis: usize, better: fn(f32, f32) -> f32, start: f32| {
        mesh.positions.iter().map(|position| position[axis]).fold(start, better)
    };
    [
        [0, 1, 2].map(|axis| pick(axis, f32::min, f32::INFINITY)),
        [0, 1, 2].map(|axis| pick(axis, f32::max, f32::NEG_INFINITY)),
    ]
}

/// The collision shapes of this robot are STL files, which have no up axis; its visuals are COLLADA
/// files that claim y up. Both have the same pose, so the claim must not turn anything.
#[test]
fn the_up_axis_of_collada_files_is_ignored_as_in_gazebo() {
    let Some(folder) = models() else { return };
    let folder = folder.join("gazebo_models/pr2/meshes/shoulder_v0");
    let load = |name: &str| bounds(&load_mesh(&folder.join(name), None).unwrap());
    let (seen, felt) = (load("shoulder_lift.dae"), load("shoulder_lift.stl"));
    for (seen, felt) in seen.iter().flatten().zip(felt.iter().flatten()) {
        // The collision shape is simplified, by less than a centimetre.
        assert!((seen - felt).abs() < 0.01, "{seen} and {felt}");
    }
}
