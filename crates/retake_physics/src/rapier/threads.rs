//! Threads of the engine: the calling one or a pool of its own, never the process-wide pool.

use std::sync::Arc;

use rapier3d_f64::rayon::{self, ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};

use crate::EngineError;

/// The threads that steps may use.
pub(super) struct Threads {
    /// None when the calling thread does it all.
    pool: Option<Arc<ThreadPool>>,
}

impl Threads {
    /// Only the calling thread.
    pub(super) const fn single() -> Self {
        Self { pool: None }
    }

    pub(super) fn resize(&mut self, threads: usize) -> Result<(), EngineError> {
        let now = self.pool.as_ref().map_or(1, |pool| pool.current_num_threads());
        if threads != now {
            self.pool = if threads == 1 { None } else { Some(own_pool(threads)?) };
        }
        Ok(())
    }

    /// The pool for a step, none for the calling thread; the results do not depend on which.
    ///
    /// Worlds with robots get one thread: the engine solves robots on one anyway, and when it
    /// panics there, its other threads would wait for ever.
    pub(super) fn pool(&self, has_robots: bool) -> Option<Arc<ThreadPool>> {
        let pool = self.pool.as_ref().filter(|_| !has_robots).map(Arc::clone);
        if pool.is_none() {
            keep_to_this_thread();
        }
        pool
    }
}

fn own_pool(threads: usize) -> Result<Arc<ThreadPool>, EngineError> {
    let builder = ThreadPoolBuilder::new()
        .num_threads(threads)
        .thread_name(|index| format!("physics-{index}"));
    let refused =
        |error: ThreadPoolBuildError| EngineError::NoThreads { threads, reason: error.to_string() };
    builder.build().map(Arc::new).map_err(refused)
}

/// Makes the calling thread a pool of itself, once.
///
/// Otherwise the engine would use the process-wide pool, and a pool of one other thread costs a
/// wake-up of some 50 µs in every step. The pool stays with the thread until the thread ends.
fn keep_to_this_thread() {
    if rayon::current_thread_index().is_none() {
        // A refusal leaves the process-wide pool, whose results are the same.
        ThreadPoolBuilder::new().num_threads(1).use_current_thread().build().ok();
    }
}
