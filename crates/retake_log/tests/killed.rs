//! Recordings that are killed, and disks that are really full.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]
#![allow(missing_docs, reason = "tests have names")]

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use retake_log::{Log, LogError, LogFacts, LogWriter, Stamp};
use retake_math::SimTime;
use retake_msgs::{Clock, Name, type_descriptor};
use tempfile::TempDir;

/// File and seed for the process that is killed; absent in the one that kills.
const FILE: &str = "RETAKE_TEST_RECORD_INTO";
const SEED: &str = "RETAKE_TEST_RECORD_SEED";

/// Most messages that a recording that nobody kills makes.
const MOST: usize = 200_000;

/// Returns the message with a number: anyone can make it again.
fn message(seed: u64, number: usize) -> Vec<u8> {
    let mut rng = fastrand::Rng::with_seed(seed ^ (number as u64) << 20);
    let length = rng.usize(..3000);
    std::iter::repeat_with(|| rng.u8(..64)).take(length).collect()
}

/// The process that is killed: says on its output how many messages are safe.
#[test]
fn records_until_it_is_killed() {
    // On its own this is no test: `killed_at_any_instant_...` starts it.
    let Ok(file) = std::env::var(FILE) else { return };
    let seed: u64 = std::env::var(SEED).unwrap().parse().unwrap();
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut writer = LogWriter::create(Path::new(&file), &LogFacts::default()).unwrap();
    let schema = type_descriptor(&Clock::full_name()).unwrap();
    let mut output = std::io::stdout();
    for number in 0..MOST {
        let recorded = SimTime::from_nanos(number as i64 * 1_000_000);
        let stamp = Stamp { recorded, sim_time: recorded };
        writer.write("/noise", &schema, stamp, &message(seed, number)).unwrap();
        if rng.u8(..60) == 0 {
            writer.sync().unwrap();
            writeln!(output, "synced {}", number + 1).unwrap();
            output.flush().unwrap();
        }
    }
}

fn start(path: &Path, seed: u64) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "records_until_it_is_killed", "--nocapture"])
        .env(FILE, path)
        .env(SEED, seed.to_string())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

fn synced(line: &str) -> Option<usize> {
    line.split_once("synced ")?.1.trim().parse().ok()
}

#[test]
fn killed_at_any_instant_a_recording_has_all_that_was_synced() {
    let folder = TempDir::new().unwrap();
    let mut rng = fastrand::Rng::with_seed(17);
    for seed in 0..100 {
        let path = folder.path().join(format!("{seed}.mcap"));
        let mut child = start(&path, seed);
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let wanted = rng.usize(..12);
        let mut safe = 0;
        let mut heard = 0;
        while heard < wanted {
            let line = lines.next().unwrap().unwrap();
            if let Some(count) = synced(&line) {
                (safe, heard) = (count, heard + 1);
            }
        }
        // The instant lies anywhere between two syncs.
        (0..rng.u32(..300_000)).for_each(|_| std::hint::spin_loop());
        child.kill().unwrap();
        child.wait().unwrap();
        // What it still said before it died counts too.
        let rest = lines.map_while(Result::ok).filter_map(|line| synced(&line)).last();
        let safe = rest.unwrap_or(safe);
        if safe == 0 && !path.exists() {
            continue;
        }
        check_killed(&path, seed, safe);
        fs::remove_file(&path).unwrap();
    }
}

fn check_killed(path: &Path, seed: u64, safe: usize) {
    let log = match Log::open(path) {
        Ok(log) => log,
        Err(LogError::NotALog { .. }) if safe == 0 => return,
        Err(other) => panic!("seed {seed}: {other}"),
    };
    let mut found = 0;
    for read in log.messages(&[], ..) {
        assert_eq!(read.unwrap().bytes, message(seed, found), "seed {seed}, message {found}");
        found += 1;
    }
    assert!(found >= safe, "seed {seed}: {found} of {safe} that were safe");
}

#[test]
fn a_disk_that_is_really_full_ends_in_a_whole_log() {
    let folder = TempDir::new().unwrap();
    let disk = folder.path().join("disk");
    fs::create_dir(&disk).unwrap();
    let mount = Command::new("mount")
        .args(["-t", "tmpfs", "-o", "size=3m", "tmpfs"])
        .arg(&disk)
        .stderr(Stdio::null())
        .status();
    if !mount.is_ok_and(|status| status.success()) {
        println!("skipped: no small disk can be mounted here");
        return;
    }
    let path = disk.join("a.mcap");
    let (taken, error, used) = fill(&path);
    let log = Log::open(&path).unwrap();
    let found: Vec<_> = log.messages(&[], ..).map(|message| message.unwrap().bytes).collect();
    let (finished, damage) = (log.finished(), log.damage());
    drop(log);
    let unmounted = Command::new("umount").arg(&disk).status().unwrap().success();
    assert!(unmounted);
    assert!(matches!(error, LogError::Full { .. }), "{error}");
    let expected: Vec<_> = (0..taken).map(|number| message(1, number)).collect();
    assert_eq!(found, expected);
    assert!(finished && damage.is_empty(), "{damage:?}");
    assert!(used > 1024 * 1024, "{used} bytes of 3 MiB");
}

fn fill(path: &Path) -> (usize, LogError, u64) {
    let mut writer = LogWriter::create(path, &LogFacts::default()).unwrap();
    let schema = type_descriptor(&Clock::full_name()).unwrap();
    let mut taken = 0;
    let error = loop {
        let written = writer.write("/noise", &schema, Stamp::default(), &message(1, taken));
        match written {
            Ok(()) => taken += 1,
            Err(error) => break error,
        }
    };
    let used = writer.finish().unwrap();
    (taken, error, used)
}
