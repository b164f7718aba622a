//! Where elements stand in the text, for changing parts of it and nothing else.

use std::ops::Range;

use quick_xml::events::Event;

use super::document::{Document, Node};
use super::reader::lenient;

/// Where one element stands, in bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Span {
    /// Start of the opening tag.
    pub(crate) start: usize,
    /// End of the opening tag; of the element when it has no closing tag.
    pub(crate) open_end: usize,
    /// Start of the closing tag; end of the element when it has none.
    pub(crate) close_start: usize,
    /// End of the element.
    pub(crate) end: usize,
}

impl Span {
    /// Says whether the element is written as `<name/>`.
    pub(crate) fn is_closed_at_once(&self) -> bool {
        self.open_end == self.end
    }

    /// Returns the whole element.
    pub(crate) fn range(&self) -> Range<usize> {
        self.start..self.end
    }
}

/// The places of all elements of a document.
pub(crate) struct Spans {
    /// In the order of their starts.
    spans: Vec<Span>,
}

impl Spans {
    /// Finds the places; none when they do not agree with the document, which was read from
    /// another text then.
    pub(crate) fn of(document: &Document<'_>) -> Option<Self> {
        let spans = scanned(document.text)?;
        let agrees = |(span, node): (&Span, Node<'_>)| span.start == node.offset();
        let same = spans.len() == document.len();
        (same && spans.iter().zip(document.nodes()).all(agrees)).then_some(Self { spans })
    }

    /// Returns the place of an element of the document.
    pub(crate) fn at(&self, node: Node<'_>) -> Span {
        let found = self.spans.binary_search_by_key(&node.offset(), |span| span.start);
        let index = found.expect("every element of the document has a span");
        self.spans[index]
    }
}

fn scanned(text: &str) -> Option<Vec<Span>> {
    let mut reader = lenient(text);
    let mut spans: Vec<Span> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    loop {
        let start = reader.buffer_position() as usize;
        let event = reader.read_event().ok()?;
        let end = reader.buffer_position() as usize;
        let span = Span { start, open_end: end, close_start: end, end };
        match event {
            Event::Start(_) => {
                open.push(spans.len());
                spans.push(span);
            }
            Event::Empty(_) => spans.push(span),
            Event::End(_) => {
                // A tag that closes nothing is no part of any element.
                let Some(index) = open.pop() else { continue };
                (spans[index].close_start, spans[index].end) = (start, end);
            }
            Event::Eof => return Some(spans),
            _ => {}
        }
    }
}
