//! Plots without a page: `retake plot`.

mod headless;
mod live;
mod log;

pub(crate) use log::export as export_log;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, bail};
use retake_board::{Board, Format, Run, Subject, Wish};
use retake_gui::is_log;
use retake_log::Log;
use retake_msgs::{DerivedItem, Plot, PlotCurve, PlotLayout, PlotProblem, PlotRun, PlotTab};
use retake_plot::{Size, Theme};
use retake_sim::systems::registry;

use crate::cli::{PlotArgs, PlotTheme};
use crate::input_file::{MOST_TABLE, MOST_TEXT, read_bytes, read_text};
use crate::output::{Outcome, remark, shown_number};
use crate::write_file::write_whole_bytes;

/// Longest time that is recorded, in simulated seconds.
const MAX_SECONDS: f64 = 86_400.0;
/// Most samples per simulated second, as for recordings.
const MAX_RATE_HZ: f64 = 1e6;
/// Fewest samples per simulated second that a board tells from none.
const MIN_RATE_HZ: f64 = 1e-3;
/// Farthest instant that can be shown, in seconds; times of any table lie within.
const MOST_SECS: f64 = 1e15;
/// Id of the run that a table is read into.
const RUN: &str = "table";

/// Reads a layout file.
pub(crate) fn layout_file(file: &Path) -> anyhow::Result<PlotLayout> {
    let text = read_text(file, MOST_TEXT)?;
    retake_board::layout_from_json(&text).with_context(|| file.display().to_string())
}

/// Carries `retake plot` out.
pub(crate) fn run(args: &PlotArgs, server: Option<&str>) -> anyhow::Result<Outcome> {
    let formats = args.out.iter().map(|out| Ok((out, format_of(out)?)));
    let formats: Vec<(&PathBuf, Format)> = formats.collect::<anyhow::Result<_>>()?;
    check_numbers(args)?;
    let of_log = is_log(&args.source);
    let mut board = if of_log { Board::of_log() } else { Board::new() };
    board.replace_layout(layout_of(args)?, "")?;
    load_runs(&mut board)?;
    let tab = tab_of(args, board.layout())?;
    match args.source.as_str() {
        "live" => board = live::record(board, args.seconds, server)?,
        file if of_log => log::read(&mut board, Path::new(file))?,
        file if is_table(file) => read_table(&mut board, Path::new(file))?,
        file => headless::record(&mut board, Path::new(file), args)?,
    }
    let outcome = tell_problems(&mut board);
    for (out, format) in formats {
        let range = range_of(args, &board, format);
        let size = Size { width_px: args.width, height_px: args.height };
        let theme = match args.theme {
            PlotTheme::Light => Theme::Light,
            PlotTheme::Dark => Theme::Dark,
        };
        let wish = Wish { subject: Subject::Tab(tab.clone()), format, range, size, theme };
        let bytes = board.export(&wish)?.write()?;
        write_whole_bytes(out, &bytes)?;
    }
    Ok(outcome)
}

/// Refuses numbers that mean nothing, before anything is recorded.
fn check_numbers(args: &PlotArgs) -> anyhow::Result<()> {
    if !(args.seconds > 0.0 && args.seconds <= MAX_SECONDS) {
        let shown = shown_number(args.seconds);
        bail!("--seconds is {shown}; write a number above 0, up to {MAX_SECONDS}");
    }
    check_rate(args.rate)?;
    for (flag, secs) in [("--from", args.from), ("--to", args.to)] {
        if let Some(secs) = secs.filter(|secs| secs.is_nan() || secs.abs() > MOST_SECS) {
            let shown = shown_number(secs);
            bail!("{flag} is {shown}; write an instant in seconds, within ±{MOST_SECS:e}");
        }
    }
    match (args.from, args.to) {
        (Some(from), Some(to)) if from > to => {
            bail!("--from is {from} and --to is {to}; write the earlier instant first")
        }
        _ => Ok(()),
    }
}

fn check_rate(rate_hz: f64) -> anyhow::Result<()> {
    match rate_hz == 0.0 || (MIN_RATE_HZ..=MAX_RATE_HZ).contains(&rate_hz) {
        true => Ok(()),
        false => {
            let shown = shown_number(rate_hz);
            bail!("--rate is {shown}; write 0 for each step, or 0.001 to 1e6 samples per second")
        }
    }
}

fn format_of(out: &Path) -> anyhow::Result<Format> {
    let name = out.to_string_lossy();
    Format::of_file(&name)
        .with_context(|| format!("{name}: plots are saved as .svg, .png, .pdf, .csv or .parquet"))
}

