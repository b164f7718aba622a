//! Layouts, expressions, names of signals and tables.

use std::sync::Arc;

use retake_board::{layout_from_json, layout_to_json};
use retake_introspection::Signal;
use retake_plot::{Table, TableColumn, TableError, csv, parquet, read_csv};
use retake_series::{Evaluator, Expression};

use super::{Verdict, ensure, seen, text};
use crate::samples::{files, texts};

const LAYOUT: &str = r##"{"version": 1, "tab": [{"id": "t", "title": "Swing", "plot": [
  {"id": "p", "curve": [{"id": "a", "signal": "m::pivot::angle", "color": "#ff0000"},
   {"id": "e", "signal": "energy", "rightAxis": true}]}]}],
 "derived": [{"name": "energy", "expression": "speed^2 / 2 + g * (1 - cos(\"m::pivot::angle\"))",
  "unit": "J"}, {"name": "speed", "expression": "\"m::pivot::velocity\"", "unit": "rad/s"}]}"##;

const EXPRESSIONS: &[&str] = &[
    r#"sqrt("car::x"^2 + "car::y"^2)"#,
    r#"if(x > 1, sin(x) * 2, -cos(x)) + pi"#,
    r#"integral(derivative("a::b")) - mean(x, 0.5)"#,
    "min(a, b, c) + max(1, 2) % 3",
    "lowpass(x, 2) + abs(-x) and not y or z <= 4",
    r#""run 1"/"x" + atan2(y, x) * 180 / pi"#,
];

const SIGNALS: &[&str] = &[
    "box::link::linear_velocity.x",
    "controller#gain",
    "/world/cones/pose/info:pose[3].position.x",
    "/stats:failed_systems{name=\"a:b\"}.reason",
    "/clock:sim.sec",
];

const TABLES: &[&str] =
    &["time_s,a [m],b\n0,1,2\n0.5,1.5,\n1,2,NaN\n", "time_s,curve,value\n0,a,1\n0,b,2\n0.5,a,3\n"];

pub(super) fn scenario_samples() -> Vec<Vec<u8>> {
    files(&["scenarios"], &[".scenario"])
}

pub(super) fn read_scenario(input: &[u8]) -> Verdict {
    match retake::read_scenario(&text(input)) {
        Ok(_) => Ok(seen(true)),
        Err(reason) => {
            ensure(reason.starts_with("line "), || format!("an error without a line: {reason}"))?;
            Ok(seen(false))
        }
    }
}

pub(super) fn layout_samples() -> Vec<Vec<u8>> {
    texts(&[LAYOUT])
}

pub(super) fn expression_samples() -> Vec<Vec<u8>> {
    texts(EXPRESSIONS)
}

pub(super) fn signal_samples() -> Vec<Vec<u8>> {
    texts(SIGNALS)
}

pub(super) fn table_samples() -> Vec<Vec<u8>> {
    let mut bytes = Vec::new();
    // A table that cannot be written is only a sample less.
    csv(&mut bytes, &table()).ok();
    let mut all = texts(TABLES);
    all.push(bytes);
    all
}

pub(super) fn parquet_samples() -> Vec<Vec<u8>> {
    let mut bytes = Vec::new();
    parquet(&mut bytes, &table()).ok();
    vec![bytes]
}

fn table() -> Table {
    let times: Arc<[f64]> = (0..50).map(|step| f64::from(step) * 0.1).collect();
    let column = |name: &str, unit: &str, of: fn(f64) -> f64| {
        let values = times.iter().map(|time| of(*time)).collect::<Vec<_>>();
        TableColumn::new(name, unit, Arc::clone(&times), values)
    };
    let columns = [column("sine", "m", f64::sin), column("gap", "", |_| f64::NAN)];
    let columns = columns.into_iter().collect::<Result<Vec<_>, _>>().and_then(Table::new);
    columns.expect("two columns of one length with names of their own are a table")
}

pub(super) fn read_layout(input: &[u8]) -> Verdict {
    let layout = match layout_from_json(&text(input)) {
        Ok(layout) => layout,
        Err(error) => return refused(&error.to_string()),
    };
    let printed = layout_to_json(&layout);
    let again = layout_from_json(&printed);
    let same = again.as_ref().is_ok_and(|again| *again == layout);
    ensure(same, || format!("{layout:?} read back as {again:?}"))?;
    Ok(seen(true))
}

fn refused(reason: &str) -> Verdict {
    ensure(!reason.is_empty(), || "refused without a word".to_owned())?;
    Ok(seen(false))
}

pub(super) fn read_expression(input: &[u8]) -> Verdict {
    let text = text(input);
    let expression = match Expression::parse(&text) {
        Ok(expression) => expression,
        Err(error) => return refused(&error.to_string()),
    };
    let shown = expression.to_string();
    ensure(Expression::parse(&shown).is_ok(), || format!("{shown:?} is refused as it is shown"))?;
    let times: Vec<i64> = (0..300).map(|step| step * 10_000_000).collect();
    let values: Vec<f64> = (0..300).map(|step| f64::from(step % 7) - 3.0).collect();
    let inputs: Vec<&[f64]> = expression.signals().iter().map(|_| values.as_slice()).collect();
    let mut whole = Vec::new();
    Evaluator::new(&expression).evaluate(&times, &inputs, &mut whole);
    ensure(whole.len() == times.len(), || format!("{} values of 300", whole.len()))?;
    ensure(!whole.iter().any(|value| value.is_infinite()), || "an endless value".to_owned())?;
    in_portions(&expression, &times, &values, &whole)?;
    Ok(seen(true))
}

/// Samples may come in any portions.
fn in_portions(
    expression: &Expression,
    times: &[i64],
    values: &[f64],
    whole: &[f64],
) -> Result<(), String> {
    let mut evaluator = Evaluator::new(expression);
    let mut parts = Vec::new();
    for (times, values) in times.chunks(77).zip(values.chunks(77)) {
        let inputs: Vec<&[f64]> = expression.signals().iter().map(|_| values).collect();
        evaluator.evaluate(times, &inputs, &mut parts);
    }
    // All gaps are alike.
    let bits = |value: &f64| if value.is_nan() { u64::MAX } else { value.to_bits() };
    let same = parts.iter().map(bits).eq(whole.iter().map(bits));
    ensure(same, || "portions give other values than the whole".to_owned())
}

pub(super) fn read_signal(input: &[u8]) -> Verdict {
    match Signal::parse(&text(input)) {
        Ok(signal) => {
            let shown = signal.to_string();
            let again = Signal::parse(&shown);
            let same = again.as_ref().is_ok_and(|again| *again == signal);
            ensure(same, || format!("{signal:?}, shown as {shown:?}, read back as {again:?}"))?;
            Ok(seen(true))
        }
        Err(error) => refused(&error.to_string()),
    }
}

pub(super) fn read_table(input: &[u8]) -> Verdict {
    checked(read_csv(input))
}

pub(super) fn read_parquet(input: &[u8]) -> Verdict {
    checked(retake_plot::read_parquet(input))
}

fn checked(read: Result<Table, TableError>) -> Verdict {
    let table = match read {
        Ok(table) => table,
        Err(error) => return refused(&error.to_string()),
    };
    for column in table.columns() {
        let times = column.times_s();
        let whole = times.len() == column.values().len()
            && times.is_sorted()
            && times.iter().all(|time| time.is_finite());
        ensure(whole, || format!("column {:?} is not whole", column.name()))?;
    }
    Ok(seen(true))
}
