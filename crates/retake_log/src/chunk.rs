//! One chunk: read whole, its checksum compared, and only then used.

use std::fmt;

use mcap::records::op;
use mcap::sans_io::{LinearReadEvent, LinearReader, LinearReaderOptions};

use crate::record::{Channel, ChunkHead, MessageHead, RECORD_HEAD, RecordHead, Schema};

/// Largest chunk in memory; ours are larger than a megabyte only by their last message.
pub(crate) const MAX_CHUNK_BYTES: u64 = 256 * 1024 * 1024;

/// Largest record of a chunk that is read: nothing grows much when it is compressed.
pub(crate) const MAX_CHUNK_RECORD: u64 = MAX_CHUNK_BYTES + MAX_CHUNK_BYTES / 64;

/// What is in a chunk.
#[derive(Debug, Default)]
pub(crate) struct ChunkContent {
    pub(crate) schemas: Vec<Schema>,
    pub(crate) channels: Vec<Channel>,
    pub(crate) messages: Vec<MessageEntry>,
    data: Vec<u8>,
}

/// A message in a chunk.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MessageEntry {
    pub(crate) channel: u16,
    pub(crate) log_time: u64,
    pub(crate) publish_time: u64,
    start: usize,
    end: usize,
}

/// Reads chunks one after the other; what unpacks them is made once.
pub(crate) struct ChunkReader {
    unpacker: LinearReader,
}

impl Default for ChunkReader {
    fn default() -> Self {
        let options = LinearReaderOptions::default()
            .with_skip_start_magic(true)
            .with_skip_end_magic(true)
            .with_validate_chunk_crcs(true)
            .with_record_length_limit(MAX_CHUNK_BYTES as usize);
        Self { unpacker: LinearReader::new_with_options(options) }
    }
}

impl fmt::Debug for ChunkReader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ChunkReader").finish_non_exhaustive()
    }
}

impl ChunkReader {
    /// Reads a chunk from its record.
    ///
    /// # Errors
    /// A sentence that says why nothing of it can be used.
    pub(crate) fn read(&mut self, record: &[u8]) -> Result<ChunkContent, String> {
        let head = RecordHead::parse(record).filter(|head| head.opcode == op::CHUNK);
        let body = record.get(RECORD_HEAD as usize..).unwrap_or_default();
        let sound = head.filter(|head| head.length == body.len() as u64);
        let chunk = sound.and_then(|head| ChunkHead::parse(body).filter(|c| c.fits(head.length)));
        let chunk = chunk.ok_or("its head is damaged")?;
        if chunk.uncompressed > MAX_CHUNK_BYTES {
            return Err(format!("it claims to hold {} bytes", chunk.uncompressed));
        }
        let content = self.unpack(record, chunk.uncompressed);
        if content.is_err() {
            // The unpacker stopped anywhere and is of no use any more.
            *self = Self::default();
        }
        content
    }

    fn unpack(&mut self, record: &[u8], uncompressed: u64) -> Result<ChunkContent, String> {
        let mut content = ChunkContent::default();
        let mut rest = record;
        let mut unpacked = 0;
        // The checksum is compared last, so an error anywhere drops what was gathered.
        while let Some(event) = self.unpacker.next_event() {
            match event.map_err(|error| error.to_string())? {
                LinearReadEvent::ReadRequest(_) if rest.is_empty() => break,
                LinearReadEvent::ReadRequest(wanted) => {
                    let (now, later) = rest.split_at(wanted.min(rest.len()));
                    self.unpacker.insert(now.len()).copy_from_slice(now);
                    self.unpacker.notify_read(now.len());
                    rest = later;
                }
                LinearReadEvent::Record { opcode, data } => {
                    unpacked += RECORD_HEAD + data.len() as u64;
                    content.add(opcode, data).ok_or("a record in it is damaged")?;
                }
            }
        }
        match unpacked == uncompressed && rest.is_empty() {
            true => Ok(content),
            false => Err("it does not hold what it claims".to_owned()),
        }
    }
}

impl ChunkContent {
    fn add(&mut self, opcode: u8, body: &[u8]) -> Option<()> {
        match opcode {
            op::SCHEMA => self.schemas.push(Schema::parse(body)?),
            op::CHANNEL => self.channels.push(Channel::parse(body)?),
            op::MESSAGE => {
                let (head, bytes) = MessageHead::parse(body)?;
                let start = self.data.len();
                self.data.extend_from_slice(bytes);
                let (channel, end) = (head.channel, self.data.len());
                let (log_time, publish_time) = (head.log_time, head.publish_time);
                self.messages.push(MessageEntry { channel, log_time, publish_time, start, end });
            }
            // Whatever else later versions put into chunks.
            _ => {}
        }
        Some(())
    }

    pub(crate) fn bytes(&self, entry: &MessageEntry) -> &[u8] {
        &self.data[entry.start..entry.end]
    }

    /// Returns the first and the last log time, and the channels in order.
    pub(crate) fn extent(&self) -> Option<(u64, u64, Vec<u16>)> {
        let start = self.messages.iter().map(|m| m.log_time).min()?;
        let end = self.messages.iter().map(|m| m.log_time).max()?;
        let mut channels: Vec<u16> = self.messages.iter().map(|m| m.channel).collect();
        channels.sort_unstable();
        channels.dedup();
        Some((start, end, channels))
    }

    /// Returns about how many bytes this takes in memory.
    pub(crate) fn weight(&self) -> usize {
        self.data.len() + self.messages.len() * size_of::<MessageEntry>()
    }
}
