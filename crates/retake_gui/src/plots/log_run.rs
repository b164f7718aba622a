//! A log as a run that others are compared with.

use std::io;
use std::path::Path;
use std::sync::Arc;

use retake_board::{Board, BoardError, Run};
use retake_components::{Kind, path_of};
use retake_ecm::{Ecm, Registry};
use retake_introspection::ItemType;
use retake_log::{Log, LogError, LogStates};
use retake_math::SimTime;
use retake_msgs::{Plot, PlotCurve, PlotLayout, PlotTab};
use retake_sim::introspection::offered;
use retake_sim::systems::registry;
use thiserror::Error;

use super::log_feed::LogFeed;

/// Signals of one run; further ones are left out.
const MAX_SIGNALS: usize = 900;

/// Why a log cannot be compared with.
#[derive(Debug, Error)]
pub enum LogRunError {
    /// The log cannot be read.
    #[error(transparent)]
    Log(#[from] LogError),
    /// The disk refuses.
    #[error("The log cannot be unpacked: {0}")]
    Io(#[from] io::Error),
    /// There are too many signals.
    #[error(transparent)]
    Board(#[from] BoardError),
}

/// Says whether a name is that of a log.
pub fn is_log(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|ending| ending.eq_ignore_ascii_case("mcap"))
}

/// Reads what models, links and joints of a log did, over its whole length.
///
/// # Errors
/// [`LogRunError`] when the log cannot be read.
pub fn run_of_log(log: Arc<Log>, registry: Arc<Registry>) -> Result<Run, LogRunError> {
    let mut states = LogStates::new(Arc::clone(&log), Arc::clone(&registry));
    states.seek(SimTime::ZERO)?;
    let signals = signals_of(states.ecm());
    let curve = signals.into_iter().enumerate().map(|(number, signal)| PlotCurve {
        id: number.to_string(),
        signal,
        ..PlotCurve::default()
    });
    let plot = Plot { id: "plot".to_owned(), curve: curve.collect(), ..Plot::default() };
    let tab = PlotTab { id: "tab".to_owned(), plot: vec![plot], ..PlotTab::default() };
    let layout = PlotLayout { version: 1, tab: vec![tab], ..PlotLayout::default() };
    let mut board = Board::of_log();
    board.replace_layout(layout, "")?;
    LogFeed::new(log, registry).feed(&mut |give| give(&mut board), &|| true)?;
    Ok(board.into_run())
}

/// Reads a log that a page sent.
pub(super) fn run_of_bytes(bytes: &[u8]) -> Result<Run, LogRunError> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("run.mcap");
    std::fs::write(&path, bytes)?;
    run_of_log(Arc::new(Log::open(&path)?), registry())
}

/// Names the numbers of what moves: joints first, because they say most.
pub fn signals_of(ecm: &Ecm) -> Vec<String> {
    let mut signals = Vec::new();
    for wanted in [Kind::Joint, Kind::Model, Kind::Link] {
        for (entity, _) in ecm.iter::<Kind>().filter(|(_, kind)| **kind == wanted) {
            let path = path_of(ecm, entity);
            for offered in offered(ecm, entity) {
                signals.extend(numbers(&offered.item(&path).name, offered.kind));
            }
        }
    }
    signals.truncate(MAX_SIGNALS);
    signals
}

fn numbers(item: &str, kind: ItemType) -> impl Iterator<Item = String> {
    kind.parts().iter().map(move |part| match part.is_empty() {
        true => item.to_owned(),
        false => format!("{item}.{part}"),
    })
}
