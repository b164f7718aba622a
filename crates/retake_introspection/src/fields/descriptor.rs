//! What messages of a type look like.

use prost_reflect::MessageDescriptor;
use retake_msgs::schemas::{UnreadableSchema, read_schemas};
use retake_transport::{Bus, BusError};
use thiserror::Error;

/// Why it is not known what messages of a type look like.
#[derive(Debug, Error)]
pub enum SchemaError {
    /// Nobody has the schema.
    #[error(transparent)]
    Unknown(#[from] BusError),
    /// The schema cannot be read.
    #[error("The schema of {type_name} cannot be read")]
    Unreadable {
        /// The type.
        type_name: String,
        /// Cause.
        #[source]
        source: UnreadableSchema,
    },
    /// The schema is about other types.
    #[error("The schema of {type_name} does not describe it")]
    Other {
        /// The type.
        type_name: String,
    },
}

/// Returns what messages of a type look like, from this program or from whoever has it.
///
/// # Errors
/// [`SchemaError`] when nobody knows.
pub fn message_descriptor(
    bus: &dyn Bus,
    type_name: &str,
) -> Result<MessageDescriptor, SchemaError> {
    if let Some(known) = retake_msgs::descriptor_pool().get_message_by_name(type_name) {
        return Ok(known);
    }
    let found = bus.descriptor(type_name)?;
    let pool = read_schemas(&found.file_descriptor_set)
        .map_err(|source| SchemaError::Unreadable { type_name: type_name.to_owned(), source })?;
    pool.get_message_by_name(type_name)
        .ok_or_else(|| SchemaError::Other { type_name: type_name.to_owned() })
}