/// Reads the runs that the layout names by their files.
fn load_runs(board: &mut Board) -> anyhow::Result<()> {
    for run in board.layout().run.clone() {
        let file = Path::new(&run.file);
        if run.file.is_empty() {
            continue;
        }
        let loaded = match is_log(&run.file) {
            true => retake_gui::run_of_log(Arc::new(Log::open(file)?), registry())?,
            false => table_run(file)?,
        };
        board.fill_run(&run.id, loaded);
    }
    Ok(())
}

fn table_run(file: &Path) -> anyhow::Result<Run> {
    let bytes = read_bytes(file, MOST_TABLE)?;
    Run::from_table(&file.to_string_lossy(), &bytes).with_context(|| file.display().to_string())
}

fn is_table(file: &str) -> bool {
    Format::of_file(file).is_some_and(Format::is_table)
}

/// The layout of the file, or one plot with the items that were named.
fn layout_of(args: &PlotArgs) -> anyhow::Result<PlotLayout> {
    if let Some(file) = &args.layout {
        return layout_file(file);
    }
    let title = args.title.clone().unwrap_or_default();
    Ok(layout_of_items(&args.items, args.rate, title))
}

/// One plot with these items.
fn layout_of_items(items: &[String], rate_hz: f64, title: String) -> PlotLayout {
    let mut layout = PlotLayout { version: 1, ..PlotLayout::default() };
    let mut plot = Plot { id: "plot".to_owned(), title, rate_hz, ..Plot::default() };
    for (number, item) in items.iter().enumerate() {
        let signal = match item.split_once('=').filter(|(name, _)| is_name(name.trim())) {
            Some((name, expression)) => {
                let (name, expression) = (name.trim().to_owned(), expression.trim().to_owned());
                layout.derived.push(DerivedItem {
                    name: name.clone(),
                    expression,
                    unit: String::new(),
                });
                name
            }
            None => item.clone(),
        };
        let id = format!("curve_{number}");
        plot.curve.push(PlotCurve { id, signal, ..PlotCurve::default() });
    }
    layout.tab.push(PlotTab { id: "tab".to_owned(), title: String::new(), plot: vec![plot] });
    layout
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

fn tab_of(args: &PlotArgs, layout: &PlotLayout) -> anyhow::Result<String> {
    let known = || layout.tab.iter().map(|tab| tab.id.as_str()).collect::<Vec<_>>().join(", ");
    match &args.tab {
        None => match layout.tab.first() {
            Some(tab) => Ok(tab.id.clone()),
            None => bail!("The layout has no tab"),
        },
        Some(id) if layout.tab.iter().any(|tab| tab.id == *id) => Ok(id.clone()),
        Some(id) => bail!("The layout has no tab {id:?}. Known: {}", known()),
    }
}

/// Pictures show all that was recorded unless told otherwise.
fn range_of(args: &PlotArgs, board: &Board, format: Format) -> Option<(f64, f64)> {
    let (first, last) = board.extent();
    match (args.from, args.to, format.is_table()) {
        (None, None, true) => None,
        (from, to, _) => Some((from.unwrap_or(first), to.unwrap_or(last))),
    }
}

/// Says what does not work; the rest is drawn all the same.
fn tell_problems(board: &mut Board) -> Outcome {
    let state = board.state();
    let mut outcome = Outcome::Done;
    for PlotProblem { subject, message, column, length } in &state.problem {
        let place = if *length > 0 { format!(", character {column}") } else { String::new() };
        remark(format!("{subject}{place}: {message}"));
        outcome = Outcome::Loss;
    }
    for curve in state.curve.iter().filter(|curve| curve.gone) {
        remark(format!("{} has no values. Known signals: retake introspect list", curve.label));
        outcome = Outcome::Loss;
    }
    outcome
}

/// Shows the signals of a table as if they were live.
fn read_table(board: &mut Board, file: &Path) -> anyhow::Result<()> {
    let (name, run) = (file.to_string_lossy(), table_run(file)?);
    let described = PlotRun { id: RUN.to_owned(), file: name.into_owned(), ..PlotRun::default() };
    board.add_run(described, run, "")?;
    let mut layout = board.layout().clone();
    let curves = layout.tab.iter_mut().flat_map(|tab| &mut tab.plot).flat_map(|p| &mut p.curve);
    for curve in curves.filter(|curve| curve.run.is_empty()) {
        if curve.label.is_empty() {
            curve.label.clone_from(&curve.signal);
        }
        RUN.clone_into(&mut curve.run);
    }
    board.replace_layout(layout, "")?;
    Ok(())
}
