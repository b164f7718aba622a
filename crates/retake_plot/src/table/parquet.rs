//! Tables as Parquet.

use std::io::Write;
use std::sync::Arc;

use parquet::basic::{Compression, Encoding, LogicalType, Repetition, Type as Physical, ZstdLevel};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::{ColumnPath, Type, TypePtr};

use super::{SIGNAL, Shape, TIME, Table, TableError, VALUE};

/// Rows that are held in memory together while they are packed.
const ROWS_PER_GROUP: usize = 131_072;

/// Writes a table as Parquet; gaps are null.
///
/// Headings are those of the CSV file. The file's key/value data tell the unit of each column that
/// has one: `unit:<heading>`, and `unit:time_s`.
///
/// # Errors
/// [`TableError::Parquet`] when `out` cannot be written.
pub fn parquet(out: impl Write + Send, table: &Table) -> Result<(), TableError> {
    let shape = table.shape();
    let schema = schema(table, shape)?;
    let properties = Arc::new(properties(table)?);
    let mut writer = SerializedFileWriter::new(out, schema, properties)?;
    match shape {
        Shape::Wide => write_wide(&mut writer, table)?,
        Shape::Long => write_long(&mut writer, table)?,
    }
    writer.close()?;
    Ok(())
}

fn schema(table: &Table, shape: Shape) -> Result<TypePtr, ParquetError> {
    let mut fields = vec![double(TIME, Repetition::REQUIRED)?];
    match shape {
        Shape::Wide => {
            for column in &table.columns {
                fields.push(double(&column.heading(), Repetition::OPTIONAL)?);
            }
        }
        Shape::Long => {
            let signal = Type::primitive_type_builder(SIGNAL, Physical::BYTE_ARRAY)
                .with_repetition(Repetition::REQUIRED)
                .with_logical_type(Some(LogicalType::String));
            fields.push(Arc::new(signal.build()?));
            fields.push(double(VALUE, Repetition::OPTIONAL)?);
        }
    }
    Ok(Arc::new(Type::group_type_builder("schema").with_fields(fields).build()?))
}

fn double(name: &str, repetition: Repetition) -> Result<TypePtr, ParquetError> {
    let column = Type::primitive_type_builder(name, Physical::DOUBLE);
    Ok(Arc::new(column.with_repetition(repetition).build()?))
}

fn properties(table: &Table) -> Result<WriterProperties, ParquetError> {
    let unit =
        |heading: &str, unit: &str| KeyValue::new(format!("unit:{heading}"), unit.to_owned());
    let columns = table.columns.iter().filter(|column| !column.unit.is_empty());
    let units = columns.map(|column| unit(&column.heading(), &column.unit));
    let units = std::iter::once(unit(TIME, "s")).chain(units).collect();
    // Neighbouring samples share their first bytes, so bytes of equal rank are put together; a
    // dictionary helps with names only.
    let properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(1)?))
        .set_dictionary_enabled(false)
        .set_encoding(Encoding::BYTE_STREAM_SPLIT)
        .set_column_dictionary_enabled(ColumnPath::from(SIGNAL), true)
        .set_column_encoding(ColumnPath::from(SIGNAL), Encoding::PLAIN)
        .set_key_value_metadata(Some(units));
    Ok(properties.build())
}

fn write_wide<W: Write + Send>(
    writer: &mut SerializedFileWriter<W>,
    table: &Table,
) -> Result<(), ParquetError> {
    let times = table.times_s();
    for start in (0..times.len()).step_by(ROWS_PER_GROUP) {
        let end = times.len().min(start + ROWS_PER_GROUP);
        let mut group = writer.next_row_group()?;
        write_required(&mut group, &times[start..end])?;
        for column in &table.columns {
            write_optional(&mut group, &column.values[start..end])?;
        }
        group.close()?;
    }
    Ok(())
}

/// Rows of a long table that wait to be written together.
#[derive(Default)]
struct LongRows {
    times_s: Vec<f64>,
    signals: Vec<ByteArray>,
    values: Vec<f64>,
}

fn write_long<W: Write + Send>(
    writer: &mut SerializedFileWriter<W>,
    table: &Table,
) -> Result<(), ParquetError> {
    let mut rows = LongRows::default();
    for column in &table.columns {
        let name = ByteArray::from(column.heading().as_str());
        for (time, value) in column.times_s.iter().zip(&column.values) {
            rows.times_s.push(*time);
            rows.signals.push(name.clone());
            rows.values.push(*value);
            if rows.times_s.len() == ROWS_PER_GROUP {
                std::mem::take(&mut rows).write(writer)?;
            }
        }
    }
    if rows.times_s.is_empty() { Ok(()) } else { rows.write(writer) }
}

impl LongRows {
    fn write<W: Write + Send>(
        self,
        writer: &mut SerializedFileWriter<W>,
    ) -> Result<(), ParquetError> {
        let mut group = writer.next_row_group()?;
        write_required(&mut group, &self.times_s)?;
        if let Some(mut signals) = group.next_column()? {
            signals.typed::<ByteArrayType>().write_batch(&self.signals, None, None)?;
            signals.close()?;
        }
        write_optional(&mut group, &self.values)?;
        group.close()?;
        Ok(())
    }
}

fn write_required<W: Write + Send>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    values: &[f64],
) -> Result<(), ParquetError> {
    if let Some(mut column) = group.next_column()? {
        column.typed::<DoubleType>().write_batch(values, None, None)?;
        column.close()?;
    }
    Ok(())
}

fn write_optional<W: Write + Send>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    values: &[f64],
) -> Result<(), ParquetError> {
    let levels: Vec<i16> = values.iter().map(|value| i16::from(!value.is_nan())).collect();
    let present: Vec<f64> = values.iter().copied().filter(|value| !value.is_nan()).collect();
    if let Some(mut column) = group.next_column()? {
        column.typed::<DoubleType>().write_batch(&present, Some(&levels), None)?;
        column.close()?;
    }
    Ok(())
}
