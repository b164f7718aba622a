//! Text to tree.

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::BTreeSet;
use std::sync::Arc;

use quick_xml::Reader;
use quick_xml::events::attributes::{AttrError, Attributes};
use quick_xml::events::{BytesStart, Event};
use retake_diag::{Diagnostic, Diagnostics};

use super::document::{Attribute, Document, NONE, Record, Use};
use super::entities::decoded;
use super::places::Places;

/// Bounds of a document.
#[derive(Clone, Copy)]
pub(crate) struct Limits {
    /// Most elements inside one another.
    pub(crate) depth: usize,
    /// Most elements of this file.
    pub(crate) elements: usize,
    /// Most elements of the file and of those that include it or that it includes.
    pub(crate) all_elements: usize,
    /// Elements that each model and each link may have beyond that.
    ///
    /// A world of many shapes is large and good; as many elements that mean nothing are neither.
    pub(crate) per_thing: usize,
    /// Most models and links.
    pub(crate) things: usize,
}

/// Reads a document; none when it is not XML enough to go on, which the diagnostics then say.
pub(crate) fn read<'t>(
    text: &'t str,
    file: &Arc<str>,
    limits: Limits,
    diagnostics: &mut Diagnostics,
) -> Option<Document<'t>> {
    let document = Document {
        text,
        file: file.clone(),
        places: Places::new(text),
        records: vec![record("", 0, 0..0)],
        attributes: Vec::new(),
    };
    let mut builder = Builder { document, open: vec![NONE], limits, things: 0 };
    match builder.run(diagnostics) {
        Ok(()) => Some(builder.document),
        Err(fault) => {
            diagnostics.push(*fault);
            None
        }
    }
}

/// Makes a reader that takes what TinyXML2 takes.
pub(super) fn lenient(text: &str) -> Reader<&[u8]> {
    let mut reader = Reader::from_str(text);
    let config = reader.config_mut();
    config.allow_dangling_amp = true;
    config.allow_unmatched_ends = true;
    config.check_end_names = false;
    reader
}

type Step = Result<(), Box<Diagnostic>>;

struct Builder<'t> {
    document: Document<'t>,
    /// Indices of the elements that are open, outermost first; the document itself is the first.
    open: Vec<u32>,
    limits: Limits,
    /// How many models and links were opened.
    things: usize,
}

impl<'t> Builder<'t> {
    fn run(&mut self, diagnostics: &mut Diagnostics) -> Step {
        let mut reader = lenient(self.document.text);
        loop {
            let event = match reader.read_event() {
                Ok(event) => event,
                Err(error) => {
                    let offset = reader.error_position() as usize;
                    return self.fault("xml-syntax", offset, error.to_string());
                }
            };
            let end = reader.buffer_position() as usize;
            match event {
                Event::Start(tag) => self.open(&tag)?,
                Event::Empty(tag) => {
                    self.open(&tag)?;
                    self.open.pop();
                }
                Event::End(tag) => self.close(&tag, end, diagnostics)?,
                Event::Text(text) => self.text(&text, diagnostics),
                Event::CData(text) => self.text(&text, diagnostics),
                Event::GeneralRef(name) => self.reference(&name),
                Event::DocType(text) => self.doctype(&text, diagnostics)?,
                Event::Decl(_) | Event::PI(_) | Event::Comment(_) => {}
                Event::Eof => return self.finish(),
            }
        }
    }

