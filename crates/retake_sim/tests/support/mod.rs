//! Demo worlds for tests.

#![allow(dead_code, reason = "every test file uses its own part of this")]

pub mod spoil;

use std::path::{Path, PathBuf};

use retake_assets::ResourceRoots;
use retake_diag::Diagnostics;
use retake_sim::{Simulation, SimulationOptions};

/// Every demo world.
pub fn worlds() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../worlds");
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|ending| ending == "sdf")).collect();
    files.sort();
    assert!(files.len() >= 7, "{files:?}");
    files
}

/// Loads a world that has no errors.
pub fn load(file: &Path) -> Simulation {
    let mut found = Diagnostics::new();
    let world = retake_sdf::load_world_file(file, &ResourceRoots::new(), &mut found).unwrap();
    assert!(!found.has_errors(), "{found}");
    let mut roots = ResourceRoots::new();
    roots.add(file.parent().unwrap()).unwrap();
    let options = SimulationOptions { roots, ..SimulationOptions::default() };
    Simulation::load(&world, &options).unwrap()
}

/// Steps a world and returns its hash.
pub fn run(simulation: &mut Simulation, steps: usize) -> String {
    for _ in 0..steps {
        simulation.step().unwrap();
    }
    simulation.hash().unwrap()
}
