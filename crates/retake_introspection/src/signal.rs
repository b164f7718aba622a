//! Names of numbers that vary, wherever they come from.

use std::fmt;

use thiserror::Error;

use crate::fields::{FieldPath, PathError};

/// A number that varies, by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Signal {
    /// `box::link::linear_velocity.x`, `controller#gain`
    Item {
        /// The manager; none is that of the world.
        manager: Option<String>,
        /// The item.
        item: String,
        /// Which of its numbers; empty when it is one itself.
        part: String,
    },
    /// `/world/cones/pose/info:pose[3].position.x`
    Topic {
        /// The topic.
        topic: String,
        /// Where the number is in its messages.
        path: FieldPath,
    },
}

/// Why a text names no number.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SignalError {
    /// Nothing stands there.
    #[error("The name of a signal is missing")]
    Empty,
    /// It is too long.
    #[error("The name of a signal has more than {MAX_LENGTH} bytes")]
    TooLong,
    /// A topic without a field.
    #[error("{topic:?} names no field. Write TOPIC:FIELD, as in /clock:sim.sec")]
    NoField {
        /// The topic.
        topic: String,
    },
    /// The field cannot be read.
    #[error(transparent)]
    Path(#[from] PathError),
}

/// Longest name of a signal.
const MAX_LENGTH: usize = 2048;

impl Signal {
    /// Reads a name.
    ///
    /// # Errors
    /// [`SignalError`] when it names no number.
    pub fn parse(text: &str) -> Result<Self, SignalError> {
        if text.is_empty() {
            return Err(SignalError::Empty);
        }
        if text.len() > MAX_LENGTH {
            return Err(SignalError::TooLong);
        }
        if text.starts_with('/') {
            // Topics may have colons, fields have none; the text of a key may.
            let colon = text[..text.find('{').unwrap_or(text.len())].rfind(':');
            let no_field = || SignalError::NoField { topic: text.to_owned() };
            let (topic, path) = text.split_at(colon.ok_or_else(no_field)?);
            let path = &path[1..];
            return Ok(Self::Topic { topic: topic.to_owned(), path: FieldPath::parse(path)? });
        }
        let (manager, rest) = match text.split_once('#') {
            Some((manager, rest)) => (Some(manager.to_owned()), rest),
            None => (None, text),
        };
        // Names of entities may have dots; those of quantities have none.
        let last = rest.rfind("::").map_or(0, |at| at + 2);
        let (item, part) = match rest[last..].find('.') {
            Some(dot) => (&rest[..last + dot], &rest[last + dot + 1..]),
            None => (rest, ""),
        };
        if item.is_empty() {
            return Err(SignalError::Empty);
        }
        Ok(Self::Item { manager, item: item.to_owned(), part: part.to_owned() })
    }
}

impl fmt::Display for Signal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Item { manager, item, part } => {
                if let Some(manager) = manager {
                    write!(f, "{manager}#")?;
                }
                let dot = if part.is_empty() { "" } else { "." };
                write!(f, "{item}{dot}{part}")
            }
            Self::Topic { topic, path } => write!(f, "{topic}:{path}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_and_printed() {
        for (text, expected) in [
            ("sim_time", "- | sim_time | "),
            ("box.001::link::pose.position.x", "- | box.001::link::pose | position.x"),
            ("controller#gain", "controller | gain | "),
            ("c#arm::at.x", "c | arm::at | x"),
            ("/clock:sim.sec", "/clock | sim.sec"),
            ("/a:b/c:d{e=f:g}.h", "/a:b/c | d{e=f:g}.h"),
            ("/w/pose:pose{name=a.b}.position.x", "/w/pose | pose{name=a.b}.position.x"),
        ] {
            let signal = Signal::parse(text).unwrap();
            let parts = match &signal {
                Signal::Item { manager, item, part } => {
                    format!("{} | {item} | {part}", manager.as_deref().unwrap_or("-"))
                }
                Signal::Topic { topic, path } => format!("{topic} | {path}"),
            };
            assert_eq!(parts, expected);
            assert_eq!(signal.to_string(), text);
        }
        let refused = Signal::parse("/clock").unwrap_err();
        assert_eq!(
            refused.to_string(),
            "\"/clock\" names no field. Write TOPIC:FIELD, as in /clock:sim.sec"
        );
    }
}
