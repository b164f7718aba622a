//! How programs find the servers that run on this machine.
//!
//! Each server keeps a small file in the user's runtime folder while it lives, beside a lock file
//! that it holds locked: the lock ends with the process however it ends, so a file whose lock is
//! free belongs to a dead server and is removed by whoever looks.

use std::fs::{self, DirBuilder, File, TryLockError};
use std::io::{self, Write};
use std::net::{Ipv4Addr, SocketAddrV4};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// A running server, as it describes itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ServerRecord {
    /// Process id.
    pub pid: u32,
    /// Name of the world.
    pub world: String,
    /// File of the world, as the user named it.
    pub world_file: String,
    /// The same file without links and dots; none when the world came from elsewhere.
    #[serde(default)]
    pub world_path: Option<PathBuf>,
    /// Where its bus listens.
    pub endpoint: SocketAddrV4,
    /// Address of the page, when the same process serves one.
    #[serde(default)]
    pub page: Option<String>,
    /// When it was started, in seconds since 1970.
    pub started_at: u64,
}

/// Why no server could be announced or found.
#[derive(Debug, thiserror::Error)]
pub enum RendezvousError {
    /// Nothing runs.
    #[error("No Retake server is running. Start one with: retake run WORLD")]
    NoServer,
    /// Several run and none was named.
    #[error("Several Retake servers are running; name one by world, address or process:\n{}", listed(.0))]
    Several(Vec<ServerRecord>),
    /// None of the running ones is called so.
    #[error("No Retake server matches {wanted:?}. Running: {}", worlds(.running))]
    NoMatch {
        /// What was asked for.
        wanted: String,
        /// What runs.
        running: Vec<ServerRecord>,
    },
    /// The address is not on this machine.
    #[error("{0} is not an address on this machine. Retake servers are reached at 127.0.0.1:PORT")]
    NotLoopback(String),
    /// The folder belongs to somebody else, or others may write to it.
    #[error("The runtime folder is not yours alone. Remove it or set XDG_RUNTIME_DIR: {}", .0.display())]
    NotOurs(PathBuf),
    /// A file or folder could not be used.
    #[error("Could not use the runtime folder: {source}, at {}", .path.display())]
    Io {
        /// Cause.
        source: io::Error,
        /// File or folder.
        path: PathBuf,
    },
}

/// The folder where servers make themselves known.
#[derive(Clone, Debug)]
pub struct Rendezvous {
    folder: PathBuf,
}

/// Keeps a server's record in the folder; dropping it removes the record.
#[derive(Debug)]
pub struct Announcement {
    record: ServerRecord,
    path: PathBuf,
    lock_path: PathBuf,
    _lock: File,
}

/// Returns the user's runtime folder for Retake, made if missing and readable by the user alone.
///
/// # Errors
/// [`RendezvousError::NotOurs`] when somebody else owns it.
pub fn runtime_dir() -> Result<PathBuf, RendezvousError> {
    let folder = match std::env::var_os("XDG_RUNTIME_DIR").filter(|dir| !dir.is_empty()) {
        Some(dir) => PathBuf::from(dir).join("retake"),
        None => PathBuf::from(format!("/tmp/retake-{}", rustix::process::geteuid().as_raw())),
    };
    private_folder(&folder)?;
    Ok(folder)
}

/// Lists the servers that run, oldest first.
///
/// # Errors
/// [`RendezvousError::Io`] when the runtime folder can't be read.
pub fn find_servers() -> Result<Vec<ServerRecord>, RendezvousError> {
    Rendezvous::open()?.servers()
}

/// Returns where to connect: the one server that runs, or the one meant by `wanted` (an address
/// `127.0.0.1:PORT`, a world's name or a process id).
///
/// # Errors
/// [`RendezvousError`], with the servers there are.
pub fn pick_server(wanted: Option<&str>) -> Result<SocketAddrV4, RendezvousError> {
    Rendezvous::open()?.pick(wanted)
}

