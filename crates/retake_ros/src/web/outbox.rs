//! What waits to be sent to one client.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::timeout;

use crate::hub::Sample;

/// Messages that may wait; a client that has more to take is cut off.
const MOST: usize = 1024;
/// How long a client may take for one message; who takes longer is let go, and leaves its place.
const PATIENCE: Duration = Duration::from_secs(10);

/// Sends something, and says whether it was taken in time.
pub(crate) async fn is_taken<E>(sending: impl Future<Output = Result<(), E>>) -> bool {
    is_taken_within(PATIENCE, sending).await
}

async fn is_taken_within<E>(
    patience: Duration,
    sending: impl Future<Output = Result<(), E>>,
) -> bool {
    matches!(timeout(patience, sending).await, Ok(Ok(())))
}

/// Something to be sent.
pub(crate) enum Out<M> {
    /// As it is.
    Message(M),
    /// The newest message of a subscription, by its number.
    Newest(u32, Arc<Sample>),
}

/// Waiting messages of one client; cheap to clone.
///
/// Of streams only the newest message waits; all else is sent in order, and never dropped: a client
/// that does not take it is cut off.
pub(crate) struct Outbox<M>(Arc<Shared<M>>);

struct Shared<M> {
    waiting: Mutex<Waiting<M>>,
    changed: Notify,
}

struct Waiting<M> {
    messages: VecDeque<Out<M>>,
    newest: BTreeMap<u32, Arc<Sample>>,
    closed: bool,
}

impl<M> Clone for Outbox<M> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<M> Default for Outbox<M> {
    fn default() -> Self {
        let (messages, newest, closed) = (VecDeque::new(), BTreeMap::new(), false);
        let waiting = Mutex::new(Waiting { messages, newest, closed });
        Self(Arc::new(Shared { waiting, changed: Notify::new() }))
    }
}

impl<M> Outbox<M> {
    /// Puts a message in that must be sent.
    pub(crate) fn push(&self, out: Out<M>) {
        let mut waiting = self.lock();
        if waiting.closed {
            return;
        }
        if waiting.messages.len() < MOST {
            waiting.messages.push_back(out);
        } else {
            tracing::warn!("a client does not take its messages: it is cut off");
            waiting.closed = true;
            waiting.messages.clear();
        }
        drop(waiting);
        self.0.changed.notify_one();
    }

    /// Says whether the client is let go: nothing that it still asks for is to be done.
    pub(crate) fn is_closed(&self) -> bool {
        self.lock().closed
    }

    /// Puts the newest message of a stream in.
    pub(crate) fn newest(&self, subscription: u32, sample: &Arc<Sample>) {
        self.lock().newest.insert(subscription, Arc::clone(sample));
        self.0.changed.notify_one();
    }

    /// Sends nothing more.
    pub(crate) fn close(&self) {
        self.lock().closed = true;
        self.0.changed.notify_one();
    }

    /// Waits for the next thing to send; none when the client is to be let go.
    pub(crate) async fn next(&self) -> Option<Out<M>> {
        loop {
            {
                let mut waiting = self.lock();
                if waiting.closed {
                    return None;
                }
                if let Some(out) = waiting.messages.pop_front() {
                    return Some(out);
                }
                if let Some((subscription, sample)) = waiting.newest.pop_first() {
                    return Some(Out::Newest(subscription, sample));
                }
            }
            self.0.changed.notified().await;
        }
    }

    fn lock(&self) -> MutexGuard<'_, Waiting<M>> {
        // Nothing under the lock can panic half way.
        self.0.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn who_never_takes_a_message_is_not_waited_for() {
        use tokio::io::AsyncWriteExt;
        let (mut ours, theirs) = tokio::io::duplex(8);
        assert!(is_taken(ours.write_all(b"a few")).await);
        let more = ours.write_all(b"and more than fits");
        assert!(!is_taken_within(Duration::from_millis(1), more).await);
        drop(theirs);
        assert!(!is_taken(ours.write_all(b"nobody")).await);
    }

    #[test]
    fn who_is_cut_off_gets_nothing_more_and_costs_nothing() {
        let outbox = Outbox::<u32>::default();
        for number in 0..MOST as u32 {
            outbox.push(Out::Message(number));
        }
        assert!(!outbox.is_closed());
        outbox.push(Out::Message(0));
        assert!(outbox.is_closed());
        outbox.push(Out::Message(1));
        assert_eq!(outbox.lock().messages.len(), 0);
    }
}
