//! The laws of going back in time, checked whole.

use retake_sim::undo_laws::{follow_reference_model, restore_is_never_having_left};
use serde_json::json;

use crate::output::{Outcome, Printer};

/// Operations of one run against the reference model.
const RUN: u32 = 1000;

/// How much is checked.
pub(super) struct Extent {
    pub(super) scenes: u64,
    pub(super) instants: u32,
    pub(super) steps: u32,
}

/// Checks every law; the first violation ends it.
pub(super) fn run(
    extent: &Extent,
    operations: u32,
    printer: &mut Printer<'_>,
) -> anyhow::Result<Outcome> {
    let Extent { scenes, instants, steps } = extent;
    for seed in 0..*scenes {
        restore_is_never_having_left(seed, *instants, *steps)?;
    }
    let restores = scenes * u64::from(*instants) * 2;
    let value = json!({ "law": "restore", "scenes": scenes, "restores": restores, "steps": steps });
    printer.print(&value, |out| {
        writeln!(out, "{restores} restores in {scenes} worlds, {steps} steps after each: all equal")
    })?;
    let runs = operations.div_ceil(RUN);
    for seed in 0..runs {
        follow_reference_model(u64::from(seed), RUN.min(operations - seed * RUN))?;
    }
    let value = json!({ "law": "lists", "runs": runs, "operations": operations });
    printer.print(&value, |out| {
        writeln!(out, "{operations} operations of three clients: as the reference model")
    })?;
    Ok(Outcome::Done)
}
