//! The bounded, ordered way into a server.

use std::sync::mpsc::{
    Receiver, RecvTimeoutError, SendError, SyncSender, TryRecvError, TrySendError, sync_channel,
};
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
    (InboxSender { sender }, Inbox { receiver })
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
            Err(TrySendError::Full(item)) => {
                (item, format!("The server is busy: {CAPACITY} requests wait. Try again"))
            }
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
    receiver: Receiver<Item>,
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
        for _ in 0..CAPACITY {
            match self.receiver.try_recv() {
                Ok(item) => handle(item),
                Err(TryRecvError::Empty) => break,
                Err(TryRecvError::Disconnected) => return Senders::None,
            }
        }
        Senders::Some
    }

    /// Waits until something comes or the time is over, and hands it to `handle`.
    pub(crate) fn wait(&self, most: Duration, handle: &mut dyn FnMut(Item)) -> Senders {
        match self.receiver.recv_timeout(most) {
            Ok(item) => {
                handle(item);
                Senders::Some
            }
            Err(RecvTimeoutError::Timeout) => Senders::Some,
            Err(RecvTimeoutError::Disconnected) => Senders::None,
        }
    }
}
