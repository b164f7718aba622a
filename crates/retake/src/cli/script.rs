//! What can be typed about scripts.

use clap::Subcommand;

#[derive(Subcommand)]
pub(crate) enum ScriptCommand {
    /// List scripts, and whether they run
    List,
    /// Show what a script remembers
    Show {
        /// Its plugin: path, as in arm::pid, or #ID
        plugin: String,
        /// Print its text instead
        #[arg(long)]
        text: bool,
    },
    /// Read a script's file again; what it remembers stays
    #[command(
        after_help = "Examples:\n  retake script reload arm::pid\n  retake script reload arm::pid --restart"
    )]
    Reload {
        /// Its plugin: path, as in arm::pid, or #ID
        plugin: String,
        /// Forget what it remembers, and begin again with init
        #[arg(long)]
        restart: bool,
    },
    /// Reload a script whenever its file changes, until interrupted
    #[command(after_help = "Examples:\n  retake script watch arm::pid")]
    Watch {
        /// Its plugin: path, as in arm::pid, or #ID
        plugin: String,
    },
    /// Tell a script something: its on_command hears it before the next step
    #[command(after_help = "Examples:\n  retake script tell arm::pid 'target 0.8'")]
    Tell {
        /// Its plugin: path, as in arm::pid, or #ID
        plugin: String,
        /// What it is told
        text: String,
    },
}
