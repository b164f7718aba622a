//! Logs that something happened to: cut off, altered, lying.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]
#![allow(missing_docs, reason = "tests have names")]

mod common;

use std::fs::{self, File, OpenOptions};
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::Arc;

use retake_log::{Log, LogError, LogMessage, LogStates, LogWriter, Stamp, check, recover};
use retake_math::SimTime;
use retake_msgs::{Clock, TypeDescriptor};
use tempfile::TempDir;

use common::{Recorder, STEP, Truth, descriptor, facts, hash, recorded, registry};

fn read(log: &Log) -> Vec<LogMessage> {
    log.messages(&[], ..).collect::<Result<_, _>>().unwrap()
}

/// Records without finishing; returns the messages, and how many of them are in the file after how
/// many bytes.
fn unfinished(path: &Path, target_bytes: u64) -> (Vec<LogMessage>, Vec<(u64, usize)>) {
    let mut rng = fastrand::Rng::with_seed(5);
    let mut writer = LogWriter::create(path, &facts()).unwrap();
    let schema = TypeDescriptor { type_name: "Noise".to_owned(), ..TypeDescriptor::default() };
    let mut messages = Vec::new();
    let mut whole = vec![(writer.bytes(), 0)];
    while writer.bytes() < target_bytes {
        let bytes: Vec<u8> = (0..6_000).map(|_| rng.u8(..)).collect();
        writer.write("/noise", &schema, Stamp::default(), &bytes).unwrap();
        messages.push(LogMessage { topic: "/noise".into(), stamp: Stamp::default(), bytes });
        if messages.len() % 2 == 0 {
            writer.cut().unwrap();
            whole.push((writer.bytes(), messages.len()));
        }
    }
    (messages, whole)
}

#[test]
fn of_two_logs_in_one_file_the_first_is_read_and_the_second_told() {
    let folder = TempDir::new().unwrap();
    let write = |name: &str, seed: u64, steps: usize| {
        let path = folder.path().join(name);
        (recorded(&path, seed, steps), fs::read(&path).unwrap())
    };
    let ((truth, first), (_, second)) = (write("a", 1, 40), write("b", 2, 60));
    for appended in [&first, &second] {
        let path = folder.path().join("both");
        fs::write(&path, [first.as_slice(), appended].concat()).unwrap();
        let log = Log::open(&path).unwrap();
        assert_eq!(read(&log), truth.messages);
        let damage: Vec<String> = log.damage().iter().map(ToString::to_string).collect();
        let told = format!(
            "Another log follows the end of this one and is not read ({} bytes at {})",
            appended.len(),
            first.len()
        );
        assert_eq!(damage, [told]);
        assert!(!check(&path).unwrap().whole());
    }
}

#[test]
fn a_file_that_somebody_removes_is_told_at_the_next_sync() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("log");
    let mut writer = LogWriter::create(&path, &facts()).unwrap();
    writer.sync().unwrap();
    fs::remove_file(&path).unwrap();
    let told = writer.sync().unwrap_err().to_string();
    assert!(told.contains("cannot be written: somebody removed the file;"), "{told}");
}

/// Says whether messages are among others, in order.
fn is_among(found: &[LogMessage], all: &[LogMessage]) -> bool {
    let mut all = all.iter();
    found.iter().all(|message| all.any(|other| other == message))
}

/// Checks what must hold of a damaged copy of a log.
fn check_damaged(path: &Path, truth: &Truth, context: &str) {
    let log = match Log::open(path) {
        Ok(log) => Arc::new(log),
        // Only when there is nothing left to read.
        Err(LogError::NotALog { .. }) => return,
        Err(other) => panic!("{context}: {other}"),
    };
    let found = read(&log);
    assert!(is_among(&found, &truth.messages), "{context}: something was altered");
    let lost = found.len() < truth.messages.len();
    assert!(!lost || !log.damage().is_empty(), "{context}: something is missing in silence");
    let known = log.facts() == &facts() || !log.damage().is_empty();
    assert!(known, "{context}: facts were altered in silence");
    match log.attachment("world.sdf") {
        Ok(data) => assert_eq!(data, b"<sdf version='1.11'/>", "{context}"),
        Err(_) => assert!(!log.damage().is_empty(), "{context}: attachment lost in silence"),
    }
    check_times(&log, &found, context);
    let world_known = log.facts().world == facts().world;
    let mut states = LogStates::new(Arc::clone(&log), registry());
    if world_known && states.seek(SimTime::ZERO).is_ok() {
        for _ in 0..truth.states.len() {
            if states.complete() {
                let (stamp, hash) = (states.stamp(), hash(states.ecm()));
                let true_state = truth.states.iter().any(|s| s.stamp == stamp && s.hash == hash);
                assert!(true_state, "{context}: no such state at {stamp:?}");
            }
            if states.step(1).unwrap() == 0 {
                break;
            }
        }
    }
}

