//! The processes that are watched.

use std::fmt;
use std::io::{BufRead, BufReader};
use std::net::SocketAddrV4;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;

/// A server with a page, and a host with another page in a process of its own.
pub(crate) struct Machine {
    pub(crate) server: Child,
    pub(crate) gui: Child,
    /// Address of the server's page.
    pub(crate) page: String,
    pub(crate) gui_page: String,
    pub(crate) bus: SocketAddrV4,
    folder: TempDir,
}

/// The world, in the project's folder.
const SCENE: &str = "worlds/cones.sdf";
/// Little memory for the past, so that it is full soon and everything else shows.
const MEMORY: [&str; 4] = ["--undo-memory", "32", "--timeline-memory", "32"];

impl Machine {
    /// Starts both, in the project's folder.
    pub(crate) fn start(program: &str) -> Result<Self, String> {
        if !Path::new(SCENE).is_file() {
            let here = std::env::current_dir().unwrap_or_default();
            return Err(format!(
                "There is no {SCENE} in {}. Start the soak in the project's folder, as by make soak",
                here.display()
            ));
        }
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let logs = folder.path().join("logs");
        std::fs::create_dir(&logs).map_err(|error| format!("{}: {error}", logs.display()))?;
        let logs = logs.display().to_string();
        let mut arguments = vec!["run", SCENE, "--port", "0", "--bus-port", "0"];
        arguments.extend(MEMORY.iter().chain(&["--log-dir", logs.as_str()]));
        let (server, page) = started(program, &arguments, folder.path())?;
        let bus = bus_address(folder.path())?;
        let address = bus.to_string();
        let (gui, gui_page) =
            started(program, &["gui", "--port", "0", "--server", &address], folder.path())?;
        Ok(Self { server, gui, page, gui_page, bus, folder })
    }

    /// Returns the folder that recordings go to.
    pub(crate) fn logs(&self) -> PathBuf {
        self.folder.path().join("logs")
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        for child in [&mut self.gui, &mut self.server] {
            // It may have ended by itself.
            child.kill().ok();
            child.wait().ok();
        }
    }
}

/// Starts the program and returns it with the address of its page.
fn started(program: &str, arguments: &[&str], runtime: &Path) -> Result<(Child, String), String> {
    let mut command = Command::new(program);
    command.args(arguments).env("XDG_RUNTIME_DIR", runtime);
    let failed = |error: std::io::Error| format!("{program}: {error}");
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().map_err(failed)?;
    let output = child.stdout.take().ok_or("The program has no output")?;
    for line in BufReader::new(output).lines().take(10) {
        let line = line.map_err(failed)?;
        if let Some((_, rest)) = line.split_once("http://") {
            let address = rest.split(['/', ' ']).next().unwrap_or(rest);
            return Ok((child, address.to_owned()));
        }
    }
    child.kill().ok();
    Err(format!("{program} {} told no address", arguments.join(" ")))
}

fn bus_address(runtime: &Path) -> Result<SocketAddrV4, String> {
    // The clients here use the same folder as the program.
    let rendezvous = retake_transport::rendezvous::Rendezvous::at(&runtime.join("retake"));
    let found = rendezvous.map_err(|error| error.to_string())?.servers();
    let first = found.map_err(|error| error.to_string())?.into_iter().next();
    first.map(|record| record.endpoint).ok_or_else(|| "No server is announced".to_owned())
}

/// What a process holds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Usage {
    /// Memory of its own. Pages of the program's file count for nobody: they come in as its parts are
    /// used for the first time, and go when others need the room.
    pub(crate) bytes: u64,
    pub(crate) handles: usize,
    pub(crate) threads: usize,
}

impl Usage {
    pub(crate) fn of(child: &Child) -> Result<Self, String> {
        let process = PathBuf::from(format!("/proc/{}", child.id()));
        let gone = |_| format!("process {} is gone", child.id());
        let status = std::fs::read_to_string(process.join("status")).map_err(gone)?;
        let number = |key: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(key));
            let number = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
            number.ok_or_else(|| format!("process {} has no {key}; it has ended", child.id()))
        };
        let handles = std::fs::read_dir(process.join("fd")).map_err(gone)?.count();
        let threads = number("Threads:")? as usize;
        Ok(Self { bytes: number("RssAnon:")? * 1024, handles, threads })
    }
}

impl fmt::Display for Usage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mib = self.bytes as f64 / 1024.0 / 1024.0;
        write!(f, "{mib:7.1} {:4} {:3}", self.handles, self.threads)
    }
}
