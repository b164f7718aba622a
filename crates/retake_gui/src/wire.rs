//! Framing of WebSocket messages, as `page.proto` describes it.

use axum::body::Bytes;
use prost::Message;
use retake_msgs::host_message::Message as Body;
use retake_msgs::numbers::{WildNumber, find_wild_number};
use retake_msgs::{HostMessage, Name as _, PageMessage};

/// Kind of a protobuf message.
const MESSAGE: u32 = 1;
/// Kind of a pose frame.
pub(crate) const POSES: u32 = 2;

/// Encodes a message to the page.
pub(crate) fn encode(body: Body) -> Bytes {
    let message = HostMessage { message: Some(body) };
    let mut bytes = Vec::with_capacity(4 + message.encoded_len());
    bytes.extend_from_slice(&MESSAGE.to_le_bytes());
    message.encode_raw(&mut bytes);
    bytes.into()
}

/// Decodes a message from the page, with the first number of it that nobody can mean.
///
/// # Errors
/// A sentence for the client that sent it.
pub(crate) fn decode(bytes: &[u8]) -> Result<(PageMessage, Option<WildNumber>), String> {
    let Some((kind, rest)) = bytes.split_first_chunk::<4>() else {
        return Err(format!("A message of {} bytes is too short", bytes.len()));
    };
    match u32::from_le_bytes(*kind) {
        MESSAGE => {
            let message = PageMessage::decode(rest).map_err(|_| "The message is garbled")?;
            Ok((message, find_wild_number(&PageMessage::full_name(), rest)))
        }
        other => Err(format!("Messages of kind {other} are not known")),
    }
}
