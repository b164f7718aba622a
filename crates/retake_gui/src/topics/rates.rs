//! The thread that listens to every topic and says how much comes.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use retake_msgs::{ServiceEntry, TopicRate, TopicRates};
use retake_transport::{Bus, Guard, MessageRef, Name, Topic};

use super::Topics;
use super::meter::{Count, Meter};
use crate::lock::locked;

/// How often rates are told.
const PERIOD: Duration = Duration::from_secs(1);
/// Topics that are measured; further ones are counted only.
const MAX_TOPICS: usize = 512;
/// Services that are listed.
const MAX_SERVICES: usize = 512;

/// Starts to measure; says whether a thread does.
pub(super) fn start(topics: Arc<Topics>) -> bool {
    let thread = std::thread::Builder::new().name("retake-topics".to_owned());
    thread.spawn(move || measure(&topics)).is_ok()
}

/// Measures until nobody looks any more.
fn measure(topics: &Topics) {
    let mut ears = Ears::default();
    loop {
        topics.rates.send_replace(Some(Arc::new(told(topics, &mut ears))));
        let watchers = locked(&topics.watchers);
        let looked_at = |watchers: &mut super::Watchers| watchers.count > 0;
        let waited = topics.alone.wait_timeout_while(watchers, PERIOD, looked_at);
        let (mut watchers, waited) = waited.unwrap_or_else(std::sync::PoisonError::into_inner);
        if !waited.timed_out() {
            // Under the lock: whoever begins to look now starts another thread, and waits for it.
            watchers.measured = false;
            topics.rates.send_replace(None);
            return;
        }
    }
}

fn told(topics: &Topics, ears: &mut Ears) -> TopicRates {
    match topics.bus().and_then(|bus| ears.listen(bus)) {
        Ok(rates) => rates,
        Err(problem) => TopicRates { problem, ..TopicRates::default() },
    }
}

/// What is heard, on one bus.
#[derive(Default)]
struct Ears {
    bus: Option<Arc<dyn Bus>>,
    heard: BTreeMap<String, Heard>,
}

/// A topic that is listened to.
struct Heard {
    counter: Arc<Counter>,
    meter: Meter,
    _guard: Guard,
}

#[derive(Default)]
struct Counter {
    messages: AtomicU64,
    bytes: AtomicU64,
}

impl Ears {
    /// Listens to what there is now, and says how much came.
    fn listen(&mut self, bus: Arc<dyn Bus>) -> Result<TopicRates, String> {
        if !self.bus.as_ref().is_some_and(|known| Arc::ptr_eq(known, &bus)) {
            *self = Self { bus: Some(Arc::clone(&bus)), heard: BTreeMap::new() };
        }
        let mut topics = bus.topics().map_err(|error| error.to_string())?;
        let topics_left_out = topics.len().saturating_sub(MAX_TOPICS) as u32;
        topics.truncate(MAX_TOPICS);
        self.heard.retain(|name, _| topics.iter().any(|topic| topic.name == *name));
        let topic = topics.into_iter().map(|topic| self.rate(bus.as_ref(), topic)).collect();
        let mut services = bus.services().map_err(|error| error.to_string())?;
        let services_left_out = services.len().saturating_sub(MAX_SERVICES) as u32;
        services.truncate(MAX_SERVICES);
        let entry = |service: retake_transport::Service| ServiceEntry {
            name: service.name,
            request_type: service.types.request,
            reply_type: service.types.reply,
        };
        let service = services.into_iter().map(entry).collect();
        Ok(TopicRates {
            topic,
            topics_left_out,
            service,
            services_left_out,
            ..TopicRates::default()
        })
    }

    fn rate(&mut self, bus: &dyn Bus, topic: Topic) -> TopicRate {
        if !self.heard.contains_key(&topic.name) {
            self.heard.extend(hear(bus, &topic.name).map(|heard| (topic.name.clone(), heard)));
        }
        let rate = self.heard.get_mut(&topic.name).and_then(|heard| {
            let count = heard.counter.count();
            heard.meter.take(Instant::now(), count)
        });
        TopicRate {
            name: topic.name,
            type_name: topic.type_name,
            publishers: topic.publishers as u32,
            messages_per_sec: rate.map(|rate| rate.messages_per_sec),
            bytes_per_sec: rate.map(|rate| rate.bytes_per_sec),
        }
    }
}

/// Begins to count; a topic that cannot be heard is listed without a rate.
fn hear(bus: &dyn Bus, topic: &str) -> Option<Heard> {
    let counter = Arc::new(Counter::default());
    let counted = Arc::clone(&counter);
    let count = move |message: MessageRef<'_>| {
        counted.messages.fetch_add(1, Ordering::Relaxed);
        counted.bytes.fetch_add(message.bytes.len() as u64, Ordering::Relaxed);
    };
    let guard = bus.subscribe(&Name::new(topic).ok()?, Arc::new(count)).ok()?;
    Some(Heard { counter, meter: Meter::default(), _guard: guard })
}

impl Counter {
    fn count(&self) -> Count {
        Count {
            messages: self.messages.load(Ordering::Relaxed),
            bytes: self.bytes.load(Ordering::Relaxed),
        }
    }
}
