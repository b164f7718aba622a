//! Tables from CSV.

use super::long::LongRows;
use super::plan::{LongColumns, Plan, TimeColumn, Units};
use super::wide::{self, WideColumn};
use super::{check_cells, check_columns, quoted};
use crate::table::{Table, TableError};

/// Reads a table from CSV: one that [`csv()`](crate::csv()) wrote, or one by others.
///
/// Cells are separated by commas, semicolons or tabs; with semicolons a number may have a decimal
/// comma. The times are called `time_s`, `time`, `t`, `timestamp` or `__time`; a heading may end with
/// its unit, `speed [m/s]`. Empty cells are gaps, columns of text are left out. Three columns of
/// times, `signal` and `value` make a long table; its signals come in the order in which the file
/// names them, so a signal without samples is not found again.
///
/// # Errors
/// [`TableError`] that names row and column when there are no times, or they are not in order, when
/// text is among numbers, when a row is too long or too short, and when the file has more than
/// 20 million cells or 100 000 columns.
pub fn read_csv(bytes: &[u8]) -> Result<Table, TableError> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let separator = separator(bytes);
    let reader = csv::ReaderBuilder::new()
        .delimiter(separator)
        .has_headers(false)
        .flexible(true)
        .from_reader(bytes);
    let mut rows = Rows { reader, record: csv::ByteRecord::new(), row: 0, cells: 0, headings: 0 };
    let headings = rows.headings()?;
    let plan = Plan::new(&headings)?;
    let numbers = Numbers { decimal_comma: separator == b';' };
    match plan.long {
        Some(columns) => read_long(rows, numbers, plan.time, columns),
        None => read_wide(rows, numbers, &plan.time, &headings),
    }
}

/// Finds the separator: the first that stands outside quotes.
fn separator(bytes: &[u8]) -> u8 {
    let mut inside_quotes = false;
    for byte in bytes {
        match byte {
            b'"' => inside_quotes = !inside_quotes,
            b',' | b';' | b'\t' if !inside_quotes => return *byte,
            b'\r' | b'\n' if !inside_quotes => break,
            _ => {}
        }
    }
    b','
}

/// The rows of a file, one after the other, counted.
struct Rows<'a> {
    reader: csv::Reader<&'a [u8]>,
    record: csv::ByteRecord,
    row: usize,
    cells: usize,
    headings: usize,
}

impl Rows<'_> {
    fn headings(&mut self) -> Result<Vec<String>, TableError> {
        self.advance()?;
        check_columns(self.record.len())?;
        self.headings = self.record.len();
        (0..self.headings).map(|column| self.text(column).map(str::to_owned)).collect()
    }

    /// Goes to the next row and returns its number, or nothing at the end.
    fn next(&mut self) -> Result<Option<usize>, TableError> {
        if !self.advance()? {
            return Ok(None);
        }
        let (row, cells, headings) = (self.row, self.record.len(), self.headings);
        if cells != headings {
            return Err(TableError::RowLength { row, cells, headings });
        }
        Ok(Some(row))
    }

    fn advance(&mut self) -> Result<bool, TableError> {
        let read = self.reader.read_byte_record(&mut self.record);
        let more = read.map_err(|source| TableError::ReadCsv { source })?;
        self.row += 1;
        self.cells += self.record.len();
        check_cells(self.cells)?;
        Ok(more)
    }

    fn text(&self, column: usize) -> Result<&str, TableError> {
        let bytes = self.record.get(column).unwrap_or_default();
        let not_utf8 = |_| TableError::NotUtf8 { row: self.row, column: column + 1 };
        std::str::from_utf8(bytes).map_err(not_utf8)
    }

    fn bytes(&self, column: usize) -> &[u8] {
        self.record.get(column).unwrap_or_default()
    }
}

/// What a cell has.
enum Cell {
    Gap,
    Number(f64),
    Text(String),
}

/// How the numbers of a file are written.
#[derive(Clone, Copy)]
struct Numbers {
    decimal_comma: bool,
}

