//! Messages that systems publish.

use prost::Message;
use retake_msgs::Name;

/// An encoded message for a topic.
#[derive(Clone, Debug, PartialEq)]
pub struct OutMessage {
    /// Topic, with leading slash.
    pub topic: String,
    /// Full name of the message type.
    pub type_name: String,
    /// Encoded message.
    pub bytes: Vec<u8>,
    /// Whether systems of the same world have had it already.
    pub heard: bool,
}

impl OutMessage {
    /// Encodes a message for a topic.
    pub fn of<M: Message + Name>(topic: &str, message: &M) -> Self {
        Self::encoded(topic.to_owned(), M::full_name(), message.encode_to_vec())
    }

    /// Takes a message that is encoded already.
    pub fn encoded(topic: String, type_name: String, bytes: Vec<u8>) -> Self {
        Self { topic, type_name, bytes, heard: false }
    }
}

/// What systems published since it was last emptied.
///
/// Bounded: past the limit the oldest message is dropped.
#[derive(Debug, Default)]
pub struct Outbox {
    messages: std::collections::VecDeque<OutMessage>,
    /// How many of them, the last ones, were added in the present step.
    fresh: usize,
}

impl Outbox {
    const LIMIT: usize = 4096;

    /// Adds a message.
    pub fn publish<M: Message + Name>(&mut self, topic: &str, message: &M) {
        self.send(OutMessage::of(topic, message));
    }

    /// Adds a message that is encoded already.
    pub fn send(&mut self, message: OutMessage) {
        if self.messages.len() == Self::LIMIT {
            self.messages.pop_front();
        }
        self.messages.push_back(message);
        self.fresh = (self.fresh + 1).min(self.messages.len());
    }

    /// Begins to count what the present step adds.
    pub(crate) fn begin_step(&mut self) {
        self.fresh = 0;
    }

    /// Returns what the present step added, in order.
    pub(crate) fn fresh_mut(&mut self) -> impl Iterator<Item = &mut OutMessage> {
        let old = self.messages.len() - self.fresh;
        self.messages.iter_mut().skip(old)
    }

    /// Takes every message out, oldest first.
    pub fn drain(&mut self) -> Vec<OutMessage> {
        self.fresh = 0;
        self.messages.drain(..).collect()
    }
}
