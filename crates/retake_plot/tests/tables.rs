//! Tables are written so that reading them gives back every bit.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::sync::Arc;

use expect_test::{Expect, expect};
use proptest::prelude::*;
use retake_plot::{Table, TableColumn, csv};

/// A row as it is read: time, column or signal, and the bits of the value; gaps have none.
type Cell = (u64, String, Option<u64>);

/// What was to be written, wide or long.
#[derive(Clone, Debug)]
struct Signals {
    aligned: bool,
    columns: Vec<(String, String, Vec<f64>, Vec<f64>)>,
}

fn any_signals() -> impl Strategy<Value = Signals> {
    let time = any::<f64>().prop_filter("finite", |time| time.is_finite());
    let value =
        prop_oneof![4 => any::<f64>(), 1 => Just(f64::NAN), 1 => Just(-0.0), 1 => -1.0..1.0];
    let samples = prop::collection::vec((time, value), 1..20);
    let names = ("[a-z:,\"\n. é]{0,12}", "[a-z/²]{0,3}");
    let columns = prop::collection::vec((names, samples), 1..5);
    (columns, any::<bool>()).prop_map(|(columns, aligned)| {
        let rows = columns.iter().map(|(_, samples)| samples.len()).min().unwrap_or(0);
        let shared: Vec<f64> = columns[0].1.iter().take(rows).map(|sample| sample.0).collect();
        let mut signals = Signals { aligned, columns: Vec::new() };
        for (number, ((name, unit), samples)) in columns.into_iter().enumerate() {
            let (mut times, mut values): (Vec<f64>, Vec<f64>) = samples.into_iter().unzip();
            if aligned {
                times.clone_from(&shared);
                values.truncate(rows);
            }
            signals.columns.push((format!("{number}{name}"), unit, times, values));
        }
        signals
    })
}

impl Signals {
    fn table(&self) -> Table {
        let column = |(name, unit, times, values): &(String, String, Vec<f64>, Vec<f64>)| {
            TableColumn::new(name, unit, Arc::from(times.as_slice()), values.clone()).unwrap()
        };
        Table::new(self.columns.iter().map(column).collect()).unwrap()
    }

    /// All samples, signal by signal.
    fn cells(&self) -> Vec<Cell> {
        let bits = |value: f64| (!value.is_nan()).then_some(value.to_bits());
        let samples = self.columns.iter().flat_map(|(name, unit, times, values)| {
            let heading = if unit.is_empty() { name.clone() } else { format!("{name} [{unit}]") };
            let pairs = times.iter().zip(values);
            pairs.map(move |(time, value)| (time.to_bits(), heading.clone(), bits(*value)))
        });
        samples.collect()
    }
}

/// Turns rows of a wide table into cells, signal by signal.
fn unfold(headings: &[String], rows: &[(u64, Vec<Option<u64>>)]) -> Vec<Cell> {
    let column = |number: usize| {
        rows.iter().map(move |(time, cells)| (*time, headings[number].clone(), cells[number]))
    };
    (0..headings.len()).flat_map(column).collect()
}

fn read_csv(bytes: &[u8]) -> (Vec<String>, Vec<Cell>) {
    let mut reader = csv::Reader::from_reader(bytes);
    let headings: Vec<String> = reader.headers().unwrap().iter().map(str::to_owned).collect();
    let bits = |text: &str| (!text.is_empty()).then(|| text.parse::<f64>().unwrap().to_bits());
    let records: Vec<csv::StringRecord> = reader.records().map(|record| record.unwrap()).collect();
    let cells = if headings == ["time_s", "signal", "value"] {
        let cell = |record: &csv::StringRecord| {
            (bits(&record[0]).unwrap(), record[1].to_owned(), bits(&record[2]))
        };
        records.iter().map(cell).collect()
    } else {
        let row = |record: &csv::StringRecord| {
            (bits(&record[0]).unwrap(), record.iter().skip(1).map(bits).collect())
        };
        unfold(&headings[1..], &records.iter().map(row).collect::<Vec<_>>())
    };
    (headings, cells)
}

proptest! {
    #[test]
    fn a_csv_file_reads_back_to_the_bit(signals in any_signals()) {
        let mut bytes = Vec::new();
        csv(&mut bytes, &signals.table()).unwrap();
        let (headings, cells) = read_csv(&bytes);
        prop_assert_eq!(cells, signals.cells());
        prop_assert!(!signals.aligned || headings.len() == signals.columns.len() + 1);
    }
}

#[cfg(feature = "parquet")]
mod parquet_files {
    use std::collections::BTreeMap;

    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::Field;
    use retake_plot::parquet;

    use super::*;

    struct Read {
        headings: Vec<String>,
        cells: Vec<Cell>,
        notes: BTreeMap<String, String>,
    }

    fn bits(field: &Field) -> Option<u64> {
        match field {
            Field::Null => None,
            Field::Double(value) => Some(value.to_bits()),
            other => panic!("{other:?}"),
        }
    }

