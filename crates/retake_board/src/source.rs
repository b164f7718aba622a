//! Where the samples of a curve come from.

use retake_introspection::{Signal, SignalError};
use retake_series::{Limits, Series};

/// A signal at a rate: curves that agree in both share their samples.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SourceKey {
    /// Name of the signal.
    pub signal: String,
    /// Samples per second, in thousandths; 0 is each update.
    pub rate_mhz: u64,
}

impl SourceKey {
    /// Names a signal at a rate in samples per second.
    pub fn new(signal: &str, rate_hz: f64) -> Self {
        Self { signal: signal.to_owned(), rate_mhz: (rate_hz * 1000.0).round().max(0.0) as u64 }
    }

    /// Returns another signal at the same rate.
    pub fn beside(&self, signal: &str) -> Self {
        Self { signal: signal.to_owned(), rate_mhz: self.rate_mhz }
    }

    /// Returns samples per second; 0 is each update.
    pub fn rate_hz(&self) -> f64 {
        self.rate_mhz as f64 / 1000.0
    }

    /// Returns the time between samples; none is each update.
    pub(crate) fn period_ns(&self) -> Option<i64> {
        (self.rate_mhz > 0).then(|| (1e12 / self.rate_mhz as f64).round().max(1.0) as i64)
    }
}

/// The samples of a signal that is heard.
pub(crate) struct Source {
    pub(crate) signal: Result<Signal, SignalError>,
    pub(crate) series: Series,
    pub(crate) unit: String,
    /// Whether nothing gives its values, now.
    pub(crate) gone: bool,
}

impl Source {
    pub(crate) fn new(key: &SourceKey, limits: Limits) -> Self {
        Self {
            signal: Signal::parse(&key.signal),
            series: Series::with_limits(limits),
            unit: String::new(),
            gone: true,
        }
    }
}
