//! Columns of a wide table, put together.

use std::sync::Arc;

use super::FIRST_ROW;
use super::plan::{TimeColumn, Units, listed};
use crate::table::{Table, TableColumn, TableError};

/// A column with its heading as the file has it.
#[derive(Debug)]
pub(super) struct WideColumn {
    pub(super) heading: String,
    /// One value for each time; gaps are not numbers.
    pub(super) values: Vec<f64>,
}

/// Makes a table; `times` are in the unit of the file.
///
/// # Errors
/// [`TableError::NotTime`] and [`TableError::Order`] for times that cannot be used,
/// [`TableError::NoNumbers`] when of several headings none is left but that of the times.
pub(super) fn table(
    headings: &[String],
    (time, times): (&TimeColumn, &[f64]),
    columns: Vec<WideColumn>,
    units: &Units,
) -> Result<Table, TableError> {
    if columns.is_empty() && headings.len() > 1 {
        return Err(TableError::NoNumbers { headings: listed(headings) });
    }
    let times_s = seconds(time, times)?;
    let column = |column: WideColumn| {
        let (name, unit) = units.split(&column.heading);
        TableColumn::new(name, unit, times_s.clone(), column.values)
    };
    Table::new(columns.into_iter().map(column).collect::<Result<_, _>>()?)
}

fn seconds(time: &TimeColumn, numbers: &[f64]) -> Result<Arc<[f64]>, TableError> {
    let mut before_s = None;
    let second = |(index, number): (usize, &f64)| {
        let time_s = time.second(index + FIRST_ROW, *number, before_s, &time.heading)?;
        before_s = Some(time_s);
        Ok(time_s)
    };
    numbers.iter().enumerate().map(second).collect()
}
