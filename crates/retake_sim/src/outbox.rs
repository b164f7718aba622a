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
}

/// What systems published since it was last emptied.
///
/// Bounded: past the limit the oldest message is dropped.
#[derive(Debug, Default)]
pub struct Outbox {
    messages: std::collections::VecDeque<OutMessage>,
}

impl Outbox {
    const LIMIT: usize = 4096;

    /// Adds a message.
    pub fn publish<M: Message + Name>(&mut self, topic: &str, message: &M) {
        if self.messages.len() == Self::LIMIT {
            self.messages.pop_front();
        }
        self.messages.push_back(OutMessage {
            topic: topic.to_owned(),
            type_name: M::full_name(),
            bytes: message.encode_to_vec(),
        });
    }

    /// Takes every message out, oldest first.
    pub fn drain(&mut self) -> Vec<OutMessage> {
        self.messages.drain(..).collect()
    }
}
