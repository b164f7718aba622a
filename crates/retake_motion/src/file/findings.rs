//! Where something stands in a file, and what is said about it.

use std::sync::Arc;

use retake_diag::{Diagnostic, Diagnostics, Place};

/// A place in the text that is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Spot {
    /// Nowhere in particular: the first character.
    #[default]
    Start,
    /// So many bytes after the start.
    Byte(u32),
    /// Line and column, both from one.
    At(u32, u32),
}

impl Spot {
    /// Makes the place `byte` bytes after the start.
    pub fn byte(byte: usize) -> Self {
        Self::Byte(u32::try_from(byte).unwrap_or(u32::MAX))
    }

    /// Makes a place of line and column, both from one.
    pub fn at(line: usize, column: usize) -> Self {
        let bounded = |count: usize| u32::try_from(count.max(1)).unwrap_or(u32::MAX);
        Self::At(bounded(line), bounded(column))
    }
}

/// What is found in one file.
pub(super) struct Findings<'a> {
    file: Arc<str>,
    text: &'a str,
    found: &'a mut Diagnostics,
    errors: usize,
    last: Cursor,
}

/// Where the last finding was; the next one is counted from there when it comes later, so that a
/// long line full of faults is counted once.
#[derive(Clone, Copy)]
struct Cursor {
    byte: usize,
    line: u32,
    column: u32,
}

impl<'a> Findings<'a> {
    /// Begins with nothing found in `text`.
    pub fn new(file: &str, text: &'a str, found: &'a mut Diagnostics) -> Self {
        let last = Cursor { byte: 0, line: 1, column: 1 };
        Self { file: file.into(), text, found, errors: 0, last }
    }

    /// Says whether anything was found because of which the file gives no motion.
    pub fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// Says whether more findings would only be counted.
    pub fn is_full(&self) -> bool {
        self.found.items().len() >= Diagnostics::LIMIT
    }

    /// Adds a fault because of which the file gives no motion.
    pub fn error(&mut self, code: &'static str, at: Spot, message: String, help: &str) {
        self.errors += 1;
        let place = self.place(at);
        self.found.push(Diagnostic::error(code, message).at(place).help(help));
    }

    /// Adds what is not taken over, though the motion is.
    pub fn warning(&mut self, code: &'static str, at: Spot, message: String, help: &str) {
        let place = self.place(at);
        self.found.push(Diagnostic::warning(code, message).at(place).help(help));
    }

    fn place(&mut self, at: Spot) -> Place {
        let (line, column) = match at {
            Spot::Start => (1, 1),
            Spot::At(line, column) => (line, column),
            // Nobody reads the place of a finding that is only counted.
            Spot::Byte(_) if self.is_full() => (1, 1),
            Spot::Byte(byte) => self.line_and_column(byte as usize),
        };
        Place { file: self.file.clone(), line, column }
    }

    fn line_and_column(&mut self, byte: usize) -> (u32, u32) {
        let mut end = byte.min(self.text.len());
        while !self.text.is_char_boundary(end) {
            end -= 1;
        }
        if end < self.last.byte {
            self.last = Cursor { byte: 0, line: 1, column: 1 };
        }
        for character in self.text[self.last.byte..end].chars() {
            if character == '\n' {
                self.last.line += 1;
                self.last.column = 1;
            } else {
                self.last.column += 1;
            }
        }
        self.last.byte = end;
        (self.last.line, self.last.column)
    }
}
