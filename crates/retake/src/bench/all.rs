//! Every benchmark in one run, as one table with the aims beside.

mod figures;

use std::io::Write;

use anyhow::bail;
use serde::Serialize;
use serde_json::Value;

use crate::cli::Format;
use crate::output::{Outcome, Printer, remark, write_table};
use figures::{Aim, Figure, PARTS, Part};

/// One figure as it was measured.
#[derive(Serialize)]
struct Row {
    part: &'static str,
    figure: &'static str,
    unit: &'static str,
    /// None when the part failed.
    measured: Option<f64>,
    aim: String,
    /// None when there is no aim.
    met: Option<bool>,
}

/// Runs the parts that are named, all when none is; the table comes at the end.
pub(super) fn run(only: &[String], printer: &mut Printer<'_>) -> anyhow::Result<Outcome> {
    let known: Vec<&str> = PARTS.iter().map(|part| part.name).collect();
    if let Some(unknown) = only.iter().find(|name| !known.contains(&name.as_str())) {
        bail!("No part named {unknown:?}. Known: {}", known.join(", "));
    }
    let wanted = |part: &&Part| only.is_empty() || only.iter().any(|name| name == part.name);
    let mut rows = Vec::new();
    let mut failed = false;
    for part in PARTS.iter().filter(wanted) {
        remark(format!("bench {}…", part.name));
        let values = measure(part).unwrap_or_else(|error| {
            remark(format!("bench {}: {error:#}", part.name));
            failed = true;
            Vec::new()
        });
        rows.extend(part.figures.iter().map(|figure| row(part.name, figure, &values)));
    }
    printer.print(&rows, |out| print(out, &rows))?;
    // A missed aim is told in the table; only what could not be measured is a failure.
    Ok(if failed { Outcome::Failed } else { Outcome::Done })
}

/// Runs one part for its JSON.
fn measure(part: &Part) -> anyhow::Result<Vec<Value>> {
    let mut text = Vec::new();
    let mut printer = Printer { out: &mut text, format: Format::Json };
    let outcome = super::run(&(part.command)(), &mut printer)?;
    if outcome == Outcome::Failed {
        remark(format!("bench {} found something beyond its limits", part.name));
    }
    Ok(serde_json::Deserializer::from_slice(&text)
        .into_iter::<Value>()
        .collect::<Result<_, _>>()?)
}

fn row(part: &'static str, figure: &Figure, values: &[Value]) -> Row {
    let measured = (figure.of)(values).filter(|number| number.is_finite());
    let met = match (measured, figure.aim) {
        (Some(number), Aim::AtMost(most)) => Some(number <= most),
        (Some(number), Aim::AtLeast(least)) => Some(number >= least),
        (None, Aim::AtMost(_) | Aim::AtLeast(_)) => Some(false),
        (_, Aim::None) => None,
    };
    let aim = match figure.aim {
        Aim::AtMost(most) => format!("≤ {most}"),
        Aim::AtLeast(least) => format!("≥ {least}"),
        Aim::None => String::new(),
    };
    Row { part, figure: figure.what, unit: figure.unit, measured, aim, met }
}

fn print(out: &mut dyn Write, rows: &[Row]) -> std::io::Result<()> {
    let mut table =
        vec![["part", "figure", "measured", "unit", "aim", ""].map(str::to_owned).to_vec()];
    for row in rows {
        let measured = row.measured.map_or("failed".to_owned(), shown);
        let met = match row.met {
            Some(true) => "met",
            Some(false) => "MISSED",
            None => "",
        };
        let cells: [&str; 6] = [row.part, row.figure, &measured, row.unit, &row.aim, met];
        table.push(cells.map(str::to_owned).to_vec());
    }
    write_table(out, &table)
}

/// Three digits that count are enough for what one machine measures once.
fn shown(number: f64) -> String {
    match number.abs() {
        size if size >= 100.0 => format!("{number:.0}"),
        size if size >= 10.0 => format!("{number:.1}"),
        size if size >= 0.1 || size == 0.0 => format!("{number:.3}"),
        _ => format!("{number:.1e}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIGURE: Figure = Figure {
        what: "ratio",
        unit: "×",
        of: |values| values[0]["ratio"].as_f64(),
        aim: Aim::AtMost(1.05),
    };

    #[test]
    fn an_aim_is_met_missed_or_not_measured() {
        let met = |ratio: Value| row("step", &FIGURE, &[serde_json::json!({ "ratio": ratio })]).met;
        assert_eq!(met(Value::from(1.05)), Some(true));
        assert_eq!(met(Value::from(1.06)), Some(false));
        assert_eq!(met(Value::Null), Some(false), "what was not measured is not met");
        let without = Figure { aim: Aim::None, ..FIGURE };
        assert_eq!(row("step", &without, &[serde_json::json!({ "ratio": 9.0 })]).met, None);
    }

    #[test]
    fn a_part_that_is_unknown_is_refused_with_those_that_are_known() {
        let mut out = Vec::new();
        let mut printer = Printer { out: &mut out, format: Format::Text };
        let error = run(&["setp".to_owned()], &mut printer).unwrap_err().to_string();
        assert!(error.starts_with("No part named \"setp\". Known: step, "), "{error}");
    }
}
