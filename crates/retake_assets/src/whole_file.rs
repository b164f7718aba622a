//! Writing a file so that it is the old one or the new one, never a part.
//!
//! The order of what is asked of the disk is what that rests on; a [`Folder`] is all that is asked,
//! so that it can be tried on a disk that fills up, fails and loses power.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

/// Why a file was not written; the old one is as it was.
#[derive(Debug, Error)]
pub enum WriteError {
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
pub fn write_whole(path: &Path, text: &str) -> Result<(), WriteError> {
    write_whole_bytes(path, text.as_bytes())
}

/// Writes bytes as [`write_whole`] writes text.
///
/// # Errors
/// [`WriteError`]; the file is as it was.
pub fn write_whole_bytes(path: &Path, bytes: &[u8]) -> Result<(), WriteError> {
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
    replace(&mut Disk { old }, &real, bytes)
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

/// What is asked of a disk to put a new file in the place of an old one.
pub trait Folder {
    /// Makes a file, which must not be there yet, and returns when all of it is on the disk.
    ///
    /// # Errors
    /// When it is there, or the disk refuses; then a part of it may be there.
    fn write_new(&mut self, file: &Path, bytes: &[u8]) -> io::Result<()>;

    /// Lets a file take the place of another one at once.
    ///
    /// # Errors
    /// When the disk refuses: nothing has changed.
    fn put_in_place(&mut self, new: &Path, file: &Path) -> io::Result<()>;

    /// Removes a file.
    ///
    /// # Errors
    /// When the disk refuses.
    fn remove(&mut self, file: &Path) -> io::Result<()>;

    /// Returns when the names of all files beside this one are on the disk.
    ///
    /// # Errors
    /// When that cannot be known.
    fn sync_names(&mut self, file: &Path) -> io::Result<()>;
}

/// Most files of the same name that may have been left behind by processes that were killed.
const MOST_LEFT: u32 = 1000;

/// Puts new bytes in the place of a file, whole or not at all.
///
/// # Errors
/// When the disk refuses: the file is as it was.
pub fn replace(folder: &mut dyn Folder, file: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut numbers = 0..MOST_LEFT;
    let part = loop {
        let part = part_of(file, numbers.next().unwrap_or(MOST_LEFT));
        match folder.write_new(&part, bytes) {
            Ok(()) => break part,
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && !numbers.is_empty() => {}
            Err(error) => {
                // What was written in part is of no use to anyone, unless it is someone else's.
                if error.kind() != io::ErrorKind::AlreadyExists {
                    folder.remove(&part).ok();
                }
                return Err(error);
            }
        }
    };
    folder.put_in_place(&part, file).inspect_err(|_| {
        folder.remove(&part).ok();
    })?;
    // The new name is there in any case; some file systems cannot make sure of it.
    folder.sync_names(file).ok();
    Ok(())
}

/// Names the file that is written first, beside the one that it becomes.
fn part_of(file: &Path, number: u32) -> PathBuf {
    let mut name = std::ffi::OsString::from(".");
    name.push(file.file_name().unwrap_or_default());
    name.push(format!(".{}-{number}.part", std::process::id()));
    file.with_file_name(name)
}

/// The disk of this machine.
struct Disk {
    /// What is replaced: the new file is to be like it.
    old: Option<fs::Metadata>,
}

impl Folder for Disk {
    fn write_new(&mut self, file: &Path, bytes: &[u8]) -> io::Result<()> {
        let mut out = OpenOptions::new().write(true).create_new(true).open(file)?;
        if let Some(old) = &self.old {
            keep_owner(&out, old);
            out.set_permissions(old.permissions())?;
        }
        out.write_all(bytes)?;
        out.sync_all()
    }

    fn put_in_place(&mut self, new: &Path, file: &Path) -> io::Result<()> {
        fs::rename(new, file)
    }

    fn remove(&mut self, file: &Path) -> io::Result<()> {
        fs::remove_file(file)
    }

    fn sync_names(&mut self, file: &Path) -> io::Result<()> {
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
        File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
    }
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
    fn what_a_killed_process_left_is_in_nobodys_way() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.sdf");
        let left = part_of(&file, 0);
        fs::write(&left, "left").unwrap();
        write_whole(&file, "new").unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), "new");
        assert_eq!(fs::read_to_string(&left).unwrap(), "left", "it may be someone else's");
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