    fn open(&mut self, tag: &BytesStart<'_>) -> Step {
        let content = self.slice(tag);
        let start = self.offset(tag).saturating_sub(1);
        let name = &content[..tag.name().as_ref().len()];
        if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit() || c == '=') {
            return self.fault("xml-syntax", start, "a tag has no name".to_owned());
        }
        if name.contains(misleads) {
            return self.fault("xml-syntax", start, "a tag has a control character".to_owned());
        }
        if self.open.len() > self.limits.depth {
            let message = format!("elements are nested deeper than {}", self.limits.depth);
            return self.fault("xml-too-deep", start, message);
        }
        self.things += usize::from(matches!(name, "model" | "link"));
        self.check_count(start)?;
        let attributes = self.attributes(content, name.len())?;
        let index = self.document.records.len() as u32;
        self.document.records.push(record(name, start, attributes));
        self.append(index);
        self.open.push(index);
        Ok(())
    }

    fn check_count(&self, start: usize) -> Step {
        if self.things > self.limits.things {
            let message = format!("more than {} models and links", self.limits.things);
            return self.fault("xml-too-many-elements", start, message);
        }
        let room = self.limits.elements + self.things * self.limits.per_thing;
        if self.document.records.len() > room {
            let limit = self.limits.all_elements;
            let message =
                format!("more than {limit} elements beside those of models, in all files");
            return self.fault("xml-too-many-elements", start, message);
        }
        Ok(())
    }

    fn attributes(
        &mut self,
        content: &'t str,
        name_length: usize,
    ) -> Result<std::ops::Range<usize>, Box<Diagnostic>> {
        let first = self.document.attributes.len();
        let mut attributes = Attributes::new(content, name_length);
        for attribute in attributes.with_checks(false) {
            let attribute = match attribute {
                Ok(attribute) => attribute,
                Err(error) => {
                    let offset = self.offset(content) + error_offset(&error);
                    let message = "an attribute is not written as name=\"value\"".to_owned();
                    self.fault("xml-attribute", offset, message)?;
                    break;
                }
            };
            let name = attribute.key.as_ref();
            let value = match attribute.value {
                Cow::Borrowed(raw) => decoded(raw),
                Cow::Owned(raw) => Cow::Owned(decoded(&raw).into_owned()),
            };
            let offset = self.offset(name);
            let name = self.slice(name);
            self.document.attributes.push(Attribute { name, value, offset });
        }
        if let Some(repeated) = repeated(&self.document.attributes[first..]) {
            let message = format!("attribute {:?} is written twice", repeated.name);
            self.fault("xml-attribute", repeated.offset, message)?;
        }
        Ok(first..self.document.attributes.len())
    }

    fn append(&mut self, index: u32) {
        let parent = self.open.last().copied().unwrap_or(NONE) as usize;
        self.document.records[index as usize].parent = parent as u32;
        let before = self.document.records[parent].last_child;
        match before {
            NONE => self.document.records[parent].first_child = index,
            before => self.document.records[before as usize].next_sibling = index,
        }
        self.document.records[parent].last_child = index;
    }

    fn close(&mut self, tag: &str, end: usize, diagnostics: &mut Diagnostics) -> Step {
        let start = end.saturating_sub(tag.len() + 3);
        let name = tag.trim();
        let top = self.open.last().copied().unwrap_or(NONE);
        if top == NONE {
            let warning = Diagnostic::warning("xml-stray-tag", format!("</{name}> closes nothing"));
            diagnostics.push(warning.at(self.document.place(start)));
            return Ok(());
        }
        let opened = &self.document.records[top as usize];
        if opened.name != name {
            let place = self.document.place(opened.offset);
            let message = format!(
                "</{name}> does not match <{}> at line {}, column {}",
                opened.name, place.line, place.column
            );
            return self.fault("xml-mismatched-tag", start, message);
        }
        self.open.pop();
        Ok(())
    }

    fn finish(&self) -> Step {
        let top = self.open.last().copied().unwrap_or(NONE);
        if top == NONE {
            return Ok(());
        }
        let opened = &self.document.records[top as usize];
        let message = format!("<{}> is never closed", opened.name);
        self.fault("xml-unclosed-tag", opened.offset, message)
    }

    fn text(&mut self, raw: &str, diagnostics: &mut Diagnostics) {
        let piece = self.slice(raw);
        if self.open.last().copied().unwrap_or(NONE) == NONE {
            return self.stray_text(piece, diagnostics);
        }
        self.push_text(Cow::Borrowed(piece));
    }

    /// Tells of text beside the elements at the top of the file.
    fn stray_text(&self, piece: &str, diagnostics: &mut Diagnostics) {
        // Some editors begin a file with a mark.
        let written = piece.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
        if !written.is_empty() {
            let message = "text outside of all elements is not read";
            let warning = Diagnostic::warning("xml-stray-text", message).help("Take it out");
            diagnostics.push(warning.at(self.document.place(self.offset(written))));
        }
    }

    /// Puts the character of a reference into the text, or the reference itself if unknown.
    fn reference(&mut self, name: &str) {
        let raw = format!("&{name};");
        let character = decoded(&raw).into_owned();
        self.push_text(Cow::Owned(character));
    }

    fn push_text(&mut self, piece: Cow<'t, str>) {
        let top = self.open.last().copied().unwrap_or(NONE);
        if top == NONE {
            return;
        }
        let text = &mut self.document.records[top as usize].text;
        match text.trim_start().is_empty() {
            true => *text = piece,
            false => text.to_mut().push_str(&piece),
        }
    }

    fn doctype(&self, content: &str, diagnostics: &mut Diagnostics) -> Step {
        let offset = self.offset(content);
        if content.contains("<!ENTITY") {
            let message = "the file declares entities, which are not expanded".to_owned();
            return self.fault("xml-entity-declaration", offset, message);
        }
        let warning = Diagnostic::warning("xml-doctype", "the document type is ignored");
        diagnostics.push(warning.at(self.document.place(offset)));
        Ok(())
    }

    fn fault(&self, code: &'static str, offset: usize, message: String) -> Step {
        Err(Box::new(Diagnostic::error(code, message).at(self.document.place(offset))))
    }

    /// Finds where a slice of the text starts; the reader only hands out slices of it.
    fn offset(&self, slice: &str) -> usize {
        let start = self.document.text.as_ptr() as usize;
        (slice.as_ptr() as usize).saturating_sub(start).min(self.document.text.len())
    }

    /// Returns the same slice with the life of the text rather than of the reader's event.
    fn slice(&self, slice: &str) -> &'t str {
        let offset = self.offset(slice);
        self.document.text.get(offset..offset + slice.len()).unwrap_or_default()
    }
}

