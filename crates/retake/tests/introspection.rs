//! Programs in other processes whose values are watched, and clients that vanish.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod support;

use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use support::Sandbox;

/// Longest time that anything here may take, on a machine that is busy with other things.
const PATIENCE: Duration = Duration::from_secs(60);

/// A program that ends with the test.
struct Other(Child);

impl Drop for Other {
    fn drop(&mut self) {
        self.0.kill().ok();
        self.0.wait().ok();
    }
}

fn example(name: &str) -> PathBuf {
    let test = std::env::current_exe().unwrap();
    test.parent().unwrap().parent().unwrap().join("examples").join(name)
}

/// Asks again until the answer fits.
fn until(what: &str, mut fits: impl FnMut() -> bool) {
    let start = Instant::now();
    while !fits() {
        assert!(start.elapsed() < PATIENCE, "waited in vain for {what}");
        std::thread::yield_now();
    }
}

#[test]
fn the_variables_of_another_program_are_found_watched_and_plotted() {
    let sandbox = Sandbox::new();
    let _server = sandbox.start(&["server", "worlds/pendulums.sdf", "--bus-port", "0"]);
    let mut program = Command::new(example("controller"));
    program.env("XDG_RUNTIME_DIR", sandbox.folder.path()).stdout(Stdio::null());
    let _program = Other(program.spawn().unwrap());
    let says = |arguments: &[&str]| sandbox.retake(arguments).success();
    until("the program", || says(&["introspect", "managers"]).contains("controller\n"));
    let listed = says(&["introspect", "list", "--manager", "controller"]);
    let names: Vec<&str> = listed.lines().filter_map(|line| line.split("  ").next()).collect();
    assert_eq!(names, ["cycles", "state", "wave"]);
    let watched = says(&[
        "introspect",
        "watch",
        "--manager",
        "controller",
        "wave",
        "state",
        "--count",
        "3",
        "--format",
        "json",
    ]);
    assert_eq!(watched.matches("\"wave\"").count(), 3, "{watched}");
    assert_eq!(watched.matches("\"state.z\"").count(), 3, "{watched}");

    let table = sandbox.folder.path().join("wave.csv").display().to_string();
    says(&[
        "plot",
        "live",
        "--seconds",
        "0.3",
        "--item",
        "controller#wave",
        "--item",
        "wave_1::pivot::angle",
        "--out",
        &table,
    ]);
    let table = std::fs::read_to_string(table).unwrap();
    assert!(table.contains("controller#wave"), "{}", &table[..200]);
    assert!(table.contains("wave_1::pivot::angle"), "{}", &table[..200]);

    // Topics alone do not tell how much time has passed.
    let topics = sandbox.folder.path().join("topics.csv").display().to_string();
    let clock = "/world/pendulums/stats:iterations";
    says(&["plot", "live", "--seconds", "2", "--item", clock, "--out", &topics]);
    let topics = std::fs::read_to_string(topics).unwrap();
    let mut times: Vec<&str> =
        topics.lines().skip(1).filter_map(|line| line.split(',').next()).collect();
    times.dedup();
    assert!(times.len() > 1, "{topics}");

    let refused = sandbox.retake(&["introspect", "list", "--manager", "nobody"]);
    assert_eq!(refused.code, 1);
    assert!(refused.stderr.contains("no service named"), "{}", refused.stderr);
}

#[test]
fn the_filter_of_a_client_that_is_killed_goes_away() {
    let sandbox = Sandbox::new();
    let _server = sandbox.start(&["server", "worlds/pendulums.sdf", "--bus-port", "0"]);
    let filters = || {
        let topics = sandbox.retake(&["topic", "list"]).success();
        topics.lines().filter(|line| line.starts_with("/introspection/")).count()
    };
    let watch = ["introspect", "watch", "sim_time", "--rate", "10"];
    let mut client = sandbox.command(&watch).stdout(Stdio::null()).spawn().unwrap();
    until("the filter", || filters() == 1);
    client.kill().unwrap();
    client.wait().unwrap();
    until("the end of the filter", || filters() == 0);
}
