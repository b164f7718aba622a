//! What takes time before a command can be carried out: the text of an insertion is read, its meshes
//! are loaded, the file of a motion is looked up.
//!
//! Any thread may do it, with nothing of the simulation at hand but the resource roots and the
//! library of shapes. The step thread only puts the result into the Ecm.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use retake_assets::{ResolveError, ResourceRoots};
use retake_diag::{Diagnostics, Severity};
use retake_msgs::{InsertEntity, ReloadScript, UserCmd, user_cmd};
use retake_physics::{LoadProgress, PreparedShape, ShapeLibrary};
use retake_sdf::{PartDraft, parse_part, with_included};

use crate::shelves::Shelves;
use crate::systems::script::read_text;
use crate::{CommandError, Keyframe};

/// Prepares insertions; cheap to clone and to send to another thread.
#[derive(Clone)]
pub(crate) struct Preparer {
    roots: Arc<ResourceRoots>,
    /// Folders of motions that were read before.
    shelves: Shelves,
    /// None where no engine follows, so that shapes need not be made.
    shapes: Option<Arc<ShapeLibrary>>,
}

/// What was done ahead of a command that takes time.
pub(crate) enum Prepared {
    /// Nothing: it needs nothing, or is prepared when it is carried out.
    Nothing,
    /// An insertion.
    Insert(Box<ReadyInsert>),
    /// An instant of the past to go on from.
    Instant(Box<ReadyInstant>),
}

/// An instant of the past that was come to.
pub(crate) struct ReadyInstant {
    pub(crate) keyframe: Keyframe,
    /// The branch that it is on.
    pub(crate) branch: String,
}

/// An insertion of which nothing is left to do that takes time.
pub(crate) struct ReadyInsert {
    /// What is to be inserted, or why that cannot be.
    pub(crate) part: Result<PartDraft, CommandError>,
    /// Held so that the library keeps them until the entities are there.
    _shapes: Vec<PreparedShape>,
}

impl ReadyInsert {
    /// An insertion that will be refused.
    pub(crate) fn refused(why: CommandError) -> Self {
        Self { part: Err(why), _shapes: Vec::new() }
    }
}

impl Preparer {
    /// Makes a preparer of a world that takes files from `roots` and shapes from `shapes`.
    pub(crate) fn new(roots: ResourceRoots, shapes: Arc<ShapeLibrary>) -> Self {
        Self { roots: Arc::new(roots), shelves: Shelves::default(), shapes: Some(shapes) }
    }

    /// Makes a preparer that reads texts and makes no shapes.
    pub(crate) fn without_shapes(roots: ResourceRoots) -> Self {
        Self { roots: Arc::new(roots), shelves: Shelves::default(), shapes: None }
    }

    /// Returns the folders that entities may take files from.
    pub(crate) fn roots(&self) -> &ResourceRoots {
        &self.roots
    }

    /// Reads the text of a script from its file.
    pub(crate) fn read_script(
        &self,
        reload: &mut ReloadScript,
        uri: &str,
    ) -> Result<(), CommandError> {
        let read = read_text(uri, &self.roots);
        let (_, text) = read.map_err(|reason| CommandError::Unfit { reason })?;
        reload.text = Some(text);
        Ok(())
    }

    /// Finds the file that a name means.
    pub(crate) fn find_file(&self, uri: &str) -> Result<PathBuf, ResolveError> {
        self.roots.resolve(uri, None)
    }

    /// Says whether entities may take a file.
    pub(crate) fn may_use_file(&self, path: &Path) -> bool {
        path.to_str().is_some_and(|name| self.find_file(name).is_ok_and(|found| found == path))
    }

    /// Returns the shapes of the world, where an engine follows.
    pub(crate) fn shapes(&self) -> Option<&ShapeLibrary> {
        self.shapes.as_deref()
    }

    /// Returns the library of shapes, to be shared with another engine.
    pub(crate) fn library(&self) -> Option<&Arc<ShapeLibrary>> {
        self.shapes.as_ref()
    }

    /// Returns what holds the motions of the folders that a player names.
    pub(crate) fn shelves(&self) -> &Shelves {
        &self.shelves
    }

    /// Writes the models that an insertion takes from other files into it, so that it is the same
    /// when it is done again and the files are not.
    pub(crate) fn write_out(&self, insert: &mut InsertEntity) {
        if let Some(written) = with_included(&insert.sdf, &self.roots) {
            insert.sdf = written;
        }
    }

    /// Returns a command with what it takes from other files written into it; none when it takes
    /// nothing.
    pub(crate) fn written_out(&self, command: &UserCmd) -> Option<UserCmd> {
        let Some(user_cmd::Command::InsertEntity(insert)) = &command.command else { return None };
        let sdf = with_included(&insert.sdf, &self.roots)?;
        let insert = InsertEntity { sdf, ..insert.clone() };
        let insert = Some(user_cmd::Command::InsertEntity(insert));
        Some(UserCmd { command: insert, ..command.clone() })
    }

    /// Reads what is to be inserted and makes its shapes ready.
    pub(crate) fn prepare(
        &self,
        insert: &InsertEntity,
        tell: &(dyn Fn(LoadProgress) + Sync),
    ) -> ReadyInsert {
        let part = match read(&insert.sdf, &self.roots) {
            Ok(part) => part,
            Err(error) => return ReadyInsert::refused(error),
        };
        let colliding = part.colliding_shapes();
        let shapes = self.shapes.as_ref().map(|shapes| shapes.prepare_all(colliding, tell));
        let shapes = shapes.unwrap_or_default();
        ReadyInsert { part: Ok(part), _shapes: shapes }
    }
}

fn read(sdf: &str, roots: &ResourceRoots) -> Result<PartDraft, CommandError> {
    let mut diagnostics = Diagnostics::new();
    let part = parse_part(sdf, "inserted SDF", roots, &mut diagnostics);
    match (part, faults(&diagnostics)) {
        (Some(part), None) => Ok(part),
        (_, findings) => Err(CommandError::BadSdf { findings: findings.unwrap_or_default() }),
    }
}

/// Tells the errors among what was found; none when there are none.
pub(crate) fn faults(found: &Diagnostics) -> Option<String> {
    let errors = found.items().iter().filter(|found| found.severity == Severity::Error);
    let errors: Vec<String> = errors.map(ToString::to_string).collect();
    (!errors.is_empty()).then(|| errors.join("; "))
}
