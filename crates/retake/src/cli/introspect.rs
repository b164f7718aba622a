//! Verbs of introspection.

use clap::Subcommand;

#[derive(Subcommand)]
pub(crate) enum IntrospectCommand {
    /// List the programs that offer values; the world is one of them
    Managers,
    /// List values that can be watched
    List {
        /// Only those whose name contains this
        search: Option<String>,
        /// Show what they are now
        #[arg(long)]
        values: bool,
        /// Program that offers them; the world when it is not given
        #[arg(long, value_name = "ID")]
        manager: Option<String>,
    },
    /// Print values as they change, one line for each update
    Watch {
        /// Numbers, as in vehicle::pose.position.x, or whole values, as in vehicle::pose
        #[arg(required = true)]
        items: Vec<String>,
        /// Lines per simulated second; 0 is each step
        #[arg(long, value_name = "HZ", default_value_t = 0.0, allow_negative_numbers = true)]
        rate: f64,
        /// End after this many lines
        #[arg(long, value_name = "N")]
        count: Option<u64>,
        /// Program that offers them; the world when it is not given
        #[arg(long, value_name = "ID")]
        manager: Option<String>,
    },
    /// Make, show or remove filters: what a client gets in each message
    #[command(subcommand)]
    Filter(FilterCommand),
}

#[derive(Subcommand)]
pub(crate) enum FilterCommand {
    /// Make a filter, or change one
    Set {
        /// Values, as in vehicle::pose
        #[arg(required = true)]
        items: Vec<String>,
        /// Messages per simulated second; 0 is each step
        #[arg(long, value_name = "HZ", default_value_t = 0.0, allow_negative_numbers = true)]
        rate: f64,
        /// Filter to change
        #[arg(long)]
        id: Option<String>,
        /// Program that offers them; the world when it is not given
        #[arg(long, value_name = "ID")]
        manager: Option<String>,
    },
    /// Show a filter
    Show {
        /// Its id
        id: String,
        /// Program that has it; the world when it is not given
        #[arg(long, value_name = "ID")]
        manager: Option<String>,
    },
    /// Remove a filter
    Remove {
        /// Its id
        id: String,
        /// Program that has it; the world when it is not given
        #[arg(long, value_name = "ID")]
        manager: Option<String>,
    },
}
