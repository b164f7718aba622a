//! Writing a log so that it survives: whole chunks, room for the end kept free, nothing rewritten.
//!
//! The records go to memory first and from there to the file in whole chunks. A message is taken
//! only when there is room for the open chunk, the message and the summary, so a full disk is
//! noticed while the log can still be finished.

mod disk;
mod room;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use mcap::records::MessageHeader;
use mcap::write::{Metadata, NoSeek};
use mcap::{Attachment, Compression, McapError, McapResult, WriteOptions};
use retake_msgs::TypeDescriptor;
use xxhash_rust::xxh3::xxh3_64;

use crate::copies::{COPIES, Copies};
use crate::error::LogError;
use crate::facts::{FACTS, LogFacts, Stamp, seal};
use crate::record::AttachmentIndex;
use disk::FileDisk;
pub use disk::{Disk, Reserved};
use room::{Known, Room};

/// Uncompressed bytes after which a chunk ends by itself.
const CHUNK_BYTES: u64 = 1024 * 1024;

/// How messages and their schemas are encoded.
pub(crate) const PROTOBUF: &str = "protobuf";

/// Largest message or attachment in a log.
pub const MAX_LOGGED_BYTES: usize = 128 * 1024 * 1024;

/// Writes a log. Blocks on the disk: give it a thread of its own.
pub struct LogWriter {
    records: mcap::Writer<NoSeek<Pending>>,
    pending: Pending,
    disk: Box<dyn Disk>,
    room: Room,
    path: PathBuf,
    started_unix_nanos: u64,
    last_log_time: u64,
    /// The channels of each topic: one for each type.
    channels: BTreeMap<String, Vec<OpenChannel>>,
    /// Types that are in the file: name and hash of each.
    schemas: BTreeSet<(String, u64)>,
    facts: BTreeMap<String, String>,
    copies: Copies,
    /// Bytes of the file.
    length: u64,
    failed: bool,
}

/// A topic that is written.
struct OpenChannel {
    id: u16,
    type_name: String,
    sequence: u32,
}

/// Records that are not in the file yet.
#[derive(Clone, Default)]
struct Pending(Arc<Mutex<Vec<u8>>>);

