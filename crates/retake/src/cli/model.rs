//! What can be typed about models that are not in the world yet.

use clap::Subcommand;

#[derive(Subcommand)]
pub(crate) enum ModelCommand {
    /// List the models under the server's resource folders
    #[command(
        after_help = "Examples:\n  retake model list\n  retake model list table --format json\n  retake entity insert model://table --at 1 0 0"
    )]
    List {
        /// Only those with this in their name, description or address
        search: Option<String>,
    },
}
