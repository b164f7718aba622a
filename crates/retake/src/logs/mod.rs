//! Logs as files: what is in them, and worlds that go on from them.

mod files;
mod inspect;
mod rerun;
mod verify;

pub(crate) use files::Files;
pub(crate) use inspect::{run, run_verify};
pub(crate) use rerun::{Instant, Resumed, resume};
pub(crate) use verify::verify;