/// Between two steps that are there, without a jump, the simulated time must be known, unless a
/// chunk was found damaged only after the log was opened.
fn check_times(log: &Log, found: &[LogMessage], context: &str) {
    let half = SimTime::from_nanos(STEP.as_nanos() / 2);
    let clocks: Vec<_> = found.iter().filter(|message| &*message.topic == "/clock").collect();
    for pair in clocks.windows(2) {
        let (one, other) = (pair[0].stamp, pair[1].stamp);
        let next = Stamp { recorded: one.recorded + STEP, sim_time: one.sim_time + STEP };
        if other == next {
            let expected = one.sim_time + half;
            assert_eq!(log.sim_time_at(one.recorded + half).0, expected, "{context}");
        }
    }
}

#[test]
fn cut_off_at_every_byte_of_the_last_64_kib() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("a.mcap");
    let (messages, whole) = unfinished(&path, 65 * 1024);
    let bytes = fs::read(&path).unwrap();
    let last = bytes.len() as u64;
    std::thread::scope(|scope| {
        for part in 0..2 {
            let (copy, bytes) = (folder.path().join(part.to_string()), &bytes);
            let (messages, whole) = (&messages, &whole);
            scope.spawn(move || {
                fs::write(&copy, bytes).unwrap();
                let file = OpenOptions::new().write(true).open(&copy).unwrap();
                for cut in (last - 64 * 1024..last).rev().filter(|cut| cut % 2 == part) {
                    file.set_len(cut).unwrap();
                    let log = Log::open(&copy).unwrap();
                    let found = read(&log);
                    assert!(found == messages[..found.len()], "cut at {cut}");
                    let expected = whole.iter().rfind(|(end, _)| *end <= cut).unwrap().1;
                    assert!(found.len() >= expected, "cut at {cut}");
                    assert!(!log.damage().is_empty(), "cut at {cut}");
                }
            });
        }
    });
}

#[test]
fn a_finished_log_cut_anywhere_is_read_as_far_as_it_goes() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("a.mcap");
    let truth = recorded(&path, 11, 40);
    let bytes = fs::metadata(&path).unwrap().len();
    let file = OpenOptions::new().write(true).open(&path).unwrap();
    for cut in (9..bytes).rev().step_by(61) {
        file.set_len(cut).unwrap();
        check_damaged(&path, &truth, &format!("cut at {cut}"));
    }
}

/// One altered bit must not cost more than the chunk that it is in.
fn check_one_chunk_lost(path: &Path, truth: &Truth, context: &str) {
    let found = read(&Log::open(path).unwrap());
    let same = |(one, other): &(&LogMessage, &LogMessage)| one == other;
    let before = found.iter().zip(&truth.messages).take_while(same).count();
    let after = found.iter().rev().zip(truth.messages.iter().rev()).take_while(same).count();
    let lost = before..truth.messages.len() - after.min(found.len() - before);
    let chunk = truth.cuts.partition_point(|cut| *cut <= lost.start);
    let end = truth.cuts.get(chunk).copied().unwrap_or(truth.messages.len());
    assert!(
        lost.is_empty() || lost.end <= end,
        "{context}: {lost:?} lost, of chunks {:?}",
        truth.cuts
    );
}

#[test]
fn altered_bits_are_noticed_wherever_they_are() {
    let folder = TempDir::new().unwrap();
    let original = folder.path().join("a.mcap");
    let truth = recorded(&original, 8, 40);
    let bytes = fs::read(&original).unwrap();
    let copy = folder.path().join("b.mcap");
    fs::write(&copy, &bytes).unwrap();
    let file = OpenOptions::new().write(true).open(&copy).unwrap();
    let mut rng = fastrand::Rng::with_seed(1);
    for round in 0..1500 {
        let flips = if round % 3 == 0 { rng.usize(2..6) } else { 1 };
        let places: Vec<_> = (0..flips).map(|_| (rng.usize(..bytes.len()), rng.u8(..8))).collect();
        for (at, bit) in &places {
            file.write_all_at(&[bytes[*at] ^ (1 << bit)], *at as u64).unwrap();
        }
        let context = format!("{places:?} of {}", bytes.len());
        check_damaged(&copy, &truth, &context);
        if flips == 1 {
            check_one_chunk_lost(&copy, &truth, &context);
        }
        if round % 5 == 0 && fs::read(&copy).unwrap() != bytes {
            let report = check(&copy);
            assert!(!report.is_ok_and(|report| report.whole()), "{context}: found whole");
        }
        for (at, _) in &places {
            file.write_all_at(&bytes[*at..=*at], *at as u64).unwrap();
        }
    }
    assert!(check(&copy).unwrap().whole());
}

