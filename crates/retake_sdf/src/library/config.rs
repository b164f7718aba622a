//! `model.config`: what a model is called, and which file has it.

use std::path::Path;
use std::sync::Arc;

use retake_assets::{ReadError, read_file};
use retake_diag::{Diagnostics, Severity};

use super::head::{cut, shortened};
use crate::xml::{self, Node};

/// Names that such a file has had.
const NAMES: [&str; 2] = ["model.config", "manifest.xml"];
/// Longest file that is read, in bytes.
const MAX_BYTES: u64 = 1 << 20;
/// Most elements in it.
const MAX_ELEMENTS: usize = 10_000;
/// Authors that are told.
const MAX_AUTHORS: usize = 8;

/// What a `model.config` says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ModelConfig {
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) authors: Vec<String>,
    pub(crate) version: String,
    /// The SDF file of the newest version that is understood.
    pub(crate) file: Option<String>,
}

impl ModelConfig {
    /// Says whether a folder has one.
    pub(super) fn is_in(folder: &Path) -> bool {
        NAMES.into_iter().any(|name| folder.join(name).is_file())
    }

    /// Reads the one of a folder; none when it has none, or what is wrong with it.
    pub(crate) fn read(folder: &Path) -> Option<Result<Self, String>> {
        let name = NAMES.into_iter().find(|name| folder.join(name).is_file())?;
        Some(match read_file(&folder.join(name), MAX_BYTES) {
            Ok(bytes) => parse(bytes, name),
            Err(error) => Err(format!("{name} cannot be read: {}", without_path(&error))),
        })
    }
}

/// Says why a file was not read, and not where it lies.
pub(super) fn without_path(error: &ReadError) -> String {
    match error {
        ReadError::Io { source, .. } => source.to_string(),
        ReadError::NotAFile { .. } => "it is not a regular file".to_owned(),
        ReadError::TooLarge { bytes, limit, .. } => {
            format!("it has {bytes} bytes, more than the limit of {limit}")
        }
    }
}

fn parse(bytes: Vec<u8>, name: &str) -> Result<ModelConfig, String> {
    let text = String::from_utf8(bytes).map_err(|_| format!("{name} is not UTF-8 text"))?;
    let limits = xml::Limits {
        depth: 50,
        elements: MAX_ELEMENTS,
        all_elements: MAX_ELEMENTS,
        per_thing: 0,
        things: MAX_ELEMENTS,
    };
    let mut found = Diagnostics::new();
    let document = xml::read(&text, &Arc::from(name), limits, &mut found);
    let root = document.as_ref().and_then(|document| document.roots().next());
    let Some(root) = root else {
        let error = found.items().iter().find(|item| item.severity == Severity::Error);
        return Err(error.map_or_else(|| format!("{name} is empty"), ToString::to_string));
    };
    Ok(config_of(root))
}

fn config_of(root: Node<'_>) -> ModelConfig {
    let text = |name| root.child(name).map_or("", Node::text);
    let authors = root.children().filter(|child| child.name() == "author");
    // Old files write the name as the text of <author>.
    let author = |node: Node<'_>| cut(node.child("name").unwrap_or(node).text());
    let authors = authors.map(author).filter(|name| !name.is_empty());
    ModelConfig {
        name: cut(text("name")),
        description: shortened(text("description")),
        authors: authors.take(MAX_AUTHORS).collect(),
        version: cut(text("version")),
        file: file_of(root),
    }
}

fn file_of(root: Node<'_>) -> Option<String> {
    let files = root.children().filter(|child| child.name() == "sdf");
    let versioned =
        files.map(|node| (node.attribute("version").and_then(crate::sdf::parsed_version), node));
    let (_, best) = versioned.max_by_key(|&(version, _)| {
        let version = version.unwrap_or_default();
        (version <= crate::CURRENT_VERSION, version)
    })?;
    Some(best.text().to_owned()).filter(|name| !name.is_empty())
}
