//! Tables from Parquet.

use std::collections::BTreeMap;
use std::panic;
use std::sync::Arc;

use bytes::Bytes;
use parquet::basic::{Compression, LogicalType, TimeUnit, Type as Physical};
use parquet::column::reader::{get_column_reader, get_typed_column_reader};
use parquet::data_type::{
    BoolType, ByteArrayType, DataType, DoubleType, FloatType, Int32Type, Int64Type,
};
use parquet::errors::ParquetError;
use parquet::file::metadata::{ParquetMetaData, ParquetMetaDataReader, RowGroupMetaData};
use parquet::schema::types::ColumnDescriptor;

use super::long::LongRows;
use super::pages::{CheckedBytes, CheckedPages};
use super::plan::{LongColumns, Plan, TimeColumn, Units};
use super::wide::{self, WideColumn};
use super::{FIRST_ROW, check_cells, check_columns};
use crate::table::{Table, TableError};

/// Rows that are unpacked together.
const BATCH: usize = 8192;

/// Reads a table from Parquet: one that [`parquet()`](crate::parquet()) wrote, or one by others.
///
/// Columns and headings are those of [`read_csv`](crate::read_csv); a unit is that of the key/value
/// data `unit:<heading>` or that in the heading. Numbers, whole numbers, dates with a time and yes/no
/// are read, missing ones are gaps, all other columns are left out.
///
/// # Errors
/// [`TableError`] as from [`read_csv`](crate::read_csv), [`TableError::Packing`] for compression that
/// is not read and [`TableError::ReadParquet`] for a file that is damaged or of another format.
pub fn read_parquet(bytes: &[u8]) -> Result<Table, TableError> {
    // A file may be a stranger's or damaged, and the reader of Parquet panics at some of them.
    panic::catch_unwind(|| read(bytes)).unwrap_or_else(|_| Err(damaged("the reader gave up")))
}

fn read(bytes: &[u8]) -> Result<Table, TableError> {
    let file = ParquetFile::open(bytes)?;
    let mut plan = Plan::new(&file.headings)?;
    if file.unit_of_type(plan.time.index).is_some() {
        plan.time.per_second = 1.0;
    }
    let is_text = |columns: &LongColumns| file.physical(columns.signal) == Physical::BYTE_ARRAY;
    match plan.long.filter(is_text) {
        Some(columns) => read_long(&file, plan.time, columns),
        None => read_wide(&file, &plan.time),
    }
}

fn read_wide(file: &ParquetFile, time: &TimeColumn) -> Result<Table, TableError> {
    let times = file.numbers(time.index)?.ok_or_else(|| time.not_time(FIRST_ROW, "text"))?;
    let mut columns = Vec::new();
    for (index, heading) in file.headings.iter().enumerate() {
        if index == time.index {
            continue;
        }
        if let Some(values) = file.numbers(index)? {
            columns.push(WideColumn { heading: heading.clone(), values });
        }
    }
    wide::table(&file.headings, (time, &times), columns, &file.units())
}

fn read_long(
    file: &ParquetFile,
    time: TimeColumn,
    columns: LongColumns,
) -> Result<Table, TableError> {
    let no_numbers = |heading: &str| TableError::NotNumber {
        row: FIRST_ROW,
        column: heading.to_owned(),
        text: "text".to_owned(),
    };
    let times = file.numbers(time.index)?.ok_or_else(|| time.not_time(FIRST_ROW, "text"))?;
    let values = file.numbers(columns.value)?;
    let values = values.ok_or_else(|| no_numbers(&file.headings[columns.value]))?;
    let mut long = LongRows::new(time);
    let mut signals = Vec::new();
    file.each::<ByteArrayType>(columns.signal, |name| {
        let (row, column) = (signals.len() + FIRST_ROW, columns.signal + 1);
        let bytes = name.map(|name| name.data()).unwrap_or_default();
        let name = std::str::from_utf8(bytes).map_err(|_| TableError::NotUtf8 { row, column })?;
        signals.push(long.signal(name)?);
        Ok(())
    })?;
    for (index, ((time, value), signal)) in times.iter().zip(values).zip(signals).enumerate() {
        long.push(index + FIRST_ROW, signal, *time, value)?;
    }
    long.table(&file.units())
}

fn damaged(what: &str) -> TableError {
    read_error(ParquetError::General(what.to_owned()))
}

fn read_error(source: ParquetError) -> TableError {
    TableError::ReadParquet { source }
}

/// A file whose footer is read.
struct ParquetFile {
    bytes: Arc<CheckedBytes>,
    metadata: ParquetMetaData,
    headings: Vec<String>,
}

impl ParquetFile {
    fn open(bytes: &[u8]) -> Result<Self, TableError> {
        let bytes = Bytes::copy_from_slice(bytes);
        let metadata = ParquetMetaDataReader::new().parse_and_finish(&bytes).map_err(read_error)?;
        let columns = metadata.file_metadata().schema_descr().columns();
        check_columns(columns.len())?;
        let headings = columns.iter().map(|column| column.path().string()).collect();
        let file = Self { bytes: Arc::new(CheckedBytes(bytes)), metadata, headings };
        let mut rows: usize = 0;
        for group in file.metadata.row_groups() {
            rows = rows.saturating_add(rows_of(group)?);
        }
        check_cells(rows.saturating_mul(file.headings.len()))?;
        Ok(file)
    }

