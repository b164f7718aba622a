//! Parquet files are read as they were written, and so are those by others.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]
#![cfg(feature = "parquet")]

mod signals;

use std::sync::Arc;

use expect_test::expect;
use parquet::basic::Compression;
use parquet::data_type::{
    BoolType, ByteArrayType, DataType, DoubleType, FloatType, Int32Type, Int64Type,
};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;
use proptest::prelude::*;
use retake_plot::{Table, TableColumn, TableError, read_parquet};
use signals::{any_table, told};

fn written(table: &Table) -> Vec<u8> {
    let mut bytes = Vec::new();
    retake_plot::parquet(&mut bytes, table).unwrap();
    bytes
}

proptest! {
    #[test]
    fn a_parquet_file_is_read_as_it_was_written(table in any_table()) {
        prop_assert_eq!(told(&read_parquet(&written(&table)).unwrap()), told(&table));
    }
}

#[test]
fn tables_longer_than_a_group_and_a_batch_are_read() {
    for second_from in [0.0, 0.5] {
        let columns = [("a", 0.0), ("b", second_from)].map(|(name, from)| {
            let times: Arc<[f64]> = (0..150_000).map(|n| from + f64::from(n)).collect();
            let value = |time: &f64| if time % 7.0 == 0.0 { f64::NAN } else { time.sin() };
            let values = times.iter().map(value).collect();
            TableColumn::new(name, "m", times, values).unwrap()
        });
        let table = Table::new(columns.to_vec()).unwrap();
        assert!(told(&read_parquet(&written(&table)).unwrap()) == told(&table));
    }
}

type Group<'a> = SerializedRowGroupWriter<'a, Vec<u8>>;

fn put<T: DataType>(group: &mut Group, values: &[T::T], levels: Option<&[i16]>) {
    let mut column = group.next_column().unwrap().unwrap();
    column.typed::<T>().write_batch(values, levels, None).unwrap();
    column.close().unwrap();
}

/// Writes a file as others do.
fn foreign(schema: &str, packing: Compression, fill: impl FnOnce(&mut Group)) -> Vec<u8> {
    let schema = Arc::new(parse_message_type(&format!("message m {{ {schema} }}")).unwrap());
    let properties = Arc::new(WriterProperties::builder().set_compression(packing).build());
    let mut writer = SerializedFileWriter::new(Vec::new(), schema, properties).unwrap();
    let mut group = writer.next_row_group().unwrap();
    fill(&mut group);
    group.close().unwrap();
    writer.into_inner().unwrap()
}

fn shown(read: Result<Table, TableError>) -> String {
    let table = match read {
        Ok(table) => table,
        Err(error) => return error.to_string(),
    };
    let column = |column: &TableColumn| {
        let (times, values) = (column.times_s(), column.values());
        format!("{:?} {:?} {times:?} {values:?}", column.name(), column.unit())
    };
    table.columns().iter().map(column).collect::<Vec<_>>().join("\n")
}

