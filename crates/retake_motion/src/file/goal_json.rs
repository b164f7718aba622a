//! A serialised `FollowJointTrajectory` goal: what ROS tools write as JSON, one motion in a file.
//!
//! Two keys are our own, and only written when they are needed: `actions`, the text commands with
//! their times, and `interpolation`.

use std::fmt::Write;

use super::draft::{Draft, DraftPoint};
use super::findings::{Findings, Spot};
use super::print::{number, numbers, quote_yaml as quote};
use super::tree::{Fields, Node, UnknownKeys, Value, from_json, shortened};
use super::{CannotExport, Format, Written, native};
use crate::{Interpolation, JointTolerance, Motion, TextCommand, TimedAction, Tolerance, Waypoint};

const GOAL_KEYS: [&str; 9] = [
    "trajectory",
    "path_tolerance",
    "goal_tolerance",
    "goal_time_tolerance",
    "multi_dof_trajectory",
    "component_path_tolerance",
    "component_goal_tolerance",
    "actions",
    "interpolation",
];
const TRAJECTORY_KEYS: [&str; 3] = ["header", "joint_names", "points"];
const POINT_KEYS: [&str; 5] =
    ["positions", "velocities", "accelerations", "effort", "time_from_start"];
const TOLERANCE_KEYS: [&str; 4] = ["name", "position", "velocity", "acceleration"];

/// Reads the motion of a file: a goal, or a bare `JointTrajectory`.
pub(super) fn read(text: &str, name: &str, findings: &mut Findings<'_>) -> Vec<Motion> {
    let Some(root) = from_json(text, findings) else { return Vec::new() };
    let Some(fields) = root.fields("the file", findings) else { return Vec::new() };
    let mut draft = Draft::named(name);
    if fields.get("joint_names").is_some() {
        read_trajectory(fields, &mut draft, findings);
    } else if fields.get("position").is_some() && fields.get("trajectory").is_none() {
        let message = "this is a pose, not a motion".to_owned();
        findings.error("motion-format", root.at, message, "Keep poses in another folder");
    } else if let Some(node) = fields.require("trajectory", "the goal", findings) {
        fields.only(&GOAL_KEYS, UnknownKeys::Told, findings);
        if let Some(trajectory) = node.fields("trajectory", findings) {
            read_trajectory(trajectory, &mut draft, findings);
        }
        read_goal(fields, &mut draft, findings);
    }
    draft.finish(findings).into_iter().collect()
}

fn read_goal(fields: Fields<'_>, draft: &mut Draft, findings: &mut Findings<'_>) {
    draft.tolerances = vec![Tolerance::default(); draft.joints.len()];
    for key in ["path_tolerance", "goal_tolerance"] {
        let nodes = fields.get(key).and_then(|node| node.list(key, findings)).unwrap_or_default();
        for node in nodes {
            read_tolerance(node, key, draft, findings);
        }
    }
    if let Some(node) = fields.get("goal_time_tolerance") {
        let secs = duration(node, "goal_time_tolerance", findings);
        draft.goal_time_tolerance_secs = secs.filter(|secs| *secs != 0.0);
    }
    if let Some(node) = fields.get("interpolation")
        && let Some(way) = native::interpolation(node, findings)
    {
        draft.interpolation = way;
    }
    let nodes = fields.get("actions").and_then(|node| node.list("actions", findings));
    for node in nodes.unwrap_or_default() {
        draft.actions.extend(read_action(node, findings));
    }
    for key in ["component_path_tolerance", "component_goal_tolerance"] {
        if let Some(node) = fields.get(key) {
            tell_unused(node, key, findings);
        }
    }
    let multi = fields.get("multi_dof_trajectory").map(|node| &node.value);
    if let Some(Value::Table(entries)) = multi
        && let Some((_, node)) = entries.iter().find(|(key, _)| key.text == "points")
    {
        tell_unused(node, "multi_dof_trajectory", findings);
    }
}

