//! Files and texts to worlds and models.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use retake_assets::{ReadError, ResourceRoots, enclosing_package, read_file};
use retake_description::{Light, Model, World};
use retake_diag::{Diagnostic, Diagnostics};

use crate::as_written::AsWritten;
use crate::frames::{resolve_light, resolve_model, resolve_world};
use crate::sdf::{self, Context, Origin, WorldDraft};
use crate::urdf::{self, FixedJoints};
use crate::xml::{Document, Node};

/// A part of a world that can be inserted into another.
#[derive(Clone, Debug, PartialEq)]
pub enum Fragment {
    /// A model.
    Model(Model),
    /// A light.
    Light(Light),
}

/// What a file holds: worlds, or else one model or light.
#[derive(Clone, Debug, PartialEq)]
pub struct Contents {
    /// Worlds, each with the names that its file uses.
    pub worlds: Vec<(World, AsWritten)>,
    /// What is there when there is no world.
    pub fragment: Option<Fragment>,
    /// What the file is written in.
    pub format: FileFormat,
    /// Names that the file of the fragment uses.
    pub(crate) written: AsWritten,
}

/// What a file is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileFormat {
    /// As worlds are saved.
    Sdf,
    /// A robot, of which SDF was made.
    Urdf,
}

impl Contents {
    /// Returns the world that is simulated: the first one, or one made for the lone model or light.
    pub fn into_world(self) -> World {
        if let Some((world, _)) = self.worlds.into_iter().next() {
            return world;
        }
        let mut world = World::default();
        match self.fragment {
            Some(Fragment::Model(model)) => world.models.push(model),
            Some(Fragment::Light(light)) => world.lights.push(light),
            None => {}
        }
        world
    }
}

/// How a file is loaded.
#[derive(Clone, Debug, Default)]
pub struct LoadOptions {
    /// Goes on with defaults where values cannot be read, instead of refusing the file.
    pub keep_going: bool,
    /// What becomes of the fixed joints of URDF files.
    pub fixed_joints: FixedJoints,
}

/// Loads everything in a file.
///
/// The file's own folder counts as the first resource root, beside those in `roots`; for a URDF
/// file, so does the ROS package that holds it. Returns none when nothing can be used; whatever
/// is wrong is in `diagnostics`.
pub fn load_file(
    path: &Path,
    roots: &ResourceRoots,
    options: &LoadOptions,
    diagnostics: &mut Diagnostics,
) -> Option<Contents> {
    let shown = path.display().to_string();
    let text = read_text(path, &shown, diagnostics)?;
    let canonical = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let roots = with_own_folders(&canonical, roots);
    let mut cx = Context::new(diagnostics, &roots, canonical);
    cx.fixed_joints = options.fixed_joints;
    let contents = contents_of(&mut cx, &text, &Arc::from(shown))?;
    if cx.unreadable && !options.keep_going {
        return None;
    }
    Some(contents)
}

/// Loads the world in a file as far as it can be read.
///
/// A file with only a model or a light gives a world that holds just it.
pub fn load_world_file(
    path: &Path,
    roots: &ResourceRoots,
    diagnostics: &mut Diagnostics,
) -> Option<World> {
    let options = LoadOptions { keep_going: true, ..LoadOptions::default() };
    load_file(path, roots, &options, diagnostics).map(Contents::into_world)
}

/// Reads a world from a text as if it stood in the file at `path`; also what its includes brought.
pub(crate) fn parse_world_at(
    text: &str,
    path: &Path,
    roots: &ResourceRoots,
    diagnostics: &mut Diagnostics,
) -> Option<(World, BTreeMap<usize, Origin>)> {
    let canonical = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let roots = with_own_folders(&canonical, roots);
    let mut cx = Context::new(diagnostics, &roots, canonical);
    let contents = contents_of(&mut cx, text, &Arc::from(path.display().to_string()))?;
    Some((contents.into_world(), cx.origins))
}

/// Reads a world from text; `file_name` is only for the diagnostics.
///
/// Relative names are looked up under `roots`. Returns none when nothing can be used.
pub fn parse_world(
    text: &str,
    file_name: &str,
    roots: &ResourceRoots,
    diagnostics: &mut Diagnostics,
) -> Option<World> {
    let mut cx = Context::new(diagnostics, roots, PathBuf::new());
    contents_of(&mut cx, text, &Arc::from(file_name)).map(Contents::into_world)
}

/// Reads a model or light from text: `<model>` or `<light>`, alone or inside `<sdf>`.
///
/// Made for what others send to a running world, so far fewer elements are taken than of a file.
/// Returns none when there is neither; whatever is wrong is in `diagnostics`.
pub fn parse_fragment(
    text: &str,
    file_name: &str,
    roots: &ResourceRoots,
    diagnostics: &mut Diagnostics,
) -> Option<Fragment> {
    let mut cx = Context::for_fragment(diagnostics, roots);
    let document = sdf::parsed(&mut cx, text, &Arc::from(file_name))?;
    let document = urdf::as_sdf(&mut cx, &document)?;
    let bare = document.roots().find(is_fragment);
    let node = match bare {
        Some(node) => node,
        None => {
            let root = sdf::root_of(&mut cx, &document)?;
            let found = root.children().find(is_fragment);
            found.or_else(|| {
                let message = "there is neither a <model> nor a <light> to insert";
                cx.error("sdf-no-fragment", root.place(), message);
                None
            })?
        }
    };
    fragment(&mut cx, node)
}