impl Pending {
    fn with<T>(&self, f: impl FnOnce(&mut Vec<u8>) -> T) -> T {
        f(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Write for Pending {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.with(|pending| pending.extend_from_slice(bytes));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl LogWriter {
    /// Makes a log and writes what it says of itself.
    ///
    /// # Errors
    /// [`LogError::Exists`] when the file exists, and others when it cannot be written.
    pub fn create(path: &Path, facts: &LogFacts) -> Result<Self, LogError> {
        let disk = FileDisk::create(path).map_err(|source| match source.kind() {
            io::ErrorKind::AlreadyExists => LogError::Exists { path: path.to_owned() },
            _ => LogError::Create { source, path: path.to_owned() },
        })?;
        let made = Self::on_disk(Box::new(disk), path, facts);
        if made.is_err() {
            // Nothing is in it yet, so it is of no use to anybody.
            std::fs::remove_file(path).ok();
        }
        made
    }

    /// Makes a log on a disk of any kind; `path` is what errors name.
    ///
    /// # Errors
    /// [`LogError::Full`] when there is no room for it, and others when it cannot be written.
    pub fn on_disk(disk: Box<dyn Disk>, path: &Path, facts: &LogFacts) -> Result<Self, LogError> {
        let pending = Pending::default();
        let options = WriteOptions::new()
            .profile("")
            .library(concat!("retake ", env!("CARGO_PKG_VERSION")))
            .disable_seeking(true)
            .chunk_size(Some(CHUNK_BYTES))
            .compression(Some(Compression::Zstd))
            .compression_level(1)
            .compression_threads(0);
        let records = options.create(NoSeek::new(pending.clone())).map_err(|source| {
            LogError::Format { what: FACTS.to_owned(), source, path: path.to_owned() }
        })?;
        let mut writer = Self {
            records,
            pending,
            disk,
            room: Room::default(),
            path: path.to_owned(),
            started_unix_nanos: facts.started_unix_nanos,
            last_log_time: facts.started_unix_nanos,
            channels: BTreeMap::new(),
            schemas: BTreeSet::new(),
            facts: seal(FACTS, facts.entries()),
            copies: Copies::default(),
            length: 0,
            failed: false,
        };
        writer.metadata(FACTS, facts.entries())?;
        Ok(writer)
    }

    /// Puts a file into the log.
    ///
    /// # Errors
    /// [`LogError::Full`] when there is no room for it, and others when it cannot be written.
    pub fn attach(&mut self, name: &str, media_type: &str, data: &[u8]) -> Result<(), LogError> {
        self.check_size(name, data)?;
        self.need(Room::attachment(name, media_type, data.len()))?;
        let attachment = Attachment {
            log_time: self.last_log_time,
            create_time: self.started_unix_nanos,
            name: name.to_owned(),
            media_type: media_type.to_owned(),
            data: Cow::Borrowed(data),
        };
        self.end_chunk()?;
        let offset = self.length;
        let attached = self.records.attach(&attachment);
        self.taken(name, attached)?;
        self.room.indexed(name.len() + media_type.len());
        let length = self.commit()?;
        let (name, media_type) = (name.to_owned(), media_type.to_owned());
        let data = data.len() as u64;
        self.copies.attachment(&AttachmentIndex { offset, length, data, name, media_type });
        Ok(())
    }

    /// Writes named texts; later ones of the same name count.
    ///
    /// # Errors
    /// [`LogError::Full`] when there is no room for them, and others when they cannot be written.
    pub fn metadata(
        &mut self,
        name: &str,
        entries: BTreeMap<String, String>,
    ) -> Result<(), LogError> {
        let sealed = seal(name, entries);
        let bytes = sealed.iter().map(|(key, value)| key.len() + value.len() + 8).sum::<usize>();
        self.need(Room::metadata(name, bytes))?;
        self.end_chunk()?;
        self.copies.metadata(name, &sealed);
        let metadata = Metadata { name: name.to_owned(), metadata: sealed };
        let written = self.records.write_metadata(&metadata);
        self.taken(name, written)?;
        self.room.indexed(name.len());
        self.commit().map(|_bytes| ())
    }

    /// Writes a message. The recording time must not go back; where it does, the last one counts.
    ///
    /// # Errors
    /// [`LogError::Full`] when there is no room for it: what is there stays and can be finished.
    /// Others when the file cannot be written, or the message is too large.
    pub fn write(
        &mut self,
        topic: &str,
        schema: &TypeDescriptor,
        stamp: Stamp,
        bytes: &[u8],
    ) -> Result<(), LogError> {
        self.check_size(topic, bytes)?;
        let mut known = self.channels.get(topic).into_iter().flatten();
        let definition = match known.any(|open| open.type_name == schema.type_name) {
            true => 0,
            false => self.room_of_definition(topic, schema),
        };
        self.need(3 * definition + Room::message(bytes.len()))?;
        let (channel_id, sequence) = self.channel(topic, schema)?;
        let recorded = u64::try_from(stamp.recorded.as_nanos()).unwrap_or_default();
        self.last_log_time =
            self.started_unix_nanos.saturating_add(recorded).max(self.last_log_time);
        let publish_time = u64::try_from(stamp.sim_time.as_nanos()).unwrap_or_default();
        let log_time = self.last_log_time;
        let header = MessageHeader { channel_id, sequence, log_time, publish_time };
        let written = self.records.write_to_known_channel(&header, bytes);
        self.taken(topic, written)?;
        // Whatever ends a chunk leaves it pending, all but this message.
        if self.commit()? > 0 {
            self.room.chunk_ended(self.channels.len());
        }
        self.room.opened(definition + Room::message(bytes.len()));
        Ok(())
    }

    /// Ends the chunk, so that a reader who wants what comes now need not read what is before.
    ///
    /// # Errors
    /// [`LogError::Write`] when the file cannot be written.
    pub fn cut(&mut self) -> Result<(), LogError> {
        self.end_chunk()?;
        if !self.copies.is_empty() {
            self.copies.metadata(FACTS, &self.facts);
            let (copies, outside) = (self.copies.take(), Default::default());
            let copied = self.records.write_private_record(COPIES, &copies, outside);
            self.taken("copies", copied)?;
            self.commit()?;
        }
        Ok(())
    }

    /// Ends the chunk and waits until all is on the disk: a power cut takes nothing of it.
    ///
    /// # Errors
    /// [`LogError::Write`] when the file cannot be written.
    pub fn sync(&mut self) -> Result<(), LogError> {
        self.cut()?;
        let synced = self.disk.sync();
        synced.map_err(|source| self.fail(source))
    }

    /// Returns the bytes of the file; the open chunk is not in it yet.
    pub fn bytes(&self) -> u64 {
        self.length
    }

    /// Returns the file that is written.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Ends the log with its index, waits until all is on the disk and returns the bytes of it.
    ///
    /// # Errors
    /// [`LogError::Write`] when the file cannot be written: it is without its index then, and can
    /// be read all the same.
    pub fn finish(mut self) -> Result<u64, LogError> {
        self.check_alive()?;
        self.cut()?;
        // Told twice, the facts survive wherever the file is damaged.
        let metadata = Metadata { name: FACTS.to_owned(), metadata: self.facts.clone() };
        let told = self.records.write_metadata(&metadata);
        self.taken(FACTS, told)?;
        let finished = self.records.finish().map(|_summary| ());
        self.taken("the index", finished)?;
        self.commit()?;
        let length = self.length;
        let ended = self.disk.cut_to(length).and_then(|()| self.disk.sync_whole());
        ended.map_err(|source| self.fail(source))?;
        Ok(length)
    }

    fn end_chunk(&mut self) -> Result<(), LogError> {
        self.check_alive()?;
        let flushed = self.records.flush();
        self.taken("the end of a chunk", flushed)?;
        if self.commit()? > 0 {
            self.room.chunk_ended(self.channels.len());
        }
        Ok(())
    }

    /// Returns the channel of a topic and the number of its next message.
    fn channel(&mut self, topic: &str, schema: &TypeDescriptor) -> Result<(u16, u32), LogError> {
        let mut known = self.channels.get_mut(topic).into_iter().flatten();
        if let Some(open) = known.find(|open| open.type_name == schema.type_name) {
            open.sequence = open.sequence.wrapping_add(1);
            return Ok((open.id, open.sequence));
        }
        let room = self.room_of_definition(topic, schema);
        let defined = self.define(topic, schema);
        let (id, schema_id) = self.taken(topic, defined)?;
        self.room.defined(room);
        if self.schemas.insert(schema_key(schema)) {
            self.copies.schema(schema_id, schema);
        }
        self.copies.channel(id, schema_id, topic);
        let type_name = schema.type_name.clone();
        let open = OpenChannel { id, type_name, sequence: 0 };
        self.channels.entry(topic.to_owned()).or_default().push(open);
        Ok((id, 0))
    }

    fn define(&mut self, topic: &str, schema: &TypeDescriptor) -> McapResult<(u16, u16)> {
        let data = &schema.file_descriptor_set;
        // A type that nobody described has a name all the same.
        let encoding = if data.is_empty() { "" } else { PROTOBUF };
        let schema_id = self.records.add_schema(&schema.type_name, encoding, data)?;
        let id = self.records.add_channel(schema_id, topic, PROTOBUF, &BTreeMap::new())?;
        Ok((id, schema_id))
    }

    fn room_of_definition(&self, topic: &str, schema: &TypeDescriptor) -> u64 {
        let known = self.schemas.contains(&schema_key(schema));
        Room::definition(topic, schema, if known { Known::Yes } else { Known::No })
    }

    /// Makes sure that so many bytes more leave room for the end of the log.
    fn need(&mut self, bytes: u64) -> Result<(), LogError> {
        self.check_alive()?;
        // The facts go into copies, and once more before the end.
        let facts =
            self.facts.iter().map(|(key, value)| key.len() + value.len() + 8).sum::<usize>();
        let bytes = bytes + (self.copies.len() + 2 * facts) as u64;
        if self.has_room(bytes)? {
            return Ok(());
        }
        // Compressed, the open chunk needs far less than what is kept free for it.
        if self.room.is_chunk_worth_ending() {
            self.end_chunk()?;
            if self.has_room(bytes)? {
                return Ok(());
            }
        }
        Err(LogError::Full { path: self.path.clone() })
    }

    fn has_room(&mut self, bytes: u64) -> Result<bool, LogError> {
        let asked = self.room.need(self.disk.as_mut(), self.length, bytes);
        asked.map_err(|source| LogError::Write { source, path: self.path.clone() })
    }

    /// Moves what is pending into the file and returns its bytes.
    fn commit(&mut self) -> Result<u64, LogError> {
        let bytes = self.pending.with(std::mem::take);
        if let Err(source) = self.disk.append(&bytes) {
            return Err(self.fail(source));
        }
        self.length += bytes.len() as u64;
        let count = bytes.len() as u64;
        // The memory is used again.
        self.pending.with(|pending| {
            *pending = bytes;
            pending.clear();
        });
        Ok(count)
    }

    /// Notes that the file cannot be written, and leaves it at the end of a whole record.
    fn fail(&mut self, source: io::Error) -> LogError {
        self.failed = true;
        // When this fails as well, the reader skips the torn end.
        self.disk.cut_to(self.length).ok();
        LogError::Write { source, path: self.path.clone() }
    }

    fn check_alive(&self) -> Result<(), LogError> {
        match self.failed {
            false => Ok(()),
            true => {
                let source = io::Error::other("writing failed before");
                Err(LogError::Write { source, path: self.path.clone() })
            }
        }
    }

    fn check_size(&self, what: &str, bytes: &[u8]) -> Result<(), LogError> {
        match bytes.len() > MAX_LOGGED_BYTES {
            true => Err(LogError::TooLarge {
                what: what.to_owned(),
                bytes: bytes.len(),
                limit: MAX_LOGGED_BYTES,
                path: self.path.clone(),
            }),
            false => Ok(()),
        }
    }

    fn taken<T>(&self, what: &str, result: Result<T, McapError>) -> Result<T, LogError> {
        let (what, path) = (what.to_owned(), self.path.clone());
        result.map_err(|source| LogError::Format { what, source, path })
    }
}

fn schema_key(schema: &TypeDescriptor) -> (String, u64) {
    (schema.type_name.clone(), xxh3_64(&schema.file_descriptor_set))
}

#[cfg(test)]
mod tests;
