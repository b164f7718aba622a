//! A replica over the bus: follows, notices gaps, survives the loss of its server.
#![allow(clippy::unwrap_used, reason = "tests")]

mod support;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use retake_components::EntityName;
use retake_gui::{BusLink, Connection, Event, LinkRequest, ServerLink, View};
use retake_msgs::{
    Notification, PROTOCOL_VERSION, SerializedState, ServerInfo, ServerInfoRequest, StampedState,
    StateRequest, UserCmd, UserCmdReply, WorldControl, WorldStatistics, names,
};
use retake_transport::typed::{self, Publisher};
use retake_transport::{Bus, Delivery, Guard, InProcessBus, SERVER_CLIENT, ZenohBus};
use support::{PATIENCE, Scene};
use tokio::sync::watch;

/// A made-up server on a bus.
struct Server {
    bus: Arc<dyn Bus>,
    scene: Arc<Mutex<Scene>>,
    base: u64,
    deltas: Publisher<StampedState>,
    stats: Publisher<WorldStatistics>,
    notifications: Publisher<Notification>,
    full_states: Arc<AtomicUsize>,
    _guards: Vec<Guard>,
}

fn stamped(state: SerializedState) -> StampedState {
    StampedState { state: Some(state), ..StampedState::default() }
}

impl Server {
    fn start(bus: &Arc<dyn Bus>, protocol_version: u32) -> Self {
        let mut scene = Scene::new();
        let base = scene.ecm.close_tick();
        let scene = Arc::new(Mutex::new(scene));
        let full_states = Arc::new(AtomicUsize::new(0));
        let (shown, counted) = (Arc::clone(&scene), Arc::clone(&full_states));
        let info = move |_: ServerInfoRequest, reply: typed::Reply<ServerInfo>| {
            reply.answer(&ServerInfo {
                world: "test".into(),
                protocol_version,
                world_file: "test.sdf".into(),
                ..ServerInfo::default()
            });
        };
        let state = move |_: StateRequest, reply: typed::Reply<StampedState>| {
            counted.fetch_add(1, Ordering::SeqCst);
            reply.answer(&stamped(shown.lock().unwrap().ecm.encode_full()));
        };
        let control = |asked: WorldControl, reply: typed::Reply<UserCmdReply>| {
            let message = format!("pause {:?}", asked.pause);
            reply.answer(&UserCmdReply { ok: true, message, entities: vec![] });
        };
        let command = |_: UserCmd, reply: typed::Reply<UserCmdReply>| reply.refuse("Not now");
        let guards = vec![
            typed::serve(&**bus, names::SERVER_INFO, info).unwrap(),
            typed::serve(&**bus, &names::state("test"), state).unwrap(),
            typed::serve(&**bus, &names::control("test"), control).unwrap(),
            typed::serve(&**bus, &names::user_command("test"), command).unwrap(),
            bus.join(SERVER_CLIENT).unwrap(),
        ];
        let all = Delivery::All;
        Self {
            deltas: Publisher::new(&**bus, &names::state_delta("test"), all).unwrap(),
            stats: Publisher::new(&**bus, &names::stats("test"), all).unwrap(),
            notifications: Publisher::new(&**bus, &names::notifications("test"), all).unwrap(),
            bus: Arc::clone(bus),
            scene,
            base,
            full_states,
            _guards: guards,
        }
    }

    /// Renames the car and returns the delta.
    fn rename(&mut self, name: &str) -> StampedState {
        let mut scene = self.scene.lock().unwrap();
        let car = scene.car;
        scene.ecm.set(car, EntityName(name.to_owned())).unwrap();
        let delta = stamped(scene.ecm.encode_since(self.base));
        self.base = scene.ecm.close_tick();
        delta
    }
}

fn bus() -> Arc<dyn Bus> {
    Arc::new(InProcessBus::new())
}

fn start(bus: &Arc<dyn Bus>) -> Result<(BusLink, retake_gui::BusLinkGuard), String> {
    let bus = Arc::clone(bus);
    BusLink::start(retake_components::registry().build(), move || Ok(Arc::clone(&bus)))
}

fn wait_for(views: &mut watch::Receiver<Arc<View>>, right: impl Fn(&View) -> bool) -> Arc<View> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let found = tokio::time::timeout(PATIENCE, views.wait_for(|view| right(view))).await;
        Arc::clone(&found.unwrap().unwrap())
    })
}

fn car_is(name: &str) -> impl Fn(&View) -> bool {
    move |view| view.ecm.iter::<EntityName>().any(|(_, found)| found.0 == name)
}

#[test]
fn a_missing_server_is_an_error_at_once() {
    let error = start(&bus()).err().unwrap();
    assert_eq!(error, "no service named \"/server/info\". Known: none");
    let bus = bus();
    let _old = Server::start(&bus, PROTOCOL_VERSION + 1);
    let error = start(&bus).err().unwrap();
    assert_eq!(error, "The server speaks protocol 2, this program 1. Use one version of both");
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
    let (link, _guard) = BusLink::start(registry, connect).unwrap();
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
