//! Requests to a server in another process, in the order in which the pages made them.
//!
//! One thread sends them one after the other, because a call over the bus waits for its reply and
//! two calls at once could overtake each other: Pause and Play must not change places.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use retake_msgs::{Past, PastRequest, UndoRedo, UserCmdReply};
use retake_transport::Bus;
use tokio::sync::oneshot;

use super::desk::Desk;
use super::feed::refusal;
use super::server::{CALL_TIMEOUT, Server};
use super::{LinkRequest, ReplyFuture};
use crate::lock::locked;

/// Requests that may wait for those before them; further ones are refused at once.
const MAX_WAITING: usize = 256;

/// The server that requests go to at present, if any.
pub(super) type CurrentServer = Arc<Mutex<Option<Arc<Server>>>>;

/// Takes requests and sends them in order.
///
/// Dropping the last of its clones ends the thread after the request that is under way. Nobody waits
/// for that: the server may be taking its time.
#[derive(Clone)]
pub(super) struct Requests {
    current: CurrentServer,
    queue: SyncSender<Waiting>,
}

/// A request before its turn.
struct Waiting {
    /// The server that the page saw when it asked.
    server: Arc<Server>,
    work: Work,
    reply: oneshot::Sender<UserCmdReply>,
    asked_at: Instant,
}

/// What is to be done.
enum Work {
    /// What a page asks for.
    Request(Box<LinkRequest>),
    /// The server takes over what is held here.
    HandOver,
}

impl Requests {
    /// Starts the thread.
    ///
    /// # Errors
    /// A sentence that says why there is no thread.
    pub(super) fn start(current: CurrentServer, desk: Arc<Desk>) -> Result<Self, String> {
        let (queue, waiting) = sync_channel(MAX_WAITING);
        let theirs = Arc::clone(&current);
        let run = move || send_all(&waiting, &theirs, &desk);
        let thread = std::thread::Builder::new().name("retake-requests".to_owned()).spawn(run);
        thread.map_err(|cause| format!("Could not start a thread: {cause}"))?;
        Ok(Self { current, queue })
    }

    /// Returns the bus of the server that requests go to.
    pub(super) fn bus(&self) -> Option<Arc<dyn Bus>> {
        locked(&self.current).as_ref().map(|server| Arc::clone(&server.bus))
    }

    /// Asks the server which folders it takes files from; none when it is not there.
    pub(super) fn folders(&self) -> Vec<PathBuf> {
        let server = locked(&self.current).clone();
        server.map(|server| server.folders()).unwrap_or_default()
    }

    /// Asks how the world was, beside the requests that wait. It waits for the answer.
    pub(super) fn past(&self, request: &PastRequest) -> Result<Past, String> {
        let server = locked(&self.current).clone();
        server.ok_or("The server is not there. Try again when it is back")?.past(request)
    }

    /// Takes a request; its place in the order is decided before this returns.
    pub(super) fn send(&self, request: LinkRequest) -> ReplyFuture {
        match self.enqueue(Work::Request(Box::new(request))) {
            Ok(reply) => Box::pin(async { reply.await.unwrap_or_else(|_| failed()) }),
            Err(refusal) => Box::pin(std::future::ready(refusal)),
        }
    }

    /// Lets the server take over what is held here, in its turn.
    pub(super) fn hand_over(&self) {
        // If it cannot be done now, the next news of a running world asks for it again.
        self.enqueue(Work::HandOver).ok();
    }

    fn enqueue(&self, work: Work) -> Result<oneshot::Receiver<UserCmdReply>, UserCmdReply> {
        let not_there = "The server is not there. Try again when it is back";
        let server = locked(&self.current).clone().ok_or_else(|| refusal(not_there))?;
        let (reply, answer) = oneshot::channel();
        let waiting = Waiting { server, work, reply, asked_at: Instant::now() };
        match self.queue.try_send(waiting) {
            Ok(()) => Ok(answer),
            Err(TrySendError::Full(_)) => {
                Err(refusal("Too many requests wait for the server. Try again in a moment"))
            }
            Err(TrySendError::Disconnected(_)) => Err(failed()),
        }
    }
}

