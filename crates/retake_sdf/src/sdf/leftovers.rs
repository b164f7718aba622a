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
    collected(cx, node, Fate::Kept)
}

/// Warns of names that SDF does not know in an element whose rest has no place in the description.
pub(super) fn warn_dropped(cx: &mut Context<'_>, node: Node<'_>) {
    collected(cx, node, Fate::Dropped);
}

/// What becomes of an element that no reader took.
#[derive(Clone, Copy)]
enum Fate {
    Kept,
    Dropped,
}

fn collected(cx: &mut Context<'_>, node: Node<'_>, fate: Fate) -> Vec<Element> {
    warn_attributes(cx, node);
    let mut remains = Vec::new();
    let mut whole = Vec::new();
    let read = node.children().filter(|child| child.used() == Use::Value);
    let read: BTreeSet<&str> = read.map(Node::name).collect();
    for child in node.children() {
        match child.used() {
            Use::Thing => {}
            Use::Value => {
                let children = collected(cx, child, fate);
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
                warn_unknown(cx, (node, child), fate);
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

/// Warns of attributes that SDF does not know; the description has no place for them.
fn warn_attributes(cx: &mut Context<'_>, node: Node<'_>) {
    let Some(known) = schema::attributes_of(node.name()) else { return };
    for (name, _) in node.attributes() {
        // A prefix marks an extension, also that of XML itself.
        if known.contains(&name) || name.contains(':') || name == "xmlns" {
            continue;
        }
        if !cx.first_time(format!("{}@{name}", node.name())) {
            continue;
        }
        let message = format!("SDF has no attribute {name:?} of <{}>; it is left out", node.name());
        let place = node.attribute_place(name);
        let mut warning = Diagnostic::warning("sdf-unknown-attribute", message).at(place);
        if let Some(similar) = nearest(name, known.iter().copied()) {
            warning = warning.help(format!("Did you mean {similar:?}?"));
        }
        cx.diagnostics.push(warning);
    }
}

fn warn_unknown(cx: &mut Context<'_>, (parent, child): (Node<'_>, Node<'_>), fate: Fate) {
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
    let fate = match fate {
        Fate::Kept => "kept and not used",
        Fate::Dropped => "left out",
    };
    let message = format!("SDF has no <{name}> in <{}>; it is {fate}", parent.name());
    let mut warning = Diagnostic::warning("sdf-unknown-element", message).at(child.place());
    if let Some(similar) = nearest(name, known.iter().copied()) {
        warning = warning.help(format!("Did you mean <{similar}>?"));
    }
    cx.diagnostics.push(warning);
}
