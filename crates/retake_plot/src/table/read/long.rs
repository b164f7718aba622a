//! Rows of a long table, sorted into columns.

use std::collections::BTreeMap;

use super::plan::{TimeColumn, Units};
use super::{MAX_COLUMNS, check_bound};
use crate::table::{Table, TableColumn, TableError};

/// Samples by signal, in the order in which the signals come first.
#[derive(Debug)]
pub(super) struct LongRows {
    time: TimeColumn,
    numbers: BTreeMap<String, usize>,
    signals: Vec<LongSignal>,
    /// The signal of the last row, which mostly is that of the next.
    last: usize,
}

#[derive(Debug)]
struct LongSignal {
    heading: String,
    times_s: Vec<f64>,
    values: Vec<f64>,
}

impl LongRows {
    /// Starts without rows.
    pub(super) fn new(time: TimeColumn) -> Self {
        Self { time, numbers: BTreeMap::new(), signals: Vec::new(), last: 0 }
    }

    /// Returns the number of a signal, a new one if it was not seen before.
    pub(super) fn signal(&mut self, heading: &str) -> Result<usize, TableError> {
        if self.signals.get(self.last).is_some_and(|signal| signal.heading == heading) {
            return Ok(self.last);
        }
        self.last = match self.numbers.get(heading) {
            Some(number) => *number,
            None => self.add(heading)?,
        };
        Ok(self.last)
    }

    fn add(&mut self, heading: &str) -> Result<usize, TableError> {
        let number = self.signals.len();
        check_bound(number + 1, "signals", MAX_COLUMNS)?;
        let heading = heading.to_owned();
        self.numbers.insert(heading.clone(), number);
        self.signals.push(LongSignal { heading, times_s: Vec::new(), values: Vec::new() });
        Ok(number)
    }

    /// Adds a sample to a signal; `time` is in the unit of the file.
    pub(super) fn push(
        &mut self,
        row: usize,
        signal: usize,
        time: f64,
        value: f64,
    ) -> Result<(), TableError> {
        let signal = &mut self.signals[signal];
        let before_s = signal.times_s.last().copied();
        signal.times_s.push(self.time.second(row, time, before_s, &signal.heading)?);
        signal.values.push(value);
        Ok(())
    }

    /// Makes the table.
    pub(super) fn table(self, units: &Units) -> Result<Table, TableError> {
        let column = |signal: LongSignal| {
            let (name, unit) = units.split(&signal.heading);
            TableColumn::new(name, unit, signal.times_s.into(), signal.values)
        };
        Table::new(self.signals.into_iter().map(column).collect::<Result<_, _>>()?)
    }
}
