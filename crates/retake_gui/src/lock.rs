//! The one way to take a lock here.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Waits for the lock, also after a panic under it.
///
/// Nothing that this crate does under a lock can panic half way, so what is found is whole.
pub(crate) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
