//! Reading a log, whole or damaged, without loading it.

mod attachments;
mod chunks;
mod index;
mod messages;
mod scan;
mod source;
mod stretches;
mod summary;
mod topics;

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::ops::RangeBounds;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use retake_math::SimTime;

pub use attachments::AttachmentInfo;
pub use messages::{LogMessage, Messages};
pub(crate) use messages::{Walk, WalkStep};
pub use stretches::Stretch;
pub use topics::Topic;

use crate::chunk::{ChunkContent, MAX_CHUNK_RECORD, MessageEntry};
use crate::damage::{self, Damage};
use crate::error::LogError;
use crate::facts::{FACTS, LogFacts, Stamp};
use crate::record::Schema;
use crate::write::PROTOBUF;
use chunks::ChunkCache;
use index::Index;
use source::Source;

/// Largest record of an attachment that is read.
const MAX_ATTACHMENT_BYTES: u64 = 1 << 30;

/// An open log: an index in memory, and chunks that are read when they are needed.
///
/// Many threads can read it at once.
#[derive(Debug)]
pub struct Log {
    path: PathBuf,
    source: Source,
    facts: LogFacts,
    index: Index,
    topics: Vec<Topic>,
    /// The topic of each channel.
    topic_of: BTreeMap<u16, usize>,
    stretches: Vec<Stretch>,
    length: SimTime,
    damage: Mutex<Vec<Damage>>,
    chunks: ChunkCache,
}

/// Where a message is: its chunk, and its number therein.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    pub(crate) chunk: usize,
    pub(crate) message: usize,
}

impl Place {
    pub(crate) const START: Self = Self { chunk: 0, message: 0 };

    pub(crate) fn next(self) -> Self {
        Self { message: self.message + 1, ..self }
    }
}

impl Log {
    /// Opens a log. One without an index, because its recording was cut off or goes on, is read
    /// once; the file is never changed.
    ///
    /// # Errors
    /// [`LogError::Read`] when the file cannot be read, [`LogError::NotALog`] when it is no log.
    pub fn open(path: &Path) -> Result<Self, LogError> {
        let unreadable = |source| LogError::Read { source, path: path.to_owned() };
        let source = Source::open(path).map_err(unreadable)?;
        let index = match summary::read(&source).map_err(unreadable)? {
            Some(index) => index,
            None => scan::read(&source).map_err(unreadable)?,
        };
        Self::with_index(path, source, index)
    }

    fn with_index(path: &Path, source: Source, mut index: Index) -> Result<Self, LogError> {
        let begin = source.read(0, mcap::MAGIC.len() as u64);
        let begin = begin.map_err(|source| LogError::Read { source, path: path.to_owned() })?;
        let empty = index.chunks.is_empty() && index.metadata.is_empty();
        if begin != mcap::MAGIC && empty {
            return Err(LogError::NotALog { path: path.to_owned() });
        }
        let first = index.chunks.iter().map(|chunk| chunk.start).min().unwrap_or_default();
        let facts = match index.metadata.get(FACTS) {
            Some(entries) => LogFacts::from_entries(entries),
            // Everything begins with a state, so the first message tells when that was.
            None => LogFacts {
                started_unix_nanos: first,
                world: topics::world_of(&index).unwrap_or_default(),
                ..LogFacts::default()
            },
        };
        let last = index.chunks.iter().map(|chunk| chunk.end).max().unwrap_or(first);
        let length = recorded(facts.started_unix_nanos, last);
        index.note_nameless();
        let (topics, topic_of) = topics::topics(&index);
        let damage = Mutex::new(std::mem::take(&mut index.damage));
        let mut log = Self {
            path: path.to_owned(),
            source,
            facts,
            index,
            topics,
            topic_of,
            stretches: Vec::new(),
            length,
            damage,
            chunks: ChunkCache::default(),
        };
        log.stretches = stretches::read(&log)?;
        Ok(log)
    }

    /// Returns what the log says of itself.
    pub fn facts(&self) -> &LogFacts {
        &self.facts
    }

    /// Returns the file that is read.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the bytes of the file when it was opened.
    pub fn bytes(&self) -> u64 {
        self.source.length()
    }

