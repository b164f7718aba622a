//! How long a filter lives that nobody listens to.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use prost::Message;
use retake_msgs::{IntrospectionSample, Name as _};
use retake_transport::{Bus, BusError, Delivery, Name, RawPublisher};

use crate::FilterSample;

/// How long a filter is kept without a subscriber: its client has this long to subscribe, and a
/// client that vanishes leaves no filter behind for longer.
pub const LEASE: Duration = Duration::from_secs(5);

/// The topics of filters, and since when nobody listens to each.
#[derive(Default)]
pub struct Leases {
    topics: BTreeMap<String, Lease>,
}

struct Lease {
    publisher: Box<dyn RawPublisher>,
    /// Since when nobody listens.
    alone_since: Option<Instant>,
}

impl Leases {
    /// Takes up new filters, lets go of removed ones, and returns those whose lease is over.
    ///
    /// # Errors
    /// [`BusError`] when a topic cannot be published on.
    pub fn keep<'a>(
        &mut self,
        bus: &dyn Bus,
        filters: impl Iterator<Item = (&'a str, &'a str)>,
        now: Instant,
    ) -> Result<Vec<String>, BusError> {
        let filters: BTreeMap<&str, &str> = filters.collect();
        self.topics.retain(|id, _| filters.contains_key(id.as_str()));
        for (id, topic) in filters {
            if !self.topics.contains_key(id) {
                let name = IntrospectionSample::full_name();
                let publisher = bus.advertise(&Name::new(topic)?, &name, Delivery::All)?;
                let lease = Lease { publisher, alone_since: Some(now) };
                self.topics.insert(id.to_owned(), lease);
            }
        }
        let mut over = Vec::new();
        for (id, lease) in &mut self.topics {
            match (lease.publisher.wanted(), lease.alone_since) {
                (true, _) => lease.alone_since = None,
                (false, None) => lease.alone_since = Some(now),
                (false, Some(since)) if now.saturating_duration_since(since) > LEASE => {
                    over.push(id.clone());
                }
                (false, Some(_)) => {}
            }
        }
        Ok(over)
    }

    /// Publishes a sample, and waits up to `patience` when the bus has no room for it; what nobody
    /// wants is not encoded. Says whether all who want it get it.
    pub fn publish(&self, sample: &FilterSample, patience: Duration) -> bool {
        let Some(lease) = self.topics.get(&sample.filter) else { return true };
        if !lease.publisher.wanted() {
            return true;
        }
        let bytes = sample.sample.encode_to_vec();
        let sent = lease.publisher.publish_patiently(bytes, patience);
        // Readers see by the number of the update that one is missing.
        sent.inspect_err(|error| tracing::debug!(topic = sample.topic, %error, "left out")).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use retake_transport::InProcessBus;

    use super::*;

    const TOPIC: &str = "/introspection/m/filter/1";

    fn over(leases: &mut Leases, bus: &InProcessBus, now: Instant) -> Vec<String> {
        leases.keep(bus, [("1", TOPIC)].into_iter(), now).unwrap()
    }

    #[test]
    fn a_filter_outlives_its_listener_by_the_lease_and_no_longer() {
        let (bus, mut leases, start) = (InProcessBus::new(), Leases::default(), Instant::now());
        assert_eq!(over(&mut leases, &bus, start), [""; 0]);
        assert_eq!(over(&mut leases, &bus, start + LEASE), [""; 0], "time to subscribe");
        let listening = bus.subscribe(&Name::new(TOPIC).unwrap(), Arc::new(|_| {})).unwrap();
        let late = start + 10 * LEASE;
        assert_eq!(over(&mut leases, &bus, late), [""; 0], "somebody listens");
        drop(listening);
        assert_eq!(over(&mut leases, &bus, late), [""; 0]);
        assert_eq!(over(&mut leases, &bus, late + LEASE), [""; 0]);
        let past = late + LEASE + Duration::from_millis(1);
        assert_eq!(over(&mut leases, &bus, past), ["1"]);
    }

    #[test]
    fn a_removed_filter_has_no_topic_any_more() {
        let (bus, mut leases, start) = (InProcessBus::new(), Leases::default(), Instant::now());
        over(&mut leases, &bus, start);
        assert_eq!(bus.topics().unwrap().len(), 1);
        leases.keep(&bus, std::iter::empty(), start).unwrap();
        assert_eq!(bus.topics().unwrap().len(), 0);
    }
}
