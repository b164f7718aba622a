//! A system that panics, wherever it does, is stopped and named, and the others step on.

use retake_sim::Event;

use super::*;
use crate::moody::Mood;

/// Provokes a panic in one callback, and returns the server with what it said since.
fn provoke(name: &str, callback: &'static str, requests: Vec<Request>) -> (Server, Vec<String>) {
    let mut server = server(name);
    server.step();
    let edited = server.handle(move_box("edit")).into_reply();
    assert!(edited.ok, "{}", edited.message);
    server.step();
    drop(server.drain_events());
    moody::spoil(name, callback, Mood::Panics);
    for request in requests {
        let reply = server.handle(request).into_reply();
        assert!(reply.ok, "{callback}: {}", reply.message);
    }
    server.step();
    let said = server.drain_events().into_iter().filter_map(|event| match event {
        Event::Notified(told) => Some(told.text),
        _ => None,
    });
    let said = said.collect();
    (server, said)
}

/// The others step on, and so does the server.
fn assert_goes_on(server: &mut Server, name: &str) {
    let steady = format!("{name}_steady");
    let before = steps_of(server, &steady).unwrap();
    server.step();
    server.step();
    assert_eq!(steps_of(server, &steady), Some(before + 2));
    assert!(!server.failed());
}

fn assert_stops(name: &str, callback: &'static str, requests: Vec<Request>) {
    let (mut server, said) = provoke(name, callback, requests);
    let expected =
        format!("System {name}::test::Moody was stopped: it panicked: no mood for {callback}");
    assert_eq!(said.iter().filter(|text| **text == expected).count(), 1, "{said:#?}");
    let failed = server.statistics().failed_systems;
    assert_eq!(failed.len(), 1, "{failed:?}");
    assert_eq!(failed[0].name, format!("{name}::test::Moody"));
    assert_eq!(failed[0].reason, format!("it panicked: no mood for {callback}"));
    let stood = steps_of(&server, name);
    assert_goes_on(&mut server, name);
    assert_eq!(steps_of(&server, name), stood, "it does not act any more");
}

#[test]
fn a_panic_before_physics_stops_that_system_alone() {
    assert_stops("pre", "pre_update", Vec::new());
}

#[test]
fn a_panic_after_physics_stops_that_system_alone() {
    assert_stops("post", "post_update", Vec::new());
}

#[test]
fn a_panic_at_a_message_stops_that_system_alone() {
    assert_stops("hears", "on_message", vec![message("hears")]);
}

#[test]
fn a_panic_at_a_jump_stops_that_system_alone() {
    assert_stops("jumps", "time_jumped", vec![undo("edit")]);
}

#[test]
fn a_panic_when_asked_about_the_past_stops_that_system_alone() {
    assert_stops("asked", "rewind", vec![undo("edit")]);
}

/// What is inserted stays, and only its system does not act.
fn assert_cannot_be_made(name: &str, callback: &'static str) {
    let mut server = server(&format!("{name}_other"));
    moody::spoil(name, callback, Mood::Panics);
    let reply = server.handle(insert(name)).into_reply();
    assert!(reply.ok, "{}", reply.message);
    let failed = server.statistics().failed_systems;
    assert_eq!(failed.len(), 1, "{failed:?}");
    assert_eq!(failed[0].reason, format!("it panicked: no mood for {callback}"));
    assert_goes_on(&mut server, &format!("{name}_other"));
    // Going back to before it takes the failure along.
    let undone = server.handle(undo("insertion")).into_reply();
    assert!(undone.ok, "{}", undone.message);
    assert_eq!(server.statistics().failed_systems.len(), 0);
}

#[test]
fn a_panic_while_it_is_made_costs_that_system_alone() {
    assert_cannot_be_made("made", "make");
    assert_cannot_be_made("listens", "subscriptions");
}

#[test]
fn a_world_is_loaded_although_a_system_panics_while_it_is_made() {
    moody::spoil("loaded", "make", Mood::Panics);
    let mut server = server("loaded");
    assert_eq!(server.statistics().failed_systems.len(), 1);
    assert_goes_on(&mut server, "loaded");
}

/// At its end there is nothing left to stop.
fn assert_ends(name: &str, callback: &'static str) {
    let (mut server, said) = provoke(name, callback, vec![delete(name)]);
    assert_eq!(said, Vec::<String>::new());
    assert_eq!(steps_of(&server, name), None);
    assert_goes_on(&mut server, name);
    moody::calm(name);
}

#[test]
fn a_panic_at_its_end_costs_nobody_anything() {
    assert_ends("released", "release");
    assert_ends("dropped", "drop");
}

#[test]
fn after_an_undo_to_before_the_panic_the_system_acts_again() {
    let (mut server, _) = provoke("back", "pre_update", Vec::new());
    assert_eq!(server.statistics().failed_systems.len(), 1);
    moody::calm("back");
    let undone = server.handle(undo("edit")).into_reply();
    assert!(undone.ok, "{}", undone.message);
    assert_eq!(server.statistics().failed_systems.len(), 0);
    let before = steps_of(&server, "back").unwrap();
    server.step();
    assert_eq!(steps_of(&server, "back"), Some(before + 1));
}
