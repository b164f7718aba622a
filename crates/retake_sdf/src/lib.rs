//! Lenient XML and SDF to the description and back.
//!
//! Readers give their best and report everything with its place; they never panic, and their
//! memory and time are bounded. Frames are resolved here, so that nobody else needs to know them.
//! URDF, merged includes and the network are not here.

mod frames;
mod load;
mod sdf;
mod write;
mod xml;

pub use load::{Fragment, load_world_file, parse_fragment, parse_world};
pub use write::print_world;

/// Version that is written, and taken for text that states none.
const CURRENT_VERSION: sdf::Version = (1, 11);
/// Newest version whose elements are known here.
const NEWEST_KNOWN_VERSION: sdf::Version = (1, 12);
/// Most elements inside one another.
const MAX_DEPTH: usize = 200;
