//! Text to the draft of a part, and to a text that needs no other files.

use std::sync::Arc;

use retake_assets::ResourceRoots;
use retake_diag::{Diagnostic, Diagnostics};

use super::{Draft, Part, PartDraft, Surroundings};
use crate::sdf::{self, Context, Included};
use crate::urdf;
use crate::write::print_model;
use crate::xml::Node;

/// Elements that are parts.
const TAGS: [&str; 11] = [
    "model",
    "include",
    "light",
    "actor",
    "link",
    "joint",
    "frame",
    "collision",
    "visual",
    "sensor",
    "plugin",
];

/// Reads one element from text, alone or inside `<sdf>`; a URDF robot is a model.
///
/// Made for what others send to a running world, so far fewer elements are taken than of a file.
/// Returns none when there is none or more than one; whatever is wrong is in `diagnostics`.
pub fn parse_part(
    text: &str,
    file_name: &str,
    roots: &ResourceRoots,
    diagnostics: &mut Diagnostics,
) -> Option<PartDraft> {
    let mut cx = Context::for_fragment(diagnostics, roots);
    let document = sdf::parsed(&mut cx, text, &Arc::from(file_name))?;
    let document = urdf::as_sdf(&mut cx, &document)?;
    let bare: Vec<Node<'_>> = document.roots().filter(is_part).collect();
    let nodes = match bare.is_empty() {
        false => bare,
        true => {
            let root = sdf::root_of(&mut cx, &document)?;
            let inside: Vec<Node<'_>> = root.children().filter(is_part).collect();
            if inside.is_empty() {
                let message = "there is nothing to insert";
                let error = Diagnostic::error("sdf-no-fragment", message).at(root.place());
                cx.diagnostics.push(error.help(format!("Write one of {}", TAGS.join(", "))));
            }
            inside
        }
    };
    if let [_, second, ..] = nodes.as_slice() {
        let message =
            format!("only one element is inserted at once, and <{}> is another", second.name());
        cx.error("sdf-several-fragments", second.place(), message);
        return None;
    }
    draft(&mut cx, *nodes.first()?).map(PartDraft)
}

fn is_part(node: &Node<'_>) -> bool {
    TAGS.contains(&node.name())
}

fn draft(cx: &mut Context<'_>, node: Node<'_>) -> Option<Draft> {
    Some(match node.name() {
        "model" => Draft::Model(Box::new(sdf::model(cx, node)?)),
        "include" => included(cx, node)?,
        "actor" => Draft::Model(Box::new(sdf::actor(cx, node)?)),
        "light" => Draft::Light(sdf::light(cx, node)?),
        "plugin" => Draft::Plugin(sdf::plugin(cx, node)),
        tag => {
            let name = cx.name_of(node)?;
            match tag {
                "link" => Draft::Link(Box::new(sdf::link(cx, node, name))),
                "joint" => Draft::Joint(Box::new(sdf::joint(cx, node, name)?)),
                "frame" => Draft::Frame(sdf::frame(cx, node, name)),
                "collision" => Draft::Collision(Box::new(sdf::collision(cx, node, name))),
                "visual" => Draft::Visual(Box::new(sdf::visual(cx, node, name))),
                _ => Draft::Sensor(sdf::sensor(cx, node, name)),
            }
        }
    })
}

/// Reads what is in another file.
fn included(cx: &mut Context<'_>, node: Node<'_>) -> Option<Draft> {
    match sdf::include(cx, node)? {
        Included::Model(draft) => Some(Draft::Model(draft)),
        Included::Light(light) => Some(Draft::Light(*light)),
        Included::Parts(..) => {
            let message = "there is no model around it that it could be merged into";
            cx.error("sdf-merge-include", node.attribute_place("merge"), message);
            None
        }
    }
}

/// Writes a text that takes a model from other files so that it needs them no more, but for meshes
/// and images; none when it needs none, or is not a model that could be used alone.
pub fn with_included(text: &str, roots: &ResourceRoots) -> Option<String> {
    if !text.contains("<include") {
        return None;
    }
    // Whatever is wrong with it is told when it is used.
    let mut found = Diagnostics::new();
    let draft = parse_part(text, "", roots, &mut found).filter(|draft| !draft.names_others())?;
    match draft.placed_in(Surroundings::Nothing, None, &mut found)? {
        Part::Model(model) if !found.has_errors() => Some(print_model(&model)),
        _ => None,
    }
}
