//! Reading what somebody names on the command line, within a bound.
//!
//! A pipe of the shell may stand in the place of a file, so the bound is on what is read, not on what
//! the system says of its length. Pipes with a name are refused: they may never have a writer.

use std::io::Read;
use std::path::Path;

use anyhow::{Context, bail};
use retake_assets::open_named;

/// Longest scenario, layout, profile or model, in bytes; far beyond what a person writes.
pub(crate) const MOST_TEXT: u64 = 64 << 20;
/// Longest table of values, in bytes.
pub(crate) const MOST_TABLE: u64 = 1 << 30;

/// Reads a file of at most `most` bytes.
pub(crate) fn read_bytes(file: &Path, most: u64) -> anyhow::Result<Vec<u8>> {
    let shown = file.display();
    let opened = open_named(file).with_context(|| format!("Could not read {shown}"))?;
    read_all(opened, most).with_context(|| format!("Could not read {shown}"))
}

/// Reads a text file of at most `most` bytes, without the mark that some editors begin it with.
pub(crate) fn read_text(file: &Path, most: u64) -> anyhow::Result<String> {
    let bytes = read_bytes(file, most)?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        anyhow::anyhow!("Could not read {}: it is no text, at byte {at}", file.display())
    })?;
    Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}

/// Reads text from the standard input, of at most `most` bytes.
pub(crate) fn read_standard_input(most: u64) -> anyhow::Result<String> {
    let bytes = read_all(std::io::stdin().lock(), most);
    let bytes = bytes.context("Could not read the standard input")?;
    String::from_utf8(bytes).context("The standard input is no text")
}

fn read_all(input: impl Read, most: u64) -> anyhow::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    input.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        bail!("it has more than {most} bytes");
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(file: &Path, most: u64) -> String {
        format!("{:#}", read_text(file, most).unwrap_err())
    }

    #[test]
    fn what_never_ends_is_refused_with_the_limit() {
        let endless = refusal(Path::new("/dev/zero"), 1000);
        assert_eq!(endless, "Could not read /dev/zero: it has more than 1000 bytes");
    }

    #[test]
    fn a_pipe_that_nobody_writes_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        let mode = rustix::fs::Mode::from_raw_mode(0o600);
        rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, mode, 0).unwrap();
        let refused = refusal(&pipe, 4);
        assert!(refused.contains("pipe: it is not a regular file but a pipe"), "{refused}");
    }

    #[test]
    fn the_longest_is_read_and_what_is_no_text_is_placed() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("text");
        std::fs::write(&file, b"1234").unwrap();
        assert_eq!(read_text(&file, 4).unwrap(), "1234");
        assert!(refusal(&file, 3).ends_with("it has more than 3 bytes"));
        std::fs::write(&file, "\u{feff}12").unwrap();
        assert_eq!(read_text(&file, 5).unwrap(), "12");
        std::fs::write(&file, b"12\xff4").unwrap();
        assert!(refusal(&file, 4).ends_with("text: it is no text, at byte 2"));
        assert!(refusal(folder.path(), 4).contains("Could not read"));
    }
}
