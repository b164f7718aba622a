//! Topics and services by protobuf, over zenoh or in process.
//!
//! Everything goes through [`Bus`], an object-safe trait with two implementations: the
//! [`InProcessBus`], deterministic and synchronous, and the [`ZenohBus`] between processes of one
//! machine. [`typed`] lays message types over it. [`rendezvous`] is how programs find a running
//! server; [`callers`] is how servers of other protocols tell who of this machine asks.
//!
//! The interface is synchronous; callbacks run on the transport's threads and must be quick.
//! Deliberately not here: what the topics and services mean (`retake_msgs::names`, the runner),
//! and any listening beyond loopback without encryption and certificates ([`OpenBus`]).

mod bus;
mod callback;
pub mod callers;
mod error;
mod in_process;
mod limits;
pub mod lockstep;
mod name;
pub mod rendezvous;
pub mod typed;
mod zenoh_bus;

pub use bus::{
    Bus, Client, ClientChange, ClientWatcher, Delivery, Guard, Handler, Message, MessageRef,
    RawPublisher, Responder, Service, ServiceTypes, Subscriber, Topic,
};
pub use error::{BusError, CallError, ConnectError};
pub use in_process::InProcessBus;
pub use limits::MAX_SUBSCRIPTIONS;
pub use name::{Name, NameError};
pub use typed::{Publisher, Reply};
pub use zenoh_bus::{BeyondError, May, OpenBus, RemoteBus, ZenohBus};

/// Port on 127.0.0.1 where a server's bus listens unless told otherwise.
pub const DEFAULT_BUS_PORT: u16 = 8643;

/// Name under which a server joins its bus, so that others notice at once when it is gone.
pub const SERVER_CLIENT: &str = "server";
