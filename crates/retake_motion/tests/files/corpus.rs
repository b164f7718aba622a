//! Every motion, compound action and pose of a corpus of real ones is read.

use std::fs;
use std::path::{Path, PathBuf};

use retake_diag::Diagnostics;
use retake_motion::Motion;
use retake_motion::file::{self, Format, Shelf};

fn corpus() -> Option<PathBuf> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus/motions");
    corpus.is_dir().then_some(corpus)
}

fn texts(folder: &Path) -> Vec<(String, String)> {
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let text = |path: PathBuf| {
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        (name, fs::read_to_string(path).unwrap())
    };
    let mut texts: Vec<_> = paths.map(text).collect();
    texts.sort();
    texts
}

fn read_one(text: &str, name: &str) -> Motion {
    let mut found = Diagnostics::new();
    let mut motions = file::read(text, name, &mut found);
    assert!(found.is_empty(), "{found}");
    motions.remove(0)
}

#[test]
fn all_trajectories_load_and_come_back() {
    let Some(corpus) = corpus() else { return };
    let texts = texts(&corpus.join("joint_trajectories"));
    assert!(texts.len() >= 20);
    for (name, text) in texts {
        let motion = read_one(&text, &name);
        assert_eq!(motion.waypoints.is_empty(), name == "default.json", "{name}");
        for format in [Format::Native, Format::GoalJson] {
            let written = file::write(&motion, format).unwrap();
            assert_eq!(written.lost, Vec::<String>::new(), "{name}");
            let again = format!("{}{}", motion.name, format.ending());
            assert_eq!(read_one(&written.text, &again), motion, "{name}");
        }
    }
}

#[test]
fn all_compounds_and_poses_load() {
    let Some(corpus) = corpus() else { return };
    for (name, text) in texts(&corpus.join("compound_action")) {
        let mut found = Diagnostics::new();
        let compound = file::read_compound(&text, &name, &mut found).unwrap();
        assert!(found.is_empty(), "{found}");
        assert_eq!(Format::of(&name, &text), Some(Format::CompoundJson));
        let flattened = compound.flatten(|_| Some(1.0)).unwrap();
        assert_eq!(flattened.motion.actions.len(), compound.elements.len());
    }
    for (name, text) in texts(&corpus.join("joint_state")) {
        let mut found = Diagnostics::new();
        let pose = file::read_pose(&text, &name, &mut found).unwrap();
        assert!(found.is_empty() && !pose.is_empty(), "{name} {found}");
    }
}

#[test]
fn a_shelf_holds_the_corpus() {
    let Some(corpus) = corpus() else { return };
    let folders = ["joint_trajectories", "compound_action"].map(|folder| corpus.join(folder));
    let mut shelf = Shelf::new(folders.to_vec());
    assert!(shelf.refresh());
    assert!(!shelf.refresh());
    assert!(shelf.get("default").unwrap().waypoints.is_empty());
    // The compound begins with a motion of the same shelf, so its length is known.
    let brohoof = shelf.get("brohoof").unwrap();
    let begin = shelf.get("brohoof_begin").unwrap().duration_secs();
    let times: Vec<f64> = brohoof.actions.iter().map(|action| action.time_secs).collect();
    assert_eq!(times, [0.0, begin, begin + 3.0]);
}
