//! Benchmarks that print ratios measured in one run.

mod accuracy;
mod introspection;
mod keyframe;
mod load;
mod log;
mod motion;
mod plot_store;
mod profiles;
mod scenes;
mod step;
mod sync;
mod undo_laws;

use crate::cli::BenchCommand;
use crate::output::{Outcome, Printer};

/// Runs a benchmark.
pub(crate) fn run(bench: &BenchCommand, printer: &mut Printer<'_>) -> anyhow::Result<Outcome> {
    match bench {
        BenchCommand::Accuracy => accuracy::run(printer),
        BenchCommand::Introspection { bodies, items, steps } => {
            introspection::run(*bodies, *items, *steps, printer)
        }
        BenchCommand::PlotStore { samples } => plot_store::run(*samples, printer),
        BenchCommand::Keyframe { cycles } => keyframe::run(*cycles, printer),
        BenchCommand::UndoLaws { scenes, instants, steps, operations } => {
            let extent = undo_laws::Extent { scenes: *scenes, instants: *instants, steps: *steps };
            undo_laws::run(&extent, *operations, printer)
        }
        BenchCommand::Log { bodies, steps, seconds } => {
            log::run(*bodies, *steps, *seconds, printer)
        }
        BenchCommand::Load { file } => load::run(file.as_ref(), printer),
        BenchCommand::Motion { cycles } => motion::run(*cycles, printer),
        BenchCommand::Profiles { steps } => profiles::run(*steps, printer),
        BenchCommand::Step { boxes, steps } => {
            step::run(step::Size { boxes: *boxes, steps: *steps }, printer)
        }
        BenchCommand::Sync { bodies, actions } => sync::run(*bodies, actions, printer),
    }
}
