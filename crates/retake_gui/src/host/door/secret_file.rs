//! Reading the small files that say who is let in, within a bound.
//!
//! A pipe of the shell may stand in the place of a file, so that secrets need not lie on a disk: the
//! bound is on what is read, not on what the system says of its length.

use std::fs::File;
use std::io::{self, Read};

/// Longest file of tokens, certificates or a key. A thousand tokens or certificates fit.
pub(super) const MAX_BYTES: u64 = 1024 * 1024;

/// Why nothing was read.
#[derive(Debug)]
pub(super) enum Unread {
    /// It has more than [`MAX_BYTES`].
    TooLong,
    Io(io::Error),
}

/// Reads what is opened, if it is no longer than [`MAX_BYTES`].
pub(super) fn read(file: File) -> Result<Vec<u8>, Unread> {
    let mut bytes = Vec::new();
    file.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(Unread::Io)?;
    match bytes.len() as u64 > MAX_BYTES {
        true => Err(Unread::TooLong),
        false => Ok(bytes),
    }
}
