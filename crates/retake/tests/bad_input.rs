//! Bad input gets one clear line and the right exit code.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod support;

use std::fs;
use std::os::unix::fs::PermissionsExt;

use expect_test::{Expect, expect};
use support::Sandbox;

const WORLD: &str =
    r#"<sdf version="1.11"><world name="w"><model name="m"><link name="l"/></model></world></sdf>"#;

/// Runs the program and compares its complaint; the sandbox's folder is written as `$DIR`.
fn check(sandbox: &Sandbox, arguments: &[&str], expected: Expect) {
    let complaint = sandbox.retake(arguments).complaint();
    expected.assert_eq(&complaint.replace(&sandbox.folder.path().display().to_string(), "$DIR"));
}

#[test]
fn a_missing_file_is_named() {
    let sandbox = Sandbox::new();
    check(
        &sandbox,
        &["run", "no/such.sdf", "--headless", "--iterations", "1"],
        expect![[r#"
        exit 1
        retake: error[sdf-no-such-file]: there is no file no/such.sdf
    "#]],
    );
}

#[test]
fn broken_xml_is_placed() {
    let sandbox = Sandbox::new();
    let file = sandbox
        .write("broken.sdf", "<sdf version='1.11'>\n  <world name='w'>\n  </wrld>\n</sdf>\n");
    check(
        &sandbox,
        &["run", &file, "--headless", "--iterations", "1"],
        expect![[r#"
        exit 1
        retake: $DIR/broken.sdf:3:3: error[xml-mismatched-tag]: </wrld> does not match <world> at line 2, column 3
    "#]],
    );
}

#[test]
fn an_unknown_element_is_a_finding_with_a_hint() {
    let sandbox = Sandbox::new();
    let file = sandbox.write(
        "typo.sdf",
        &WORLD.replace("<link name=\"l\"/>", "<link name=\"l\"><colision name=\"c\"/></link>"),
    );
    let ended = sandbox.retake(&["sdf", "check", &file]);
    assert_eq!(ended.code, 1);
    let findings = ended.stdout.replace(&sandbox.folder.path().display().to_string(), "$DIR");
    expect![[r#"
        $DIR/typo.sdf:1:68: warning[sdf-unknown-element]: SDF has no <colision> in <link>; it is kept and not used. Did you mean <collision>?
    "#]].assert_eq(&findings);
    // A world with a warning runs all the same.
    let ran = sandbox.retake(&["run", &file, "--headless", "--iterations", "1", "--hash"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
}

#[test]
fn an_unknown_profile_lists_the_known() {
    let sandbox = Sandbox::new();
    let file = sandbox.write("world.sdf", WORLD);
    check(
        &sandbox,
        &["run", &file, "--headless", "--iterations", "1", "-o", "quick"],
        expect![[r#"
            exit 1
            retake: No profile named "quick" in this world. Known: default_physics
        "#]],
    );
}

#[test]
fn usage_is_exit_code_two() {
    let sandbox = Sandbox::new();
    assert_eq!(sandbox.retake(&["frobnicate"]).code, 2);
    assert_eq!(sandbox.retake(&["entity", "move", "box"]).code, 2);
}

#[test]
fn no_server_says_how_to_start_one() {
    let sandbox = Sandbox::new();
    check(
        &sandbox,
        &["world", "stats"],
        expect![[r#"
        exit 1
        retake: No Retake server is running. Start one with: retake run WORLD
    "#]],
    );
}

#[test]
fn a_busy_page_port_is_named() {
    let sandbox = Sandbox::new();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let file = sandbox.write("world.sdf", WORLD);
    let ended = sandbox.retake(&["run", &file, "--bus-port", "0", "--port", &port]);
    let complaint = ended.complaint().replace(&port, "$PORT");
    expect![[r#"
        exit 1
        retake: Port $PORT is taken. Stop the other program or choose another port with --port
    "#]]
    .assert_eq(&complaint);
}

#[test]
fn a_second_server_on_the_same_port_is_told_who_has_it() {
    let sandbox = Sandbox::new();
    let file = sandbox.write("world.sdf", WORLD);
    let first = sandbox.start(&["server", &file, "--bus-port", "0"]);
    let port = first.first_line.rsplit(':').next().unwrap().to_owned();
    let ended = sandbox.retake(&["server", &file, "--bus-port", &port]);
    let complaint = ended.complaint().replace(&port, "$PORT");
    let without_process = complaint.split("(process").next().unwrap();
    expect![[r#"
        exit 1
        retake: port $PORT is taken by the server of world "w" "#]]
    .assert_eq(without_process);
    assert_eq!(ended.code, 1);
}

#[test]
fn files_that_never_end_are_refused() {
    let sandbox = Sandbox::new();
    for arguments in [
        &["run", "/dev/zero", "--headless", "--iterations", "1"] as &[&str],
        &["scenario", "/dev/zero"],
        &["motion", "check", "/dev/zero"],
        &["motion", "info", "/dev/zero"],
        &["plot", "run", "--layout", "/dev/zero", "--out", "plot.svg"],
    ] {
        let ended = sandbox.retake(arguments);
        assert!(ended.code == 1, "{arguments:?}: exit {}, {}", ended.code, ended.stderr);
        let told = ended.stdout + &ended.stderr;
        assert!(told.contains("/dev/zero"), "{arguments:?}: {told}");
        // One says how many were bad after that.
        assert!(told.lines().count() <= 2, "{arguments:?}: {told}");
    }
}

#[test]
fn a_private_key_that_everybody_may_read_is_told() {
    let sandbox = Sandbox::new();
    let key = sandbox.write("key.pem", "no key");
    let run = |mode: u32| {
        fs::set_permissions(&key, fs::Permissions::from_mode(mode)).unwrap();
        let tls = ["--listen", "127.0.0.1:0", "--tls-cert", &key, "--tls-key", &key];
        sandbox.retake(&[&["run", "--iterations", "1"][..], &tls[..]].concat()).stderr
    };
    let told = format!("Everybody on this machine may read {key}. Run: chmod o= {key}");
    assert!(run(0o604).contains(&told));
    assert!(!run(0o640).contains("may read"));
}

#[test]
fn a_closed_pipe_is_no_failure() {
    let sandbox = Sandbox::new();
    let program = env!("CARGO_BIN_EXE_retake");
    let line = format!("set -o pipefail; {program} completions bash | head -n 1");
    let status = std::process::Command::new("bash").args(["-c", &line]).output().unwrap().status;
    assert!(status.success());
    drop(sandbox);
}

#[test]
fn what_holds_is_shown_with_what_changes_it() {
    let sandbox = Sandbox::new();
    let text = sandbox.retake(&["config", "show"]).success();
    for (name, value, changed_by) in [
        ("page", "http://127.0.0.1:8642/", "--port"),
        ("bus", "127.0.0.1:8643", "--bus-port"),
        ("undo", "200 commands, 512 MiB", "--undo-steps"),
        ("timeline", "256 MiB, 1800 s", "--timeline-memory"),
    ] {
        let line = text.lines().find(|line| line.starts_with(name)).unwrap();
        assert!(line.contains(value) && line.contains(changed_by), "{line}");
    }
    let json = sandbox.retake(&["config", "show", "--format", "json"]).success();
    let rows: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(rows[0]["name"], "version");
}
