//! What is said when something is wrong with a log.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]
#![allow(missing_docs, reason = "tests have names")]

mod common;

use std::fs;
use std::path::Path;

use expect_test::{Expect, expect};
use retake_log::{Log, LogError, LogFacts, LogStates, LogWriter, check};
use retake_math::SimTime;
use tempfile::TempDir;

use common::{Recorder, recorded, registry};

const CHUNK: &[u8] = b"\x04\0\0\0zstd";

/// Finds the place of some bytes in a log.
fn find(bytes: &[u8], wanted: &[u8]) -> usize {
    bytes.windows(wanted.len()).position(|window| window == wanted).unwrap()
}

/// Damages a finished log, and compares what a check of it says.
fn check_words(damage: impl FnOnce(&mut Vec<u8>), expected: &Expect) {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("a.mcap");
    recorded(&path, 8, 30);
    let mut bytes = fs::read(&path).unwrap();
    damage(&mut bytes);
    fs::write(&path, &bytes).unwrap();
    let report = check(&path).unwrap();
    let lines: Vec<_> = report.damage.into_iter().map(|damage| damage.text).collect();
    expected.assert_eq(&lines.join("\n"));
}

fn without_path(error: &LogError, folder: &Path) -> String {
    error.to_string().replace(&folder.display().to_string(), "<folder>")
}

#[test]
fn of_damage() {
    check_words(|_| {}, &expect![""]);
    check_words(
        |bytes| bytes.truncate(bytes.len() - 1),
        &expect!["The index is damaged and not used; all else was read without it"],
    );
    check_words(|bytes| bytes.truncate(bytes.len() / 2), &expect!["The log ends within a record"]);
    let chunk = |bytes: &mut Vec<u8>| {
        let at = find(bytes, CHUNK);
        bytes[at + 16..at + 20].fill(0);
    };
    check_words(
        chunk,
        &expect![
            "A chunk is damaged and not used, recorded from 0.000 s to 0.000 s: Error during decompression: `Unknown frame descriptor`"
        ],
    );
    let attachment = |bytes: &mut Vec<u8>| {
        let at = find(bytes, b"<sdf version");
        bytes[at] ^= 1;
    };
    check_words(attachment, &expect![[r#"The attachment "world.sdf" is damaged and not used"#]]);
    let metadata = |bytes: &mut Vec<u8>| {
        let at = find(bytes, b"accurate");
        bytes[at] ^= 1;
    };
    check_words(metadata, &expect!["Metadata are damaged and not used"]);
    let header = |bytes: &mut Vec<u8>| bytes[8 + 9 + 4 + 4] ^= 1;
    check_words(header, &expect!["Something outside of messages and attachments was altered"]);
    let lying = |bytes: &mut Vec<u8>| {
        let at = find(bytes, CHUNK);
        bytes[at - 12..at - 4].fill(0xff);
    };
    check_words(
        lying,
        &expect![
            "A chunk is damaged and not used, recorded from 0.000 s to 0.000 s: it claims to hold 18446744073709551615 bytes"
        ],
    );
}

#[test]
fn of_a_recording_that_goes_on() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("a.mcap");
    let mut recorder = Recorder::new(&path, 3);
    recorder.run(5);
    recorder.writer.sync().unwrap();
    let damage = Log::open(&path).unwrap().damage();
    expect!["The log was not finished: it has no index"].assert_eq(&damage[0].text);
}

#[test]
fn of_refusals() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("a.mcap");
    let writer = LogWriter::create(&path, &LogFacts::default()).unwrap();
    let exists = LogWriter::create(&path, &LogFacts::default()).err().unwrap();
    writer.finish().unwrap();
    let nowhere = folder.path().join("none/a.mcap");
    let create = LogWriter::create(&nowhere, &LogFacts::default()).err().unwrap();
    let read = Log::open(&nowhere).unwrap_err();
    let log = std::sync::Arc::new(Log::open(&path).unwrap());
    let attachment = log.attachment("world.sdf").unwrap_err();
    let state = LogStates::new(log, registry()).seek(SimTime::ZERO).unwrap_err();
    fs::write(&path, "text").unwrap();
    let other = Log::open(&path).unwrap_err();
    let said = [exists, create, read, attachment, state, other];
    let said: Vec<_> = said.iter().map(|error| without_path(error, folder.path())).collect();
    expect![[r#"
        There is a file already; choose another name or move it away, in <folder>/a.mcap
        The log cannot be made: No such file or directory (os error 2), in <folder>/none/a.mcap
        The log cannot be read: No such file or directory (os error 2), in <folder>/none/a.mcap
        The log has no attachment "world.sdf", in <folder>/a.mcap
        The log has no full state of a world that can be read, in <folder>/a.mcap
        This is not a log: an MCAP file begins otherwise, in <folder>/a.mcap"#]]
    .assert_eq(&said.join("\n"));
}
