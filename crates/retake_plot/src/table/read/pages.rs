//! Pages of a Parquet file, looked at before they are unpacked.
//!
//! The reader of Parquet believes the sizes in a file and takes memory for them at once. A damaged
//! file can tell any size, so those that cannot be are refused here.

use std::sync::Arc;

use bytes::Bytes;
use parquet::basic::{Encoding, Type as Physical};
use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::errors::ParquetError;
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::reader::{ChunkReader, Length};
use parquet::file::serialized_reader::SerializedPageReader;

use super::MAX_CELLS;

/// Bytes of an unpacked page: all cells that a file may have, as 64-bit numbers.
const MAX_PAGE_BYTES: u64 = 8 * MAX_CELLS as u64;
/// Bytes of the smallest entry in a dictionary: 32-bit numbers, or the length of a text.
const MIN_ENTRY_BYTES: usize = 4;
/// How the head of a page begins a field: the next one, with a 32-bit number.
const NEXT_NUMBER: u8 = 0x15;

/// The bytes of a file.
#[derive(Debug)]
pub(super) struct CheckedBytes(pub(super) Bytes);

impl Length for CheckedBytes {
    fn len(&self) -> u64 {
        self.0.len() as u64
    }
}

impl ChunkReader for CheckedBytes {
    type T = <Bytes as ChunkReader>::T;

    /// Opens the head of a page; nothing else is read in this way once the footer is known.
    fn get_read(&self, start: u64) -> Result<Self::T, ParquetError> {
        let head = usize::try_from(start).ok().and_then(|start| self.0.get(start..));
        match head.and_then(unpacked_bytes) {
            Some(bytes) if bytes <= MAX_PAGE_BYTES => self.0.get_read(start),
            _ => Err(ParquetError::General(format!("the page at byte {start} has no likely size"))),
        }
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes, ParquetError> {
        self.0.get_bytes(start, length)
    }
}

/// Reads the size from the head of a page: its second number, after its kind.
fn unpacked_bytes(head: &[u8]) -> Option<u64> {
    let (_, rest) = number(head.strip_prefix(&[NEXT_NUMBER])?)?;
    let (zigzag, _) = number(rest.strip_prefix(&[NEXT_NUMBER])?)?;
    // The lowest bit is the sign.
    (zigzag & 1 == 0).then_some(zigzag >> 1)
}

/// Reads a number of seven bits a byte, of five bytes at most.
fn number(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let last = bytes.iter().take(5).position(|byte| byte & 0x80 == 0)?;
    let (digits, rest) = bytes.split_at(last + 1);
    let number = digits.iter().rev().fold(0, |sum, digit| sum << 7 | u64::from(digit & 0x7f));
    Some((number, rest))
}

/// The pages of one column in one group of rows.
pub(super) struct CheckedPages {
    pages: SerializedPageReader<CheckedBytes>,
    physical: Physical,
}

impl CheckedPages {
    /// Opens the pages of a column.
    pub(super) fn new(
        bytes: &Arc<CheckedBytes>,
        chunk: &ColumnChunkMetaData,
        rows: usize,
    ) -> Result<Self, ParquetError> {
        let pages = SerializedPageReader::new(bytes.clone(), chunk, rows, None)?;
        Ok(Self { pages, physical: chunk.column_type() })
    }

    fn check(&self, page: &Page) -> Result<(), ParquetError> {
        let entries = page.num_values() as usize;
        if page.is_dictionary_page() && entries > page.buffer().len() / MIN_ENTRY_BYTES {
            let text = format!("a dictionary of {entries} entries is larger than its page");
            return Err(ParquetError::General(text));
        }
        // The other encodings of text tell lengths that nothing else bounds.
        let plain = [Encoding::PLAIN, Encoding::RLE_DICTIONARY, Encoding::PLAIN_DICTIONARY];
        if self.physical == Physical::BYTE_ARRAY && !plain.contains(&page.encoding()) {
            let text = format!("text in {} is not read: save it plain", page.encoding());
            return Err(ParquetError::NYI(text));
        }
        Ok(())
    }
}

impl Iterator for CheckedPages {
    type Item = Result<Page, ParquetError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.get_next_page().transpose()
    }
}

impl PageReader for CheckedPages {
    fn get_next_page(&mut self) -> Result<Option<Page>, ParquetError> {
        let page = self.pages.get_next_page()?;
        page.iter().try_for_each(|page| self.check(page))?;
        Ok(page)
    }

    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>, ParquetError> {
        self.pages.peek_next_page()
    }

    fn skip_next_page(&mut self) -> Result<(), ParquetError> {
        self.pages.skip_next_page()
    }

    fn at_record_boundary(&mut self) -> Result<bool, ParquetError> {
        self.pages.at_record_boundary()
    }
}
