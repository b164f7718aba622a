//! Files of motions: the native format, those of others, and folders of both.
//!
//! Every reader gives its best and reports all that it finds, each with its place; a file with an
//! error gives no motion. What all formats have in common is checked in one place, `draft`. Texts
//! are values here; only [`Shelf`] touches files.

mod compound;
mod draft;
mod findings;
mod format;
mod goal_json;
mod limits;
mod native;
mod near;
mod play_motion;
mod pose;
mod print;
mod shelf;
mod table;
mod tree;
mod webots;

use retake_diag::{Diagnostic, Diagnostics, Place};
use thiserror::Error;

pub use compound::{CompoundAction, CompoundElement, CompoundError, Flattened};
pub use format::Format;
pub use limits::{
    MAX_ACTIONS, MAX_FILE_BYTES, MAX_JOINTS, MAX_MOTIONS, MAX_NAME_BYTES, MAX_NUMBERS,
    MAX_TEXT_BYTES,
};
pub use shelf::{ResolveError, Resolved, Shelf};

use crate::{Interpolation, Motion, MotionError};
use findings::{Findings, Spot};
pub(crate) use tree::shortened;

/// A motion as the text of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// The text.
    pub text: String,
    /// What the format cannot carry, for people; empty when reading gives the same motion.
    pub lost: Vec<String>,
}

/// Why a motion cannot be written.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum CannotExport {
    /// It could not be read again in any format.
    #[error("motion {name:?} is not whole: {source}")]
    NotWhole {
        /// The motion.
        name: String,
        /// What is wrong.
        source: MotionError,
    },
    /// It is larger than what is read.
    #[error("motion {name:?} has {count} {what}, at most {most} can be read")]
    TooLarge {
        /// The motion.
        name: String,
        /// Of what there is too much.
        what: &'static str,
        /// How much.
        count: usize,
        /// How much there may be.
        most: usize,
    },
    /// The format has no way to say it.
    #[error("the motion cannot be written as {}: {reason}", format.word())]
    NotSayable {
        /// The format.
        format: Format,
        /// What it cannot say.
        reason: String,
    },
}

impl CannotExport {
    fn of(format: Format, reason: String) -> Self {
        Self::NotSayable { format, reason }
    }
}

/// Reads the motions of a file, in the format that its name and text suggest.
///
/// Compound actions are flattened as if commands took no time, with a warning for each that others
/// wait for; [`read_compound`] and [`Shelf`] do better.
pub fn read(text: &str, file_name: &str, found: &mut Diagnostics) -> Vec<Motion> {
    match Format::of(file_name, text) {
        Some(format) => read_as(format, text, file_name, found),
        None => {
            let words = Format::ALL.map(|(_, word, ending)| format!("{word} ({ending})"));
            let place = Place { file: file_name.into(), line: 1, column: 1 };
            let message = "this is no motion in any known format";
            let help = format!("Known: {}", words.join(", "));
            found.push(Diagnostic::error("motion-format", message).at(place).help(help));
            Vec::new()
        }
    }
}

/// Reads the motions of a file in a given format; see [`read`].
pub fn read_as(
    format: Format,
    text: &str,
    file_name: &str,
    found: &mut Diagnostics,
) -> Vec<Motion> {
    let name = Format::stem(file_name);
    in_order(text, file_name, found, |text, findings| match format {
        Format::Native => native::read(text, name, findings),
        Format::GoalJson => goal_json::read(text, name, findings),
        Format::PlayMotionYaml => play_motion::read(text, findings),
        Format::Webots => webots::read(text, name, findings),
        Format::Csv => table::read(text, name, findings),
        Format::CompoundJson => {
            let compound = compound::read(text, name, findings);
            compound.and_then(|compound| flat(&compound, findings)).into_iter().collect()
        }
    })
}

/// Reads the compound action of a file.
pub fn read_compound(
    text: &str,
    file_name: &str,
    found: &mut Diagnostics,
) -> Option<CompoundAction> {
    let name = Format::stem(file_name);
    in_order(text, file_name, found, |text, findings| compound::read(text, name, findings))
}

/// Reads a pose, a serialised `JointState`: joints and their positions, in rad or m.
pub fn read_pose(
    text: &str,
    file_name: &str,
    found: &mut Diagnostics,
) -> Option<Vec<(String, f64)>> {
    in_order(text, file_name, found, pose::read)
}

/// Writes a motion; tells what the format cannot carry.
///
/// Waypoints that are off are left out where a format has no word for that.
///
/// # Errors
/// [`CannotExport`] when the motion is not whole, too large to be read again, or has what would be
/// read as something else.
pub fn write(motion: &Motion, format: Format) -> Result<Written, CannotExport> {
    let name = || motion.name.clone();
    motion.check().map_err(|source| CannotExport::NotWhole { name: name(), source })?;
    if let Some((what, count, most)) = too_large(motion) {
        return Err(CannotExport::TooLarge { name: name(), what, count, most });
    }
    if !is_plain_name(&motion.name) {
        let reason = format!("{:?} cannot be the name of a file", motion.name);
        return Err(CannotExport::of(format, reason));
    }
    let moves_nothing = motion.joints.is_empty() && !motion.waypoints.is_empty();
    if moves_nothing && (format != Format::Native || motion.kept.is_empty()) {
        let reason = "it has waypoints, but no joints that move".to_owned();
        return Err(CannotExport::of(format, reason));
    }
    match format {
        Format::Native => Ok(Written { text: native::write(motion), lost: Vec::new() }),
        Format::GoalJson => goal_json::write(motion),
        Format::PlayMotionYaml => play_motion::write(motion),
        Format::Webots => webots::write(motion),
        Format::Csv => table::write(motion),
        Format::CompoundJson => compound::write(motion),
    }
}

