//! What can go wrong with a log.

use std::io;
use std::path::PathBuf;

use retake_ecm::ApplyError;
use retake_math::SimTime;
use thiserror::Error;

/// A log that cannot be written or read.
///
/// Damage to parts of a log is no error: see [`crate::Damage`].
#[derive(Debug, Error)]
pub enum LogError {
    /// The file exists; nothing is overwritten.
    #[error("There is a file already; choose another name or move it away, in {path}")]
    Exists {
        /// File that would have been overwritten.
        path: PathBuf,
    },
    /// The file cannot be made.
    #[error("The log cannot be made: {source}, in {path}")]
    Create {
        /// What the system says.
        source: io::Error,
        /// File that should have been made.
        path: PathBuf,
    },
    /// The disk is full. What was written before stays, and finishing still works.
    #[error("The disk is full: the log ends here, whole up to its last message, in {path}")]
    Full {
        /// File that cannot grow.
        path: PathBuf,
    },
    /// The file cannot be written any more; it ends with the last chunk that could be.
    #[error("The log cannot be written: {source}; it ends with what was written before, in {path}")]
    Write {
        /// What the system says.
        source: io::Error,
        /// File that cannot be written.
        path: PathBuf,
    },
    /// A message or an attachment is larger than a log can hold.
    #[error("{what:?} has {bytes} bytes, and a log holds at most {limit} in one piece, in {path}")]
    TooLarge {
        /// Topic or name.
        what: String,
        /// Its size.
        bytes: usize,
        /// Largest size.
        limit: usize,
        /// File that is written.
        path: PathBuf,
    },
    /// The format refuses what should be written.
    #[error("The log cannot hold {what:?}: {source}, in {path}")]
    Format {
        /// Topic or name.
        what: String,
        /// Why.
        source: mcap::McapError,
        /// File that is written.
        path: PathBuf,
    },
    /// The file cannot be opened or read.
    #[error("The log cannot be read: {source}, in {path}")]
    Read {
        /// What the system says.
        source: io::Error,
        /// File that cannot be read.
        path: PathBuf,
    },
    /// The file is no MCAP file.
    #[error("This is not a log: an MCAP file begins otherwise, in {path}")]
    NotALog {
        /// File of another kind.
        path: PathBuf,
    },
    /// There is no such attachment.
    #[error("The log has no attachment {name:?}, in {path}")]
    NoAttachment {
        /// Name that was asked for.
        name: String,
        /// File that was read.
        path: PathBuf,
    },
    /// An attachment is damaged.
    #[error("The attachment {name:?} is damaged and not used, in {path}")]
    DamagedAttachment {
        /// Name that was asked for.
        name: String,
        /// File that was read.
        path: PathBuf,
    },
    /// The log has no states of a world.
    #[error("The log has no full state of a world that can be read, in {path}")]
    NoState {
        /// File that was read.
        path: PathBuf,
    },
    /// A message is whole but does not mean what its topic says.
    #[error("A message on {topic} at {at} is not what it should be: {reason}, in {path}")]
    Unreadable {
        /// Topic of the message.
        topic: String,
        /// Recording time of the message.
        at: SimTime,
        /// What was found.
        reason: String,
        /// File that was read.
        path: PathBuf,
    },
    /// A state contradicts the one before it.
    #[error("The state at {at} cannot be used: {source}, in {path}")]
    State {
        /// Recording time of the state.
        at: SimTime,
        /// Why.
        source: ApplyError,
        /// File that was read.
        path: PathBuf,
    },
}
