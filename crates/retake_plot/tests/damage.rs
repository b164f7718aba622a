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
}
