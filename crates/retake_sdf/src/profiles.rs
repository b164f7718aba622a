//! Texts to physics profiles alone.

use std::collections::BTreeSet;
use std::sync::Arc;

use retake_assets::ResourceRoots;
use retake_description::PhysicsProfile;
use retake_diag::Diagnostics;

use crate::sdf::{self, Context};
use crate::xml::{Document, Node};

/// Reads the profiles of a text: `<physics>` elements alone, inside `<sdf>` or inside its world.
///
/// Those without a name get one that is not `taken`. Made for what others send to a running world,
/// so far fewer elements are taken than of a file. Returns none when there is no profile; whatever
/// is wrong is in `diagnostics`.
pub fn parse_profiles(
    text: &str,
    file_name: &str,
    taken: &BTreeSet<&str>,
    diagnostics: &mut Diagnostics,
) -> Vec<PhysicsProfile> {
    let roots = ResourceRoots::new();
    let mut cx = Context::for_fragment(diagnostics, &roots);
    let Some(document) = sdf::parsed(&mut cx, text, &Arc::from(file_name)) else {
        return Vec::new();
    };
    let Some(nodes) = profile_nodes(&mut cx, &document) else { return Vec::new() };
    sdf::profiles_of(&mut cx, &nodes, taken)
}

fn profile_nodes<'d>(cx: &mut Context<'_>, document: &'d Document<'d>) -> Option<Vec<Node<'d>>> {
    let is_profile = |node: &Node<'_>| node.name() == "physics";
    let bare: Vec<Node<'d>> = document.roots().filter(is_profile).collect();
    if !bare.is_empty() {
        return Some(bare);
    }
    let root = sdf::root_of(cx, document)?;
    let world = root.child("world");
    let inside = root.children().chain(world.into_iter().flat_map(Node::children));
    let found: Vec<Node<'d>> = inside.filter(is_profile).collect();
    if found.is_empty() {
        cx.error("sdf-no-profile", root.place(), "there is no <physics> element to take");
        return None;
    }
    Some(found)
}
