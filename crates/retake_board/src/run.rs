//! Runs that others are compared with.

use std::collections::BTreeMap;

use retake_series::{Series, Timeline};

/// The samples of a run that is over: recorded, or kept in memory.
#[derive(Clone, Debug, Default)]
pub struct Run {
    /// How its time jumped.
    pub timeline: Timeline,
    /// Samples and units, by signal.
    pub signals: BTreeMap<String, (Series, String)>,
}
