//! Tables as CSV.

use std::io::Write;

use super::{SIGNAL, Shape, TIME, Table, TableError, VALUE};

/// Writes a table as CSV with a heading; gaps are empty.
///
/// Reading a number gives back its bits.
///
/// # Errors
/// [`TableError::Csv`] when `out` cannot be written.
pub fn csv(out: &mut impl Write, table: &Table) -> Result<(), TableError> {
    let mut writer = csv::Writer::from_writer(out);
    match table.shape() {
        Shape::Wide => write_wide(&mut writer, table)?,
        Shape::Long => write_long(&mut writer, table)?,
    }
    writer.flush()?;
    Ok(())
}

fn write_wide(writer: &mut csv::Writer<impl Write>, table: &Table) -> Result<(), TableError> {
    writer.write_field(TIME)?;
    for column in &table.columns {
        writer.write_field(column.heading())?;
    }
    end_row(writer)?;
    let mut columns: Vec<_> = table.columns.iter().map(|column| column.cells()).collect();
    for time in table.times_s() {
        writer.write_field(number(*time))?;
        for column in &mut columns {
            writer.write_field(cell(column.next().flatten()))?;
        }
        end_row(writer)?;
    }
    Ok(())
}

fn write_long(writer: &mut csv::Writer<impl Write>, table: &Table) -> Result<(), TableError> {
    writer.write_record([TIME, SIGNAL, VALUE])?;
    for column in &table.columns {
        let heading = column.heading();
        for (time, value) in column.times_s.iter().zip(column.cells()) {
            writer.write_record([number(*time).as_str(), &heading, &cell(value)])?;
        }
    }
    Ok(())
}

fn end_row(writer: &mut csv::Writer<impl Write>) -> Result<(), csv::Error> {
    writer.write_record(None::<&[u8]>)
}

fn cell(value: Option<f64>) -> String {
    value.map(number).unwrap_or_default()
}

/// Writes the shortest text that reads back as the same bits.
fn number(value: f64) -> String {
    let size = value.abs();
    // Without an exponent the largest numbers would have three hundred digits.
    let plain = size == 0.0 || (1e-5..1e16).contains(&size) || !size.is_finite();
    if plain { value.to_string() } else { format!("{value:e}") }
}
