//! The models that lie under the resource folders, listed for people to choose from.
//!
//! Only the beginning of a file is looked at: whether a model can really be used is known when it
//! is included. Every model has the name by which an `<include>` finds it; one that another hides is
//! told as such. Whatever leads out of the folders is not there. The clock is not here: the caller
//! says when to stop.

mod config;
mod head;
mod walk;

use std::cmp::Ordering;
use std::path::{Path, PathBuf};

use retake_assets::{ResourceRoots, read_file};

pub(crate) use config::ModelConfig;
use head::{Content, content_of};

/// Longest file that is compared with another of the same name, in bytes.
const MAX_COMPARED_BYTES: u64 = 1 << 20;

/// How much is looked through at most.
#[derive(Clone, Copy, Debug)]
pub struct LibraryLimits {
    /// Models that are listed.
    pub models: usize,
    /// Folders that are looked into.
    pub folders: usize,
    /// Folders inside one another, the resource folder not counted.
    pub depth: usize,
}

impl Default for LibraryLimits {
    fn default() -> Self {
        Self { models: 5_000, folders: 20_000, depth: 4 }
    }
}

/// What was found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Library {
    /// Sorted by name; those that cannot be inserted are last.
    pub models: Vec<LibraryModel>,
    /// Why some are not listed; none when all are.
    pub incomplete: Option<String>,
}

/// A model that can be included, or why it cannot.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LibraryModel {
    /// What an `<include>` calls it.
    pub uri: String,
    /// What people call it.
    pub name: String,
    /// What it is, in a few sentences.
    pub description: String,
    /// Who made it.
    pub authors: Vec<String>,
    /// Its own version.
    pub version: String,
    /// The resource folder that holds it, by its last name, and the folders in between.
    pub source: String,
    /// Why it cannot be included.
    pub problem: Option<String>,
}

/// Something that looks like a model.
struct Candidate {
    uri: String,
    /// Folder of a model, or a file.
    path: PathBuf,
    source: String,
}

/// Lists the models under the roots, for as long as `go_on` says so.
pub fn list_models(
    roots: &ResourceRoots,
    limits: &LibraryLimits,
    go_on: &dyn Fn() -> bool,
) -> Library {
    let walked = walk::candidates(roots, limits, go_on);
    let mut incomplete = walked.incomplete;
    let mut models = Vec::new();
    for candidate in &walked.candidates {
        if models.len() == limits.models {
            let most = limits.models;
            incomplete = Some(format!("There are more than {most} models; the rest is not listed"));
            break;
        }
        if !go_on() {
            incomplete = Some(walk::took_too_long());
            break;
        }
        models.extend(look_at(roots, candidate));
    }
    models.sort_by(by_name);
    Library { models, incomplete }
}

fn by_name(a: &LibraryModel, b: &LibraryModel) -> Ordering {
    let key = |model: &LibraryModel| (model.problem.is_some(), model.name.to_lowercase());
    key(a).cmp(&key(b)).then_with(|| a.uri.cmp(&b.uri))
}

/// Reads what there is to say about a model; none when it is no model, or one that is listed
/// already.
fn look_at(roots: &ResourceRoots, candidate: &Candidate) -> Option<LibraryModel> {
    let mut model = LibraryModel {
        uri: candidate.uri.clone(),
        source: candidate.source.clone(),
        ..LibraryModel::default()
    };
    let file = match candidate.path.is_dir() {
        true => {
            let named = ModelConfig::read(&candidate.path)?;
            model.name = last_part(&candidate.uri);
            named.and_then(|config| take_config(&mut model, config, roots, &candidate.path))
        }
        false => Ok(candidate.path.clone()),
    };
    match file {
        Ok(file) => {
            match content_of(&file) {
                Content::Model { name, comment } if candidate.path.is_file() => {
                    model.name = if name.is_empty() { last_part(&candidate.uri) } else { name };
                    model.description = comment;
                }
                Content::Model { .. } => {}
                // A world beside the models, or what is not SDF at all.
                _ if candidate.path.is_file() => return None,
                Content::Other => {
                    let name = file_name(&file);
                    model.problem = Some(format!("{name} does not begin with a model"));
                }
                Content::Unreadable(reason) => {
                    model.problem = Some(format!("{} cannot be read: {reason}", file_name(&file)));
                }
            }
            hidden(roots, candidate, &file, model)
        }
        Err(problem) => Some(LibraryModel { problem: Some(problem), ..model }),
    }
}

/// Takes over what a `model.config` says; returns the file that it names.
fn take_config(
    model: &mut LibraryModel,
    config: ModelConfig,
    roots: &ResourceRoots,
    folder: &Path,
) -> Result<PathBuf, String> {
    if !config.name.is_empty() {
        model.name = config.name;
    }
    model.description = config.description;
    model.authors = config.authors;
    model.version = config.version;
    let named = config.file.ok_or("Its model.config names no SDF file")?;
    let file = roots.resolve(&named, Some(folder)).ok().filter(|path| path.is_file());
    let missing = || format!("Its model.config names {:?}, which is not there", head::cut(&named));
    file.ok_or_else(missing)
}

/// Says so when the uri of a model means another one, that comes first; none when that one is the
/// same.
fn hidden(
    roots: &ResourceRoots,
    candidate: &Candidate,
    file: &Path,
    model: LibraryModel,
) -> Option<LibraryModel> {
    let first = roots.resolve(&candidate.uri, None).ok()?;
    if first == candidate.path {
        return Some(model);
    }
    let other = match first.is_dir() {
        true => {
            let named = ModelConfig::read(&first).and_then(Result::ok).and_then(|it| it.file);
            named.and_then(|name| roots.resolve(&name, Some(&first)).ok())
        }
        false => Some(first.clone()),
    };
    let read = |path: &Path| read_file(path, MAX_COMPARED_BYTES).ok();
    if other.and_then(|other| read(&other)).is_some_and(|bytes| read(file) == Some(bytes)) {
        return None;
    }
    let source = walk::source_of(roots, &first);
    let problem = format!("{} means the one in {source}, which comes first", candidate.uri);
    Some(LibraryModel { problem: Some(problem), ..model })
}

fn last_part(uri: &str) -> String {
    uri.rsplit('/').next().unwrap_or_default().replace("%25", "%")
}

fn file_name(path: &Path) -> String {
    path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}
