//! A server, two GUI hosts and the command line, each a process of its own; and how one ends.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod support;

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::Stdio;

use retake_msgs::WorldControl;
use rustix::process::{Pid, Signal, kill_process};
use support::page::Page;
use support::{Ended, Sandbox};

#[test]
fn a_pause_in_one_is_seen_in_all() {
    let sandbox = Sandbox::new();
    let _server = sandbox.start(&["server", "worlds/cones.sdf", "--bus-port", "0"]);
    let first = sandbox.start(&["gui", "--port", "0"]);
    let second = sandbox.start(&["gui", "--port", "0"]);
    let cli_says = |paused: bool| {
        let stats = sandbox.retake(&["world", "stats", "--format", "json"]).success();
        stats.contains(&format!("\"paused\": {paused}"))
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let mut one = Page::open(&first.page()).await;
        let mut two = Page::open(&second.page()).await;
        one.until_paused(false).await;
        two.until_paused(false).await;
        assert!(cli_says(false));

        one.control(WorldControl { pause: Some(true), ..WorldControl::default() }).await;
        one.until_paused(true).await;
        two.until_paused(true).await;
        assert!(cli_says(true));

        sandbox.retake(&["world", "play"]).success();
        one.until_paused(false).await;
        two.until_paused(false).await;
    });
}

#[test]
fn a_world_that_waits_for_a_controller_says_so_on_its_terminal() {
    let sandbox = Sandbox::new();
    let serve = "server worlds/cones.sdf --bus-port 0 --lockstep ctl --lockstep-timeout 3";
    let mut command = sandbox.command(&serve.split(' ').collect::<Vec<_>>());
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let told = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
    let told: Vec<String> = told.take(2).collect();
    child.kill().unwrap();
    child.wait().unwrap();
    let paused = "No answer of controller \"ctl\" (which has not joined) within 3 s: the world is \
                  paused. Play waits anew";
    let waits = "Waits for controller \"ctl\". Start it, or leave out --lockstep";
    assert_eq!(told, [waits, paused]);
}

#[test]
fn edits_from_the_command_line_reach_the_server() {
    let sandbox = Sandbox::new();
    let _server = sandbox.start(&["server", "worlds/cones.sdf", "--bus-port", "0", "--paused"]);
    let done = sandbox.retake(&["entity", "move", "cone_1", "--to", "5", "-5", "1"]).success();
    assert_eq!(done.trim(), "Move cone_1");
    let shown = sandbox.retake(&["entity", "show", "cone_1", "--format", "json"]).success();
    let shown: serde_json::Value = serde_json::from_str(&shown).unwrap();
    assert_eq!(shown["world_pose"]["position"], serde_json::json!([5.0, -5.0, 1.0]));
    let refused = sandbox.retake(&["entity", "delete", "nothing"]);
    assert_eq!(refused.code, 1);
    assert!(refused.stderr.contains("No entity named \"nothing\". Known: "), "{}", refused.stderr);
    let saved = sandbox.folder.path().join("saved.sdf").display().to_string();
    sandbox.retake(&["world", "save", &saved]).success();
    assert_eq!(sandbox.retake(&["sdf", "check", &saved]).code, 0);
}

#[test]
fn a_scenario_that_is_told_to_end_leaves_nothing_behind() {
    let sandbox = Sandbox::new();
    let folder = sandbox.folder.path().join("temporary");
    fs::create_dir(&folder).unwrap();
    let count = || fs::read_dir(&folder).unwrap().count();
    let model = "<model name='m'><link name='l'/></model>";
    sandbox.write("w.sdf", &format!("<sdf version='1.11'><world name='w'>{model}</world></sdf>"));
    let long = sandbox.write("long.scenario", "world w.sdf\nrun 36000s\n");
    for signal in [Signal::INT, Signal::TERM] {
        let mut command = sandbox.command(&["scenario", &long, &long]);
        command.env("TMPDIR", &folder).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        // With the world comes a folder for its logs.
        while count() == 0 && child.try_wait().unwrap().is_none() {
            std::thread::yield_now();
        }
        kill_process(Pid::from_child(&child), signal).unwrap();
        let ended = Ended::from(child.wait_with_output().unwrap());
        let told = format!("FAIL  {long}:2: told to end\n0 passed, 1 failed\n");
        assert_eq!((ended.code, ended.stdout), (1, told));
        assert_eq!(ended.stderr, "Told to end. Scenarios that were not run: 1\n");
        assert_eq!(count(), 0);
    }
}