fn tell_unused(node: &Node, what: &str, findings: &mut Findings<'_>) {
    if matches!(&node.value, Value::List(nodes) if !nodes.is_empty()) {
        let message = format!("{what} is left out");
        findings.warning("motion-left-out", node.at, message, "Motions have none");
    }
}

fn read_trajectory(fields: Fields<'_>, draft: &mut Draft, findings: &mut Findings<'_>) {
    fields.only(&TRAJECTORY_KEYS, UnknownKeys::Told, findings);
    if let Some(node) = fields.require("joint_names", "the trajectory", findings) {
        draft.take_joints(node, "joint_names", findings);
    }
    let nodes = fields.get("points").and_then(|node| node.list("points", findings));
    let nodes = nodes.unwrap_or_default();
    draft.points = nodes.iter().filter_map(|node| read_point(node, findings)).collect();
    draft.interpolation = given(draft.points.iter().map(|point| point.velocities.is_some()));
}

/// Returns how joints go between points that have velocities or do not.
pub(super) fn given(mut have_velocities: impl Iterator<Item = bool>) -> Interpolation {
    if have_velocities.any(|has| has) { Interpolation::Hermite } else { Interpolation::Monotone }
}

fn read_point(node: &Node, findings: &mut Findings<'_>) -> Option<DraftPoint> {
    let fields = node.fields("a point", findings)?;
    fields.only(&POINT_KEYS, UnknownKeys::Told, findings);
    let time = fields.require("time_from_start", "a point", findings);
    let time_secs = time.and_then(|node| duration(node, "time_from_start", findings));
    let positions = fields.require("positions", "a point", findings);
    let positions = positions.and_then(|node| node.numbers("positions", findings));
    let given = |key: &str, findings: &mut Findings<'_>| {
        let list = fields.get(key)?.numbers(key, findings)?;
        Some(list).filter(|list| !list.values.is_empty())
    };
    let velocities = given("velocities", findings);
    let accelerations = given("accelerations", findings);
    if let Some(node) = fields.get("effort") {
        tell_unused(node, "effort", findings);
    }
    Some(DraftPoint {
        at: node.at,
        time_secs: time_secs.unwrap_or(f64::NAN),
        time_at: time.map_or(node.at, |node| node.at),
        positions,
        velocities,
        accelerations,
        kept: None,
        enabled: true,
        note: String::new(),
    })
}

/// Reads seconds and nanoseconds as ROS 1 or ROS 2 spell them, or a plain number of seconds.
pub(super) fn duration(node: &Node, what: &str, findings: &mut Findings<'_>) -> Option<f64> {
    let Value::Table(entries) = &node.value else { return node.number(what, findings) };
    let fields = Fields { at: node.at, entries };
    fields.only(&["secs", "nsecs", "sec", "nanosec"], UnknownKeys::Told, findings);
    let part = |names: [&str; 2], findings: &mut Findings<'_>| {
        let found = names.into_iter().find_map(|name| fields.get(name));
        found.map_or(Some(0.0), |node| node.number(what, findings))
    };
    let secs = part(["secs", "sec"], findings)?;
    let nanos = part(["nsecs", "nanosec"], findings)?;
    // One division gives the number nearest to what is written, as 4.956 would be.
    let total = secs * 1e9 + nanos;
    Some(if total.abs() < 9e15 { total / 1e9 } else { secs + nanos / 1e9 })
}

