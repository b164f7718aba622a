//! ROS packages: folders with a `package.xml`.
//!
//! Only the name is read. Packages are not searched for: a folder is one, or it is not.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use crate::read_file;

/// Longest manifest that is read, in bytes.
const MAX_MANIFEST_BYTES: u64 = 1 << 20;
/// How far above a file its package is looked for.
const MAX_LEVELS: usize = 8;

/// Finds the package that holds `path`: the nearest folder above it with a `package.xml`.
pub fn enclosing_package(path: &Path) -> Option<PathBuf> {
    let above = path.ancestors().skip(1).take(MAX_LEVELS);
    above.map(Path::to_owned).find(|folder| folder.join("package.xml").is_file())
}

/// Says whether a folder is the package called `name`, by its manifest or by its own name.
pub(crate) fn is_called(folder: &Path, name: &OsStr) -> bool {
    let Ok(bytes) = read_file(&folder.join("package.xml"), MAX_MANIFEST_BYTES) else {
        return false;
    };
    let manifest = String::from_utf8_lossy(&bytes);
    folder.file_name() == Some(name) || name.to_str().is_some_and(|name| name_in(&manifest) == name)
}

/// Reads the `<name>` of a manifest; empty when there is none.
fn name_in(manifest: &str) -> String {
    let mut pieces = manifest.split("<!--");
    let mut text = pieces.next().unwrap_or_default().to_owned();
    // What follows a comment's start counts from the comment's end on.
    text.extend(pieces.filter_map(|piece| piece.split_once("-->")).map(|(_, after)| after));
    let after = text.split_once("<name>").map(|(_, after)| after);
    let inside = after.and_then(|after| after.split_once("</name>"));
    inside.map(|(name, _)| name.trim().to_owned()).unwrap_or_default()
}
