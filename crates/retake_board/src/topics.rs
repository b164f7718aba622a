//! Takes messages of topics in.

use std::collections::BTreeMap;

use prost_reflect::MessageDescriptor;
use retake_introspection::Signal;
use retake_introspection::fields::{FieldPath, Walker};

use crate::live::Live;

/// What is known of the topics that are heard.
#[derive(Default)]
pub(crate) struct Topics {
    known: BTreeMap<String, Topic>,
}

struct Topic {
    descriptor: MessageDescriptor,
    /// Seconds and nanoseconds of the instant that a message is about.
    stamp: Option<(Walker, Walker)>,
    /// By signal; none when the path leads to no number, with the reason.
    walkers: BTreeMap<String, Result<Walker, String>>,
}

/// Where messages say which instant they are about.
const STAMPS: [&str; 4] = ["stamp", "header.stamp", "sim_time", "sim"];

impl Topics {
    /// Takes note of what messages of a topic look like.
    pub(crate) fn learn(&mut self, topic: &str, descriptor: MessageDescriptor) {
        let same = self.known.get(topic).is_some_and(|known| known.descriptor == descriptor);
        if !same {
            let stamp = STAMPS.iter().find_map(|field| stamp_at(&descriptor, field));
            let topic_known = Topic { descriptor, stamp, walkers: BTreeMap::new() };
            self.known.insert(topic.to_owned(), topic_known);
        }
    }

    /// Says whether it is known what messages of a topic look like.
    pub(crate) fn knows(&self, topic: &str) -> bool {
        self.known.contains_key(topic)
    }

    /// Says why a signal leads to no number.
    pub(crate) fn fault(&self, topic: &str, signal: &str) -> Option<&str> {
        let walker = self.known.get(topic)?.walkers.get(signal)?;
        walker.as_ref().err().map(String::as_str)
    }

    /// Hands the numbers of a message to the sources that want them.
    pub(crate) fn take(&mut self, live: &mut Live, topic: &str, message: &[u8]) {
        let now = (live.timeline.present(), live.now_ns);
        self.take_at(live, topic, message, now);
    }

    /// Hands the numbers of a message over that came in an epoch, at an instant that counts when
    /// the message says none itself.
    pub(crate) fn take_at(
        &mut self,
        live: &mut Live,
        topic: &str,
        message: &[u8],
        (epoch, now_ns): (u64, i64),
    ) {
        let Some(known) = self.known.get_mut(topic) else { return };
        let stamp = known.stamp.as_ref().and_then(|(secs, nanos)| {
            Some(secs.read(message)? as i64 * 1_000_000_000 + nanos.read(message)? as i64)
        });
        let time_ns = stamp.unwrap_or(now_ns);
        for (key, source) in &mut live.sources {
            let Ok(Signal::Topic { topic: wanted, path }) = &source.signal else { continue };
            if wanted != topic {
                continue;
            }
            let last = source.series.last(&live.timeline).map(|(time_ns, _)| time_ns);
            let turn = |time_ns: i64, period: i64| time_ns.div_euclid(period);
            let is_early = key
                .period_ns()
                .zip(last)
                .is_some_and(|(period, last)| turn(last, period) == turn(time_ns, period));
            if is_early {
                continue;
            }
            let descriptor = &known.descriptor;
            let walker = known.walkers.entry(key.signal.clone());
            let walker =
                walker.or_insert_with(|| Walker::new(descriptor, path).map_err(|e| e.to_string()));
            if let Ok(walker) = walker {
                let value = walker.read(message);
                source.gone = value.is_none();
                source.series.push(epoch, time_ns, value.unwrap_or(f64::NAN));
                live.changes += 1;
            }
        }
    }
}

fn stamp_at(descriptor: &MessageDescriptor, field: &str) -> Option<(Walker, Walker)> {
    let walker = |part: &str| {
        let path = FieldPath::parse(&format!("{field}.{part}")).ok()?;
        Walker::new(descriptor, &path).ok()
    };
    let nanos = ["nsec", "nanosec", "nanos", "nsecs"].iter().find_map(|part| walker(part))?;
    let secs = ["sec", "seconds", "secs"].iter().find_map(|part| walker(part))?;
    Some((secs, nanos))
}
