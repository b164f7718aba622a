//! Who listens to what.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value;

/// A message on a topic.
#[derive(Debug)]
pub struct Sample {
    /// Topic.
    pub topic: String,
    /// Type, `package/Name`.
    pub type_name: &'static str,
    /// The message.
    pub message: Value,
}

/// Called with each message of a topic.
pub type Listener = Arc<dyn Fn(&Arc<Sample>) + Send + Sync>;

/// Listeners of all topics, and the last messages of those that keep them.
#[derive(Default)]
pub(super) struct Topics {
    listeners: BTreeMap<String, Vec<(u64, Listener)>>,
    kept: BTreeMap<String, Arc<Sample>>,
}

impl Topics {
    /// Adds a listener; returns what the topic keeps.
    pub(super) fn listen(
        &mut self,
        topic: &str,
        number: u64,
        listener: Listener,
    ) -> Option<Arc<Sample>> {
        self.listeners.entry(topic.to_owned()).or_default().push((number, listener));
        self.kept.get(topic).cloned()
    }

    /// Returns what a topic keeps.
    pub(super) fn kept(&self, topic: &str) -> Option<Arc<Sample>> {
        self.kept.get(topic).cloned()
    }

    /// Takes a listener out.
    pub(super) fn forget(&mut self, number: u64) {
        self.listeners.values_mut().for_each(|all| all.retain(|(own, _)| *own != number));
        self.listeners.retain(|_, all| !all.is_empty());
    }

    /// Says whether anybody listens.
    pub(super) fn is_heard(&self, topic: &str) -> bool {
        self.listeners.contains_key(topic)
    }

    /// Returns who listens, to be called outside the lock.
    pub(super) fn listeners(&self, topic: &str) -> Vec<Listener> {
        let all = self.listeners.get(topic).into_iter().flatten();
        all.map(|(_, listener)| Arc::clone(listener)).collect()
    }

    /// Keeps a message for whoever comes later.
    pub(super) fn keep(&mut self, sample: &Arc<Sample>) {
        self.kept.insert(sample.topic.clone(), Arc::clone(sample));
    }

    /// Forgets what is kept of topics that are gone.
    pub(super) fn retain(&mut self, is_there: impl Fn(&str) -> bool) {
        self.kept.retain(|topic, _| is_there(topic));
    }
}
