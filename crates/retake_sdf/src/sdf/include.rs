//! `<include>`: models and lights from other files.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use retake_assets::{ResolveError, read_file};
use retake_description::{Light, Plugin};
use retake_diag::Diagnostic;

use super::actor::actor;
use super::context::{Context, OpenFile, Origin, Version};
use super::draft::{Drafted, ModelDraft, Named, Parts};
use super::leftovers::{adopt, leftovers};
use super::light::light;
use super::merge::merged;
use super::model::model;
use super::plugin::plugins;
use crate::library::ModelConfig;
use crate::urdf;
use crate::xml::{self, Document, Node};

/// Most files that include one another in a row.
const MAX_INCLUDE_DEPTH: usize = 32;
/// Longest file that is read, in bytes.
pub const MAX_FILE_BYTES: u64 = 256 << 20;

/// What an include brings.
pub(crate) enum Included {
    Model(Box<ModelDraft>),
    Light(Box<Drafted<Light>>),
    /// Parts of a model that is merged, and its plugins.
    Parts(Box<Parts>, Vec<Plugin>),
}

/// Reads the file that `node` includes and applies what `node` says about it.
pub(crate) fn include(cx: &mut Context<'_>, node: Node<'_>) -> Option<Included> {
    let Some(uri) = cx.text(node, "uri") else {
        cx.error("sdf-missing-uri", node.place(), "<include> has no <uri>; it is left out");
        return None;
    };
    let path = located(cx, node, &uri)?;
    if !may_open(cx, node, &path) {
        return None;
    }
    let version = cx.version;
    cx.files.push(OpenFile { path: path.clone(), included: true });
    let read = read_included(cx, node, &path);
    cx.files.pop();
    // What is not there can be done without; what is there and makes no sense is another matter.
    cx.unreadable |= read.is_none();
    cx.version = version;
    let mut included = read?;
    if !overrides(cx, node, &mut included) {
        return None;
    }
    if !cx.flag_attribute(node, "merge", false) {
        note_origin(cx, node, &included);
        return Some(included);
    }
    match included {
        Included::Model(draft) if draft.model.actor.is_none() => Some(merged_model(cx, *draft)),
        _ => {
            let message = "only a model can be merged; it is left out";
            cx.error("sdf-merge-include", node.attribute_place("merge"), message);
            None
        }
    }
}

/// Notes what the include brought, so that saving can find the way back.
fn note_origin(cx: &mut Context<'_>, node: Node<'_>, included: &Included) {
    let (tag, name) = match included {
        Included::Light(light) => ("light", &light.thing.name),
        Included::Model(draft) if draft.model.actor.is_some() => ("actor", &draft.model.name),
        Included::Model(draft) => ("model", &draft.model.name),
        Included::Parts(..) => return,
    };
    if cx.files.len() == 1 {
        cx.origins.insert(node.offset(), Origin { tag, name: name.clone() });
    }
}

fn merged_model(cx: &mut Context<'_>, mut draft: ModelDraft) -> Included {
    let plugins = std::mem::take(&mut draft.model.plugins);
    Included::Parts(Box::new(merged(cx, draft)), plugins)
}

/// Finds the file that a URI means; for a folder, the one that its `model.config` names.
fn located(cx: &mut Context<'_>, node: Node<'_>, uri: &str) -> Option<PathBuf> {
    let found = cx.roots.resolve(uri, cx.folder());
    let path = match found {
        Ok(path) => path,
        Err(error) => {
            let help = match error {
                ResolveError::Network { .. } => {
                    "Download it with \"gz fuel download -u\" and its address, or put it into a \
                     resource folder"
                }
                _ => "Check the name and --resource-path",
            };
            let error = Diagnostic::error("sdf-include-not-found", error.to_string());
            cx.diagnostics.push(error.at(node.place()).help(help));
            return None;
        }
    };
    if !path.is_dir() {
        return Some(path);
    }
    // What is wrong with a config file shows as "names no SDF file".
    let named = ModelConfig::read(&path).and_then(Result::ok).and_then(|config| config.file);
    let chosen = named.and_then(|name| cx.roots.resolve(&name, Some(&path)).ok());
    if chosen.is_none() {
        let message = format!("the folder of {uri:?} has no model.config that names an SDF file");
        cx.error("sdf-include-not-found", node.place(), message);
    }
    chosen
}