    /// Returns the recording time of the last message.
    pub fn length(&self) -> SimTime {
        self.length
    }

    /// Says whether the log was finished: a log that is not was cut off, or is still written.
    pub fn finished(&self) -> bool {
        self.index.finished
    }

    /// Returns what is known to be missing; reading may find more.
    pub fn damage(&self) -> Vec<Damage> {
        self.damage.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Reads all of the log once, and returns the spans of recording time of which messages are
    /// missing: the last that is there before, and the first after; they may be in no order.
    /// [`Log::damage`] is whole afterwards.
    ///
    /// # Errors
    /// [`LogError::Read`] when the file cannot be read.
    pub fn missing(&self) -> Result<Vec<(SimTime, SimTime)>, LogError> {
        self.look_beside_messages()?;
        let mut lost = Vec::new();
        for at in 0..self.chunk_count() {
            if self.chunk(at)?.is_none() {
                let chunk = &self.index.chunks[at];
                lost.push((chunk.offset, chunk.length));
            }
        }
        let is_attachment = |offset| self.index.attachments.iter().any(|a| a.place.0 == offset);
        let damage = self.damage();
        let damage =
            damage.iter().filter(|damage| damage.bytes > 0 && !is_attachment(damage.offset));
        lost.extend(damage.map(|damage| (damage.offset, damage.bytes)));
        Ok(lost.into_iter().map(|place| self.span_around(place)).collect())
    }

    /// Reads what is no message, so that damage there is known too; returns how many attachments
    /// are whole.
    pub(crate) fn look_beside_messages(&self) -> Result<usize, LogError> {
        let mut whole = 0;
        for found in self.attachments() {
            match self.attachment(&found.name) {
                Ok(_) => whole += 1,
                // It is in the list of damage.
                Err(LogError::DamagedAttachment { .. }) => {}
                Err(other) => return Err(other),
            }
        }
        if self.finished() {
            self.compare_whole()?;
        }
        Ok(whole)
    }

    /// Returns the recording times just before and after a place in the file.
    fn span_around(&self, (offset, bytes): (u64, u64)) -> (SimTime, SimTime) {
        let started = self.facts.started_unix_nanos;
        let chunks = self.index.chunks.iter();
        let before = chunks.clone().filter(|chunk| chunk.offset < offset);
        let after = chunks.filter(|chunk| chunk.offset >= offset.saturating_add(bytes));
        let from = before.map(|chunk| recorded(started, chunk.end)).max();
        let to = after.map(|chunk| recorded(started, chunk.start)).min();
        (from.unwrap_or(SimTime::ZERO), to.unwrap_or(self.length))
    }

    /// Returns the topics by name.
    pub fn topics(&self) -> &[Topic] {
        &self.topics
    }

    /// Returns the stretches without a jump, in the order of the recording.
    pub fn stretches(&self) -> &[Stretch] {
        &self.stretches
    }

    /// Returns the recording times at which a simulated time occurs, in order.
    ///
    /// Just at a jump, what was before it and what came after have one recording time; to tell
    /// them apart, see [`crate::LogStates::seek_sim_time`].
    pub fn passes(&self, sim_time: SimTime) -> Vec<SimTime> {
        self.stretches.iter().filter_map(|stretch| stretch.recorded_at(sim_time)).collect()
    }

    /// Returns the simulated time at a recording time, and the epoch that it belongs to.
    pub fn sim_time_at(&self, recorded: SimTime) -> (SimTime, u64) {
        let after = self.stretches.partition_point(|stretch| stretch.begin <= recorded);
        let stretch = self.stretches.get(after.saturating_sub(1));
        stretch.map_or((SimTime::ZERO, 0), |stretch| {
            let since = recorded.max(stretch.begin) - stretch.begin;
            (stretch.sim_begin + since, stretch.epoch)
        })
    }

    /// Returns messages in the order of the file: those of `topics`, or all when that is empty,
    /// within a span of recording time. Damaged chunks are skipped, and are in
    /// [`Log::damage`] then.
    pub fn messages(&self, topics: &[&str], span: impl RangeBounds<SimTime>) -> Messages<'_> {
        let bounds = (span.start_bound().cloned(), span.end_bound().cloned());
        let channels = match topics.is_empty() {
            true => self.all_channels(),
            false => self.channels_of(topics),
        };
        Messages::new(self, channels, bounds)
    }

