//! Logs as files: what is in them, and worlds that go on from them.

mod files;
mod inspect;
mod rerun;
mod verify;

use std::sync::Arc;

use retake_ecm::Registry;

pub(crate) use files::Files;
pub(crate) use inspect::{run, run_verify};
pub(crate) use rerun::{Instant, Resumed, resume};
pub(crate) use verify::verify;

/// Returns the components that a log may have.
pub(crate) fn registry() -> Arc<Registry> {
    retake_sim::systems::register(retake_components::registry()).build()
}
