//! Tables of all kinds whose times are in order.

use std::sync::Arc;

use proptest::prelude::*;
use retake_plot::{Table, TableColumn};

/// Everything a column says; gaps have no bits.
pub type Told = (String, String, Vec<u64>, Vec<Option<u64>>);

/// Returns everything a table says.
pub fn told(table: &Table) -> Vec<Told> {
    let bits = |value: &f64| (!value.is_nan()).then_some(value.to_bits());
    let column = |column: &TableColumn| {
        (
            column.name().to_owned(),
            column.unit().to_owned(),
            column.times_s().iter().map(|time| time.to_bits()).collect(),
            column.values().iter().map(bits).collect(),
        )
    };
    table.columns().iter().map(column).collect()
}

/// Makes tables, wide and long, whose names are as hard to read back as names can be.
pub fn any_table() -> impl Strategy<Value = Table> {
    let name = prop_oneof![
        4 => "[a-z:;,\t\"\r\n. é\\[\\]]{0,12}",
        1 => "(time|t|TIME_S|signal|Signal|value|a \\[m\\]|a \\[\\]|a\\[0\\]|\u{feff})",
    ];
    let column = ((name, "[a-z/² \\]]{0,3}"), any_samples(1));
    let columns = prop::collection::vec(column, 0..5);
    (columns, any_samples(0), any::<bool>()).prop_filter_map("two names are equal", table_of)
}

type Samples = Vec<(f64, f64)>;
/// Name and unit, and samples.
type Named = ((String, String), Samples);

fn any_samples(least: usize) -> impl Strategy<Value = Samples> {
    let time = any::<f64>().prop_filter("finite", |time| time.is_finite());
    let value =
        prop_oneof![4 => any::<f64>(), 1 => Just(f64::NAN), 1 => Just(-0.0), 1 => -1.0..1.0];
    let samples = prop::collection::vec((time, value), least..20);
    samples.prop_map(|mut samples| {
        samples.sort_by(|a, b| a.0.total_cmp(&b.0));
        samples
    })
}

fn table_of((columns, shared, aligned): (Vec<Named>, Samples, bool)) -> Option<Table> {
    let shared: Arc<[f64]> = shared.iter().map(|sample| sample.0).collect();
    let column = |((name, unit), samples): Named| {
        let (own, values): (Vec<f64>, Vec<f64>) = samples.into_iter().unzip();
        if aligned {
            let values = values.iter().copied().cycle().take(shared.len()).collect();
            return TableColumn::new(&name, &unit, shared.clone(), values).unwrap();
        }
        TableColumn::new(&name, &unit, own.into(), values).unwrap()
    };
    Table::new(columns.into_iter().map(column).collect()).ok()
}
