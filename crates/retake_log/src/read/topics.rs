//! Topics: channels of one name and type.

use std::collections::BTreeMap;
use std::sync::Arc;

use retake_msgs::names;

use super::index::Index;
use crate::write::PROTOBUF;

/// What was recorded under one name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Topic {
    /// Name of the topic.
    pub name: Arc<str>,
    /// Full name of the messages' type.
    pub type_name: String,
    /// How many messages there are; those of damaged chunks count only where the index is whole.
    pub messages: u64,
    /// The type's schema with the files it needs, as an encoded `FileDescriptorSet`; empty when
    /// the messages are no protobuf.
    pub descriptors: Vec<u8>,
}

/// Finds the world by the topic of its states.
pub(super) fn world_of(index: &Index) -> Option<String> {
    index.channels.values().find_map(|channel| {
        let world = channel.topic.strip_prefix("/world/")?.strip_suffix("/state/full")?;
        let world = world.replace("%2F", "/").replace("%25", "%");
        (names::log_full_state(&world) == channel.topic).then_some(world)
    })
}

/// Puts channels of one name and type together.
pub(super) fn topics(index: &Index) -> (Vec<Topic>, BTreeMap<u16, usize>) {
    let mut topics = BTreeMap::<(String, String), (Topic, Vec<u16>)>::new();
    for channel in index.channels.values() {
        let schema = index.schemas.get(&channel.schema);
        let type_name = schema.map(|schema| schema.name.clone()).unwrap_or_default();
        let protobuf = schema.filter(|schema| schema.encoding == PROTOBUF);
        let entry = topics.entry((channel.topic.clone(), type_name.clone()));
        let (topic, channels) = entry.or_insert_with(|| {
            let descriptors = protobuf.map(|schema| schema.data.clone()).unwrap_or_default();
            let name = Arc::from(channel.topic.as_str());
            (Topic { name, type_name, messages: 0, descriptors }, Vec::new())
        });
        topic.messages += index.counts.get(&channel.id).copied().unwrap_or_default();
        channels.push(channel.id);
    }
    let mut topic_of = BTreeMap::new();
    let mut list = Vec::with_capacity(topics.len());
    for (topic, channels) in topics.into_values() {
        topic_of.extend(channels.into_iter().map(|channel| (channel, list.len())));
        list.push(topic);
    }
    (list, topic_of)
}
