//! Schemas that somebody else wrote: of a log, or of another program on the bus.

use std::{fmt, panic};

use prost::Message;
use prost_reflect::prost_types::FileDescriptorSet;
use prost_reflect::{DescriptorError, DescriptorPool};

/// Why schemas are not read.
#[derive(Debug)]
pub enum UnreadableSchema {
    /// They do not hold together.
    Malformed(DescriptorError),
    /// A file is written in a language that is not known here.
    UnknownSyntax {
        /// What the file says.
        syntax: String,
        /// Name of the file.
        file: String,
    },
    /// The reader failed.
    GaveUp,
}

impl fmt::Display for UnreadableSchema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed(cause) => cause.fmt(f),
            Self::UnknownSyntax { syntax, file } => {
                write!(f, "the syntax {syntax:?} is not known, in {file}; known: proto2, proto3")
            }
            Self::GaveUp => f.write_str("the reader of schemas gave up"),
        }
    }
}

impl std::error::Error for UnreadableSchema {}

/// Reads an encoded `FileDescriptorSet` of a stranger.
///
/// # Errors
/// [`UnreadableSchema`] when it is damaged, or in a language that is not known here.
pub fn read_schemas(bytes: &[u8]) -> Result<DescriptorPool, UnreadableSchema> {
    // The pool panics at a syntax that it does not know, and every file of an edition has one.
    if let Ok(set) = FileDescriptorSet::decode(bytes) {
        let unknown =
            set.file.iter().find(|file| !["", "proto2", "proto3"].contains(&file.syntax()));
        if let Some(file) = unknown {
            let (syntax, file) = (file.syntax().to_owned(), file.name().to_owned());
            return Err(UnreadableSchema::UnknownSyntax { syntax, file });
        }
    }
    // A fault inside of the pool must not end a thread.
    let read = panic::catch_unwind(|| DescriptorPool::decode(bytes));
    read.map_err(|_| UnreadableSchema::GaveUp)?.map_err(UnreadableSchema::Malformed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_syntax(syntax: &str) -> Result<DescriptorPool, UnreadableSchema> {
        let mut set = FileDescriptorSet::decode(crate::DESCRIPTORS).unwrap();
        set.file.last_mut().unwrap().syntax = Some(syntax.to_owned());
        read_schemas(&set.encode_to_vec())
    }

    #[test]
    fn schemas_of_an_unknown_syntax_are_refused() {
        assert!(of_syntax("proto3").is_ok());
        let refused = of_syntax("editions").unwrap_err().to_string();
        let text = "the syntax \"editions\" is not known, in ";
        assert!(refused.starts_with(text), "{refused}");
    }

    #[test]
    fn damaged_schemas_are_refused() {
        let half = &crate::DESCRIPTORS[..crate::DESCRIPTORS.len() / 2];
        assert!(matches!(read_schemas(half), Err(UnreadableSchema::Malformed(_))));
    }
}
