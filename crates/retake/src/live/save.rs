//! `retake world save` and `retake physics save`: the world as it is now, or its profiles alone,
//! into the file that it came from or another.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, bail};
use retake_assets::ResourceRoots;
use retake_components::{JointPosition, export_world, world_entity};
use retake_description::World;
use retake_diag::Diagnostics;
use retake_ecm::{Ecm, EntityId};
use retake_gui::SavedPart;
use retake_msgs::{SavedFile, WorldSource, WorldSourceRequest, names};
use retake_sdf::save::{Change, ChangeKind, Original, Patched, Reprinted, patched};
use retake_sdf::{load_world_file, print_world};
use retake_transport::Bus;
use serde_json::{Value, json};

use crate::cli::{Format, SaveArgs};
use crate::link::{BusLink, Link};
use crate::output::{Outcome, Printer, remark};
use crate::world_file::{hash_of, read_whole, roots};
use crate::write_file::write_whole;
use crate::{output, replica};

/// The file name that means standard output.
const STANDARD_OUTPUT: &str = "-";
/// Most changes that are told one by one.
const TOLD_CHANGES: usize = 20;

/// Saves the world of a server.
pub(super) fn run(
    args: &SaveArgs,
    link: &mut dyn Link,
    printer: &mut Printer<'_>,
) -> anyhow::Result<Outcome> {
    let source = source_of(args, link)?;
    let (ecm, world) = live_world(link)?;
    let mut outcome = write(&world, &source, args, (link, printer))?;
    if told_joints(&ecm) | told_pending(link)? {
        outcome = Outcome::Loss;
    }
    Ok(outcome)
}

/// Saves the physics profiles of a server into its world's file, and nothing else.
pub(super) fn run_profiles(
    args: &SaveArgs,
    link: &mut dyn Link,
    printer: &mut Printer<'_>,
) -> anyhow::Result<Outcome> {
    let source = source_of(args, link)?;
    let (_, live) = live_world(link)?;
    let world = match has_file(&source) {
        true => World { profiles: live.profiles, ..written(&source)? },
        false => live,
    };
    write(&world, &source, args, (link, printer))
}

/// Saves the world of the server on a bus, or a part of it, into its file, as a page asks for it, and
/// returns what happened.
///
/// # Errors
/// A sentence that says why nothing was saved.
pub(crate) fn save_for_page(bus: Arc<dyn Bus>, part: SavedPart) -> Result<String, String> {
    let mut said = Vec::new();
    let mut printer = Printer { out: &mut said, format: Format::Text };
    let args = SaveArgs { file: None, force: false };
    let saved = BusLink::on(bus).and_then(|mut link| match part {
        SavedPart::World => run(&args, &mut link, &mut printer),
        SavedPart::Profiles => run_profiles(&args, &mut link, &mut printer),
    });
    let outcome = saved.map_err(|error| output::in_words(&error))?;
    let mut text = String::from_utf8_lossy(&said).lines().next().unwrap_or_default().to_owned();
    if outcome == Outcome::Loss {
        text.push_str(". Not all of it could be kept; the terminal says what");
    }
    Ok(text)
}

/// Returns the world as the server has it now.
fn live_world(link: &mut dyn Link) -> anyhow::Result<(Ecm, World)> {
    let (ecm, _) = replica::fetch(link)?;
    let world = world_entity(&ecm).and_then(|world| export_world(&ecm, world));
    let world = world.context("the server has no world")?;
    Ok((ecm, world))
}

/// Returns the folders that the server took files from.
///
/// One that is gone is not needed to save, unless an include is in it, which is said then.
fn roots_of(source: &WorldSource) -> anyhow::Result<ResourceRoots> {
    let folders = source.resource_folders.iter().map(PathBuf::from);
    roots(&folders.filter(|folder| folder.is_dir()).collect::<Vec<_>>())
}

/// Reads the world as its file has it.
fn written(source: &WorldSource) -> anyhow::Result<World> {
    // What is wrong with the file was told when it was loaded.
    let mut found = Diagnostics::new();
    let world = load_world_file(Path::new(&source.path), &roots_of(source)?, &mut found);
    world.with_context(|| format!("No world could be read from {}", source.path))
}