#[test]
fn altered_bits_of_a_log_without_index_are_noticed() {
    let folder = TempDir::new().unwrap();
    let original = folder.path().join("a.mcap");
    let mut recorder = Recorder::new(&original, 21);
    recorder.writer.attach("world.sdf", "application/xml", b"<sdf version='1.11'/>").unwrap();
    recorder.run(40);
    recorder.writer.sync().unwrap();
    let bytes = fs::read(&original).unwrap();
    let copy = folder.path().join("b.mcap");
    let mut rng = fastrand::Rng::with_seed(2);
    for round in 0..1000 {
        let mut damaged = bytes.clone();
        let at = rng.usize(..bytes.len());
        match round % 4 {
            0 | 1 => damaged[at] ^= 1 << rng.u8(..8),
            2 => {
                let end = (at + rng.usize(..300)).min(bytes.len());
                damaged[at..end].fill(rng.u8(..));
            }
            _ => {
                let end = (at + rng.usize(..300)).min(bytes.len());
                damaged.drain(at..end);
            }
        }
        fs::write(&copy, &damaged).unwrap();
        let context = format!("round {round} at {at} of {}", bytes.len());
        check_damaged(&copy, &recorder.truth, &context);
        if round % 4 < 2 {
            check_one_chunk_lost(&copy, &recorder.truth, &context);
        }
    }
}

#[test]
fn damage_to_the_head_of_a_chunk_costs_that_chunk_alone() {
    let folder = TempDir::new().unwrap();
    let original = folder.path().join("a.mcap");
    let mut recorder = Recorder::new(&original, 33);
    recorder.writer.attach("world.sdf", "application/xml", b"<sdf version='1.11'/>").unwrap();
    recorder.run(40);
    recorder.writer.sync().unwrap();
    let bytes = fs::read(&original).unwrap();
    let copy = folder.path().join("b.mcap");
    let marks = bytes.windows(8).enumerate().filter(|(_, bytes)| *bytes == b"\x04\0\0\0zstd");
    let heads: Vec<_> = marks.map(|(mark, _)| mark - 37).collect();
    assert!(heads.len() > 5);
    for (head, at) in heads.iter().flat_map(|head| (0..53).map(move |at| (head, at))) {
        let mut damaged = bytes.clone();
        damaged[head + at] ^= 1 << (at % 8);
        fs::write(&copy, &damaged).unwrap();
        let context = format!("byte {at} of the chunk at {head}");
        check_damaged(&copy, &recorder.truth, &context);
        check_one_chunk_lost(&copy, &recorder.truth, &context);
    }
}

#[test]
fn what_is_recovered_of_a_damaged_log_is_whole() {
    let folder = TempDir::new().unwrap();
    let original = folder.path().join("a.mcap");
    recorded(&original, 8, 60);
    let bytes = fs::read(&original).unwrap();
    let mut rng = fastrand::Rng::with_seed(3);
    for round in 0..60 {
        let mut damaged = bytes.clone();
        for _ in 0..rng.usize(1..4) {
            let at = rng.usize(9..bytes.len());
            damaged[at] ^= 1 << rng.u8(..8);
        }
        damaged.truncate(rng.usize(bytes.len() / 2..=bytes.len()));
        let from = folder.path().join(format!("{round}.mcap"));
        let to = folder.path().join(format!("{round}-recovered.mcap"));
        fs::write(&from, &damaged).unwrap();
        let readable = read(&Log::open(&from).unwrap());
        let recovered = recover(&from, &to).unwrap();
        assert_eq!(recovered.messages as usize, readable.len());
        let log = Log::open(&to).unwrap();
        assert_eq!(read(&log), readable, "round {round}");
        assert!(check(&to).unwrap().whole(), "round {round}");
        assert_eq!(fs::read(&from).unwrap(), damaged);
    }
}

