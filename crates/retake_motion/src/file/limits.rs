//! How much of a file is taken: what is larger is refused by name, never cut.

/// The longest file, in bytes.
pub const MAX_FILE_BYTES: usize = 64 << 20;
/// Longest name of a motion, in bytes: files of longer names cannot be kept everywhere.
pub const MAX_NAME_BYTES: usize = 200;
/// The most joints of a motion.
pub const MAX_JOINTS: usize = 1024;
/// The most numbers of a motion: positions, velocities and accelerations of all waypoints.
pub const MAX_NUMBERS: usize = 1_000_000;
/// The most text actions of a motion.
pub const MAX_ACTIONS: usize = 4096;
/// The longest text, in bytes: a description, a note, a command.
pub const MAX_TEXT_BYTES: usize = 4096;
/// The most motions of one file.
pub const MAX_MOTIONS: usize = 4096;

/// The most values of any kind that a file is taken apart into; bounds the memory that reading
/// takes before a motion is known.
pub(super) const MAX_VALUES: usize = 4 << 20;
/// How deep lists and tables may be inside one another.
pub(super) const MAX_DEPTH: usize = 32;