#[test]
fn files_by_others_are_read() {
    let schema = "required int64 Timestamp (TIMESTAMP(MICROS,true)); required float f;
        optional int32 i; optional boolean b; required int64 u (INTEGER(64,false));
        required binary text (STRING); optional group g { optional double d; }";
    let bytes = foreign(schema, Compression::SNAPPY, |group| {
        put::<Int64Type>(group, &[1_000_000, 1_500_000, 1_500_000], None);
        put::<FloatType>(group, &[0.5, -1.0, f32::INFINITY], None);
        put::<Int32Type>(group, &[-7, 9], Some(&[1, 0, 1]));
        put::<BoolType>(group, &[true, false], Some(&[1, 1, 0]));
        put::<Int64Type>(group, &[-1, 0, 1], None);
        put::<ByteArrayType>(group, &["a".into(), "b".into(), "c".into()], None);
        put::<DoubleType>(group, &[3.0], Some(&[0, 1, 2]));
    });
    expect![[r#"
        "f" "" [1.0, 1.5, 1.5] [0.5, -1.0, inf]
        "i" "" [1.0, 1.5, 1.5] [-7.0, NaN, 9.0]
        "b" "" [1.0, 1.5, 1.5] [1.0, 0.0, NaN]
        "u" "" [1.0, 1.5, 1.5] [1.8446744073709552e19, 0.0, 1.0]
        "g.d" "" [1.0, 1.5, 1.5] [NaN, NaN, 3.0]"#]]
    .assert_eq(&shown(read_parquet(&bytes)));
    let schema = "required double time; optional binary signal; optional float value;";
    let bytes = foreign(schema, Compression::UNCOMPRESSED, |group| {
        put::<DoubleType>(group, &[0.0, 0.0, 1.0], None);
        put::<ByteArrayType>(group, &["a [m]".into(), "b".into(), "a [m]".into()], Some(&[1; 3]));
        put::<FloatType>(group, &[1.0, 2.0], Some(&[1, 1, 0]));
    });
    expect![[r#"
        "a" "m" [0.0, 1.0] [1.0, NaN]
        "b" "" [0.0] [2.0]"#]]
    .assert_eq(&shown(read_parquet(&bytes)));
}

/// Writes two columns of numbers.
fn two(schema: &str, times: &[f64], levels: Option<&[i16]>) -> Vec<u8> {
    foreign(schema, Compression::UNCOMPRESSED, |group| {
        put::<DoubleType>(group, times, levels);
        put::<DoubleType>(group, &vec![0.0; levels.map_or(times.len(), <[i16]>::len)], None);
    })
}

/// Says in the footer of a file that column `x` is packed with gzip.
fn gzipped(mut file: Vec<u8>) -> Vec<u8> {
    // The name ends its path; then come the compression, a number, and a number of 64 bits.
    let place = file.windows(4).rposition(|bytes| bytes == [b'x', 0x15, 0, 0x16]).unwrap();
    file[place + 2] = 4;
    file
}

#[test]
fn files_that_cannot_be_used_are_refused() {
    let schema = "required double t; required double x;";
    let text = "required binary t; required binary x;";
    let text = foreign(text, Compression::UNCOMPRESSED, |group| {
        put::<ByteArrayType>(group, &["0".into()], None);
        put::<ByteArrayType>(group, &["0".into()], None);
    });
    let cases = [
        Vec::new(),
        b"time,a\n0,1\n".to_vec(),
        two("required double a; required double b;", &[0.0], None),
        two(schema, &[0.0, 2.0, 1.0], None),
        two(schema, &[0.0, f64::INFINITY], None),
        two("optional double t; required double x;", &[0.0], Some(&[1, 0])),
        gzipped(two(schema, &[0.0], None)),
        text,
    ];
    let refused = cases.map(|file| shown(read_parquet(&file)));
    expect![[r#"
        the file is damaged or not a Parquet file: save it again
        the file is damaged or not a Parquet file: save it again
        no column of times: call one of them time_s, time, t, timestamp or __time; the headings are "a", "b"
        row 4, column "t": the time 1 s comes after 2 s: sort the rows by time
        row 3, column "t": "inf" is not a time: write a finite number of seconds or remove the row
        row 3, column "t": "" is not a time: write a finite number of seconds or remove the row
        column "x" is packed with GZIP: save the file with ZSTD, with SNAPPY or without compression
        row 2, column "t": "text" is not a time: write a finite number of seconds or remove the row"#]].assert_eq(&refused.join("\n"));
}

#[test]
fn files_that_are_too_large_are_refused() {
    let columns: String = (0..999).map(|n| format!("optional boolean c{n};")).collect();
    let levels = vec![0; 20_001];
    let bytes = foreign(&format!("required int32 t; {columns}"), Compression::SNAPPY, |group| {
        put::<Int32Type>(group, &vec![0; levels.len()], None);
        (0..999).for_each(|_| put::<BoolType>(group, &[], Some(&levels)));
    });
    assert!(bytes.len() < 400_000, "{}", bytes.len());
    expect!["the table has more than 20000000 cells: save a shorter stretch or fewer signals"]
        .assert_eq(&shown(read_parquet(&bytes)));
}
