//! Saving a world into the text that it came from.
//!
//! Only what differs is changed: comments, layout, notation and order of everything else stay.
//! The text is read after each round of changes, and what is not as wanted then is written in
//! full, one element further out each time. In the end the text is read to exactly the world that
//! was to be saved, or the whole world is printed anew and that is said.
//!
//! Files are not written here; that is up to the caller.

mod pairs;
mod plan;
mod source;
mod words;

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use retake_assets::ResourceRoots;
use retake_description::World;
use retake_diag::{Diagnostics, Severity};

use self::plan::{Planner, Tried, Widen};
use self::source::{Edit, Source, applied};
use crate::load::parse_world_at;
use crate::sdf::{self, Context, Origin};
use crate::write::{print_world, world_element};
use crate::xml::{self, Node};

/// The text that a world is saved into.
#[derive(Clone, Copy, Debug)]
pub struct Original<'a> {
    /// The text.
    pub text: &'a str,
    /// Where it will stand: names of other files in it are relative to that folder.
    pub path: &'a Path,
    /// Where else other files are looked for.
    pub roots: &'a ResourceRoots,
}

/// A text that holds a world.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Patched {
    /// The text.
    pub text: String,
    /// What was changed, in the order of its paths; empty when nothing had to be.
    pub changes: Vec<Change>,
    /// Why the whole world was printed anew; none when it was not.
    pub reprinted: Option<Reprinted>,
    /// Whether reading the text gives exactly the world that was to be saved.
    pub is_exact: bool,
}

/// A change of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The element, as in `model[arm]/link[base]/pose`; empty for the world itself.
    pub path: String,
    /// What was done.
    pub kind: ChangeKind,
}

/// What was done to an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeKind {
    /// A value or an attribute was changed.
    Edited,
    /// It was put in.
    Inserted,
    /// It was taken out.
    Removed,
    /// An include gave way to what it brought.
    Expanded,
    /// It was written anew as a whole.
    Rewritten {
        /// How many comments stood in it.
        comments_lost: usize,
    },
}

impl fmt::Display for ChangeKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Edited => f.write_str("edited"),
            Self::Inserted => f.write_str("inserted"),
            Self::Removed => f.write_str("removed"),
            Self::Expanded => f.write_str("expanded"),
            Self::Rewritten { comments_lost: 0 } => f.write_str("rewritten"),
            Self::Rewritten { comments_lost: 1 } => f.write_str("rewritten without its comment"),
            Self::Rewritten { comments_lost } => {
                write!(f, "rewritten without its {comments_lost} comments")
            }
        }
    }
}

/// Why a world was printed anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reprinted {
    /// The text is not SDF, or cannot be read at all.
    NotSdf,
    /// There is no text any more: its file is gone, or holds something else.
    NoText,
    /// Changing parts of it did not give the world that was to be saved.
    TooDifferent,
}

impl fmt::Display for Reprinted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotSdf => "the file is not SDF that can be read",
            Self::NoText => "the file that it came from is gone or no text",
            Self::TooDifferent => "the file could not be changed in part",
        })
    }
}

const BYTE_ORDER_MARK: char = '\u{feff}';

/// Most rounds of changes: the deepest value is some ten elements down.
const MAX_ROUNDS: usize = 24;

/// Changes a text so that it holds `after`.
///
/// A text that holds it already comes back byte for byte.
pub fn patched(original: &Original<'_>, after: &World) -> Patched {
    // What some editors begin their files with is no part of the text, and stays.
    if let Some(text) = original.text.strip_prefix(BYTE_ORDER_MARK) {
        let made = patched(&Original { text, ..*original }, after);
        return Patched { text: format!("{BYTE_ORDER_MARK}{}", made.text), ..made };
    }
    match in_parts(original, after) {
        Ok((text, changes)) => Patched { text, changes, reprinted: None, is_exact: true },
        Err(reason) => {
            let text = print_world(after);
            let again = Reading::of(&text, original);
            let is_exact = again.is_some_and(|again| again.world == *after);
            Patched { text, changes: Vec::new(), reprinted: Some(reason), is_exact }
        }
    }
}

