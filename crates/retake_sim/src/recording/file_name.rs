//! Names of log files.

use std::path::{Path, PathBuf};

/// Longest name of a file.
const MAX_NAME: usize = 200;

/// Returns a name that was asked for, with its ending, or makes one of the world and the time.
///
/// # Errors
/// What is wrong with the name: it may not lead out of the folder.
pub(super) fn checked(wanted: &str, world: &str, unix_nanos: u64) -> Result<String, String> {
    if wanted.is_empty() {
        return Ok(format!("{}_{}.mcap", plain(world), utc(unix_nanos)));
    }
    let bad = wanted.len() > MAX_NAME
        || wanted.starts_with('.')
        || wanted.chars().any(|c| matches!(c, '/' | '\\') || c.is_control());
    if bad {
        return Err(format!(
            "{wanted:?} is no name for a log; use one without / and without a dot in front, of at \
             most {MAX_NAME} bytes"
        ));
    }
    Ok(if wanted.ends_with(".mcap") { wanted.to_owned() } else { format!("{wanted}.mcap") })
}

/// Returns a file that is not there yet, with a number behind the name when that is taken.
pub(super) fn free(path: &Path) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let numbered = (2..100).map(|number| path.with_file_name(format!("{stem}_{number}.mcap")));
    let mut all = std::iter::once(path.to_owned()).chain(numbered);
    all.find(|path| !path.exists()).unwrap_or_else(|| path.to_owned())
}

/// Leaves of a world's name what every file system takes.
fn plain(world: &str) -> String {
    let kept = |c: char| if c.is_alphanumeric() || "-_".contains(c) { c } else { '_' };
    let name: String = world.chars().take(60).map(kept).collect();
    if name.is_empty() { "world".to_owned() } else { name }
}

/// Writes a time as `2026-11-16_13-05-59`, in UTC.
fn utc(unix_nanos: u64) -> String {
    let secs = unix_nanos / 1_000_000_000;
    let (days, within) = (secs / 86_400, secs % 86_400);
    let (year, month, day) = civil(days);
    let (hour, minute, second) = (within / 3600, within / 60 % 60, within % 60);
    format!("{year:04}-{month:02}-{day:02}_{hour:02}-{minute:02}-{second:02}")
}

/// Returns year, month and day of a day counted from 1970.
fn civil(mut days: u64) -> (u64, u64, u64) {
    let leap = |year: u64| {
        year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
    };
    let mut year = 1970;
    while days >= 365 + u64::from(leap(year)) {
        days -= 365 + u64::from(leap(year));
        year += 1;
    }
    let february = 28 + u64::from(leap(year));
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    (year, month, days + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_in_the_folder() {
        for bad in ["../x", "a/b", ".hidden", "a\\b", "a\nb", &"x".repeat(300)] {
            assert!(checked(bad, "w", 0).is_err(), "{bad}");
        }
        assert_eq!(checked("run 1", "w", 0).unwrap(), "run 1.mcap");
        assert_eq!(checked("a.mcap", "w", 0).unwrap(), "a.mcap");
    }

    #[test]
    fn a_name_is_made_of_the_world_and_the_time() {
        let at = |secs: u64| checked("", "my/world", secs * 1_000_000_000).unwrap();
        assert_eq!(at(0), "my_world_1970-01-01_00-00-00.mcap");
        assert_eq!(at(1_709_210_096), "my_world_2024-02-29_12-34-56.mcap");
        assert_eq!(at(1_798_761_599), "my_world_2026-12-31_23-59-59.mcap");
    }
}
