//! `<plugin>`.

use retake_description::Plugin;

use super::context::Context;
use super::leftovers::element;
use crate::xml::Node;

/// Reads the plugins of an element.
pub(super) fn plugins(cx: &mut Context<'_>, owner: Node<'_>) -> Vec<Plugin> {
    owner.take_things("plugin").map(|node| plugin(cx, node)).collect()
}

fn plugin(cx: &mut Context<'_>, node: Node<'_>) -> Plugin {
    let name = node.attribute("name").unwrap_or_default().to_owned();
    let filename = node.attribute("filename").unwrap_or_default().to_owned();
    if name.is_empty() && filename.is_empty() {
        let message = "<plugin> has neither a name nor a filename";
        cx.error("sdf-missing-name", node.place(), message);
    }
    Plugin { name, filename, body: node.children().map(element).collect() }
}
