//! What others watch of the world.

use std::collections::VecDeque;

use retake_introspection::{FilterSample, NumberError, NumberOf, Signal, SignalError, Update};
use retake_msgs::{IntrospectionFilter, RemoveFilter, SetFilter};

use thiserror::Error;

use super::Server;
use crate::introspection::{Measured, Reader, Reading, find};

/// Why a number of the world cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SignalReadError {
    /// The name cannot be read.
    #[error(transparent)]
    Name(#[from] SignalError),
    /// The world has no such item.
    #[error("No item {name:?}. List them with: retake introspect list")]
    Unknown {
        /// The name.
        name: String,
    },
    /// The item has no such number.
    #[error(transparent)]
    Number(#[from] NumberError),
    /// It is measured only for those who watch it.
    #[error("{name:?} is measured only while it is watched. Make a filter and let a step pass")]
    NotMeasured {
        /// The name.
        name: String,
    },
}

/// Numbers in samples that wait to be taken; past it the oldest samples are dropped.
const MAX_NUMBERS: usize = 1 << 22;

/// Samples that nobody took yet.
#[derive(Default)]
pub(super) struct Waiting {
    samples: VecDeque<FilterSample>,
    /// How many numbers they have.
    numbers: usize,
}

impl Waiting {
    fn push(&mut self, sample: FilterSample) {
        self.numbers += weight(&sample);
        self.samples.push_back(sample);
        while self.numbers > MAX_NUMBERS {
            let Some(oldest) = self.samples.pop_front() else { break };
            self.numbers -= weight(&oldest);
        }
    }
}

/// Every sample counts, also one without numbers.
fn weight(sample: &FilterSample) -> usize {
    sample.sample.value.len() + 1
}

impl Server {
    /// Tells what only a clock on the wall knows.
    pub fn measure(&mut self, measured: Measured) {
        self.introspection.measure(measured);
    }

    /// Reads a number of the world as it is now, by the name that plots have for it.
    ///
    /// # Errors
    /// [`SignalReadError`] when there is no such number, now.
    pub fn read_signal(&self, name: &str) -> Result<f64, SignalReadError> {
        let unknown = || SignalReadError::Unknown { name: name.to_owned() };
        let Signal::Item { manager: None, item, part } = Signal::parse(name)? else {
            return Err(unknown());
        };
        let (entity, offered) = find(self.simulation.ecm(), &item).ok_or_else(unknown)?;
        let number = NumberOf::find(&item, offered.kind, &part)?;
        let mut numbers = Vec::new();
        let readings = self.simulation.readings();
        let mut reader = Reader::new(self.simulation.ecm(), readings, Measured::default());
        reader.read(&Reading { entity, quantity: offered.quantity }, &mut numbers);
        match numbers.is_empty() {
            true => Err(SignalReadError::NotMeasured { name: name.to_owned() }),
            false => Ok(number.read(&numbers)),
        }
    }

    /// Takes out the samples of what is watched, in order.
    pub fn drain_samples(&mut self) -> Vec<FilterSample> {
        std::mem::take(&mut self.samples).samples.into()
    }

    /// Returns the ids and topics of all filters, when they may have changed since the last call.
    pub fn changed_filters(&mut self) -> Option<Vec<(String, String)>> {
        std::mem::take(&mut self.filters_changed).then(|| self.introspection.topics())
    }

    pub(super) fn set_filter(&mut self, request: &SetFilter) -> IntrospectionFilter {
        self.filters_changed = true;
        let step = self.simulation.clock().step_size;
        let filter = self.introspection.set(self.simulation.ecm(), request, step);
        // Before the next step, so that the engine measures in it what is wanted.
        self.follow_names();
        filter
    }

    pub(super) fn remove_filter(&mut self, request: &RemoveFilter) -> IntrospectionFilter {
        self.filters_changed = true;
        let filter = self.introspection.remove(&request.filter_id);
        self.follow_names();
        filter
    }

    /// Samples what is watched as it is now.
    pub(super) fn sample(&mut self) {
        self.follow_names();
        let clock = self.simulation.clock();
        let epoch = self.simulation.epoch();
        let update = Update { stamp: clock.sim_time, number: clock.iterations, epoch };
        let readings = self.simulation.readings();
        let samples = self.introspection.sample(self.simulation.ecm(), readings, update);
        self.note_samples(&samples);
        samples.into_iter().for_each(|sample| self.samples.push(sample));
    }

    fn follow_names(&mut self) {
        if let Some(watched) = self.introspection.follow(self.simulation.ecm()) {
            self.simulation.watch(watched);
        }
    }
}
