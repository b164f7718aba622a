//! `play_motion2` YAML: many motions in a file of parameters; also those of `play_motion`.

use std::fmt::Write;

use super::draft::{Draft, DraftPoint};
use super::findings::{Findings, Spot};
use super::goal_json::{duration, given};
use super::limits::MAX_MOTIONS;
use super::print::{number, quote_yaml as quote};
use super::tree::{Fields, Node, Numbers, UnknownKeys, Value, from_yaml, shortened};
use super::{CannotExport, Format, Written};
use crate::{Interpolation, Motion, Tolerance};

/// How deep `motions` may be inside the names of nodes and `ros__parameters`.
const MAX_NESTING: usize = 4;
const MOTION_KEYS: [&str; 5] = ["joints", "positions", "times_from_start", "points", "meta"];

/// Reads all motions of a file.
pub(super) fn read(text: &str, findings: &mut Findings<'_>) -> Vec<Motion> {
    let Some(root) = from_yaml(text, findings) else { return Vec::new() };
    let Some(node) = find_motions(&root, MAX_NESTING) else {
        let message = "there is no \"motions\"".to_owned();
        let help = "Write motions: with the names of motions below it";
        findings.error("motion-missing", root.at, message, help);
        return Vec::new();
    };
    let Some(fields) = node.fields("motions", findings) else { return Vec::new() };
    if fields.entries.len() > MAX_MOTIONS {
        let message = format!("there are {} motions", fields.entries.len());
        let help = format!("At most {MAX_MOTIONS} are read; split the file");
        findings.error("motion-limit", fields.at, message, &help);
        return Vec::new();
    }
    let mut motions = Vec::new();
    for (key, node) in fields.entries {
        let what = format!("motion {:?}", shortened(&key.text));
        let Some(fields) = node.fields(&what, findings) else { continue };
        let mut draft = Draft::named(&key.text);
        draft.at = key.at;
        motions.extend(read_motion(fields, draft, findings).finish(findings));
    }
    if findings.has_errors() { Vec::new() } else { motions }
}

fn find_motions(node: &Node, nesting: usize) -> Option<&Node> {
    let Value::Table(entries) = &node.value else { return None };
    let direct = entries.iter().find(|(key, _)| key.text == "motions").map(|(_, node)| node);
    let nested = || {
        let mut inner = entries.iter().filter(|_| nesting > 0);
        inner.find_map(|(_, node)| find_motions(node, nesting - 1))
    };
    direct.or_else(nested)
}

fn read_motion(fields: Fields<'_>, mut draft: Draft, findings: &mut Findings<'_>) -> Draft {
    fields.only(&MOTION_KEYS, UnknownKeys::Told, findings);
    if let Some(node) = fields.require("joints", "the motion", findings) {
        draft.take_joints(node, "joints", findings);
    }
    if let Some(Value::Table(entries)) = fields.get("meta").map(|node| &node.value)
        && let Some((_, node)) = entries.iter().find(|(key, _)| key.text == "description")
    {
        draft.description = node.text("description", findings).unwrap_or_default();
    }
    match fields.get("points") {
        Some(node) => {
            let nodes = node.list("points", findings).unwrap_or_default();
            draft.points = nodes.iter().filter_map(|node| read_point(node, findings)).collect();
            draft.interpolation =
                given(draft.points.iter().map(|point| point.velocities.is_some()));
        }
        None => draft.points = read_flat(fields, draft.joints.len(), findings),
    }
    draft
}

