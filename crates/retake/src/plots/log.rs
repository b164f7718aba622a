//! Plots and tables of logs: the whole file at once, without playing it.

use std::path::Path;
use std::sync::Arc;

use anyhow::bail;
use retake_board::{Board, Subject, Wish};
use retake_gui::{LogFeed, signals_of};
use retake_log::{Log, LogStates};
use retake_math::SimTime;
use retake_plot::{Size, Theme};
use retake_sim::systems::registry;

use super::{check_rate, format_of, layout_of_items, tell_problems};
use crate::cli::LogExportArgs;
use crate::output::{Outcome, remark};
use crate::write_file::write_whole_bytes;

/// Gives a board all that it wants of a log.
pub(super) fn read(board: &mut Board, file: &Path) -> anyhow::Result<()> {
    feed(board, &Arc::new(Log::open(file)?))
}

fn feed(board: &mut Board, log: &Arc<Log>) -> anyhow::Result<()> {
    LogFeed::new(Arc::clone(log), registry()).feed(&mut |give| give(board), &|| true)?;
    for damage in log.damage() {
        remark(damage.to_string());
    }
    Ok(())
}

/// Carries `retake log export` out.
pub(crate) fn export(args: &LogExportArgs) -> anyhow::Result<Outcome> {
    let format = format_of(&args.out)?;
    if !format.is_table() {
        bail!("{}: tables are .csv or .parquet. For pictures: retake plot", args.out.display());
    }
    check_rate(args.rate)?;
    let log = Arc::new(Log::open(&args.file)?);
    let mut items = args.items.clone();
    if items.is_empty() {
        let mut states = LogStates::new(Arc::clone(&log), registry());
        states.seek(SimTime::ZERO)?;
        items = signals_of(states.ecm());
    }
    let mut board = Board::of_log();
    board.replace_layout(layout_of_items(&items, args.rate, String::new()), "")?;
    feed(&mut board, &log)?;
    let outcome = tell_problems(&mut board);
    let size = Size { width_px: 900, height_px: 420 };
    let subject = Subject::Tab("tab".to_owned());
    let wish = Wish { subject, format, range: None, size, theme: Theme::Light };
    write_whole_bytes(&args.out, &board.export(&wish)?.write()?)?;
    Ok(outcome)
}
