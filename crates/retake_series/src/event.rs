//! Finding the instant at which something happened, to align runs by it.

use crate::walk::{Run, runs};
use crate::{Series, Timeline};

/// Returns the time of the first live sample that is neither zero nor a gap.
///
/// The series is a condition such as `"arm::contact_force" > 5`, or any signal that rests at zero.
pub fn event_time(series: &Series, timeline: &Timeline) -> Option<i64> {
    let runs = runs(series, timeline.live(), i64::MIN, i64::MAX);
    runs.iter().flat_map(Run::pieces).find_map(|piece| {
        let cell = piece.chunk.cell(piece.range.clone());
        if !cell.has_values() || (cell.min == 0.0 && cell.max == 0.0) {
            return None;
        }
        let mut values = piece.chunk.values(piece.range.clone()).iter();
        let at = values.position(|value| value.is_finite() && *value != 0.0)?;
        Some(piece.chunk.time(piece.range.start + at))
    })
}