impl Numbers {
    fn cell(self, bytes: &[u8]) -> Cell {
        let bytes = bytes.trim_ascii();
        if bytes.is_empty() {
            return Cell::Gap;
        }
        let number = std::str::from_utf8(bytes).ok().and_then(|text| self.number(text));
        number.map_or_else(|| Cell::Text(quoted(&String::from_utf8_lossy(bytes))), Cell::Number)
    }

    fn number(self, text: &str) -> Option<f64> {
        let plain = text.parse().ok();
        let with_comma = || self.decimal_comma.then(|| text.replacen(',', ".", 1).parse().ok());
        let answer = || match text.to_ascii_lowercase().as_str() {
            "true" => Some(1.0),
            "false" => Some(0.0),
            _ => None,
        };
        plain.or_else(|| with_comma().flatten()).or_else(answer)
    }

    fn time(self, rows: &Rows, time: &TimeColumn) -> Result<f64, TableError> {
        match self.cell(rows.bytes(time.index)) {
            Cell::Number(number) => Ok(number),
            Cell::Gap => Err(time.not_time(rows.row, "")),
            Cell::Text(text) => Err(time.not_time(rows.row, &text)),
        }
    }
}

fn read_long(
    mut rows: Rows,
    numbers: Numbers,
    time: TimeColumn,
    columns: LongColumns,
) -> Result<Table, TableError> {
    let mut long = LongRows::new(time.clone());
    while let Some(row) = rows.next()? {
        let signal = long.signal(rows.text(columns.signal)?)?;
        let value = match numbers.cell(rows.bytes(columns.value)) {
            Cell::Gap => f64::NAN,
            Cell::Number(value) => value,
            Cell::Text(text) => {
                let column = rows.text(columns.signal)?.to_owned();
                return Err(TableError::NotNumber { row, column, text });
            }
        };
        long.push(row, signal, numbers.time(&rows, &time)?, value)?;
    }
    long.table(&Units::default())
}

fn read_wide(
    mut rows: Rows,
    numbers: Numbers,
    time: &TimeColumn,
    headings: &[String],
) -> Result<Table, TableError> {
    let mut columns: Vec<_> = headings.iter().map(|heading| MixedColumn::new(heading)).collect();
    let mut times = Vec::new();
    while let Some(row) = rows.next()? {
        times.push(numbers.time(&rows, time)?);
        let cells = columns.iter_mut().enumerate().filter(|(index, _)| *index != time.index);
        for (index, column) in cells {
            column.push(row, numbers.cell(rows.bytes(index)))?;
        }
    }
    columns.remove(time.index);
    let columns = columns.into_iter().filter_map(MixedColumn::numbers).collect();
    wide::table(headings, (time, &times), columns, &Units::default())
}

/// A column of which it is not yet known whether it holds numbers or text.
struct MixedColumn {
    column: WideColumn,
    has_numbers: bool,
    /// The first text and its row.
    text: Option<(usize, String)>,
}

impl MixedColumn {
    fn new(heading: &str) -> Self {
        let column = WideColumn { heading: heading.to_owned(), values: Vec::new() };
        Self { column, has_numbers: false, text: None }
    }

    fn push(&mut self, row: usize, cell: Cell) -> Result<(), TableError> {
        match cell {
            Cell::Gap => self.column.values.push(f64::NAN),
            Cell::Number(number) => {
                self.column.values.push(number);
                self.has_numbers = true;
            }
            Cell::Text(text) => self.text = self.text.take().or(Some((row, text))),
        }
        match &self.text {
            Some((row, text)) if self.has_numbers => Err(TableError::NotNumber {
                row: *row,
                column: self.column.heading.clone(),
                text: text.clone(),
            }),
            _ => Ok(()),
        }
    }

    /// Returns the column, unless it holds text.
    fn numbers(self) -> Option<WideColumn> {
        self.text.is_none().then_some(self.column)
    }
}
