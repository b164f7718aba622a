//! What came of scenarios, for people and for CI.

use std::io::{self, Write};

use serde::Serialize;

use crate::cli::Format;
use crate::output::{Printer, escaped};

/// What came of all scenarios.
#[derive(Default, Serialize)]
pub(super) struct Report {
    pub(super) scenarios: Vec<ScenarioReport>,
}

/// What came of one scenario.
#[derive(Serialize)]
pub(super) struct ScenarioReport {
    file: String,
    /// Lines that were carried out.
    lines: usize,
    failure: Option<Failure>,
}

#[derive(Serialize)]
struct Failure {
    /// From 1; 0 is the file as a whole.
    line: usize,
    reason: String,
}

impl ScenarioReport {
    pub(super) fn passed(file: String, lines: usize) -> Self {
        Self { file, lines, failure: None }
    }

    /// Describes one whose file could not be read.
    pub(super) fn unread(file: String, reason: String) -> Self {
        Self::failed(file, 0, 0, reason)
    }

    pub(super) fn failed(file: String, lines: usize, line: usize, reason: String) -> Self {
        Self { file, lines, failure: Some(Failure { line, reason }) }
    }
}

impl Failure {
    /// Names the place in a file.
    fn place(&self, file: &str) -> String {
        match self.line {
            0 => file.to_owned(),
            line => format!("{file}:{line}"),
        }
    }
}

impl Report {
    pub(super) fn passed(&self) -> bool {
        self.scenarios.iter().all(|scenario| scenario.failure.is_none())
    }

    pub(super) fn print(&self, printer: &mut Printer<'_>) -> anyhow::Result<()> {
        match printer.format {
            Format::Junit => Ok(self.write_junit(printer.out)?),
            _ => printer.print(self, |out| self.write_text(out)),
        }
    }

    fn failures(&self) -> usize {
        self.scenarios.iter().filter(|scenario| scenario.failure.is_some()).count()
    }

    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        for scenario in &self.scenarios {
            match &scenario.failure {
                None => writeln!(out, "ok    {} ({} lines)", scenario.file, scenario.lines)?,
                Some(failure) => {
                    let place = failure.place(&scenario.file);
                    writeln!(out, "FAIL  {place}: {}", failure.reason)?;
                }
            }
        }
        let failed = self.failures();
        writeln!(out, "{} passed, {failed} failed", self.scenarios.len() - failed)
    }

    fn write_junit(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, r#"<?xml version="1.0" encoding="UTF-8"?>"#)?;
        let (count, failed) = (self.scenarios.len(), self.failures());
        writeln!(out, r#"<testsuite name="retake scenario" tests="{count}" failures="{failed}">"#)?;
        for scenario in &self.scenarios {
            let name = escaped(&scenario.file);
            match &scenario.failure {
                None => writeln!(out, r#"  <testcase name="{name}"/>"#)?,
                Some(failure) => {
                    let reason = escaped(&failure.reason);
                    writeln!(out, r#"  <testcase name="{name}">"#)?;
                    let place = failure.place(&name);
                    writeln!(out, r#"    <failure message="{place}: {reason}"/>"#)?;
                    writeln!(out, "  </testcase>")?;
                }
            }
        }
        writeln!(out, "</testsuite>")
    }
}
