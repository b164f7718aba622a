//! Motions as files: what is in them, whether they are whole, other formats, other times.

mod edit;

use std::os::unix::fs::MetadataExt;
use std::path::Path;

use anyhow::{Context, bail};
use retake_diag::Diagnostics;
use retake_motion::Motion;
use retake_motion::file::{self, Format, MAX_FILE_BYTES};
use serde_json::{Value, json};

use crate::cli::{MotionCommand, MotionConvertArgs};
use crate::input_file::read_text;
use crate::output::{Outcome, Printer, in_words, printable};
use crate::write_file;

/// Carries out what needs no server.
pub(crate) fn run(command: &MotionCommand, printer: &mut Printer<'_>) -> anyhow::Result<Outcome> {
    match command {
        MotionCommand::Info { files } => info(files, printer),
        MotionCommand::Check { files, .. } => check(files, printer),
        MotionCommand::Convert(args) => convert(args, printer),
        MotionCommand::Edit(args) => edit::run(args, printer),
        _ => bail!("this needs a running server"),
    }
}

/// Reads the motions of a file; faults are an error with all of them.
pub(crate) fn read(file: &Path) -> anyhow::Result<Vec<Motion>> {
    let (motions, found) = look(file)?;
    match found.has_errors() {
        true => bail!("{}", findings_text(&found)),
        false => Ok(motions),
    }
}

fn look(file: &Path) -> anyhow::Result<(Vec<Motion>, Diagnostics)> {
    let text = read_text(file, MAX_FILE_BYTES as u64)?;
    let mut found = Diagnostics::new();
    let motions = file::read(&text, &file.display().to_string(), &mut found);
    Ok((motions, found))
}

fn findings_text(found: &Diagnostics) -> String {
    let lines: Vec<String> = found.items().iter().map(ToString::to_string).collect();
    lines.join("\n")
}

fn info(files: &[std::path::PathBuf], printer: &mut Printer<'_>) -> anyhow::Result<Outcome> {
    let mut all: Vec<Motion> = Vec::new();
    for file in files {
        all.extend(read(file)?);
    }
    show(&all, printer)
}

/// Prints what is in motions.
pub(crate) fn show(all: &[Motion], printer: &mut Printer<'_>) -> anyhow::Result<Outcome> {
    let value: Vec<Value> = all.iter().map(facts).collect();
    printer.print(&value, |out| {
        for motion in all {
            writeln!(
                out,
                "{}: {:.3} s, {} waypoints, {} joints, {} actions, {}",
                printable(&motion.name),
                motion.duration_secs(),
                motion.waypoints.len(),
                motion.joints.len(),
                motion.actions.len(),
                motion.interpolation.word()
            )?;
            if !motion.description.is_empty() {
                writeln!(out, "  {}", printable(&motion.description))?;
            }
            writeln!(out, "  joints: {}", printable(&motion.joints.join(", ")))?;
            for action in &motion.actions {
                let command = &action.command;
                let text = format!("{} {}", command.kind, command.command);
                writeln!(out, "  at {:.3} s: {}", action.time_secs, printable(&text))?;
            }
        }
        Ok(())
    })?;
    Ok(Outcome::Done)
}

fn facts(motion: &Motion) -> Value {
    json!({
        "name": motion.name,
        "description": motion.description,
        "seconds": motion.duration_secs(),
        "interpolation": motion.interpolation.word(),
        "joints": motion.joints,
        "waypoints": motion.waypoints.len(),
        "actions": motion.actions.iter().map(|action| json!({
            "time": action.time_secs,
            "type": action.command.kind,
            "command": action.command.command,
            "options": action.command.options,
        })).collect::<Vec<_>>(),
    })
}

fn check(files: &[std::path::PathBuf], printer: &mut Printer<'_>) -> anyhow::Result<Outcome> {
    let (mut lines, mut good, mut bad) = (Vec::new(), 0, 0);
    for file in files {
        match look(file) {
            Ok((motions, found)) => {
                lines.extend(found.items().iter().map(ToString::to_string));
                let empty: Vec<String> =
                    motions.iter().filter_map(|m| emptiness(m, file)).collect();
                let is_bad = found.has_errors() || !empty.is_empty();
                lines.extend(empty);
                *(if is_bad { &mut bad } else { &mut good }) += 1;
            }
            Err(error) => {
                lines.push(in_words(&error));
                bad += 1;
            }
        }
    }
    let value = json!({ "good": good, "bad": bad, "findings": lines });
    printer.print(&value, |out| {
        lines.iter().try_for_each(|line| writeln!(out, "{}", printable(line)))?;
        writeln!(out, "{good} good, {bad} bad")
    })?;
    Ok(if bad == 0 { Outcome::Done } else { Outcome::Failed })
}

/// Says what a motion lacks that does nothing: readers take it, and nobody means it.
fn emptiness(motion: &Motion, file: &Path) -> Option<String> {
    if !motion.waypoints.is_empty() || !motion.actions.is_empty() {
        return None;
    }
    let (file, name) = (file.display(), &motion.name);
    Some(match motion.all_joints().next() {
        None => format!(
            "{file}: motion {name:?} does nothing: it names no joints and has no waypoints. Name \
             the joints that move, and write where they are at which time"
        ),
        Some(_) => format!(
            "{file}: motion {name:?} does nothing: it has no waypoints. Write where its joints are \
             at which time"
        ),
    })
}

