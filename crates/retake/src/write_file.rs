//! Writing a file so that it is the old one or the new one, never a part.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

/// Why a file was not written; the old one is as it was.
#[derive(Debug, Error)]
pub(crate) enum WriteError {
    /// The file is there and must not be written.
    #[error("{} is read-only. Make it writable, or save into another file", path.display())]
    ReadOnly {
        /// The file.
        path: PathBuf,
    },
    /// It is there and is something else than a file.
    #[error("{} is not a file. Name a file to save into", path.display())]
    NotAFile {
        /// What it is.
        path: PathBuf,
    },
    /// The system refused; on a full disk, for instance.
    #[error("Could not write {}: {source}. What was there before is untouched", path.display())]
    Io {
        /// What the system says.
        source: io::Error,
        /// The file.
        path: PathBuf,
    },
}

/// Writes a file whole or not at all, and returns when it is on the disk.
///
/// A symbolic link stays one and its target is written; permissions stay.
///
/// # Errors
/// [`WriteError`]; the file is as it was.
pub(crate) fn write_whole(path: &Path, text: &str) -> Result<(), WriteError> {
    write_whole_bytes(path, text.as_bytes())
}

/// Writes bytes as [`write_whole`] writes text.
///
/// # Errors
/// [`WriteError`]; the file is as it was.
pub(crate) fn write_whole_bytes(path: &Path, bytes: &[u8]) -> Result<(), WriteError> {
    // The new file takes the place of the one that a link leads to, and not of the link.
    let real = path.canonicalize().unwrap_or_else(|_| target_of(path));
    let old = fs::metadata(&real).ok();
    match &old {
        Some(old) if !old.is_file() => return Err(WriteError::NotAFile { path: path.to_owned() }),
        // Taking its place would need no right to write it, but that is not what is meant by it.
        Some(old) if old.permissions().readonly() || !may_write(&real) => {
            return Err(WriteError::ReadOnly { path: path.to_owned() });
        }
        _ => {}
    }
    replace(&real, bytes, old.as_ref())
        .map_err(|source| WriteError::Io { source, path: path.to_owned() })
}

/// Returns where a link leads to when nothing is there yet; anything else is its own target.
fn target_of(path: &Path) -> PathBuf {
    match fs::read_link(path) {
        Ok(target) => path.with_file_name("").join(target),
        Err(_) => path.to_owned(),
    }
}

fn may_write(file: &Path) -> bool {
    !OpenOptions::new()
        .write(true)
        .open(file)
        .is_err_and(|error| error.kind() == io::ErrorKind::PermissionDenied)
}

fn replace(file: &Path, bytes: &[u8], old: Option<&fs::Metadata>) -> io::Result<()> {
    let part = part_of(file);
    let write = || {
        let mut out = OpenOptions::new().write(true).create_new(true).open(&part)?;
        if let Some(old) = old {
            keep_owner(&out, old);
            out.set_permissions(old.permissions())?;
        }
        out.write_all(bytes)?;
        out.sync_all()?;
        fs::rename(&part, file)
    };
    write().inspect_err(|_| {
        // What was written in part is of no use to anyone.
        fs::remove_file(&part).ok();
    })?;
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    // The new name is there in any case; some file systems cannot make sure of it.
    File::open(folder.unwrap_or(Path::new("."))).and_then(|folder| folder.sync_all()).ok();
    Ok(())
}

/// Names the file that is written first, beside the one that it becomes.
fn part_of(file: &Path) -> PathBuf {
    let mut name = std::ffi::OsString::from(".");
    name.push(file.file_name().unwrap_or_default());
    name.push(format!(".{}.part", uuid::Uuid::now_v7().simple()));
    file.with_file_name(name)
}

/// Gives a new file the owner of the old one, which only root can do for others.
fn keep_owner(file: &File, old: &fs::Metadata) {
    use std::os::unix::fs::{MetadataExt, fchown};
    fchown(file, Some(old.uid()), Some(old.gid())).ok();
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn links_and_permissions_stay() {
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("a.sdf"), folder.path().join("b.sdf"));
        fs::write(&file, "old").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
        symlink("a.sdf", &link).unwrap();
        write_whole(&link, "new").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(&file).unwrap(), "new");
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
        assert_eq!(names(folder.path()), ["a.sdf", "b.sdf"]);
        fs::remove_file(&file).unwrap();
        write_whole(&link, "again").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(&file).unwrap(), "again");
    }

    #[test]
    fn what_must_not_be_written_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.sdf");
        fs::write(&file, "old").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o444)).unwrap();
        let refused = write_whole(&file, "new").unwrap_err().to_string();
        assert!(
            refused.ends_with("a.sdf is read-only. Make it writable, or save into another file")
        );
        assert_eq!(fs::read_to_string(&file).unwrap(), "old");
        assert!(matches!(write_whole(folder.path(), ""), Err(WriteError::NotAFile { .. })));
        let nowhere = folder.path().join("no/a.sdf");
        assert!(matches!(write_whole(&nowhere, ""), Err(WriteError::Io { .. })));
        assert_eq!(names(folder.path()), ["a.sdf"]);
    }
}
