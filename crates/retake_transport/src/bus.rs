//! The bus: what programs can do with topics, services and each other's presence.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use retake_msgs::TypeDescriptor;

use crate::error::{BusError, CallError};
use crate::name::Name;

/// Topics, services, discovery and presence; shared as `Arc<dyn Bus>`.
///
/// Every method may be called from any thread. No method but [`Bus::call`] and the ones that ask
/// others ([`Bus::topics`], [`Bus::services`], [`Bus::clients`], [`Bus::descriptor`]) waits for
/// another process.
pub trait Bus: Send + Sync {
    /// Starts to publish on `topic`; others discover it while the publisher lives.
    ///
    /// # Errors
    /// [`BusError::TypeMismatch`] when the topic is known with another type.
    fn advertise(
        &self,
        topic: &Name,
        type_name: &str,
        delivery: Delivery,
    ) -> Result<Box<dyn RawPublisher>, BusError>;

    /// Calls `subscriber` with every message on `topic` until the guard is dropped.
    ///
    /// # Errors
    /// [`BusError::LimitReached`] when this program listens to too much already,
    /// [`BusError::Closed`] or [`BusError::Network`].
    fn subscribe(&self, topic: &Name, subscriber: Subscriber) -> Result<Guard, BusError>;

    /// Answers calls to `service` with `handler` until the guard is dropped. Requests of another
    /// type than `types.request` are refused and do not reach the handler.
    ///
    /// # Errors
    /// [`BusError::ServiceTaken`] when somebody already serves this name.
    fn serve(
        &self,
        service: &Name,
        types: ServiceTypes,
        handler: Handler,
    ) -> Result<Guard, BusError>;

    /// Calls `service` and waits for its reply.
    ///
    /// # Errors
    /// See [`CallError`].
    fn call(
        &self,
        service: &Name,
        request: &Message,
        timeout: Duration,
    ) -> Result<Message, CallError>;

    /// Lists the topics that somebody publishes, by name.
    ///
    /// # Errors
    /// [`BusError::NoAnswer`] when discovery fails.
    fn topics(&self) -> Result<Vec<Topic>, BusError>;

    /// Lists the services that somebody serves, by name.
    ///
    /// # Errors
    /// [`BusError::NoAnswer`] when discovery fails.
    fn services(&self) -> Result<Vec<Service>, BusError>;

    /// Returns the schema of a message type, from here or from whoever has it.
    ///
    /// # Errors
    /// [`BusError::NoDescriptor`] when nobody has it.
    fn descriptor(&self, type_name: &str) -> Result<TypeDescriptor, BusError>;

    /// Lets others ask this program for the schema of a type that Retake does not come with.
    ///
    /// # Errors
    /// [`BusError::LimitReached`] when too many are offered already.
    fn offer_descriptor(&self, descriptor: TypeDescriptor) -> Result<(), BusError>;

    /// Makes this program known to others under `name` until the guard is dropped or the program
    /// dies.
    ///
    /// # Errors
    /// [`BusError::Closed`] or [`BusError::Network`].
    fn join(&self, name: &str) -> Result<Guard, BusError>;

    /// Lists who has joined, by name.
    ///
    /// # Errors
    /// [`BusError::NoAnswer`] when discovery fails.
    fn clients(&self) -> Result<Vec<Client>, BusError>;

    /// Calls `watcher` with everybody who is there, comes or goes, until the guard is dropped.
    ///
    /// # Errors
    /// [`BusError::Closed`] or [`BusError::Network`].
    fn watch_clients(&self, watcher: ClientWatcher) -> Result<Guard, BusError>;
}

/// Publishes encoded messages on one topic.
pub trait RawPublisher: Send + Sync {
    /// Hands a message over for sending; never waits for a subscriber or the network.
    ///
    /// # Errors
    /// [`BusError::TooLarge`], [`BusError::QueueFull`] (only [`Delivery::All`]) or
    /// [`BusError::Closed`].
    fn publish(&self, bytes: Vec<u8>) -> Result<(), BusError>;

    /// Hands a message over as [`RawPublisher::publish`] does, and waits up to `patience` for room
    /// in the queue. For threads that have nothing better to do; inside a callback it does not wait.
    ///
    /// # Errors
    /// As [`RawPublisher::publish`].
    fn publish_patiently(&self, bytes: Vec<u8>, patience: Duration) -> Result<(), BusError> {
        let _ = patience;
        self.publish(bytes)
    }

