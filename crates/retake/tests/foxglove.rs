//! Foxglove's WebSocket, tried with the client of its published protocol.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod support;

use std::process::Command;

use support::{Sandbox, peers};

#[test]
fn the_published_client_sees_the_arm_and_moves_it() {
    let Some(folder) = peers::node() else { return };
    let sandbox = Sandbox::new();
    let world = sandbox.arm();
    let arguments = ["server", &world, "--bus-port", "0", "--foxglove", "0"];
    let running = sandbox.start_telling(&arguments, 2);
    let address = running.lines[1].strip_prefix("Foxglove: ").unwrap();
    let modules = folder.join("node_modules");
    let arguments = [address, modules.to_str().unwrap()];
    let said = peers::run(&mut Command::new("node"), "foxglove_client.mjs", &arguments);
    assert!(said.ends_with("all is well\n"), "{said}");
}
