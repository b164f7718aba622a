//! Benchmarks that print ratios measured in one run.

mod accuracy;
mod load;
mod scenes;
mod step;

use crate::cli::BenchCommand;
use crate::output::{Outcome, Printer};

/// Runs a benchmark.
pub(crate) fn run(bench: &BenchCommand, printer: &mut Printer<'_>) -> anyhow::Result<Outcome> {
    match bench {
        BenchCommand::Accuracy => accuracy::run(printer),
        BenchCommand::Load { file } => load::run(file.as_ref(), printer),
        BenchCommand::Step { boxes, steps } => {
            step::run(step::Size { boxes: *boxes, steps: *steps }, printer)
        }
    }
}
