//! What can go wrong with tables.

/// Why a table could not be made or written.
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
}

impl From<std::io::Error> for TableError {
    fn from(error: std::io::Error) -> Self {
        Self::Csv { source: error.into() }
    }
}