    fn units(&self) -> Units {
        let notes = self.metadata.file_metadata().key_value_metadata().into_iter().flatten();
        let unit = |key: &str, unit: Option<&String>| {
            Some((key.strip_prefix("unit:")?.to_owned(), unit?.clone()))
        };
        let units = notes.filter_map(|note| unit(&note.key, note.value.as_ref()));
        Units::new(units.collect::<BTreeMap<_, _>>())
    }

    fn descriptor(&self, column: usize) -> &ColumnDescriptor {
        &self.metadata.file_metadata().schema_descr().columns()[column]
    }

    fn physical(&self, column: usize) -> Physical {
        self.descriptor(column).physical_type()
    }

    /// Returns how many steps of a column are a second, if its type is one of times.
    fn unit_of_type(&self, column: usize) -> Option<f64> {
        match self.descriptor(column).logical_type_ref()? {
            LogicalType::Timestamp(time) | LogicalType::Time(time) => Some(match time.unit {
                TimeUnit::MILLIS => 1e3,
                TimeUnit::MICROS => 1e6,
                TimeUnit::NANOS => 1e9,
            }),
            _ => None,
        }
    }

    /// Reads a column of numbers, times in seconds; nothing if it holds something else.
    fn numbers(&self, column: usize) -> Result<Option<Vec<f64>>, TableError> {
        let descriptor = self.descriptor(column);
        if descriptor.max_rep_level() > 0 {
            return Ok(None);
        }
        let per_unit = self.unit_of_type(column).unwrap_or(1.0);
        let unsigned = matches!(
            descriptor.logical_type_ref(),
            Some(LogicalType::Integer(integer)) if !integer.is_signed
        );
        let numbers = match (descriptor.physical_type(), unsigned) {
            (Physical::DOUBLE, _) => self.collect::<DoubleType>(column, |number| *number),
            (Physical::FLOAT, _) => self.collect::<FloatType>(column, |number| (*number).into()),
            (Physical::BOOLEAN, _) => self.collect::<BoolType>(column, |yes| f64::from(*yes)),
            (Physical::INT32, false) => {
                self.collect::<Int32Type>(column, |number| f64::from(*number) / per_unit)
            }
            (Physical::INT32, true) => {
                self.collect::<Int32Type>(column, |number| number.cast_unsigned().into())
            }
            (Physical::INT64, false) => {
                self.collect::<Int64Type>(column, |number| *number as f64 / per_unit)
            }
            (Physical::INT64, true) => {
                self.collect::<Int64Type>(column, |number| number.cast_unsigned() as f64)
            }
            _ => return Ok(None),
        };
        numbers.map(Some)
    }

    fn collect<T: DataType>(
        &self,
        column: usize,
        number: impl Fn(&T::T) -> f64,
    ) -> Result<Vec<f64>, TableError> {
        let mut numbers = Vec::new();
        self.each::<T>(column, |value| {
            numbers.push(value.map_or(f64::NAN, &number));
            Ok(())
        })?;
        Ok(numbers)
    }

    /// Calls `take` for every row of a column, with nothing where the value is missing.
    fn each<T: DataType>(
        &self,
        column: usize,
        mut take: impl FnMut(Option<&T::T>) -> Result<(), TableError>,
    ) -> Result<(), TableError> {
        for group in self.metadata.row_groups() {
            self.each_of_group::<T>(group, column, &mut take)?;
        }
        Ok(())
    }

    fn each_of_group<T: DataType>(
        &self,
        group: &RowGroupMetaData,
        column: usize,
        take: &mut impl FnMut(Option<&T::T>) -> Result<(), TableError>,
    ) -> Result<(), TableError> {
        let chunk = group.columns().get(column).ok_or_else(|| damaged("a column is missing"))?;
        self.check_packing(column, chunk.compression())?;
        let mut rows = rows_of(group)?;
        let pages = CheckedPages::new(&self.bytes, chunk, rows).map_err(read_error)?;
        let reader = get_column_reader(chunk.column_descr_ptr(), Box::new(pages));
        let mut reader = get_typed_column_reader::<T>(reader);
        let full = chunk.column_descr().max_def_level();
        let (mut levels, mut values) = (Vec::new(), Vec::new());
        while rows > 0 {
            levels.clear();
            values.clear();
            let batch = rows.min(BATCH);
            let read = reader.read_records(batch, Some(&mut levels), None, &mut values);
            let (read, ..) = read.map_err(read_error)?;
            if read == 0 {
                return Err(damaged("a column ends too early"));
            }
            rows -= read;
            // A column that has a value everywhere tells no levels.
            levels.resize(read, full);
            let mut values = values.iter();
            let present = |level: i16| if level == full { values.next() } else { None };
            levels.iter().copied().map(present).try_for_each(&mut *take)?;
        }
        Ok(())
    }

    fn check_packing(&self, column: usize, packing: Compression) -> Result<(), TableError> {
        match packing {
            Compression::UNCOMPRESSED | Compression::SNAPPY | Compression::ZSTD(_) => Ok(()),
            other => {
                let name = format!("{other:?}");
                let packing = name.split('(').next().unwrap_or_default().to_owned();
                Err(TableError::Packing { column: self.headings[column].clone(), packing })
            }
        }
    }
}

fn rows_of(group: &RowGroupMetaData) -> Result<usize, TableError> {
    usize::try_from(group.num_rows()).map_err(|_| damaged("a group has less than no rows"))
}
