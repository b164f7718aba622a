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
    let queue = Queue { receiver, aside: VecDeque::new() };
    (InboxSender { sender }, Inbox { queue: Arc::new(Mutex::new(queue)) })
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
    /// Puts a request into the inbox; `reply` is called once, by the server's thread or, while that
    /// is held up, by who answers in its place; at once when the inbox is full or the server gone.
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
    /// Says whether whoever sent it learns how the world is, or what became of an edit. Messages on
    /// topics and the turns of controllers come in every step and tell nobody.
    pub(crate) fn shows_the_world(&self) -> bool {
        match self {
            Self::Request(envelope) => !matches!(
                envelope.request,
                Request::Message { .. } | Request::LockstepDone(_) | Request::GuiPending(_)
            ),
            Self::Ready(_) | Self::Offered(_) => true,
            Self::Told(_) => false,
        }
    }

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
    queue: Arc<Mutex<Queue>>,
}

/// What both the step thread and whoever stands in for it take from.
struct Queue {
    receiver: Receiver<Item>,
    /// What was taken out while the step thread was held up, and is for it alone. It came before
    /// all that waits in the receiver.
    aside: VecDeque<Item>,
}

impl Queue {
    /// Takes what came first.
    fn next(&mut self) -> Result<Item, TryRecvError> {
        self.aside.pop_front().map_or_else(|| self.receiver.try_recv(), Ok)
    }

    /// Waits for what comes next.
    fn wait(&mut self, most: Duration) -> Result<Item, RecvTimeoutError> {
        self.aside.pop_front().map_or_else(|| self.receiver.recv_timeout(most), Ok)
    }

    /// Takes out the requests that have an answer now, and lays the rest aside in order.
    fn take_answered(
        &mut self,
        answer: &dyn Fn(&Request) -> Option<Response>,
    ) -> Vec<(Reply, Response)> {
        let mut answered = Vec::new();
        let mut aside = VecDeque::new();
        // What was laid aside is looked at anew: it may be another one now who holds it up.
        for _ in 0..self.aside.len() + CAPACITY {
            let Ok(item) = self.next() else { break };
            let is_full = aside.len() >= CAPACITY;
            match item {
                Item::Request(envelope) => match answer(&envelope.request) {
                    Some(response) => answered.push((envelope.reply, response)),
                    None if is_full => answered.push((envelope.reply, Response::Failed(busy()))),
                    None => aside.push_back(Item::Request(envelope)),
                },
                Item::Told(_) if is_full => {}
                // What was prepared elsewhere is bounded where that happens, and someone waits.
                item => aside.push_back(item),
            }
        }
        self.aside = aside;
        answered
    }
}

/// The inbox, for whoever answers while the step thread is held up; it keeps nothing alive.
pub(crate) struct SideDoor {
    queue: Weak<Mutex<Queue>>,
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
            // Nothing is locked while it is handled, as that may be where a system never returns.
            let next = lock(&self.queue).next();
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
        let next = lock(&self.queue).wait(most);
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

    /// Tells everybody who still waits that it is over.
    pub(crate) fn close(self) {
        loop {
            // As above: an answer may take its time.
            let next = lock(&self.queue).next();
            let Ok(item) = next else { return };
            item.fail("The server has stopped".to_owned());
        }
    }
}

impl SideDoor {
    /// Gives the requests that wait the answer that they have now, as long as the step thread
    /// `is_held_up`; it has those without one later.
    pub(crate) fn answer(
        &self,
        is_held_up: impl Fn() -> bool,
        answer: &dyn Fn(&Request) -> Option<Response>,
    ) {
        let Some(queue) = self.queue.upgrade() else { return };
        // Somebody who waits for requests is not held up. Until all are looked at the step thread
        // takes none: it would overtake one of them.
        let Ok(mut waiting) = queue.try_lock() else { return };
        if !is_held_up() {
            return;
        }
        let answered = waiting.take_answered(answer);
        drop(waiting);
        answered.into_iter().for_each(|(reply, response)| reply(response));
    }
}

fn busy() -> String {
    format!("The server is busy: {CAPACITY} requests wait. Try again")
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // A queue is whole after any panic.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
