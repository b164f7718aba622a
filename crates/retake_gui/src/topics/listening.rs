//! The messages of one topic, as much of them as a page can take.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use retake_msgs::{EncodedMessage, TopicMessage};
use retake_transport::{Bus, Guard, MessageRef, Name};

use super::Topics;
use crate::lock::locked;

/// Longest message that is shown.
const MAX_SHOWN: usize = 1024 * 1024;
/// How many bytes of messages a page is sent in a second.
const BYTES_PER_SEC: f64 = 2.0 * 1024.0 * 1024.0;

/// A topic that a page shows the messages of: the newest wins.
pub(crate) struct Listening {
    topic: String,
    newest: Arc<Mutex<Newest>>,
    /// The bus that it is heard on, with what keeps it so.
    heard: Option<(Arc<dyn Bus>, Guard)>,
    /// Why it is not heard, as the page was told.
    problem: Option<String>,
    /// When the page may be sent more.
    free_at: Option<Instant>,
    sent: u64,
}

/// The newest message, and how many there were.
#[derive(Default)]
struct Newest {
    count: u64,
    size: usize,
    /// None for one that is too long to be shown.
    message: Option<EncodedMessage>,
}

impl Listening {
    /// Makes it; it begins to listen with the first look.
    pub(crate) fn new(topic: String) -> Self {
        let newest = Arc::default();
        Self { topic, newest, heard: None, problem: None, free_at: None, sent: 0 }
    }

    /// Returns the topic.
    pub(crate) fn topic(&self) -> &str {
        &self.topic
    }

    /// Returns what the page does not have yet, when it may have more.
    pub(crate) fn due(&mut self, topics: &Topics, now: Instant) -> Option<TopicMessage> {
        if let Err(problem) = self.hear(topics) {
            return self.told_problem(problem);
        }
        self.problem = None;
        if self.free_at.is_some_and(|free_at| now < free_at) {
            return None;
        }
        let newest = locked(&self.newest);
        if newest.count == self.sent {
            return None;
        }
        let problem = match newest.message {
            Some(_) => String::new(),
            None => format!("Messages of more than {MAX_SHOWN} bytes are not shown"),
        };
        let message = TopicMessage {
            topic: self.topic.clone(),
            message: newest.message.clone(),
            count: newest.count,
            size: newest.size as u64,
            problem,
        };
        self.sent = newest.count;
        let length = newest.message.as_ref().map_or(0, |message| message.bytes.len());
        self.free_at = Some(now + Duration::from_secs_f64(length as f64 / BYTES_PER_SEC));
        Some(message)
    }

    /// Listens on the bus that there is now.
    fn hear(&mut self, topics: &Topics) -> Result<(), String> {
        let bus = topics.bus().inspect_err(|_| self.heard = None)?;
        if self.heard.as_ref().is_some_and(|(known, _)| Arc::ptr_eq(known, &bus)) {
            return Ok(());
        }
        let name = Name::new(&self.topic).map_err(|error| error.to_string())?;
        let newest = Arc::clone(&self.newest);
        let take = move |message: MessageRef<'_>| locked(&newest).take(message);
        let guard = bus.subscribe(&name, Arc::new(take)).map_err(|error| error.to_string())?;
        self.heard = Some((bus, guard));
        Ok(())
    }

    /// Says once why nothing is heard.
    fn told_problem(&mut self, problem: String) -> Option<TopicMessage> {
        if self.problem.as_ref() == Some(&problem) {
            return None;
        }
        self.problem = Some(problem.clone());
        Some(TopicMessage { topic: self.topic.clone(), problem, ..TopicMessage::default() })
    }
}

impl Newest {
    fn take(&mut self, message: MessageRef<'_>) {
        self.count += 1;
        self.size = message.bytes.len();
        self.message = (self.size <= MAX_SHOWN).then(|| EncodedMessage {
            type_name: message.type_name.to_owned(),
            bytes: message.bytes.to_vec(),
        });
    }
}
