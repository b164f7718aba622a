//! Retake, with one more system: everything else is as in `retake`.
//!
//! `cargo run -- run metronome.sdf`

mod metronome;

use std::process::ExitCode;

fn main() -> ExitCode {
    // Before any world is loaded, so that every world and log knows its components.
    if let Err(error) = retake_sim::systems::add(&metronome::KIND) {
        eprintln!("{error}");
        return ExitCode::FAILURE;
    }
    retake::main()
}
