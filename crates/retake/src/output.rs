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
            Format::Json => writeln!(self.out, "{}", tame_json(value)?)?,
            Format::Text => {
                let mut said = Vec::new();
                text(&mut said)?;
                self.out.write_all(tame(&String::from_utf8_lossy(&said)).as_bytes())?;
            }
            Format::Junit => text(self.out)?,
        }
        // Commands that go on, as `topic echo`, are read while they run.
        self.out.flush()?;
        Ok(())
    }
}

/// Tells the user on standard error why nothing more was done.
pub(crate) fn complain(error: &anyhow::Error) {
    // Standard error may be closed; there is no one left to tell then.
    writeln!(io::stderr(), "retake: {}", printable(&in_words(error))).ok();
}

/// Says what happened and why; a cause that was said already is not said again.
pub(crate) fn in_words(error: &anyhow::Error) -> String {
    let mut said = error.to_string();
    for cause in error.chain().skip(1).map(ToString::to_string) {
        if !said.contains(&cause) {
            said = format!("{said}: {cause}");
        }
    }
    said
}

/// Tells the user something beside the result.
pub(crate) fn remark(text: impl std::fmt::Display) {
    writeln!(io::stderr(), "{}", printable(&text.to_string())).ok();
}

/// Shows control characters and marks of direction as what they are: a name in a file must neither
/// steer the terminal nor turn what stands around it.
pub(crate) fn printable(text: &str) -> String {
    let shown = |c: char| match c {
        '\n' => "\n".to_owned(),
        c if steers(c) => c.escape_default().to_string(),
        c => c.to_string(),
    };
    text.chars().map(shown).collect()
}

/// Shows a name, which is one line whatever is in it.
pub(crate) fn printable_name(name: &str) -> String {
    printable(name).replace('\n', "\\n")
}

/// Shows a number that somebody typed; hundreds of digits are no help.
pub(crate) fn shown_number(number: f64) -> String {
    let size = number.abs();
    match number.is_finite() && (size > MOST_DIGITS || size > 0.0 && size < 1.0 / MOST_DIGITS) {
        true => format!("{number:e}"),
        false => number.to_string(),
    }
}

/// Largest number that is written with all its digits; the smallest is one of so many parts.
const MOST_DIGITS: f64 = 1e16;

/// Says whether a character is none that is seen.
fn steers(c: char) -> bool {
    let turns = matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}');
    c.is_control() || turns || ('\u{2066}'..='\u{2069}').contains(&c)
}

/// Makes a whole result safe to show, and cuts lines that nobody would read.
fn tame(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let (line, end) = line.strip_suffix('\n').map_or((line, ""), |line| (line, "\n"));
        let cut = line.char_indices().nth(MAX_LINE).map_or(line.len(), |(at, _)| at);
        shown.extend(line[..cut].split_inclusive('\t').flat_map(|part| {
            // A tab moves on and does no harm.
            let (part, tab) = part.strip_suffix('\t').map_or((part, ""), |part| (part, "\t"));
            [printable(part), tab.to_owned()]
        }));
        if cut < line.len() {
            shown
                .push_str(&format!("… and {} more bytes; --format json has all", line.len() - cut));
        }
        shown.push_str(end);
    }
    shown
}

/// Most characters of a line; one megabyte of a name is only a name.
const MAX_LINE: usize = 16 * 1024;

/// Writes JSON in which no character steers a terminal; what it says is the same.
fn tame_json<T: Serialize>(value: &T) -> serde_json::Result<String> {
    let text = serde_json::to_string_pretty(value)?;
    if !text.chars().any(|c| c != '\n' && steers(c)) {
        return Ok(text);
    }
    // Outside of texts there are none but ends of lines, and all of them have four digits.
    let shown = |c: char| match c {
        '\n' => "\n".to_owned(),
        c if steers(c) => format!("\\u{:04x}", u32::from(c)),
        c => c.to_string(),
    };
    Ok(text.chars().map(shown).collect())
}

/// Writes a text so that it can stand in XML.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Writes a table with columns as wide as their widest cell.
pub(crate) fn write_table(out: &mut dyn Write, rows: &[Vec<String>]) -> io::Result<()> {
    let clean = |row: &Vec<String>| row.iter().map(|cell| printable_name(cell)).collect::<Vec<_>>();
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

#[cfg(test)]
mod tests {
    use super::*;

    const NASTY: &str = "\u{1b}[2Jx\u{9b}31m\u{202e}y\u{2066}z\u{7f}";

    fn print(format: Format, text: &str) -> String {
        let mut out = Vec::new();
        let mut printer = Printer { out: &mut out, format };
        printer.print(&text, |out| writeln!(out, "a\t{text}")).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn names_neither_steer_the_terminal_nor_turn_the_line() {
        let shown = "\\u{1b}[2Jx\\u{9b}31m\\u{202e}y\\u{2066}z\\u{7f}";
        assert_eq!(print(Format::Text, NASTY), format!("a\t{shown}\n"));
        assert_eq!(printable(NASTY), shown);
        // Marks, letters of other scripts and ends of lines stay.
        let good = "<b>Größe & \u{5d0}\u{5d1} 漢字</b>";
        assert_eq!(print(Format::Text, good), format!("a\t{good}\n"));
    }

    #[test]
    fn a_name_is_one_line_also_in_a_table() {
        assert_eq!(printable_name("a\nb\u{1b}"), "a\\nb\\u{1b}");
        let mut out = Vec::new();
        let rows = [vec!["a\nb".to_owned(), "c".to_owned()]];
        write_table(&mut out, &rows).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), "a\\nb  c\n");
    }

    #[test]
    fn json_says_the_same_and_steers_nothing() {
        let shown = print(Format::Json, NASTY);
        assert!(!shown.trim_end().chars().any(steers), "{shown:?}");
        assert_eq!(serde_json::from_str::<String>(&shown).unwrap(), NASTY);
    }

    #[test]
    fn a_cause_that_was_said_is_not_said_again() {
        let of = |cause: &'static str, above: &'static str| {
            in_words(&anyhow::anyhow!(cause).context(above).context("--bus-open"))
        };
        let twice = of("not a file", "Could not read a: not a file, in dir");
        assert_eq!(twice, "--bus-open: Could not read a: not a file, in dir");
        let once = of("not a file", "Could not read a");
        assert_eq!(once, "--bus-open: Could not read a: not a file");
    }

    #[test]
    fn numbers_of_hundreds_of_digits_are_short() {
        for (number, shown) in [
            (1e308, "1e308"),
            (-1.5e17, "-1.5e17"),
            (1e-300, "1e-300"),
            (0.0, "0"),
            (1e16, "10000000000000000"),
            (-0.25, "-0.25"),
            (f64::NAN, "NaN"),
            (f64::INFINITY, "inf"),
        ] {
            assert_eq!(shown_number(number), shown);
        }
    }

    #[test]
    fn a_line_of_a_megabyte_is_cut_and_says_so() {
        let shown = print(Format::Text, &"é".repeat(1 << 20));
        assert!(shown.len() < 3 * MAX_LINE && shown.lines().count() == 1, "{}", shown.len());
        let left = 2 * ((1 << 20) + 2 - MAX_LINE);
        let told = format!("… and {left} more bytes; --format json has all\n");
        assert!(shown.ends_with(&told), "{}", &shown[shown.len() - 80..]);
    }
}
