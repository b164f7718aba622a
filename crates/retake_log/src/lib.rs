//! Logs: MCAP files that are written so that they survive, read although they are damaged, and
//! indexed by time.
//!
//! [`LogWriter`] writes, [`Log`] reads, [`LogStates`] has the entities of a log at any instant,
//! [`check`] and [`recover`] are for files that something happened to.
//!
//! A log has two times. Recording time grows with each step that was made since the recording
//! began and never goes back; the order of the file is its order. Simulated time jumps whenever
//! the world did, so that one simulated time may occur more than once.
//!
//! What to record, when, and on which thread is decided elsewhere, as is how a log is shown.

mod check;
mod chunk;
mod copies;
mod damage;
mod error;
mod facts;
mod read;
mod record;
mod recover;
mod states;
mod write;

pub use check::{CheckReport, TopicCheck, check};
pub use damage::Damage;
pub use error::LogError;
pub use facts::{LogFacts, Stamp};
pub use read::{AttachmentInfo, Log, LogMessage, Messages, Stretch, Topic};
pub use recover::{Recovered, recover};
pub use states::LogStates;
pub use write::{Disk, LogWriter, MAX_LOGGED_BYTES, Reserved};
