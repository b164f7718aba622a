//! One filter of a manager, kept up.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use prost::Message;
use retake_msgs::{
    GetFilter, IntrospectionFilter, IntrospectionSample, RemoveFilter, SetFilter, names,
};
use retake_transport::{Bus, BusError, CallError, Guard, MessageRef, Name, NameError, typed};
use thiserror::Error;

use crate::client::TIMEOUT;

/// Numbers in samples that wait until it is known which they are; the oldest samples give way. A
/// manager on a busy machine may take seconds to say so, in which others sample on.
const MAX_WAITING: usize = 1 << 20;

/// A sample with the description of its numbers.
pub struct Sampled<'a> {
    /// Which numbers there are, and where.
    pub filter: &'a Arc<IntrospectionFilter>,
    /// The sample.
    pub sample: &'a IntrospectionSample,
}

/// Why a filter cannot be kept up.
#[derive(Debug, Error)]
pub enum WatchError {
    /// The manager does not answer.
    #[error(transparent)]
    Call(#[from] CallError),
    /// Its samples cannot be heard.
    #[error(transparent)]
    Bus(#[from] BusError),
    /// The manager's topic has no usable name.
    #[error(transparent)]
    Topic(#[from] NameError),
    /// The manager refuses the filter.
    #[error("{manager} refuses: {reason}")]
    Refused {
        /// The manager.
        manager: String,
        /// What it said.
        reason: String,
    },
}

type Sink = Arc<dyn Fn(&Sampled<'_>) + Send + Sync>;

/// Watches items of one manager; dropping it removes the filter.
///
/// It has no thread of its own: whoever holds it calls [`Watch::keep`] about once a second.
pub struct Watch {
    bus: Arc<dyn Bus>,
    manager: String,
    wanted: SetFilter,
    in_force: Arc<Mutex<InForce>>,
    sink: Sink,
    subscription: Option<(String, Guard)>,
    /// Whether the manager has heard what is wanted.
    told: bool,
}

/// What is known of the filter.
#[derive(Default)]
struct InForce {
    filter: Option<Arc<IntrospectionFilter>>,
    /// Samples of a version that is not known yet.
    waiting: VecDeque<IntrospectionSample>,
    /// How many numbers those have; every sample counts, also one without numbers.
    numbers: usize,
}

impl InForce {
    fn hold(&mut self, sample: IntrospectionSample) {
        self.numbers += weight(&sample);
        self.waiting.push_back(sample);
        while self.numbers > MAX_WAITING {
            let Some(oldest) = self.waiting.pop_front() else { break };
            self.numbers -= weight(&oldest);
        }
    }
}

fn weight(sample: &IntrospectionSample) -> usize {
    sample.value.len() + sample.text.len() + 1
}

impl Watch {
    pub(crate) fn new(bus: Arc<dyn Bus>, manager: &str, sink: Sink) -> Self {
        Self {
            bus,
            manager: manager.to_owned(),
            wanted: SetFilter::default(),
            in_force: Arc::default(),
            sink,
            subscription: None,
            told: false,
        }
    }

    /// Wants these items from now on; the next [`Watch::keep`] tells the manager.
    pub fn want(&mut self, items: Vec<String>, rate_hz: f64) {
        if self.wanted.item != items || self.wanted.rate_hz != rate_hz {
            self.wanted.item = items;
            self.wanted.rate_hz = rate_hz;
            self.told = false;
        }
    }

    /// Returns the filter as the manager described it last.
    pub fn filter(&self) -> Option<Arc<IntrospectionFilter>> {
        lock(&self.in_force).filter.clone()
    }

    /// Sees to it that the manager has the filter as it is wanted, also after it was away.
    ///
    /// # Errors
    /// [`WatchError`] when the manager does not answer or refuses; call again later.
    pub fn keep(&mut self) -> Result<(), WatchError> {
        let filter = match self.told {
            true => self.ask()?,
            false => self.tell()?,
        };
        // It forgot the filter: it began anew, or nobody was heard for too long.
        let filter = if filter.ok { filter } else { self.tell_anew()? };
        if !filter.ok {
            let manager = self.manager.clone();
            return Err(WatchError::Refused { manager, reason: filter.message });
        }
        self.wanted.filter_id.clone_from(&filter.filter_id);
        self.told = true;
        self.follow(filter)
    }

    fn tell(&self) -> Result<IntrospectionFilter, CallError> {
        self.call(&names::introspection_set_filter(&self.manager), &self.wanted)
    }

    fn tell_anew(&mut self) -> Result<IntrospectionFilter, CallError> {
        self.wanted.filter_id.clear();
        self.tell()
    }

    fn ask(&self) -> Result<IntrospectionFilter, CallError> {
        let request = GetFilter { filter_id: self.wanted.filter_id.clone() };
        self.call(&names::introspection_get_filter(&self.manager), &request)
    }

    fn call<Q: typed::Typed>(
        &self,
        service: &str,
        request: &Q,
    ) -> Result<IntrospectionFilter, CallError> {
        typed::call(self.bus.as_ref(), service, request, TIMEOUT)
    }

    /// Listens where the filter's samples come.
    fn follow(&mut self, filter: IntrospectionFilter) -> Result<(), WatchError> {
        let topic = filter.topic.clone();
        learn(&self.in_force, filter, &self.sink);
        if self.subscription.as_ref().is_none_or(|(known, _)| *known != topic) {
            let (in_force, sink) = (Arc::clone(&self.in_force), Arc::clone(&self.sink));
            let take = move |message: MessageRef<'_>| take(&in_force, message.bytes, &sink);
            let guard = self.bus.subscribe(&Name::new(&topic)?, Arc::new(take))?;
            self.subscription = Some((topic, guard));
        }
        Ok(())
    }

    /// Says whether samples come whose numbers are not known; [`Watch::keep`] finds out.
    pub fn is_behind(&self) -> bool {
        !self.told || !lock(&self.in_force).waiting.is_empty()
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        if self.wanted.filter_id.is_empty() {
            return;
        }
        let request = RemoveFilter { filter_id: self.wanted.filter_id.clone() };
        let service = names::introspection_remove_filter(&self.manager);
        // A manager that is not there any more has no filter either, and one that does not hear
        // this drops it when the lease is over.
        self.call(&service, &request).ok();
    }
}

/// Takes a description, and gives out the samples that waited for it.
fn learn(in_force: &Mutex<InForce>, filter: IntrospectionFilter, sink: &Sink) {
    let mut state = lock(in_force);
    let filter = Arc::new(filter);
    state.filter = Some(Arc::clone(&filter));
    let waiting = std::mem::take(&mut state.waiting);
    state.numbers = 0;
    let (ready, later): (Vec<_>, Vec<_>) =
        waiting.into_iter().partition(|sample| sample.filter_version <= filter.version);
    later.into_iter().for_each(|sample| state.hold(sample));
    // Under the lock, so that no newer sample overtakes these. What came before this version cannot be understood any more.
    for sample in ready.iter().filter(|sample| sample.filter_version == filter.version) {
        sink(&Sampled { filter: &filter, sample });
    }
}

fn take(in_force: &Mutex<InForce>, bytes: &[u8], sink: &Sink) {
    let sample = match IntrospectionSample::decode(bytes) {
        Ok(sample) => sample,
        Err(error) => {
            tracing::debug!(%error, "a sample cannot be read");
            return;
        }
    };
    let mut state = lock(in_force);
    match state.filter.clone().filter(|filter| filter.version == sample.filter_version) {
        Some(filter) => sink(&Sampled { filter: &filter, sample: &sample }),
        None => state.hold(sample),
    }
}

/// A panic while the lock was held leaves plain data behind, which is still good.
fn lock(state: &Mutex<InForce>) -> MutexGuard<'_, InForce> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}
