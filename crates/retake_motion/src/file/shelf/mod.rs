//! Folders of motions: read once, read again when they change.
//!
//! Files in folders inside are not read. A link that leads out of its folder is not followed: what
//! a robot plays is what lies on the shelf.

mod resolve;
mod scan;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{CompoundAction, Format, near};
use crate::{Motion, TextCommand};

pub use resolve::{ResolveError, Resolved};
use scan::{Book, Found};

/// The type of text commands that play another motion.
pub(super) const PLAYS_MOTION: &str = "motion/joint_trajectory";

/// The motions of a list of folders, by name.
///
/// Of two files with one name, the one in the earlier folder counts, and in one folder the native
/// one; the other is a problem.
#[derive(Debug, Default)]
pub struct Shelf {
    folders: Vec<PathBuf>,
    books: BTreeMap<PathBuf, Book>,
    /// What is wrong with folders.
    folder_problems: Vec<String>,
    motions: BTreeMap<String, Stored>,
    /// What is wrong with files and names, in their order.
    problems: Vec<String>,
}

/// What a name stands for.
#[derive(Debug)]
enum Stored {
    Good(PathBuf, Arc<Motion>),
    /// Its file cannot be used: the problem.
    Bad(String),
}

impl Shelf {
    /// Makes a shelf of folders that are not looked at yet; the earlier ones come first.
    pub fn new(folders: Vec<PathBuf>) -> Self {
        Self { folders, ..Self::default() }
    }

    /// Returns the folders.
    pub fn folders(&self) -> &[PathBuf] {
        &self.folders
    }

    /// Looks at the folders again; says whether anything changed.
    ///
    /// Only files whose size, place on the disk or time of change differ are read. At most 4,096
    /// files, 64 MiB in each and 256 MiB in all are; the rest are problems.
    pub fn refresh(&mut self) -> bool {
        let Found { files, problems } = scan::look(&self.folders);
        let before = self.books.len();
        let mut changed = self.folder_problems != problems;
        self.folder_problems = problems;
        let there: BTreeSet<&Path> = files.iter().map(|file| file.path.as_path()).collect();
        self.books.retain(|path, _| there.contains(path.as_path()));
        changed |= self.books.len() != before;
        for file in files {
            let known = self.books.get(&file.path);
            if known.is_some_and(|book| book.file == file) {
                continue;
            }
            changed = true;
            self.books.insert(file.path.clone(), scan::read(file));
        }
        if changed {
            self.sort_in();
        }
        changed
    }

    /// Returns a motion by its name.
    pub fn get(&self, name: &str) -> Option<Arc<Motion>> {
        match self.motions.get(name)? {
            Stored::Good(_, motion) => Some(motion.clone()),
            Stored::Bad(_) => None,
        }
    }

    /// Returns all motions with their names and files, sorted by name.
    pub fn motions(&self) -> impl Iterator<Item = (&str, &Path, &Arc<Motion>)> {
        self.motions.iter().filter_map(|(name, stored)| match stored {
            Stored::Good(path, motion) => Some((name.as_str(), path.as_path(), motion)),
            Stored::Bad(_) => None,
        })
    }

    /// Returns all that is wrong with folders and files, for people.
    pub fn problems(&self) -> Vec<String> {
        self.folder_problems.iter().chain(&self.problems).cloned().collect()
    }

    /// Gives every name its motion.
    fn sort_in(&mut self) {
        self.motions.clear();
        self.problems.clear();
        let mut books: Vec<&Book> = self.books.values().collect();
        books.sort_by(|a, b| a.file.rank().cmp(&b.file.rank()));
        let mut taken: BTreeMap<String, (PathBuf, Stored)> = BTreeMap::new();
        let mut compounds: Vec<(&Path, &CompoundAction)> = Vec::new();
        for book in books {
            self.problems.extend(book.problems.iter().cloned());
            let path = &book.file.path;
            for (name, stored) in book.stored() {
                if let Some((first, _)) = taken.get(&name) {
                    let (path, first) = (path.display(), first.display());
                    self.problems.push(format!(
                        "{path}: the name {name:?} is taken by {first}. Rename one of them"
                    ));
                    continue;
                }
                if let Some(compound) = book.compound.as_ref().filter(|it| it.name == name) {
                    compounds.push((path, compound));
                }
                taken.insert(name, (path.clone(), stored));
            }
        }
        self.motions = taken.into_iter().map(|(name, (_, stored))| (name, stored)).collect();
        for (path, compound) in compounds {
            let (stored, problems) = self.flatten(path, compound);
            self.motions.insert(compound.name.clone(), stored);
            self.problems.extend(problems);
        }
    }

    /// Gives a compound action its times, by the durations of the motions that are there.
    fn flatten(&self, path: &Path, compound: &CompoundAction) -> (Stored, Vec<String>) {
        let duration = |command: &TextCommand| match command.kind.as_str() {
            PLAYS_MOTION => self.get(&command.command).map(|motion| motion.duration_secs()),
            _ => None,
        };
        match compound.flatten(duration) {
            Ok(flattened) => {
                let told = flattened.unknown.iter().map(|command| {
                    let path = path.display();
                    format!("{path}: nobody knows how long {command} takes. It counts as 0 s")
                });
                let problems = told.collect();
                (Stored::Good(path.to_owned(), Arc::new(flattened.motion)), problems)
            }
            Err(error) => {
                let problem = format!("{}: {error}. Correct seq_num and seq_delay", path.display());
                (Stored::Bad(problem.clone()), vec![problem])
            }
        }
    }

    /// Returns the name that is nearest to one that does not exist.
    fn nearest(&self, name: &str) -> Option<String> {
        near::nearest(name, self.motions().map(|(name, ..)| name)).map(str::to_owned)
    }
}

impl Book {
    /// Returns the names of the file and what they stand for; of a compound action a placeholder.
    fn stored(&self) -> Vec<(String, Stored)> {
        let path = &self.file.path;
        let good = |motion: &Arc<Motion>| {
            (motion.name.clone(), Stored::Good(path.clone(), motion.clone()))
        };
        if self.is_good {
            let compound = self.compound.iter().map(|compound| {
                (compound.name.clone(), Stored::Good(path.clone(), Arc::default()))
            });
            return self.motions.iter().map(good).chain(compound).collect();
        }
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
        let name = Format::stem(&name.unwrap_or_default()).to_owned();
        vec![(name, Stored::Bad(self.problems.join("; ")))]
    }
}
