//! A step of physics that takes long is told, and nobody is refused because of it.

use std::fmt::Write as _;

use retake_msgs::notification::Level;
use retake_sim::Response;

use super::*;
use crate::never_returning::{PATIENCE, Stage, step};

/// So many hinges in a row that each step takes the engine seconds.
const HINGES: usize = 700;

fn chain() -> String {
    let mut chain = "<model name='chain'><link name='l0'/>".to_owned();
    for hinge in 1..=HINGES {
        let (parent, x) = (hinge - 1, 0.1 * hinge as f64);
        write!(
            chain,
            "<link name='l{hinge}'><pose>{x} 0 0 0 0 0</pose></link>\
             <joint name='j{hinge}' type='revolute'><parent>l{parent}</parent>\
             <child>l{hinge}</child><axis><xyz>0 1 0</xyz></axis></joint>"
        )
        .unwrap();
    }
    chain + "</model>"
}

#[test]
fn a_step_that_takes_long_is_told_and_changes_wait_for_its_end() {
    let stage = Stage::around(server_of(&world_with(&chain())));
    // Right after a view, so that there is none of what is done now before the step begins.
    stage.shown(|_| true);
    assert!(stage.reply(move_box("before")).ok);
    assert!(stage.reply(step()).ok);
    stage.told(Level::Warning, "A step of physics takes long");
    let change = stage.send(move_box("change"));
    let shown = stage.shown(|stats| !stats.waits_for.is_empty());
    assert!(shown.waits_for[0].starts_with("a step of physics, "), "{:?}", shown.waits_for);
    assert_eq!((shown.iterations, shown.steps_due), (0, 1), "as it was before the step");
    let Response::History(history) = stage.ask(Request::History) else { panic!("no history") };
    assert_eq!(history.undo.len(), 1, "what was done before the step is known");
    assert_eq!(shown.failed_systems.len(), 0, "nobody has failed");
    assert_eq!(stage.runner.held_up(), None, "its end is worth waiting for");
    let reply = change.recv_timeout(PATIENCE).unwrap().into_reply();
    assert!(reply.ok, "{}", reply.message);
    stage.end();
}
