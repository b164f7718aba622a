//! Crowds and repetitions at a server: who undoes at once, who sends again, who wants everything.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::sync::Arc;
use std::time::Duration;

use retake_assets::ResourceRoots;
use retake_diag::Diagnostics;
use retake_ecm::{Ecm, StateHash};
use retake_msgs::{
    EntityRef, IntrospectionFilter, ItemsRequest, MoveEntity, SetFilter, UndoRedo, UserCmd,
    UserCmdReply, Vector3, names, user_cmd,
};
use retake_sim::{
    BusFront, Event, Request, Response, Runner, Server, ServerOptions, Simulation,
    SimulationOptions, inbox,
};
use retake_transport::{Bus, InProcessBus, typed};

/// Far longer than anything here takes, on any machine.
const PATIENCE: Duration = Duration::from_secs(120);

fn server() -> Server {
    let text = "<sdf version='1.11'><world name='w'>
        <model name='floor'><static>1</static><link name='l'><collision name='c'>
          <geometry><plane/></geometry></collision></link></model>
        <model name='box'><pose>0 0 2 0 0 0</pose><link name='l'><collision name='c'>
          <geometry><box><size>1 1 1</size></box></geometry></collision></link></model>
        </world></sdf>";
    let (roots, mut found) = (ResourceRoots::new(), Diagnostics::new());
    let world = retake_sdf::parse_world(text, "test.sdf", &roots, &mut found).unwrap();
    let simulation = Simulation::load(&world, &SimulationOptions::default()).unwrap();
    Server::new(simulation, &ServerOptions { paused: true, ..ServerOptions::default() })
}

fn shift(author: &str, id: &str, x: f64) -> Request {
    let position = Some(Vector3 { x, y: 0.0, z: 2.0 });
    let entity = Some(EntityRef::named("box"));
    let edit = MoveEntity { entity, position, ..MoveEntity::default() };
    let command = Some(user_cmd::Command::MoveEntity(edit));
    let (author, id) = (author.to_owned(), id.to_owned());
    Request::Command(Box::new(UserCmd { author, id, command, ..UserCmd::default() }))
}

fn undo(author: &str, id: &str, undo: bool) -> Request {
    let (author, id) = (author.to_owned(), id.to_owned());
    Request::UndoRedo(UndoRedo { author, id, undo, ..UndoRedo::default() })
}

fn reply(server: &mut Server, request: Request) -> UserCmdReply {
    server.handle(request).into_reply()
}

fn component_hash(ecm: &Ecm) -> String {
    let mut hash = StateHash::new();
    hash.add_ecm(ecm).unwrap();
    hash.to_string()
}

/// A client that follows by what changed since it looked last.
struct Follower {
    ecm: Ecm,
    tick: u64,
}

impl Follower {
    fn follow(&mut self, server: &mut Server) {
        let view = server.view();
        self.ecm.apply(&view.encode_since(self.tick)).unwrap();
        self.tick = view.tick();
    }
}

#[test]
fn of_two_who_undo_at_once_one_jumps_in_a_thousand_rounds() {
    let mut server = server();
    let start = server.view();
    let follower = || {
        let mut ecm = Simulation::empty_ecm();
        ecm.apply(&start.encode_full()).unwrap();
        Follower { ecm, tick: start.tick() }
    };
    let mut followers = [follower(), follower()];
    for round in 0..1000_u32 {
        let id = format!("{round}");
        assert!(reply(&mut server, shift("ann", &id, f64::from(round % 7))).ok);
        server.step();
        drop(server.drain_events());
        // Ann and Bob take turns in being first; both mean the edit that both of them see.
        let (first, second) = if round % 2 == 0 { ("ann", "bob") } else { ("bob", "ann") };
        let won = reply(&mut server, undo(first, &id, true));
        let lost = reply(&mut server, undo(second, &id, true));
        assert!(won.ok, "{}", won.message);
        assert!(!lost.ok, "round {round}: two jumps for one edit");
        assert!(lost.message.contains(first), "{} does not name {first}", lost.message);
        let jumps = server.drain_events().into_iter().filter_map(|event| match event {
            Event::TimeJumped(jump) => Some(jump.author),
            _ => None,
        });
        assert_eq!(jumps.collect::<Vec<_>>(), [first]);
        followers.iter_mut().for_each(|follower| follower.follow(&mut server));
        let expected = server.simulation().component_hash().unwrap();
        let hashes = followers.each_ref().map(|follower| component_hash(&follower.ecm));
        assert_eq!(hashes, [expected.clone(), expected]);
    }
}

