//! Damaged files and messages against every reader.
//!
//! A [`Target`] is one reader with the samples it begins from and what must hold of it; all of them
//! are in one list, [`TARGETS`]. Each is tried with a bounded number of inputs in the tests of this
//! crate, and without end by `make fuzz`. An input depends on the seed, the target and its number
//! alone, so that any of them can be made again.
//!
//! What must hold of all: no panic, no overflow of the stack, bounded memory and time. Each target
//! adds what its reader promises: that an error has a place, that what was printed reads back.
//! An input that once broke something is a file in `kept/<target>/`, and is tried first ever after.
//!
//! Deliberately not here: feedback by coverage. It would need another build of everything.

mod damage;
mod drive;
mod memory;
mod samples;
mod targets;
mod words;

pub use drive::{Broken, Plan, Tally, drive, one_case};
pub use targets::{Seen, TARGETS, Target, Verdict};
