//! What all else depends on, told again: names and types of topics, places of attachments,
//! metadata.
//!
//! Names and types are in the chunk where a topic is first used, and in the summary. When that
//! chunk is damaged in a log without summary, all later messages of the topic would be lost with
//! it. So they are also in records of our own, outside of chunks, with a checksum, and with a mark
//! by which they are found after damage. Other programs skip these.

use mcap::records::op;
use retake_msgs::TypeDescriptor;
use xxhash_rust::xxh3::xxh3_64;

use crate::record::{AttachmentIndex, Fields, RECORD_HEAD, RecordHead};
use crate::write::PROTOBUF;

/// Kind of the record; from 0x80 on they are free for everybody.
pub(crate) const COPIES: u8 = 0x81;

/// What the record begins with.
pub(crate) const COPIES_MARK: &[u8; 8] = b"\rretake\n";

/// Gathers copies of records.
#[derive(Default)]
pub(crate) struct Copies {
    records: Vec<u8>,
}

impl Copies {
    pub(crate) fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    pub(crate) fn len(&self) -> usize {
        self.records.len()
    }

    pub(crate) fn schema(&mut self, id: u16, schema: &TypeDescriptor) {
        let encoding = if schema.file_descriptor_set.is_empty() { "" } else { PROTOBUF };
        let mut body = id.to_le_bytes().to_vec();
        add_bytes(&mut body, schema.type_name.as_bytes());
        add_bytes(&mut body, encoding.as_bytes());
        add_bytes(&mut body, &schema.file_descriptor_set);
        self.add(op::SCHEMA, &body);
    }

    pub(crate) fn channel(&mut self, id: u16, schema: u16, topic: &str) {
        let mut body = [id.to_le_bytes(), schema.to_le_bytes()].concat();
        add_bytes(&mut body, topic.as_bytes());
        add_bytes(&mut body, PROTOBUF.as_bytes());
        add_bytes(&mut body, &[]);
        self.add(op::CHANNEL, &body);
    }

    pub(crate) fn metadata<'a>(
        &mut self,
        name: &str,
        entries: impl IntoIterator<Item = (&'a String, &'a String)>,
    ) {
        let mut texts = Vec::new();
        for (key, value) in entries {
            add_bytes(&mut texts, key.as_bytes());
            add_bytes(&mut texts, value.as_bytes());
        }
        let mut body = Vec::new();
        add_bytes(&mut body, name.as_bytes());
        add_bytes(&mut body, &texts);
        self.add(op::METADATA, &body);
    }

    pub(crate) fn attachment(&mut self, found: &AttachmentIndex) {
        let mut body = Vec::new();
        // The times of the attachment do not matter here.
        for number in [found.offset, found.length, 0, 0, found.data] {
            body.extend_from_slice(&number.to_le_bytes());
        }
        add_bytes(&mut body, found.name.as_bytes());
        add_bytes(&mut body, found.media_type.as_bytes());
        self.add(op::ATTACHMENT_INDEX, &body);
    }

    /// Returns the body of the record, and begins anew.
    pub(crate) fn take(&mut self) -> Vec<u8> {
        let records = std::mem::take(&mut self.records);
        let checksum = xxh3_64(&records).to_le_bytes();
        [&COPIES_MARK[..], &checksum, &records].concat()
    }

    fn add(&mut self, opcode: u8, body: &[u8]) {
        self.records.push(opcode);
        self.records.extend_from_slice(&(body.len() as u64).to_le_bytes());
        self.records.extend_from_slice(body);
    }
}

/// Returns kinds and bodies of the records in a copy when nothing of it was altered.
pub(crate) fn read(body: &[u8]) -> Option<Vec<(u8, &[u8])>> {
    let mut fields = Fields(body.strip_prefix(COPIES_MARK)?);
    let checksum = fields.u64()?;
    if checksum != xxh3_64(fields.0) {
        return None;
    }
    let mut records = Vec::new();
    while !fields.0.is_empty() {
        let head = RecordHead::parse(fields.take(RECORD_HEAD as usize)?)?;
        records.push((head.opcode, fields.take(usize::try_from(head.length).ok()?)?));
    }
    Some(records)
}

fn add_bytes(body: &mut Vec<u8>, bytes: &[u8]) {
    // What is written here was found small enough before.
    body.extend_from_slice(&(bytes.len() as u32).to_le_bytes());
    body.extend_from_slice(bytes);
}