#[test]
fn sizes_that_lie_cost_no_memory() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("a.mcap");
    let mut recorder = Recorder::new(&path, 4);
    recorder.run(20);
    recorder.writer.sync().unwrap();
    let bytes = fs::read(&path).unwrap();
    let head = bytes.windows(8).position(|bytes| bytes == b"\x04\0\0\0zstd").unwrap();
    let chunk = head - 37;
    let places = [
        ("length of the record", chunk + 1),
        ("uncompressed size", chunk + 25),
        ("compressed size", head + 8),
        ("length of the first record", 9),
    ];
    for (what, at) in places {
        for lie in [u64::MAX, u64::MAX - 8, 1 << 62, 1 << 40, bytes.len() as u64, 0] {
            let mut lying = bytes.clone();
            lying[at..at + 8].copy_from_slice(&lie.to_le_bytes());
            let copy = folder.path().join("b.mcap");
            fs::write(&copy, &lying).unwrap();
            let log = Log::open(&copy).unwrap();
            assert!(is_among(&read(&log), &recorder.truth.messages), "{what} {lie}");
            assert!(!log.damage().is_empty(), "{what} {lie}");
        }
    }
}

#[test]
fn a_chunk_as_large_as_a_large_file_is_not_read() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("a.mcap");
    let mut recorder = Recorder::new(&path, 4);
    recorder.run(20);
    recorder.writer.sync().unwrap();
    let bytes = fs::read(&path).unwrap();
    let head = bytes.windows(8).rposition(|bytes| bytes == b"\x04\0\0\0zstd").unwrap();
    // The last chunk claims what a file full of nothing has room for.
    let claim = 300 * 1024 * 1024_u64;
    let file = OpenOptions::new().write(true).open(&path).unwrap();
    file.set_len(claim + 100_000).unwrap();
    file.write_all_at(&claim.to_le_bytes(), head as u64 + 8).unwrap();
    file.write_all_at(&(claim + 44).to_le_bytes(), head as u64 - 36).unwrap();
    let log = Log::open(&path).unwrap();
    let found = read(&log);
    assert!(found.len() >= recorder.truth.cuts[recorder.truth.cuts.len() - 2]);
    assert!(is_among(&found, &recorder.truth.messages));
    let damage = log.damage();
    assert!(damage.iter().any(|damage| damage.offset == head as u64 - 37), "{damage:?}");
    // Nothing but a small part of the claim was in memory.
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let peak = status.lines().find(|line| line.starts_with("VmHWM")).unwrap();
    let kib: u64 = peak.split_whitespace().nth(1).unwrap().parse().unwrap();
    assert!(kib < 150 * 1024, "{peak}");
}

#[test]
fn logs_are_read_by_many_threads_and_written_by_any() {
    fn shared<T: Send + Sync>() {}
    fn moved<T: Send>() {}
    shared::<Log>();
    moved::<LogWriter>();
    moved::<LogStates>();
}

#[test]
fn garbage_is_no_log() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("a.mcap");
    let mut rng = fastrand::Rng::with_seed(9);
    for length in [0, 1, 8, 9, 100, 5000] {
        let garbage: Vec<u8> = (0..length).map(|_| rng.u8(..)).collect();
        fs::write(&path, &garbage).unwrap();
        assert!(matches!(Log::open(&path), Err(LogError::NotALog { .. })), "{length}");
        let begun = [b"\x89MCAP0\r\n", &garbage[..]].concat();
        fs::write(&path, &begun).unwrap();
        let log = Log::open(&path).unwrap();
        assert_eq!(read(&log), []);
        assert!(!log.damage().is_empty());
        assert!(log.topics().is_empty() && log.stretches().is_empty());
    }
    File::create(&path).unwrap();
    assert!(matches!(Log::open(&path), Err(LogError::NotALog { .. })));
}

#[test]
fn a_schema_in_an_unknown_syntax_is_told() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("a.mcap");
    let mut schema = TypeDescriptor::clone(&descriptor::<Clock>());
    let known = schema.file_descriptor_set.windows(6).rposition(|six| six == b"proto3").unwrap();
    schema.file_descriptor_set[known..known + 6].copy_from_slice(b"proto9");
    let mut writer = LogWriter::create(&path, &facts()).unwrap();
    writer.write("/clock", &schema, Stamp::default(), &[]).unwrap();
    writer.finish().unwrap();
    let report = check(&path).unwrap();
    assert_eq!(report.topics[0].undecodable, 1);
    assert!(!report.whole());
}
