//! Threads of the engine: its own pools, never the process-wide one.

use std::sync::Arc;

use rapier3d_f64::rayon::{ThreadPool, ThreadPoolBuilder};

use crate::EngineError;

/// A pool of one thread, and one of as many as the settings allow.
pub(super) struct Pools {
    one: Arc<ThreadPool>,
    many: Arc<ThreadPool>,
}

impl Pools {
    pub(super) fn new(threads: usize) -> Result<Self, EngineError> {
        let one = pool(1)?;
        let mut pools = Self { many: Arc::clone(&one), one };
        pools.resize(threads)?;
        Ok(pools)
    }

    pub(super) fn resize(&mut self, threads: usize) -> Result<(), EngineError> {
        if threads != self.many.current_num_threads() {
            self.many = if threads == 1 { Arc::clone(&self.one) } else { pool(threads)? };
        }
        Ok(())
    }

    /// The pool for a step; the results do not depend on which.
    ///
    /// Worlds with robots get one thread: the engine solves robots on one anyway, and when it
    /// panics there, its other threads would wait for ever.
    pub(super) fn pool(&self, has_robots: bool) -> Arc<ThreadPool> {
        Arc::clone(if has_robots { &self.one } else { &self.many })
    }
}

fn pool(threads: usize) -> Result<Arc<ThreadPool>, EngineError> {
    let builder = ThreadPoolBuilder::new()
        .num_threads(threads)
        .thread_name(|index| format!("physics-{index}"));
    let no_threads = |error: rapier3d_f64::rayon::ThreadPoolBuildError| EngineError::NoThreads {
        threads,
        reason: error.to_string(),
    };
    builder.build().map(Arc::new).map_err(no_threads)
}