/// Writes a world where the user wants it, and says what that lost.
fn write(
    world: &World,
    source: &WorldSource,
    args: &SaveArgs,
    (link, printer): (&mut dyn Link, &mut Printer<'_>),
) -> anyhow::Result<Outcome> {
    let target = Target::choose(args, source)?;
    let text = target.text(world, source, args.force)?;
    let mut is_noted = true;
    match target.file {
        None => write!(printer.out, "{}", text.text)?,
        Some(ref file) => {
            // As late as can be, because making the text took its time.
            let there = read_whole(file);
            let is_new = there.as_deref() != Some(text.text.as_bytes());
            match (args.force, target.in_place) {
                (true, _) => {}
                (false, true) => refuse_foreign(source, there.as_deref())?,
                (false, false) if is_new => refuse_unknown(file, there.as_deref(), source)?,
                (false, false) => {}
            }
            if is_new {
                write_whole(file, &text.text)?;
            }
            report(file, &text, is_new, printer)?;
            is_noted = told_server(link, &target, hash_of(text.text.as_bytes()));
        }
    }
    let outcome = told_losses(&text);
    Ok(if is_noted { outcome } else { Outcome::Loss })
}

/// Asks the server where its world came from.
fn source_of(args: &SaveArgs, link: &mut dyn Link) -> anyhow::Result<WorldSource> {
    let request = WorldSourceRequest::default();
    let source: WorldSource = link.call(&names::source(&link.world()), &request)?;
    if args.file.is_none() && source.path.is_empty() && !source.hash.is_empty() {
        bail!("The name of this world's file is no text. Name another file to save into");
    }
    Ok(source)
}

/// Says whether a world came from a file that can be named.
fn has_file(source: &WorldSource) -> bool {
    !source.path.is_empty()
}

/// Tells the server what a file holds now; says on standard error when that cannot be done, because
/// what is saved stays saved.
fn told_server(link: &mut dyn Link, target: &Target, hash: String) -> bool {
    let told = note_saved(link, target, hash);
    if let Err(error) = &told {
        remark(format!(
            "The server could not be told of it, so that the next save there needs --force: {}",
            output::in_words(error)
        ));
    }
    told.is_ok()
}

/// Tells the server what a file holds now, so that the next save knows it.
fn note_saved(link: &mut dyn Link, target: &Target, hash: String) -> anyhow::Result<()> {
    let saved_path = match (target.in_place, target.file.as_deref().map(name_of)) {
        (true, _) => String::new(),
        (false, Some(Some(name))) => name,
        // What cannot be named is not known again.
        (false, _) => return Ok(()),
    };
    let request = WorldSourceRequest { saved_hash: Some(hash), saved_path };
    let _: WorldSource = link.call(&names::source(&link.world()), &request)?;
    Ok(())
}

/// Returns the one name that a file has for everybody; none when it is no text.
fn name_of(file: &Path) -> Option<String> {
    file.canonicalize().ok()?.to_str().map(str::to_owned)
}

/// Where a world goes.
struct Target {
    /// None is standard output.
    file: Option<PathBuf>,
    /// Whether it is the file that the world came from.
    in_place: bool,
}

impl Target {
    fn choose(args: &SaveArgs, source: &WorldSource) -> anyhow::Result<Self> {
        let own = has_file(source).then(|| PathBuf::from(&source.path));
        match (&args.file, own) {
            (Some(file), _) if file == Path::new(STANDARD_OUTPUT) => {
                Ok(Self { file: None, in_place: false })
            }
            (Some(file), own) => {
                let same = own.is_some_and(|own| is_same_file(file, &own));
                Ok(Self { file: Some(std::path::absolute(file)?), in_place: same })
            }
            (None, Some(own)) => Ok(Self { file: Some(own), in_place: true }),
            (None, None) => {
                bail!("This world comes from no file. Name one: retake world save FILE")
            }
        }
    }

    /// Makes the text that holds the world, from that of its file when there is one.
    fn text(&self, world: &World, source: &WorldSource, force: bool) -> anyhow::Result<Patched> {
        if !has_file(source) {
            return Ok(printed(world));
        }
        let own = Path::new(&source.path);
        let bytes = read_whole(own);
        if self.in_place && source.other_format {
            bail!("{} is not SDF. Name a file to save into: retake world save FILE", own.display());
        }
        if self.in_place && !force {
            refuse_foreign(source, bytes.as_deref())?;
        }
        let text = bytes.and_then(|bytes| String::from_utf8(bytes).ok());
        let Some(text) = text else {
            return Ok(Patched { reprinted: Some(Reprinted::NoText), ..printed(world) });
        };
        let path = self.file.as_deref().unwrap_or(own);
        let original = Original { text: &text, path, roots: &roots_of(source)? };
        Ok(patched(&original, world))
    }
}

/// Refuses a file that holds something else than what was loaded or saved last, or perhaps does.
fn refuse_foreign(source: &WorldSource, bytes: Option<&[u8]>) -> anyhow::Result<()> {
    let is_ours = match bytes {
        Some(bytes) => hash_of(bytes) == source.hash,
        // What cannot be read is not ours; what is gone is nobody's.
        None => Path::new(&source.path).symlink_metadata().is_err(),
    };
    if is_ours {
        return Ok(());
    }
    bail!(
        "{} was changed by someone else since it was loaded or saved. Save into another file \
         (retake world save FILE), or overwrite it with --force",
        source.path
    )
}

/// Refuses to overwrite what no earlier save is known to have written.
fn refuse_unknown(file: &Path, bytes: Option<&[u8]>, source: &WorldSource) -> anyhow::Result<()> {
    let hash = bytes.map(hash_of);
    let name = name_of(file);
    let was_saved =
        |copy: &SavedFile| Some(&copy.path) == name.as_ref() && hash.as_ref() == Some(&copy.hash);
    let is_ours = match &hash {
        Some(_) => source.copy.iter().any(was_saved),
        // What is no file at all is told when it is written.
        None => !file.is_file(),
    };
    if is_ours {
        return Ok(());
    }
    bail!(
        "{} is there, and what it holds is not known as a save of this server. Save into another \
         file, or overwrite it with --force",
        file.display()
    )
}

fn is_same_file(a: &Path, b: &Path) -> bool {
    match (a.canonicalize(), b.canonicalize()) {
        (Ok(a), Ok(b)) => a == b,
        // One of them is gone; the names still tell.
        _ => std::path::absolute(a).ok() == std::path::absolute(b).ok(),
    }
}

/// Prints a world that has no text to start from.
fn printed(world: &World) -> Patched {
    let text = print_world(world);
    Patched { text, changes: Vec::new(), reprinted: None, is_exact: true }
}

fn report(
    file: &Path,
    text: &Patched,
    is_new: bool,
    printer: &mut Printer<'_>,
) -> anyhow::Result<()> {
    let changes: Vec<Value> = text.changes.iter().map(change_json).collect();
    let value = json!({
        "file": file.display().to_string(),
        "written": is_new,
        "changes": changes,
        "reprinted": text.reprinted.map(|reason| reason.to_string()),
    });
    printer.print(&value, |out| {
        match is_new {
            true => writeln!(out, "Saved {}", file.display())?,
            false => writeln!(out, "{} holds the world already", file.display())?,
        }
        for change in text.changes.iter().take(TOLD_CHANGES) {
            writeln!(out, "  {} {}", shown_path(change), change.kind)?;
        }
        match text.changes.len().saturating_sub(TOLD_CHANGES) {
            0 => Ok(()),
            more => writeln!(out, "  and {more} more"),
        }
    })
}

fn change_json(change: &Change) -> Value {
    let kind = match change.kind {
        ChangeKind::Edited => "edited",
        ChangeKind::Inserted => "inserted",
        ChangeKind::Removed => "removed",
        ChangeKind::Expanded => "expanded",
        ChangeKind::Rewritten { .. } => "rewritten",
    };
    json!({ "path": change.path, "kind": kind, "comments_lost": comments_lost(change) })
}

fn comments_lost(change: &Change) -> usize {
    match change.kind {
        ChangeKind::Rewritten { comments_lost } => comments_lost,
        _ => 0,
    }
}

fn shown_path(change: &Change) -> String {
    output::printable(if change.path.is_empty() { "world" } else { &change.path })
}

/// Says on standard error what the file does not hold.
fn told_losses(text: &Patched) -> Outcome {
    let mut outcome = Outcome::Done;
    let mut lost = |words: String| {
        remark(words);
        outcome = Outcome::Loss;
    };
    if let Some(reason) = text.reprinted {
        lost(format!("The whole world was printed anew, without comments: {reason}"));
    }
    if !text.is_exact {
        lost("Reading the file does not give exactly this world".to_owned());
    }
    outcome
}

/// Says whether joints are somewhere that SDF has no place for, and on standard error how many.
fn told_joints(ecm: &Ecm) -> bool {
    let moved = |(_, position): &(EntityId, &JointPosition)| position.0.iter().any(|p| *p != 0.0);
    let count = ecm.iter::<JointPosition>().filter(moved).count();
    if count > 0 {
        remark(format!("SDF has no place for joint positions: {count} joints start at zero"));
    }
    count > 0
}

/// Says what GUIs hold that the server does not have, and so the file neither.
fn told_pending(link: &mut dyn Link) -> anyhow::Result<bool> {
    let count = super::pending::count(link)?;
    if count > 0 {
        remark(format!(
            "{count} actions wait in GUIs and are not saved. Let the world go on first"
        ));
    }
    Ok(count > 0)
}
