//! What an engine remembers, as bytes for a file.
//!
//! The bytes belong to one engine in one version: another refuses them, and the world then starts
//! from its components alone. A digest in front tells damage from a state before anything is read.

use std::any::Any;
use std::fmt;

use xxhash_rust::xxh3::xxh3_128;

use crate::EngineError;

/// Bytes of the digest.
const DIGEST_BYTES: usize = 16;

/// The complete state of an engine as bytes.
///
/// Equal states give equal bytes. Shapes that come from a library are not in it: whoever decodes it
/// must know what they are made from.
#[derive(Clone, PartialEq, Eq)]
pub struct EngineState {
    /// Short name of the engine.
    pub engine: String,
    /// Library and version that can read the bytes.
    pub version: String,
    /// The state, with a digest in front.
    pub bytes: Vec<u8>,
}

/// A state that an engine captured, to be kept in an [`crate::EngineSnapshot`].
pub trait CapturedState: Any + Send + Sync {
    /// Says whether bytes can hold all of it.
    fn is_settled(&self) -> bool;

    /// Adds the bytes to `sink`.
    ///
    /// # Errors
    /// [`EngineError::Encode`] when something in it cannot be written.
    fn encode(&self, sink: &mut Vec<u8>) -> Result<(), EngineError>;
}

impl fmt::Debug for EngineState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "EngineState({}, {}, {} bytes)", self.engine, self.version, self.bytes.len())
    }
}

impl EngineState {
    /// Writes a state of the engine with this name and version.
    pub(crate) fn seal(
        engine: &str,
        version: &str,
        state: &dyn CapturedState,
    ) -> Result<Self, EngineError> {
        let mut bytes = vec![0; DIGEST_BYTES];
        state.encode(&mut bytes)?;
        let digest = xxh3_128(&bytes[DIGEST_BYTES..]).to_le_bytes();
        bytes[..DIGEST_BYTES].copy_from_slice(&digest);
        Ok(Self { engine: engine.to_owned(), version: version.to_owned(), bytes })
    }

    /// Returns the bytes behind the digest, for the engine with this name and version.
    pub(crate) fn open(&self, engine: &str, version: &str) -> Result<&[u8], EngineError> {
        if self.engine != engine || self.version != version {
            return Err(self.foreign(format!("{engine} ({version})")));
        }
        let (digest, payload) = self.bytes.split_at_checked(DIGEST_BYTES).unwrap_or_default();
        if digest != xxh3_128(payload).to_le_bytes() {
            let reason = "its digest does not match, so that it is damaged or cut off".to_owned();
            return Err(EngineError::BadState { reason });
        }
        Ok(payload)
    }

    /// The refusal of a state that nothing here can read.
    pub(crate) fn foreign(&self, here: String) -> EngineError {
        let written_by = format!("{} ({})", self.engine, self.version);
        EngineError::ForeignState { written_by, here }
    }
}
