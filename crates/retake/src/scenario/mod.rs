//! Scenarios: a world, then what happens, line by line.
//!
//! The server runs in this process, paused and without a clock on the wall, so that a scenario has
//! one outcome. Each line is a live command or one of the words in [`line`].

mod client;
mod events;
mod expect;
mod line;
mod local_link;
mod logs;
mod measure;
mod report;
mod stage;
mod timeline;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::commands::signals;
use crate::input_file::{self, MOST_TEXT};
use crate::output::{Outcome, Printer, in_words, remark};
use report::{Report, ScenarioReport};
use stage::Stage;

/// Runs scenario files and prints what failed; told to end, it runs no further line.
pub(crate) fn run_files(files: &[PathBuf], printer: &mut Printer<'_>) -> anyhow::Result<Outcome> {
    let mut report = Report::default();
    let end = signals::end_requested()?;
    for file in files {
        if end.load(Ordering::Relaxed) {
            break;
        }
        report.scenarios.push(match input_file::read_text(file, MOST_TEXT) {
            Ok(text) => run_text(&text, file, &end),
            Err(error) => ScenarioReport::unread(file.display().to_string(), in_words(&error)),
        });
    }
    report.print(printer)?;
    let left = files.len() - report.scenarios.len();
    if left > 0 {
        remark(format!("Told to end. Scenarios that were not run: {left}"));
    }
    Ok(if report.passed() && left == 0 { Outcome::Done } else { Outcome::Failed })
}

/// Reads a scenario without carrying anything out; returns how many lines say something.
pub(crate) fn read_text(text: &str) -> Result<usize, String> {
    let lines = text.lines().enumerate().map(|(number, content)| {
        let read =
            line::parse(content).map_err(|reason| format!("line {}: {reason:#}", number + 1));
        read.map(|line| usize::from(line.is_some()))
    });
    lines.sum()
}

/// Runs a scenario to its first failing line.
fn run_text(text: &str, file: &Path, end: &Arc<AtomicBool>) -> ScenarioReport {
    let name = file.display().to_string();
    let mut stage = Stage::new(file, Arc::clone(end));
    let mut checked = 0;
    for (number, content) in text.lines().enumerate() {
        let outcome = line::parse(content).and_then(|line| match line {
            Some(line) => stage.perform(&line).map(|()| checked += 1),
            None => Ok(()),
        });
        if let Err(reason) = outcome {
            return ScenarioReport::failed(name, checked, number + 1, in_words(&reason));
        }
    }
    match (stage.is_set(), stage.unexpected_stop()) {
        (false, _) => ScenarioReport::failed(name, checked, 1, stage::NO_WORLD.to_owned()),
        (true, Some(stopped)) => ScenarioReport::failed(name, checked, 0, stopped),
        (true, None) => ScenarioReport::passed(name, checked),
    }
}
