//! The records of an MCAP file, read from bytes that may be anything.
//!
//! Nothing here allocates more than it was given, and nothing panics. The readers of the `mcap`
//! crate do both when a length is wrong, so they only get what was found sound here.

use std::collections::BTreeMap;

/// Bytes before the body of each record: its kind and its length.
pub(crate) const RECORD_HEAD: u64 = 9;

/// A record's kind and length.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RecordHead {
    pub(crate) opcode: u8,
    pub(crate) length: u64,
}

impl RecordHead {
    pub(crate) fn parse(bytes: &[u8]) -> Option<Self> {
        let mut fields = Fields(bytes);
        Some(Self { opcode: fields.u8()?, length: fields.u64()? })
    }
}

/// Reads one field after the other.
pub(crate) struct Fields<'a>(pub(crate) &'a [u8]);

impl<'a> Fields<'a> {
    pub(crate) fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(taken)
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (taken, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*taken)
    }

    pub(crate) fn u8(&mut self) -> Option<u8> {
        self.array::<1>().map(|[byte]| byte)
    }

    pub(crate) fn u16(&mut self) -> Option<u16> {
        self.array().map(u16::from_le_bytes)
    }

    pub(crate) fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    pub(crate) fn u64(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }

    /// Reads bytes after their length.
    pub(crate) fn bytes(&mut self) -> Option<&'a [u8]> {
        let length = self.u32()? as usize;
        self.take(length)
    }

    pub(crate) fn text(&mut self) -> Option<String> {
        std::str::from_utf8(self.bytes()?).ok().map(str::to_owned)
    }

    fn texts(&mut self) -> Option<BTreeMap<String, String>> {
        let mut entries = Fields(self.bytes()?);
        let mut texts = BTreeMap::new();
        while !entries.0.is_empty() {
            texts.insert(entries.text()?, entries.text()?);
        }
        Some(texts)
    }
}

/// The type of messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Schema {
    pub(crate) id: u16,
    pub(crate) name: String,
    pub(crate) encoding: String,
    pub(crate) data: Vec<u8>,
}

impl Schema {
    pub(crate) fn parse(body: &[u8]) -> Option<Self> {
        let mut fields = Fields(body);
        let (id, name, encoding) = (fields.u16()?, fields.text()?, fields.text()?);
        Some(Self { id, name, encoding, data: fields.bytes()?.to_vec() })
    }
}

/// The topic of messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Channel {
    pub(crate) id: u16,
    pub(crate) schema: u16,
    pub(crate) topic: String,
    pub(crate) encoding: String,
}

impl Channel {
    pub(crate) fn parse(body: &[u8]) -> Option<Self> {
        let mut fields = Fields(body);
        let (id, schema) = (fields.u16()?, fields.u16()?);
        Some(Self { id, schema, topic: fields.text()?, encoding: fields.text()? })
    }
}

/// What is before the bytes of a message.
pub(crate) struct MessageHead {
    pub(crate) channel: u16,
    pub(crate) log_time: u64,
    pub(crate) publish_time: u64,
}

impl MessageHead {
    /// Returns the head, and the message itself.
    pub(crate) fn parse(body: &[u8]) -> Option<(Self, &[u8])> {
        let mut fields = Fields(body);
        let channel = fields.u16()?;
        let _sequence = fields.u32()?;
        let (log_time, publish_time) = (fields.u64()?, fields.u64()?);
        Some((Self { channel, log_time, publish_time }, fields.0))
    }
}

/// What is before the compressed bytes of a chunk.
#[derive(Clone, Debug)]
pub(crate) struct ChunkHead {
    pub(crate) uncompressed: u64,
    pub(crate) compressed: u64,
    /// Bytes of the head itself.
    pub(crate) length: u64,
}

impl ChunkHead {
    /// Largest head of a chunk that is read here: no compression has a longer name.
    pub(crate) const MAX: usize = 40 + 16;

    pub(crate) fn parse(body: &[u8]) -> Option<Self> {
        let mut fields = Fields(body);
        let (_start, _end, uncompressed) = (fields.u64()?, fields.u64()?, fields.u64()?);
        let _crc = fields.u32()?;
        let compression = fields.text()?;
        let compressed = fields.u64()?;
        Some(Self { uncompressed, compressed, length: 40 + compression.len() as u64 })
    }