/// Says whether a name can be that of a motion: what a file can be called, without folders.
pub fn is_plain_name(name: &str) -> bool {
    let strange = |letter: char| matches!(letter, '/' | '\\' | ':') || letter.is_control();
    let fits = !name.is_empty() && name.len() <= MAX_NAME_BYTES;
    fits && !name.starts_with('.') && !name.contains(strange)
}

fn too_large(motion: &Motion) -> Option<(&'static str, usize, usize)> {
    let numbers =
        |of: fn(&crate::Waypoint) -> usize| motion.waypoints.iter().map(of).sum::<usize>();
    let numbers = numbers(|point| {
        let lists = [&point.positions, &point.velocities, &point.accelerations, &point.kept];
        lists.map(Vec::len).iter().sum()
    });
    let commands = motion.actions.iter().map(|action| &action.command);
    let texts = commands.flat_map(|command| [&command.kind, &command.command, &command.options]);
    let texts = texts.chain(motion.waypoints.iter().map(|point| &point.note));
    let texts = texts.chain([&motion.description]).map(String::as_str);
    let longest = texts.chain(motion.all_joints()).map(str::len).max().unwrap_or(0);
    let amounts = [
        ("joints", motion.all_joints().count(), MAX_JOINTS),
        ("numbers", numbers, MAX_NUMBERS),
        ("actions", motion.actions.len(), MAX_ACTIONS),
        ("bytes in a text", longest, MAX_TEXT_BYTES),
    ];
    amounts.into_iter().find(|(_, count, most)| count > most)
}

/// Reads a text, unless it is too long; what is found comes in the order of the text.
fn in_order<T: Default>(
    text: &str,
    file_name: &str,
    found: &mut Diagnostics,
    read: impl FnOnce(&str, &mut Findings<'_>) -> T,
) -> T {
    // Some editors put a mark before a text.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut own = Diagnostics::new();
    let findings = &mut Findings::new(file_name, text, &mut own);
    let result = if is_too_long(text, findings) { T::default() } else { read(text, findings) };
    let mut items = own.items().to_vec();
    items.sort_by(|a, b| a.place.cmp(&b.place));
    // Those that were only counted are counted on.
    let more = match own.has_errors() {
        true => Diagnostic::error("motion-limit", "there is more"),
        false => Diagnostic::warning("motion-limit", "there is more"),
    };
    let counted = std::iter::repeat_n(more, own.not_kept());
    items.into_iter().chain(counted).for_each(|item| found.push(item));
    result
}

fn is_too_long(text: &str, findings: &mut Findings<'_>) -> bool {
    let too_long = text.len() > MAX_FILE_BYTES;
    if too_long {
        let message = format!("the file has {} bytes", text.len());
        let help = format!("At most {MAX_FILE_BYTES} are read; split it");
        findings.error("motion-limit", Spot::Start, message, &help);
    }
    too_long
}

fn flat(compound: &CompoundAction, findings: &mut Findings<'_>) -> Option<Motion> {
    match compound.flatten(|_| None) {
        Ok(flattened) => {
            for command in &flattened.unknown {
                let message = format!("nobody knows how long {command} takes");
                findings.warning("motion-duration", Spot::Start, message, "It counts as 0 s");
            }
            Some(flattened.motion)
        }
        Err(error) => {
            let help = "Correct seq_num and seq_delay";
            findings.error("motion-order", Spot::Start, error.to_string(), help);
            None
        }
    }
}

// What several formats cannot carry, each in one sentence.

fn lost_of_waypoints(motion: &Motion) -> Vec<String> {
    let mut lost = lost_of_disabled(motion);
    if motion.enabled().any(|waypoint| !waypoint.note.is_empty()) {
        lost.push("notes of waypoints".to_owned());
    }
    lost
}

fn lost_of_disabled(motion: &Motion) -> Vec<String> {
    let off = motion.waypoints.iter().filter(|waypoint| !waypoint.enabled).count();
    (off > 0).then(|| format!("waypoints that are off ({off})")).into_iter().collect()
}

fn lost_of_kept(motion: &Motion) -> Option<String> {
    let count = motion.kept.len();
    (count > 0).then(|| format!("positions of joints that it does not move ({count})"))
}

fn lost_of_derivatives(motion: &Motion) -> Option<String> {
    let mut points = motion.enabled();
    let any = points.any(|point| !point.velocities.is_empty() || !point.accelerations.is_empty());
    any.then(|| "velocities and accelerations".to_owned())
}

fn lost_of_actions(motion: &Motion) -> Option<String> {
    let count = motion.actions.len();
    (count > 0).then(|| format!("text actions ({count})"))
}

fn lost_of_interpolation(motion: &Motion, understood: Interpolation) -> Option<String> {
    let (is, becomes) = (motion.interpolation.word(), understood.word());
    (motion.interpolation != understood)
        .then(|| format!("the interpolation {is}, which becomes {becomes}"))
}