    /// Returns the last message of a topic at a recording time or before.
    ///
    /// # Errors
    /// [`LogError::Read`] when the file cannot be read.
    pub fn last_before(
        &self,
        topic: &str,
        recorded: SimTime,
    ) -> Result<Option<LogMessage>, LogError> {
        let channels = self.channels_of(&[topic]);
        let Some(place) = self.last_place(&channels, recorded, None)? else { return Ok(None) };
        let Some(content) = self.chunk(place.chunk)? else { return Ok(None) };
        Ok(content.messages.get(place.message).map(|entry| self.message(&content, entry)))
    }

    /// Returns the files in the log.
    pub fn attachments(&self) -> &[AttachmentInfo] {
        &self.index.attachments
    }

    /// Returns the bytes of a file in the log.
    ///
    /// # Errors
    /// [`LogError::NoAttachment`] and [`LogError::DamagedAttachment`], or [`LogError::Read`].
    pub fn attachment(&self, name: &str) -> Result<Vec<u8>, LogError> {
        let path = || self.path.clone();
        let found = self.index.attachments.iter().rev().find(|found| found.name == name);
        let missing = || LogError::NoAttachment { name: name.to_owned(), path: path() };
        let (offset, length) = found.ok_or_else(missing)?.place;
        let record = self.read(offset, length.min(MAX_ATTACHMENT_BYTES))?;
        let data = attachments::attachment_in(&record, name);
        data.ok_or_else(|| {
            let text = format!("The attachment {name:?} is damaged and not used");
            self.damaged(offset, length, text);
            LogError::DamagedAttachment { name: name.to_owned(), path: path() }
        })
    }

    /// Returns named texts.
    pub fn metadata(&self, name: &str) -> Option<&BTreeMap<String, String>> {
        self.index.metadata.get(name)
    }

    /// Returns the names of all metadata.
    pub fn metadata_names(&self) -> impl Iterator<Item = &str> {
        self.index.metadata.keys().map(String::as_str)
    }

    /// Returns the channels of topics.
    pub(crate) fn channels_of(&self, topics: &[&str]) -> BTreeSet<u16> {
        let known = self.index.channels.values();
        let named = known.filter(|channel| topics.contains(&channel.topic.as_str()));
        named.map(|channel| channel.id).collect()
    }

    pub(crate) fn all_channels(&self) -> BTreeSet<u16> {
        self.index.channels.keys().copied().collect()
    }

    pub(crate) fn topic_name(&self, channel: u16) -> Arc<str> {
        let topic = self.topic_of.get(&channel).map(|at| Arc::clone(&self.topics[*at].name));
        topic.unwrap_or_default()
    }

    /// Finds the last message of some channels at a recording time or before, and before a place.
    pub(crate) fn last_place(
        &self,
        channels: &BTreeSet<u16>,
        recorded: SimTime,
        before: Option<Place>,
    ) -> Result<Option<Place>, LogError> {
        let limit = self.log_time(recorded);
        let end = before.map_or(self.index.chunks.len(), |place| place.chunk + 1);
        for at in (0..end.min(self.index.chunks.len())).rev() {
            let chunk = &self.index.chunks[at];
            if chunk.start > limit || !chunk.channels.iter().any(|id| channels.contains(id)) {
                continue;
            }
            let Some(content) = self.chunk(at)? else { continue };
            let last = before.filter(|place| place.chunk == at).map(|place| place.message);
            let messages =
                &content.messages[..last.unwrap_or(usize::MAX).min(content.messages.len())];
            let wanted = |m: &MessageEntry| m.log_time <= limit && channels.contains(&m.channel);
            if let Some(message) = messages.iter().rposition(wanted) {
                return Ok(Some(Place { chunk: at, message }));
            }
        }
        Ok(None)
    }