fn read_tolerance(node: &Node, key: &str, draft: &mut Draft, findings: &mut Findings<'_>) {
    let Some(fields) = node.fields(key, findings) else { return };
    fields.only(&TOLERANCE_KEYS, UnknownKeys::Told, findings);
    let Some(node) = fields.require("name", "a tolerance", findings) else { return };
    let Some(joint) = node.text("name", findings) else { return };
    let value = |key: &str, findings: &mut Findings<'_>| {
        fields.get(key).map_or(Some(0.0), |node| node.number(key, findings))
    };
    let Some(position) = value("position", findings) else { return };
    for rate in ["velocity", "acceleration"] {
        if value(rate, findings).is_some_and(|value| value > 0.0) {
            let message = format!("the {rate} in {key} of {:?} is left out", shortened(&joint));
            findings.warning("motion-left-out", fields.at, message, "Motions have none");
        }
    }
    let position = match position {
        0.0 => None,
        negative if negative < 0.0 => Some(f64::INFINITY),
        positive => Some(positive),
    };
    let Some(index) = draft.joints.iter().position(|(_, known)| *known == joint) else {
        let message = format!("{key} names {:?}, which is no joint", shortened(&joint));
        findings.warning("motion-joint", node.at, message, "It is left out");
        return;
    };
    match key {
        "path_tolerance" => draft.tolerances[index].path = position,
        _ => draft.tolerances[index].goal = position,
    }
}

fn read_action(node: &Node, findings: &mut Findings<'_>) -> Option<(Spot, TimedAction)> {
    let fields = node.fields("an action", findings)?;
    fields.only(&["time_from_start", "command"], UnknownKeys::Told, findings);
    let time = fields.require("time_from_start", "an action", findings)?;
    let time_secs = duration(time, "time_from_start", findings)?;
    let command = fields.require("command", "an action", findings)?;
    Some((time.at, TimedAction { time_secs, command: read_command(command, findings)? }))
}

/// Reads a `TextCommand`; compound actions share it.
pub(super) fn read_command(node: &Node, findings: &mut Findings<'_>) -> Option<TextCommand> {
    let fields = node.fields("a command", findings)?;
    fields.only(&["type", "command", "options"], UnknownKeys::Told, findings);
    let text = |key: &str, findings: &mut Findings<'_>| {
        fields.get(key).map_or(Some(String::new()), |node| node.text(key, findings))
    };
    let kind = fields.require("type", "a command", findings)?.text("type", findings)?;
    Some(TextCommand {
        kind,
        command: text("command", findings)?,
        options: text("options", findings)?,
    })
}

/// Writes a `TextCommand`; compound actions share it.
pub(super) fn command_text(command: &TextCommand) -> String {
    let TextCommand { kind, command, options } = command;
    let start = format!("{{\"type\": {}, \"command\": {}", quote(kind), quote(command));
    match options.is_empty() {
        true => start + "}",
        false => format!("{start}, \"options\": {}}}", quote(options)),
    }
}

/// Writes a motion as ROS 1 spells it.
pub(super) fn write(motion: &Motion) -> Result<Written, CannotExport> {
    let mut lost = super::lost_of_waypoints(motion);
    lost.extend(super::lost_of_kept(motion));
    if !motion.description.is_empty() {
        lost.push("the description".to_owned());
    }
    let way = given(motion.enabled().map(|waypoint| !waypoint.velocities.is_empty()));
    let points = point_texts(motion)?;
    let tolerance_time = duration_text(motion.goal_time_tolerance_secs.unwrap_or(0.0))?;
    let mut text = format!("{{\n    \"goal_time_tolerance\": {tolerance_time},\n");
    if way != motion.interpolation {
        let _ = writeln!(text, "    \"interpolation\": {},", quote(motion.interpolation.word()));
    }
    let joints: Vec<String> = motion.joints.iter().map(|joint| quote(joint)).collect();
    let header = r#"{"stamp": {"secs": 0, "nsecs": 0}, "frame_id": "", "seq": 0}"#;
    let _ = write!(text, "    \"trajectory\": {{\n        \"header\": {header},\n");
    let _ = writeln!(text, "        \"joint_names\": [{}],", joints.join(", "));
    let _ = writeln!(text, "        \"points\": {}\n    }},", json_list(&points, 8));
    let path = tolerance_texts(motion, |tolerance| tolerance.path);
    let goal = tolerance_texts(motion, |tolerance| tolerance.goal);
    let _ = writeln!(text, "    \"path_tolerance\": {},", json_list(&path, 4));
    let _ = write!(text, "    \"goal_tolerance\": {}", json_list(&goal, 4));
    if !motion.actions.is_empty() {
        let actions: Result<Vec<String>, _> = motion.actions.iter().map(action_text).collect();
        let _ = write!(text, ",\n    \"actions\": {}", json_list(&actions?, 4));
    }
    text.push_str("\n}\n");
    Ok(Written { text, lost })
}

