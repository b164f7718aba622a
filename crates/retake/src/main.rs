//! The retake binary.

use std::process::ExitCode;

use mimalloc::MiMalloc;

/// A world is many small blocks, and keyframes and messages are copies of them that come and go in
/// masses, which this one is quicker at than the C library's. See docs/decisions/0017.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    retake::main()
}