fn in_parts(original: &Original<'_>, after: &World) -> Result<(String, Vec<Change>), Reprinted> {
    let mut text = original.text.to_owned();
    let mut tried = Tried::default();
    let mut changes = BTreeMap::new();
    let mut errors = None;
    for _ in 0..MAX_ROUNDS {
        let reading = Reading::of(&text, original).ok_or(Reprinted::NotSdf)?;
        let errors = errors.get_or_insert_with(|| reading.errors.clone());
        if reading.world == *after {
            // Readers make the best of what is wrong, which does not make it right.
            let is_good = reading.adds_no_error_to(errors);
            let changes = changes.into_iter().map(|(path, kind)| Change { path, kind }).collect();
            return if is_good { Ok((text, changes)) } else { Err(Reprinted::TooDifferent) };
        }
        let (edits, made) = round(&text, &reading, after, &mut tried)?;
        if edits.is_empty() {
            return Err(Reprinted::TooDifferent);
        }
        collect(&mut changes, made);
        text = applied(&text, edits);
    }
    Err(Reprinted::TooDifferent)
}

/// Plans the changes that bring a text from what it is read to nearer to `after`.
fn round(
    text: &str,
    reading: &Reading,
    after: &World,
    tried: &mut Tried,
) -> Result<(Vec<Edit>, Vec<Change>), Reprinted> {
    // What is wrong with the text was found when it was read.
    let (mut said, roots) = (Diagnostics::new(), ResourceRoots::new());
    let mut cx = Context::new(&mut said, &roots, PathBuf::new());
    let document = sdf::parsed(&mut cx, text, &Arc::from("")).ok_or(Reprinted::NotSdf)?;
    let (holder, is_lone) = holder(&document).ok_or(Reprinted::NotSdf)?;
    let source = Source::new(text, &document).ok_or(Reprinted::NotSdf)?;
    let mut planner = Planner::new(&source, &reading.origins, tried);
    let difference = (&world_element(&reading.world), &world_element(after));
    let planned = match is_lone {
        // The world around a lone model is nowhere in the file.
        true => planner.refine_lone(difference, holder),
        false => planner.settle("", difference, holder),
    };
    planned.map_err(|Widen| Reprinted::TooDifferent)?;
    Ok((planner.edits, planner.changes))
}

/// Notes changes; one of a whole element stands for those inside.
fn collect(changes: &mut BTreeMap<String, ChangeKind>, made: Vec<Change>) {
    for Change { path, kind } in made {
        let whole = matches!(kind, ChangeKind::Rewritten { .. } | ChangeKind::Expanded);
        if whole {
            let inside = if path.is_empty() { String::new() } else { format!("{path}/") };
            changes.retain(|other, _| !other.starts_with(&inside));
        }
        changes.insert(path, kind);
    }
}

/// Finds the element that a world is read from, and whether that is the file of a lone model.
fn holder<'d>(document: &'d xml::Document<'d>) -> Option<(Node<'d>, bool)> {
    let root = document.roots().find(|root| matches!(root.name(), "sdf" | "gazebo"))?;
    match root.child("world") {
        Some(world) => Some((world, false)),
        None => Some((root, true)),
    }
}

/// What a text is read to.
struct Reading {
    world: World,
    origins: BTreeMap<usize, Origin>,
    /// How many errors there are of each kind.
    errors: BTreeMap<&'static str, usize>,
}

impl Reading {
    fn of(text: &str, original: &Original<'_>) -> Option<Self> {
        let mut said = Diagnostics::new();
        let (world, origins) = parse_world_at(text, original.path, original.roots, &mut said)?;
        let mut errors = BTreeMap::new();
        for item in said.items().iter().filter(|item| item.severity == Severity::Error) {
            *errors.entry(item.code).or_default() += 1;
        }
        Some(Self { world, origins, errors })
    }

    fn adds_no_error_to(&self, before: &BTreeMap<&'static str, usize>) -> bool {
        let no_more = |(code, count): (&&str, &usize)| before.get(code).is_some_and(|b| count <= b);
        self.errors.iter().all(no_more)
    }
}
