//! The description to SDF text.
//!
//! Reading what is written here gives the same description again, to the bit. Each file builds
//! the elements of one subject; `tree` merges in what the readers kept and lays the text out.

mod link;
mod model;
mod shape;
mod tree;
mod urdf;
mod value;
mod world;

use retake_description::{Element, Model, PhysicsProfile, World};

use self::tree::Build;
pub(crate) use self::tree::{Layout, escaped};
pub use self::urdf::{Urdf, UrdfFrame, print_urdf};
pub(crate) use self::world::world as world_element;
use crate::{CURRENT_VERSION, sdf};

/// Writes a world as SDF.
///
/// Frames are resolved in a description, so every pose is written in its default frame; included
/// models are written in full.
pub fn print_world(world: &World) -> String {
    document(world_element(world))
}

/// Writes a model as SDF: a file that can be included in a world.
///
/// Frames are resolved as in [`print_world`].
pub fn print_model(model: &Model) -> String {
    document(model::model(model))
}

/// Writes a profile as a lone `<physics>` element.
pub fn print_profile(profile: &PhysicsProfile) -> String {
    let layout = Layout { indent: "", unit: "  ", newline: "\n" };
    layout.render(&world::profile(profile)) + "\n"
}

fn document(content: Element) -> String {
    let (major, minor) = version_for(&content);
    let root =
        tree::element("sdf").with("version", &format!("{major}.{minor}")).holding(vec![content]);
    tree::rendered(&root)
}

/// Finds the newest version that lets all names in: old files may have `::` in them.
fn version_for(content: &Element) -> sdf::Version {
    const LAST_WITH_COLONS: sdf::Version = (1, 7);
    if has_colons(content) { LAST_WITH_COLONS } else { CURRENT_VERSION }
}

fn has_colons(element: &Element) -> bool {
    let is_named = !matches!(element.name.as_str(), "plugin" | "gui");
    let colons = || element.attribute("name").is_some_and(|name| name.contains("::"));
    is_named && (colons() || element.children.iter().any(has_colons))
}
