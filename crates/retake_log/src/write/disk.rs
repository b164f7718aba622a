//! What a log is written to: a file that asks for room before it needs it.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use rustix::fs::{FallocateFlags, fallocate};
use rustix::io::Errno;
use rustix::process::{Resource, getrlimit};

/// The file of a log, on a disk that may be full.
pub trait Disk: Send {
    /// Appends bytes at the end of the file.
    ///
    /// # Errors
    /// When the disk refuses; a part of them may be there.
    fn append(&mut self, bytes: &[u8]) -> io::Result<()>;

    /// Makes sure that the file can grow by `bytes` beyond `length`, its present length.
    ///
    /// # Errors
    /// When the disk refuses for another reason than lack of room.
    fn reserve(&mut self, length: u64, bytes: u64) -> io::Result<Reserved>;

    /// Cuts the file to `length`, and gives back what was reserved beyond.
    ///
    /// # Errors
    /// When the disk refuses.
    fn cut_to(&mut self, length: u64) -> io::Result<()>;

    /// Waits until what was written is on the disk, and a name in the folder that leads to it.
    ///
    /// # Errors
    /// When it may not be.
    fn sync(&mut self) -> io::Result<()>;

    /// Waits until the file as a whole, and its name in the folder, are on the disk.
    ///
    /// # Errors
    /// When they may not be.
    fn sync_whole(&mut self) -> io::Result<()>;
}

/// What became of asking for room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reserved {
    /// The room is there.
    Yes,
    /// There is not enough.
    Full,
    /// The file system cannot promise room, and nothing is known to be in the way.
    Unknown,
}

/// A file of its own.
pub(super) struct FileDisk {
    file: File,
    path: PathBuf,
    /// Whether its name is on the disk.
    named: bool,
}

impl FileDisk {
    /// Makes a file that must not exist yet.
    pub(super) fn create(path: &Path) -> io::Result<Self> {
        let file = OpenOptions::new().write(true).create_new(true).open(path)?;
        Ok(Self { file, path: path.to_owned(), named: false })
    }

    /// A file that somebody removes is written on by the system, and gone with its last byte.
    fn check_named(&self) -> io::Result<()> {
        match self.file.metadata()?.nlink() {
            0 => Err(io::Error::new(io::ErrorKind::NotFound, "somebody removed the file")),
            _ => Ok(()),
        }
    }

    fn sync_name(&self) -> io::Result<()> {
        let folder = self.path.parent().filter(|folder| !folder.as_os_str().is_empty());
        File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
    }
}

impl Disk for FileDisk {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.write_all(bytes)
    }

    fn reserve(&mut self, length: u64, bytes: u64) -> io::Result<Reserved> {
        // The system tells of this limit only when it is met.
        let most = getrlimit(Resource::Fsize).current.unwrap_or(u64::MAX);
        if length.saturating_add(bytes) > most {
            return Ok(Reserved::Full);
        }
        // The size that readers see stays, so that they need not tell room from records.
        match fallocate(&self.file, FallocateFlags::KEEP_SIZE, length, bytes) {
            Ok(()) => Ok(Reserved::Yes),
            Err(Errno::NOSPC | Errno::DQUOT | Errno::FBIG) => Ok(Reserved::Full),
            Err(Errno::OPNOTSUPP | Errno::NOSYS | Errno::INVAL) => Ok(Reserved::Unknown),
            Err(other) => Err(other.into()),
        }
    }

    fn cut_to(&mut self, length: u64) -> io::Result<()> {
        self.file.set_len(length)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.check_named()?;
        self.file.sync_data()?;
        if !self.named {
            // Of no use is what is there and cannot be found. Some file systems cannot make sure.
            self.sync_name().ok();
            self.named = true;
        }
        Ok(())
    }

    fn sync_whole(&mut self) -> io::Result<()> {
        self.check_named()?;
        self.file.sync_all()?;
        self.sync_name()
    }
}
