//! The bounded, ordered way into a server.

use std::sync::mpsc::{
    Receiver, RecvTimeoutError, SyncSender, TryRecvError, TrySendError, sync_channel,
};
use std::time::Duration;

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

struct Envelope {
    request: Request,
    reply: Reply,
}

/// The way into an inbox; any thread may have one.
#[derive(Clone)]
pub struct InboxSender {
    sender: SyncSender<Envelope>,
}

impl InboxSender {
    /// Puts a request into the inbox; `reply` is called once, by the server's thread, or at once
    /// when the inbox is full or the server gone.
    pub fn send(&self, request: Request, reply: Reply) {
        match self.sender.try_send(Envelope { request, reply }) {
            Ok(()) => {}
            Err(TrySendError::Full(envelope)) => {
                let text = format!("The server is busy: {CAPACITY} requests wait. Try again");
                (envelope.reply)(Response::Failed(text));
            }
            Err(TrySendError::Disconnected(envelope)) => {
                (envelope.reply)(Response::Failed("The server has stopped".to_owned()));
            }
        }
    }
}

/// What a server is asked, in order.
pub struct Inbox {
    receiver: Receiver<Envelope>,
}

/// Whether anybody can still send.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Senders {
    Some,
    None,
}

impl Inbox {
    /// Hands what waits to `handle`, at most as much as fits in the inbox at once.
    pub(crate) fn drain(&self, handle: &mut dyn FnMut(Request) -> Response) -> Senders {
        for _ in 0..CAPACITY {
            match self.receiver.try_recv() {
                Ok(envelope) => (envelope.reply)(handle(envelope.request)),
                Err(TryRecvError::Empty) => break,
                Err(TryRecvError::Disconnected) => return Senders::None,
            }
        }
        Senders::Some
    }

    /// Waits until something comes or the time is over, and hands it to `handle`.
    pub(crate) fn wait(
        &self,
        most: Duration,
        handle: &mut dyn FnMut(Request) -> Response,
    ) -> Senders {
        match self.receiver.recv_timeout(most) {
            Ok(envelope) => {
                (envelope.reply)(handle(envelope.request));
                Senders::Some
            }
            Err(RecvTimeoutError::Timeout) => Senders::Some,
            Err(RecvTimeoutError::Disconnected) => Senders::None,
        }
    }
}
