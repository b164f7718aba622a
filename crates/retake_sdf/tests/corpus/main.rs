//! Loads every file of a corpus of real worlds, models and robots, and compares it with the answer
//! of the reference parser.
//!
//! The corpus lies beside the project; without it there is nothing to compare.
//! `differences.tsv` lists the files that differ, and why; any other difference fails.

mod compare;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use retake_assets::ResourceRoots;
use retake_diag::Diagnostics;
use retake_sdf::{LoadOptions, load_file};
use serde_json::Value;

const DIFFERENCES: &str = include_str!("differences.tsv");

/// The files of the corpus, each with the reference's answer.
struct Corpus {
    folder: PathBuf,
    roots: ResourceRoots,
    names: Vec<String>,
}

impl Corpus {
    fn open() -> Option<Self> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
        let Ok(folder) = folder.canonicalize() else {
            eprintln!("there is no corpus beside the project; nothing is compared");
            return None;
        };
        let mut roots = ResourceRoots::new();
        let mut groups: Vec<PathBuf> = std::fs::read_dir(folder.join("models"))
            .expect("the corpus has models")
            .map(|entry| entry.expect("the folder can be listed").path())
            .collect();
        groups.sort();
        for group in groups.iter().filter(|group| group.is_dir()) {
            roots.add(group).expect("the group is a folder");
        }
        let folder = folder.join("open");
        let summary = std::fs::read_to_string(folder.join("SUMMARY.tsv")).expect("a summary");
        let lines = summary.lines().filter(|line| !line.starts_with('#'));
        let names = lines.filter_map(|line| line.split('\t').next()).map(str::to_owned).collect();
        Some(Self { folder, roots, names })
    }

    fn answer(&self, name: &str) -> Value {
        let path = self.folder.join(format!("expected/{name}.json"));
        let text = std::fs::read_to_string(path).expect("every file has an answer");
        serde_json::from_str(&text).expect("answers are JSON")
    }
}

fn status(answer: &Value) -> &'static str {
    let empty = |key: &str| answer[key].as_array().is_none_or(Vec::is_empty);
    match (empty("errors"), empty("worlds") && answer["model"].is_null()) {
        (_, true) => "nothing-loaded",
        (false, _) => "errors-with-content",
        (true, _) => "clean",
    }
}

/// Files that are known to differ, with the reason.
fn known() -> BTreeMap<&'static str, &'static str> {
    let lines = DIFFERENCES.lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| line.split_once('\t')).collect()
}

#[test]
fn files_load_as_the_reference_loads_them() {
    let Some(corpus) = Corpus::open() else { return };
    let known = known();
    let mut surprises = Vec::new();
    let mut clean = (0, 0);
    for name in &corpus.names {
        let answer = corpus.answer(name);
        let mut found = Diagnostics::new();
        let path = corpus.folder.join(name);
        let contents = load_file(&path, &corpus.roots, &LoadOptions::default(), &mut found);
        let ours = retake_sdf::resolved(contents.as_ref(), &found);
        let mut differences = compare::differences(&ours, &answer);
        if ours["status"] != status(&answer) {
            let text = format!("{} instead of {}: {found}", ours["status"], status(&answer));
            differences.insert(0, text);
        }
        if status(&answer) == "clean" {
            clean.0 += usize::from(differences.is_empty());
            clean.1 += 1;
        }
        match (differences.is_empty(), known.get(name.as_str())) {
            (true, None) | (false, Some(_)) => {}
            (true, Some(reason)) => surprises.push(format!("{name} is the same now: {reason}")),
            (false, None) => surprises.push(format!("{name}\n  {}", differences.join("\n  "))),
        }
    }
    eprintln!(
        "{} files, {} differ as listed; {} of {} clean ones are equal",
        corpus.names.len(),
        known.len(),
        clean.0,
        clean.1
    );
    assert!(surprises.is_empty(), "{}", surprises.join("\n"));
}
