//! Logs: recording, and what can be done with files.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::OpeningArgs;

/// What is recorded from the start.
#[derive(Args, Clone)]
pub(crate) struct RecordArgs {
    /// Record from the first step on, to this .mcap file or to one named after world and time
    #[arg(long, value_name = "FILE", num_args = 0..=1)]
    #[allow(clippy::option_option, reason = "the option may be there without a value")]
    pub(crate) record: Option<Option<PathBuf>>,
    /// Most recorded states per simulated second; each step unless given
    #[arg(long, value_name = "HZ", allow_negative_numbers = true)]
    pub(crate) record_rate: Option<f64>,
    /// Topic to record beside the world's own; * at the end stands for anything; can be given
    /// several times
    #[arg(long, value_name = "TOPIC")]
    pub(crate) record_topic: Vec<String>,
    /// Folder that recordings go to when no file is named
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub(crate) log_dir: PathBuf,
}

#[derive(Subcommand)]
pub(crate) enum LogCommand {
    /// Start to record the running world
    Start(LogStartArgs),
    /// End the recording and wait until its file is complete
    Stop,
    /// Show how the recording goes
    Status,
    /// Show what is in a log
    Info {
        /// The log
        file: PathBuf,
    },
    /// Read all of a log and report what is damaged or missing
    Check {
        /// The log
        file: PathBuf,
    },
    /// Write values of a log as a table
    #[command(
        after_help = "Examples:\n  retake log export run.mcap --out run.csv\n  retake log export run.mcap --item arm::elbow::angle --rate 100 --out elbow.parquet"
    )]
    Export(LogExportArgs),
    /// Write what can be read of a damaged log to another file, whole and with an index
    Recover {
        /// The damaged log
        file: PathBuf,
        /// The file to write
        to: PathBuf,
    },
}

impl LogCommand {
    /// Says whether it is about a file, so that no server is needed.
    pub(crate) fn is_about_a_file(&self) -> bool {
        !matches!(self, Self::Start(_) | Self::Stop | Self::Status)
    }
}

#[derive(Args)]
pub(crate) struct LogExportArgs {
    /// The log
    pub(crate) file: PathBuf,
    /// Value to write, as in vehicle::pose.position.x; all of models, links and joints when none
    /// is given; can be given several times
    #[arg(long = "item", value_name = "SIGNAL")]
    pub(crate) items: Vec<String>,
    /// Samples per simulated second; 0 is each recorded state
    #[arg(long, value_name = "HZ", default_value_t = 0.0, allow_negative_numbers = true)]
    pub(crate) rate: f64,
    /// Table to write: .csv or .parquet
    #[arg(long, value_name = "FILE")]
    pub(crate) out: PathBuf,
}

#[derive(Args)]
pub(crate) struct LogStartArgs {
    /// Name of the file in the server's log folder; made of world and time when not given
    pub(crate) name: Option<String>,
    /// Most recorded states per simulated second; each step unless given
    #[arg(long, value_name = "HZ", default_value_t = 0.0, allow_negative_numbers = true)]
    pub(crate) rate: f64,
    /// Topic to record beside the world's own; * at the end stands for anything; can be given
    /// several times
    #[arg(long, value_name = "TOPIC")]
    pub(crate) topic: Vec<String>,
}

#[derive(Args)]
#[command(
    after_help = "Examples:\n  retake play run.mcap\n  retake play run.mcap --paused --layout plots.json"
)]
pub(crate) struct PlayArgs {
    /// The log
    pub(crate) file: PathBuf,
    /// Show the first state and wait
    #[arg(long)]
    pub(crate) paused: bool,
    #[command(flatten)]
    pub(crate) opening: OpeningArgs,
    /// Layout of plots to start with
    #[arg(long, value_name = "FILE")]
    pub(crate) layout: Option<PathBuf>,
}

#[derive(Args)]
#[command(
    after_help = "Examples:\n  retake verify run.mcap\n  retake verify run.mcap --format json"
)]
pub(crate) struct VerifyArgs {
    /// The log
    pub(crate) file: PathBuf,
    /// Threads of the physics engine; the results do not depend on it
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=64))]
    pub(crate) threads: u32,
    /// Folder that files may be taken from; can be given several times
    #[arg(long, value_name = "DIR")]
    pub(crate) resource_path: Vec<PathBuf>,
}

/// Where a world goes on from, in place of a world file.
#[derive(Args, Clone)]
pub(crate) struct ResumeArgs {
    /// Go on from an instant of this log instead of a world file, with its seed and its profile
    #[arg(long, value_name = "LOG", conflicts_with_all = ["world", "profile", "seed", "keep_going", "keep_fixed_joints"])]
    pub(crate) resume: Option<PathBuf>,
    /// Simulated time to go on from; the end of the log unless given
    // What conflicts with --resume would take the need for it away.
    #[arg(long, value_name = "SECONDS", requires = "resume", conflicts_with = "world", allow_negative_numbers = true, value_parser = instant)]
    pub(crate) at: Option<f64>,
    /// Which of the passes over that time, when the log comes to it several times
    #[arg(long, value_name = "N", requires = "at", conflicts_with = "world", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) pass: u32,
}

fn instant(text: &str) -> Result<f64, String> {
    let secs: Option<f64> = text.parse().ok();
    let secs = secs.filter(|secs| secs.is_finite() && *secs >= 0.0);
    secs.ok_or_else(|| "write seconds from 0 on, as in 1.5".to_owned())
}
