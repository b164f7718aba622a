//! What a replica makes of states that no honest server sends, and of its own failures.
#![allow(clippy::unwrap_used, reason = "tests")]

mod support;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use retake_assets::ResourceRoots;
use retake_ecm::Component;
use retake_gui::{BusLink, Connection, ServerLink};
use retake_msgs::{ComponentState, ComponentType, EntityState, PROTOCOL_VERSION, StampedState};
use serde::{Deserialize, Deserializer, Serialize};
use support::fake_server::{Server, bus, car_is, start, wait_for};

/// A component that no one can read.
#[derive(Clone, PartialEq, Serialize)]
struct Bomb;

impl Component for Bomb {
    const NAME: &'static str = "bomb";
}

impl<'de> Deserialize<'de> for Bomb {
    fn deserialize<D: Deserializer<'de>>(_: D) -> Result<Self, D::Error> {
        panic!("the bomb went off")
    }
}

/// Adds a bomb to the first entity of a delta.
fn armed(mut delta: StampedState) -> StampedState {
    let state = delta.state.as_mut().unwrap();
    let type_index = state.types.len() as u32;
    state.types.push(ComponentType { name: Bomb::NAME.into(), version: Bomb::VERSION });
    let bomb = ComponentState { type_index, value: vec![0xc0], ..ComponentState::default() };
    state.entities[0].components.push(bomb);
    delta
}

#[test]
fn a_delta_that_is_refused_is_made_good_by_the_full_state() {
    let bus = bus();
    let mut server = Server::start(&bus, PROTOCOL_VERSION);
    let (link, _guard) = start(&bus).unwrap();
    let mut views = link.views();
    for (id, name) in [(0, "one"), (1 << 53, "two"), (u64::MAX, "three")] {
        let mut forged = server.rename(name);
        let stranger = EntityState { id, ..EntityState::default() };
        forged.state.as_mut().unwrap().entities.push(stranger);
        server.deltas.publish(&forged).unwrap();
        // The name was in the refused delta, so only the full state can have brought it.
        let view = wait_for(&mut views, car_is(name));
        assert_eq!(view.connection, Connection::Connected);
    }
    assert_eq!(server.full_states.load(Ordering::SeqCst), 4);
    let delta = server.rename("four");
    server.deltas.publish(&delta).unwrap();
    wait_for(&mut views, car_is("four"));
    assert_eq!(server.full_states.load(Ordering::SeqCst), 4);
}

#[test]
fn a_forged_tick_does_not_freeze_the_replica() {
    let bus = bus();
    let mut server = Server::start(&bus, PROTOCOL_VERSION);
    let (link, _guard) = start(&bus).unwrap();
    let mut views = link.views();
    let mut forged = server.rename("forged");
    forged.state.as_mut().unwrap().tick = u64::MAX;
    server.deltas.publish(&forged).unwrap();
    wait_for(&mut views, car_is("forged"));
    for name in ["one", "two"] {
        let delta = server.rename(name);
        server.deltas.publish(&delta).unwrap();
        wait_for(&mut views, car_is(name));
    }
    assert_eq!(server.full_states.load(Ordering::SeqCst), 2);
}

#[test]
fn a_replica_that_fails_is_told_and_made_anew() {
    let bus = bus();
    let mut server = Server::start(&bus, PROTOCOL_VERSION);
    let registry = retake_components::registry().with::<Bomb>().build();
    let reachable = Arc::new(AtomicBool::new(true));
    let (connects, asked) = (Arc::clone(&bus), Arc::clone(&reachable));
    let connect = move || match asked.load(Ordering::SeqCst) {
        true => Ok(Arc::clone(&connects)),
        false => panic!("the connection fails in the worst way"),
    };
    let (link, _guard) = BusLink::start(registry, ResourceRoots::new(), connect).unwrap();
    let mut views = link.views();
    let delta = server.rename("before");
    server.deltas.publish(&delta).unwrap();
    wait_for(&mut views, car_is("before"));

    reachable.store(false, Ordering::SeqCst);
    let delta = armed(server.rename("boom"));
    server.deltas.publish(&delta).unwrap();
    let lost = wait_for(&mut views, |view| view.connection != Connection::Connected);
    let reason = "The copy of the world failed: the bomb went off".to_owned();
    assert_eq!(lost.connection, Connection::Lost { reason });
    assert!(car_is("before")(&lost), "the last state stays to be looked at");

    reachable.store(true, Ordering::SeqCst);
    wait_for(&mut views, |view| view.connection == Connection::Connected);
    let delta = server.rename("after");
    server.deltas.publish(&delta).unwrap();
    wait_for(&mut views, car_is("after"));
}

#[test]
fn pages_are_told_when_the_replica_is_not_kept_any_more() {
    let bus = bus();
    let _server = Server::start(&bus, PROTOCOL_VERSION);
    let (link, guard) = start(&bus).unwrap();
    drop(guard);
    let reason = "This program does not follow the server any more. Restart it".to_owned();
    assert_eq!(link.views().borrow().connection, Connection::Lost { reason });
}
