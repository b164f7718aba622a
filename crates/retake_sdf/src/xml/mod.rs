//! A small document tree, read as leniently as TinyXML2 does.
//!
//! Gazebo's files are written against TinyXML2, so `--` in comments, undeclared prefixes, `::` in
//! tags, a missing or stray declaration and a lone `&` are accepted. Entities are never expanded
//! beyond the predefined and numeric ones. Every element and attribute knows its place.
//! The tree lies in flat arrays: neither building nor dropping it recurses.

mod document;
mod entities;
mod made;
mod places;
mod reader;
mod spans;

pub(crate) use document::{Document, Node, Use};
pub(crate) use made::NewElement;
pub(crate) use reader::{Limits, misleads, read};
pub(crate) use spans::{Span, Spans};
