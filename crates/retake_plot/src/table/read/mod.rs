//! Tables from files, our own and those of others.
//!
//! A file may come from anywhere, so its size is bounded before it is believed.

mod csv;
mod long;
#[cfg(feature = "parquet")]
mod pages;
#[cfg(feature = "parquet")]
mod parquet;
mod plan;
mod wide;

pub use self::csv::read_csv;
#[cfg(feature = "parquet")]
pub use self::parquet::read_parquet;

use super::TableError;

/// Cells that a file may have, those of the times and of text included.
const MAX_CELLS: usize = 20_000_000;
/// Columns that a file may have, and signals of a long one.
const MAX_COLUMNS: usize = 100_000;
/// Row of the first sample: rows are counted from one and the first has the headings.
const FIRST_ROW: usize = 2;
/// Letters of a cell that an error repeats.
const MAX_QUOTED: usize = 40;

fn check_cells(cells: usize) -> Result<(), TableError> {
    check_bound(cells, "cells", MAX_CELLS)
}

fn check_columns(columns: usize) -> Result<(), TableError> {
    check_bound(columns, "columns", MAX_COLUMNS)
}

fn check_bound(count: usize, what: &'static str, limit: usize) -> Result<(), TableError> {
    if count > limit { Err(TableError::TooLarge { what, limit }) } else { Ok(()) }
}

/// Returns the beginning of a text, for an error.
fn quoted(text: &str) -> String {
    match text.char_indices().nth(MAX_QUOTED) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
