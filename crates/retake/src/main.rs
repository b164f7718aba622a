//! The retake binary.

use std::process::ExitCode;

fn main() -> ExitCode {
    retake::main()
}
