//! A replica over the bus: follows, notices gaps, survives the loss of its server.
#![allow(clippy::unwrap_used, reason = "tests")]

mod support;

use std::sync::Arc;
use std::sync::atomic::Ordering;

use retake_assets::ResourceRoots;
use retake_gui::{BusLink, Connection, Event, LinkRequest, ServerLink};
use retake_msgs::{
    HistoryEntry, Notification, PROTOCOL_VERSION, UndoRedo, UserCmd, UserCmdStats, WorldControl,
    WorldStatistics,
};
use retake_transport::{Bus, ZenohBus};
use support::PATIENCE;
use support::fake_server::{Server, bus, car_is, start, wait_for};

#[test]
fn a_missing_server_is_an_error_at_once() {
    let error = start(&bus()).err().unwrap();
    assert_eq!(error, "no service named \"/server/info\". Known: none");
    let bus = bus();
    let _old = Server::start(&bus, PROTOCOL_VERSION + 1);
    let error = start(&bus).err().unwrap();
    let (theirs, ours) = (PROTOCOL_VERSION + 1, PROTOCOL_VERSION);
    let text = format!(
        "The server speaks protocol {theirs}, this program {ours}. Use one version of both"
    );
    assert_eq!(error, text);
}

#[test]
fn the_replica_follows_and_asks_anew_after_a_gap() {
    let bus = bus();
    let mut server = Server::start(&bus, PROTOCOL_VERSION);
    let (link, _guard) = start(&bus).unwrap();
    let mut views = link.views();
    let first = wait_for(&mut views, car_is("car"));
    assert_eq!((first.world.name.as_str(), first.world.file.as_str()), ("test", "test.sdf"));
    assert_eq!(server.full_states.load(Ordering::SeqCst), 1);

    let delta = server.rename("one");
    server.deltas.publish(&delta).unwrap();
    wait_for(&mut views, car_is("one"));
    assert_eq!(server.full_states.load(Ordering::SeqCst), 1);

    let _never_sent = server.rename("two");
    let delta = server.rename("three");
    server.deltas.publish(&delta).unwrap();
    wait_for(&mut views, car_is("three"));
    assert_eq!(server.full_states.load(Ordering::SeqCst), 2);

    let stats = WorldStatistics { iterations: 9, paused: true, ..WorldStatistics::default() };
    server.stats.publish(&stats).unwrap();
    wait_for(&mut views, |view| view.stats == stats);
    let mut events = link.events();
    let notice = Notification { text: "Hello".into(), ..Notification::default() };
    server.notifications.publish(&notice).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let event = runtime.block_on(async { tokio::time::timeout(PATIENCE, events.recv()).await });
    assert_eq!(event.unwrap().unwrap(), Event::Notification(notice));
}

#[test]
fn requests_go_to_the_server_and_come_back() {
    let bus = bus();
    let server = Server::start(&bus, PROTOCOL_VERSION);
    let (link, _guard) = start(&bus).unwrap();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let pause = WorldControl { pause: Some(true), ..WorldControl::default() };
    let reply = runtime.block_on(link.request(LinkRequest::Control(pause)));
    assert_eq!((reply.ok, reply.message.as_str()), (true, "pause Some(true)"));
    let reply = runtime.block_on(link.request(LinkRequest::Command(UserCmd::default())));
    assert_eq!((reply.ok, reply.message.as_str()), (false, "Not now"));

    let mut views = link.views();
    drop(server);
    wait_for(&mut views, |view| view.connection != Connection::Connected);
    let reply = runtime.block_on(link.request(LinkRequest::Control(pause)));
    let text = "The server is not there. Try again when it is back";
    assert_eq!((reply.ok, reply.message.as_str()), (false, text));
}

#[test]
fn a_lost_server_is_told_and_found_again() {
    let bus = bus();
    let mut server = Server::start(&bus, PROTOCOL_VERSION);
    let (link, _guard) = start(&bus).unwrap();
    let mut views = link.views();
    let delta = server.rename("before");
    server.deltas.publish(&delta).unwrap();
    wait_for(&mut views, car_is("before"));
    drop(server);
    let lost = wait_for(&mut views, |view| view.connection != Connection::Connected);
    assert!(car_is("before")(&lost), "the last state stays to be looked at");
    assert_eq!(lost.connection, Connection::Lost { reason: "The server is gone".into() });

    let mut server = Server::start(&bus, PROTOCOL_VERSION);
    let delta = server.rename("after");
    wait_for(&mut views, |view| view.connection == Connection::Connected);
    server.deltas.publish(&delta).unwrap();
    wait_for(&mut views, car_is("after"));
    assert_eq!(server.bus.clients().unwrap().len(), 1);
}

#[test]
fn two_processes_layout_works_over_the_network_too() {
    let bus: Arc<ZenohBus> = Arc::new(ZenohBus::listen(0).unwrap());
    let address = bus.address();
    let serve = |bus: Arc<ZenohBus>| Server::start(&(bus as Arc<dyn Bus>), PROTOCOL_VERSION);
    let mut server = serve(bus);
    let connect = move || match ZenohBus::connect(address) {
        Ok(bus) => Ok(Arc::new(bus) as Arc<dyn Bus>),
        Err(cause) => Err(cause.to_string()),
    };
    let registry = retake_components::registry().build();
    let (link, _guard) = BusLink::start(registry, ResourceRoots::new(), connect).unwrap();
    let mut views = link.views();
    // The subscription is on its way; from then on every delta arrives.
    while !server.deltas.wanted() {
        std::thread::yield_now();
    }
    let delta = server.rename("one");
    server.deltas.publish(&delta).unwrap();
    wait_for(&mut views, car_is("one"));
    drop(server);
    wait_for(&mut views, |view| view.connection != Connection::Connected);

    let mut server = serve(Arc::new(ZenohBus::listen(address.port()).unwrap()));
    wait_for(&mut views, |view| view.connection == Connection::Connected);
    while !server.deltas.wanted() {
        std::thread::yield_now();
    }
    let delta = server.rename("two");
    server.deltas.publish(&delta).unwrap();
    wait_for(&mut views, car_is("two"));
}

#[test]
fn the_history_is_fetched_and_followed() {
    let bus = bus();
    let server = Server::start(&bus, PROTOCOL_VERSION);
    let (link, _guard) = start(&bus).unwrap();
    let mut views = link.views();
    assert!(views.borrow().history.enabled);
    let entry = HistoryEntry { id: "a".into(), ..HistoryEntry::default() };
    let history = UserCmdStats { undo: vec![entry], ..UserCmdStats::default() };
    server.histories.publish(&history).unwrap();
    wait_for(&mut views, |view| *view.history == history);
    let undo = UndoRedo { id: "a".into(), undo: true, ..UndoRedo::default() };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let reply = runtime.block_on(link.request(LinkRequest::UndoRedo(undo)));
    assert!(!reply.ok && reply.message.contains("head moved"), "{reply:?}");
}
