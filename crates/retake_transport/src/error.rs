//! What can go wrong on a bus.

use std::time::Duration;

use crate::name::NameError;
use crate::rendezvous::RendezvousError;
use crate::zenoh_bus::BeyondError;

/// Why there is no connection to a server.
#[derive(Debug, thiserror::Error)]
pub enum ConnectError {
    /// It is not known where the server is.
    #[error(transparent)]
    Rendezvous(#[from] RendezvousError),
    /// The file about a server on another machine cannot be used.
    #[error(transparent)]
    Beyond(#[from] BeyondError),
    /// The server cannot be reached.
    #[error(transparent)]
    Bus(#[from] BusError),
}

/// Why something could not be done on a bus.
#[derive(Debug, thiserror::Error)]
pub enum BusError {
    /// A topic's or service's name breaks the rules.
    #[error(transparent)]
    BadName(#[from] NameError),
    /// Somebody else uses the name with another type.
    #[error("{name} carries {theirs}, not {ours}. Use {theirs} or another name")]
    TypeMismatch {
        /// Topic.
        name: String,
        /// Type wanted here.
        ours: String,
        /// Type in use.
        theirs: String,
    },
    /// Somebody else already answers on this name.
    #[error("service {name} is already served. Stop the other one or use another name")]
    ServiceTaken {
        /// Service.
        name: String,
    },
    /// A message is over the limit.
    #[error("a message of {bytes} bytes for {name} is over the limit of {limit} bytes")]
    TooLarge {
        /// Topic or type.
        name: String,
        /// Size of the message.
        bytes: usize,
        /// Greatest size.
        limit: usize,
    },
    /// So much waits to be sent that this message was not taken.
    #[error("the queue of outgoing messages is full; the message for {topic} was not sent")]
    QueueFull {
        /// Topic.
        topic: String,
    },
    /// Too many of something were asked for.
    #[error("there are already {limit} {what}")]
    LimitReached {
        /// What there are too many of.
        what: &'static str,
        /// Greatest number.
        limit: usize,
    },
    /// Nobody on the bus knows the type.
    #[error("nobody on the bus knows the message type {type_name}")]
    NoDescriptor {
        /// Full name of the type.
        type_name: String,
    },
    /// The port is in use.
    #[error("port {port} is taken{}. Stop the other program or choose another port with --bus-port", by_whom(.owner))]
    PortBusy {
        /// Port on 127.0.0.1.
        port: u16,
        /// World and process id of the server there, when it is a Retake server.
        owner: Option<(String, u32)>,
    },
    /// Nobody listens at the address.
    #[error("no Retake server answers at {address}. Start one with: retake run WORLD")]
    Unreachable {
        /// Address that was tried.
        address: String,
        /// Cause.
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// This process may not open enough files and connections at once.
    #[error(
        "only {limit} files may be open at once here, and the bus needs {least}. \
         Raise the limit: ulimit -n {least}"
    )]
    TooFewHandles {
        /// How many may be.
        limit: u64,
        /// How many are needed.
        least: u64,
    },
    /// The bus was closed.
    #[error("the bus is closed")]
    Closed,
    /// Discovery got no answer in time.
    #[error("nobody answered the question for {what} within {} s", .timeout.as_secs_f64())]
    NoAnswer {
        /// What was asked for.
        what: &'static str,
        /// How long it was waited.
        timeout: Duration,
    },
    /// The network layer failed.
    #[error("could not {doing}")]
    Network {
        /// What was tried.
        doing: &'static str,
        /// Cause.
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
}

/// Why a call gave no reply.
#[derive(Debug, thiserror::Error)]
pub enum CallError {
    /// The service's name breaks the rules.
    #[error(transparent)]
    BadName(#[from] NameError),
    /// Nobody serves this name.
    #[error("no service named {name:?}. Known: {}", listed(.known))]
    NoSuchService {
        /// Service that was called.
        name: String,
        /// Services there are.
        known: Vec<String>,
    },
    /// The service did not answer in time.
    #[error(
        "service {name} did not answer within {} s. It may still do what was asked: look before you \
         ask again",
        .timeout.as_secs_f64()
    )]
    Timeout {
        /// Service that was called.
        name: String,
        /// How long it was waited.
        timeout: Duration,
    },
    /// The service said no.
    #[error("{message}")]
    Refused {
        /// The service's reason.
        message: String,
    },
    /// A request or reply is of another type than expected.
    #[error("service {name} answered with {theirs}, not {ours}")]
    TypeMismatch {
        /// Service that was called.
        name: String,
        /// Type expected.
        ours: String,
        /// Type received.
        theirs: String,
    },
    /// The reply's bytes are not a message of its type.
    #[error("the reply of {name} is not a {type_name}")]
    Malformed {
        /// Service that was called.
        name: String,
        /// Type expected.
        type_name: String,
        /// Cause.
        #[source]
        source: prost::DecodeError,
    },
    /// The request is over the limit.
    #[error("a request of {bytes} bytes for {name} is over the limit of {limit} bytes")]
    TooLarge {
        /// Service that was called.
        name: String,
        /// Size of the request.
        bytes: usize,
        /// Greatest size.
        limit: usize,
    },
    /// The call was made inside a callback, where waiting would stop the bus.
    #[error("service {name} was called inside a callback. Call it from another thread")]
    InsideCallback {
        /// Service that was called.
        name: String,
    },
    /// The bus, or the service's process, went away during the call.
    #[error("the connection to service {name} was lost")]
    Closed {
        /// Service that was called.
        name: String,
    },
}

fn by_whom(owner: &Option<(String, u32)>) -> String {
    match owner {
        Some((world, pid)) => format!(" by the server of world {world:?} (process {pid})"),
        None => String::new(),
    }
}

fn listed(names: &[String]) -> String {
    const SHOWN: usize = 20;
    match names.len() {
        0 => "none".to_owned(),
        count if count > SHOWN => {
            format!("{} and {} more", names[..SHOWN].join(", "), count - SHOWN)
        }
        _ => names.join(", "),
    }
}
