//! How much room a log needs to be finished whenever the disk is full.
//!
//! All sizes here are upper bounds: what is compressed badly, with its indexes.

use std::io;

use retake_msgs::TypeDescriptor;

use super::disk::{Disk, Reserved};

/// Room that is asked for at a time, so that it is not asked for with each message.
const STEP_BYTES: u64 = 4 * 1024 * 1024;

/// The end of any log: facts, end of data, statistics, footer and the offsets of all these.
const END_BYTES: u64 = 4096;

/// Bytes from which on an open chunk is ended to make room: smaller ones compress badly.
const WORTH_ENDING_BYTES: u64 = 64 * 1024;

/// Whether a type is in the file already.
#[derive(Clone, Copy)]
pub(super) enum Known {
    Yes,
    No,
}

/// Bytes that a log needs beyond those that are in the file.
pub(super) struct Room {
    /// Of the chunk that is open.
    open: u64,
    /// Of the summary.
    summary: u64,
    /// End of what was asked for and not refused, in bytes from the start of the file.
    reserved: u64,
}

impl Default for Room {
    fn default() -> Self {
        Self { open: 0, summary: END_BYTES, reserved: 0 }
    }
}

impl Room {
    /// Room of a message in a chunk: its head, its place in the index, and bad compression.
    pub(super) fn message(bytes: usize) -> u64 {
        let bytes = bytes as u64;
        bytes + bytes / 128 + 31 + 32
    }

    /// Room of a topic and its type, each time that they are told: in a chunk, in a copy and in the
    /// summary.
    pub(super) fn definition(topic: &str, schema: &TypeDescriptor, known: Known) -> u64 {
        let type_bytes = match known {
            Known::Yes => 0,
            Known::No => schema.type_name.len() + schema.file_descriptor_set.len(),
        };
        Self::message(topic.len() + type_bytes) + 128
    }

    pub(super) fn attachment(name: &str, media_type: &str, bytes: usize) -> u64 {
        (bytes + 3 * (name.len() + media_type.len()) + 512) as u64
    }

    pub(super) fn metadata(name: &str, bytes: usize) -> u64 {
        // Once as such and once as a copy.
        (2 * bytes + 3 * name.len() + 512) as u64
    }

    /// Makes sure that there is room for `bytes` more and the end of the log; says whether so.
    pub(super) fn need(
        &mut self,
        disk: &mut dyn Disk,
        length: u64,
        bytes: u64,
    ) -> io::Result<bool> {
        // A chunk has a head and ends with an index for each channel.
        let needed = self.open + bytes + 4096 + self.summary;
        if length + needed <= self.reserved {
            return Ok(true);
        }
        for asked in [needed + STEP_BYTES, needed] {
            match disk.reserve(length, asked)? {
                // A file system that promises nothing knows all the same how large a file may be,
                // so it is asked again when so much more was written.
                Reserved::Yes | Reserved::Unknown => {
                    self.reserved = length + asked;
                    return Ok(true);
                }
                Reserved::Full => {}
            }
        }
        Ok(false)
    }

    /// Says whether ending the open chunk may make room.
    pub(super) fn is_chunk_worth_ending(&self) -> bool {
        self.open >= WORTH_ENDING_BYTES
    }

    /// Notes what went into the open chunk.
    pub(super) fn opened(&mut self, bytes: u64) {
        self.open += bytes;
    }

    /// Notes that the open chunk is in the file and has its place in the summary.
    pub(super) fn chunk_ended(&mut self, channels: usize) {
        self.open = 0;
        self.summary += 128 + 10 * channels as u64;
    }

    /// Notes a topic, which the summary repeats.
    pub(super) fn defined(&mut self, bytes: u64) {
        self.summary += bytes + 32;
    }

    /// Notes a record outside of chunks, which the summary points to.
    pub(super) fn indexed(&mut self, name_bytes: usize) {
        self.summary += name_bytes as u64 + 128;
    }
}
