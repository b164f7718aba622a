//! Damaged files give an error or a table, and nothing panics.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod signals;

use proptest::prelude::*;
use proptest::sample::Index;
use retake_plot::{Table, TableError, csv, read_csv};
use signals::{any_table, told};

/// What happens to a file: bits that flip, bytes that become others, and where it ends.
#[derive(Clone, Debug)]
struct Damage {
    flips: Vec<(Index, u8)>,
    bytes: Vec<(Index, u8)>,
    end: Option<Index>,
}

fn any_damage() -> impl Strategy<Value = Damage> {
    let places = || prop::collection::vec((any::<Index>(), any::<u8>()), 0..4);
    let parts = (places(), places(), prop::option::weighted(0.3, any::<Index>()));
    parts.prop_map(|(flips, bytes, end)| Damage { flips, bytes, end })
}

impl Damage {
    fn done_to(&self, file: &[u8]) -> Vec<u8> {
        let mut file = file.to_vec();
        for (place, bit) in &self.flips {
            let place = place.index(file.len());
            file[place] ^= 1 << (bit % 8);
        }
        for (place, byte) in &self.bytes {
            let place = place.index(file.len());
            file[place] = *byte;
        }
        if let Some(end) = self.end {
            file.truncate(end.index(file.len()));
        }
        file
    }
}

/// Whatever is read keeps the promises of tables.
fn check(read: Result<Table, TableError>) -> Result<(), TestCaseError> {
    match read {
        Ok(table) => {
            for (name, _, times, values) in told(&table) {
                let times: Vec<f64> = times.into_iter().map(f64::from_bits).collect();
                prop_assert!(times.is_sorted() && times.iter().all(|time| time.is_finite()));
                prop_assert_eq!(times.len(), values.len(), "{}", name);
            }
        }
        Err(error) => prop_assert!(!error.to_string().is_empty()),
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn damaged_csv_gives_an_error_or_a_table(table in any_table(), damage in any_damage()) {
        let mut bytes = Vec::new();
        csv(&mut bytes, &table).unwrap();
        check(read_csv(&damage.done_to(&bytes)))?;
    }

    #[test]
    fn any_bytes_give_an_error_or_a_table(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        check(read_csv(&[b"t,a\n", bytes.as_slice()].concat()))?;
        check(read_csv(&bytes))?;
    }

    #[test]
    #[cfg(feature = "parquet")]
    fn damaged_parquet_gives_an_error_or_a_table(table in any_table(), damage in any_damage()) {
        let mut bytes = Vec::new();
        retake_plot::parquet(&mut bytes, &table).unwrap();
        check(retake_plot::read_parquet(&damage.done_to(&bytes)))?;
    }
}

/// Every bit of a small file, one at a time, and every place where it can end.
#[test]
#[cfg(feature = "parquet")]
fn no_single_bit_of_a_parquet_file_can_do_harm() {
    let column = |name: &str, times: &[f64]| {
        let values = times.iter().map(|time| time * 2.0).collect();
        retake_plot::TableColumn::new(name, "m", times.into(), values).unwrap()
    };
    let wide = vec![column("a", &[0.0, 1.0]), column("b", &[0.0, 1.0])];
    let long = vec![column("a", &[0.0, 1.0]), column("b", &[0.5])];
    for columns in [wide, long] {
        let mut file = Vec::new();
        retake_plot::parquet(&mut file, &Table::new(columns).unwrap()).unwrap();
        for bit in 0..file.len() * 8 {
            let mut damaged = file.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            check(retake_plot::read_parquet(&damaged)).unwrap();
        }
        for end in 0..file.len() {
            assert!(retake_plot::read_parquet(&file[..end]).is_err());
        }
    }
}

/// A page that claims to unpack to gigabytes, and a dictionary with more names than bytes.
#[test]
#[cfg(feature = "parquet")]
fn sizes_that_cannot_be_are_refused_before_memory_is_taken() {
    let column = |name: &str, time: f64| {
        retake_plot::TableColumn::new(name, "", [time].into(), vec![1.0]).unwrap()
    };
    let table = Table::new(vec![column("a", 0.0), column("b", 1.0)]).unwrap();
    let mut file = Vec::new();
    retake_plot::parquet(&mut file, &table).unwrap();
    let reason = |place: usize, bytes: &[u8]| {
        let mut damaged = file.clone();
        damaged[place..place + bytes.len()].copy_from_slice(bytes);
        let error = retake_plot::read_parquet(&damaged).unwrap_err();
        std::error::Error::source(&error).unwrap().to_string()
    };
    // The head of a page begins with its kind and its size, and that of a dictionary goes on with
    // the number of entries.
    let find = |from: usize, bytes: &[u8]| {
        let place = file[from..].windows(bytes.len()).position(|window| window == bytes);
        from + place.unwrap() + bytes.len()
    };
    let size = find(0, &[0x15, 0x00, 0x15]);
    let entries = find(find(0, &[0x15, 0x04, 0x15]), &[0x4c, 0x15]);
    assert_eq!(
        reason(size, &[0xfe, 0xff, 0xff, 0xff, 0x0f]),
        "Parquet error: the page at byte 4 has no likely size"
    );
    assert_eq!(
        reason(entries, &[0x7e]),
        "Parquet error: a dictionary of 63 entries is larger than its page"
    );
}
