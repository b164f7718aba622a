//! Foxglove's WebSocket protocol, version 1: channels, services and time, for viewers.
//!
//! Messages are those of ROS 2, with their definitions, so that a viewer shows robots, frames and
//! joints without being told anything. Deliberately not here: parameters, assets and the graph of
//! connections, which no viewer needs for that.

mod session;
mod wire;

use tokio::net::TcpListener;

use crate::hub::Hub;
use crate::web::{Access, serve};

/// Port where viewers look.
pub const DEFAULT_PORT: u16 = 8765;

/// Names of the protocol that are understood.
const PROTOCOLS: [&str; 2] = ["foxglove.sdk.v1", "foxglove.websocket.v1"];

/// Serves viewers until the future is dropped.
pub(crate) async fn run(listener: TcpListener, port: u16, origins: Vec<String>, hub: Hub) {
    let access = Access { port, origins, protocols: &PROTOCOLS };
    serve(listener, access, move |socket| session::run(socket, hub.clone())).await;
}