    /// Returns a chunk; none when it is damaged, which is noted.
    pub(crate) fn chunk(&self, at: usize) -> Result<Option<Arc<ChunkContent>>, LogError> {
        let Some(chunk) = self.index.chunks.get(at) else { return Ok(None) };
        if let Some(content) = self.chunks.kept(at) {
            return Ok(Some(content));
        }
        let record = self.read(chunk.offset, chunk.length.min(MAX_CHUNK_RECORD))?;
        match self.chunks.unpack(at, &record) {
            Ok(content) => Ok(Some(content)),
            Err(reason) => {
                let from = recorded(self.facts.started_unix_nanos, chunk.start);
                let to = recorded(self.facts.started_unix_nanos, chunk.end);
                let text = format!(
                    "A chunk is damaged and not used, recorded from {from} to {to}: {reason}"
                );
                self.damaged(chunk.offset, chunk.length, text);
                Ok(None)
            }
        }
    }

    pub(crate) fn chunk_count(&self) -> usize {
        self.index.chunks.len()
    }

    /// Says whether a chunk may have messages of these channels between two log times.
    pub(crate) fn chunk_has(
        &self,
        at: usize,
        channels: Option<&BTreeSet<u16>>,
        log_times: (u64, u64),
    ) -> bool {
        self.index.chunks.get(at).is_some_and(|chunk| {
            let wanted = |id: &u16| channels.is_none_or(|channels| channels.contains(id));
            let overlaps = chunk.start <= log_times.1 && chunk.end >= log_times.0;
            overlaps && chunk.channels.iter().any(wanted)
        })
    }

    pub(crate) fn message(&self, content: &ChunkContent, entry: &MessageEntry) -> LogMessage {
        let (topic, stamp) = (self.topic_name(entry.channel), self.stamp(entry));
        LogMessage { topic, stamp, bytes: content.bytes(entry).to_vec() }
    }

    pub(crate) fn stamp(&self, entry: &MessageEntry) -> Stamp {
        let recorded = recorded(self.facts.started_unix_nanos, entry.log_time);
        let nanos = i64::try_from(entry.publish_time).unwrap_or(i64::MAX);
        Stamp { recorded, sim_time: SimTime::from_nanos(nanos) }
    }

    pub(crate) fn log_time(&self, recorded: SimTime) -> u64 {
        self.facts.started_unix_nanos.saturating_add_signed(recorded.as_nanos())
    }

    /// Says whether something is known to be missing before the last chunk.
    fn has_holes(&self) -> bool {
        let last = self.index.chunks.last().map_or(0, |chunk| chunk.offset);
        let damage = self.damage.lock().unwrap_or_else(PoisonError::into_inner);
        damage.iter().any(|damage| damage.bytes > 0 && damage.offset < last)
    }

    pub(crate) fn damaged(&self, offset: u64, bytes: u64, text: String) {
        let mut list = self.damage.lock().unwrap_or_else(PoisonError::into_inner);
        damage::note(&mut list, Damage { offset, bytes, text });
    }

    pub(crate) fn schema_of(&self, channel: u16) -> Option<&Schema> {
        let channel = self.index.channels.get(&channel)?;
        self.index.schemas.get(&channel.schema)
    }

    pub(crate) fn is_protobuf(&self, channel: u16) -> bool {
        self.index.channels.get(&channel).is_some_and(|channel| channel.encoding == PROTOBUF)
    }

    /// Compares the checksum of all that is before the summary, and notes damage found so alone.
    ///
    /// # Errors
    /// [`LogError::Read`] when the file cannot be read.
    pub(crate) fn compare_whole(&self) -> Result<(), LogError> {
        let same = summary::compare_data(&self.source);
        let same = same.map_err(|source| LogError::Read { source, path: self.path.clone() })?;
        if !same && self.damage().is_empty() {
            let text = "Something outside of messages and attachments was altered".to_owned();
            self.damaged(0, 0, text);
        }
        Ok(())
    }

    fn read(&self, offset: u64, length: u64) -> Result<Vec<u8>, LogError> {
        let read = self.source.read(offset, length);
        read.map_err(|source: io::Error| LogError::Read { source, path: self.path.clone() })
    }
}

/// Returns the recording time of a log time.
fn recorded(started: u64, log_time: u64) -> SimTime {
    let nanos = i64::try_from(log_time.saturating_sub(started)).unwrap_or(i64::MAX);
    SimTime::from_nanos(nanos)
}
