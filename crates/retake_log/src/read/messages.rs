//! Messages one after the other.

use std::collections::BTreeSet;
use std::ops::Bound;
use std::sync::Arc;

use retake_math::SimTime;

use super::{Log, Place};
use crate::chunk::{ChunkContent, MessageEntry};
use crate::error::LogError;
use crate::facts::Stamp;

/// A message of a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogMessage {
    /// Name of its topic.
    pub topic: Arc<str>,
    /// When it was.
    pub stamp: Stamp,
    /// The message, encoded as its topic's schema says.
    pub bytes: Vec<u8>,
}

/// Messages of a log in the order of the file.
pub struct Messages<'a> {
    log: &'a Log,
    walk: Walk,
}

impl<'a> Messages<'a> {
    pub(super) fn new(
        log: &'a Log,
        channels: BTreeSet<u16>,
        span: (Bound<SimTime>, Bound<SimTime>),
    ) -> Self {
        let from = match span.0 {
            Bound::Included(time) => log.log_time(time),
            Bound::Excluded(time) => log.log_time(time).saturating_add(1),
            Bound::Unbounded => 0,
        };
        let to = match span.1 {
            Bound::Included(time) => Some(log.log_time(time)),
            Bound::Excluded(time) => log.log_time(time).checked_sub(1),
            Bound::Unbounded => Some(u64::MAX),
        };
        // An empty span ends before it begins.
        let log_times = to.map_or((1, 0), |to| (from, to));
        Self { log, walk: Walk { channels: Some(channels), log_times, ..Walk::new(Place::START) } }
    }
}

impl Iterator for Messages<'_> {
    type Item = Result<LogMessage, LogError>;

    fn next(&mut self) -> Option<Self::Item> {
        let found = self.walk.next(self.log).transpose()?;
        Some(found.map(|step| self.log.message(&step.content, &step.entry)))
    }
}

/// Goes from message to message; damaged chunks are passed over.
#[derive(Clone, Debug)]
pub(crate) struct Walk {
    /// Channels that are wanted; none stands for all.
    channels: Option<BTreeSet<u16>>,
    /// First and last log time that is wanted.
    log_times: (u64, u64),
    next: Place,
    content: Option<Arc<ChunkContent>>,
}

/// A message that a walk came to.
pub(crate) struct WalkStep {
    pub(crate) place: Place,
    pub(crate) content: Arc<ChunkContent>,
    pub(crate) entry: MessageEntry,
}

impl Walk {
    /// Begins with the message at a place.
    pub(crate) fn new(next: Place) -> Self {
        Self { channels: None, log_times: (0, u64::MAX), next, content: None }
    }

    /// Begins at a place, with messages of some channels alone.
    pub(crate) fn of(channels: BTreeSet<u16>, next: Place) -> Self {
        Self { channels: Some(channels), ..Self::new(next) }
    }

    pub(crate) fn next(&mut self, log: &Log) -> Result<Option<WalkStep>, LogError> {
        while self.next.chunk < log.chunk_count() {
            if self.content.is_none() {
                let has = log.chunk_has(self.next.chunk, self.channels.as_ref(), self.log_times);
                self.content = if has { log.chunk(self.next.chunk)? } else { None };
            }
            if let Some(content) = &self.content {
                while let Some(entry) = content.messages.get(self.next.message) {
                    let place = self.next;
                    self.next = place.next();
                    if self.wants(entry) {
                        let content = Arc::clone(content);
                        return Ok(Some(WalkStep { place, content, entry: *entry }));
                    }
                }
            }
            self.content = None;
            self.next = Place { chunk: self.next.chunk + 1, message: 0 };
        }
        Ok(None)
    }

    fn wants(&self, entry: &MessageEntry) -> bool {
        let within = (self.log_times.0..=self.log_times.1).contains(&entry.log_time);
        within && self.channels.as_ref().is_none_or(|wanted| wanted.contains(&entry.channel))
    }
}
