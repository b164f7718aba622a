//! What can be wrong with a message.

use thiserror::Error;

/// Why a message cannot be encoded or decoded.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MessageError {
    /// Nobody defined the type.
    #[error("no message type is called {type_name:?} here")]
    UnknownType {
        /// The name that was asked for.
        type_name: String,
    },
    /// A value is of another kind than its field.
    #[error("{field} is {found}; it must be {expected}")]
    WrongValue {
        /// Where in the message.
        field: String,
        /// What the field takes.
        expected: String,
        /// What is there.
        found: String,
    },
    /// The bytes are over before the message is.
    #[error("the message ends at {field}")]
    TooShort {
        /// Where in the message.
        field: String,
    },
    /// There are bytes after the message.
    #[error("{count} bytes are left after the message")]
    TooLong {
        /// How many.
        count: usize,
    },
    /// A text is no UTF-8.
    #[error("{field} is no text")]
    NoText {
        /// Where in the message.
        field: String,
    },
    /// The message says of itself that it is of a kind that is not read.
    #[error("the message is not plain CDR: it begins with {first:#04x} {second:#04x}")]
    NotPlain {
        /// First byte.
        first: u8,
        /// Second byte.
        second: u8,
    },
}
