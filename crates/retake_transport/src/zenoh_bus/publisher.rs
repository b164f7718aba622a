//! Publishing over zenoh.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use zenoh::Wait;
use zenoh::liveliness::LivelinessToken;
use zenoh::pubsub::Publisher;
use zenoh::qos::CongestionControl;

use super::outbox::{Lanes, Mailbox};
use super::{ZenohBus, calls, keys, network};
use crate::bus::{Delivery, RawPublisher};
use crate::callback;
use crate::error::BusError;
use crate::name::Name;

/// Starts to publish on `topic`.
pub(super) fn advertise(
    bus: &ZenohBus,
    topic: &Name,
    type_name: &str,
    delivery: Delivery,
) -> Result<Box<dyn RawPublisher>, BusError> {
    check_type(bus, topic, type_name)?;
    let congestion = match delivery {
        Delivery::Newest => CongestionControl::Drop,
        Delivery::All => CongestionControl::Block,
    };
    let declared = bus.session.declare_publisher(keys::topic(topic));
    let declared = declared.congestion_control(congestion).encoding(calls::encoding(type_name));
    let publisher = Arc::new(declared.wait().map_err(network("advertise a topic"))?);
    let wanted = watch_wanted(&publisher)?;
    let token = bus.token(keys::topic_token(topic, type_name, &bus.owner()))?;
    let outlet = match delivery {
        Delivery::Newest => Outlet::Newest(Mailbox::new(publisher)),
        Delivery::All => Outlet::All(publisher),
    };
    let lanes = Arc::clone(&bus.outbox.lanes);
    Ok(Box::new(ZenohPublisher { topic: topic.to_string(), outlet, lanes, wanted, _token: token }))
}

struct ZenohPublisher {
    topic: String,
    outlet: Outlet,
    lanes: Arc<Lanes>,
    wanted: Arc<AtomicBool>,
    _token: LivelinessToken,
}

enum Outlet {
    Newest(Arc<Mailbox>),
    All(Arc<Publisher<'static>>),
}

impl RawPublisher for ZenohPublisher {
    fn publish(&self, bytes: Vec<u8>) -> Result<(), BusError> {
        self.publish_patiently(bytes, Duration::ZERO)
    }

    fn publish_patiently(&self, bytes: Vec<u8>, patience: Duration) -> Result<(), BusError> {
        // The thread that makes room may be the one that runs this callback.
        let patience = if callback::is_inside() { Duration::ZERO } else { patience };
        match &self.outlet {
            Outlet::Newest(mailbox) => self.lanes.state(&self.topic, mailbox, bytes),
            Outlet::All(publisher) => self.lanes.event(&self.topic, publisher, bytes, patience),
        }
    }

    fn wanted(&self) -> bool {
        self.wanted.load(Ordering::Relaxed)
    }
}

fn check_type(bus: &ZenohBus, topic: &Name, ours: &str) -> Result<(), BusError> {
    if callback::is_inside() {
        // Asking others means waiting, and that would stop the bus here.
        return Ok(());
    }
    let tokens = bus.tokens(&keys::topic_tokens(topic), "topics")?;
    let mut types = tokens.iter().filter_map(|token| keys::read_topic(token));
    match types.find(|(_, theirs)| theirs != ours) {
        None => Ok(()),
        Some((name, theirs)) => Err(BusError::TypeMismatch { name, ours: ours.to_owned(), theirs }),
    }
}

/// Keeps a flag that says whether anybody subscribes, so that asking costs nothing.
fn watch_wanted(publisher: &Publisher<'static>) -> Result<Arc<AtomicBool>, BusError> {
    let wanted = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&wanted);
    let listener = publisher
        .matching_listener()
        .callback(move |status| flag.store(status.matching(), Ordering::Relaxed));
    listener.background().wait().map_err(network("watch for subscribers"))?;
    let status = publisher.matching_status().wait().map_err(network("look for subscribers"))?;
    if status.matching() {
        wanted.store(true, Ordering::Relaxed);
    }
    Ok(wanted)
}
