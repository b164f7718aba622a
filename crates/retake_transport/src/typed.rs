//! Message types laid over a [`Bus`].

use std::marker::PhantomData;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use prost::{Message as ProstMessage, Name as ProstName};

use crate::bus::{
    Bus, Delivery, Guard, Message, MessageRef, RawPublisher, Responder, ServiceTypes,
};
use crate::callback;
use crate::error::{BusError, CallError};
use crate::name::Name;
use retake_msgs::numbers::{self, ReadError};

/// A message type that can travel: encodable, with a name.
pub trait Typed: ProstMessage + ProstName + Default {}
impl<M: ProstMessage + ProstName + Default> Typed for M {}

/// Publishes messages of type `M` on one topic.
pub struct Publisher<M> {
    raw: Box<dyn RawPublisher>,
    message: PhantomData<fn(M)>,
}

impl<M: Typed> Publisher<M> {
    /// Starts to publish on `topic`.
    ///
    /// # Errors
    /// [`BusError::BadName`], or [`BusError::TypeMismatch`] when the topic has another type.
    pub fn new(bus: &dyn Bus, topic: &str, delivery: Delivery) -> Result<Self, BusError> {
        let raw = bus.advertise(&Name::new(topic)?, &M::full_name(), delivery)?;
        Ok(Self { raw, message: PhantomData })
    }

    /// Hands a message over for sending; never waits.
    ///
    /// # Errors
    /// As [`RawPublisher::publish`].
    pub fn publish(&self, message: &M) -> Result<(), BusError> {
        self.raw.publish(message.encode_to_vec())
    }

    /// Says whether anybody subscribes.
    pub fn wanted(&self) -> bool {
        self.raw.wanted()
    }
}

/// Calls `subscriber` with every message on `topic` until the guard is dropped.
///
/// A message that is not an `M` is left out, and the first such is logged with both types.
///
/// # Errors
/// [`BusError::BadName`], or [`BusError::TypeMismatch`] when the topic is known with another type.
pub fn subscribe<M: Typed>(
    bus: &dyn Bus,
    topic: &str,
    subscriber: impl Fn(M) + Send + Sync + 'static,
) -> Result<Guard, BusError> {
    let name = Name::new(topic)?;
    let ours = M::full_name();
    if let Some(theirs) = known_type(bus, &name)?.filter(|theirs| *theirs != ours) {
        return Err(BusError::TypeMismatch { name: name.to_string(), ours, theirs });
    }
    let complained = AtomicBool::new(false);
    let topic = topic.to_owned();
    let take = move |message: MessageRef<'_>| match decode::<M>(&message) {
        Ok(message) => subscriber(message),
        Err(reason) => {
            if !complained.swap(true, Ordering::Relaxed) {
                tracing::warn!(topic, reason, "messages of the wrong type are left out");
            }
        }
    };
    bus.subscribe(&name, Arc::new(take))
}

/// Calls `service` and waits for its reply.
///
/// # Errors
/// See [`CallError`].
pub fn call<Q: Typed, R: Typed>(
    bus: &dyn Bus,
    service: &str,
    request: &Q,
    timeout: Duration,
) -> Result<R, CallError> {
    let name = Name::new(service)?;
    let reply = bus.call(&name, &Message::encode(request), timeout)?;
    let ours = R::full_name();
    if reply.type_name != ours {
        let name = name.to_string();
        return Err(CallError::TypeMismatch { name, ours, theirs: reply.type_name });
    }
    R::decode(reply.bytes.as_slice()).map_err(|source| CallError::Malformed {
        name: name.to_string(),
        type_name: ours,
        source,
    })
}

/// Answers calls to `service` with `handler` until the guard is dropped.
///
/// Requests with numbers that nobody can mean are refused by their field's path.
///
/// # Errors
/// [`BusError::BadName`], or [`BusError::ServiceTaken`] when somebody already serves this name.
pub fn serve<Q: Typed, R: Typed>(
    bus: &dyn Bus,
    service: &str,
    handler: impl Fn(Q, Reply<R>) + Send + Sync + 'static,
) -> Result<Guard, BusError> {
    let types = ServiceTypes { request: Q::full_name(), reply: R::full_name() };
    let take = move |request: Message, responder: Responder| match read(&request.bytes) {
        Ok(request) => handler(request, Reply { responder, message: PhantomData }),
        Err(reason) => responder.refuse(reason),
    };
    bus.serve(&Name::new(service)?, types, Arc::new(take))
}

/// Answers one request with an `R`; may be kept and used from another thread.
#[derive(Debug)]
pub struct Reply<R> {
    responder: Responder,
    message: PhantomData<fn(R)>,
}

impl<R: Typed> Reply<R> {
    /// Replies.
    pub fn answer(self, reply: &R) {
        self.responder.answer(reply.encode_to_vec());
    }

    /// Tells the caller why there is no reply.
    pub fn refuse(self, reason: impl Into<String>) {
        self.responder.refuse(reason);
    }
}

fn read<Q: Typed>(bytes: &[u8]) -> Result<Q, String> {
    numbers::read(bytes).map_err(|error| match error {
        ReadError::Malformed(cause) => {
            format!("The request is not a {}: {cause}", Q::full_name())
        }
        ReadError::Wild(wild) => wild.to_string(),
    })
}

fn known_type(bus: &dyn Bus, topic: &Name) -> Result<Option<String>, BusError> {
    if callback::is_inside() {
        // Asking others means waiting, and that would stop the bus here.
        return Ok(None);
    }
    let known = bus.topics()?.into_iter().find(|known| known.name == topic.as_str());
    Ok(known.map(|known| known.type_name))
}

fn decode<M: Typed>(message: &MessageRef<'_>) -> Result<M, String> {
    let ours = M::full_name();
    if message.type_name != ours {
        return Err(format!("got {}, expected {ours}", message.type_name));
    }
    M::decode(message.bytes).map_err(|cause| format!("not a {ours}: {cause}"))
}
