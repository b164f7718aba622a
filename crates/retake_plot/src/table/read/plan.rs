//! What the columns of a file are, by their headings.

use std::collections::BTreeMap;

use super::{TableError, quoted};
use crate::table::{SIGNAL, TIME, VALUE, heading};

/// Names of times, in small letters.
const TIME_NAMES: [&str; 5] = [TIME, "time", "t", "timestamp", "__time"];
/// Headings that an error lists.
const MAX_LISTED: usize = 12;

/// Where times and signals stand in a file.
#[derive(Debug)]
pub(super) struct Plan {
    /// The column of times.
    pub(super) time: TimeColumn,
    /// The columns of names and values, in a long file.
    pub(super) long: Option<LongColumns>,
}

/// The column of times.
#[derive(Clone, Debug)]
pub(super) struct TimeColumn {
    pub(super) index: usize,
    pub(super) heading: String,
    /// How many of its units are a second.
    pub(super) per_second: f64,
}

/// The columns of names and values.
#[derive(Clone, Copy, Debug)]
pub(super) struct LongColumns {
    pub(super) signal: usize,
    pub(super) value: usize,
}

impl Plan {
    /// Finds the columns.
    ///
    /// # Errors
    /// [`TableError::NoTime`] when no heading is that of times, [`TableError::TimeUnit`] when their
    /// unit is not known.
    pub(super) fn new(headings: &[String]) -> Result<Self, TableError> {
        let is_time = |heading: &String| {
            let name = heading::split(heading.trim()).0.to_lowercase();
            TIME_NAMES.contains(&name.as_str())
        };
        // Our own name goes first, so that other times can be a signal.
        let own = headings.iter().position(|heading| heading == TIME);
        let index = own.or_else(|| headings.iter().position(is_time));
        let index = index.ok_or_else(|| TableError::NoTime { headings: listed(headings) })?;
        let time = TimeColumn::new(index, &headings[index])?;
        let at = |name| headings.iter().position(|heading| heading.eq_ignore_ascii_case(name));
        let long = match (headings.len(), at(SIGNAL), at(VALUE)) {
            (3, Some(signal), Some(value)) => Some(LongColumns { signal, value }),
            _ => None,
        };
        Ok(Self { time, long })
    }
}

impl TimeColumn {
    fn new(index: usize, heading: &str) -> Result<Self, TableError> {
        let (heading, unit) = (heading.to_owned(), heading::split(heading.trim()).1);
        let per_second = match unit {
            "" | "s" | "sec" => 1.0,
            "ms" => 1e3,
            // Two letters look the same: the sign for micro and the Greek letter.
            "us" | "\u{b5}s" | "\u{3bc}s" => 1e6,
            "ns" => 1e9,
            other => return Err(TableError::TimeUnit { column: heading, unit: quoted(other) }),
        };
        Ok(Self { index, heading, per_second })
    }

    /// Makes seconds of a number in the file, which must not be before the last one.
    ///
    /// `column` is what an error of order names.
    pub(super) fn second(
        &self,
        row: usize,
        number: f64,
        before_s: Option<f64>,
        column: &str,
    ) -> Result<f64, TableError> {
        let time_s = number / self.per_second;
        if !time_s.is_finite() {
            // A gap is not a number.
            let text = if number.is_nan() { String::new() } else { number.to_string() };
            return Err(self.not_time(row, &text));
        }
        match before_s {
            Some(before_s) if time_s < before_s => {
                Err(TableError::Order { row, column: column.to_owned(), time_s, before_s })
            }
            _ => Ok(time_s),
        }
    }

    /// Returns the refusal of a cell.
    pub(super) fn not_time(&self, row: usize, text: &str) -> TableError {
        TableError::NotTime { row, column: self.heading.clone(), text: quoted(text) }
    }
}

/// Units that a file tells apart from its headings.
#[derive(Debug, Default)]
pub(super) struct Units(BTreeMap<String, String>);

impl Units {
    /// Takes units by heading.
    #[cfg(feature = "parquet")]
    pub(super) fn new(by_heading: BTreeMap<String, String>) -> Self {
        Self(by_heading)
    }

    /// Returns the name and the unit of a column.
    pub(super) fn split<'a>(&'a self, heading: &'a str) -> (&'a str, &'a str) {
        let Some(unit) = self.0.get(heading) else { return heading::split(heading) };
        let name = heading.strip_suffix(']').and_then(|rest| rest.strip_suffix(unit.as_str()));
        (name.and_then(|rest| rest.strip_suffix(" [")).unwrap_or(heading), unit)
    }
}

/// Lists headings for an error.
pub(super) fn listed(headings: &[String]) -> String {
    let shown = headings.iter().take(MAX_LISTED).map(|heading| format!("{:?}", quoted(heading)));
    let mut text = shown.collect::<Vec<_>>().join(", ");
    match headings.len().saturating_sub(MAX_LISTED) {
        0 if headings.is_empty() => text.push_str("missing"),
        0 => {}
        more => text.push_str(&format!(" and {more} more")),
    }
    text
}
