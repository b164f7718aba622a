//! Bridges to the tools that robot people have: rosbridge, ROS, Foxglove.
//!
//! One inner model, the [`hub`], shows a world as topics, services and actions; one module for each
//! protocol stands around it. All are off unless asked for, and listen on loopback only. A bridge is
//! a client of the server like any other: edits are user commands, goals go to the motion players.

mod bridges;
mod clock;
mod foxglove;
mod hub;
mod message;
mod robot;
mod ros1;
#[cfg(feature = "ros2")]
mod ros2;
mod rosbridge;
mod web;

pub use bridges::{BridgeError, BridgeOptions, Bridges};
pub use clock::{ClockPolicy, RosClock, RosTime};
pub use foxglove::DEFAULT_PORT as FOXGLOVE_PORT;
pub use message::{
    Count, Definition, Field, Flavour, Kind, Library, MessageError, Primitive, ServiceNames,
    library, md5_sum, schema_text, service_md5_sum, type_hash,
};
pub use ros1::DEFAULT_MASTER as ROS1_MASTER;
pub use ros1::wire as ros1_wire;
pub use rosbridge::DEFAULT_PORT as ROSBRIDGE_PORT;