    /// Says whether the sizes in the head fit the length of the record.
    pub(crate) fn fits(&self, record_length: u64) -> bool {
        self.length.checked_add(self.compressed) == Some(record_length)
    }
}

/// Where a chunk is and what it holds.
#[derive(Clone, Debug)]
pub(crate) struct ChunkIndex {
    pub(crate) start: u64,
    pub(crate) end: u64,
    pub(crate) offset: u64,
    pub(crate) length: u64,
    pub(crate) channels: Vec<u16>,
}

impl ChunkIndex {
    pub(crate) fn parse(body: &[u8]) -> Option<Self> {
        let mut fields = Fields(body);
        let (start, end) = (fields.u64()?, fields.u64()?);
        let (offset, length) = (fields.u64()?, fields.u64()?);
        let mut entries = Fields(fields.bytes()?);
        let mut channels = Vec::new();
        while !entries.0.is_empty() {
            channels.push(entries.u16()?);
            entries.u64()?;
        }
        channels.sort_unstable();
        Some(Self { start, end, offset, length, channels })
    }
}

/// How many messages each channel has.
pub(crate) fn parse_counts(statistics: &[u8]) -> Option<BTreeMap<u16, u64>> {
    let mut fields = Fields(statistics);
    // Messages, schemas, channels, attachments, metadata, chunks, first and last time.
    fields.take(8 + 2 + 4 + 4 + 4 + 4 + 8 + 8)?;
    let mut entries = Fields(fields.bytes()?);
    let mut counts = BTreeMap::new();
    while !entries.0.is_empty() {
        counts.insert(entries.u16()?, entries.u64()?);
    }
    Some(counts)
}

/// What is before the bytes of an attachment.
#[derive(Clone, Debug)]
pub(crate) struct AttachmentHead {
    pub(crate) name: String,
    pub(crate) media_type: String,
    pub(crate) data: u64,
    /// Bytes of the head itself.
    pub(crate) length: u64,
}

impl AttachmentHead {
    /// Largest head of an attachment that is read here.
    pub(crate) const MAX: usize = 64 * 1024;

    pub(crate) fn parse(body: &[u8]) -> Option<Self> {
        let mut fields = Fields(body);
        fields.take(16)?;
        let (name, media_type, data) = (fields.text()?, fields.text()?, fields.u64()?);
        let length = (body.len() - fields.0.len()) as u64;
        Some(Self { name, media_type, data, length })
    }

    /// Says whether the sizes in the head fit the length of the record, which ends with a checksum.
    pub(crate) fn fits(&self, record_length: u64) -> bool {
        let end = self.length.checked_add(self.data).and_then(|end| end.checked_add(4));
        end == Some(record_length)
    }
}

/// Where an attachment is.
pub(crate) struct AttachmentIndex {
    pub(crate) offset: u64,
    pub(crate) length: u64,
    pub(crate) data: u64,
    pub(crate) name: String,
    pub(crate) media_type: String,
}

impl AttachmentIndex {
    pub(crate) fn parse(body: &[u8]) -> Option<Self> {
        let mut fields = Fields(body);
        let (offset, length) = (fields.u64()?, fields.u64()?);
        fields.take(16)?;
        let (data, name, media_type) = (fields.u64()?, fields.text()?, fields.text()?);
        Some(Self { offset, length, data, name, media_type })
    }
}

/// Reads metadata: its name and its entries.
pub(crate) fn parse_metadata(body: &[u8]) -> Option<(String, BTreeMap<String, String>)> {
    let mut fields = Fields(body);
    let found = (fields.text()?, fields.texts()?);
    fields.0.is_empty().then_some(found)
}

/// Where metadata are: offset and length of the record.
pub(crate) fn parse_metadata_index(body: &[u8]) -> Option<(u64, u64)> {
    let mut fields = Fields(body);
    Some((fields.u64()?, fields.u64()?))
}

/// Says whether a message index is as long as it claims.
pub(crate) fn message_index_fits(body_start: &[u8], record_length: u64) -> bool {
    let mut fields = Fields(body_start);
    let entries = fields.u16().and_then(|_channel| fields.u32());
    entries.is_some_and(|bytes| bytes % 16 == 0 && u64::from(bytes) + 6 == record_length)
}