/// Refuses cycles and too many or too deep includes.
fn may_open(cx: &mut Context<'_>, node: Node<'_>, path: &Path) -> bool {
    let (code, message) = if cx.files.iter().any(|file| file.path == path) {
        let names = cx.files.iter().map(|file| file.path.as_path()).chain([path]);
        let names: Vec<String> = names.map(file_name).collect();
        ("sdf-include-cycle", format!("files include one another: {}", names.join(" → ")))
    } else if cx.files.len() > MAX_INCLUDE_DEPTH {
        (
            "sdf-too-deep",
            format!("more than {MAX_INCLUDE_DEPTH} files include one another in a row"),
        )
    } else if cx.includes_left == 0 {
        ("sdf-too-many-includes", "too many files are included".to_owned())
    } else {
        cx.includes_left -= 1;
        return true;
    };
    cx.error(code, node.place(), message);
    false
}

fn file_name(path: &Path) -> String {
    path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}

fn read_included(cx: &mut Context<'_>, node: Node<'_>, path: &Path) -> Option<Included> {
    let shown = cx.roots.portable_uri(path).unwrap_or_else(|| file_name(path));
    let bytes = match read_file(path, MAX_FILE_BYTES) {
        Ok(bytes) => bytes,
        Err(error) => {
            cx.error("sdf-unreadable-file", node.place(), error.to_string());
            return None;
        }
    };
    let Ok(text) = String::from_utf8(bytes) else {
        cx.error("sdf-not-utf8", node.place(), format!("{shown} is not UTF-8 text"));
        return None;
    };
    let document = parsed(cx, &text, &Arc::from(shown.as_str()))?;
    let document = urdf::as_sdf(cx, &document)?;
    let root = root_of(cx, &document)?;
    let is_content = |child: &Node<'_>| matches!(child.name(), "model" | "light" | "actor");
    let mut contents = root.children().filter(is_content);
    let content = contents.next();
    if let (Some(first), Some(other)) = (content, contents.next()) {
        let (first, second) = (first.name(), other.name());
        let message = format!("the included file has a <{second}> beside its <{first}>");
        let error = Diagnostic::error("sdf-include-several", message).at(other.place());
        cx.diagnostics.push(error.help(format!("Only the <{first}> is included")));
    }
    match content {
        Some(content) if content.name() == "model" => {
            model(cx, content).map(|draft| Included::Model(Box::new(draft)))
        }
        Some(content) if content.name() == "actor" => {
            actor(cx, content).map(|draft| Included::Model(Box::new(draft)))
        }
        Some(content) => light(cx, content).map(|draft| Included::Light(Box::new(draft))),
        None => {
            let message = "the included file holds neither a model nor a light";
            cx.error("sdf-include-empty", root.place(), message);
            None
        }
    }
}

/// Reads a document within what is left of the bound on elements.
pub(crate) fn parsed<'t>(
    cx: &mut Context<'_>,
    text: &'t str,
    file: &Arc<str>,
) -> Option<Document<'t>> {
    let limits = xml::Limits {
        depth: crate::MAX_DEPTH,
        elements: cx.elements_left,
        all_elements: cx.max_elements,
        per_thing: cx.elements_per_thing,
        things: cx.things_left,
    };
    let document = xml::read(text, file, limits, cx.diagnostics)?;
    let things = document.things();
    cx.things_left = cx.things_left.saturating_sub(things);
    let charged = document.len().saturating_sub(things * cx.elements_per_thing);
    cx.elements_left = cx.elements_left.saturating_sub(charged);
    Some(document)
}

/// Finds the `<sdf>` element and notes its version.
pub(crate) fn root_of<'d>(cx: &mut Context<'_>, document: &'d Document<'d>) -> Option<Node<'d>> {
    let Some(first) = document.roots().next() else {
        cx.diagnostics
            .push(Diagnostic::error("sdf-empty", format!("{} is empty", document.file())));
        return None;
    };
    let root = document.roots().find(|root| matches!(root.name(), "sdf" | "gazebo"));
    match root {
        Some(root) => {
            warn_of_others(cx, document, root);
            cx.version = version_of(cx, root)?;
            Some(root)
        }
        None => {
            not_sdf(cx, first);
            None
        }
    }
}