/// Returns world and process of the server that listens on `port`, if a record says so.
pub(crate) fn owner_of_port(port: u16) -> Option<(String, u32)> {
    // Without a readable folder nobody is known; the caller's own error says the rest.
    let servers = find_servers().ok()?;
    let owner = servers.into_iter().find(|server| server.endpoint.port() == port)?;
    Some((owner.world, owner.pid))
}

impl Rendezvous {
    /// Opens the user's runtime folder.
    ///
    /// # Errors
    /// As [`runtime_dir`].
    pub fn open() -> Result<Self, RendezvousError> {
        Self::at(&runtime_dir()?)
    }

    /// Opens another folder.
    ///
    /// # Errors
    /// [`RendezvousError::NotOurs`] when somebody else owns it.
    pub fn at(folder: &Path) -> Result<Self, RendezvousError> {
        private_folder(folder)?;
        let folder = folder.join("servers");
        private_folder(&folder)?;
        Ok(Self { folder })
    }

    /// Makes a server known until the announcement is dropped or the process ends.
    ///
    /// # Errors
    /// [`RendezvousError::Io`] when the files can't be written.
    pub fn announce(&self, record: ServerRecord) -> Result<Announcement, RendezvousError> {
        let stem = format!("{}-{}", record.pid, record.endpoint.port());
        let lock_path = self.folder.join(format!("{stem}.lock"));
        let lock = open_private(&lock_path).and_then(|file| file.lock().map(|()| file));
        let lock = lock.map_err(|source| at(&lock_path, source))?;
        let path = self.folder.join(format!("{stem}.json"));
        let announcement = Announcement { record, path, lock_path, _lock: lock };
        announcement.write()?;
        Ok(announcement)
    }

    /// Lists the servers that run, oldest first, and removes what dead ones left.
    ///
    /// # Errors
    /// [`RendezvousError::Io`] when the folder can't be read.
    pub fn servers(&self) -> Result<Vec<ServerRecord>, RendezvousError> {
        let entries = fs::read_dir(&self.folder).map_err(|source| at(&self.folder, source))?;
        let paths = entries.filter_map(|entry| entry.ok().map(|entry| entry.path()));
        let records = paths.filter(|path| path.extension().is_some_and(|e| e == "json"));
        let mut servers: Vec<ServerRecord> =
            records.filter_map(|path| live_record(&path)).collect();
        servers.sort_by_key(seniority);
        Ok(servers)
    }

    /// Returns the oldest server that has the file of a world which was announced after it.
    ///
    /// Of servers that start at once, each announced before it asks, all but one find another.
    ///
    /// # Errors
    /// [`RendezvousError::Io`] when the folder can't be read.
    pub fn elder_on_same_file(
        &self,
        own: &ServerRecord,
    ) -> Result<Option<ServerRecord>, RendezvousError> {
        let is_elder = |other: &ServerRecord| {
            let same = other.world_path.is_some() && other.world_path == own.world_path;
            same && seniority(other) < seniority(own)
        };
        Ok(self.servers()?.into_iter().find(is_elder))
    }

    /// Returns where to connect, as [`pick_server`].
    ///
    /// # Errors
    /// [`RendezvousError`], with the servers there are.
    pub fn pick(&self, wanted: Option<&str>) -> Result<SocketAddrV4, RendezvousError> {
        if let Some(address) = wanted.and_then(as_address) {
            return address;
        }
        let running = self.servers()?;
        let fits = |server: &&ServerRecord| match wanted {
            None => true,
            Some(wanted) => server.world == wanted || server.pid.to_string() == wanted,
        };
        let fitting: Vec<&ServerRecord> = running.iter().filter(fits).collect();
        match (fitting.as_slice(), wanted) {
            ([only], _) => Ok(only.endpoint),
            ([], Some(wanted)) if !running.is_empty() => {
                Err(RendezvousError::NoMatch { wanted: wanted.to_owned(), running })
            }
            ([], _) => Err(RendezvousError::NoServer),
            (several, _) => {
                Err(RendezvousError::Several(several.iter().copied().cloned().collect()))
            }
        }
    }
}

