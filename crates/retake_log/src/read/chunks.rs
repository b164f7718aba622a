//! Chunks in memory: the last few that were used.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::chunk::{ChunkContent, ChunkReader};

/// Chunks that are kept in memory; the one used longest ago goes first.
const KEPT_CHUNKS: usize = 8;

/// Most bytes of kept chunks.
const KEPT_BYTES: usize = 64 * 1024 * 1024;

/// Most readers of chunks that wait for their next.
const IDLE_READERS: usize = 4;

/// Chunks that were read, by their number.
#[derive(Debug, Default)]
pub(super) struct ChunkCache {
    kept: Mutex<VecDeque<(usize, Arc<ChunkContent>)>>,
    /// Those that nobody uses just now.
    readers: Mutex<Vec<ChunkReader>>,
}

impl ChunkCache {
    /// Returns a chunk that is in memory.
    pub(super) fn kept(&self, at: usize) -> Option<Arc<ChunkContent>> {
        let mut kept = lock(&self.kept);
        let found = kept.iter().position(|(chunk, _)| *chunk == at)?;
        let entry = kept.remove(found)?;
        let content = Arc::clone(&entry.1);
        kept.push_back(entry);
        Some(content)
    }

    /// Reads a chunk from its record and keeps it.
    ///
    /// # Errors
    /// A sentence that says why nothing of it can be used.
    pub(super) fn unpack(&self, at: usize, record: &[u8]) -> Result<Arc<ChunkContent>, String> {
        // Nobody waits for another's unpacking: the locks are held for a moment only.
        let mut reader = lock(&self.readers).pop().unwrap_or_default();
        let content = reader.read(record).map(Arc::new);
        let mut idle = lock(&self.readers);
        if idle.len() < IDLE_READERS {
            idle.push(reader);
        }
        drop(idle);
        let content = content?;
        self.keep(at, &content);
        Ok(content)
    }

    fn keep(&self, at: usize, content: &Arc<ChunkContent>) {
        let mut kept = lock(&self.kept);
        kept.push_back((at, Arc::clone(content)));
        let weight = |kept: &VecDeque<(usize, Arc<ChunkContent>)>| {
            kept.iter().map(|(_, content)| content.weight()).sum::<usize>()
        };
        while kept.len() > KEPT_CHUNKS || (kept.len() > 1 && weight(&kept) > KEPT_BYTES) {
            kept.pop_front();
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
