//! The XML of a COLLADA file as flat arrays: neither building nor dropping them recurses.
//!
//! Entities are never expanded beyond the predefined and numeric ones.

use std::borrow::Cow;
use std::collections::HashMap;

use quick_xml::Reader;
use quick_xml::escape::unescape;
use quick_xml::events::{BytesStart, Event};

use super::super::Fault;
use super::malformed;

/// Most elements inside one another.
const MAX_DEPTH: usize = 256;
/// Most elements of a file.
const MAX_ELEMENTS: usize = 2_000_000;

pub(super) struct Document<'t> {
    text: &'t str,
    elements: Vec<Element<'t>>,
    /// The first element with each id.
    by_id: HashMap<String, usize>,
}

struct Element<'t> {
    name: &'t str,
    text: Cow<'t, str>,
    attributes: Vec<(&'t str, Cow<'t, str>)>,
    parent: Option<usize>,
    first_child: Option<usize>,
    last_child: Option<usize>,
    next_sibling: Option<usize>,
}

/// An element of a document.
#[derive(Clone, Copy)]
pub(super) struct Node<'d> {
    document: &'d Document<'d>,
    index: usize,
}

impl<'t> Document<'t> {
    pub(super) fn read(text: &'t str) -> Result<Self, Fault> {
        let mut document = Self { text, elements: Vec::new(), by_id: HashMap::new() };
        let mut open: Vec<usize> = Vec::new();
        let mut reader = Reader::from_str(text);
        loop {
            let event = match reader.read_event() {
                Ok(event) => event,
                Err(error) => {
                    let line = document.line(reader.error_position() as usize);
                    return malformed(format!("not readable XML: {error}, in line {line}"));
                }
            };
            match event {
                Event::Start(tag) => {
                    let index = document.open(&tag, open.last().copied())?;
                    open.push(index);
                    if open.len() > MAX_DEPTH {
                        return malformed(format!("elements are nested deeper than {MAX_DEPTH}"));
                    }
                }
                Event::Empty(tag) => {
                    document.open(&tag, open.last().copied())?;
                }
                Event::End(_) => {
                    open.pop();
                }
                Event::Text(text) => document.push_text(&open, &text),
                Event::CData(text) => document.push_text(&open, &text),
                Event::GeneralRef(name) => document.push_reference(&open, &name)?,
                Event::Eof if open.is_empty() => return Ok(document),
                Event::Eof => return malformed("the file ends in the middle of an element"),
                Event::Decl(_) | Event::PI(_) | Event::Comment(_) | Event::DocType(_) => {}
            }
        }
    }

    /// Returns the outermost element.
    pub(super) fn root(&self) -> Option<Node<'_>> {
        (!self.elements.is_empty()).then_some(Node { document: self, index: 0 })
    }

    /// Finds the element that an address such as `#id` names.
    pub(super) fn find(&self, address: &str) -> Option<Node<'_>> {
        let id = address.trim();
        let index = *self.by_id.get(id.strip_prefix('#').unwrap_or(id))?;
        Some(Node { document: self, index })
    }

    /// Returns all elements in the order of the file.
    pub(super) fn all(&self) -> impl Iterator<Item = Node<'_>> {
        (0..self.elements.len()).map(|index| Node { document: self, index })
    }

    fn open(&mut self, tag: &BytesStart<'_>, parent: Option<usize>) -> Result<usize, Fault> {
        if self.elements.len() >= MAX_ELEMENTS {
            return malformed(format!("more than {MAX_ELEMENTS} elements"));
        }
        let index = self.elements.len();
        let name = tag.local_name();
        let name = self.slice(name.as_ref());
        let mut attributes = Vec::new();
        for attribute in tag.attributes().with_checks(false) {
            let Ok(attribute) = attribute else {
                return malformed(format!(
                    "an attribute of <{name}> is not written as name=\"value\""
                ));
            };
            let key = self.slice(attribute.key.as_ref());
            let value = match unescape(&attribute.value) {
                Ok(value) => value.into_owned(),
                Err(error) => return malformed(format!("attribute {key} of <{name}>: {error}")),
            };
            if key == "id" {
                self.by_id.entry(value.clone()).or_insert(index);
            }
            attributes.push((key, Cow::Owned(value)));
        }
        self.elements.push(Element {
            name,
            text: Cow::Borrowed(""),
            attributes,
            parent,
            first_child: None,
            last_child: None,
            next_sibling: None,
        });
        self.hang(index, parent);
        Ok(index)
    }

    fn hang(&mut self, index: usize, parent: Option<usize>) {
        let Some(parent) = parent else { return };
        match self.elements[parent].last_child.replace(index) {
            Some(before) => self.elements[before].next_sibling = Some(index),
            None => self.elements[parent].first_child = Some(index),
        }
    }

    fn push_text(&mut self, open: &[usize], raw: &str) {
        let Some(&top) = open.last() else { return };
        let piece = self.slice(raw);
        let text = &mut self.elements[top].text;
        match text.trim_start().is_empty() {
            true => *text = Cow::Borrowed(piece),
            false => text.to_mut().push_str(piece),
        }
    }

    fn push_reference(&mut self, open: &[usize], name: &str) -> Result<(), Fault> {
        let raw = format!("&{name};");
        match (unescape(&raw), open.last()) {
            (Ok(known), Some(&top)) => self.elements[top].text.to_mut().push_str(&known),
            (Ok(_), None) => {}
            (Err(_), _) => return malformed("the file uses entities of its own"),
        }
        Ok(())
    }

    /// Returns the same slice with the life of the text rather than of the reader's event.
    fn slice(&self, slice: &str) -> &'t str {
        let start = self.text.as_ptr() as usize;
        let offset = (slice.as_ptr() as usize).wrapping_sub(start);
        self.text.get(offset..offset.saturating_add(slice.len())).unwrap_or_default()
    }

    fn line(&self, offset: usize) -> usize {
        let before = self.text.as_bytes().get(..offset).unwrap_or_default();
        before.iter().filter(|&&byte| byte == b'\n').count() + 1
    }
}

impl<'d> Node<'d> {
    pub(super) fn name(self) -> &'d str {
        self.element().name
    }

    /// Returns a number that tells this element from all others.
    pub(super) fn index(self) -> usize {
        self.index
    }

    pub(super) fn text(self) -> &'d str {
        self.element().text.trim()
    }

    pub(super) fn attribute(self, name: &str) -> Option<&'d str> {
        let attributes = &self.element().attributes;
        attributes.iter().find(|(key, _)| *key == name).map(|(_, value)| &**value)
    }

    pub(super) fn parent(self) -> Option<Node<'d>> {
        self.element().parent.map(|index| Node { index, ..self })
    }

    pub(super) fn children(self) -> impl Iterator<Item = Node<'d>> {
        let step = move |index| Node { index, ..self };
        let first = self.element().first_child.map(step);
        std::iter::successors(first, move |node| node.element().next_sibling.map(step))
    }

    /// Returns the first child of that name.
    pub(super) fn child(self, name: &str) -> Option<Node<'d>> {
        self.children().find(|child| child.name() == name)
    }

    /// Returns all children of that name.
    pub(super) fn named(self, name: &'static str) -> impl Iterator<Item = Node<'d>> {
        self.children().filter(move |child| child.name() == name)
    }

    fn element(self) -> &'d Element<'d> {
        &self.document.elements[self.index]
    }
}
