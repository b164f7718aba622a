//! The text of the author: its elements, where they stand, and changing parts of it.

use std::ops::Range;

use retake_description::Element;

use crate::write::{Layout, escaped};
use crate::xml::{Document, Node, Span, Spans};

/// A text with its elements and their places.
pub(super) struct Source<'t> {
    pub(super) text: &'t str,
    pub(super) document: &'t Document<'t>,
    spans: Spans,
    unit: &'t str,
    newline: &'static str,
}

/// A piece of the text and what comes in its place.
#[derive(Debug)]
pub(super) struct Edit {
    pub(super) range: Range<usize>,
    pub(super) text: String,
}

impl Edit {
    fn insert(at: usize, text: String) -> Self {
        Self { range: at..at, text }
    }
}

impl<'t> Source<'t> {
    /// Looks where everything is; none when the places cannot be told.
    pub(super) fn new(text: &'t str, document: &'t Document<'t>) -> Option<Self> {
        let spans = Spans::of(document)?;
        let windows = text.find('\n').is_some_and(|at| text[..at].ends_with('\r'));
        let newline = if windows { "\r\n" } else { "\n" };
        let mut source = Self { text, document, spans, unit: "  ", newline };
        source.unit = source.usual_unit().unwrap_or("  ");
        Some(source)
    }

    pub(super) fn span(&self, node: Node<'_>) -> Span {
        self.spans.at(node)
    }

    /// Returns the text between the tags as it is written.
    pub(super) fn inside(&self, node: Node<'_>) -> &'t str {
        let span = self.span(node);
        &self.text[span.open_end..span.close_start]
    }

    /// Says how many comments stand in an element.
    pub(super) fn comments_in(&self, node: Node<'_>) -> usize {
        self.text[self.span(node).range()].matches("<!--").count()
    }

    /// Puts other text between the tags of an element that has no children.
    pub(super) fn set_inside(&self, node: Node<'_>, inside: &str) -> Edit {
        let span = self.span(node);
        if span.is_closed_at_once() {
            let text = format!(">{inside}</{}>", node.name());
            return Edit { range: self.slash(span)..span.end, text };
        }
        Edit { range: span.open_end..span.close_start, text: inside.to_owned() }
    }

    /// Gives an attribute a value, and adds it when it is not there.
    pub(super) fn set_attribute(&self, node: Node<'_>, name: &str, value: &str) -> Edit {
        if let Some((_, inner)) = self.attribute(node, name) {
            return Edit { range: inner, text: escaped(value).replace('\'', "&apos;") };
        }
        let after_name = self.span(node).start + 1 + node.name().len();
        let last = node.attributes().last().and_then(|(last, _)| self.attribute(node, last));
        let at = last.map_or(after_name, |(whole, _)| whole.end);
        Edit::insert(at, format!(" {name}=\"{}\"", escaped(value)))
    }

    /// Takes an attribute away; none when it is not there.
    pub(super) fn remove_attribute(&self, node: Node<'_>, name: &str) -> Option<Edit> {
        let (whole, _) = self.attribute(node, name)?;
        let start = self.text[..whole.start].trim_end().len();
        Some(Edit { range: start..whole.end, text: String::new() })
    }

    /// Puts an element behind another, in lines of its own when that one is.
    pub(super) fn insert_after(&self, node: Node<'_>, element: &Element) -> Edit {
        let span = self.span(node);
        let Some(indent) = self.indent(span.start) else {
            return Edit::insert(span.end, Layout::INLINE.render(element));
        };
        let line_end = self.line_end(span.end);
        let at = if is_remark(&self.text[span.end..line_end]) { line_end } else { span.end };
        Edit::insert(at, format!("{}{indent}{}", self.newline, self.render(element, indent)))
    }

    /// Puts an element before another and before the comment above that.
    pub(super) fn insert_before(&self, node: Node<'_>, element: &Element) -> Edit {
        let start = self.span(node).start;
        let Some(indent) = self.indent(start) else {
            return Edit::insert(start, Layout::INLINE.render(element));
        };
        let at = self.comment_above(start).unwrap_or(start);
        Edit::insert(at, format!("{}{}{indent}", self.render(element, indent), self.newline))
    }

    /// Puts an element into another that has no children.
    pub(super) fn insert_into(&self, parent: Node<'_>, element: &Element) -> Edit {
        let span = self.span(parent);
        let content = match self.indent(span.start) {
            None => Layout::INLINE.render(element),
            Some(outer) => {
                let inner = format!("{outer}{}", self.unit);
                format!("{}{inner}{}", self.newline, self.render(element, &inner))
            }
        };
        let line_break = match self.indent(span.start) {
            None => String::new(),
            Some(outer) => format!("{}{outer}", self.newline),
        };
        if span.is_closed_at_once() {
            let text = format!(">{content}{line_break}</{}>", parent.name());
            return Edit { range: self.slash(span)..span.end, text };
        }
        match self.inside(parent) {
            blank if blank.trim().is_empty() => Edit {
                range: span.open_end..span.close_start,
                text: format!("{content}{line_break}"),
            },
            lines if lines.contains('\n') => Edit::insert(span.open_end, content),
            _ => Edit::insert(span.open_end, format!("{content}{line_break}")),
        }
    }

    /// Puts an element in the place of another.
    pub(super) fn replace(&self, node: Node<'_>, element: &Element) -> Edit {
        let span = self.span(node);
        let text = match self.indent(span.start) {
            Some(indent) => self.render(element, indent),
            None => Layout::INLINE.render(element),
        };
        Edit { range: span.range(), text }
    }

    /// Takes an element away, with its lines and the comment that is about it alone.
    pub(super) fn remove(&self, node: Node<'_>) -> Edit {
        let span = self.span(node);
        let line_end = self.line_end(span.end);
        let alone = is_remark(&self.text[span.end..line_end]);
        if self.indent(span.start).is_none() || !alone {
            return Edit { range: span.range(), text: String::new() };
        }
        let next = after_newline(self.text, line_end);
        let following = self.text[next..].lines().next().unwrap_or_default().trim_start();
        let group_ends = following.is_empty() || following.starts_with("<!--");
        let group_ends = group_ends || following.starts_with("</");
        let about_it = if group_ends { self.comment_above(span.start) } else { None };
        let start = self.line_start(about_it.unwrap_or(span.start));
        Edit { range: start..next, text: String::new() }
    }

    /// Finds the comment in the lines right above the element that starts at `start`.
    fn comment_above(&self, start: usize) -> Option<usize> {
        let line_start = self.line_start(start);
        let before = self.text[..line_start].strip_suffix('\n')?;
        let before = before.trim_end_matches(['\r', ' ', '\t']);
        if !before.ends_with("-->") {
            return None;
        }
        let comment = before.rfind("<!--")?;
        self.indent(comment).map(|_| comment)
    }

    fn render(&self, element: &Element, indent: &str) -> String {
        Layout { indent, unit: self.unit, newline: self.newline }.render(element)
    }

    /// Returns what stands before `at` in its line, when that is nothing but blanks.
    fn indent(&self, at: usize) -> Option<&'t str> {
        let before = &self.text[self.line_start(at)..at];
        before.chars().all(|c| c == ' ' || c == '\t').then_some(before)
    }

