//! Running the real program, each test in a runtime folder of its own.

#![allow(dead_code, reason = "every test file uses its own part of this")]

pub mod page;
pub mod peers;

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use tempfile::TempDir;

/// A place to run the program in.
pub struct Sandbox {
    pub folder: TempDir,
}

impl Sandbox {
    pub fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    /// Runs the program to its end, in the project's root.
    pub fn retake(&self, arguments: &[&str]) -> Ended {
        Ended::from(self.command(arguments).output().unwrap())
    }

    /// Starts the program and waits for its first line.
    pub fn start(&self, arguments: &[&str]) -> Running {
        self.start_telling(arguments, 1)
    }

    /// Starts the program and waits for its first lines.
    pub fn start_telling(&self, arguments: &[&str], lines: usize) -> Running {
        Running::start(self.command(arguments), lines)
    }

    pub fn write(&self, name: &str, content: &str) -> String {
        let path = self.folder.path().join(name);
        std::fs::write(&path, content).unwrap();
        path.display().to_string()
    }

    /// Copies the arm's world with its motions, so that motions can be saved; returns the file.
    pub fn arm(&self) -> String {
        let (from, to) = (root().join("worlds"), self.folder.path());
        std::fs::create_dir_all(to.join("motions/arm")).unwrap();
        for motion in std::fs::read_dir(from.join("motions/arm")).unwrap() {
            let motion = motion.unwrap();
            std::fs::copy(motion.path(), to.join("motions/arm").join(motion.file_name())).unwrap();
        }
        std::fs::copy(from.join("arm.sdf"), to.join("arm.sdf")).unwrap();
        to.join("arm.sdf").display().to_string()
    }

    /// Prepares the program, to be run in the project's root.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_retake"));
        command.args(arguments).current_dir(root());
        command.env("XDG_RUNTIME_DIR", self.folder.path()).env_remove("RUST_LOG");
        command.env_remove("RETAKE_RESOURCE_PATH").env_remove("GZ_SIM_RESOURCE_PATH");
        command.stdin(Stdio::null());
        command
    }
}

/// The project's root.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// How a run ended.
pub struct Ended {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl From<Output> for Ended {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

impl Ended {
    /// The exit code and what was complained, for comparing with what is expected.
    pub fn complaint(&self) -> String {
        format!("exit {}\n{}", self.code, self.stderr)
    }

    pub fn success(self) -> String {
        assert_eq!(self.code, 0, "{}", self.stderr);
        self.stdout
    }
}

/// A program that runs until the test is over.
pub struct Running {
    child: Child,
    pub first_line: String,
    pub lines: Vec<String>,
}

impl Running {
    /// Starts a command and waits for its first lines.
    pub fn start(mut command: Command, lines: usize) -> Self {
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let stdout = child.stdout.take().unwrap();
        let told = BufReader::new(stdout).lines().take(lines);
        let lines: Vec<String> = told.map(|line| line.unwrap().trim().to_owned()).collect();
        let first_line = lines.first().cloned().unwrap_or_default();
        Self { child, first_line, lines }
    }

    /// Id of the process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Host and port of the page that it serves.
    pub fn page(&self) -> String {
        let address = self.first_line.strip_prefix("Page: http://").unwrap();
        address.trim_end_matches('/').to_owned()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}
