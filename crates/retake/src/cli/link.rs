//! What can be typed about links.

use clap::{ArgGroup, Subcommand};

#[derive(Subcommand)]
pub(crate) enum LinkCommand {
    /// Pull a link by a damped spring
    ///
    /// The spring is made for the mass that comes along and pulls with 30 times its weight at most.
    /// It lets go by itself when its time is over.
    #[command(
        after_help = "Examples:\n  retake link pull box/link --to 1 0 0.5 --for 5\n  retake link pull box/link --let-go"
    )]
    #[command(group(ArgGroup::new("what").required(true).args(["to", "let_go"])))]
    Pull {
        /// Path, as in arm/forearm, or #ID
        link: String,
        /// Place to hold it at, in its own frame
        #[arg(long, num_args = 3, value_names = ["X", "Y", "Z"], allow_hyphen_values = true, default_values_t = [0.0, 0.0, 0.0])]
        at: Vec<f64>,
        /// Where to pull that place to, in the world
        #[arg(long, num_args = 3, value_names = ["X", "Y", "Z"], allow_hyphen_values = true)]
        to: Option<Vec<f64>>,
        /// How long, in seconds of simulated time
        #[arg(
            long = "for",
            value_name = "SECONDS",
            allow_negative_numbers = true,
            default_value_t = 1.0
        )]
        lasts_secs: f64,
        /// Let go of it
        #[arg(long)]
        let_go: bool,
    },
}
