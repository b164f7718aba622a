//! Names of things: there, usable, and different from their siblings'.
//!
//! Names appear in paths, topics, terminals and pages, so a name must not be able to look like
//! something else there.

use std::collections::BTreeMap;

use retake_diag::{Diagnostic, Place};

use super::context::{Context, Version};
use crate::xml::{Node, misleads};

/// Longest name, in characters.
const MAX_NAME: usize = 256;
/// First version that does not let `::` into names; before it, flattened models had it there.
const NO_COLONS_SINCE: Version = (1, 8);

impl Context<'_> {
    /// Returns the name of a thing, made up with an error when the file gives none.
    ///
    /// None when the name cannot be used: the thing is to be left out, which is reported here.
    pub(crate) fn name_of(&mut self, node: Node<'_>) -> Option<String> {
        let Some(name) = node.attribute("name").filter(|name| !name.is_empty()) else {
            let message = format!("<{}> has no name", node.name());
            let error = Diagnostic::error("sdf-missing-name", message).at(node.place());
            self.diagnostics.push(error.help("Add a name attribute"));
            return Some(node.name().to_owned());
        };
        // The place is looked up only for what is worth a word: most names are good.
        let place = || node.attribute_place("name");
        self.is_usable_name(name, node, place).then(|| name.to_owned())
    }

    /// Says whether `node` can be called `name`; reports at `place` when it cannot.
    pub(crate) fn is_usable_name(
        &mut self,
        name: &str,
        node: Node<'_>,
        place: impl Fn() -> Place,
    ) -> bool {
        let Some(reason) = self.fault_of(name) else {
            if is_reserved(name, node) {
                let message = format!("the name {name:?} of <{}> is reserved", node.name());
                self.error("sdf-reserved-name", place(), message);
            }
            return true;
        };
        let shown: String = name.chars().take(40).collect();
        let fate = if node.name() == "world" { "gets another name" } else { "is left out" };
        let message = format!("<{}> {shown:?} {fate}: its name {reason}", node.name());
        let error = Diagnostic::error("sdf-bad-name", message).at(place());
        self.diagnostics.push(error.help("Give it another name"));
        false
    }

    /// Says what is wrong with a name; none when nothing is.
    fn fault_of(&self, name: &str) -> Option<String> {
        if let Some(bad) = name.chars().find(|&character| misleads(character)) {
            return Some(format!("has U+{:04X}, which changes how text is shown", u32::from(bad)));
        }
        if name.contains("::") && self.version >= NO_COLONS_SINCE {
            let reason = "has \"::\", which is reserved for paths since SDF 1.8";
            return Some(format!("{reason}, and which libsdformat refuses as well"));
        }
        let long = name.chars().nth(MAX_NAME).is_some();
        long.then(|| format!("has more than {MAX_NAME} characters"))
    }
}

fn is_reserved(name: &str, node: Node<'_>) -> bool {
    let dunder = name.len() > 4 && name.starts_with("__") && name.ends_with("__");
    dunder || (name == "world" && node.name() != "world")
}

/// Names in use among siblings, with the element of each.
#[derive(Default)]
pub(crate) struct Names<'d> {
    used_by: BTreeMap<String, Node<'d>>,
}

impl<'d> Names<'d> {
    /// Takes a name; when it is in use already, reports both places and returns false.
    pub(crate) fn claim(&mut self, cx: &mut Context<'_>, name: &str, node: Node<'d>) -> bool {
        let Some(first) = self.used_by.get(name) else {
            self.used_by.insert(name.to_owned(), node);
            return true;
        };
        let (kind, first) = (node.name(), first.place());
        let message = format!("<{kind}> {name:?} is left out: the name is in use at {first}");
        let error = Diagnostic::error("sdf-duplicate-name", message).at(node.place());
        cx.diagnostics.push(error.help("Give each a name of its own"));
        false
    }

    /// Says whether a name is in use.
    pub(crate) fn contains(&self, name: &str) -> bool {
        self.used_by.contains_key(name)
    }
}
