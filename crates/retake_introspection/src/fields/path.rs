//! Paths to numbers: `pose[3].position.x`, `pose{name=box}.position.x`.

use std::fmt;

use thiserror::Error;

/// Where a number is inside a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldPath {
    /// From the message inwards; at least one.
    pub steps: Vec<PathStep>,
}

/// One field of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathStep {
    /// Name of the field.
    pub field: String,
    /// Which of its values.
    pub select: Select,
}

/// Which value of a field is meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Select {
    /// The only one.
    Only,
    /// The one at a place, counted from 0.
    Index(usize),
    /// The first whose field has this text.
    Key {
        /// The field of the element.
        field: String,
        /// Its text.
        text: String,
    },
}

/// Why a path cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PathError {
    /// Nothing stands where a name should.
    #[error("a field's name is missing at character {at} of {path:?}")]
    NoName {
        /// The path.
        path: String,
        /// Where, from 0.
        at: usize,
    },
    /// A bracket is open or holds something else.
    #[error("write [NUMBER] or {{FIELD=TEXT}} at character {at} of {path:?}")]
    BadSelect {
        /// The path.
        path: String,
        /// Where, from 0.
        at: usize,
    },
    /// It is longer than any message is deep.
    #[error("a path of {0} fields is too long")]
    TooLong(usize),
}

/// Fields in a row that a path may have.
const MAX_STEPS: usize = 64;

impl FieldPath {
    /// Reads a path.
    ///
    /// # Errors
    /// [`PathError`] with the place.
    pub fn parse(path: &str) -> Result<Self, PathError> {
        let mut steps = Vec::new();
        let mut rest = path;
        loop {
            let at = path.len() - rest.len();
            let end = rest.find(['.', '[', '{']).unwrap_or(rest.len());
            let (field, behind) = rest.split_at(end);
            if field.is_empty() {
                return Err(PathError::NoName { path: path.to_owned(), at });
            }
            let place = path.len() - behind.len();
            let bad = || PathError::BadSelect { path: path.to_owned(), at: place };
            let (select, behind) = select(behind).ok_or_else(bad)?;
            steps.push(PathStep { field: field.to_owned(), select });
            if steps.len() > MAX_STEPS {
                return Err(PathError::TooLong(steps.len()));
            }
            match behind.strip_prefix('.') {
                Some(more) => rest = more,
                None if behind.is_empty() => return Ok(Self { steps }),
                None => {
                    let at = path.len() - behind.len();
                    return Err(PathError::BadSelect { path: path.to_owned(), at });
                }
            }
        }
    }
}

/// Reads `[3]` or `{name=box}`, or nothing.
fn select(text: &str) -> Option<(Select, &str)> {
    if let Some(inside) = text.strip_prefix('[') {
        let (index, behind) = inside.split_once(']')?;
        return Some((Select::Index(index.parse().ok()?), behind));
    }
    if let Some(inside) = text.strip_prefix('{') {
        let (pair, behind) = inside.split_once('}')?;
        let (field, text) = pair.split_once('=')?;
        let (field, text) = (field.to_owned(), text.to_owned());
        return (!field.is_empty()).then_some((Select::Key { field, text }, behind));
    }
    Some((Select::Only, text))
}

impl fmt::Display for FieldPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, step) in self.steps.iter().enumerate() {
            let dot = if number == 0 { "" } else { "." };
            write!(f, "{dot}{}", step.field)?;
            match &step.select {
                Select::Only => {}
                Select::Index(index) => write!(f, "[{index}]")?,
                Select::Key { field, text } => write!(f, "{{{field}={text}}}")?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn mistakes_are_placed() {
        for (path, expected) in [
            ("", "a field's name is missing at character 0 of \"\""),
            ("a..b", "a field's name is missing at character 2 of \"a..b\""),
            ("a[x]", "write [NUMBER] or {FIELD=TEXT} at character 1 of \"a[x]\""),
            ("a[1", "write [NUMBER] or {FIELD=TEXT} at character 1 of \"a[1\""),
            ("a[1]b", "write [NUMBER] or {FIELD=TEXT} at character 4 of \"a[1]b\""),
            ("a{b}", "write [NUMBER] or {FIELD=TEXT} at character 1 of \"a{b}\""),
        ] {
            assert_eq!(FieldPath::parse(path).unwrap_err().to_string(), expected);
        }
    }

    proptest! {
        #[test]
        fn what_is_printed_reads_the_same(path in "[a-z]{1,3}(\\[[0-9]{1,3}\\]|\\{n=[a-z ]{0,4}\\})?(\\.[a-z]{1,3})?") {
            let parsed = FieldPath::parse(&path).unwrap();
            prop_assert_eq!(FieldPath::parse(&parsed.to_string()).unwrap(), parsed);
        }

        #[test]
        fn no_text_panics(path in ".{0,40}") {
            FieldPath::parse(&path).ok();
        }
    }
}
