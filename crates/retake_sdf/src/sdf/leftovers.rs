//! What a file says beyond what the description has a place for.
//!
//! Everything that no reader took is kept as [`Element`]s and written back by `crate::write`. Of an
//! element that was read in part, only the rest is kept, under the same name; the writer merges
//! it back. Such remains come first and sorted, so that writing and reading keeps the order.

use std::collections::BTreeSet;

use retake_description::Element;
use retake_diag::Diagnostic;

use super::context::{Context, nearest};
use super::schema;
use crate::xml::{Node, Use};

/// Collects what was not read of `node`'s children, and warns of names that SDF does not know.
pub(super) fn leftovers(cx: &mut Context<'_>, node: Node<'_>) -> Vec<Element> {
    let mut remains = Vec::new();
    let mut whole = Vec::new();
    let read = node.children().filter(|child| child.used() == Use::Value);
    let read: BTreeSet<&str> = read.map(Node::name).collect();
    for child in node.children() {
        match child.used() {
            Use::Thing => {}
            Use::Value => {
                let children = leftovers(cx, child);
                if !children.is_empty() {
                    remains.push(Element {
                        name: child.name().to_owned(),
                        children,
                        ..Element::default()
                    });
                }
            }
            Use::Unused if read.contains(child.name()) => warn_repeated(cx, child),
            Use::Unused => {
                warn_unknown(cx, node, child);
                whole.push(element(child));
            }
        }
    }
    remains.sort_by(|a: &Element, b: &Element| a.name.cmp(&b.name));
    remains.append(&mut whole);
    remains
}

/// Copies an element with all that is in it.
pub(super) fn element(node: Node<'_>) -> Element {
    Element {
        name: node.name().to_owned(),
        attributes: node.attributes().map(|(k, v)| (k.to_owned(), v.to_owned())).collect(),
        text: node.text().to_owned(),
        children: node.children().map(element).collect(),
    }
}

fn warn_repeated(cx: &mut Context<'_>, child: Node<'_>) {
    let message = format!("only the first <{}> is used", child.name());
    cx.warning("sdf-repeated-element", child.place(), message);
}

fn warn_unknown(cx: &mut Context<'_>, parent: Node<'_>, child: Node<'_>) {
    let name = child.name();
    let Some(known) = schema::children_of(parent.name()) else { return };
    // A prefix marks an extension, which SDF lets everybody have.
    if name.contains(':') || known.contains(&name) {
        return;
    }
    let path = format!("{}/{name}", parent.name());
    if !cx.first_time(path) {
        return;
    }
    let message = format!("SDF has no <{name}> in <{}>; it is kept and not used", parent.name());
    let mut warning = Diagnostic::warning("sdf-unknown-element", message).at(child.place());
    if let Some(similar) = nearest(name, known.iter().copied()) {
        warning = warning.help(format!("Did you mean <{similar}>?"));
    }
    cx.diagnostics.push(warning);
}
