//! Recording: what happens to a world, in order, written to a log by a thread of its own.
//!
//! A [`Tape`] notes what happens, on the step thread; a [`tap::Tap`] carries it to the thread that
//! encodes and writes; the [`Recorder`] starts and ends that. The step thread never waits for the
//! disk: what does not fit between the two is left out, counted, and the gap is in the log.

mod file_name;
mod keyframes;
mod recorder;
mod resources;
mod scene;
mod session;
mod shapes;
mod tap;
mod tape;
mod topics;
mod writing;

pub use recorder::Recorder;
pub(crate) use recorder::ended_message;
pub use resources::RESOURCES;
pub use session::Recording;
pub(crate) use tap::Pressure;
pub use tap::WhenFull;
pub(crate) use tape::Tape;
pub use tape::{Happened, Happening};
