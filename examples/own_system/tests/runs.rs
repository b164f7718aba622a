//! The program that this crate builds: a Retake that knows the metronome.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::process::{Command, Output};

fn run(arguments: &[&str]) -> Output {
    let runtime = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_own_system"));
    command.args(arguments).current_dir(env!("CARGO_MANIFEST_DIR"));
    command.env("XDG_RUNTIME_DIR", runtime.path()).env_remove("RUST_LOG").output().unwrap()
}

#[test]
fn the_program_runs_its_own_system() {
    let arguments = ["run", "metronome.sdf", "--headless", "--iterations", "1500", "--hash"];
    let first = run(&arguments);
    let said = String::from_utf8_lossy(&first.stderr).into_owned();
    assert!(first.status.success(), "{said}");
    // Retake alone would say that it does not know the plugin.
    assert!(!said.contains("not known"), "{said}");
    assert_eq!(first.stdout, run(&arguments).stdout);
    let shorter = run(&["run", "metronome.sdf", "--headless", "--iterations", "1499", "--hash"]);
    assert_ne!(first.stdout, shorter.stdout);
}