/// Tells of elements beside the root: libsdformat passes over them, and so do we.
pub(crate) fn warn_of_others(cx: &mut Context<'_>, document: &Document<'_>, root: Node<'_>) {
    let root_place = root.place();
    for other in document.roots().filter(|other| other.place() != root_place) {
        let name = root.name();
        let message = match other.name() {
            same if same == name => format!("there is another <{name}>, which is not read"),
            stray => format!("<{stray}> outside of <{name}> is not read"),
        };
        let warning = Diagnostic::warning("sdf-several-roots", message).at(other.place());
        cx.diagnostics.push(warning.help("Put it into a file of its own"));
    }
}

fn not_sdf(cx: &mut Context<'_>, root: Node<'_>) {
    let message = format!("the file starts with <{}> and not with <sdf>", root.name());
    cx.error("sdf-no-root", root.place(), message);
}

/// Reads the version of a file; none when it is older than what can be read.
fn version_of(cx: &mut Context<'_>, root: Node<'_>) -> Option<Version> {
    let written = root.attribute("version").unwrap_or_default();
    let Some(version) = parsed_version(written) else {
        let message = format!("<{}> has no version that can be read; 1.11 is taken", root.name());
        let error = Diagnostic::error("sdf-missing-version", message).at(root.place());
        cx.unreadable = true;
        cx.diagnostics.push(error.help("Write <sdf version=\"1.11\">"));
        return Some(crate::CURRENT_VERSION);
    };
    if version < crate::OLDEST_READ_VERSION {
        let message = format!("SDF {written} is too old to be read");
        let error = Diagnostic::error("sdf-older-version", message);
        let help = "Bring it up to date with \"gz sdf -k\" of Gazebo 9 or before";
        cx.diagnostics.push(error.at(root.attribute_place("version")).help(help));
        return None;
    }
    if version > crate::NEWEST_KNOWN_VERSION {
        let message =
            format!("SDF {written} is newer than Retake knows; it is read as best it can");
        cx.warning("sdf-newer-version", root.attribute_place("version"), message);
    }
    Some(version)
}

/// Reads a version as SDF files write it.
pub(crate) fn parsed_version(text: &str) -> Option<Version> {
    let mut parts = text.trim().split('.');
    let major = parts.next()?.parse().ok()?;
    let minor = parts.next()?.parse().ok()?;
    Some((major, minor))
}

/// Applies the name, pose and so on that the include gives to what it brought; false when the
/// name is none that can be used.
fn overrides(cx: &mut Context<'_>, node: Node<'_>, included: &mut Included) -> bool {
    let name = cx.text(node, "name");
    if let (Some(name), Some(child)) = (&name, node.take("name"))
        && !cx.is_usable_name(name, node, || child.place())
    {
        return false;
    }
    let has_pose = node.children().any(|child| child.name() == "pose");
    let (pose, relative_to) = cx.pose(node);
    match included {
        Included::Light(light) => {
            light.thing.name = name.unwrap_or_else(|| std::mem::take(&mut light.thing.name));
            if has_pose {
                light.thing.parent_from_light = pose;
                light.relative_to = relative_to;
            }
        }
        Included::Model(draft) => {
            draft.model.name = name.unwrap_or_else(|| std::mem::take(&mut draft.model.name));
            draft.model.is_static = cx.flag(node, "static", draft.model.is_static);
            if has_pose {
                draft.model.parent_from_model = pose;
                draft.relative_to = relative_to;
            }
            if let Some(frame) = node.take("placement_frame") {
                let name = frame.text().to_owned();
                draft.placement_frame = Some(Named { name, place: frame.place() });
            }
            draft.model.plugins.extend(plugins(cx, node));
        }
        // Parts are made of the model after its overrides.
        Included::Parts(..) => {}
    }
    let rest = leftovers(cx, node);
    match included {
        Included::Light(light) => adopt(&mut light.thing.extras, rest, "light"),
        Included::Model(draft) => adopt(&mut draft.model.extras, rest, "model"),
        Included::Parts(..) => {}
    }
    true
}