#[test]
fn what_is_sent_fifty_times_is_done_once_and_answered_alike() {
    let mut server = server();
    let first = reply(&mut server, shift("ann", "once", 3.0));
    assert!(first.ok, "{}", first.message);
    let after = server.simulation().hash().unwrap();
    for _ in 1..50 {
        assert_eq!(reply(&mut server, shift("ann", "once", 3.0)), first);
    }
    // Also when the world has gone on, and when something else stands in it.
    server.step();
    assert_eq!(reply(&mut server, shift("ann", "once", 5.0)), first);
    assert_eq!(server.history().undo.len(), 1);

    let request = Request::UndoRedo(UndoRedo {
        id: "once".to_owned(),
        undo: true,
        request_id: "again".to_owned(),
        author: "ann".to_owned(),
        ..UndoRedo::default()
    });
    let undone = reply(&mut server, request.clone());
    assert!(undone.ok, "{}", undone.message);
    let before = server.simulation().hash().unwrap();
    assert_ne!(before, after);
    for _ in 1..50 {
        assert_eq!(reply(&mut server, request.clone()), undone);
        assert_eq!(server.simulation().hash().unwrap(), before);
    }
}

fn filter(items: Vec<String>) -> SetFilter {
    SetFilter { item: items, ..SetFilter::default() }
}

fn set(server: &mut Server, request: SetFilter) -> IntrospectionFilter {
    match server.handle(Request::SetFilter(request)) {
        Response::Filter(filter) => filter,
        _ => panic!("no filter"),
    }
}

#[test]
fn a_million_filters_are_refused_past_the_limit_and_those_there_go_on() {
    let mut server = server();
    let Response::Items(items) = server.handle(Request::Items(ItemsRequest::default())) else {
        panic!("no items");
    };
    let item = items.list().item.first().unwrap().name.clone();
    let mine = set(&mut server, filter(vec![item.clone()]));
    assert!(mine.ok, "{}", mine.message);
    let mut taken = 0;
    for _ in 0..1_000_000 {
        let made = set(&mut server, filter(vec![item.clone()]));
        taken += usize::from(made.ok);
        assert!(made.ok || made.message == "There are 256 filters already. Remove some");
    }
    assert_eq!(taken, 255);
    drop(server.drain_samples());
    server.step();
    let samples = server.drain_samples();
    assert!(samples.iter().any(|sample| sample.filter == mine.filter_id));
    assert_eq!(samples.len(), 256);
}

#[test]
fn a_million_items_in_one_filter_are_refused_and_others_are_not_disturbed() {
    let mut server = server();
    let many = set(&mut server, filter((0..1_000_000).map(|n| format!("item {n}")).collect()));
    assert_eq!(many.message, "A filter of 1000000 items; at most 65536 fit into one");
    // As many as fit, of which none is there: named, but not all of them.
    let unknown = set(&mut server, filter((0..65_536).map(|n| format!("item {n}")).collect()));
    assert!(unknown.message.len() < 4096, "{} bytes", unknown.message.len());
    server.step();
    assert!(!server.failed());
}

/// How many times, all of them when somebody has the time.
fn thinned(whole: usize, part: usize) -> usize {
    if std::env::var_os("RETAKE_SOAK").is_some() { whole } else { part }
}

#[test]
fn a_crowd_of_filters_over_the_bus_is_refused_past_the_limit() {
    let server = server();
    let bus: Arc<dyn Bus> = Arc::new(InProcessBus::new());
    let (sender, inbox) = inbox();
    let (front, feed) = BusFront::open(&bus, "w", &sender).unwrap();
    let runner = Runner::new(server, inbox, vec![feed]).spawn().unwrap();
    let service = names::introspection_set_filter("w");
    let ask = |items: Vec<String>| -> IntrospectionFilter {
        typed::call(bus.as_ref(), &service, &filter(items), PATIENCE).unwrap()
    };
    let request = ItemsRequest::default();
    let items = names::introspection_items("w");
    let items: retake_msgs::IntrospectionItems =
        typed::call(bus.as_ref(), &items, &request, PATIENCE).unwrap();
    let item = items.item.first().unwrap().name.clone();
    // Filters that nobody listens to are given up after a while, so that new ones are taken then;
    // at no time are there more than the limit.
    let asked = thinned(1_000_000, 5_000);
    let taken = (0..asked).filter(|_| ask(vec![item.clone()]).ok).count();
    assert!(taken >= 256 && taken < asked, "{taken}");
    let stats: retake_msgs::WorldStatistics = typed::call(
        bus.as_ref(),
        &names::stats_get("w"),
        &retake_msgs::StatisticsRequest {},
        PATIENCE,
    )
    .unwrap();
    assert!(stats.paused);
    runner.stop();
    drop((front, sender));
    runner.join().unwrap();
}
