//! What every reader of an element has at hand.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use retake_assets::ResourceRoots;
use retake_diag::{Diagnostic, Diagnostics, Place};

use crate::as_written::AsWritten;
use crate::urdf::FixedJoints;

/// SDF version of a file: major and minor.
pub(crate) type Version = (u32, u32);

/// The state of one load.
pub(crate) struct Context<'a> {
    pub(crate) diagnostics: &'a mut Diagnostics,
    pub(crate) roots: &'a ResourceRoots,
    /// Version of the file being read.
    pub(crate) version: Version,
    /// Files being read, outermost first: each one includes the next.
    pub(crate) files: Vec<OpenFile>,
    /// How many models are open around the element being read.
    pub(crate) model_depth: usize,
    /// Most elements of all files of this load.
    pub(crate) max_elements: usize,
    /// How many more elements included files may have.
    pub(crate) elements_left: usize,
    /// Elements that each model and link may have beyond that.
    pub(crate) elements_per_thing: usize,
    /// How many more models and links there may be.
    pub(crate) things_left: usize,
    /// How many more files may be included.
    pub(crate) includes_left: usize,
    /// Whether something has no meaning at all, so that it is not known what the author wants.
    pub(crate) unreadable: bool,
    /// Names that the world being resolved uses.
    pub(crate) as_written: AsWritten,
    /// What becomes of the fixed joints of URDF files.
    pub(crate) fixed_joints: FixedJoints,
    /// What the includes of the outermost file brought, by the offset of their elements.
    pub(crate) origins: BTreeMap<usize, Origin>,
    /// Findings that are made once per load.
    said: BTreeSet<String>,
}

/// What an include brought.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Origin {
    /// Tag that it is written with when it is not included.
    pub(crate) tag: &'static str,
    /// Its name, as the include gives it or else its file.
    pub(crate) name: String,
}

/// A file being read.
pub(crate) struct OpenFile {
    /// Its canonical path; empty for text that is not from a file.
    pub(crate) path: PathBuf,
    /// Whether another file includes it.
    pub(crate) included: bool,
}

impl<'a> Context<'a> {
    /// Most elements of a file and all files that it includes, beside those that models and links
    /// usually have.
    const MAX_ELEMENTS: usize = 1_000_000;
    /// Elements that a model or link usually has.
    const ELEMENTS_PER_THING: usize = 20;
    /// Most models and links of one load.
    const MAX_THINGS: usize = 500_000;
    /// Most elements of what is inserted into a running world, which waits for it.
    const MAX_FRAGMENT_ELEMENTS: usize = 50_000;
    /// Most files that one load includes.
    const MAX_INCLUDES: usize = 20_000;

    /// Makes the state for a load that starts with the file at `path`, empty for mere text.
    pub(crate) fn new(
        diagnostics: &'a mut Diagnostics,
        roots: &'a ResourceRoots,
        path: PathBuf,
    ) -> Self {
        Self {
            diagnostics,
            roots,
            version: crate::CURRENT_VERSION,
            files: vec![OpenFile { path, included: false }],
            model_depth: 0,
            max_elements: Self::MAX_ELEMENTS,
            elements_left: Self::MAX_ELEMENTS,
            elements_per_thing: Self::ELEMENTS_PER_THING,
            things_left: Self::MAX_THINGS,
            includes_left: Self::MAX_INCLUDES,
            unreadable: false,
            as_written: AsWritten::default(),
            fixed_joints: FixedJoints::default(),
            origins: BTreeMap::new(),
            said: BTreeSet::new(),
        }
    }

    /// Makes the state for a text that is inserted into a running world.
    pub(crate) fn for_fragment(diagnostics: &'a mut Diagnostics, roots: &'a ResourceRoots) -> Self {
        let max_elements = Self::MAX_FRAGMENT_ELEMENTS;
        let whole = Self::new(diagnostics, roots, PathBuf::new());
        Self { max_elements, elements_left: max_elements, elements_per_thing: 0, ..whole }
    }

    /// Reports an error at a place.
    pub(crate) fn error(&mut self, code: &'static str, place: Place, message: impl Into<String>) {
        self.diagnostics.push(Diagnostic::error(code, message).at(place));
    }

    /// Reports a warning at a place.
    pub(crate) fn warning(&mut self, code: &'static str, place: Place, message: impl Into<String>) {
        self.diagnostics.push(Diagnostic::warning(code, message).at(place));
    }

    /// Says whether `key` comes up for the first time in this load.
    pub(crate) fn first_time(&mut self, key: String) -> bool {
        self.said.insert(key)
    }
}

/// Finds the candidate that `name` is most likely a typing mistake of.
pub(crate) fn nearest<'c>(
    name: &str,
    candidates: impl IntoIterator<Item = &'c str>,
) -> Option<&'c str> {
    let length = name.chars().count();
    // A name of which every letter differs is another name.
    let allowed = (length / 3).clamp(1, 3).min(length.saturating_sub(1));
    let scored = candidates
        .into_iter()
        .map(|candidate| (distance(name, candidate), candidate))
        .filter(|&(distance, _)| distance <= allowed);
    scored.min().map(|(_, candidate)| candidate)
}

/// Edit distance of two names; long ones are never near.
fn distance(a: &str, b: &str) -> usize {
    const LONG: usize = 40;
    if a.len() > LONG || b.len() > LONG {
        return usize::MAX;
    }
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, letter) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, &other) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(letter != other);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearest_finds_typing_mistakes_only() {
        let known = ["collision", "visual", "pose"];
        assert_eq!(nearest("colision", known), Some("collision"));
        assert_eq!(nearest("Pose", known), Some("pose"));
        assert_eq!(nearest("battery", known), None);
    }
}