fn point_texts(motion: &Motion) -> Result<Vec<String>, CannotExport> {
    let mut texts = Vec::new();
    let mut before = None;
    for waypoint in motion.enabled() {
        let time = nanoseconds(waypoint.time_secs)?;
        if before.is_some_and(|before| before >= time) {
            let secs = waypoint.time_secs;
            let reason = format!("two waypoints are within a nanosecond at {secs} s");
            return Err(CannotExport::of(Format::GoalJson, reason));
        }
        before = Some(time);
        texts.push(point_text(waypoint)?);
    }
    Ok(texts)
}

fn point_text(waypoint: &Waypoint) -> Result<String, CannotExport> {
    let (positions, velocities) = (numbers(&waypoint.positions), numbers(&waypoint.velocities));
    let accelerations = numbers(&waypoint.accelerations);
    let time = duration_text(waypoint.time_secs)?;
    Ok(format!(
        "{{\"positions\": {positions}, \"velocities\": {velocities}, \
         \"accelerations\": {accelerations}, \"effort\": [], \"time_from_start\": {time}}}"
    ))
}

fn action_text(action: &TimedAction) -> Result<String, CannotExport> {
    let time = duration_text(action.time_secs)?;
    let command = command_text(&action.command);
    Ok(format!("{{\"time_from_start\": {time}, \"command\": {command}}}"))
}

/// Writes a tolerance for every joint, or for none: whoever wrote this format first takes only that.
fn tolerance_texts(motion: &Motion, of: impl Fn(&Tolerance) -> Option<f64>) -> Vec<String> {
    if motion.tolerances.iter().all(|tolerance| *tolerance == Tolerance::default()) {
        return Vec::new();
    }
    let text = |(index, joint): (usize, &String)| {
        let position = motion.tolerances.get(index).and_then(&of).unwrap_or(0.0);
        let position = if position.is_finite() { position } else { JointTolerance::OFF };
        let (name, position) = (quote(joint), number(position));
        format!(
            "{{\"name\": {name}, \"position\": {position}, \"velocity\": 0.0, \"acceleration\": 0.0}}"
        )
    };
    motion.joints.iter().enumerate().map(text).collect()
}

/// Writes a list with each member on its own line.
pub(super) fn json_list(members: &[String], indent: usize) -> String {
    if members.is_empty() {
        return "[]".to_owned();
    }
    let (inner, outer) = (" ".repeat(indent + 4), " ".repeat(indent));
    let lines: Vec<String> = members.iter().map(|member| format!("{inner}{member}")).collect();
    format!("[\n{}\n{outer}]", lines.join(",\n"))
}

fn nanoseconds(secs: f64) -> Result<i64, CannotExport> {
    if secs.abs() >= f64::from(i32::MAX) {
        let reason = format!("{secs} s is more than a message can carry");
        return Err(CannotExport::of(Format::GoalJson, reason));
    }
    // Whole seconds apart, so that hours keep their nanoseconds.
    let whole = secs.floor();
    Ok(whole as i64 * 1_000_000_000 + ((secs - whole) * 1e9).round() as i64)
}

fn duration_text(secs: f64) -> Result<String, CannotExport> {
    let nanos = nanoseconds(secs)?;
    let (secs, nanos) = (nanos.div_euclid(1_000_000_000), nanos.rem_euclid(1_000_000_000));
    Ok(format!("{{\"secs\": {secs}, \"nsecs\": {nanos}}}"))
}
