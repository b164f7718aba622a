//! Messages of ROS as plain values, and their forms on the wire.
//!
//! Inside, a message is a JSON object with the field names of ROS 2: a time is `{sec, nanosec}`.
//! What ROS 1 and ROS 2 have different, a definition says; a field that a value lacks is its
//! default, one that a definition lacks is left out. A number that is no number is `null`.
//! Deliberately not here: what messages mean, and any connection.

mod cdr;
mod definition;
mod digest;
mod error;
mod fields;
mod json;
mod library;
mod ros1;
mod schema_text;

pub use definition::{Count, Definition, Field, Kind, Primitive};
pub use digest::{md5_sum, service_md5_sum, type_hash};
pub use error::MessageError;
pub use library::{Flavour, Library, ServiceNames, library};
pub use schema_text::schema_text;

use serde_json::Value;

/// Most elements that an array of a received message may have.
const MAX_ELEMENTS: usize = 1 << 20;

impl Library {
    /// Encodes a message as ROS 1 sends it, without its length.
    ///
    /// # Errors
    /// [`MessageError`] names the field whose value does not fit.
    pub fn to_ros1(&self, type_name: &str, value: &Value) -> Result<Vec<u8>, MessageError> {
        ros1::encode(self, type_name, value)
    }

    /// Decodes a message of ROS 1.
    ///
    /// # Errors
    /// [`MessageError`] names the field where the bytes end or make no sense.
    pub fn from_ros1(&self, type_name: &str, bytes: &[u8]) -> Result<Value, MessageError> {
        ros1::decode(self, type_name, bytes)
    }

    /// Encodes a message as ROS 2 sends it: little-endian CDR with its header of four bytes.
    ///
    /// # Errors
    /// [`MessageError`] names the field whose value does not fit.
    pub fn to_cdr(&self, type_name: &str, value: &Value) -> Result<Vec<u8>, MessageError> {
        cdr::encode(self, type_name, value)
    }

    /// Decodes a message of ROS 2, of either byte order.
    ///
    /// # Errors
    /// [`MessageError`] names the field where the bytes end or make no sense.
    pub fn from_cdr(&self, type_name: &str, bytes: &[u8]) -> Result<Value, MessageError> {
        cdr::decode(self, type_name, bytes)
    }

    /// Gives a message the shape that rosbridge has for it in this flavour.
    ///
    /// # Errors
    /// [`MessageError`] names the field whose value does not fit.
    pub fn to_json(&self, type_name: &str, value: &Value) -> Result<Value, MessageError> {
        json::outward(self, type_name, value)
    }

    /// Takes a message as rosbridge has it, of either flavour, into the inner shape.
    ///
    /// # Errors
    /// [`MessageError`] names the field whose value does not fit.
    pub fn from_json(&self, type_name: &str, value: &Value) -> Result<Value, MessageError> {
        json::inward(self, type_name, value)
    }
}

#[cfg(test)]
mod tests;
