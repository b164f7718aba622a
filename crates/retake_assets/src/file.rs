//! Reading a whole file within a bound.

use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};

/// Why a file was not read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The file cannot be opened or read.
    #[error("cannot read {path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The name belongs to a folder, a pipe or a device.
    #[error("{path} is not a regular file")]
    NotAFile {
        /// What was named.
        path: PathBuf,
    },
    /// The file is longer than the reader accepts.
    #[error("{path} has {bytes} bytes, more than the limit of {limit}")]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// Its length.
        bytes: u64,
        /// The longest accepted length.
        limit: u64,
    },
}

/// Reads a regular file of at most `limit` bytes.
///
/// # Errors
/// [`ReadError`] when it is missing, is not a regular file, or is too long.
pub fn read_file(path: &Path, limit: u64) -> Result<Vec<u8>, ReadError> {
    let failed = |source| ReadError::Io { path: path.to_owned(), source };
    // The kind is asked before opening, because opening a pipe would wait for its writer.
    let metadata = std::fs::metadata(path).map_err(failed)?;
    if !metadata.is_file() {
        return Err(ReadError::NotAFile { path: path.to_owned() });
    }
    if metadata.len() > limit {
        return Err(too_large(path, metadata.len(), limit));
    }
    let mut bytes = Vec::with_capacity(metadata.len() as usize);
    // The file may grow while it is read, so the read is bounded too.
    let file = File::open(path).map_err(failed)?;
    file.take(limit + 1).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > limit {
        return Err(too_large(path, bytes.len() as u64, limit));
    }
    Ok(bytes)
}

/// Opens a file that somebody named, or the pipe that a shell put in its place, as `<(…)` does.
///
/// # Errors
/// When it cannot be opened, or when it is a pipe with a name: that may never have a writer.
pub fn open_named(path: &Path) -> io::Result<File> {
    // The kind is asked before opening, because opening a pipe would wait for its writer. No path
    // leads to the pipes of a shell: they are open already, and nobody waits for them.
    let is_pipe = std::fs::metadata(path)?.file_type().is_fifo();
    match is_pipe && path.canonicalize().is_ok() {
        true => {
            let reason = "it is not a regular file but a pipe, which may never be written. Name a \
                          file, or a pipe of the shell: <(…)";
            Err(io::Error::new(io::ErrorKind::InvalidInput, reason))
        }
        false => File::open(path),
    }
}

fn too_large(path: &Path, bytes: u64, limit: u64) -> ReadError {
    ReadError::TooLarge { path: path.to_owned(), bytes, limit }
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::os::fd::AsRawFd;
    use std::process::Command;

    use super::*;

    #[test]
    fn a_pipe_that_nobody_writes_is_refused_and_that_of_a_shell_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let named = folder.path().join("pipe");
        assert!(Command::new("mkfifo").arg(&named).status().unwrap().success());
        let refused = open_named(&named).unwrap_err().to_string();
        assert!(refused.starts_with("it is not a regular file but a pipe"), "{refused}");
        assert!(matches!(read_file(&named, 10), Err(ReadError::NotAFile { .. })));
        // What `<(…)` and /dev/stdin lead to.
        let (reader, mut writer) = io::pipe().unwrap();
        writer.write_all(b"text").unwrap();
        drop(writer);
        let shell = format!("/proc/self/fd/{}", reader.as_raw_fd());
        let mut read = String::new();
        open_named(Path::new(&shell)).unwrap().read_to_string(&mut read).unwrap();
        assert_eq!(read, "text");
    }

    #[test]
    fn refuses_folders_and_long_files() {
        let folder = tempfile::tempdir().unwrap();
        assert!(matches!(read_file(folder.path(), 10), Err(ReadError::NotAFile { .. })));
        let path = folder.path().join("long");
        std::fs::write(&path, b"0123456789").unwrap();
        assert_eq!(read_file(&path, 10).unwrap(), b"0123456789");
        let refused = read_file(&path, 9).unwrap_err().to_string();
        assert!(refused.ends_with("long has 10 bytes, more than the limit of 9"), "{refused}");
    }
}
