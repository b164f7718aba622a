//! The index of a log without one: from record to record, each chunk read and compared with its
//! checksum. The file is not changed.
//!
//! Where the length of a record is damaged, the next chunk or copy is looked for by what its head
//! must look like, from the last place on that was known to be sound.

use std::io;

use mcap::MAGIC;
use mcap::records::op;

use super::index::Index;
use super::source::{Source, Window};
use crate::chunk::{ChunkReader, MAX_CHUNK_RECORD};
use crate::copies::{COPIES, COPIES_MARK};
use crate::record::{
    AttachmentHead, AttachmentIndex, ChunkHead, RECORD_HEAD, RecordHead, message_index_fits,
};

/// Attachments up to this size are compared with their checksum when the log is opened.
const COMPARED_BYTES: u64 = 64 * 1024 * 1024;

/// Largest metadata, and largest copies, that are read.
const MAX_TEXTS_BYTES: u64 = 64 * 1024 * 1024;

/// What is in the head of each of our chunks, and how far from the start of the record.
const COMPRESSION: &[u8] = b"\x04\0\0\0zstd";
const COMPRESSION_AT: u64 = RECORD_HEAD + 28;

/// Bytes from the start of a record by which it is found.
const MARK_BYTES: u64 = COMPRESSION_AT + COMPRESSION.len() as u64;

/// Bytes that are searched at once.
const SEARCH_BYTES: u64 = 1024 * 1024;

/// Reads a whole file and says where everything is.
pub(crate) fn read(source: &Source) -> io::Result<Index> {
    let mut scan = Scan {
        source,
        window: Window::new(source),
        index: Index::default(),
        reader: ChunkReader::default(),
        sound_to: 0,
    };
    let begin = scan.window.peek(0, MAGIC.len())?;
    if begin != MAGIC {
        let bytes = begin.len() as u64;
        scan.index.damaged(0, bytes, "The file does not begin as an MCAP file");
    }
    scan.run()?;
    Ok(scan.index)
}

struct Scan<'a> {
    source: &'a Source,
    window: Window<'a>,
    index: Index,
    reader: ChunkReader,
    /// All before this place was compared with a checksum, or skipped for good.
    sound_to: u64,
}

/// What a record turned out to be.
enum Found {
    /// It was compared with its checksum.
    Verified,
    /// Its length is plausible.
    Plausible,
    /// It is damaged, but its length is plausible.
    Damaged(String),
    /// Its length cannot be trusted.
    Torn,
    /// The end of a finished file.
    End,
}

