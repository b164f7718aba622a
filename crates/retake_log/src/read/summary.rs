//! The index of a log that was finished: at the end of the file, with a checksum.

use std::io;

use mcap::MAGIC;
use mcap::records::op;
use mcap::sans_io::{LinearReadEvent, LinearReader, LinearReaderOptions};

use super::index::Index;
use super::source::Source;
use crate::record::{
    AttachmentIndex, Channel, ChunkIndex, Fields, RECORD_HEAD, RecordHead, Schema, parse_counts,
    parse_metadata_index,
};

/// Bytes of the footer's record, and of the end of the file after it.
const FOOTER_BYTES: u64 = RECORD_HEAD + 20;
const END_BYTES: u64 = FOOTER_BYTES + MAGIC.len() as u64;

/// Bytes of the record that ends the data; the summary begins after it.
const DATA_END_BYTES: u64 = RECORD_HEAD + 4;

/// Largest summary that is read; that of a day has a few megabytes.
const MAX_SUMMARY_BYTES: u64 = 1 << 30;

/// Largest metadata that are read.
const MAX_METADATA_BYTES: u64 = 64 * 1024 * 1024;

/// Largest record that is compared with the checksum of the whole.
const MAX_RECORD_BYTES: usize = 1 << 30;

/// Reads the index at the end of a file; none when it is missing or damaged in any way.
pub(crate) fn read(source: &Source) -> io::Result<Option<Index>> {
    let Some(start) = summary_start(source)? else { return Ok(None) };
    let from = start - DATA_END_BYTES;
    let bytes = source.read(from, source.length() - from)?;
    let Some(mut summary) = parse(&bytes, source.length()) else { return Ok(None) };
    for (offset, length) in std::mem::take(&mut summary.metadata) {
        let record = source.read(offset, length.min(MAX_METADATA_BYTES))?;
        let whole = RecordHead::parse(&record).filter(|head| {
            head.opcode == op::METADATA && head.length.checked_add(RECORD_HEAD) == Some(length)
        });
        let body = record.get(RECORD_HEAD as usize..).filter(|_| whole.is_some());
        if !body.is_some_and(|body| summary.index.add_metadata(body)) {
            summary.index.damaged(offset, length, "Metadata are damaged and not used");
        }
    }
    Ok(Some(summary.index))
}

/// Compares the checksum of all that is before the summary; says whether it is right.
pub(crate) fn compare_data(source: &Source) -> io::Result<bool> {
    let options = LinearReaderOptions::default()
        .with_emit_chunks(true)
        .with_validate_data_section_crc(true)
        .with_record_length_limit(MAX_RECORD_BYTES);
    let mut reader = LinearReader::new_with_options(options);
    let mut at = 0;
    while let Some(event) = reader.next_event() {
        match event {
            Ok(LinearReadEvent::ReadRequest(wanted)) => {
                let bytes = source.read(at, wanted as u64)?;
                reader.insert(bytes.len()).copy_from_slice(&bytes);
                reader.notify_read(bytes.len());
                at += bytes.len() as u64;
            }
            Ok(LinearReadEvent::Record { opcode: op::DATA_END, .. }) => return Ok(true),
            Ok(LinearReadEvent::Record { .. }) => {}
            Err(_) => return Ok(false),
        }
    }
    Ok(false)
}

/// What the end of the file says, with places of what is elsewhere.
#[derive(Default)]
struct Summary {
    index: Index,
    metadata: Vec<(u64, u64)>,
}

/// Finds the summary by the footer.
fn summary_start(source: &Source) -> io::Result<Option<u64>> {
    let length = source.length();
    let Some(footer_at) = length.checked_sub(END_BYTES) else { return Ok(None) };
    let end = source.read(footer_at, END_BYTES)?;
    let Some((footer, magic)) = end.split_at_checked(FOOTER_BYTES as usize) else {
        return Ok(None);
    };
    let head = RecordHead::parse(footer);
    let sound = head.is_some_and(|head| head.opcode == op::FOOTER && head.length == 20);
    let start = Fields(footer.get(RECORD_HEAD as usize..).unwrap_or_default()).u64();
    let fits = |start: &u64| {
        (DATA_END_BYTES..=footer_at).contains(start) && footer_at - start <= MAX_SUMMARY_BYTES
    };
    Ok(start.filter(fits).filter(|_| sound && magic == MAGIC))
}

fn parse(bytes: &[u8], file_length: u64) -> Option<Summary> {
    let options = LinearReaderOptions::default()
        .with_skip_start_magic(true)
        .with_validate_summary_section_crc(true)
        .with_record_length_limit(bytes.len());
    let mut reader = LinearReader::new_with_options(options);
    let mut summary = Summary::default();
    let mut rest = bytes;
    // Without this record at the start, the summary's checksum would not be compared.
    RecordHead::parse(bytes).filter(|head| head.opcode == op::DATA_END && head.length == 4)?;
    while let Some(event) = reader.next_event() {
        match event.ok()? {
            LinearReadEvent::ReadRequest(wanted) => {
                let (now, later) = rest.split_at(wanted.min(rest.len()));
                reader.insert(now.len()).copy_from_slice(now);
                reader.notify_read(now.len());
                rest = later;
            }
            LinearReadEvent::Record { opcode, data } => {
                summary.add(opcode, data, file_length)?;
            }
        }
    }
    // Of two logs in one file, the end of the second leads to the index of the first.
    if !rest.is_empty() {
        return None;
    }
    summary.index.finished = true;
    summary.index.chunks.sort_by_key(|chunk| chunk.offset);
    Some(summary)
}

impl Summary {
    fn add(&mut self, opcode: u8, body: &[u8], file_length: u64) -> Option<()> {
        let fits = |offset: u64, length: u64| {
            let end = offset.checked_add(length).filter(|end| *end <= file_length);
            end.filter(|_| length >= RECORD_HEAD)
        };
        match opcode {
            op::SCHEMA => {
                let schema = Schema::parse(body)?;
                self.index.schemas.insert(schema.id, schema);
            }
            op::CHANNEL => {
                let channel = Channel::parse(body)?;
                self.index.channels.insert(channel.id, channel);
            }
            op::CHUNK_INDEX => {
                let chunk = ChunkIndex::parse(body)?;
                fits(chunk.offset, chunk.length)?;
                self.index.chunks.push(chunk);
            }
            op::ATTACHMENT_INDEX => {
                let found = AttachmentIndex::parse(body)?;
                fits(found.offset, found.length)?;
                self.index.add_attachment(Some(found));
            }
            op::METADATA_INDEX => {
                let (offset, length) = parse_metadata_index(body)?;
                fits(offset, length)?;
                self.metadata.push((offset, length));
            }
            op::STATISTICS => self.index.counts = parse_counts(body)?,
            _ => {}
        }
        Some(())
    }
}
