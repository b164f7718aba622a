//! Tables are read as they were written, and so are those by others.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod signals;

use expect_test::{Expect, expect};
use proptest::prelude::*;
use retake_plot::{Table, TableError, csv, read_csv};
use signals::{any_table, told};

proptest! {
    #[test]
    fn a_csv_file_is_read_as_it_was_written(table in any_table()) {
        let mut bytes = Vec::new();
        csv(&mut bytes, &table).unwrap();
        prop_assert_eq!(told(&read_csv(&bytes).unwrap()), told(&table));
    }
}

/// Writes a table or an error down.
fn shown(read: Result<Table, TableError>) -> String {
    let table = match read {
        Ok(table) => table,
        Err(error) => return error.to_string(),
    };
    let column = |column: &retake_plot::TableColumn| {
        let samples = column.times_s().iter().zip(column.values());
        let samples: Vec<String> =
            samples.map(|(time, value)| format!("{time}: {value}")).collect();
        format!("{:?} {:?} {}", column.name(), column.unit(), samples.join(", "))
    };
    table.columns().iter().map(column).collect::<Vec<_>>().join("\n")
}

/// Reads each file and writes down what comes of it.
fn check(files: &[&str], expected: Expect) {
    let read = |file: &&str| format!("{file:?}\n{}\n", shown(read_csv(file.as_bytes())));
    expected.assert_eq(&files.iter().map(read).collect::<Vec<_>>().join("\n"));
}

#[test]
fn files_by_others_are_read() {
    check(
        &[
            "\u{feff}Time;v [m/s];note\r\n0;1,5;start\r\n0,1;;\r\n0.2;-2e3;\r\n",
            "x\t__time\n1\t0\n2\t0\n",
            "t,on,x\n 0 , True ,+.5\n1,false,nan\n\n2,,inf\n",
            "timestamp [ms],x\n1500,1\n",
            "t,time_s,x\n9,0,1\n",
            "t,signal,value\n0,a [m],1\n0,b,2\n1,a [m],\n",
            "t,list[0],\"list [0]\",\"list [0] []\"\n0,1,2,3\n",
            "time_s,a\n",
            "time_s\n",
        ],
        expect![[r#"
            "\u{feff}Time;v [m/s];note\r\n0;1,5;start\r\n0,1;;\r\n0.2;-2e3;\r\n"
            "v" "m/s" 0: 1.5, 0.1: NaN, 0.2: -2000

            "x\t__time\n1\t0\n2\t0\n"
            "x" "" 0: 1, 0: 2

            "t,on,x\n 0 , True ,+.5\n1,false,nan\n\n2,,inf\n"
            "on" "" 0: 1, 1: 0, 2: NaN
            "x" "" 0: 0.5, 1: NaN, 2: inf

            "timestamp [ms],x\n1500,1\n"
            "x" "" 1.5: 1

            "t,time_s,x\n9,0,1\n"
            "t" "" 0: 9
            "x" "" 0: 1

            "t,signal,value\n0,a [m],1\n0,b,2\n1,a [m],\n"
            "a" "m" 0: 1, 1: NaN
            "b" "" 0: 2

            "t,list[0],\"list [0]\",\"list [0] []\"\n0,1,2,3\n"
            "list[0]" "" 0: 1
            "list" "0" 0: 2
            "list [0]" "" 0: 3

            "time_s,a\n"
            "a" "" 

            "time_s\n"

        "#]],
    );
}

#[test]
fn files_that_cannot_be_used_are_refused() {
    let many = format!("{}\n", (0..20).map(|n| format!("c{n}")).collect::<Vec<_>>().join(","));
    check(
        &[
            "",
            "a,b\n1,2\n",
            &many,
            "time [h],a\n0,1\n",
            "t,a,b\n0,x,\n1,,y\n",
            "t,a\n0,1\n1,?\n",
            "t,a\n0,?\n1,\n2,3\n",
            "t,a\n0,1\n,2\n",
            "t,a\n0,1\nsoon,2\n",
            "t,a\n0,1\ninf,2\n",
            "t,a\n0,1\n2,1\n1,1\n",
            "t,signal,value\n0,a,1\n1,b,1\n0,b,1\n",
            "t,signal,value\n0,a,much\n",
            "t,a\n0,1\n1\n",
            "t,a,a\n0,1,2\n",
        ],
        expect![[r#"
            ""
            no column of times: call one of them time_s, time, t, timestamp or __time; the headings are missing

            "a,b\n1,2\n"
            no column of times: call one of them time_s, time, t, timestamp or __time; the headings are "a", "b"

            "c0,c1,c2,c3,c4,c5,c6,c7,c8,c9,c10,c11,c12,c13,c14,c15,c16,c17,c18,c19\n"
            no column of times: call one of them time_s, time, t, timestamp or __time; the headings are "c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8", "c9", "c10", "c11" and 8 more

            "time [h],a\n0,1\n"
            the times of column "time [h]" are in "h": save them in s, ms, us or ns

            "t,a,b\n0,x,\n1,,y\n"
            no column but that of times has numbers: add one; the headings are "t", "a", "b"

            "t,a\n0,1\n1,?\n"
            row 3, column "a": "?" is not a number: write a number or leave the cell empty

            "t,a\n0,?\n1,\n2,3\n"
            row 2, column "a": "?" is not a number: write a number or leave the cell empty

            "t,a\n0,1\n,2\n"
            row 3, column "t": "" is not a time: write a finite number of seconds or remove the row

            "t,a\n0,1\nsoon,2\n"
            row 3, column "t": "soon" is not a time: write a finite number of seconds or remove the row

            "t,a\n0,1\ninf,2\n"
            row 3, column "t": "inf" is not a time: write a finite number of seconds or remove the row

            "t,a\n0,1\n2,1\n1,1\n"
            row 4, column "t": the time 1 s comes after 2 s: sort the rows by time

            "t,signal,value\n0,a,1\n1,b,1\n0,b,1\n"
            row 4, column "b": the time 0 s comes after 1 s: sort the rows by time

            "t,signal,value\n0,a,much\n"
            row 2, column "a": "much" is not a number: write a number or leave the cell empty

            "t,a\n0,1\n1\n"
            row 3 has 1 cells but the heading has 2: the file may be cut off; remove the row or save the file again

            "t,a,a\n0,1,2\n"
            there are two columns "a": give one of them another name
        "#]],
    );
    let latin = read_csv(b"t,\xb0C\n0,1\n");
    expect!["row 1, column 2: the text is not UTF-8: save the file as UTF-8"]
        .assert_eq(&shown(latin));
}

#[test]
fn files_that_are_too_large_are_refused() {
    let row = ",".repeat(999);
    let rows = |count: usize| format!("t{row}\n{}", format!("0{row}\n").repeat(count));
    expect!["the table has more than 20000000 cells: save a shorter stretch or fewer signals"]
        .assert_eq(&shown(read_csv(rows(20_000).as_bytes())));
    let row = ",".repeat(100_000);
    expect!["the table has more than 100000 columns: save a shorter stretch or fewer signals"]
        .assert_eq(&shown(read_csv(format!("t{row}\n").as_bytes())));
}