    fn line_start(&self, at: usize) -> usize {
        self.text[..at].rfind('\n').map_or(0, |newline| newline + 1)
    }

    /// Returns where the line of `at` ends, before its newline.
    fn line_end(&self, at: usize) -> usize {
        let rest = self.text[at..].split('\n').next().unwrap_or_default();
        at + rest.trim_end_matches('\r').len()
    }

    /// Returns where the `/>` of an element starts.
    fn slash(&self, span: Span) -> usize {
        let tag = &self.text[..span.end];
        let slash = tag.rfind('/').unwrap_or(span.end);
        self.text[..slash].trim_end().len()
    }

    /// Finds an attribute, and its value inside the quotes.
    fn attribute(&self, node: Node<'_>, name: &str) -> Option<(Range<usize>, Range<usize>)> {
        let named = node.attributes().zip(node.attribute_offsets());
        let start = named.filter(|((key, _), _)| *key == name).map(|(_, offset)| offset).next()?;
        let rest = self.text.get(start + name.len()..)?;
        let open = rest.find(['"', '\''])?;
        let quote = rest[open..].chars().next()?;
        let length = rest[open + 1..].find(quote)?;
        let inner = start + name.len() + open + 1;
        Some((start..inner + length + 1, inner..inner + length))
    }

    /// Finds by how much children are usually indented more than what holds them.
    fn usual_unit(&self) -> Option<&'t str> {
        let step = |parent: Node<'_>| {
            let child = parent.children().next()?;
            let outer = self.indent(parent.offset())?;
            self.indent(child.offset())?.strip_prefix(outer).filter(|unit| !unit.is_empty())
        };
        self.document.nodes().find_map(step)
    }
}

/// Says whether a rest of a line holds nothing but comments.
fn is_remark(rest: &str) -> bool {
    let mut rest = rest.trim();
    while let Some(comment) = rest.strip_prefix("<!--") {
        let Some(end) = comment.find("-->") else { return false };
        rest = comment[end + 3..].trim_start();
    }
    rest.is_empty()
}

fn after_newline(text: &str, line_end: usize) -> usize {
    text[line_end..].find('\n').map_or(text.len(), |newline| line_end + newline + 1)
}

/// Makes all edits in a text; of two that overlap, the later one is left for another time.
pub(super) fn applied(text: &str, mut edits: Vec<Edit>) -> String {
    // What is put somewhere comes before what is taken from there; otherwise the order stays.
    edits.sort_by_key(|edit| (edit.range.start, edit.range.end));
    let mut result = String::with_capacity(text.len());
    let mut copied = 0;
    for edit in &edits {
        if edit.range.start < copied {
            continue;
        }
        result.push_str(&text[copied..edit.range.start]);
        result.push_str(&edit.text);
        copied = edit.range.end;
    }
    result.push_str(&text[copied..]);
    result
}
