//! What a reader keeps of a log in memory: where everything is, and none of the messages.

use std::collections::BTreeMap;

use mcap::records::op;

use super::attachments::AttachmentInfo;
use crate::chunk::ChunkContent;
use crate::copies;
use crate::damage::{self, Damage};
use crate::facts::unseal;
use crate::record::{self, AttachmentIndex, Channel, ChunkIndex, Schema};

/// Where everything is.
#[derive(Debug, Default)]
pub(crate) struct Index {
    pub(crate) schemas: BTreeMap<u16, Schema>,
    pub(crate) channels: BTreeMap<u16, Channel>,
    /// In the order of the file.
    pub(crate) chunks: Vec<ChunkIndex>,
    /// Messages of each channel.
    pub(crate) counts: BTreeMap<u16, u64>,
    pub(crate) attachments: Vec<AttachmentInfo>,
    pub(crate) metadata: BTreeMap<String, BTreeMap<String, String>>,
    pub(crate) damage: Vec<Damage>,
    /// The file ends with its index, as a log does that was finished.
    pub(crate) finished: bool,
}

impl Index {
    pub(crate) fn damaged(&mut self, offset: u64, bytes: u64, text: impl Into<String>) {
        damage::note(&mut self.damage, Damage { offset, bytes, text: text.into() });
    }

    /// Adds a chunk that was read.
    pub(crate) fn add_chunk(&mut self, offset: u64, length: u64, content: &ChunkContent) {
        content.schemas.iter().for_each(|schema| self.add_schema(Some(schema.clone())));
        content.channels.iter().for_each(|channel| self.add_channel(Some(channel.clone())));
        for message in &content.messages {
            *self.counts.entry(message.channel).or_default() += 1;
        }
        if let Some((start, end, channels)) = content.extent() {
            self.chunks.push(ChunkIndex { start, end, offset, length, channels });
        }
    }

    /// Adds names and types that are told again outside of chunks; says whether they are whole.
    pub(crate) fn add_copies(&mut self, body: &[u8]) -> bool {
        let Some(copies) = copies::read(body) else { return false };
        for (opcode, body) in copies {
            match opcode {
                op::SCHEMA => self.add_schema(Schema::parse(body)),
                op::CHANNEL => self.add_channel(Channel::parse(body)),
                op::METADATA => _ = self.add_metadata(body),
                op::ATTACHMENT_INDEX => self.add_attachment(AttachmentIndex::parse(body)),
                _ => {}
            }
        }
        true
    }

    fn add_schema(&mut self, schema: Option<Schema>) {
        if let Some(schema) = schema {
            self.schemas.entry(schema.id).or_insert(schema);
        }
    }

    /// Adds an attachment once; after damage, records may be met again.
    pub(crate) fn add_attachment(&mut self, found: Option<AttachmentIndex>) {
        let Some(found) = found else { return };
        let place = (found.offset, found.length);
        if !self.attachments.iter().any(|known| known.place == place) {
            let (name, media_type, bytes) = (found.name, found.media_type, found.data);
            self.attachments.push(AttachmentInfo { name, media_type, bytes, place });
        }
    }

    fn add_channel(&mut self, channel: Option<Channel>) {
        if let Some(channel) = channel {
            self.channels.entry(channel.id).or_insert(channel);
        }
    }

    /// Notes messages that nobody can name, because the record of their topic is lost.
    pub(crate) fn note_nameless(&mut self) {
        let lost = |id: &u16| !self.channels.contains_key(id);
        let chunks = self.chunks.iter().filter(|chunk| chunk.channels.iter().any(lost));
        let places: Vec<_> = chunks.map(|chunk| (chunk.offset, chunk.length)).collect();
        for (offset, length) in places {
            let text = "Messages are not used because the name and type of their topic is lost";
            self.damaged(offset, length, text);
        }
    }

    /// Adds metadata when nothing in them was altered; says whether so.
    pub(crate) fn add_metadata(&mut self, body: &[u8]) -> bool {
        let found = record::parse_metadata(body);
        let sealed = found.and_then(|(name, entries)| Some((unseal(&name, entries)?, name)));
        let Some((entries, name)) = sealed else { return false };
        self.metadata.insert(name, entries);
        true
    }
}
