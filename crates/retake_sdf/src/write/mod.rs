//! The description to SDF text.
//!
//! Reading what is written here gives the same description again, to the bit. Each file builds
//! the elements of one subject; `tree` merges in what the readers kept and lays the text out.

mod link;
mod model;
mod shape;
mod tree;
mod value;
mod world;

use retake_description::World;

use self::tree::Build;
use crate::CURRENT_VERSION;

/// Writes a world as SDF.
///
/// Frames are resolved in a description, so every pose is written in its default frame; included
/// models are written in full.
pub fn print_world(world: &World) -> String {
    let (major, minor) = CURRENT_VERSION;
    let root = tree::element("sdf")
        .with("version", &format!("{major}.{minor}"))
        .holding(vec![world::world(world)]);
    tree::rendered(&root)
}
