//! Lenient XML and SDF to the description and back.
//!
//! Readers give their best and report everything with its place; they never panic, and their
//! memory and time are bounded. Frames are resolved here, so that nobody else needs to know them.
//! URDF is told in SDF first. Merged includes and the network are not here.

mod as_written;
mod elements;
mod frames;
mod library;
mod load;
mod part;
mod profiles;
mod resolved;
pub mod save;
mod sdf;
mod urdf;
mod write;
mod xml;

pub use as_written::AsWritten;
pub use elements::{parse_elements, print_elements};
pub use library::{Library, LibraryLimits, LibraryModel, list_models};
pub use load::{
    Contents, FileFormat, Fragment, LoadOptions, load_file, load_world_file, parse_fragment,
    parse_world,
};
pub use part::{Part, PartDraft, Surroundings, parse_part, with_included};
pub use profiles::parse_profiles;
pub use resolved::resolved;
pub use sdf::MAX_FILE_BYTES;
pub use urdf::FixedJoints;
pub use write::{Urdf, UrdfFrame, print_model, print_profile, print_urdf, print_world};

/// Version that is written, and taken for text that states none.
const CURRENT_VERSION: sdf::Version = (1, 11);
/// Oldest version that is read: before it, values were attributes and elements had other names.
const OLDEST_READ_VERSION: sdf::Version = (1, 3);
/// Newest version whose elements are known here.
const NEWEST_KNOWN_VERSION: sdf::Version = (1, 12);
/// Most elements inside one another.
const MAX_DEPTH: usize = 200;