fn is_fragment(node: &Node<'_>) -> bool {
    matches!(node.name(), "model" | "light" | "actor")
}

fn fragment(cx: &mut Context<'_>, node: Node<'_>) -> Option<Fragment> {
    if node.name() == "light" {
        let draft = sdf::light(cx, node)?;
        return resolve_light(cx, draft).map(Fragment::Light);
    }
    let draft = match node.name() {
        "actor" => sdf::actor(cx, node)?,
        _ => sdf::model(cx, node)?,
    };
    resolve_model(cx, draft).map(Fragment::Model)
}

fn contents_of(cx: &mut Context<'_>, text: &str, file: &Arc<str>) -> Option<Contents> {
    // The document goes before the frames are resolved: they need the room, and the drafts hold
    // all that they need.
    let drafts = {
        let document = sdf::parsed(cx, text, file)?;
        let document = urdf::as_sdf(cx, &document)?;
        let format = document.format();
        let root = sdf::root_of(cx, &document)?;
        let nodes: Vec<Node<'_>> =
            root.children().filter(|child| child.name() == "world").collect();
        if nodes.is_empty() {
            let alone = lone_fragment(cx, &document, root)?;
            return Some(Contents { format, ..alone });
        }
        worlds(cx, &nodes)
    };
    let resolved = drafts.into_iter().map(|draft| {
        let world = resolve_world(cx, draft);
        (world, std::mem::take(&mut cx.as_written))
    });
    let worlds = resolved.collect();
    let written = AsWritten::default();
    Some(Contents { worlds, fragment: None, format: FileFormat::Sdf, written })
}

/// Reads every world; only the first of those with one name counts.
fn worlds(cx: &mut Context<'_>, nodes: &[Node<'_>]) -> Vec<WorldDraft> {
    if let [_, second, ..] = nodes {
        let message = "the file has more than one world; only the first is simulated";
        cx.warning("sdf-several-worlds", second.place(), message);
    }
    let mut drafts: Vec<WorldDraft> = Vec::new();
    for &node in nodes {
        let draft = sdf::world(cx, node);
        if drafts.iter().any(|other| other.world.name == draft.world.name) {
            let message =
                format!("there is already a world {:?}; this one is left out", draft.world.name);
            cx.error("sdf-duplicate-name", node.place(), message);
            continue;
        }
        drafts.push(draft);
    }
    drafts
}

/// Reads the model or light that is alone in a file.
fn lone_fragment(
    cx: &mut Context<'_>,
    document: &Document<'_>,
    root: Node<'_>,
) -> Option<Contents> {
    let Some(node) = root.children().find(is_fragment) else {
        let message = format!("{} holds no world, model or light", document.file());
        cx.error("sdf-no-world", root.place(), message);
        return None;
    };
    let message = format!("the file holds no world; one is made for its {}", node.name());
    cx.diagnostics.push(Diagnostic::note("sdf-lone-model", message).at(node.place()));
    let fragment = Some(fragment(cx, node)?);
    let written = std::mem::take(&mut cx.as_written);
    Some(Contents { worlds: Vec::new(), fragment, format: FileFormat::Sdf, written })
}

fn read_text(path: &Path, shown: &str, diagnostics: &mut Diagnostics) -> Option<String> {
    let bytes = match read_file(path, sdf::MAX_FILE_BYTES) {
        Ok(bytes) => bytes,
        Err(error) => {
            diagnostics.push(unreadable(&error, shown));
            return None;
        }
    };
    let text = String::from_utf8(bytes);
    if let Err(error) = &text {
        let at = error.utf8_error().valid_up_to();
        let message = format!("{shown} is not UTF-8 text: byte {at} does not belong there");
        diagnostics.push(Diagnostic::error("sdf-not-utf8", message));
    }
    text.ok()
}

fn unreadable(error: &ReadError, shown: &str) -> Diagnostic {
    match error {
        ReadError::Io { source, .. } if source.kind() == std::io::ErrorKind::NotFound => {
            Diagnostic::error("sdf-no-such-file", format!("there is no file {shown}"))
        }
        ReadError::NotAFile { .. } => {
            let message = format!("{shown} is not a file");
            Diagnostic::error("sdf-no-such-file", message).help("Name a world file")
        }
        other => Diagnostic::error("sdf-unreadable-file", other.to_string()),
    }
}

/// Puts the folder of a file before the other roots, and for URDF the package that holds it.
fn with_own_folders(file: &Path, roots: &ResourceRoots) -> ResourceRoots {
    let is_urdf = file.extension().is_some_and(|extension| extension == "urdf");
    let package = if is_urdf { enclosing_package(file) } else { None };
    with_folders(file.parent().into_iter().chain(package.as_deref()), roots)
}

/// Puts folders before the other roots.
fn with_folders<'p>(
    folders: impl Iterator<Item = &'p Path>,
    roots: &'p ResourceRoots,
) -> ResourceRoots {
    // The last one that is put first ends up before the others.
    let folders: Vec<&Path> = folders.collect();
    folders.iter().rev().fold(roots.clone(), |roots, folder| roots.with_first(folder))
}