/// Finds an attribute that another one of the same element has the name of.
fn repeated<'a, 't>(attributes: &'a [Attribute<'t>]) -> Option<&'a Attribute<'t>> {
    // Most elements have few; those of somebody who means harm take no longer than they are long.
    if attributes.len() <= 8 {
        let (_, repeated) = attributes.iter().enumerate().find(|(at, attribute)| {
            attributes[..*at].iter().any(|before| before.name == attribute.name)
        })?;
        return Some(repeated);
    }
    let mut seen = BTreeSet::new();
    attributes.iter().find(|attribute| !seen.insert(attribute.name))
}

fn record(name: &str, offset: usize, attributes: std::ops::Range<usize>) -> Record<'_> {
    Record {
        name,
        offset,
        text: Cow::Borrowed(""),
        attributes,
        parent: NONE,
        first_child: NONE,
        last_child: NONE,
        next_sibling: NONE,
        used: Cell::new(Use::Unused),
    }
}

/// Says whether a character could change how a terminal or page shows the text around it: control
/// characters, line ends and marks that turn the direction of writing.
pub(crate) fn misleads(character: char) -> bool {
    let turns = matches!(character, '\u{61c}' | '\u{200e}' | '\u{200f}')
        || matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    character.is_control() || turns || matches!(character, '\u{2028}' | '\u{2029}')
}

fn error_offset(error: &AttrError) -> usize {
    match *error {
        AttrError::ExpectedEq(at)
        | AttrError::ExpectedValue(at)
        | AttrError::UnquotedValue(at)
        | AttrError::ExpectedQuote(at, _)
        | AttrError::Duplicated(at, _) => at,
    }
}