fn send_all(queue: &Receiver<Waiting>, current: &CurrentServer, desk: &Desk) {
    while let Ok(waiting) = queue.recv() {
        let current = locked(current).clone();
        let reply = match too_late(&waiting, current.as_ref(), Instant::now()) {
            Some(reason) => refusal(reason),
            None => call(&waiting, desk),
        };
        // An error means that the page is gone; what it asked for was done all the same.
        waiting.reply.send(reply).ok();
    }
}

/// Says why a request must not be sent any more.
///
/// Who has waited this long does not expect it to happen now, and another server has another world.
fn too_late(
    waiting: &Waiting,
    current: Option<&Arc<Server>>,
    now: Instant,
) -> Option<&'static str> {
    if !current.is_some_and(|current| Arc::ptr_eq(current, &waiting.server)) {
        return Some("The server went away before the request was sent. Try again");
    }
    let waited = now.saturating_duration_since(waiting.asked_at);
    let text = "The server is too slow: the request was not sent. Try again when it answers";
    (waited > CALL_TIMEOUT).then_some(text)
}

/// Asks the server; a panic costs this request and no other.
fn call(waiting: &Waiting, desk: &Desk) -> UserCmdReply {
    // Nothing that a panic leaves half done is looked at again.
    let called = catch_unwind(AssertUnwindSafe(|| match &waiting.work {
        Work::Request(request) => answer(&waiting.server, request, desk),
        Work::HandOver => match hand_over(&waiting.server, desk) {
            Ok(()) => UserCmdReply::done(""),
            Err(reason) => refusal(reason),
        },
    }));
    called.unwrap_or_else(|_| failed())
}

/// Does here what can be done here, and asks the server for the rest.
fn answer(server: &Server, request: &LinkRequest, desk: &Desk) -> UserCmdReply {
    match request {
        LinkRequest::Command(command) => {
            desk.append(command).unwrap_or_else(|| match hand_over(server, desk) {
                Ok(()) => server.call(request),
                Err(reason) => refusal(reason),
            })
        }
        LinkRequest::UndoRedo(wanted) => undo_redo(server, wanted, desk),
        LinkRequest::Discard(action) => desk.discard(&action.id),
        _ => server.call(request),
    }
}

/// Lets the server take over what is held here before it does something itself, so that both
/// happen in the order in which the pages wanted them.
fn hand_over(server: &Server, desk: &Desk) -> Result<(), String> {
    let Some(gui) = desk.holder() else { return Ok(()) };
    let failed = |reason| format!("What was done while paused comes first: {reason}");
    server.take_over(gui).map(drop).map_err(failed)
}

fn undo_redo(server: &Server, wanted: &UndoRedo, desk: &Desk) -> UserCmdReply {
    let at_server = |rest| server.call(&LinkRequest::UndoRedo(rest));
    match desk.undo_redo(wanted) {
        Ok(undone) => undone.finish(at_server, || desk.redo_here(wanted)),
        Err(reason) => refusal(reason),
    }
}

fn failed() -> UserCmdReply {
    refusal("The request failed")
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use retake_msgs::WorldControl;
    use retake_transport::InProcessBus;

    use super::*;

    fn server() -> Arc<Server> {
        Arc::new(Server { bus: Arc::new(InProcessBus::new()), world: "test".into() })
    }

    #[test]
    fn a_request_that_waited_too_long_is_not_sent() {
        let (server, other) = (server(), server());
        let asked_at = Instant::now();
        let (reply, _) = oneshot::channel();
        let work = Work::Request(Box::new(LinkRequest::Control(WorldControl::default())));
        let waiting = Waiting { server: Arc::clone(&server), work, reply, asked_at };
        let late = |current, secs| {
            let now = asked_at + CALL_TIMEOUT + Duration::from_secs(secs);
            too_late(&waiting, current, now).map(|text| text.split(':').next().unwrap_or(text))
        };
        assert_eq!(late(Some(&server), 0), None);
        assert_eq!(late(Some(&server), 1), Some("The server is too slow"));
        let went = Some("The server went away before the request was sent. Try again");
        assert_eq!(late(Some(&other), 0), went);
        assert_eq!(late(None, 0), went);
    }
}
