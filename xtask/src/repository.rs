//! The project's own files.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

/// The checkout that this program was built from.
pub struct Repository {
    root: PathBuf,
}

/// A crate and what it depends on.
pub struct CrateManifest {
    /// Name of the crate.
    pub name: String,
    /// Dependencies of the program itself, tests left out.
    pub dependencies: BTreeSet<String>,
}

/// A source file.
pub struct SourceFile {
    /// Path from the root.
    pub path: String,
    /// Content.
    pub text: String,
}

impl Repository {
    /// Finds the checkout.
    ///
    /// # Panics
    /// When cargo does not say where this crate is.
    pub fn open() -> Self {
        // Asked for when it runs: a build folder may have been filled from another checkout.
        let here = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
        let here = here.expect("cargo runs the checks");
        let root = here.parent().expect("xtask lies in the checkout");
        Self { root: root.to_owned() }
    }

    /// Reads a text file.
    ///
    /// # Panics
    /// When it is not there: the check that asked for it fails.
    pub fn read(&self, path: &str) -> String {
        let file = self.root.join(path);
        fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
    }

    /// Returns every crate below `crates/`, sorted by name.
    ///
    /// # Panics
    /// When a manifest cannot be read.
    pub fn crates(&self) -> Vec<CrateManifest> {
        let mut names: Vec<String> = self.names_in("crates");
        names.sort();
        names.iter().map(|name| self.manifest(name)).collect()
    }

    /// Returns every file below `folder` whose name ends with one of `endings`, sorted.
    pub fn sources(&self, folder: &str, endings: &[&str]) -> Vec<SourceFile> {
        let mut found = Vec::new();
        let mut folders = vec![folder.to_owned()];
        while let Some(folder) = folders.pop() {
            for name in self.names_in(&folder) {
                let path = format!("{folder}/{name}");
                let skipped = ["node_modules", "target", "generated", ".git", "dist", ".out"];
                if self.root.join(&path).is_dir() {
                    if !skipped.contains(&name.as_str()) {
                        folders.push(path);
                    }
                } else if endings.iter().any(|ending| name.ends_with(ending)) {
                    found.push(SourceFile { text: self.read(&path), path });
                }
            }
        }
        found.sort_by(|a, b| a.path.cmp(&b.path));
        found
    }

    fn manifest(&self, name: &str) -> CrateManifest {
        let text = self.read(&format!("crates/{name}/Cargo.toml"));
        let manifest: toml::Table =
            text.parse().unwrap_or_else(|error| panic!("crates/{name}/Cargo.toml: {error}"));
        let sections = ["dependencies", "build-dependencies"];
        let tables = sections.iter().filter_map(|section| manifest.get(*section)?.as_table());
        let dependencies = tables.flat_map(|table| table.keys().cloned()).collect();
        CrateManifest { name: name.to_owned(), dependencies }
    }

    fn names_in(&self, folder: &str) -> Vec<String> {
        let entries = fs::read_dir(self.root.join(folder)).into_iter().flatten();
        entries
            .filter_map(|entry| Some(entry.ok()?.file_name().to_string_lossy().into_owned()))
            .collect()
    }
}
