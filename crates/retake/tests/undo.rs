//! Undo over processes: a server and the command line, each a client of its own.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod support;

use serde_json::Value;
use support::{Running, Sandbox};

fn serve(sandbox: &Sandbox, more: &[&str]) -> Running {
    let common = ["server", "worlds/cones.sdf", "--bus-port", "0", "--paused"];
    sandbox.start(&[&common, more].concat())
}

fn json(sandbox: &Sandbox, arguments: &[&str]) -> Value {
    let said = sandbox.retake(&[arguments, &["--format", "json"]].concat()).success();
    serde_json::from_str(&said).unwrap()
}

fn hash(sandbox: &Sandbox) -> String {
    sandbox.retake(&["world", "hash"]).success()
}

const UNDO_REDO: [&str; 3] = ["service", "call", "/world/cones/undo_redo"];

/// Calls the service for undo and redo as any program may.
fn undo_redo(sandbox: &Sandbox, request: &str) -> Value {
    json(sandbox, &[&UNDO_REDO[..], &[request]].concat())
}

#[test]
fn one_process_undoes_what_another_did() {
    let sandbox = Sandbox::new();
    let _server = serve(&sandbox, &[]);
    let start = hash(&sandbox);
    sandbox.retake(&["entity", "move", "vehicle", "--to", "0", "0", "0.2"]).success();
    sandbox.retake(&["world", "step", "200"]).success();
    let history = json(&sandbox, &["history"]);
    assert_eq!(history["undo"][0]["description"], "Move vehicle");
    assert!(history["bytes"].as_u64().unwrap() > 1000, "{history}");
    let shown = sandbox.retake(&["history"]).success();
    assert!(shown.contains("Move vehicle, by cli-") && shown.contains("> now"), "{shown}");
    let aligned = ["entity", "align", "cone_1", "cone_2", "--to", "cone_3", "--y"];
    let said = sandbox.retake(&aligned).success();
    assert_eq!(said.trim(), "Align cone_1, cone_2 to cone_3");
    assert_eq!(sandbox.retake(&["undo"]).success().trim(), format!("Undone: {}", said.trim()));
    assert_eq!(sandbox.retake(&["undo"]).success().trim(), "Undone: Move vehicle");
    assert_eq!(hash(&sandbox), start);
    let nothing = sandbox.retake(&["undo"]);
    assert_eq!((nothing.code, nothing.stderr.contains("There is nothing to undo")), (1, true));
    assert_eq!(sandbox.retake(&["redo"]).success().trim(), "Redone: Move vehicle");
    assert_ne!(hash(&sandbox), start);
}

#[test]
fn whoever_is_too_late_is_told_and_a_request_sent_again_is_harmless() {
    let sandbox = Sandbox::new();
    let _server = serve(&sandbox, &[]);
    for cone in ["cone_1", "cone_2", "cone_3"] {
        sandbox.retake(&["entity", "move", cone, "--by", "0", "1", "0"]).success();
    }
    let undo = json(&sandbox, &["history"])["undo"].clone();
    let id = |at: usize| undo[at]["id"].as_str().unwrap().to_owned();
    let before = hash(&sandbox);
    // A reply that says no is printed, and the exit code says it too.
    let request = format!(r#"{{"id":"{}","undo":true}}"#, id(1));
    let late = sandbox.retake(&[&UNDO_REDO[..], &[&request]].concat());
    assert_eq!((late.code, late.stderr.as_str()), (1, ""));
    let late: Value = serde_json::from_str(&late.stdout).unwrap();
    assert_eq!(late["ok"], false);
    let said = late["message"].as_str().unwrap();
    assert!(said.starts_with("head moved: Move cone_3, by cli-"), "{said}");
    assert_eq!(hash(&sandbox), before);
    let request = format!(
        r#"{{"id":"{}","undo":true,"author":"ann","requestId":"0190-once","jump":true}}"#,
        id(1)
    );
    let first = undo_redo(&sandbox, &request);
    assert_eq!(first["message"], "Undone: 2 commands, up to Move cone_2");
    let there = hash(&sandbox);
    assert_eq!(undo_redo(&sandbox, &request), first);
    assert_eq!(hash(&sandbox), there);
    let left = json(&sandbox, &["history"]);
    assert_eq!(left["undo"].as_array().unwrap().len(), 1);
    assert_eq!(left["redo"].as_array().unwrap().len(), 2);
}

#[test]
fn without_undo_nothing_is_kept() {
    let sandbox = Sandbox::new();
    let _server = serve(&sandbox, &["--no-undo"]);
    sandbox.retake(&["entity", "move", "vehicle", "--to", "0", "0", "0.2"]).success();
    let history = json(&sandbox, &["history"]);
    assert_eq!((&history["enabled"], &history["bytes"]), (&Value::Bool(false), &Value::from(0)));
    let refused = sandbox.retake(&["undo"]);
    assert!(refused.stderr.contains("Undo is off. Switch it on"), "{}", refused.stderr);
    sandbox.retake(&["history", "on"]).success();
    sandbox.retake(&["entity", "move", "vehicle", "--to", "1", "0", "0.2"]).success();
    sandbox.retake(&["undo"]).success();
}
