//! The line to one page: messages in both directions, and why it ends.

use std::time::Duration;

use axum::body::Bytes;
use axum::extract::ws::{CloseFrame, Message, WebSocket, close_code};
use futures_util::SinkExt;
use retake_msgs::Hello;
use retake_msgs::numbers::WildNumber;
use retake_msgs::page_message::Message as Said;

use crate::wire;

/// Why a session ends.
#[derive(Debug)]
pub(super) enum End {
    /// The page is gone, or does not read any more: nothing can be said to it.
    Gone,
    /// The page leaves; its farewell is answered.
    Left,
    /// The page is told why.
    Close { code: u16, reason: String },
}

impl End {
    pub(super) fn because(code: u16, reason: impl Into<String>) -> Self {
        Self::Close { code, reason: reason.into() }
    }

    pub(super) fn going_away() -> Self {
        Self::because(close_code::AWAY, "The host stops")
    }
}

/// What a page said.
pub(super) struct Heard {
    pub(super) said: Said,
    /// The first number of it that nobody can mean.
    pub(super) wild: Option<WildNumber>,
}

/// The page's end of the line.
pub(super) struct Socket {
    socket: WebSocket,
    write_timeout: Duration,
}

impl Socket {
    /// Takes a connection; a page that does not take a message in time is cut off.
    pub(super) fn new(socket: WebSocket, write_timeout: Duration) -> Self {
        Self { socket, write_timeout }
    }

    /// Sends a message; a page that does not take it in time is cut off.
    pub(super) async fn send(&mut self, message: Bytes) -> Result<(), End> {
        let sent = self.socket.send(Message::Binary(message));
        match tokio::time::timeout(self.write_timeout, sent).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) => Err(End::Gone),
            Err(_) => {
                tracing::info!("a page does not read and is cut off");
                Err(End::Gone)
            }
        }
    }

    /// Sends several messages in order.
    pub(super) async fn send_all(&mut self, messages: Vec<Bytes>) -> Result<(), End> {
        for message in messages {
            self.send(message).await?;
        }
        Ok(())
    }

    /// Waits for the next message.
    pub(super) async fn receive(&mut self) -> Result<Heard, End> {
        loop {
            let bytes = match self.socket.recv().await {
                Some(Ok(Message::Binary(bytes))) => bytes,
                Some(Ok(Message::Text(_))) => {
                    return Err(End::because(close_code::UNSUPPORTED, "Messages are binary"));
                }
                // The library answers pings by itself.
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => continue,
                Some(Ok(Message::Close(_))) => return Err(End::Left),
                None => return Err(End::Gone),
                Some(Err(cause)) => return Err(unreadable(&cause)),
            };
            let garbled = |text| End::because(close_code::PROTOCOL, text);
            let (message, wild) = wire::decode(&bytes).map_err(garbled)?;
            // A message of a kind that only later versions know is passed over.
            if let Some(said) = message.message {
                return Ok(Heard { said, wild });
            }
        }
    }

    pub(super) async fn hello(&mut self) -> Result<Hello, End> {
        match self.receive().await?.said {
            Said::Hello(hello) => Ok(hello),
            _ => Err(End::because(close_code::PROTOCOL, "The greeting comes first")),
        }
    }

    /// Parts from the page, as far as it can hear. One that does not is gone all the same.
    pub(super) async fn end(&mut self, end: End) {
        let parted = async {
            match end {
                End::Gone => Ok(()),
                // The library has the answer ready; it is left to send it.
                End::Left => self.socket.flush().await,
                End::Close { code, reason } => {
                    let frame = CloseFrame { code, reason: reason.into() };
                    self.socket.send(Message::Close(Some(frame))).await
                }
            }
        };
        match tokio::time::timeout(self.write_timeout, parted).await {
            Ok(Ok(())) => {}
            Ok(Err(cause)) => tracing::debug!(%cause, "a page did not hear its farewell"),
            Err(_) => tracing::debug!("a page did not take its farewell"),
        }
    }
}

/// How errors of the library begin; it hides their type. The codes that follow are tested.
const TOO_LONG: &str = "Space limit exceeded";
const NO_TEXT: &str = "UTF-8 encoding error";
const NO_LINE: &str = "IO error";

fn unreadable(cause: &axum::Error) -> End {
    tracing::debug!(%cause, "a page's message could not be read");
    let cause = cause.to_string();
    if cause.starts_with(NO_LINE) {
        End::Gone
    } else if cause.starts_with(TOO_LONG) {
        let most = retake_msgs::MAX_MESSAGE_BYTES / (1024 * 1024);
        End::because(close_code::SIZE, format!("A message has at most {most} MiB"))
    } else if cause.starts_with(NO_TEXT) {
        End::because(close_code::INVALID, "The text is not UTF-8")
    } else {
        End::because(close_code::PROTOCOL, "This is not the WebSocket protocol")
    }
}
