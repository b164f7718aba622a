//! A complete state in memory, as it was captured or squeezed.
//!
//! Entities share what did not change with their neighbours, so they stay as they are. The engine's
//! half is a whole copy; when room gets short it is written as bytes and compressed.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use retake_ecm::EcmSnapshot;
use retake_physics::EngineState;

use crate::Keyframe;

/// Level of compression: the fastest; higher ones gain a tenth and take several times as long.
const LEVEL: i32 = 1;

/// A complete state that is kept.
pub(crate) struct Slot {
    half: Mutex<Half>,
    ecm: EcmSnapshot,
    epoch: u64,
    /// Bytes of the engine's half, so that nobody has to wait for the lock to know.
    engine_bytes: AtomicU64,
}

/// The engine's half.
enum Half {
    Captured(Keyframe),
    Squeezed(Arc<Squeezed>),
}

/// An engine's state, compressed.
pub(super) struct Squeezed {
    engine: String,
    version: String,
    /// Exactly as long as it is: what compresses asks for as much as there was before.
    bytes: Box<[u8]>,
    /// Bytes before.
    full: usize,
}

/// What a state is put in place from.
pub(super) enum Content {
    /// As it was captured.
    Captured(Keyframe),
    /// The engine's half has to be unpacked.
    Squeezed(Arc<Squeezed>, EcmSnapshot),
}

impl Slot {
    pub(super) fn new(keyframe: Keyframe) -> Self {
        Self {
            ecm: keyframe.ecm.clone(),
            epoch: keyframe.epoch,
            engine_bytes: AtomicU64::new(keyframe.engine.bytes() as u64),
            half: Mutex::new(Half::Captured(keyframe)),
        }
    }

    /// Returns the entities.
    pub(super) fn ecm(&self) -> &EcmSnapshot {
        &self.ecm
    }

    /// Returns the stretch that the state belongs to.
    pub(super) fn epoch(&self) -> u64 {
        self.epoch
    }

    /// Returns about how many bytes the engine's half takes.
    pub(super) fn engine_bytes(&self) -> u64 {
        self.engine_bytes.load(Ordering::Relaxed)
    }

    /// Says whether squeezing would gain anything.
    pub(super) fn can_be_squeezed(&self) -> bool {
        matches!(&*self.lock(), Half::Captured(keyframe) if keyframe.is_exact())
    }

    /// Returns what the state is put in place from.
    pub(super) fn content(&self) -> Content {
        match &*self.lock() {
            Half::Captured(keyframe) => Content::Captured(keyframe.clone()),
            Half::Squeezed(squeezed) => Content::Squeezed(Arc::clone(squeezed), self.ecm.clone()),
        }
    }

    /// Squeezes the engine's half. The lock is held only to look and to swap: the step thread may
    /// want to look meanwhile.
    pub(super) fn squeeze(&self) {
        let Content::Captured(keyframe) = self.content() else { return };
        let squeezed = match Squeezed::of(&keyframe) {
            Ok(squeezed) => squeezed,
            Err(reason) => {
                tracing::warn!(reason, "a state of the timeline stays as large as it is");
                return;
            }
        };
        self.engine_bytes.store(squeezed.bytes.len() as u64, Ordering::Relaxed);
        let before = std::mem::replace(&mut *self.lock(), Half::Squeezed(Arc::new(squeezed)));
        // Outside of the lock, because letting go of it takes time, too.
        drop((before, keyframe));
    }

    /// A panic while the lock was held leaves the one half or the other behind.
    fn lock(&self) -> MutexGuard<'_, Half> {
        self.half.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Squeezed {
    fn of(keyframe: &Keyframe) -> Result<Self, String> {
        let EngineState { engine, version, bytes } =
            keyframe.engine_bytes().map_err(|error| error.to_string())?;
        let full = bytes.len();
        let bytes = zstd::bulk::compress(&bytes, LEVEL).map_err(|error| error.to_string())?;
        Ok(Self { engine, version, bytes: bytes.into_boxed_slice(), full })
    }

    /// Unpacks the engine's half.
    pub(super) fn open(&self) -> std::io::Result<EngineState> {
        let bytes = zstd::bulk::decompress(&self.bytes, self.full)?;
        let (engine, version) = (self.engine.clone(), self.version.clone());
        Ok(EngineState { engine, version, bytes })
    }
}
