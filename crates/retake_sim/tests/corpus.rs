//! Runs every world of the examples and tests of gz-sim in a corpus of real files.
//!
//! The corpus lies beside the project; without it there is nothing to run. A thousand steps of all
//! of them take minutes: the suite does fewer, and `RETAKE_CORPUS_STEPS=1000` does them all.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::path::{Path, PathBuf};

use retake_assets::ResourceRoots;
use retake_components::{BodyTwist, LocalPose};
use retake_diag::Diagnostics;
use retake_sdf::{Contents, LoadOptions, load_file};
use retake_sim::{Simulation, SimulationOptions};

/// Steps of one world in the suite.
const STEPS: usize = 60;
/// Links beyond which a world does a share of the steps, as long as not all of them are asked for.
const FEW_LINKS: usize = 100;

fn corpus() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let found = folder.canonicalize().ok();
    if found.is_none() {
        eprintln!("there is no corpus beside the project; nothing is run");
    }
    found
}

fn sorted_entries(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut entries: Vec<PathBuf> = entries.collect();
    entries.sort();
    entries
}

fn roots(corpus: &Path, own: &Path) -> ResourceRoots {
    let mut roots = ResourceRoots::new();
    let groups = sorted_entries(&corpus.join("models"));
    for folder in std::iter::once(own.to_owned()).chain(groups).filter(|path| path.is_dir()) {
        roots.add(&folder).unwrap();
    }
    roots
}

fn assert_finite(simulation: &Simulation, file: &Path) {
    for (entity, pose) in simulation.ecm().iter::<LocalPose>() {
        let finite = pose.0.position.is_finite() && pose.0.rotation.is_finite();
        assert!(finite, "{}: the pose of {entity:?} is {pose:?}", file.display());
    }
    for (entity, twist) in simulation.ecm().iter::<BodyTwist>() {
        let finite = twist.0.linear.is_finite() && twist.0.angular.is_finite();
        assert!(finite, "{}: the velocity of {entity:?} is {twist:?}", file.display());
    }
}

#[test]
fn worlds_of_gazebo_run() {
    let Some(corpus) = corpus() else { return };
    let all: Option<usize> =
        std::env::var("RETAKE_CORPUS_STEPS").ok().and_then(|steps| steps.parse().ok());
    let (mut ran, mut not_loaded) = (0, Vec::new());
    for group in ["gz-sim-examples", "gz-sim-test"] {
        let folder = corpus.join("open").join(group);
        for file in sorted_entries(&folder) {
            let roots = roots(&corpus, &folder);
            let options = LoadOptions { keep_going: true, ..LoadOptions::default() };
            let Some(contents) = load_file(&file, &roots, &options, &mut Diagnostics::new()) else {
                not_loaded.push(file);
                continue;
            };
            let world = Contents::into_world(contents);
            let options = SimulationOptions { roots, ..SimulationOptions::default() };
            let mut simulation = Simulation::load(&world, &options)
                .unwrap_or_else(|error| panic!("{}: {error}", file.display()));
            let links = simulation.ecm().iter::<BodyTwist>().count();
            let steps = all.unwrap_or(STEPS * FEW_LINKS / links.max(FEW_LINKS)).max(1);
            for _ in 0..steps {
                let stepped = simulation.step();
                stepped.unwrap_or_else(|failure| panic!("{}: {failure}", file.display()));
            }
            assert_finite(&simulation, &file);
            ran += 1;
        }
    }
    eprintln!("{ran} worlds ran; not loaded: {not_loaded:?}");
    assert!(ran > 100, "only {ran} worlds ran");
}