impl Scan<'_> {
    fn run(&mut self) -> io::Result<()> {
        let mut at = MAGIC.len() as u64;
        loop {
            match self.stretch(at)? {
                Some(next) => at = next,
                None => return Ok(()),
            }
        }
    }

    /// Reads records from `at` as far as they go; returns where to go on after damage.
    fn stretch(&mut self, mut at: u64) -> io::Result<Option<u64>> {
        let length = self.source.length();
        let mut ended = false;
        while at < length {
            let head = self.window.record(at)?;
            let found = match head {
                Some(head) => self.record(at, head)?,
                None => Found::Torn,
            };
            let end = at + RECORD_HEAD + head.map_or(0, |head| head.length);
            match found {
                Found::Verified => self.sound_to = end,
                Found::Plausible => {}
                Found::Damaged(text) => self.index.damaged(at, end - at, text),
                Found::Torn => return self.after_damage(at),
                Found::End if self.is_start_of_log(end + MAGIC.len() as u64)? => {
                    let next = end + MAGIC.len() as u64;
                    let text = "Another log follows the end of this one and is not read";
                    self.index.damaged(next, length - next, text);
                    return Ok(None);
                }
                Found::End => {
                    self.index.finished = end + MAGIC.len() as u64 == length;
                    let text = "The index is damaged and not used; all else was read without it";
                    self.index.damaged(at, end - at, text);
                    ended = true;
                    break;
                }
            }
            at = end;
        }
        // What looked like the end may be damage that looks so.
        let hidden = self.find_record(self.sound_to)?;
        if hidden.is_none() && !ended {
            let text = "The log was not finished: it has no index";
            self.index.damaged(length, 0, text);
        }
        Ok(hidden)
    }

    fn is_start_of_log(&mut self, at: u64) -> io::Result<bool> {
        Ok(self.window.peek(at, MAGIC.len())? == MAGIC)
    }

    fn after_damage(&mut self, at: u64) -> io::Result<Option<u64>> {
        let from = self.sound_to;
        let next = self.find_record(from)?;
        let end = next.unwrap_or(self.source.length());
        let text = match next {
            Some(_) => "Records cannot be read and are skipped",
            None => "The log ends within a record",
        };
        let start = at.min(end);
        self.index.damaged(start, end - start, text);
        Ok(next)
    }

    fn record(&mut self, at: u64, head: RecordHead) -> io::Result<Found> {
        let body_at = at + RECORD_HEAD;
        Ok(match head.opcode {
            op::CHUNK => self.chunk(at, head)?,
            op::ATTACHMENT => self.attachment(at, head)?,
            op::METADATA | COPIES if head.length > MAX_TEXTS_BYTES => Found::Torn,
            op::METADATA => {
                let body = self.source.read(body_at, head.length)?;
                match self.index.add_metadata(&body) {
                    true => Found::Verified,
                    false => Found::Damaged("Metadata are damaged and not used".to_owned()),
                }
            }
            op::MESSAGE_INDEX => {
                let start = self.window.peek(body_at, 6)?;
                match message_index_fits(start, head.length) {
                    true => Found::Plausible,
                    false => Found::Torn,
                }
            }
            op::FOOTER => Found::End,
            COPIES => {
                self.sound_to = self.sound_to.max(at + 1);
                let body = self.source.read(body_at, head.length)?;
                match self.index.add_copies(&body) {
                    true => Found::Verified,
                    false => Found::Damaged("Copies of names and types are damaged".to_owned()),
                }
            }
            // The header, the summary that is not trusted, and what other programs add.
            op::HEADER | op::SCHEMA..=op::MESSAGE | op::CHUNK_INDEX..=op::DATA_END => {
                Found::Plausible
            }
            0x80.. => Found::Plausible,
            _ => Found::Torn,
        })
    }

    fn chunk(&mut self, at: u64, head: RecordHead) -> io::Result<Found> {
        let length = RECORD_HEAD + head.length;
        let start = self.window.peek(at + RECORD_HEAD, ChunkHead::MAX)?;
        if !ChunkHead::parse(start).is_some_and(|chunk| chunk.fits(head.length)) {
            return Ok(Found::Torn);
        }
        // Whoever looks for the next chunk need not find this one again.
        self.sound_to = self.sound_to.max(at + 1);
        if length > MAX_CHUNK_RECORD {
            return Ok(Found::Torn);
        }
        let record = self.source.read(at, length)?;
        Ok(match self.reader.read(&record) {
            Ok(content) => {
                self.index.add_chunk(at, length, &content);
                Found::Verified
            }
            Err(reason) => Found::Damaged(format!("A chunk is damaged and not used: {reason}")),
        })
    }

    fn attachment(&mut self, at: u64, head: RecordHead) -> io::Result<Found> {
        let body_at = at + RECORD_HEAD;
        let wanted = head.length.min(AttachmentHead::MAX as u64) as usize;
        let start = self.window.peek(body_at, wanted)?;
        let sound = AttachmentHead::parse(start).filter(|found| found.fits(head.length));
        let Some(found) = sound else { return Ok(Found::Torn) };
        let compared = head.length <= COMPARED_BYTES;
        if compared {
            let body = self.source.read(body_at, head.length)?;
            if mcap::parse_record(op::ATTACHMENT, &body).is_err() {
                return Ok(Found::Damaged(format!(
                    "The attachment {:?} is damaged and not used",
                    found.name
                )));
            }
        }
        let (offset, length) = (at, RECORD_HEAD + head.length);
        let (name, media_type, data) = (found.name, found.media_type, found.data);
        let found = AttachmentIndex { offset, length, data, name, media_type };
        self.index.add_attachment(Some(found));
        Ok(if compared { Found::Verified } else { Found::Plausible })
    }

    /// Looks for a record that begins at `from` or later and looks like one of ours.
    fn find_record(&mut self, from: u64) -> io::Result<Option<u64>> {
        let mut at = from;
        while at < self.source.length() {
            let bytes = self.source.read(at, SEARCH_BYTES + MARK_BYTES)?;
            let new = bytes.len().min(SEARCH_BYTES as usize);
            for start in (0..new).filter(|start| is_marked(&bytes[*start..])) {
                let found = at + start as u64;
                if self.is_sound(found)? {
                    return Ok(Some(found));
                }
            }
            at += SEARCH_BYTES;
        }
        Ok(None)
    }

    fn is_sound(&mut self, at: u64) -> io::Result<bool> {
        let Some(head) = self.window.record(at)? else { return Ok(false) };
        if head.opcode == COPIES {
            return Ok(true);
        }
        let start = self.window.peek(at + RECORD_HEAD, ChunkHead::MAX)?;
        Ok(ChunkHead::parse(start).is_some_and(|chunk| chunk.fits(head.length)))
    }
}

/// Says whether bytes begin as a chunk does, or as copies do.
fn is_marked(bytes: &[u8]) -> bool {
    let has = |at: u64, mark: &[u8]| {
        bytes.get(at as usize..).is_some_and(|bytes| bytes.starts_with(mark))
    };
    match bytes.first() {
        Some(&op::CHUNK) => has(COMPRESSION_AT, COMPRESSION),
        Some(&COPIES) => has(RECORD_HEAD, COPIES_MARK),
        _ => false,
    }
}
