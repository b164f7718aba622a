//! What can go wrong with tables.

/// Why a table could not be made, written or read.
///
/// Rows are counted from one, and the heading is the first, as a spreadsheet shows them; those of a
/// Parquet file are counted as if it had a heading too.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// A column has more times than values, or fewer.
    #[error("column {column:?} has {times} times but {values} values")]
    Lengths {
        /// Name of the column.
        column: String,
        /// How many times there are.
        times: usize,
        /// How many values there are.
        values: usize,
    },
    /// A time is infinite or not a number.
    #[error("time {row} of column {column:?} is not finite")]
    Time {
        /// Name of the column.
        column: String,
        /// Which one, counted from zero.
        row: usize,
    },
    /// Two columns have the same heading, or one that of the times.
    #[error("there are two columns {column:?}: give one of them another name")]
    SameName {
        /// The heading.
        column: String,
    },
    /// The CSV file cannot be written.
    #[error("the table cannot be written as CSV")]
    Csv {
        /// What the writer says.
        #[from]
        source: csv::Error,
    },
    /// The Parquet file cannot be written.
    #[cfg(feature = "parquet")]
    #[error("the table cannot be written as Parquet")]
    Parquet {
        /// What the writer says.
        #[from]
        source: parquet::errors::ParquetError,
    },
    /// The CSV file cannot be read.
    #[error("the file cannot be read as CSV: save it again")]
    ReadCsv {
        /// What the reader says.
        source: csv::Error,
    },
    /// The file is damaged or of another format.
    #[cfg(feature = "parquet")]
    #[error("the file is damaged or not a Parquet file: save it again")]
    ReadParquet {
        /// What the reader says.
        source: parquet::errors::ParquetError,
    },
    /// A column is packed in a way that is not read here.
    #[cfg(feature = "parquet")]
    #[error(
        "column {column:?} is packed with {packing}: save the file with ZSTD, with SNAPPY or \
         without compression"
    )]
    Packing {
        /// Heading of the column.
        column: String,
        /// Name of the compression.
        packing: String,
    },
    /// No heading is that of times.
    #[error(
        "no column of times: call one of them time_s, time, t, timestamp or __time; the headings \
         are {headings}"
    )]
    NoTime {
        /// The headings, the first ones if there are many.
        headings: String,
    },
    /// The times are in a unit that is not known.
    #[error("the times of column {column:?} are in {unit:?}: save them in s, ms, us or ns")]
    TimeUnit {
        /// Heading of the column.
        column: String,
        /// The unit.
        unit: String,
    },
    /// There is nothing but times and text.
    #[error("no column but that of times has numbers: add one; the headings are {headings}")]
    NoNumbers {
        /// The headings, the first ones if there are many.
        headings: String,
    },
    /// A text is among numbers.
    #[error(
        "row {row}, column {column:?}: {text:?} is not a number: write a number or leave the cell \
         empty"
    )]
    NotNumber {
        /// The row.
        row: usize,
        /// Heading of the column.
        column: String,
        /// What the cell has, shortened.
        text: String,
    },
    /// A time is missing, infinite or no number.
    #[error(
        "row {row}, column {column:?}: {text:?} is not a time: write a finite number of seconds or \
         remove the row"
    )]
    NotTime {
        /// The row.
        row: usize,
        /// Heading of the column.
        column: String,
        /// What the cell has, shortened.
        text: String,
    },
    /// A time is before the one above it.
    #[error(
        "row {row}, column {column:?}: the time {time_s} s comes after {before_s} s: sort the rows \
         by time"
    )]
    Order {
        /// The row.
        row: usize,
        /// Heading of the times, or the signal in a long table.
        column: String,
        /// The time of the row.
        time_s: f64,
        /// The time before it.
        before_s: f64,
    },
    /// A row has more cells than the heading, or fewer.
    #[error(
        "row {row} has {cells} cells but the heading has {headings}: the file may be cut off; \
         remove the row or save the file again"
    )]
    RowLength {
        /// The row.
        row: usize,
        /// How many cells it has.
        cells: usize,
        /// How many there should be.
        headings: usize,
    },
    /// A name is not readable text.
    #[error("row {row}, column {column}: the text is not UTF-8: save the file as UTF-8")]
    NotUtf8 {
        /// The row.
        row: usize,
        /// Number of the column, counted from one.
        column: usize,
    },
    /// The file holds more than can be shown.
    #[error("the table has more than {limit} {what}: save a shorter stretch or fewer signals")]
    TooLarge {
        /// What there is too much of.
        what: &'static str,
        /// How many there may be.
        limit: usize,
    },
}

impl From<std::io::Error> for TableError {
    fn from(error: std::io::Error) -> Self {
        Self::Csv { source: error.into() }
    }
}
