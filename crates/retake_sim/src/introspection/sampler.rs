//! Samples worlds that are not simulated here: those of logs.

use retake_ecm::Ecm;
use retake_introspection::Update;
use retake_math::SimTime;
use retake_msgs::{IntrospectionFilter, IntrospectionSample, SetFilter};
use retake_physics::Readings;

use super::{Measured, WorldIntrospection};

/// Watches some items of a world whose states come from elsewhere.
///
/// What only an engine measures, as forces, is not in the states and has no values.
pub struct Sampler {
    introspection: WorldIntrospection,
    filter: IntrospectionFilter,
}

impl Sampler {
    /// Watches these items, at most so many times per second of simulated time; 0 is each state.
    ///
    /// # Errors
    /// Why there is no such filter.
    pub fn new(ecm: &Ecm, items: Vec<String>, rate_hz: f64) -> Result<Self, String> {
        let mut introspection = WorldIntrospection::new("", "");
        let request = SetFilter { filter_id: String::new(), item: items, rate_hz };
        let filter = introspection.set(ecm, &request, SimTime::ZERO);
        match filter.ok {
            true => Ok(Self { introspection, filter }),
            false => Err(filter.message),
        }
    }

    /// Returns which numbers samples have, as of the last one.
    pub fn filter(&self) -> &IntrospectionFilter {
        &self.filter
    }

    /// Samples a state; none when it is too early for the next one.
    pub fn sample(&mut self, ecm: &Ecm, update: Update) -> Option<IntrospectionSample> {
        // What the engine should measure for it is of no concern: it measures no more.
        let _ = self.introspection.follow(ecm);
        let sampled = self.introspection.sample(ecm, &Readings::default(), update).pop()?;
        if sampled.sample.filter_version != self.filter.version {
            self.filter = self.introspection.get(&sampled.filter);
        }
        Some(sampled.sample)
    }

    /// Tells what only a clock on the wall knew.
    pub fn measure(&mut self, measured: Measured) {
        self.introspection.measure(measured);
    }
}
