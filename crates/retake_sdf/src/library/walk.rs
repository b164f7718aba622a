//! Goes through the resource folders, the shallow ones first, and finds what may be models.

use std::collections::{BTreeSet, VecDeque};
use std::fs::read_dir;
use std::path::{Path, PathBuf};

use retake_assets::ResourceRoots;

use super::config::ModelConfig;
use super::{Candidate, LibraryLimits};

/// Most entries of one folder that are looked at.
const MAX_ENTRIES: usize = 50_000;
/// Candidates for each model that may be listed: others turn out to be worlds.
const CANDIDATES_PER_MODEL: usize = 4;

/// What a walk found.
pub(super) struct Walked {
    pub(super) candidates: Vec<Candidate>,
    /// Why it ended before everything was seen.
    pub(super) incomplete: Option<String>,
}

struct Walk<'a> {
    roots: &'a ResourceRoots,
    limits: &'a LibraryLimits,
    go_on: &'a dyn Fn() -> bool,
    /// Folders that were looked into, whatever links lead there.
    seen: BTreeSet<PathBuf>,
    /// What was taken up, likewise.
    noted: BTreeSet<PathBuf>,
    found: Walked,
}

/// A folder to look into.
struct Folder {
    path: PathBuf,
    /// Its way from the resource folder, whose last name comes first.
    names: Vec<String>,
}

/// Lists what may be models.
pub(super) fn candidates(
    roots: &ResourceRoots,
    limits: &LibraryLimits,
    go_on: &dyn Fn() -> bool,
) -> Walked {
    let found = Walked { candidates: Vec::new(), incomplete: None };
    let (seen, noted) = (BTreeSet::new(), BTreeSet::new());
    let mut walk = Walk { roots, limits, go_on, seen, noted, found };
    for root in roots.folders() {
        walk.go(Folder { path: root.clone(), names: vec![label(root)] });
    }
    for (uri, path) in roots.cached_models(limits.models) {
        walk.note(Candidate { uri, path, source: "Fuel".to_owned() });
    }
    walk.found
}

/// Names the resource folder that holds a path, and the folders between them.
pub(super) fn source_of(roots: &ResourceRoots, path: &Path) -> String {
    // The innermost folder is the one that the path was found in.
    let holding = roots.folders().iter().filter(|root| path.starts_with(root));
    let Some(root) = holding.max_by_key(|root| root.components().count()) else {
        return "Fuel".to_owned();
    };
    let between = path.strip_prefix(root).ok().and_then(Path::parent).unwrap_or(Path::new(""));
    let between = between.components().map(|part| part.as_os_str().to_string_lossy().into_owned());
    let names: Vec<String> = [label(root)].into_iter().chain(between).collect();
    names.join("/")
}

pub(super) fn took_too_long() -> String {
    "Looking through the folders took too long, so that some models are not listed".to_owned()
}

fn label(root: &Path) -> String {
    root.file_name().map_or_else(|| "/".to_owned(), |name| name.to_string_lossy().into_owned())
}

impl Walk<'_> {
    /// Looks into a resource folder and all below it.
    fn go(&mut self, root: Folder) {
        let mut open = VecDeque::from([root]);
        while let Some(folder) = open.pop_front() {
            if self.found.incomplete.is_some() {
                return;
            }
            self.found.incomplete = self.ended();
            if !self.seen.insert(folder.path.clone()) {
                continue;
            }
            for name in self.entries(&folder.path) {
                open.extend(self.look_at(&folder, name));
            }
        }
    }

    /// Says why the walk is over.
    fn ended(&self) -> Option<String> {
        let LibraryLimits { models, folders, .. } = *self.limits;
        if self.seen.len() >= folders {
            let text = format!("There are more than {folders} folders; the rest was not looked at");
            return Some(text);
        }
        if self.found.candidates.len() >= models.saturating_mul(CANDIDATES_PER_MODEL) {
            return Some(format!("There are too many files to list more than {models} models"));
        }
        (!(self.go_on)()).then(took_too_long)
    }

    /// Notes a model; returns a folder that is to be looked into in its turn.
    fn look_at(&mut self, inside: &Folder, name: String) -> Option<Folder> {
        let names: Vec<String> = inside.names.iter().cloned().chain([name]).collect();
        let written: Vec<String> =
            names.iter().skip(1).map(|name| name.replace('%', "%25")).collect();
        let uri = format!("model://{}", written.join("/"));
        let name = names.last()?;
        // Links are judged by where they end; what is outside of the folders is not there.
        let path = self.roots.resolve(inside.path.join(name).to_str()?, None).ok()?;
        let source = inside.names.join("/");
        if path.is_dir() {
            // A resource folder inside another one has shorter names for what it holds.
            if self.roots.folders().contains(&path) {
                return None;
            }
            if !ModelConfig::is_in(&path) {
                let is_near = inside.names.len() <= self.limits.depth;
                return is_near.then_some(Folder { path, names });
            }
            self.note(Candidate { uri, path, source });
            return None;
        }
        let ending = path.extension().and_then(|ending| ending.to_str());
        if matches!(ending, Some("sdf" | "urdf")) {
            self.note(Candidate { uri, path, source });
        }
        None
    }

    /// Takes something up, unless a link led there before.
    fn note(&mut self, candidate: Candidate) {
        if self.noted.insert(candidate.path.clone()) {
            self.found.candidates.push(candidate);
        }
    }

    /// Lists what is in a folder in order, but for what is hidden or has a name that is no text.
    fn entries(&mut self, folder: &Path) -> Vec<String> {
        // A folder that may not be read has nothing to offer.
        let Ok(entries) = read_dir(folder) else { return Vec::new() };
        let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        let mut names: Vec<String> =
            names.filter(|name| !name.starts_with('.')).take(MAX_ENTRIES + 1).collect();
        if names.len() > MAX_ENTRIES {
            let text = format!("A folder has more than {MAX_ENTRIES} files; some are not listed");
            self.found.incomplete = Some(text);
        }
        names.sort();
        names
    }
}
