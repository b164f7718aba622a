//! Keyframes as messages.

use retake_msgs::LoggedKeyframe;
use retake_physics::EngineError;

use crate::Keyframe;

/// Tells a keyframe so that a world can go on from it.
///
/// # Errors
/// [`EngineError`] when the engine's half cannot be written.
pub(super) fn logged(keyframe: &Keyframe) -> Result<LoggedKeyframe, EngineError> {
    let clock = keyframe.clock();
    let engine = keyframe.engine_bytes()?;
    Ok(LoggedKeyframe {
        sim_time: Some(clock.sim_time.into()),
        iterations: clock.iterations,
        epoch: keyframe.epoch,
        engine: engine.engine,
        engine_version: engine.version,
        engine_state: engine.bytes,
        state: Some(keyframe.ecm.encode_full()),
    })
}
