//! What is wrong with an expression, and where.

/// A mistake in an expression, with its place in characters counted from 0.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}, at character {column}")]
pub struct ExpressionError {
    /// What is wrong and what to do about it.
    pub message: String,
    /// First character that is meant.
    pub column: usize,
    /// How many characters are meant; 0 at the end of the text.
    pub length: usize,
}

/// A part of the text, in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) column: usize,
    pub(super) length: usize,
}

impl Place {
    pub(super) fn error(self, message: impl Into<String>) -> ExpressionError {
        ExpressionError { message: message.into(), column: self.column, length: self.length }
    }

    /// Returns the place from the beginning of this one to the end of another.
    pub(super) fn to(self, end: Self) -> Self {
        let length = (end.column + end.length).saturating_sub(self.column);
        Self { column: self.column, length }
    }
}

/// Returns a question after the known name that is nearest to a wrong one, or nothing.
pub(super) fn suggestion<'a>(wrong: &str, known: impl Iterator<Item = &'a str>) -> String {
    let near = known.map(|name| (distance(wrong, name), name)).min();
    match near {
        Some((edits, name)) if edits <= wrong.chars().count().div_ceil(2).min(3) => {
            format!("; did you mean {name}?")
        }
        _ => String::new(),
    }
}

/// Counts the letters to insert, remove or change to make one word of another.
fn distance(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (number, letter) in from.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = number + 1;
        for (at, other) in to.iter().enumerate() {
            let change = diagonal + usize::from(!letter.eq_ignore_ascii_case(other));
            diagonal = row[at + 1];
            row[at + 1] = change.min(row[at] + 1).min(diagonal + 1);
        }
    }
    row[to.len()]
}
