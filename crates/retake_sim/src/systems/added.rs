//! Systems that a program adds to those of Retake.

use std::sync::{PoisonError, RwLock};

use thiserror::Error;

use super::{KINDS, SystemKind};

static ADDED: RwLock<Vec<&'static SystemKind>> = RwLock::new(Vec::new());

/// A name that is given already.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("a system is called {name:?} already; give yours another name")]
pub struct NameTaken {
    /// The name.
    pub name: &'static str,
}

/// Adds a kind of system, for the whole program. Call it before the first world is loaded: worlds
/// and logs know only the components of the kinds that were there when they were.
///
/// # Errors
/// [`NameTaken`] when another system answers to one of its names.
pub fn add(kind: &'static SystemKind) -> Result<(), NameTaken> {
    let mut added = ADDED.write().unwrap_or_else(PoisonError::into_inner);
    let known = KINDS.iter().chain(added.iter().copied());
    let taken: Vec<&str> = known.flat_map(|kind| kind.names.iter().copied()).collect();
    if let Some(name) = kind.names.iter().find(|name| taken.contains(name)) {
        return Err(NameTaken { name });
    }
    added.push(kind);
    Ok(())
}

/// Returns the kinds that were added, in the order in which they were.
pub(super) fn added() -> Vec<&'static SystemKind> {
    ADDED.read().unwrap_or_else(PoisonError::into_inner).clone()
}
