//! A system from outside of Retake: the one of `examples/own_system`, as it stands there.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

#[path = "../../../examples/own_system/src/metronome.rs"]
mod metronome;
mod support;

use std::path::Path;

use metronome::Beat;
use retake_components::find;
use retake_sim::systems;
use support::{load, run};

#[test]
fn an_added_system_acts_and_goes_back_with_the_world() {
    systems::add(&metronome::KIND).unwrap();
    let again = systems::add(&metronome::KIND).unwrap_err();
    let expected = "a system is called \"example::Metronome\" already; give yours another name";
    assert_eq!(again.to_string(), expected);

    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/own_system");
    let mut simulation = load(&folder.join("metronome.sdf"));
    run(&mut simulation, 1200);
    let keyframe = simulation.capture();
    let on = run(&mut simulation, 1000);
    simulation.restore(&keyframe, "test");
    let ecm = simulation.ecm();
    let plugin = find(ecm, "metronome::example::Metronome").unwrap();
    assert_eq!(ecm.get::<Beat>(plugin).unwrap().count, 2);
    assert_eq!(run(&mut simulation, 1000), on);
}
