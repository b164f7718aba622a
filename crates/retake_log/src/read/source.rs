//! The bytes of a log: read where they are wanted, never beyond what the file has.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;

use crate::record::{RECORD_HEAD, RecordHead};

/// Bytes that are read at once where much is read in small pieces.
const WINDOW_BYTES: u64 = 64 * 1024;

/// An open file with the length that it had then.
#[derive(Debug)]
pub(crate) struct Source {
    file: File,
    length: u64,
}

impl Source {
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        // The kind is asked before opening, because opening a pipe would wait for its writer.
        if !std::fs::metadata(path)?.is_file() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "this is not a regular file"));
        }
        let file = File::open(path)?;
        let length = file.metadata()?.len();
        Ok(Self { file, length })
    }

    pub(crate) fn length(&self) -> u64 {
        self.length
    }

    /// Reads what there is of `length` bytes at `offset`: fewer at the end of the file.
    pub(crate) fn read(&self, offset: u64, length: u64) -> io::Result<Vec<u8>> {
        let there = self.length.saturating_sub(offset).min(length);
        let mut bytes = vec![0; there as usize];
        let mut filled = 0;
        while filled < bytes.len() {
            match self.file.read_at(&mut bytes[filled..], offset + filled as u64) {
                // The file was cut since it was opened.
                Ok(0) => break,
                Ok(count) => filled += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        bytes.truncate(filled);
        Ok(bytes)
    }
}

/// Reads small pieces one after the other without asking the system for each.
pub(crate) struct Window<'a> {
    source: &'a Source,
    offset: u64,
    bytes: Vec<u8>,
}

impl<'a> Window<'a> {
    pub(crate) fn new(source: &'a Source) -> Self {
        Self { source, offset: 0, bytes: Vec::new() }
    }

    /// Returns what there is of `length` bytes at `offset`.
    pub(crate) fn peek(&mut self, offset: u64, length: usize) -> io::Result<&[u8]> {
        let inside = offset.checked_sub(self.offset).map(|start| start as usize);
        let there = inside.filter(|start| start + length <= self.bytes.len());
        let start = match there {
            Some(start) => start,
            None => {
                self.bytes = self.source.read(offset, WINDOW_BYTES.max(length as u64))?;
                self.offset = offset;
                0
            }
        };
        let end = (start + length).min(self.bytes.len());
        Ok(&self.bytes[start..end])
    }

    /// Returns the head of the record at `offset` when the whole record is in the file.
    pub(crate) fn record(&mut self, offset: u64) -> io::Result<Option<RecordHead>> {
        let length = self.source.length();
        let head = RecordHead::parse(self.peek(offset, RECORD_HEAD as usize)?);
        let fits = |head: &RecordHead| {
            let end = offset.checked_add(RECORD_HEAD)?.checked_add(head.length)?;
            (end <= length).then_some(())
        };
        Ok(head.filter(|head| fits(head).is_some()))
    }
}