/// Reads positions that stand in one list, those of each time after those of the one before.
fn read_flat(fields: Fields<'_>, joints: usize, findings: &mut Findings<'_>) -> Vec<DraftPoint> {
    let mut list = |key: &str| fields.require(key, "the motion", findings)?.numbers(key, findings);
    let (Some(times), Some(positions)) = (list("times_from_start"), list("positions")) else {
        return Vec::new();
    };
    let wanted = joints.saturating_mul(times.values.len());
    if positions.values.len() != wanted || joints == 0 {
        let (count, rows) = (positions.values.len(), times.values.len());
        let message = format!("there are {count} positions for {rows} times of {joints} joints");
        let help = format!("Write {wanted}: all joints at the first time, then at the next");
        if count + rows > 0 {
            findings.error("motion-size", positions.at, message, &help);
        }
        return Vec::new();
    }
    let row = |(time, row): (&f64, &[f64])| {
        let row = Numbers { at: positions.at, values: row.to_vec() };
        DraftPoint::new(times.at, *time, row)
    };
    times.values.iter().zip(positions.values.chunks_exact(joints)).map(row).collect()
}

fn read_point(node: &Node, findings: &mut Findings<'_>) -> Option<DraftPoint> {
    let fields = node.fields("a point", findings)?;
    let known = ["positions", "velocities", "accelerations", "time_from_start"];
    fields.only(&known, UnknownKeys::Told, findings);
    let time = fields.require("time_from_start", "a point", findings);
    let secs = time.and_then(|node| duration(node, "time_from_start", findings));
    let positions = fields.require("positions", "a point", findings);
    let positions = positions.and_then(|node| node.numbers("positions", findings));
    let given = |key: &str, findings: &mut Findings<'_>| {
        let list = fields.get(key)?.numbers(key, findings)?;
        Some(list).filter(|list| !list.values.is_empty())
    };
    let mut point = DraftPoint::new(node.at, secs.unwrap_or(f64::NAN), Numbers::default());
    point.time_at = time.map_or(Spot::Start, |node| node.at);
    point.positions = positions;
    point.velocities = given("velocities", findings);
    point.accelerations = given("accelerations", findings);
    Some(point)
}

/// Writes a motion as the only one of a file of ROS 2 parameters.
pub(super) fn write(motion: &Motion) -> Result<Written, CannotExport> {
    if motion.joints.is_empty() || motion.enabled().next().is_none() {
        let reason = "it needs joints and waypoints".to_owned();
        return Err(CannotExport::of(Format::PlayMotionYaml, reason));
    }
    let mut lost = super::lost_of_waypoints(motion);
    lost.extend(super::lost_of_kept(motion));
    lost.extend(super::lost_of_derivatives(motion));
    lost.extend(super::lost_of_actions(motion));
    lost.extend(super::lost_of_interpolation(motion, Interpolation::Monotone));
    if motion.tolerances.iter().any(|tolerance| *tolerance != Tolerance::default()) {
        lost.push("the tolerances".to_owned());
    }
    if motion.goal_time_tolerance_secs.is_some() {
        lost.push("the goal time tolerance".to_owned());
    }
    Ok(Written { text: yaml(motion), lost })
}

fn yaml(motion: &Motion) -> String {
    let name = quote(&motion.name);
    let mut text = format!("/**:\n  ros__parameters:\n    motions:\n      {name}:\n");
    let joints: Vec<String> = motion.joints.iter().map(|joint| quote(joint)).collect();
    let _ = writeln!(text, "        joints: [{}]", joints.join(", "));
    // A row for each time, so that a person finds them.
    let row = |positions: &[f64]| -> String {
        let cells: Vec<String> = positions.iter().map(|value| number(*value)).collect();
        format!("          {}", cells.join(", "))
    };
    let rows: Vec<String> = motion.enabled().map(|waypoint| row(&waypoint.positions)).collect();
    let _ = writeln!(text, "        positions: [\n{}]", rows.join(",\n"));
    let times: Vec<String> = motion.enabled().map(|waypoint| number(waypoint.time_secs)).collect();
    let _ = writeln!(text, "        times_from_start: [{}]", times.join(", "));
    let description = quote(&motion.description);
    let _ = write!(
        text,
        "        meta:\n          name: {name}\n          usage: \"\"\n          \
         description: {description}\n"
    );
    text
}
