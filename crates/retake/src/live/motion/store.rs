//! Motions in the folders of robots: read whole, put in, taken out.

use anyhow::{Context, bail};
use retake_diag::Diagnostics;
use retake_motion::Motion;
use retake_motion::file::{self, Format};
use retake_msgs::{MotionFile, MotionReadRequest, MotionSaveRequest, MotionSaved, names};
use serde_json::json;

use super::only_robot;
use crate::cli::{MotionExportArgs, MotionImportArgs, RobotArg};
use crate::link::Link;
use crate::motions;
use crate::output::{Outcome, Printer, printable};

/// Reads a stored motion of a robot.
pub(super) fn read(name: &str, robot: &RobotArg, link: &mut dyn Link) -> anyhow::Result<Motion> {
    let robot = only_robot(robot, link)?;
    let request = MotionReadRequest { robot, motion: name.to_owned() };
    let found: MotionFile = link.call(&names::motion_read(&link.world()), &request)?;
    if !found.ok {
        bail!("{}", found.message);
    }
    let mut faults = Diagnostics::new();
    let motion = file::read(&found.text, &found.file, &mut faults).pop();
    let motion = motion.with_context(|| format!("{} holds no motion", found.file))?;
    Ok(Motion { name: name.to_owned(), ..motion })
}

/// `retake motion import`
pub(super) fn import(
    args: &MotionImportArgs,
    link: &mut dyn Link,
    printer: &mut Printer<'_>,
) -> anyhow::Result<Outcome> {
    let motion = motions::pick(&args.file, args.motion.as_deref())?;
    let name = args.store.name.clone().unwrap_or_else(|| motion.name.clone());
    let robot = only_robot(&args.store.robot, link)?;
    save(&Motion { name, ..motion }, robot, args.store.replace, link, printer)
}

/// `retake motion export`
pub(super) fn export(
    args: &MotionExportArgs,
    link: &mut dyn Link,
    printer: &mut Printer<'_>,
) -> anyhow::Result<Outcome> {
    let motion = read(&args.motion, &args.robot, link)?;
    motions::write_as(&args.file, args.to.as_deref(), &motion, printer)
}

/// Stores a motion in the folder of a robot's player.
pub(super) fn save(
    motion: &Motion,
    robot: String,
    replace: bool,
    link: &mut dyn Link,
    printer: &mut Printer<'_>,
) -> anyhow::Result<Outcome> {
    let text = file::write(motion, Format::Native)?.text;
    let request = MotionSaveRequest { robot, name: motion.name.clone(), text, replace };
    let saved: MotionSaved = link.call(&names::motion_save(&link.world()), &request)?;
    if saved.exists {
        bail!("{} (--replace does)", saved.message);
    }
    if !saved.ok {
        bail!("{}", saved.message);
    }
    let facts = json!({
        "motion": motion.name,
        "file": saved.file,
        "seconds": motion.duration_secs(),
        "waypoints": motion.waypoints.len(),
    });
    printer.print(&facts, |out| {
        let (secs, points) = (motion.duration_secs(), motion.waypoints.len());
        let name = printable(&motion.name);
        writeln!(out, "Stored {name} ({secs:.2} s, {points} waypoints) in {}", saved.file)
    })?;
    Ok(Outcome::Done)
}
