//! Another implementation reads our logs: the reference one, in Python.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]
#![allow(missing_docs, reason = "tests have names")]

mod common;

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use retake_log::Log;
use tempfile::TempDir;

use common::{Recorder, STARTED, Truth, WORLD};

/// What is installed: the reader, and what decodes messages by the schemas in the file.
const PACKAGES: &[&str] = &["mcap==1.6.0", "mcap-protobuf-support==0.6.0", "protobuf"];

fn quiet(command: &mut Command) -> bool {
    let command = command.stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// Returns a Python that has the packages; none where there is no Python or no index of packages.
fn python() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("log-peers");
    let (python, ready) = (folder.join("bin/python"), folder.join("ready"));
    let wanted = PACKAGES.join(" ");
    if !fs::read_to_string(&ready).is_ok_and(|installed| installed == wanted) {
        let made = quiet(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&folder));
        let mut install = Command::new(&python);
        install.args(["-m", "pip", "install", "--quiet", "--timeout", "20", "--retries", "1"]);
        if !made || !quiet(install.args(PACKAGES)) {
            return None;
        }
        fs::write(&ready, wanted).unwrap();
    }
    Some(python)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").unwrap();
        text
    })
}

/// Returns what the script should print.
fn expected(truth: &Truth, log: &Log, unfinished: usize) -> String {
    let mut lines = String::new();
    for message in &truth.messages {
        let topic = log.topics().iter().find(|topic| topic.name == message.topic).unwrap();
        let log_time = STARTED + message.stamp.recorded.as_nanos() as u64;
        let publish_time = message.stamp.sim_time.as_nanos();
        let (name, type_name, bytes) = (&message.topic, &topic.type_name, hex(&message.bytes));
        writeln!(lines, "message {name} {type_name} {log_time} {publish_time} {bytes}").unwrap();
    }
    writeln!(lines, "attachment world.sdf application/xml {}", hex(b"<sdf/>")).unwrap();
    // Once at the beginning and once at the end.
    writeln!(lines, "metadata retake {WORLD}\nmetadata retake {WORLD}").unwrap();
    writeln!(lines, "unfinished {unfinished}").unwrap();
    lines
}

#[test]
fn the_reference_implementation_reads_our_logs() {
    let Some(python) = python() else {
        println!("skipped: the mcap package for Python cannot be installed here");
        return;
    };
    let folder = TempDir::new().unwrap();
    let (finished, unfinished) = (folder.path().join("a.mcap"), folder.path().join("b.mcap"));
    let mut recorder = Recorder::new(&finished, 6);
    recorder.writer.attach("world.sdf", "application/xml", b"<sdf/>").unwrap();
    recorder.run(80);
    recorder.writer.sync().unwrap();
    fs::copy(&finished, &unfinished).unwrap();
    let truth = recorder.finish();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/peers.py");
    let output = Command::new(python).arg(script).args([&finished, &unfinished]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    let log = Log::open(&finished).unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    let expected = expected(&truth, &log, truth.messages.len());
    for (line, expected) in printed.lines().zip(expected.lines()) {
        assert_eq!(line, expected);
    }
    assert_eq!(printed.lines().count(), expected.lines().count());
}
