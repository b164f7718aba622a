//! Files of motions, in every format.

use retake_diag::Diagnostics;
use retake_motion::Motion;
use retake_motion::file::{self, Format};

use super::{Verdict, ensure, placed, seen, text};
use crate::samples::{files, texts};

const POSE: &str = r#"{"header":{"frame_id":""},"name":["pan","lift"],"position":[0.1,1.5],
 "velocity":[],"effort":[0,0]}"#;

const COMPOUND: &str = r#"{"action_list": [
 {"cmd": {"type": "voice/say", "command": "b"}, "seq_delay": 1.0, "seq_num": 2},
 {"cmd": {"type": "motion/joint_trajectory", "command": "a"}, "seq_delay": 0.5, "seq_num": 0}]}"#;

pub(super) fn native_samples() -> Vec<Vec<u8>> {
    files(&["worlds/motions", "scenarios/motions"], &[".motion.toml"])
}

pub(super) fn goal_samples() -> Vec<Vec<u8>> {
    written(Format::GoalJson)
}

pub(super) fn yaml_samples() -> Vec<Vec<u8>> {
    written(Format::PlayMotionYaml)
}

pub(super) fn webots_samples() -> Vec<Vec<u8>> {
    written(Format::Webots)
}

pub(super) fn csv_samples() -> Vec<Vec<u8>> {
    written(Format::Csv)
}

pub(super) fn compound_samples() -> Vec<Vec<u8>> {
    texts(&[COMPOUND])
}

pub(super) fn pose_samples() -> Vec<Vec<u8>> {
    texts(&[POSE])
}

/// The motions of the demo worlds in another format.
fn written(format: Format) -> Vec<Vec<u8>> {
    let motions = files(&["worlds/motions"], &[".motion.toml"]);
    let motions = motions.iter().flat_map(|bytes| {
        file::read_as(Format::Native, &text(bytes), "m", &mut Diagnostics::new())
    });
    motions
        .filter_map(|motion| file::write(&motion, format).ok())
        .map(|made| made.text.into_bytes())
        .collect()
}

pub(super) fn read_native(input: &[u8]) -> Verdict {
    read(Format::Native, input)
}

pub(super) fn read_goal_json(input: &[u8]) -> Verdict {
    read(Format::GoalJson, input)
}

pub(super) fn read_play_motion(input: &[u8]) -> Verdict {
    read(Format::PlayMotionYaml, input)
}

pub(super) fn read_webots(input: &[u8]) -> Verdict {
    read(Format::Webots, input)
}

pub(super) fn read_csv(input: &[u8]) -> Verdict {
    read(Format::Csv, input)
}

fn read(format: Format, input: &[u8]) -> Verdict {
    let mut found = Diagnostics::new();
    let motions = file::read_as(format, &text(input), "m", &mut found);
    placed(&found, !motions.is_empty())?;
    ensure(motions.is_empty() || !found.has_errors(), || format!("taken in spite of {found}"))?;
    for motion in &motions {
        motion.check().map_err(|error| format!("{:?} is not whole: {error}", motion.name))?;
        reads_back(motion)?;
    }
    Ok(seen(!motions.is_empty()))
}

/// What our own format writes is the same motion again.
fn reads_back(motion: &Motion) -> Result<(), String> {
    // Names that no file can have are refused, and said so.
    let Ok(printed) = file::write(motion, Format::Native) else { return Ok(()) };
    let mut found = Diagnostics::new();
    let name = format!("{}.motion.toml", motion.name);
    let again = file::read_as(Format::Native, &printed.text, &name, &mut found);
    ensure(again == [motion.clone()], || format!("{motion:?} read back as {again:?}: {found}"))
}

pub(super) fn read_compound(input: &[u8]) -> Verdict {
    let mut found = Diagnostics::new();
    let compound = file::read_compound(&text(input), "c.json", &mut found);
    placed(&found, compound.is_some())?;
    read(Format::CompoundJson, input)
}

pub(super) fn read_pose(input: &[u8]) -> Verdict {
    let mut found = Diagnostics::new();
    let pose = file::read_pose(&text(input), "p.json", &mut found);
    placed(&found, pose.is_some())?;
    let finite = pose.iter().flatten().all(|(_, position)| position.is_finite());
    ensure(finite, || format!("a joint is nowhere in {pose:?}"))?;
    Ok(seen(pose.is_some()))
}
