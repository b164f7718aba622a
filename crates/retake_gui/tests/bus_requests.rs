//! Requests over the bus: in order, and not without end.
#![allow(clippy::unwrap_used, reason = "tests")]

mod support;

use std::sync::{Arc, Mutex, mpsc};

use futures_util::future::join_all;
use retake_gui::{LinkRequest, ServerLink};
use retake_msgs::{PROTOCOL_VERSION, UserCmdReply, WorldControl};
use retake_transport::typed::Reply;
use support::PATIENCE;
use support::fake_server::{Server, bus, start};

fn step(number: u32) -> LinkRequest {
    LinkRequest::Control(WorldControl { multi_step: Some(number), ..WorldControl::default() })
}

fn done(number: u32) -> UserCmdReply {
    UserCmdReply::done(number.to_string())
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap()
}

#[test]
fn requests_do_not_overtake_each_other_on_a_slow_server() {
    const REQUESTS: u32 = 24;
    let bus = bus();
    let seen = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&seen);
    // The earlier a request, the longer it takes: side by side the last would be done first.
    let slow = move |asked: WorldControl, reply: Reply<UserCmdReply>| {
        let number = asked.multi_step.unwrap();
        for _ in 0..(REQUESTS - number) * 500 {
            std::thread::yield_now();
        }
        log.lock().unwrap().push(number);
        reply.answer(&done(number));
    };
    let _server = Server::with_control(&bus, PROTOCOL_VERSION, slow);
    let (link, _guard) = start(&bus).unwrap();
    let mut replies: Vec<_> = (0..REQUESTS).map(|number| link.request(step(number))).collect();
    // In whatever order the replies are awaited.
    replies.reverse();
    let replies = runtime().block_on(join_all(replies));
    assert_eq!(*seen.lock().unwrap(), (0..REQUESTS).collect::<Vec<_>>());
    assert_eq!(replies, (0..REQUESTS).rev().map(done).collect::<Vec<_>>());
}

#[test]
fn too_many_waiting_requests_are_refused_at_once() {
    const MAX_WAITING: u32 = 256;
    let bus = bus();
    let (arrive, arrived) = mpsc::channel();
    let (release, released) = mpsc::channel::<()>();
    let (arrive, released) = (Mutex::new(arrive), Mutex::new(released));
    let stuck = move |asked: WorldControl, reply: Reply<UserCmdReply>| {
        arrive.lock().unwrap().send(()).unwrap();
        // An error means that the test lets everything through.
        released.lock().unwrap().recv().ok();
        reply.answer(&done(asked.multi_step.unwrap()));
    };
    let _server = Server::with_control(&bus, PROTOCOL_VERSION, stuck);
    let (link, _guard) = start(&bus).unwrap();
    let first = link.request(step(0));
    arrived.recv_timeout(PATIENCE).unwrap();
    let waiting: Vec<_> = (1..=MAX_WAITING).map(|number| link.request(step(number))).collect();
    let runtime = runtime();
    let refused = runtime.block_on(link.request(step(MAX_WAITING + 1)));
    let text = "Too many requests wait for the server. Try again in a moment";
    assert_eq!((refused.ok, refused.message.as_str()), (false, text));
    drop(release);
    assert_eq!(runtime.block_on(first), done(0));
    let replies = runtime.block_on(join_all(waiting));
    assert!(replies.iter().all(|reply| reply.message != text), "{replies:?}");
}
