//! Results and complaints.

use std::io::{self, Write};
use std::process::ExitCode;

use serde::Serialize;

use crate::cli::Format;

/// How a command ended, as the exit code says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// Everything was done.
    Done,
    /// It failed, or a check found something.
    Failed,
    /// It was done, but something could not be kept.
    Loss,
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Done => Self::SUCCESS,
            Outcome::Failed => Self::from(1),
            Outcome::Loss => Self::from(3),
        }
    }
}

/// Prints results in the format that was asked for.
pub(crate) struct Printer<'a> {
    pub(crate) out: &'a mut dyn Write,
    pub(crate) format: Format,
}

impl Printer<'_> {
    /// Prints a result: as JSON, or as the text that `text` writes.
    pub(crate) fn print<T: Serialize>(
        &mut self,
        value: &T,
        text: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> anyhow::Result<()> {
        match self.format {
            Format::Json => {
                serde_json::to_writer_pretty(&mut self.out, value)?;
                writeln!(self.out)?;
            }
            Format::Text | Format::Junit => text(self.out)?,
        }
        // Commands that go on, as `topic echo`, are read while they run.
        self.out.flush()?;
        Ok(())
    }
}

/// Tells the user on standard error why nothing more was done.
pub(crate) fn complain(error: &anyhow::Error) {
    // Standard error may be closed; there is no one left to tell then.
    writeln!(io::stderr(), "retake: {}", printable(&format!("{error:#}"))).ok();
}

/// Tells the user something beside the result.
pub(crate) fn remark(text: impl std::fmt::Display) {
    writeln!(io::stderr(), "{}", printable(&text.to_string())).ok();
}

/// Shows control characters as what they are: a name in a file must not steer the terminal.
pub(crate) fn printable(text: &str) -> String {
    let shown = |c: char| match c {
        '\n' => "\n".to_owned(),
        c if c.is_control() => c.escape_default().to_string(),
        c => c.to_string(),
    };
    text.chars().map(shown).collect()
}

/// Writes a table with columns as wide as their widest cell.
pub(crate) fn write_table(out: &mut dyn Write, rows: &[Vec<String>]) -> io::Result<()> {
    let clean = |row: &Vec<String>| row.iter().map(|cell| printable(cell)).collect::<Vec<_>>();
    let rows: Vec<Vec<String>> = rows.iter().map(clean).collect();
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max()
    };
    let widths: Vec<usize> = (0..columns).map(|column| width(column).unwrap_or(0)).collect();
    for row in &rows {
        let mut line = String::new();
        for (cell, width) in row.iter().zip(&widths) {
            line.push_str(cell);
            line.extend(std::iter::repeat_n(' ', width - cell.chars().count() + 2));
        }
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}
