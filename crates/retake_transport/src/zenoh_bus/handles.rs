//! Whether this process may have as many files and connections open as a bus takes.
//!
//! zenoh panics where it gets none for its own threads, so that it is asked before.

use rustix::process::{Resource, getrlimit};

use crate::error::BusError;

/// Fewest that a process needs: a server with its page and a client has some forty open.
const LEAST: u64 = 64;

/// Refuses to open a bus where the system's limit is too low for it.
pub(super) fn check() -> Result<(), BusError> {
    match getrlimit(Resource::Nofile).current {
        Some(limit) if limit < LEAST => Err(BusError::TooFewHandles { limit, least: LEAST }),
        _ => Ok(()),
    }
}
