//! Reading all of a log to say whether it is whole.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use prost_reflect::{DynamicMessage, MessageDescriptor};
use retake_math::SimTime;
use retake_msgs::schemas::read_schemas;

use crate::damage::Damage;
use crate::error::LogError;
use crate::read::{Log, Place, Walk};
use crate::record::Schema;
use crate::write::PROTOBUF;

/// What was found in a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckReport {
    /// Bytes of the file.
    pub bytes: u64,
    /// Whether it ends with its index.
    pub finished: bool,
    /// Recording time of the last message.
    pub length: SimTime,
    /// Topics by name.
    pub topics: Vec<TopicCheck>,
    /// Attachments that are whole.
    pub attachments: usize,
    /// What is damaged or missing.
    pub damage: Vec<Damage>,
}

/// What was found of a topic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TopicCheck {
    /// Name of the topic.
    pub name: Arc<str>,
    /// Full name of the messages' type.
    pub type_name: String,
    /// Messages that were read.
    pub messages: u64,
    /// Bytes of them.
    pub bytes: u64,
    /// Messages that are not what the schema says; none where there is no schema.
    pub undecodable: u64,
}

impl CheckReport {
    /// Says whether the log is whole, and every message is what its schema says.
    pub fn whole(&self) -> bool {
        let decodable = self.topics.iter().all(|topic| topic.undecodable == 0);
        self.finished && self.damage.is_empty() && decodable
    }
}

/// Reads all of a log: compares every checksum and decodes each message by the schema in the file.
///
/// # Errors
/// [`LogError::Read`] when the file cannot be read, [`LogError::NotALog`] when it is no log.
pub fn check(path: &Path) -> Result<CheckReport, LogError> {
    let log = Log::open(path)?;
    let mut topics = BTreeMap::<u16, (TopicCheck, Decoder)>::new();
    let mut walk = Walk::of(log.all_channels(), Place::START);
    while let Some(step) = walk.next(&log)? {
        let channel = step.entry.channel;
        let (topic, decoder) = topics.entry(channel).or_insert_with(|| begin(&log, channel));
        let bytes = step.content.bytes(&step.entry);
        topic.messages += 1;
        topic.bytes += bytes.len() as u64;
        topic.undecodable += u64::from(!decoder.decodes(bytes));
    }
    let attachments = log.look_beside_messages()?;
    let mut topics: Vec<_> = topics.into_values().map(|(topic, _)| topic).collect();
    topics.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(CheckReport {
        bytes: log.bytes(),
        finished: log.finished(),
        length: log.length(),
        topics,
        attachments,
        damage: log.damage(),
    })
}

/// What decodes the messages of a topic.
enum Decoder {
    /// The type that the schema describes.
    Type(MessageDescriptor),
    /// The schema does not describe the type.
    Broken,
    /// There is no schema to decode by.
    Absent,
}

impl Decoder {
    fn of(schema: Option<&Schema>) -> Self {
        let Some(schema) = schema.filter(|schema| schema.encoding == PROTOBUF) else {
            return Self::Absent;
        };
        let pool = read_schemas(&schema.data).ok();
        let described = pool.and_then(|pool| pool.get_message_by_name(&schema.name));
        described.map_or(Self::Broken, Self::Type)
    }

    fn decodes(&self, bytes: &[u8]) -> bool {
        match self {
            Self::Type(kind) => DynamicMessage::decode(kind.clone(), bytes).is_ok(),
            Self::Broken => false,
            Self::Absent => true,
        }
    }
}

fn begin(log: &Log, channel: u16) -> (TopicCheck, Decoder) {
    let schema = log.schema_of(channel);
    let type_name = schema.map(|schema| schema.name.clone()).unwrap_or_default();
    let name = log.topic_name(channel);
    let topic = TopicCheck { name, type_name, messages: 0, bytes: 0, undecodable: 0 };
    (topic, Decoder::of(schema))
}
