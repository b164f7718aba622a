//! rosbridge: topics, services and actions as JSON over a WebSocket, protocol version 2.
//!
//! Messages have the shape of ROS 1 or of ROS 2, as the type says that a client names:
//! `sensor_msgs/JointState` or `sensor_msgs/msg/JointState`. Services that clients offer are for other
//! clients. Deliberately not here: actions that clients would offer, and compression.

mod offers;
mod rosapi;
mod session;

use tokio::net::TcpListener;

use crate::hub::Hub;
use crate::web::{Access, serve};

/// Port where rosbridge is looked for.
pub const DEFAULT_PORT: u16 = 9090;

/// Serves clients until the future is dropped.
pub(crate) async fn run(listener: TcpListener, port: u16, origins: Vec<String>, hub: Hub) {
    let access = Access { port, origins, protocols: &[] };
    let offers = offers::Offers::default();
    serve(listener, access, move |socket| session::run(socket, hub.clone(), offers.clone())).await;
}
