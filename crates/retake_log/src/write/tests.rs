//! The writer on disks that fill up and fail.

use std::fs::File;
use std::io::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};

use retake_math::SimTime;
use retake_msgs::{Clock, Name, type_descriptor};
use tempfile::TempDir;

use super::disk::Reserved;
use super::*;
use crate::{Log, check};

/// A file on a disk of a given size that others fill up as soon as they can: only what was
/// reserved can be written.
struct SmallDisk {
    file: File,
    length: u64,
    reserved: u64,
    capacity: Arc<AtomicU64>,
    promises: bool,
}

impl Disk for SmallDisk {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        let room = match self.promises {
            true => self.reserved,
            false => self.capacity.load(Ordering::Relaxed),
        };
        let fitting = room.saturating_sub(self.length).min(bytes.len() as u64) as usize;
        self.file.write_all(&bytes[..fitting])?;
        self.length += fitting as u64;
        match fitting == bytes.len() {
            true => Ok(()),
            false => Err(io::ErrorKind::StorageFull.into()),
        }
    }

    fn reserve(&mut self, length: u64, bytes: u64) -> io::Result<Reserved> {
        assert_eq!(length, self.length);
        let fits = length + bytes <= self.capacity.load(Ordering::Relaxed);
        self.reserved = if fits { length + bytes } else { self.reserved };
        Ok(match (self.promises, fits) {
            (false, _) => Reserved::Unknown,
            (true, true) => Reserved::Yes,
            (true, false) => Reserved::Full,
        })
    }

    fn cut_to(&mut self, length: u64) -> io::Result<()> {
        self.length = length;
        self.file.set_len(length)
    }

    fn sync(&mut self) -> io::Result<()> {
        Ok(())
    }

    fn sync_whole(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn on_small_disk(path: &Path, capacity: u64, promises: bool) -> Result<LogWriter, LogError> {
    let file = File::create_new(path).unwrap();
    let capacity = Arc::new(AtomicU64::new(capacity));
    let disk = SmallDisk { file, length: 0, reserved: 0, capacity, promises };
    LogWriter::on_disk(Box::new(disk), path, &LogFacts::default())
}

/// Writes until there is an error; returns the messages that were taken, and the error.
fn fill(writer: &mut LogWriter, seed: u64) -> (Vec<Vec<u8>>, LogError) {
    let mut rng = fastrand::Rng::with_seed(seed);
    let schema = type_descriptor(&Clock::full_name()).unwrap();
    let mut taken = Vec::new();
    loop {
        // What cannot be compressed needs the most room.
        let length = rng.usize(..5000);
        let bytes: Vec<u8> = std::iter::repeat_with(|| rng.u8(..)).take(length).collect();
        let topic = format!("/topic/{}", rng.u8(..40));
        let stamp = Stamp { recorded: SimTime::from_nanos(taken.len() as i64), ..Stamp::default() };
        let written = writer.write(&topic, &schema, stamp, &bytes);
        let written = written.map(|()| taken.push(bytes));
        let done = written.and_then(|()| match rng.u8(..30) {
            0 => writer.cut(),
            1 => writer.sync(),
            2 => writer.attach("file", "text/plain", &[7; 3000]),
            3 => writer.metadata("more", BTreeMap::from([("key".to_owned(), "value".to_owned())])),
            _ => Ok(()),
        });
        match done {
            Ok(()) => {}
            Err(error) => return (taken, error),
        }
    }
}

fn read(log: &Log) -> Vec<Vec<u8>> {
    log.messages(&[], ..).map(|message| message.unwrap().bytes).collect()
}

#[test]
fn a_full_disk_ends_in_a_whole_log() {
    let folder = TempDir::new().unwrap();
    for seed in 0..40 {
        let path = folder.path().join(format!("{seed}.mcap"));
        let capacity = 20_000 + seed * 150_001;
        let mut writer = match on_small_disk(&path, capacity, true) {
            Ok(writer) => writer,
            Err(error) => panic!("{error}"),
        };
        let (taken, error) = fill(&mut writer, seed);
        assert!(matches!(error, LogError::Full { .. }), "{error}");
        assert!(error.to_string().starts_with("The disk is full: the log ends here, whole"));
        let bytes = writer.finish().unwrap();
        assert!(bytes <= capacity);
        assert!(seed < 5 || bytes * 10 > capacity * 8, "{bytes} of {capacity} used");
        let log = Log::open(&path).unwrap();
        assert_eq!(read(&log), taken);
        assert!(log.finished() && log.damage().is_empty());
        let report = check(&path).unwrap();
        assert!(report.damage.is_empty(), "{:?}", report.damage);
    }
}

#[test]
fn what_compresses_well_fills_a_small_disk_too() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("small.mcap");
    // Less than what a chunk has before it is compressed.
    let capacity = 200_000;
    let mut writer = on_small_disk(&path, capacity, true).unwrap_or_else(|e| panic!("{e}"));
    let schema = type_descriptor(&Clock::full_name()).unwrap();
    let write =
        |writer: &mut LogWriter| writer.write("/even", &schema, Stamp::default(), &[7; 5000]);
    let mut taken = 0_u64;
    while write(&mut writer).is_ok() {
        taken += 5000;
    }
    assert!(taken > 5 * capacity, "{taken}");
    assert!(writer.finish().unwrap() <= capacity);
    let report = check(&path).unwrap();
    assert!(report.finished && report.damage.is_empty(), "{:?}", report.damage);
}

#[test]
fn where_nothing_can_be_reserved_the_log_ends_with_a_whole_chunk() {
    let folder = TempDir::new().unwrap();
    for seed in 0..40 {
        let path = folder.path().join(format!("{seed}.mcap"));
        let mut writer =
            on_small_disk(&path, 20_000 + seed * 50_001, false).unwrap_or_else(|e| panic!("{e}"));
        let (taken, error) = fill(&mut writer, seed);
        assert!(matches!(error, LogError::Write { .. }), "{error}");
        let kept = writer.bytes();
        let again = writer.sync().unwrap_err();
        assert!(again.to_string().contains("it ends with what was written before"), "{again}");
        assert!(writer.finish().is_err());
        assert_eq!(std::fs::metadata(&path).unwrap().len(), kept);
        let log = Log::open(&path).unwrap();
        let found = read(&log);
        assert_eq!(found, taken[..found.len()]);
        // Nothing is torn: all that is missing is the index.
        assert_eq!(log.damage().len(), 1, "{:?}", log.damage());
    }
}

#[test]
fn a_message_too_large_is_refused_before_it_is_written() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("a.mcap");
    let mut writer =
        LogWriter::create(&path, &LogFacts::default()).unwrap_or_else(|e| panic!("{e}"));
    let schema = type_descriptor(&Clock::full_name()).unwrap();
    let large = vec![0; MAX_LOGGED_BYTES + 1];
    let refused = writer.write("/large", &schema, Stamp::default(), &large).unwrap_err();
    assert!(matches!(refused, LogError::TooLarge { .. }), "{refused}");
    writer.write("/large", &schema, Stamp::default(), &large[1..]).unwrap();
    writer.finish().unwrap();
    assert_eq!(read(&Log::open(&path).unwrap())[0].len(), MAX_LOGGED_BYTES);
}
