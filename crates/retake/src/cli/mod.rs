//! What can be typed: verbs, options and their help. No behaviour here.

mod bridge;
mod introspect;
mod link;
mod live;
mod lockstep;
mod log;
mod model;
mod motion;
mod opening;
mod physics;
mod plot;
mod process;
mod robot;
mod script;
mod timeline;

pub(crate) use bridge::{BridgeArgs, ClockArg};
use clap::{Parser, Subcommand, ValueEnum};
pub(crate) use introspect::{FilterCommand, IntrospectCommand};
pub(crate) use link::LinkCommand;
pub(crate) use live::{
    AlignArgs, EntityCommand, HistoryArgs, HistoryCommand, InsertArgs, JointCommand, JumpArgs,
    LiveCommand, MoveArgs, RotateArgs, SaveArgs, ServiceCommand, Stuck, TopicCommand, WorldCommand,
};
pub(crate) use lockstep::LockstepArgs;
pub(crate) use log::{LogCommand, LogExportArgs, PlayArgs, RecordArgs, ResumeArgs, VerifyArgs};
pub(crate) use model::ModelCommand;
pub(crate) use motion::{
    MotionCommand, MotionConvertArgs, MotionEditArgs, MotionExportArgs, MotionImportArgs,
    MotionRecordArgs, RobotArg, StartArgs,
};
pub(crate) use opening::OpeningArgs;
pub(crate) use physics::{PhysicsArgs, PhysicsCommand};
pub(crate) use plot::{PlotArgs, PlotTheme};
pub(crate) use process::{
    BenchArgs, BenchCommand, ConvertArgs, GuiArgs, LoadArgs, PastArgs, RunArgs, ScenarioArgs,
    SdfCommand, ServerArgs,
};
pub(crate) use robot::{RobotArgs, RobotCommand, SendArgs, Switch};
pub(crate) use script::ScriptCommand;
pub(crate) use timeline::{GotoArgs, PastValuesArgs, ResumeTimelineArgs, TimelineCommand, When};

const EXAMPLES: &str = "\
Examples:
  retake run worlds/cones.sdf
  retake entity move vehicle --to 0 0 0.2";

/// A robot simulator that you can rewind
#[derive(Parser)]
#[command(name = "retake", version, after_help = EXAMPLES, subcommand_required = true)]
#[command(arg_required_else_help = true)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) global: GlobalArgs,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// Options that every verb takes.
#[derive(Parser, Clone)]
pub(crate) struct GlobalArgs {
    /// Which running server to talk to: address, world name or process id, or the file of one elsewhere
    #[arg(long, global = true, value_name = "ADDR")]
    pub(crate) server: Option<String>,
    /// How results are printed
    #[arg(long, global = true, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people
    Text,
    /// For programs
    Json,
    /// For CI, of scenarios
    Junit,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Start a world with its page, in one process
    Run(RunArgs),
    /// Start a world without a page
    Server(ServerArgs),
    /// Start a page for a server in another process
    Gui(GuiArgs),
    /// Show a log in the page, as if it were live
    Play(PlayArgs),
    /// Run a log again and compare what comes of it, bit by bit
    Verify(VerifyArgs),
    #[command(flatten)]
    Live(LiveCommand),
    /// Check, print or convert world files
    #[command(subcommand)]
    Sdf(SdfCommand),
    /// Make pictures and tables of any values, without a page
    Plot(Box<PlotArgs>),
    /// Run scenario files and check what they expect
    Scenario(ScenarioArgs),
    /// Measure, and print ratios
    Bench(BenchArgs),
    /// Show what holds when nothing else is said: ports, folders, limits, running servers
    #[command(subcommand)]
    #[command(after_help = "Examples:\n  retake config show\n  retake config show --format json")]
    Config(ConfigCommand),
    /// Print the completions of a shell
    #[command(
        after_help = "Examples:\n  retake completions bash > retake.bash\n  source <(retake completions zsh)"
    )]
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
}

#[derive(Subcommand)]
pub(crate) enum ConfigCommand {
    /// Show it, with the option or variable that changes each
    Show,
}

/// One live command as a scenario writes it: without `retake` in front.
#[derive(Parser)]
#[command(name = "retake", no_binary_name = true, disable_version_flag = true)]
pub(crate) struct LiveLine {
    #[command(flatten)]
    pub(crate) global: GlobalArgs,
    #[command(subcommand)]
    pub(crate) command: LiveCommand,
}
