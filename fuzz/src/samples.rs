//! The project's own files, as samples to begin from.

use std::path::{Path, PathBuf};

/// Largest file that is a sample.
const MAX_BYTES: u64 = 128 * 1024;

/// Returns the checkout.
pub(crate) fn root() -> PathBuf {
    // Asked for when it runs: a build folder may have been filled from another checkout.
    let here = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    here.and_then(|here| here.parent().map(Path::to_owned)).unwrap_or_else(|| PathBuf::from("."))
}

/// Returns the content of the files below some folders whose names have one of these endings.
pub(crate) fn files(folders: &[&str], endings: &[&str]) -> Vec<Vec<u8>> {
    let mut found = Vec::new();
    for folder in folders {
        collect(&root().join(folder), endings, &mut found);
    }
    assert!(!found.is_empty(), "no sample {endings:?} below {folders:?}");
    found
}

/// Returns texts as samples.
pub(crate) fn texts(texts: &[&str]) -> Vec<Vec<u8>> {
    texts.iter().map(|text| text.as_bytes().to_vec()).collect()
}

fn collect(folder: &Path, endings: &[&str], found: &mut Vec<Vec<u8>>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    // Folders come in any order, and a seed must mean the same everywhere.
    paths.sort();
    for path in paths {
        if path.is_dir() {
            collect(&path, endings, found);
        } else if endings.iter().any(|ending| path.to_string_lossy().ends_with(ending)) {
            let small = path.metadata().is_ok_and(|facts| facts.len() <= MAX_BYTES);
            found.extend(small.then(|| std::fs::read(&path).ok()).flatten());
        }
    }
}

/// Returns the inputs that once broke a target.
pub(crate) fn kept(target: &str) -> Vec<Vec<u8>> {
    let mut found = Vec::new();
    collect(&root().join("fuzz/kept").join(target), &[""], &mut found);
    found
}
