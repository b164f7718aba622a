//! What waits to be sent, so that no caller ever waits for the network.
//!
//! Two threads send: one for events and replies, in order, each waiting for room on the wire; one
//! for states, where a newer message replaces one that still waits. A reader that stops reading
//! holds back the others' events for at most zenoh's lease, then zenoh drops its connection.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use zenoh::Wait;
use zenoh::pubsub::Publisher;

use crate::error::BusError;
use crate::limits::check_size;

/// Events may wait up to this number; past it publishing is an error.
const MAX_EVENTS: usize = 1024;

/// Events may wait up to this many bytes; past it publishing is an error.
const MAX_EVENT_BYTES: usize = 4 * retake_msgs::MAX_MESSAGE_BYTES;

/// Something to do on the events thread.
pub(super) type Send = Box<dyn FnOnce() + std::marker::Send>;

/// The two queues and their threads.
pub(super) struct Outbox {
    pub(super) lanes: Arc<Lanes>,
    threads: Vec<JoinHandle<()>>,
}

/// The two queues.
#[derive(Default)]
pub(super) struct Lanes {
    events: Lane<Send>,
    states: Lane<Arc<Mailbox>>,
}

/// The newest state of one publisher that was not sent yet.
pub(super) struct Mailbox {
    publisher: Arc<Publisher<'static>>,
    waiting: Mutex<Option<Vec<u8>>>,
}

impl Mailbox {
    pub(super) fn new(publisher: Arc<Publisher<'static>>) -> Arc<Self> {
        Arc::new(Self { publisher, waiting: Mutex::new(None) })
    }
}

impl Outbox {
    pub(super) fn start() -> Result<Self, BusError> {
        let lanes = Arc::new(Lanes::default());
        let events = Arc::clone(&lanes);
        let states = Arc::clone(&lanes);
        let threads = vec![
            spawn("retake-bus-events", move || events.send_events())?,
            spawn("retake-bus-states", move || states.send_states())?,
        ];
        Ok(Self { lanes, threads })
    }
}

impl Drop for Outbox {
    /// Sends what waits, then ends the threads.
    fn drop(&mut self) {
        self.lanes.events.close();
        self.lanes.states.close();
        for thread in self.threads.drain(..) {
            // The bus may be dropped by a callback, which runs on one of these threads.
            if thread.thread().id() != thread::current().id() && thread.join().is_err() {
                tracing::error!("a sending thread panicked");
            }
        }
    }
}

impl Lanes {
    /// Takes an event, unless too much waits already and still does after `patience`.
    pub(super) fn event(
        &self,
        topic: &str,
        publisher: &Arc<Publisher<'static>>,
        bytes: Vec<u8>,
        patience: Duration,
    ) -> Result<(), BusError> {
        let size = bytes.len();
        check_size(topic, size)?;
        let publisher = Arc::clone(publisher);
        let send = move || put(&publisher, bytes);
        let is_full = |queue: &Queue<Send>| {
            queue.items.len() >= MAX_EVENTS || queue.bytes + size > MAX_EVENT_BYTES
        };
        let queue = self.events.open_queue()?;
        let mut queue = match is_full(&queue) && !patience.is_zero() {
            true => self.events.wait_for_room(queue, patience, is_full)?,
            false => queue,
        };
        if is_full(&queue) {
            return Err(BusError::QueueFull { topic: topic.to_owned() });
        }
        queue.push(Box::new(send), size);
        self.events.wake.notify_one();
        Ok(())
    }

    /// Takes a reply.
    ///
    /// Answers are bounded by the requests under way. Refusals past that limit are a line of text
    /// each, and bounded only by how fast requests arrive.
    pub(super) fn reply(&self, send: Send) -> Result<(), BusError> {
        self.events.open_queue()?.push(send, 0);
        self.events.wake.notify_one();
        Ok(())
    }

    /// Takes a state, in place of the one that still waits.
    pub(super) fn state(
        &self,
        topic: &str,
        mailbox: &Arc<Mailbox>,
        bytes: Vec<u8>,
    ) -> Result<(), BusError> {
        check_size(topic, bytes.len())?;
        let mut queue = self.states.open_queue()?;
        if locked(&mailbox.waiting).replace(bytes).is_none() {
            queue.push(Arc::clone(mailbox), 0);
            self.states.wake.notify_one();
        }
        Ok(())
    }

    fn send_events(&self) {
        while let Some(send) = self.events.next() {
            send();
        }
    }

    fn send_states(&self) {
        while let Some(mailbox) = self.states.next() {
            let newest = locked(&mailbox.waiting).take();
            if let Some(bytes) = newest {
                put(&mailbox.publisher, bytes);
            }
        }
    }
}

/// A queue with one reader.
struct Lane<T> {
    queue: Mutex<Queue<T>>,
    wake: Condvar,
    /// For those who wait until there is room.
    room: Condvar,
}

struct Queue<T> {
    items: VecDeque<(T, usize)>,
    bytes: usize,
    closed: bool,
    /// How many wait for room.
    waiting: usize,
}

impl<T> Default for Lane<T> {
    fn default() -> Self {
        let queue = Queue { items: VecDeque::new(), bytes: 0, closed: false, waiting: 0 };
        Self { queue: Mutex::new(queue), wake: Condvar::new(), room: Condvar::new() }
    }
}

impl<T> Queue<T> {
    fn push(&mut self, item: T, bytes: usize) {
        self.bytes += bytes;
        self.items.push_back((item, bytes));
    }
}

impl<T> Lane<T> {
    fn open_queue(&self) -> Result<MutexGuard<'_, Queue<T>>, BusError> {
        let queue = locked(&self.queue);
        if queue.closed { Err(BusError::Closed) } else { Ok(queue) }
    }

    fn close(&self) {
        locked(&self.queue).closed = true;
        self.wake.notify_all();
        self.room.notify_all();
    }

    /// Waits until there is room, the time is over, or the lane is closed, which is an error.
    fn wait_for_room<'a>(
        &'a self,
        mut queue: MutexGuard<'a, Queue<T>>,
        patience: Duration,
        is_full: impl Fn(&Queue<T>) -> bool,
    ) -> Result<MutexGuard<'a, Queue<T>>, BusError> {
        queue.waiting += 1;
        let waits = |queue: &mut Queue<T>| is_full(queue) && !queue.closed;
        let waited = self.room.wait_timeout_while(queue, patience, waits);
        let (mut queue, _) = waited.unwrap_or_else(PoisonError::into_inner);
        queue.waiting -= 1;
        if queue.closed { Err(BusError::Closed) } else { Ok(queue) }
    }

    /// Waits for the next item; none when the lane is closed and empty.
    fn next(&self) -> Option<T> {
        let mut queue = locked(&self.queue);
        loop {
            if let Some((item, bytes)) = queue.items.pop_front() {
                queue.bytes -= bytes;
                if queue.waiting > 0 {
                    self.room.notify_all();
                }
                return Some(item);
            }
            if queue.closed {
                return None;
            }
            queue = self.wake.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

fn put(publisher: &Publisher<'static>, bytes: Vec<u8>) {
    if let Err(cause) = publisher.put(bytes).wait() {
        tracing::warn!(topic = %publisher.key_expr(), %cause, "a message could not be sent");
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Nothing under these locks can panic half way.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn spawn(
    name: &str,
    work: impl FnOnce() + std::marker::Send + 'static,
) -> Result<JoinHandle<()>, BusError> {
    thread::Builder::new().name(name.to_owned()).spawn(work).map_err(|cause| BusError::Network {
        doing: "start a sending thread",
        source: Box::new(cause),
    })
}
