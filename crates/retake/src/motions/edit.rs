//! `retake motion edit`: what the motion panel does to a whole motion, done to a file.

use anyhow::Context;
use retake_motion::edit::{Draft, Edit, WaypointsList};
use retake_motion::retime::retime;
use retake_motion::review::JointLimits;
use retake_motion::{Interpolation, Motion};

use super::{pick_of, write};
use crate::cli::MotionEditArgs;
use crate::output::{Outcome, Printer};

pub(super) fn run(args: &MotionEditArgs, printer: &mut Printer<'_>) -> anyhow::Result<Outcome> {
    let motion = pick_of(&args.files)?;
    let list = WaypointsList::from_motion(&motion)
        .with_context(|| args.files.input.display().to_string())?;
    let mut draft = Draft::new(list);
    for edit in edits(args)? {
        draft.apply(&edit, "")?;
    }
    if args.retime {
        let times = times(draft.list(), args)?;
        draft.apply(&Edit::SetTimes(times), "")?;
    }
    let name = file_stem(args).unwrap_or(motion.name);
    write(&args.files, &Motion { name, ..draft.list().to_motion() }, printer)
}

fn edits(args: &MotionEditArgs) -> anyhow::Result<Vec<Edit>> {
    let mut edits = Vec::new();
    if let Some(word) = &args.interpolation {
        let known = || Interpolation::ALL.map(|(_, word)| word).join(", ");
        let interpolation = Interpolation::from_word(word)
            .with_context(|| format!("There is no interpolation {word:?}. Known: {}", known()))?;
        edits.push(Edit::SetInterpolation(interpolation));
    }
    edits.extend(args.reverse.then_some(Edit::Reverse));
    edits.extend(args.speed.map(Edit::ScaleSpeed));
    Ok(edits)
}

/// Chooses times by the limits that are given; a file knows no others.
fn times(list: &WaypointsList, args: &MotionEditArgs) -> anyhow::Result<Vec<(u64, f64)>> {
    let motion = list.to_motion();
    let limits = JointLimits {
        lower: f64::NEG_INFINITY,
        upper: f64::INFINITY,
        max_velocity: args.max_velocity.unwrap_or(f64::INFINITY),
        max_acceleration: args.max_acceleration.unwrap_or(f64::INFINITY),
    };
    let times = retime(&motion, &vec![limits; motion.joints.len()])?;
    Ok(list.points().iter().map(|point| point.id).zip(times).collect())
}

/// The file name is the name of a motion.
fn file_stem(args: &MotionEditArgs) -> Option<String> {
    let name = args.files.output.file_name()?.to_str()?;
    Some(name.split('.').next()?.to_owned())
}
