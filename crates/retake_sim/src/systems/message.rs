//! Reading what comes on topics.

use prost::{Message, Name};
use retake_msgs::numbers;

use crate::system::SystemError;

/// Reads a message that came on `topic`.
///
/// # Errors
/// [`SystemError::BadMessage`] when it cannot be read, or has a number that nobody can mean.
pub(super) fn read<M: Message + Name + Default>(
    topic: &str,
    bytes: &[u8],
) -> Result<M, SystemError> {
    decode(bytes).map_err(|reason| SystemError::BadMessage { topic: topic.to_owned(), reason })
}

/// Reads a message; the error says why not, by the field's path when it is for a number.
pub(super) fn decode<M: Message + Name + Default>(bytes: &[u8]) -> Result<M, String> {
    numbers::read(bytes).map_err(|error| error.to_string())
}
