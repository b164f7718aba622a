//! What ROS 1 programs say to each other, without a connection: for whoever tries the readers.

use super::xmlrpc::Value;
use super::{http, tcpros, xmlrpc};

/// A call by XML-RPC, or its answer, that was read and can be written again.
#[derive(Clone, Debug, PartialEq)]
pub struct XmlRpc {
    /// The method; none in an answer.
    method: Option<String>,
    values: Vec<Value>,
}

impl XmlRpc {
    /// Reads a call.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn read_call(text: &str) -> Result<Self, String> {
        xmlrpc::read_call(text).map(|(method, values)| Self { method: Some(method), values })
    }

    /// Reads an answer.
    ///
    /// # Errors
    /// What is wrong with it, or what the other end says went wrong.
    pub fn read_response(text: &str) -> Result<Self, String> {
        xmlrpc::read_response(text).map(|value| Self { method: None, values: vec![value] })
    }

    /// Writes it.
    pub fn write(&self) -> String {
        match (&self.method, self.values.as_slice()) {
            (Some(method), values) => xmlrpc::write_call(method, values),
            (None, [value, ..]) => xmlrpc::write_response(value),
            (None, []) => xmlrpc::write_response(&Value::text("")),
        }
    }
}

/// Reads the head of an HTTP message: its first line, and the length of what follows.
///
/// # Errors
/// What is wrong with it.
pub fn read_http_head(head: &[u8]) -> Result<(String, usize), String> {
    http::read_head(head.to_vec())
}

/// Reads the header of a TCPROS connection, without its length, and writes it again.
///
/// # Errors
/// What is wrong with it, or what the other end says is wrong.
pub fn rewrite_tcpros_header(bytes: &[u8]) -> Result<Vec<u8>, String> {
    tcpros::read_fields(bytes).map(|fields| tcpros::write_fields(&fields))
}
