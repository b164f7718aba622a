//! Documents that are made and not read: another format told in elements of SDF.
//!
//! Every element keeps the offset of what it was made from, so that whatever is said about it
//! later names a place in the file that the user wrote.

use std::borrow::Cow;
use std::cell::Cell;

use super::document::{Attribute, Document, NONE, Node, Record, Use};
use super::places::Places;

/// An element to be put into a made document.
#[derive(Clone, Debug)]
pub(crate) struct NewElement<'d> {
    pub(crate) name: &'d str,
    /// Where in the source it comes from.
    pub(crate) offset: usize,
    pub(crate) text: Cow<'d, str>,
    pub(crate) children: Vec<NewElement<'d>>,
    attributes: Vec<(&'d str, Cow<'d, str>, usize)>,
}

impl<'d> NewElement<'d> {
    /// Makes an empty element that comes from `offset` of the source.
    pub(crate) fn new(name: &'d str, offset: usize) -> Self {
        Self { name, offset, text: Cow::Borrowed(""), children: Vec::new(), attributes: Vec::new() }
    }

    /// Copies an element of a document with all that is in it.
    pub(crate) fn copied(node: Node<'d>) -> Self {
        let attributes = node.attributes().map(|(name, value)| (name, Cow::Borrowed(value)));
        let offsets = node.attribute_offsets();
        Self {
            name: node.name(),
            offset: node.offset(),
            text: Cow::Borrowed(node.text()),
            children: node.children().map(Self::copied).collect(),
            attributes: attributes.zip(offsets).map(|((n, v), offset)| (n, v, offset)).collect(),
        }
    }

    /// Sets the text.
    pub(crate) fn with_text(mut self, text: impl Into<Cow<'d, str>>) -> Self {
        self.text = text.into();
        self
    }

    /// Adds an attribute that comes from where the element does.
    pub(crate) fn with(mut self, name: &'d str, value: impl Into<Cow<'d, str>>) -> Self {
        self.attributes.push((name, value.into(), self.offset));
        self
    }

    /// Returns the value of an attribute.
    pub(crate) fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(key, ..)| *key == name).map(|(_, value, _)| &**value)
    }

    /// Returns the first child called `name`.
    pub(crate) fn child(&self, name: &str) -> Option<&Self> {
        self.children.iter().find(|child| child.name == name)
    }

    /// Returns the first child called `name`; makes it when there is none.
    pub(crate) fn child_or_new(&mut self, name: &'d str, offset: usize) -> &mut Self {
        let found = self.children.iter().position(|child| child.name == name);
        let index = found.unwrap_or_else(|| {
            self.children.push(Self::new(name, offset));
            self.children.len() - 1
        });
        &mut self.children[index]
    }

    /// Puts a child with a text at the end, in place of the first one of that name.
    pub(crate) fn set(&mut self, name: &'d str, text: impl Into<Cow<'d, str>>, offset: usize) {
        self.remove(name);
        self.children.push(Self::new(name, offset).with_text(text));
    }

    /// Removes the first child called `name`, and returns it.
    pub(crate) fn remove(&mut self, name: &str) -> Option<Self> {
        let index = self.children.iter().position(|child| child.name == name)?;
        Some(self.children.remove(index))
    }

    /// Returns how many elements it is, itself included.
    pub(crate) fn len(&self) -> usize {
        1 + self.children.iter().map(Self::len).sum::<usize>()
    }
}

impl<'d> Document<'d> {
    /// Makes a document of one root whose places are in `source`.
    pub(crate) fn made(source: &'d Document<'d>, root: NewElement<'d>) -> Self {
        let mut made = Self {
            text: source.text,
            file: source.file.clone(),
            places: Places::new(source.text),
            records: Vec::with_capacity(root.len() + 1),
            attributes: Vec::new(),
        };
        made.records.push(record(&NewElement::new("", 0), 0..0, NONE));
        made.put(root, NONE);
        made
    }

    /// Puts an element under the one at `parent`; as deep as elements may be nested.
    fn put(&mut self, mut element: NewElement<'d>, parent: u32) -> u32 {
        let first = self.attributes.len();
        let attributes = std::mem::take(&mut element.attributes).into_iter();
        self.attributes.extend(attributes.map(|(name, value, offset)| Attribute {
            name,
            value,
            offset,
        }));
        let children = std::mem::take(&mut element.children);
        let index = self.records.len() as u32;
        self.records.push(record(&element, first..self.attributes.len(), parent));
        match self.records[parent as usize].last_child {
            NONE => self.records[parent as usize].first_child = index,
            before => self.records[before as usize].next_sibling = index,
        }
        self.records[parent as usize].last_child = index;
        for child in children {
            self.put(child, index);
        }
        index
    }
}

fn record<'d>(
    element: &NewElement<'d>,
    attributes: std::ops::Range<usize>,
    parent: u32,
) -> Record<'d> {
    Record {
        name: element.name,
        offset: element.offset,
        text: element.text.clone(),
        attributes,
        parent,
        first_child: NONE,
        last_child: NONE,
        next_sibling: NONE,
        used: Cell::new(Use::Unused),
    }
}
