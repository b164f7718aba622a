//! Diagnostics with a code, a severity, a place and help.
//!
//! Loaders do their best and report everything here; who prints it is the caller's affair.

use std::fmt;
use std::sync::Arc;

use serde::Serialize;

/// Returns what a caught panic said.
pub fn panic_message(payload: &(dyn std::any::Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "without a message".to_owned())
}

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Good to know; nothing is wrong.
    Note,
    /// Done, but perhaps not as meant.
    Warning,
    /// Part of the input could not be used.
    Error,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        })
    }
}

/// A place in a text file; lines and columns count from one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Place {
    /// File as the user named it.
    pub file: Arc<str>,
    /// Line, from one.
    pub line: u32,
    /// Column in characters, from one.
    pub column: u32,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// One finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Diagnostic {
    /// Stable name of the kind of finding, as in `sdf-unknown-element`.
    pub code: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// What was found, one sentence without a period.
    pub message: String,
    /// Where it was found.
    pub place: Option<Place>,
    /// What to do about it.
    pub help: Option<String>,
}

impl Diagnostic {
    /// Makes an error.
    pub fn error(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, code, message.into())
    }

    /// Makes a warning.
    pub fn warning(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, code, message.into())
    }

    /// Makes a note.
    pub fn note(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(Severity::Note, code, message.into())
    }

    /// Adds the place.
    pub fn at(mut self, place: Place) -> Self {
        self.place = Some(place);
        self
    }

    /// Adds what to do about it.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    fn new(severity: Severity, code: &'static str, message: String) -> Self {
        Self { code, severity, message, place: None, help: None }
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(place) = &self.place {
            write!(f, "{place}: ")?;
        }
        write!(f, "{}[{}]: {}", self.severity, self.code, self.message)?;
        match &self.help {
            Some(help) => write!(f, ". {help}"),
            None => Ok(()),
        }
    }
}

/// All findings of one load, in the order they were made.
///
/// At most [`Diagnostics::LIMIT`] are kept; further ones are only counted, so that a hostile file
/// cannot fill the memory with complaints.
#[derive(Clone, Debug, Default)]
pub struct Diagnostics {
    items: Vec<Diagnostic>,
    not_kept: usize,
    errors: usize,
}

impl Diagnostics {
    /// How many findings are kept.
    pub const LIMIT: usize = 1000;

    /// Makes an empty list.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a finding.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.errors += usize::from(diagnostic.severity == Severity::Error);
        if self.items.len() < Self::LIMIT {
            self.items.push(diagnostic);
        } else {
            self.not_kept += 1;
        }
    }

    /// Returns the kept findings in order.
    pub fn items(&self) -> &[Diagnostic] {
        &self.items
    }

    /// Returns how many findings were counted but not kept.
    pub fn not_kept(&self) -> usize {
        self.not_kept
    }

    /// Says whether any finding is an error.
    pub fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// Says whether nothing was found.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }
}

impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for item in &self.items {
            writeln!(f, "{item}")?;
        }
        match self.not_kept {
            0 => Ok(()),
            count => writeln!(f, "… and {count} more"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_place_kind_message_and_help() {
        let place = Place { file: "a.sdf".into(), line: 3, column: 7 };
        let found = Diagnostic::error("sdf-bad-number", "\"x\" is not a number")
            .at(place)
            .help("Write metres, as in 0.5");
        assert_eq!(
            found.to_string(),
            "a.sdf:3:7: error[sdf-bad-number]: \"x\" is not a number. Write metres, as in 0.5"
        );
    }

    #[test]
    fn keeps_a_bounded_number_and_counts_the_rest() {
        let mut all = Diagnostics::new();
        for _ in 0..Diagnostics::LIMIT + 5 {
            all.push(Diagnostic::warning("w", "again"));
        }
        assert_eq!(all.items().len(), Diagnostics::LIMIT);
        assert_eq!(all.not_kept(), 5);
        assert!(!all.has_errors());
    }
}
