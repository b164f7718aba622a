//! How much a list takes: what is more is refused. Whatever is in a list can be saved, read again
//! and played.

/// The most waypoints of a list.
pub const MAX_POINTS: usize = 20_000;
/// The most bytes of all texts of a list together; below it a file stays within its own bounds
/// whatever has to be spelt out in it.
pub const MAX_TEXTS_BYTES: usize = 512 << 10;
/// The slowest speed, against the taught one.
pub const SLOWEST: f64 = 0.05;
/// The fastest speed, against the taught one.
pub const FASTEST: f64 = 20.0;
/// The most edits that can be undone; the oldest are forgotten.
pub const MAX_UNDO: usize = 200;
/// The most that all lists that can be gone back to weigh, in bytes, about; the oldest are
/// forgotten, but never the last.
pub(super) const MAX_UNDO_BYTES: usize = 64 << 20;
