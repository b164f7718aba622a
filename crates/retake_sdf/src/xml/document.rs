//! The tree.

use std::borrow::Cow;
use std::cell::Cell;
use std::sync::Arc;

use retake_diag::Place;

use super::places::Places;

/// Index that stands for "none" among children and siblings; the document's own record has it.
pub(super) const NONE: u32 = 0;

/// How much of a name is shown in a path, in characters.
const SHOWN_NAME: usize = 40;

/// Elements of one file in flat arrays; the first record stands for the document itself.
pub(crate) struct Document<'t> {
    pub(super) text: &'t str,
    pub(super) file: Arc<str>,
    pub(super) places: Places,
    pub(super) records: Vec<Record<'t>>,
    pub(super) attributes: Vec<Attribute<'t>>,
}

pub(super) struct Record<'t> {
    pub(super) name: &'t str,
    pub(super) offset: usize,
    pub(super) text: Cow<'t, str>,
    pub(super) attributes: std::ops::Range<usize>,
    pub(super) parent: u32,
    pub(super) first_child: u32,
    pub(super) last_child: u32,
    pub(super) next_sibling: u32,
    pub(super) used: Cell<Use>,
}

pub(super) struct Attribute<'t> {
    pub(super) name: &'t str,
    pub(super) value: Cow<'t, str>,
    pub(super) offset: usize,
}

/// What a loader has done with an element.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Use {
    /// Nothing yet.
    Unused,
    /// Its value was read; children may be left over.
    Value,
    /// It became a thing of its own that keeps its own leftovers.
    Thing,
}

/// An element of a document.
#[derive(Clone, Copy)]
pub(crate) struct Node<'d> {
    document: &'d Document<'d>,
    index: u32,
}

impl<'t> Document<'t> {
    /// Returns the elements at the top of the file.
    pub(crate) fn roots<'d>(&'d self) -> impl Iterator<Item = Node<'d>> + use<'d, 't> {
        Node { document: self, index: NONE }.children()
    }

    /// Returns all elements in the order of the file.
    pub(crate) fn nodes<'d>(&'d self) -> impl Iterator<Item = Node<'d>> + use<'d, 't> {
        (1..self.records.len() as u32).map(move |index| Node { document: self, index })
    }

    /// Returns how many elements there are.
    pub(crate) fn len(&self) -> usize {
        self.records.len() - 1
    }

    /// Returns how many models and links there are.
    pub(crate) fn things(&self) -> usize {
        let is_thing = |record: &&Record<'_>| matches!(record.name, "model" | "link");
        self.records.iter().filter(is_thing).count()
    }

    /// Returns the name of the file.
    pub(crate) fn file(&self) -> &str {
        &self.file
    }

    pub(super) fn place(&self, offset: usize) -> Place {
        let (line, column) = self.places.at(self.text, offset);
        Place { file: self.file.clone(), line, column }
    }
}

impl<'d> Node<'d> {
    /// Returns the tag.
    pub(crate) fn name(self) -> &'d str {
        self.record().name
    }

    /// Returns the text between the tags, trimmed.
    pub(crate) fn text(self) -> &'d str {
        self.record().text.trim()
    }

    /// Returns the place of the opening tag.
    pub(crate) fn place(self) -> Place {
        self.document.place(self.record().offset)
    }

    /// Returns the way to the element from the top of the file, as in `model[arm]/link[base]/mass`.
    pub(crate) fn path(self) -> String {
        let mut steps = Vec::new();
        let mut at = self;
        while at.index != NONE {
            let name = at.attribute("name").filter(|name| !name.is_empty());
            let name = name.map(|name| name.chars().take(SHOWN_NAME).collect::<String>());
            let shown = name.map_or_else(String::new, |name| format!("[{}]", name.escape_debug()));
            steps.push(format!("{}{shown}", at.name()));
            at = Self { index: at.record().parent, ..at };
        }
        steps.reverse();
        steps.join("/")
    }

    /// Returns the value of an attribute.
    pub(crate) fn attribute(self, name: &str) -> Option<&'d str> {
        self.attributes().find(|(key, _)| *key == name).map(|(_, value)| value)
    }

    /// Returns all attributes in order.
    pub(crate) fn attributes(self) -> impl Iterator<Item = (&'d str, &'d str)> {
        self.attribute_records().iter().map(|attribute| (attribute.name, &*attribute.value))
    }

    /// Returns where the opening tag starts, in bytes.
    pub(crate) fn offset(self) -> usize {
        self.record().offset
    }

    /// Returns where each attribute starts, in bytes.
    pub(crate) fn attribute_offsets(self) -> impl Iterator<Item = usize> {
        self.attribute_records().iter().map(|attribute| attribute.offset)
    }

    /// Returns the first child called `name`.
    pub(crate) fn child(self, name: &str) -> Option<Node<'d>> {
        self.children().find(|child| child.name() == name)
    }

    /// Returns the place of an attribute, or of the element when it has none of that name.
    pub(crate) fn attribute_place(self, name: &str) -> Place {
        let found = self.attribute_records().iter().find(|attribute| attribute.name == name);
        found.map_or_else(|| self.place(), |attribute| self.document.place(attribute.offset))
    }

    /// Returns the child elements in order.
    pub(crate) fn children(self) -> impl Iterator<Item = Node<'d>> {
        let step = move |index: u32| (index != NONE).then_some(Self { index, ..self });
        let first = step(self.record().first_child);
        std::iter::successors(first, move |node| step(node.record().next_sibling))
    }

    /// Returns the first child called `name`, and marks it as read.
    pub(crate) fn take(self, name: &str) -> Option<Node<'d>> {
        let child = self.children().find(|child| child.name() == name)?;
        child.mark(Use::Value);
        Some(child)
    }

    /// Returns every child called `name`, and marks each as a thing of its own.
    pub(crate) fn take_things(self, name: &'static str) -> impl Iterator<Item = Node<'d>> {
        let named = self.children().filter(move |child| child.name() == name);
        named.inspect(|child| child.mark(Use::Thing))
    }

    /// Returns how many children are called `name`, for making room for exactly as many.
    pub(crate) fn count(self, name: &str) -> usize {
        self.children().filter(|child| child.name() == name).count()
    }

    /// Notes what was done with the element.
    pub(crate) fn mark(self, used: Use) {
        self.record().used.set(used);
    }

    /// Returns what was done with the element.
    pub(crate) fn used(self) -> Use {
        self.record().used.get()
    }

    fn record(self) -> &'d Record<'d> {
        &self.document.records[self.index as usize]
    }

    fn attribute_records(self) -> &'d [Attribute<'d>] {
        &self.document.attributes[self.record().attributes.clone()]
    }
}
