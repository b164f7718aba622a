//! The bounded, ordered way into a server.

use std::collections::VecDeque;
use std::sync::mpsc::{
    Receiver, RecvTimeoutError, SendError, SyncSender, TryRecvError, TrySendError, sync_channel,
};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use crate::loader::Ready;
use crate::paused::Offered;
use crate::{Request, Response};

/// Takes the answer to one request, wherever it is wanted.
pub type Reply = Box<dyn FnOnce(Response) + Send>;

/// Requests that may wait; beyond it new ones are refused, and told so.
const CAPACITY: usize = 4096;

/// Makes an inbox and a way into it.
pub fn inbox() -> (InboxSender, Inbox) {
    let (sender, receiver) = sync_channel(CAPACITY);
    let queue = Queue { receiver: Mutex::new(receiver), aside: Mutex::default() };
    (InboxSender { sender }, Inbox { queue: Arc::new(queue) })
}

/// A request on its way.
pub(crate) struct Envelope {
    pub(crate) request: Request,
    pub(crate) reply: Reply,
    /// The way back in, for what is prepared elsewhere first. It also keeps the runner running
    /// until that is done.
    pub(crate) door: InboxSender,
}

/// What comes out of an inbox.
pub(crate) enum Item {
    /// A request.
    Request(Envelope),
    /// An insertion that was prepared on another thread.
    Ready(Box<Ready>),
    /// What GUIs did while the world was paused.
    Offered(Box<Offered>),
    /// How far such a preparation has come, for all clients.
    Told(String),
}

/// The way into an inbox; any thread may have one.
#[derive(Clone)]
pub struct InboxSender {
    sender: SyncSender<Item>,
}

impl InboxSender {
    /// Puts a request into the inbox; `reply` is called once, by the server's thread, or at once
    /// when the inbox is full or the server gone.
    pub fn send(&self, request: Request, reply: Reply) {
        let envelope = Envelope { request, reply, door: self.clone() };
        let (item, text) = match self.sender.try_send(Item::Request(envelope)) {
            Ok(()) => return,
            Err(TrySendError::Full(item)) => (item, busy()),
            Err(TrySendError::Disconnected(item)) => (item, "The server has stopped".to_owned()),
        };
        item.fail(text);
    }

    /// Brings back what was prepared elsewhere; waits while the inbox is full.
    pub(crate) fn hand_back(&self, item: Item) {
        if let Err(SendError(item)) = self.sender.send(item) {
            item.fail("The server has stopped".to_owned());
        }
    }

    /// Brings back an insertion as [`InboxSender::hand_back`] does, or gives it back when the inbox
    /// is full.
    pub(crate) fn try_hand_back(&self, ready: Box<Ready>) -> Result<(), Box<Ready>> {
        match self.sender.try_send(Item::Ready(ready)) {
            Err(TrySendError::Full(Item::Ready(ready))) => Err(ready),
            Err(TrySendError::Disconnected(item)) => {
                item.fail("The server has stopped".to_owned());
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Tells all clients something; when the inbox is full there is more important work.
    pub(crate) fn tell(&self, text: String) {
        self.sender.try_send(Item::Told(text)).ok();
    }
}

impl Item {
    /// Answers whoever waits that it will not be done.
    fn fail(self, text: String) {
        match self {
            Self::Request(envelope) => (envelope.reply)(Response::Failed(text)),
            Self::Ready(ready) => (ready.reply)(Response::Failed(text)),
            Self::Offered(offered) => (offered.then.reply)(Response::Failed(text)),
            Self::Told(_) => {}
        }
    }
}

/// What a server is asked, in order.
pub struct Inbox {
    queue: Arc<Queue>,
}

/// What both the step thread and whoever stands in for it take from.
struct Queue {
    receiver: Mutex<Receiver<Item>>,
    /// What was taken out while the step thread was held up, and is for it alone.
    aside: Mutex<VecDeque<Item>>,
}

/// The inbox, for whoever answers while the step thread is held up; it keeps nothing alive.
pub(crate) struct SideDoor {
    queue: Weak<Queue>,
}

/// Whether anybody can still send.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Senders {
    Some,
    None,
}

impl Inbox {
    /// Hands what waits to `handle`, at most as much as fits in the inbox at once.
    pub(crate) fn drain(&self, handle: &mut dyn FnMut(Item)) -> Senders {
        let aside = std::mem::take(&mut *lock(&self.queue.aside));
        aside.into_iter().for_each(&mut *handle);
        for _ in 0..CAPACITY {
            // Nothing is locked while it is handled, as that may be where a system never returns.
            let next = lock(&self.queue.receiver).try_recv();
            match next {
                Ok(item) => handle(item),
                Err(TryRecvError::Empty) => break,
                Err(TryRecvError::Disconnected) => return Senders::None,
            }
        }
        Senders::Some
    }

    /// Waits until something comes or the time is over, and hands it to `handle`.
    pub(crate) fn wait(&self, most: Duration, handle: &mut dyn FnMut(Item)) -> Senders {
        let next = lock(&self.queue.receiver).recv_timeout(most);
        match next {
            Ok(item) => {
                handle(item);
                Senders::Some
            }
            Err(RecvTimeoutError::Timeout) => Senders::Some,
            Err(RecvTimeoutError::Disconnected) => Senders::None,
        }
    }

    /// Returns a way to answer requests while the step thread cannot.
    pub(crate) fn side_door(&self) -> SideDoor {
        SideDoor { queue: Arc::downgrade(&self.queue) }
    }
}

impl SideDoor {
    /// Hands the requests that wait to `answer`, which gives back what the step thread is to have
    /// later.
    pub(crate) fn answer(&self, answer: &mut dyn FnMut(Envelope) -> Option<Envelope>) {
        let Some(queue) = self.queue.upgrade() else { return };
        for _ in 0..CAPACITY {
            // Somebody who waits for requests is not held up.
            let Ok(receiver) = queue.receiver.try_lock() else { return };
            let next = receiver.try_recv();
            drop(receiver);
            let kept = match next {
                Ok(Item::Request(envelope)) => answer(envelope).map(Item::Request),
                Ok(item) => Some(item),
                Err(_) => return,
            };
            let Some(item) = kept else { continue };
            let mut aside = lock(&queue.aside);
            // What was prepared elsewhere is bounded where that happens, and someone waits for it.
            match item {
                Item::Request(_) | Item::Told(_) if aside.len() >= CAPACITY => item.fail(busy()),
                item => aside.push_back(item),
            }
        }
    }
}

fn busy() -> String {
    format!("The server is busy: {CAPACITY} requests wait. Try again")
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // A queue is whole after any panic.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
