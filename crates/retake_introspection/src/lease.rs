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

    /// Publishes a sample; what nobody wants is not encoded.
    pub fn publish(&self, sample: &FilterSample) {
        let Some(lease) = self.topics.get(&sample.filter) else { return };
        if !lease.publisher.wanted() {
            return;
        }
        if let Err(error) = lease.publisher.publish(sample.sample.encode_to_vec()) {
            // Readers see by the number of the update that one is missing.
            tracing::debug!(topic = sample.topic, %error, "a sample was not published");
        }
    }
}
