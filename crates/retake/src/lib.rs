//! The retake program: command line, scenarios and benches.
//!
//! A library, so that another program can be Retake with systems of its own: see
//! `examples/own_system`.

mod bench;
mod builtin_models;
mod cli;
mod commands;
mod input_file;
mod link;
mod live;
mod logs;
mod motions;
mod output;
mod plots;
mod replica;
mod scenario;
mod world_file;
mod write_file;

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use clap::{CommandFactory, Parser};
use cli::{Cli, Command, LiveCommand};
use tracing_subscriber::EnvFilter;

use output::Outcome;

/// Does what the command line of this process asks for.
pub fn main() -> ExitCode {
    let cli = Cli::parse();
    start_logging();
    match check_and_dispatch(&cli) {
        Ok(outcome) => outcome.into(),
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            output::complain(&error);
            Outcome::Failed.into()
        }
    }
}

/// Reads a scenario without carrying anything out, and returns how many lines say something.
///
/// # Errors
/// What is wrong with the first line that cannot be read, and which it is.
pub fn read_scenario(text: &str) -> Result<usize, String> {
    scenario::read_text(text)
}

fn check_and_dispatch(cli: &Cli) -> anyhow::Result<Outcome> {
    commands::signals::check_room()?;
    commands::signals::take_long_files_as_errors();
    dispatch(cli)
}

fn dispatch(cli: &Cli) -> anyhow::Result<Outcome> {
    let format = cli.global.format;
    let out = &mut io::stdout().lock();
    match &cli.command {
        Command::Run(args) => commands::run::run(args, out),
        Command::Server(args) => commands::server::run(args, out),
        Command::Gui(args) => commands::gui::run(args, cli.global.server.as_deref(), out),
        Command::Play(args) => commands::play::run(args, out),
        Command::Verify(args) => logs::run_verify(args, &mut output::Printer { out, format }),
        Command::Live(LiveCommand::Log(command)) if command.is_about_a_file() => {
            logs::run(command, &mut output::Printer { out, format })
        }
        Command::Live(LiveCommand::Motion(command)) if command.is_about_a_file() => {
            motions::run(command, &mut output::Printer { out, format })
        }
        Command::Live(command) => {
            let mut link = link::BusLink::connect(cli.global.server.as_deref())?;
            live::run(command, &mut link, &mut output::Printer { out, format })
        }
        Command::Sdf(command) => commands::sdf::run(command, &mut output::Printer { out, format }),
        Command::Plot(args) => plots::run(args, cli.global.server.as_deref()),
        Command::Scenario(args) => {
            scenario::run_files(&args.files, &mut output::Printer { out, format })
        }
        Command::Bench(args) => bench::run(&args.bench, &mut output::Printer { out, format }),
        Command::Config(cli::ConfigCommand::Show) => {
            commands::config::show(&mut output::Printer { out, format })
        }
        Command::Completions { shell } => {
            // Written at once: the generator itself panics when nobody reads.
            let mut script = Vec::new();
            clap_complete::generate(*shell, &mut Cli::command(), "retake", &mut script);
            out.write_all(&script)?;
            Ok(Outcome::Done)
        }
    }
}

/// Warnings go to standard error; `RUST_LOG` asks for more.
fn start_logging() {
    let filter = EnvFilter::try_from_default_env()
        .unwrap_or_else(|_| EnvFilter::new("warn,zenoh=error,zenoh_transport=error,rustdds=error"));
    let subscriber = tracing_subscriber::fmt().with_env_filter(filter).with_writer(io::stderr);
    // Colours are for those who look, not for files.
    let plain = std::env::var_os("NO_COLOR").is_some_and(|set| !set.is_empty());
    let subscriber = subscriber.with_ansi(io::stderr().is_terminal() && !plain);
    // Only a second start in one process could fail here, and there is none.
    subscriber.without_time().try_init().ok();
}

/// Whoever reads our output may stop reading: that is no failure.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let mut causes = error.chain().filter_map(|cause| cause.downcast_ref::<io::Error>());
    causes.any(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
}
