//! Scenarios as their user runs them: what passes, what fails, and what is told.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod support;

use support::{Ended, Sandbox};

/// Runs lines over a world with a system that is stopped because of a bad parameter.
fn over_a_stopped_system(lines: &str) -> Ended {
    let sandbox = Sandbox::new();
    let world = support::root().join("scenarios/worlds/systems.sdf");
    let text = format!("world {}\nrun 1 steps\n{lines}", world.display());
    let file = sandbox.write("stopped.scenario", &text);
    let mut ended = sandbox.retake(&["scenario", &file]);
    ended.stdout = ended.stdout.replace(&sandbox.folder.path().display().to_string(), "");
    ended
}

#[test]
fn a_system_that_was_stopped_fails_a_scenario_that_does_not_expect_it() {
    let silent = over_a_stopped_system("");
    assert_eq!(silent.code, 1, "{}", silent.stdout);
    let named = "FAIL  /stopped.scenario: bad::";
    assert!(silent.stdout.starts_with(named), "{}", silent.stdout);
    assert!(silent.stdout.contains(" was stopped: <frequency> is \"fast\""), "{}", silent.stdout);
    for expected in [
        "expect event Notified with <frequency>",
        "expect component bad::retake::JointWave system_failure.reason \
         '<frequency> is \"fast\"; write a number'",
    ] {
        let told = over_a_stopped_system(&format!("{expected}\n"));
        assert_eq!(told.code, 0, "{expected}: {}", told.stdout);
    }
    // Another event says nothing of systems, nor does what is told of something else.
    let jumped = "entity move bad --to 1 2 3\nundo\nexpect event TimeJumped with undo\n";
    let told = over_a_stopped_system(jumped);
    assert!(told.code == 1 && told.stdout.starts_with(named), "{}", told.stdout);
}

#[test]
fn a_pipe_that_nobody_writes_is_refused_and_the_other_files_run() {
    let sandbox = Sandbox::new();
    let pipe = sandbox.folder.path().join("pipe.scenario").display().to_string();
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let ran = sandbox.retake(&["scenario", &pipe, "scenarios/free_fall.scenario"]);
    assert_eq!(ran.code, 1);
    assert!(ran.stdout.contains("pipe.scenario: it is not a regular file"), "{}", ran.stdout);
    assert!(ran.stdout.ends_with("1 passed, 1 failed\n"), "{}", ran.stdout);
}