impl Announcement {
    /// Says where the page is, now that this process serves one.
    ///
    /// # Errors
    /// [`RendezvousError::Io`] when the file can't be written.
    pub fn set_page(&mut self, page: Option<String>) -> Result<(), RendezvousError> {
        self.record.page = page;
        self.write()
    }

    /// Writes beside the file and renames, so that readers see a whole record at every instant.
    fn write(&self) -> Result<(), RendezvousError> {
        let text = serde_json::to_vec_pretty(&self.record).map_err(io::Error::from);
        let new = self.path.with_extension("new");
        let write = |text: Vec<u8>| {
            let mut file = open_private(&new)?;
            file.set_len(0)?;
            file.write_all(&text)?;
            fs::rename(&new, &self.path)
        };
        text.and_then(write).map_err(|source| at(&self.path, source))
    }
}

impl Drop for Announcement {
    fn drop(&mut self) {
        remove(&self.path);
        remove(&self.lock_path);
    }
}

fn seniority(server: &ServerRecord) -> (u64, u32, u16) {
    (server.started_at, server.pid, server.endpoint.port())
}

/// Reads a record whose server lives; removes one whose server is dead.
fn live_record(path: &Path) -> Option<ServerRecord> {
    let lock_path = path.with_extension("lock");
    // Nobody holds a lock that does not exist.
    let dead = match File::open(&lock_path) {
        Ok(lock) => !matches!(lock.try_lock_shared(), Err(TryLockError::WouldBlock)),
        Err(_) => true,
    };
    if dead {
        remove(path);
        remove(&lock_path);
        return None;
    }
    // A record that vanished in between, or that another version wrote, is not a server for us.
    serde_json::from_slice(&fs::read(path).ok()?).ok()
}

/// Takes `127.0.0.1:PORT` and `localhost:PORT`; refuses other addresses; leaves other texts alone.
fn as_address(text: &str) -> Option<Result<SocketAddrV4, RendezvousError>> {
    let (host, port) = text.rsplit_once(':')?;
    let port: u16 = port.parse().ok()?;
    Some(match host {
        "localhost" | "127.0.0.1" => Ok(SocketAddrV4::new(Ipv4Addr::LOCALHOST, port)),
        _ => Err(RendezvousError::NotLoopback(text.to_owned())),
    })
}

fn private_folder(folder: &Path) -> Result<(), RendezvousError> {
    match DirBuilder::new().mode(0o700).create(folder) {
        Ok(()) => {}
        Err(cause) if cause.kind() == io::ErrorKind::AlreadyExists => {}
        Err(source) => return Err(at(folder, source)),
    }
    // Not following links: a link in /tmp may be somebody else's trap.
    let found = fs::symlink_metadata(folder).map_err(|source| at(folder, source))?;
    let ours = found.uid() == rustix::process::geteuid().as_raw();
    let private = found.is_dir() && found.mode() & 0o022 == 0;
    if ours && private { Ok(()) } else { Err(RendezvousError::NotOurs(folder.to_owned())) }
}

fn open_private(path: &Path) -> io::Result<File> {
    File::options().write(true).create(true).truncate(false).mode(0o600).open(path)
}

fn remove(path: &Path) {
    match fs::remove_file(path) {
        Ok(()) => {}
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => {}
        Err(cause) => tracing::debug!(path = %path.display(), %cause, "a record stays behind"),
    }
}

fn at(path: &Path, source: io::Error) -> RendezvousError {
    RendezvousError::Io { source, path: path.to_owned() }
}

fn listed(servers: &[ServerRecord]) -> String {
    let line = |s: &ServerRecord| format!("  {:?} at {} (process {})", s.world, s.endpoint, s.pid);
    servers.iter().map(line).collect::<Vec<_>>().join("\n")
}

fn worlds(servers: &[ServerRecord]) -> String {
    let name = |s: &ServerRecord| format!("{:?} at {}", s.world, s.endpoint);
    servers.iter().map(name).collect::<Vec<_>>().join(", ")
}
