//! Bad input gets one clear line and the right exit code.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod support;

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
    check(&sandbox, &["run", "no/such.sdf", "--headless", "--iterations", "1"], expect![[r#""#]]);
}

#[test]
fn broken_xml_is_placed() {
    let sandbox = Sandbox::new();
    let file = sandbox
        .write("broken.sdf", "<sdf version='1.11'>\n  <world name='w'>\n  </wrld>\n</sdf>\n");
    check(&sandbox, &["run", &file, "--headless", "--iterations", "1"], expect![[r#""#]]);
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
    expect![[r#""#]].assert_eq(&findings);
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
        expect![[r#""#]],
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
    check(&sandbox, &["world", "stats"], expect![[r#""#]]);
}

#[test]
fn a_busy_page_port_is_named() {
    let sandbox = Sandbox::new();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let file = sandbox.write("world.sdf", WORLD);
    let ended = sandbox.retake(&["run", &file, "--bus-port", "0", "--port", &port]);
    let complaint = ended.complaint().replace(&port, "$PORT");
    expect![[r#""#]].assert_eq(&complaint);
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
    expect![[r#""#]].assert_eq(without_process);
    assert_eq!(ended.code, 1);
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
