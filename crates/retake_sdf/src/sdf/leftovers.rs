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

/// Collects what was not read of `node`, and warns of names that SDF does not know.
pub(super) fn leftovers(cx: &mut Context<'_>, node: Node<'_>) -> Vec<Element> {
    let own = unread_attributes(cx, node);
    let own = (!own.is_empty()).then(|| Element::own(own));
    own.into_iter().chain(unread_children(cx, node)).collect()
}

/// Gives what an `<include>` says beyond its overrides to the thing that it brought.
///
/// What would mean something there is left out, since it means nothing in an include.
pub(super) fn adopt(extras: &mut Vec<Element>, rest: Vec<Element>, kind: &str) {
    for element in rest {
        let owned = extras.iter_mut().find(|extra| extra.name.is_empty());
        match (element.name.as_str(), owned) {
            ("", Some(own)) => own.attributes.extend(element.attributes),
            ("", None) => extras.insert(0, element),
            ("uri" | "name" | "placement_frame", _) => {}
            (name, _) if schema::children_of(kind).is_some_and(|known| known.contains(&name)) => {}
            _ => extras.push(element),
        }
    }
}

fn unread_children(cx: &mut Context<'_>, node: Node<'_>) -> Vec<Element> {
    let mut remains = Vec::new();
    let mut whole = Vec::new();
    let read = node.children().filter(|child| child.used() == Use::Value);
    let read: BTreeSet<&str> = read.map(Node::name).collect();
    for child in node.children() {
        match child.used() {
            Use::Thing => {}
            Use::Value => remains.extend(remains_of(cx, child)),
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

/// Elements whose value is written in another way, so that nothing of their own has a place.
const CONVERTED: [&str; 4] =
    ["density", "placement_frame", "screw_thread_pitch", "use_parent_model_frame"];

/// Keeps what was not read of an element that was; none when all of it was.
fn remains_of(cx: &mut Context<'_>, node: Node<'_>) -> Option<Element> {
    let attributes = unread_attributes(cx, node);
    let children = unread_children(cx, node);
    if (attributes.is_empty() && children.is_empty()) || CONVERTED.contains(&node.name()) {
        return None;
    }
    Some(Element { name: node.name().to_owned(), attributes, text: String::new(), children })
}

/// Copies an element with all that is in it.
pub(crate) fn element(node: Node<'_>) -> Element {
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

/// Returns the attributes that no reader looks at, and warns of those that SDF does not know.
fn unread_attributes(cx: &mut Context<'_>, node: Node<'_>) -> Vec<(String, String)> {
    let known = schema::attributes_of(node.name());
    let unread = node.attributes().filter(|(name, _)| !known.unwrap_or_default().contains(name));
    let unread: Vec<_> = unread.collect();
    if let Some(known) = known {
        // A prefix marks an extension, also that of XML itself.
        let plain = |name: &str| !name.contains(':') && name != "xmlns";
        let unknown = unread.iter().map(|&(name, _)| name).filter(|&name| plain(name));
        unknown.for_each(|name| warn_attribute(cx, node, name, known));
    }
    unread.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect()
}

fn warn_attribute(cx: &mut Context<'_>, node: Node<'_>, name: &str, known: &[&'static str]) {
    if !cx.first_time(format!("{}@{name}", node.name())) {
        return;
    }
    let message =
        format!("SDF has no attribute {name:?} of <{}>; it is kept and not used", node.name());
    let place = node.attribute_place(name);
    let mut warning = Diagnostic::warning("sdf-unknown-attribute", message).at(place);
    if let Some(similar) = nearest(name, known.iter().copied()) {
        warning = warning.help(format!("Did you mean {similar:?}?"));
    }
    cx.diagnostics.push(warning);
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
