//! Messages that systems of a world have had within their step, and that the bus brings back.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Messages that may be under way on one topic; beyond it the oldest is forgotten, and would be
/// heard twice.
const MOST: usize = 4096;

/// What was published and is not to be heard again, by topic, oldest first.
#[derive(Default)]
pub(crate) struct Echoes {
    under_way: Mutex<BTreeMap<String, VecDeque<Vec<u8>>>>,
}

impl Echoes {
    /// Notes that a message will come back.
    pub(crate) fn expect(&self, topic: &str, bytes: &[u8]) {
        let mut under_way = self.lock();
        let of_topic = under_way.entry(topic.to_owned()).or_default();
        if of_topic.len() == MOST {
            of_topic.pop_front();
        }
        of_topic.push_back(bytes.to_vec());
    }

    /// Says whether a message is one that was expected, which it then is no longer.
    pub(crate) fn take(&self, topic: &str, bytes: &[u8]) -> bool {
        let mut under_way = self.lock();
        let Some(of_topic) = under_way.get_mut(topic) else { return false };
        let Some(at) = of_topic.iter().position(|expected| expected == bytes) else {
            return false;
        };
        of_topic.remove(at);
        if of_topic.is_empty() {
            under_way.remove(topic);
        }
        true
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, VecDeque<Vec<u8>>>> {
        // A panic while the lock was held leaves plain data behind, which is still good.
        self.under_way.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_is_taken_as_often_as_it_was_expected() {
        let echoes = Echoes::default();
        echoes.expect("/a", b"one");
        echoes.expect("/a", b"one");
        assert!(!echoes.take("/b", b"one") && !echoes.take("/a", b"two"));
        assert!(echoes.take("/a", b"one") && echoes.take("/a", b"one"));
        assert!(!echoes.take("/a", b"one"));
    }
}
