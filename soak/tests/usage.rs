//! What the program says when it is not told what to do.

use std::process::Command;

/// The project's folder.
const PROJECT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

fn run(folder: &str, arguments: &[&str]) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_retake_soak"));
    let output = command.args(arguments).current_dir(folder).output();
    let output = output.expect("it was built for this test");
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn without_a_program_it_says_how_to_use_it() {
    for arguments in [&[][..], &["--help"], &["retake", "long"]] {
        let (code, said) = run(PROJECT, arguments);
        assert_eq!(code, Some(2), "{said}");
        assert!(said.starts_with("retake_soak RETAKE [MINUTES] [SEED]"), "{said}");
    }
}

#[test]
fn a_program_that_is_not_there_is_named() {
    let (code, said) = run(PROJECT, &["no/such/program", "1"]);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("no/such/program"), "{said}");
}

#[test]
fn elsewhere_than_in_the_projects_folder_it_says_where_to_start() {
    let (code, said) = run(concat!(env!("CARGO_MANIFEST_DIR"), "/src"), &["retake", "1"]);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.starts_with("There is no worlds/cones.sdf in "), "{said}");
    assert!(said.contains("Start the soak in the project's folder"), "{said}");
}