    /// Says whether anybody subscribes, so that nothing needs to be encoded for nobody.
    fn wanted(&self) -> bool;
}

/// Called with each message of a subscription, on the transport's threads.
pub type Subscriber = Arc<dyn Fn(MessageRef<'_>) + Send + Sync>;

/// Called with each request to a service, on the transport's threads; may keep the responder and
/// answer later from anywhere.
pub type Handler = Arc<dyn Fn(Message, Responder) + Send + Sync>;

/// Called when a client comes or goes, on the transport's threads.
pub type ClientWatcher = Arc<dyn Fn(&ClientChange) + Send + Sync>;

/// What to do when messages come faster than they can be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delivery {
    /// Older messages give way to the newest: for states.
    Newest,
    /// Every message is sent in order; past a bound publishing is an error: for events.
    All,
}

/// An encoded message with its type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// Full name of the protobuf type.
    pub type_name: String,
    /// Encoded message.
    pub bytes: Vec<u8>,
}

impl Message {
    /// Encodes a message.
    pub fn encode<M: prost::Message + prost::Name>(message: &M) -> Self {
        Self { type_name: M::full_name(), bytes: message.encode_to_vec() }
    }
}

/// An encoded message that is only lent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MessageRef<'a> {
    /// Full name of the protobuf type.
    pub type_name: &'a str,
    /// Encoded message.
    pub bytes: &'a [u8],
}

/// Types of a service.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ServiceTypes {
    /// Full name of the request's type.
    pub request: String,
    /// Full name of the reply's type.
    pub reply: String,
}

/// A topic that somebody publishes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Topic {
    /// Name with leading slash.
    pub name: String,
    /// Full name of the message type.
    pub type_name: String,
    /// How many publishers there are.
    pub publishers: usize,
}

/// A service that somebody serves.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Service {
    /// Name with leading slash.
    pub name: String,
    /// Types of request and reply.
    pub types: ServiceTypes,
}

/// Somebody who joined the bus.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Client {
    /// Name that the client gave itself; not unique.
    pub name: String,
    /// Identity given by the transport; unique.
    pub id: String,
}

/// Somebody came or went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClientChange {
    /// The client is there now.
    Came(Client),
    /// The client left or died.
    Went(Client),
}

/// Keeps a subscription, a service or a presence alive; dropping it ends it.
#[must_use = "dropping the guard ends at once what it keeps alive"]
pub struct Guard {
    _kept: Box<dyn Send + Sync>,
}

impl Guard {
    pub(crate) fn keeping(kept: impl Send + Sync + 'static) -> Self {
        Self { _kept: Box::new(kept) }
    }
}

impl fmt::Debug for Guard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Guard")
    }
}

/// Answers one request; dropped without an answer, it tells the caller so.
pub struct Responder {
    send: Option<Answer>,
}

/// Takes the reply's bytes, or the reason for refusing.
pub(crate) type Answer = Box<dyn FnOnce(Result<Vec<u8>, String>) + Send>;

impl Responder {
    pub(crate) fn new(send: Answer) -> Self {
        Self { send: Some(send) }
    }

    /// Replies with an encoded message of the service's reply type.
    pub fn answer(mut self, bytes: Vec<u8>) {
        let limit = retake_msgs::MAX_MESSAGE_BYTES;
        let outcome = match bytes.len() {
            size if size > limit => {
                Err(format!("The reply of {size} bytes is over the limit of {limit} bytes"))
            }
            _ => Ok(bytes),
        };
        self.finish(outcome);
    }

    /// Tells the caller why there is no reply.
    pub fn refuse(mut self, reason: impl Into<String>) {
        self.finish(Err(reason.into()));
    }

    fn finish(&mut self, outcome: Result<Vec<u8>, String>) {
        if let Some(send) = self.send.take() {
            send(outcome);
        }
    }
}

impl Drop for Responder {
    fn drop(&mut self) {
        self.finish(Err("The service gave no answer".to_owned()));
    }
}

impl fmt::Debug for Responder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Responder")
    }
}
