//! What lies in the folders, and reading it.

use std::fs::{self, File, Metadata};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use retake_diag::Diagnostics;

use crate::Motion;
use crate::file::{self, CompoundAction, Format, MAX_FILE_BYTES};

/// The most files of all folders.
const MAX_FILES: usize = 4096;
/// The most bytes of all files.
const MAX_BYTES: u64 = 256 << 20;

/// A file that may be a motion, and what tells whether it changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ShelfFile {
    pub path: PathBuf,
    folder: usize,
    bytes: u64,
    changed: Option<SystemTime>,
    /// Which file it is on the disk: one that is put in the place of another is another.
    identity: (u64, i64, i64),
}

/// What was found in the folders.
pub(super) struct Found {
    pub files: Vec<ShelfFile>,
    pub problems: Vec<String>,
}

/// A file that was read.
#[derive(Debug)]
pub(super) struct Book {
    pub file: ShelfFile,
    pub motions: Vec<Arc<Motion>>,
    pub compound: Option<CompoundAction>,
    pub problems: Vec<String>,
    /// Whether it gives what it should.
    pub is_good: bool,
}

impl ShelfFile {
    /// Returns what decides between two files with one name: the folder, native before others.
    pub fn rank(&self) -> (usize, bool, &Path) {
        let native = self.path.to_str().and_then(Format::of_name) == Some(Format::Native);
        (self.folder, !native, &self.path)
    }
}

/// Looks at all folders.
pub(super) fn look(folders: &[PathBuf]) -> Found {
    let mut found = Found { files: Vec::new(), problems: Vec::new() };
    let mut bytes = 0;
    let mut seen: Vec<&Path> = Vec::new();
    for (index, folder) in folders.iter().enumerate() {
        if seen.contains(&folder.as_path()) {
            continue;
        }
        seen.push(folder);
        let paths = match paths(folder) {
            Ok(paths) => paths,
            Err(error) => {
                let folder = folder.display();
                found.problems.push(format!("{folder}: {error}. Name a folder that can be read"));
                continue;
            }
        };
        for path in paths {
            match examine(&path, folder, index) {
                Ok(Some(file)) if found.files.len() >= MAX_FILES => {
                    let path = file.path.display();
                    let most = format!("{path}: more than {MAX_FILES} files. Take some away");
                    found.problems.push(most);
                    return found;
                }
                Ok(Some(file)) if file.bytes > MAX_BYTES - bytes => {
                    let path = path.display();
                    let full =
                        format!("{path}: more than {MAX_BYTES} bytes in all. It is left out");
                    found.problems.push(full);
                }
                Ok(Some(file)) => {
                    bytes += file.bytes;
                    found.files.push(file);
                }
                Ok(None) => {}
                Err(problem) => found.problems.push(problem),
            }
        }
    }
    found
}

/// Returns the files that may be motions by their names, in order.
fn paths(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
        // What begins with a point is hidden: backups and half-written files of editors.
        let name = name.filter(|name| !name.starts_with('.'));
        if name.is_some_and(|name| Format::of_name(&name).is_some()) {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}

fn examine(path: &Path, folder: &Path, index: usize) -> Result<Option<ShelfFile>, String> {
    let problem = |error: std::io::Error| format!("{}: {error}", path.display());
    let metadata = match fs::symlink_metadata(path) {
        Ok(metadata) if metadata.is_symlink() => {
            let target = path.canonicalize().map_err(problem)?;
            let inside = folder.canonicalize().map_err(problem)?;
            if !target.starts_with(inside) {
                let path = path.display();
                return Err(format!("{path}: the link leads out of the folder. Put the file here"));
            }
            fs::metadata(path).map_err(problem)?
        }
        Ok(metadata) => metadata,
        // It went between the listing and now.
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(problem(error)),
    };
    if !metadata.is_file() {
        return Ok(None);
    }
    let bytes = metadata.len();
    if bytes > MAX_FILE_BYTES as u64 {
        let path = path.display();
        return Err(format!("{path}: {bytes} bytes, at most {MAX_FILE_BYTES} are read. Split it"));
    }
    let identity = identity(&metadata);
    let changed = metadata.modified().ok();
    Ok(Some(ShelfFile { path: path.to_owned(), folder: index, bytes, changed, identity }))
}

#[cfg(unix)]
fn identity(metadata: &Metadata) -> (u64, i64, i64) {
    use std::os::unix::fs::MetadataExt;
    (metadata.ino(), metadata.ctime(), metadata.ctime_nsec())
}

#[cfg(not(unix))]
fn identity(_: &Metadata) -> (u64, i64, i64) {
    (0, 0, 0)
}

/// Reads a file; what is wrong with it is in the result.
pub(super) fn read(file: ShelfFile) -> Book {
    let empty = |file, problem| Book {
        file,
        motions: Vec::new(),
        compound: None,
        problems: vec![problem],
        is_good: false,
    };
    let name = file.path.display().to_string();
    let text = match read_text(&file.path) {
        Ok(text) => text,
        Err(problem) => return empty(file, format!("{name}: {problem}")),
    };
    let mut found = Diagnostics::new();
    let mut book = empty(file, String::new());
    if Format::of(&name, &text) == Some(Format::CompoundJson) {
        book.compound = file::read_compound(&text, &name, &mut found);
    } else {
        let motions = file::read(&text, &name, &mut found);
        book.motions = motions.into_iter().map(Arc::new).collect();
    }
    book.is_good = !found.has_errors();
    book.problems = found.to_string().lines().map(str::to_owned).collect();
    book
}

fn read_text(path: &Path) -> Result<String, String> {
    let file = File::open(path).map_err(|error| error.to_string())?;
    let mut bytes = Vec::new();
    // The file may have grown since it was looked at.
    let mut bounded = file.take(MAX_FILE_BYTES as u64 + 1);
    bounded.read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        format!("byte {at} is not UTF-8. Save it as UTF-8 text")
    })
}
