//! What the program says when it is not told what to do.

use std::process::Command;

fn run(arguments: &[&str]) -> (Option<i32>, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_retake_soak")).args(arguments).output();
    let output = output.expect("it was built for this test");
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn without_a_program_it_says_how_to_use_it() {
    for arguments in [&[][..], &["--help"], &["retake", "long"]] {
        let (code, said) = run(arguments);
        assert_eq!(code, Some(2), "{said}");
        assert!(said.starts_with("retake_soak RETAKE [MINUTES] [SEED]"), "{said}");
    }
}

#[test]
fn a_program_that_is_not_there_is_named() {
    let (code, said) = run(&["no/such/program", "1"]);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("no/such/program"), "{said}");
}
