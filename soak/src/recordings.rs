//! Recordings in turns: one runs most of the time, and each that is over must be whole.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use retake_msgs::{LogStart, LogStatus, LogStatusRequest, LogStop, names};

use crate::bus_client::{Observer, WORLD};

/// Looks at the processes in one turn: a recording begins with the second and ends with the turn.
const TURN: usize = 6;

/// Starts and ends recordings, and reads what was recorded.
///
/// Pages start and end some of their own; then there is nothing to do in a turn.
pub(crate) struct Recordings {
    program: String,
    folder: PathBuf,
    looks: usize,
    checked: usize,
    /// What was wrong, for people.
    bad: Vec<String>,
}

impl Recordings {
    /// Takes note of where recordings go; `program` is what checks them.
    pub(crate) fn new(program: &str, folder: &Path) -> Self {
        let (program, folder) = (program.to_owned(), folder.to_owned());
        Self { program, folder, looks: 0, checked: 0, bad: Vec::new() }
    }

    /// Does what is due at a look at the processes.
    pub(crate) fn look(&mut self, server: &Observer) {
        match self.looks % TURN {
            0 => self.end(server),
            1 => self.begin(server),
            _ => {}
        }
        self.looks += 1;
    }

    /// Ends with the last one; says whether all were whole.
    pub(crate) fn judge(mut self, server: &Observer) -> bool {
        let is_long = self.looks > TURN;
        self.end(server);
        println!("{} recordings read, {} faults", self.checked, self.bad.len());
        self.bad.iter().for_each(|text| println!("{text}"));
        self.bad.is_empty() && (self.checked > 0 || !is_long)
    }

    fn begin(&mut self, server: &Observer) {
        let started = server.call(&names::log_start(WORLD), &LogStart::default());
        match started {
            // One that a page has begun is as good.
            Ok(LogStatus { ok, recording, .. }) if ok || recording => {}
            Ok(LogStatus { message, .. }) | Err(message) => {
                self.bad.push(format!("Nothing could be recorded: {message}"));
            }
        }
    }

    /// Ends what is being recorded, and reads all that is over.
    fn end(&mut self, server: &Observer) {
        let _: Result<LogStatus, String> = server.call(&names::log_stop(WORLD), &LogStop {});
        // A page may have begun the next one by now.
        let status = server.call(&names::log_status_get(WORLD), &LogStatusRequest {});
        let status: LogStatus = match status {
            Ok(status) => status,
            Err(why) => return self.bad.push(format!("Nobody knows what is recorded: {why}")),
        };
        let under_way = status.recording.then_some(PathBuf::from(status.file));
        let Ok(entries) = std::fs::read_dir(&self.folder) else { return };
        let files = entries.flatten().map(|entry| entry.path());
        for file in files.filter(|file| Some(file) != under_way.as_ref()) {
            self.check(&file);
            // One that cannot be removed takes room, and is read again.
            std::fs::remove_file(&file).ok();
        }
    }

    fn check(&mut self, file: &Path) {
        let mut check = Command::new(&self.program);
        check.args(["log", "check"]).arg(file).stdin(Stdio::null());
        self.checked += 1;
        match check.output() {
            Ok(output) if output.status.success() => {}
            Ok(output) => {
                let (said, why) = (output.stdout, output.stderr);
                let text = String::from_utf8_lossy(&said) + String::from_utf8_lossy(&why);
                self.bad.push(format!("{}: {}", file.display(), text.trim()));
            }
            Err(error) => self.bad.push(format!("{}: {error}", file.display())),
        }
    }
}