    fn read(table: &Table) -> Read {
        let mut file = tempfile::tempfile().unwrap();
        parquet(&mut file, table).unwrap();
        let reader = SerializedFileReader::new(file).unwrap();
        let file = reader.metadata().file_metadata();
        let headings: Vec<String> =
            file.schema().get_fields().iter().map(|field| field.name().to_owned()).collect();
        let notes = file.key_value_metadata().into_iter().flatten();
        let notes = notes.map(|note| (note.key.clone(), note.value.clone().unwrap())).collect();
        let rows = reader.get_row_iter(None).unwrap().map(|row| row.unwrap());
        let rows: Vec<Vec<Field>> = rows
            .map(|row| row.get_column_iter().map(|(_, field)| field.clone()).collect())
            .collect();
        let cells = if headings[1..] == ["signal", "value"] {
            let cell = |row: &Vec<Field>| {
                let Field::Str(signal) = &row[1] else { panic!("{row:?}") };
                (bits(&row[0]).unwrap(), signal.clone(), bits(&row[2]))
            };
            rows.iter().map(cell).collect()
        } else {
            let row =
                |row: &Vec<Field>| (bits(&row[0]).unwrap(), row[1..].iter().map(bits).collect());
            unfold(&headings[1..], &rows.iter().map(row).collect::<Vec<_>>())
        };
        Read { headings, cells, notes }
    }

    proptest! {
        #[test]
        fn a_parquet_file_reads_back_to_the_bit(signals in any_signals()) {
            let read = read(&signals.table());
            prop_assert_eq!(read.cells, signals.cells());
            prop_assert!(!signals.aligned || read.headings.len() == signals.columns.len() + 1);
            prop_assert_eq!(&read.notes["unit:time_s"], "s");
            for (name, unit, ..) in signals.columns.iter().filter(|column| !column.1.is_empty()) {
                prop_assert_eq!(&read.notes[&format!("unit:{name} [{unit}]")], unit);
            }
        }
    }

    #[test]
    fn tables_longer_than_a_row_group_keep_their_order() {
        let samples = |count: i32, from: f64| {
            let times: Vec<f64> = (0..count).map(|n| from + f64::from(n)).collect();
            let values =
                times.iter().map(|time| if time % 7.0 == 0.0 { f64::NAN } else { time.sin() });
            (values.collect(), times)
        };
        for second_from in [0.0, 0.5] {
            let columns = [("a", 0.0), ("b", second_from)].map(|(name, from)| {
                let (values, times) = samples(300_000, from);
                (name.to_owned(), "m".to_owned(), times, values)
            });
            let signals = Signals { aligned: second_from == 0.0, columns: columns.to_vec() };
            assert!(read(&signals.table()).cells == signals.cells());
        }
    }
}

fn column(name: &str, unit: &str, times: &[f64], values: &[f64]) -> TableColumn {
    TableColumn::new(name, unit, Arc::from(times), values.to_vec()).unwrap()
}

fn check(columns: Vec<TableColumn>, expected: Expect) {
    let mut bytes = Vec::new();
    csv(&mut bytes, &Table::new(columns).unwrap()).unwrap();
    expected.assert_eq(&String::from_utf8(bytes).unwrap());
}

#[test]
fn equal_times_make_a_wide_table() {
    let times = [0.0, 0.001, 0.002];
    check(
        vec![
            column("box::pose.position.x", "m", &times, &[0.1, f64::NAN, 1e300]),
            column("say \"hi\", box", "", &times, &[-0.0, 5e-324, f64::INFINITY]),
        ],
        expect![[r#"
            time_s,box::pose.position.x [m],"say ""hi"", box"
            0,0.1,-0
            0.001,,5e-324
            0.002,1e300,inf
        "#]],
    );
    check(
        vec![],
        expect![[r#"
        time_s
    "#]],
    );
}

#[test]
fn other_times_make_a_long_table() {
    check(
        vec![
            column("a", "m", &[0.0, 1.0], &[0.1, f64::NAN]),
            column("b,c", "", &[0.5], &[0.1 + 0.2]),
        ],
        expect![[r#"
            time_s,signal,value
            0,a [m],0.1
            1,a [m],
            0.5,"b,c",0.30000000000000004
        "#]],
    );
}

#[test]
fn columns_that_make_no_table_are_refused() {
    let times = |values: &[f64]| Arc::from(values);
    let cases = [
        (
            TableColumn::new("a", "m", times(&[0.0, 1.0]), vec![1.0]).map(|_| ()),
            "column \"a\" has 2 times but 1 values",
        ),
        (
            TableColumn::new("a", "m", times(&[0.0, f64::NAN]), vec![1.0, 2.0]).map(|_| ()),
            "time 1 of column \"a\" is not finite",
        ),
        (
            Table::new(vec![column("a", "m", &[], &[]), column("a", "m", &[], &[])]).map(|_| ()),
            "there are two columns \"a [m]\": give one of them another name",
        ),
        (
            Table::new(vec![column("time_s", "", &[], &[])]).map(|_| ()),
            "there are two columns \"time_s\": give one of them another name",
        ),
    ];
    for (result, text) in cases {
        assert_eq!(result.unwrap_err().to_string(), text);
    }
}

/// A disk that is full.
struct Full;

impl std::io::Write for Full {
    fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
        Err(std::io::ErrorKind::StorageFull.into())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_file_that_cannot_be_written_is_an_error() {
    let table = Table::new(vec![column("a", "m", &[0.0], &[1.0])]).unwrap();
    let error = csv(&mut Full, &table).unwrap_err();
    assert_eq!(error.to_string(), "the table cannot be written as CSV");
    #[cfg(feature = "parquet")]
    {
        let error = retake_plot::parquet(Full, &table).unwrap_err();
        assert_eq!(error.to_string(), "the table cannot be written as Parquet");
    }
}
