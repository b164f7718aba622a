//! What `retake plot` takes.

use std::path::PathBuf;

use clap::{ArgGroup, Args, ValueEnum};

use super::LoadArgs;

#[derive(Args)]
#[command(
    after_help = "Examples:\n  retake plot worlds/pendulums.sdf --item wave_1::pivot::angle --seconds 10 --out swing.svg\n  retake plot live --layout energy.json --seconds 5 --out energy.pdf --out energy.csv\n  retake plot run.csv --item 'speed = norm(\"vx\", \"vy\")' --out speed.png"
)]
#[command(group(ArgGroup::new("what").required(true).args(["items", "layout"])))]
pub(crate) struct PlotArgs {
    /// `live` for the running server, a world file to run as fast as possible, a log (.mcap), or a
    /// table that was saved before (.csv, .parquet)
    pub(crate) source: String,
    /// What to plot: a signal, as in vehicle::pose.position.x, or NAME = EXPRESSION
    #[arg(long = "item", value_name = "SIGNAL")]
    pub(crate) items: Vec<String>,
    /// Layout file with the plots, as the page saves it
    #[arg(long, value_name = "FILE")]
    pub(crate) layout: Option<PathBuf>,
    /// Tab of the layout; the first when it is not given
    #[arg(long, value_name = "ID", requires = "layout")]
    pub(crate) tab: Option<String>,
    /// File to write: .svg, .png, .pdf, .csv or .parquet; can be given several times
    #[arg(long, required = true, value_name = "FILE")]
    pub(crate) out: Vec<PathBuf>,
    /// Simulated seconds to record, of `live` and of world files
    #[arg(long, default_value_t = 10.0, allow_negative_numbers = true)]
    pub(crate) seconds: f64,
    /// Samples per simulated second; 0 is each step
    #[arg(long, value_name = "HZ", default_value_t = 0.0, allow_negative_numbers = true)]
    pub(crate) rate: f64,
    /// First instant to show, in seconds
    #[arg(long, value_name = "SECS", allow_negative_numbers = true)]
    pub(crate) from: Option<f64>,
    /// Last instant to show, in seconds
    #[arg(long, value_name = "SECS", allow_negative_numbers = true)]
    pub(crate) to: Option<f64>,
    /// Title of the plot
    #[arg(long)]
    pub(crate) title: Option<String>,
    /// Width of each plot, in pixels
    #[arg(long, default_value_t = 900, value_parser = clap::value_parser!(u32).range(240..=8192))]
    pub(crate) width: u32,
    /// Height of each plot, in pixels
    #[arg(long, default_value_t = 420, value_parser = clap::value_parser!(u32).range(160..=8192))]
    pub(crate) height: u32,
    /// Colours
    #[arg(long, value_enum, default_value_t = PlotTheme::Light)]
    pub(crate) theme: PlotTheme,
    #[command(flatten)]
    pub(crate) load: LoadArgs,
}

#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum PlotTheme {
    /// Dark on white, for paper
    Light,
    /// Light on nearly black
    Dark,
}
