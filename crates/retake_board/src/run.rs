//! Runs that others are compared with.

use std::collections::BTreeMap;

use retake_plot::{Table, TableError};
use retake_series::{Limits, Series, Timeline};
use thiserror::Error;

use crate::Format;
use crate::frame::nanos;

/// The samples of a run that is over: read from a table, or kept in memory.
#[derive(Clone, Debug, Default)]
pub struct Run {
    /// How its time jumped.
    pub timeline: Timeline,
    /// Samples and units, by signal.
    pub signals: BTreeMap<String, (Series, String)>,
}

/// Why a file holds no run.
#[derive(Debug, Error)]
pub enum RunError {
    /// The name says that it is something else.
    #[error("{name}: runs are read from .mcap, .csv and .parquet")]
    Unknown {
        /// Name of the file.
        name: String,
    },
    /// The file cannot be read.
    #[error(transparent)]
    Table(#[from] TableError),
}

impl Run {
    /// Reads a run from the bytes of a table; the end of its name says what kind.
    ///
    /// # Errors
    /// [`RunError`] with what is wrong.
    pub fn from_table(name: &str, bytes: &[u8]) -> Result<Self, RunError> {
        match Format::of_file(name) {
            Some(Format::Csv) => Ok(Self::of(&retake_plot::read_csv(bytes)?)),
            Some(Format::Parquet) => Ok(Self::of(&retake_plot::read_parquet(bytes)?)),
            _ => Err(RunError::Unknown { name: name.to_owned() }),
        }
    }

    fn of(table: &Table) -> Self {
        let mut run = Self::default();
        for column in table.columns() {
            let limits = Limits { max_samples: usize::MAX, max_age_ns: i64::MAX };
            let mut series = Series::with_limits(limits);
            for (time_secs, value) in column.times_s().iter().zip(column.values()) {
                // Of several rows about one instant the first counts.
                series.push(0, nanos(*time_secs), *value);
            }
            run.signals.insert(column.name().to_owned(), (series, column.unit().to_owned()));
        }
        run
    }
}
