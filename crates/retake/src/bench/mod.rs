//! Benchmarks that print ratios measured in one run.

mod accuracy;
mod all;
mod introspection;
mod keyframe;
mod load;
mod log;
mod motion;
pub(crate) mod peers;
mod plot_store;
mod profiles;
mod scale;
pub(crate) mod scenes;
mod script;
mod step;
mod sync;
mod timeline;
mod undo_laws;

use crate::cli::BenchCommand;
use crate::output::{Outcome, Printer};

/// Runs a benchmark.
pub(crate) fn run(bench: &BenchCommand, printer: &mut Printer<'_>) -> anyhow::Result<Outcome> {
    match bench {
        BenchCommand::All { only } => all::run(only, printer),
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
        BenchCommand::Drive(args) => peers::drive(args, printer),
        BenchCommand::Motion { cycles } => motion::run(*cycles, printer),
        BenchCommand::Profiles { steps } => profiles::run(*steps, printer),
        BenchCommand::Scale { bodies } => scale::run(bodies, printer),
        BenchCommand::Scene { scene } => peers::write_scene(*scene, printer),
        BenchCommand::Shapes { count } => load::write_shapes(*count, printer),
        BenchCommand::Script { plugins, steps } => script::run(*plugins, *steps, printer),
        BenchCommand::Step { boxes, steps } => {
            step::run(step::Size { boxes: *boxes, steps: *steps }, printer)
        }
        BenchCommand::Timeline { steps } => timeline::run(*steps, printer),
        BenchCommand::Sync { bodies, actions } => sync::run(*bodies, actions, printer),
    }
}
