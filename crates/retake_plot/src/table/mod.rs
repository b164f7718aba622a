//! The numbers behind a plot.
//!
//! A table whose columns all have the same times is written wide: one row for each time, one column
//! for each signal. Otherwise it is written long: a row for each sample, with time, signal and value.
//! Both can be read back, and so can files by others that have a column of times.

mod csv;
mod error;
mod heading;
#[cfg(feature = "parquet")]
mod parquet;
mod read;

use std::collections::BTreeSet;
use std::sync::Arc;

pub use self::csv::csv;
pub use self::error::TableError;
#[cfg(feature = "parquet")]
pub use self::parquet::parquet;
pub use self::read::read_csv;
#[cfg(feature = "parquet")]
pub use self::read::read_parquet;

/// Heading of the times, in seconds.
const TIME: &str = "time_s";
/// Heading of the names in a long table.
const SIGNAL: &str = "signal";
/// Heading of the values in a long table.
const VALUE: &str = "value";

/// Columns that are written to one file or were read from it.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    columns: Vec<TableColumn>,
}

/// The samples of one signal.
#[derive(Clone, Debug, PartialEq)]
pub struct TableColumn {
    name: String,
    unit: String,
    times_s: Arc<[f64]>,
    values: Vec<f64>,
}

/// How a table is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    Wide,
    Long,
}

impl TableColumn {
    /// Makes a column of samples in the order given; a value that is not a number is a gap.
    ///
    /// Columns over the same times best share them.
    ///
    /// # Errors
    /// [`TableError::Lengths`] when there are more times than values or fewer,
    /// [`TableError::Time`] when a time is not finite.
    pub fn new(
        name: &str,
        unit: &str,
        times_s: Arc<[f64]>,
        values: Vec<f64>,
    ) -> Result<Self, TableError> {
        let column = || name.to_owned();
        if times_s.len() != values.len() {
            let (times, values) = (times_s.len(), values.len());
            return Err(TableError::Lengths { column: column(), times, values });
        }
        if let Some(row) = times_s.iter().position(|time| !time.is_finite()) {
            return Err(TableError::Time { column: column(), row });
        }
        Ok(Self { name: column(), unit: unit.to_owned(), times_s, values })
    }

    /// Returns the name of the signal.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the unit of the values, empty when they have none.
    pub fn unit(&self) -> &str {
        &self.unit
    }

    /// Returns the times of the samples; columns of a wide file share them.
    pub fn times_s(&self) -> &Arc<[f64]> {
        &self.times_s
    }

    /// Returns the values, one for each time; a gap is not a number.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// Returns name and unit as the heading has them: `box::pose.position.x [m]`.
    fn heading(&self) -> String {
        heading::join(&self.name, &self.unit)
    }

    /// Returns the values, a gap as `None`.
    fn cells(&self) -> impl Iterator<Item = Option<f64>> + '_ {
        self.values.iter().map(|value| (!value.is_nan()).then_some(*value))
    }

    fn has_times_of(&self, other: &Self) -> bool {
        let same_bits = || {
            let pairs = self.times_s.iter().zip(other.times_s.iter());
            self.times_s.len() == other.times_s.len()
                && pairs.into_iter().all(|(a, b)| a.to_bits() == b.to_bits())
        };
        Arc::ptr_eq(&self.times_s, &other.times_s) || same_bits()
    }
}

impl Table {
    /// Puts columns together.
    ///
    /// # Errors
    /// [`TableError::SameName`] when two columns would have the same heading.
    pub fn new(columns: Vec<TableColumn>) -> Result<Self, TableError> {
        let mut seen = BTreeSet::from([TIME.to_owned()]);
        for column in &columns {
            if !seen.insert(column.heading()) {
                return Err(TableError::SameName { column: column.heading() });
            }
        }
        Ok(Self { columns })
    }

    /// Returns the columns in the order given.
    pub fn columns(&self) -> &[TableColumn] {
        &self.columns
    }

    fn shape(&self) -> Shape {
        let Some((first, others)) = self.columns.split_first() else { return Shape::Wide };
        let aligned = others.iter().all(|column| column.has_times_of(first));
        if aligned { Shape::Wide } else { Shape::Long }
    }

    /// Returns the times of a wide table.
    fn times_s(&self) -> &[f64] {
        self.columns.first().map_or(&[], |column| &column.times_s)
    }
}
