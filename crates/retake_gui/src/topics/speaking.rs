//! What pages say on the bus: messages of any type, and calls of services.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use prost_reflect::DynamicMessage;
use retake_introspection::fields::message_descriptor;
use retake_msgs::{
    CallService, EncodedMessage, Findings, FindingsRequest, ModelLibrary, ModelLibraryRequest,
    PublishMessage, TypeDescriptor, names,
};
use retake_transport::typed;
use retake_transport::{Bus, Delivery, Message, Name, RawPublisher};

use crate::lock::locked;

/// How long to look for a subscriber before the first message.
const FIND_SUBSCRIBER: Duration = Duration::from_secs(2);
/// How often to look for one.
const LOOK: Duration = Duration::from_millis(5);
/// How long a service may take.
const CALL_TIMEOUT: Duration = Duration::from_secs(10);

/// Returns the schema of a message type.
///
/// # Errors
/// A sentence that says why there is none.
pub(crate) fn describe(bus: &dyn Bus, type_name: &str) -> Result<TypeDescriptor, String> {
    bus.descriptor(type_name).map_err(|error| error.to_string())
}

/// Calls a service and returns its reply. It waits.
///
/// # Errors
/// A sentence that says why there is none.
pub(crate) fn call(bus: &dyn Bus, request: CallService) -> Result<EncodedMessage, String> {
    let name = Name::new(&request.service).map_err(|error| error.to_string())?;
    let message = checked(bus, request.request)?;
    let reply = bus.call(&name, &message, CALL_TIMEOUT).map_err(|error| error.to_string())?;
    Ok(EncodedMessage { type_name: reply.type_name, bytes: reply.bytes })
}

/// Asks the server what was found in the world's file. It waits.
///
/// # Errors
/// A sentence that says why there is no answer.
pub(crate) fn findings(bus: &dyn Bus, world: &str) -> Result<Findings, String> {
    let request = FindingsRequest {};
    typed::call(bus, &names::findings(world), &request, CALL_TIMEOUT)
        .map_err(|error| error.to_string())
}

/// Asks the server which models can be inserted. It waits.
///
/// # Errors
/// A sentence that says why there is no answer.
pub(crate) fn library(bus: &dyn Bus, world: &str) -> Result<ModelLibrary, String> {
    let request = ModelLibraryRequest {};
    typed::call(bus, &names::model_list(world), &request, CALL_TIMEOUT)
        .map_err(|error| error.to_string())
}

/// The publisher of a page. It stays for the next message of the same topic, so that subscribers
/// need not find it again; another topic takes its place.
#[derive(Clone, Default)]
pub(crate) struct Voice(Arc<Mutex<Option<Advertised>>>);

struct Advertised {
    topic: String,
    type_name: String,
    bus: Arc<dyn Bus>,
    publisher: Box<dyn RawPublisher>,
}

impl Voice {
    /// Publishes a message and says what came of it. It may wait for a subscriber.
    ///
    /// # Errors
    /// A sentence that says why nothing was published.
    pub(crate) fn publish(
        &self,
        bus: Arc<dyn Bus>,
        request: PublishMessage,
    ) -> Result<String, String> {
        let message = checked(bus.as_ref(), request.message)?;
        let mut advertised = locked(&self.0);
        let fits = |known: &&mut Advertised| {
            known.topic == request.topic
                && known.type_name == message.type_name
                && Arc::ptr_eq(&known.bus, &bus)
        };
        let known = match advertised.as_mut().filter(fits) {
            Some(known) => known,
            None => {
                // Its name must be free before it is taken with another type.
                *advertised = None;
                let made = advertise(bus, &request.topic, &message.type_name)?;
                advertised.insert(made)
            }
        };
        let heard = known.publisher.wanted();
        known.publisher.publish(message.bytes).map_err(|error| error.to_string())?;
        Ok(match heard {
            true => format!("Published on {}", request.topic),
            false => format!("Published on {}, but nobody listens there", request.topic),
        })
    }
}

fn advertise(bus: Arc<dyn Bus>, topic: &str, type_name: &str) -> Result<Advertised, String> {
    let name = Name::new(topic).map_err(|error| error.to_string())?;
    let publisher = bus.advertise(&name, type_name, Delivery::All);
    let publisher = publisher.map_err(|error| error.to_string())?;
    let start = Instant::now();
    while !publisher.wanted() && start.elapsed() < FIND_SUBSCRIBER {
        std::thread::sleep(LOOK);
    }
    let (topic, type_name) = (topic.to_owned(), type_name.to_owned());
    Ok(Advertised { topic, type_name, bus, publisher })
}

/// Makes sure that a message is what it is said to be.
fn checked(bus: &dyn Bus, message: Option<EncodedMessage>) -> Result<Message, String> {
    let EncodedMessage { type_name, bytes } = message.ok_or("There is no message")?;
    let descriptor = message_descriptor(bus, &type_name).map_err(|error| error.to_string())?;
    DynamicMessage::decode(descriptor, bytes.as_slice())
        .map_err(|cause| format!("This is no {type_name}: {cause}"))?;
    Ok(Message { type_name, bytes })
}