fn pick_of(args: &MotionConvertArgs) -> anyhow::Result<Motion> {
    pick(&args.input, args.motion.as_deref())
}

fn convert(args: &MotionConvertArgs, printer: &mut Printer<'_>) -> anyhow::Result<Outcome> {
    let motion = pick_of(args)?;
    // What the format of the output cannot carry would be lost for good.
    if is_same_file(&args.input, &args.output) {
        bail!("{} would be written over itself; name another file", args.input.display());
    }
    write(args, &motion, printer)
}

fn is_same_file(one: &Path, other: &Path) -> bool {
    let identity = |file: &Path| std::fs::metadata(file).map(|known| (known.dev(), known.ino()));
    matches!((identity(one), identity(other)), (Ok(one), Ok(other)) if one == other)
}

/// Reads the motion of a file that is named, or the only one.
pub(crate) fn pick(file: &Path, motion: Option<&str>) -> anyhow::Result<Motion> {
    let mut motions = read(file)?;
    let known = motions.iter().map(|m| m.name.as_str()).collect::<Vec<_>>().join(", ");
    let shown = file.display();
    let place = match (motion, motions.len()) {
        (Some(name), _) => motions
            .iter()
            .position(|motion| motion.name == name)
            .with_context(|| format!("{shown} has no motion {name:?}; it has {known}"))?,
        (None, 1) => 0,
        (None, 0) => bail!("{shown} holds no motion"),
        (None, _) => bail!("{shown} holds {known}; say which: --motion NAME"),
    };
    Ok(motions.swap_remove(place))
}

fn write(
    args: &MotionConvertArgs,
    motion: &Motion,
    printer: &mut Printer<'_>,
) -> anyhow::Result<Outcome> {
    write_as(&args.output, args.to.as_deref(), motion, printer)
}

/// Writes a motion into a file, in the format that is named or that its ending says.
pub(crate) fn write_as(
    output: &Path,
    to: Option<&str>,
    motion: &Motion,
    printer: &mut Printer<'_>,
) -> anyhow::Result<Outcome> {
    let format = format_of(output, to)?;
    let written = file::write(motion, format)?;
    write_file::write_whole(output, &written.text)?;
    let shown = output.display().to_string();
    let value = json!({ "file": shown, "format": format.word(), "lost": written.lost });
    printer.print(&value, |out| {
        writeln!(out, "Wrote {shown} as {}", format.word())?;
        written.lost.iter().try_for_each(|lost| writeln!(out, "not kept: {}", printable(lost)))
    })?;
    Ok(if written.lost.is_empty() { Outcome::Done } else { Outcome::Loss })
}

fn format_of(output: &Path, to: Option<&str>) -> anyhow::Result<Format> {
    let words = || Format::ALL.map(|(_, word, ending)| format!("{word} ({ending})")).join(", ");
    match to {
        Some(word) => Format::from_word(word)
            .with_context(|| format!("{word:?} is no format. Known: {}", words())),
        None => Format::of_name(&output.display().to_string()).with_context(|| {
            let shown = output.display();
            format!("the ending of {shown} says no format; give --to. Known: {}", words())
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli;

    fn checked(file: &Path) -> (Outcome, String) {
        let mut out = Vec::new();
        let mut printer = Printer { out: &mut out, format: cli::Format::Text };
        let outcome = check(&[file.to_owned()], &mut printer).unwrap();
        (outcome, String::from_utf8(out).unwrap())
    }

    #[test]
    fn a_motion_that_does_nothing_is_not_good() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("h.csv");
        for (text, lack) in [
            ("time\n", "names no joints and has no waypoints"),
            ("time,elbow\n", "has no waypoints"),
        ] {
            std::fs::write(&file, text).unwrap();
            let (outcome, said) = checked(&file);
            assert_eq!(outcome, Outcome::Failed, "{said}");
            let begin = format!("{}: motion \"h\" does nothing: it {lack}. ", file.display());
            assert!(said.starts_with(&begin) && said.ends_with("0 good, 1 bad\n"), "{said}");
        }
        std::fs::write(&file, "time,elbow\n0,1\n").unwrap();
        assert_eq!(checked(&file), (Outcome::Done, "1 good, 0 bad\n".to_owned()));
    }

    #[test]
    fn a_motion_is_not_converted_over_its_own_file() {
        let folder = tempfile::tempdir().unwrap();
        let (input, link) = (folder.path().join("wave.csv"), folder.path().join("link.csv"));
        let text = "time,elbow\n0.00,1\n";
        std::fs::write(&input, text).unwrap();
        std::os::unix::fs::symlink(&input, &link).unwrap();
        for output in [&input, &link] {
            let (input, output) = (input.clone(), output.clone());
            let args = MotionConvertArgs { input, output, to: None, motion: None };
            let mut printer = Printer { out: &mut Vec::new(), format: cli::Format::Text };
            let refused = convert(&args, &mut printer).unwrap_err().to_string();
            assert!(refused.ends_with("would be written over itself; name another file"));
        }
        assert_eq!(std::fs::read_to_string(&input).unwrap(), text);
    }
}
