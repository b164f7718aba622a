//! `<plugin>`.

use retake_description::{Element, Plugin};

use super::context::Context;
use super::leftovers::element;
use crate::xml::Node;

/// Reads the plugins of an element.
pub(super) fn plugins(cx: &mut Context<'_>, owner: Node<'_>) -> Vec<Plugin> {
    owner.take_things("plugin").map(|node| plugin(cx, node)).collect()
}

/// Reads one plugin.
pub(crate) fn plugin(cx: &mut Context<'_>, node: Node<'_>) -> Plugin {
    let name = node.attribute("name").unwrap_or_default().to_owned();
    let filename = node.attribute("filename").unwrap_or_default().to_owned();
    if name.is_empty() && filename.is_empty() {
        let message = "<plugin> has neither a name nor a filename";
        cx.error("sdf-missing-name", node.place(), message);
    }
    let own = own_attributes(node);
    let body = own.into_iter().chain(node.children().map(element)).collect();
    Plugin { name, filename, body }
}

/// Keeps what a plugin says in its own tag: systems are told by elements, Gazebo's also by that.
fn own_attributes(node: Node<'_>) -> Option<Element> {
    let others = node.attributes().filter(|(name, _)| !matches!(*name, "name" | "filename"));
    let others: Vec<_> = others.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    let own = Element { text: node.text().to_owned(), ..Element::own(others) };
    (own != Element::default()).then_some(own)
}
