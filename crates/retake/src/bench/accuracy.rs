//! The accuracy suite as a table: what each preset gets wrong, and by how much it may.

use retake_physics::accuracy::{CASES, Grade, Measurement};
use serde_json::{Value, json};

use crate::output::{Outcome, Printer};

/// One quantity of a case, in every preset.
struct Row {
    case: &'static str,
    measured: [Measurement; 3],
}

/// Runs every case as every preset and prints the errors; any beyond its limit fails.
pub(super) fn run(printer: &mut Printer<'_>) -> anyhow::Result<Outcome> {
    let mut rows = Vec::new();
    for case in &CASES {
        let fast = case.run_with(Grade::Fast.settings())?;
        let default = case.run_with(Grade::Default.settings())?;
        let accurate = case.run_with(Grade::Accurate.settings())?;
        for ((fast, default), accurate) in fast.into_iter().zip(default).zip(accurate) {
            rows.push(Row { case: case.name, measured: [fast, default, accurate] });
        }
    }
    let values: Vec<Value> = rows.iter().flat_map(Row::values).collect();
    printer.print(&values, |out| {
        let [fast, default, accurate] = Grade::ALL.map(Grade::name);
        writeln!(out, "Errors against the answer on paper, steps of 1 ms; ! is beyond the limit")?;
        writeln!(out, "{:<40} {fast:>10} {default:>10} {accurate:>10}  unit", "case: quantity")?;
        rows.iter().try_for_each(|row| writeln!(out, "{}", row.text()))
    })?;
    let failed = rows.iter().any(|row| !Grade::ALL.into_iter().all(|grade| row.passes(grade)));
    Ok(if failed { Outcome::Failed } else { Outcome::Done })
}

impl Row {
    fn passes(&self, grade: Grade) -> bool {
        self.measured[grade as usize].passes(grade)
    }

    fn text(&self) -> String {
        let first = &self.measured[0];
        let cell = |grade: Grade| {
            let mark = if self.passes(grade) { " " } else { "!" };
            format!("{:>10.1e}{mark}", self.measured[grade as usize].error)
        };
        let cells: String = Grade::ALL.map(cell).concat();
        format!("{:<40}{cells} {}", format!("{}: {}", self.case, first.quantity), first.unit)
    }

    fn values(&self) -> Vec<Value> {
        let value = |grade: Grade| {
            let Measurement { quantity, error, unit, allowed } = &self.measured[grade as usize];
            json!({
                "case": self.case,
                "quantity": quantity,
                "profile": grade.name(),
                "error": error,
                "unit": unit,
                "allowed": allowed[grade as usize],
                "passes": self.passes(grade),
            })
        };
        Grade::ALL.map(value).to_vec()
    }
}
