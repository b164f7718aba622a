//! The native format: one motion in a TOML file, made to be read and written by people.

use std::fmt::Write;

use super::draft::{Draft, DraftPoint};
use super::findings::{Findings, Spot};
use super::near;
use super::print::{number, numbers, quote};
use super::tree::{Fields, Node, Numbers, UnknownKeys, Value, from_toml, shortened};
use crate::{Interpolation, Motion, TextCommand, TimedAction, Tolerance, Waypoint};

/// The version that is written and read.
const FORMAT: u32 = 1;
const KEYS: [&str; 10] = [
    "format",
    "description",
    "interpolation",
    "goal_time_tolerance",
    "joints",
    "kept",
    "path_tolerance",
    "goal_tolerance",
    "waypoints",
    "actions",
];
const WAYPOINT_KEYS: [&str; 7] =
    ["time", "positions", "velocities", "accelerations", "kept", "enabled", "note"];
const ACTION_KEYS: [&str; 4] = ["time", "type", "command", "options"];

/// Reads the motion of a file.
pub(super) fn read(text: &str, name: &str, findings: &mut Findings<'_>) -> Vec<Motion> {
    let Some(root) = from_toml(text, findings) else { return Vec::new() };
    let Some(fields) = root.fields("the file", findings) else { return Vec::new() };
    refuse_others(fields, findings);
    check_format(fields, findings);
    let mut draft = Draft::named(name);
    draft.description = optional_text(fields, "description", findings);
    if let Some(node) = fields.get("interpolation") {
        draft.interpolation = interpolation(node, findings).unwrap_or_default();
    }
    if let Some(node) = fields.get("goal_time_tolerance") {
        draft.goal_time_tolerance_secs = goal_time(node, findings);
    }
    if let Some(node) = fields.get("joints") {
        draft.take_joints(node, "joints", findings);
    }
    if let Some(node) = fields.get("kept") {
        draft.take_kept(node, findings);
    }
    draft.tolerances = vec![Tolerance::default(); draft.joints.len() + draft.kept.len()];
    if let Some(node) = fields.get("path_tolerance") {
        read_tolerance(node, "path_tolerance", &mut draft, findings);
    }
    if let Some(node) = fields.get("goal_tolerance") {
        read_tolerance(node, "goal_tolerance", &mut draft, findings);
    }
    let listed = |key: &str, findings: &mut Findings<'_>| {
        fields.get(key).and_then(|node| node.list(key, findings)).unwrap_or_default()
    };
    let nodes = listed("waypoints", findings);
    draft.points = nodes.iter().filter_map(|node| read_point(node, findings)).collect();
    let nodes = listed("actions", findings);
    draft.actions = nodes.iter().filter_map(|node| read_action(node, findings)).collect();
    draft.finish(findings).into_iter().collect()
}

fn refuse_others(fields: Fields<'_>, findings: &mut Findings<'_>) {
    // What people write out of habit gets a better answer than a list of keys.
    if let Some((key, _)) = fields.entries.iter().find(|(key, _)| key.text == "name") {
        let message = "a motion has no \"name\"".to_owned();
        findings.error("motion-unknown-key", key.at, message, "Name the file instead");
    }
    fields.only_but(&["name"], &KEYS, UnknownKeys::Refused, findings);
}

fn check_format(fields: Fields<'_>, findings: &mut Findings<'_>) {
    let help = format!("Write format = {FORMAT}");
    match fields.get("format") {
        None => {
            let message = "the file does not say its format".to_owned();
            findings.error("motion-format", Spot::Start, message, &help);
        }
        Some(node) => {
            let Some(version) = node.number("format", findings) else { return };
            if version != f64::from(FORMAT) {
                let message = format!("format {version} is not known");
                findings.error("motion-format", node.at, message, &help);
            }
        }
    }
}

fn optional_text(fields: Fields<'_>, key: &str, findings: &mut Findings<'_>) -> String {
    fields.get(key).and_then(|node| node.text(key, findings)).unwrap_or_default()
}

/// Reads a way of interpolation; formats of others share it.
pub(super) fn interpolation(node: &Node, findings: &mut Findings<'_>) -> Option<Interpolation> {
    let word = node.text("interpolation", findings)?;
    let found = Interpolation::from_word(&word);
    if found.is_none() {
        let message = format!("there is no interpolation {:?}", shortened(&word));
        let known = Interpolation::ALL.map(|(_, word)| word);
        findings.error("motion-interpolation", node.at, message, &near::hint(&word, &known));
    }
    found
}

fn goal_time(node: &Node, findings: &mut Findings<'_>) -> Option<f64> {
    match &node.value {
        Value::Text(word) if word == "any" => Some(-1.0),
        _ => node.number("goal_time_tolerance", findings),
    }
}

fn read_tolerance(node: &Node, key: &str, draft: &mut Draft, findings: &mut Findings<'_>) {
    let set = |tolerance: &mut Tolerance, value: f64| match key {
        "path_tolerance" => tolerance.path = Some(value),
        _ => tolerance.goal = Some(value),
    };
    let Value::Table(entries) = &node.value else {
        if let Some(value) = tolerance(node, key, findings) {
            draft.tolerances.iter_mut().for_each(|tolerance| set(tolerance, value));
        }
        return;
    };
    for (joint, node) in entries {
        let value = tolerance(node, &format!("{key} of {}", shortened(&joint.text)), findings);
        let mut known = draft.joints.iter().chain(&draft.kept);
        let index = known.position(|(_, known)| *known == joint.text);
        match (index, value) {
            (Some(index), Some(value)) => set(&mut draft.tolerances[index], value),
            (Some(_), None) => {}
            (None, _) => {
                let message = format!("{key} names {:?}", shortened(&joint.text));
                let known = draft.joints.iter().chain(&draft.kept);
                let known = known.map(|(_, name)| name.as_str());
                let known = known.filter(|_| !findings.is_full());
                let help = match near::nearest(&joint.text, known) {
                    Some(near) => format!("Did you mean {near:?}?"),
                    None => "Name one of joints".to_owned(),
                };
                findings.error("motion-joint", joint.at, message, &help);
            }
        }
    }
}

fn tolerance(node: &Node, what: &str, findings: &mut Findings<'_>) -> Option<f64> {
    let help = "Write how far a joint may be off, or \"any\"";
    match &node.value {
        Value::Text(word) if word == "any" => Some(f64::INFINITY),
        Value::Number(value) if *value >= 0.0 && value.is_finite() => Some(*value),
        Value::Number(value) => {
            findings.error("motion-tolerance", node.at, format!("{what} is {value}"), help);
            None
        }
        Value::Text(word) => {
            let message = format!("{what} is {:?}", shortened(word));
            findings.error("motion-tolerance", node.at, message, help);
            None
        }
        _ => node.number(what, findings),
    }
}

fn read_point(node: &Node, findings: &mut Findings<'_>) -> Option<DraftPoint> {
    let fields = node.fields("a waypoint", findings)?;
    fields.only(&WAYPOINT_KEYS, UnknownKeys::Refused, findings);
    let (time_at, time_secs) = time(fields, "a waypoint", findings);
    let positions = fields.require("positions", "a waypoint", findings);
    let list = |key: &str, findings: &mut Findings<'_>| -> Option<Numbers> {
        fields.get(key)?.numbers(key, findings)
    };
    Some(DraftPoint {
        at: node.at,
        time_secs,
        time_at,
        positions: positions.and_then(|node| node.numbers("positions", findings)),
        velocities: list("velocities", findings),
        accelerations: list("accelerations", findings),
        kept: list("kept", findings),
        enabled: fields
            .get("enabled")
            .is_none_or(|node| node.flag("enabled", findings) != Some(false)),
        note: optional_text(fields, "note", findings),
    })
}

fn time(fields: Fields<'_>, what: &str, findings: &mut Findings<'_>) -> (Spot, f64) {
    match fields.require("time", what, findings) {
        Some(node) => (node.at, node.number("time", findings).unwrap_or(f64::NAN)),
        None => (fields.at, f64::NAN),
    }
}

fn read_action(node: &Node, findings: &mut Findings<'_>) -> Option<(Spot, TimedAction)> {
    let fields = node.fields("an action", findings)?;
    fields.only(&ACTION_KEYS, UnknownKeys::Refused, findings);
    let (at, time_secs) = time(fields, "an action", findings);
    let kind = fields.require("type", "an action", findings);
    let kind = kind.and_then(|node| node.text("type", findings)).unwrap_or_default();
    let command = optional_text(fields, "command", findings);
    let options = optional_text(fields, "options", findings);
    Some((at, TimedAction { time_secs, command: TextCommand { kind, command, options } }))
}

/// Writes a motion; nothing is lost.
pub(super) fn write(motion: &Motion) -> String {
    let mut text = format!("format = {FORMAT}\n");
    let mut line = |key: &str, value: String| {
        let _ = writeln!(text, "{key} = {value}");
    };
    if !motion.description.is_empty() {
        line("description", quote(&motion.description));
    }
    line("interpolation", quote(motion.interpolation.word()));
    if let Some(secs) = motion.goal_time_tolerance_secs {
        let any = secs == -1.0;
        line("goal_time_tolerance", if any { quote("any") } else { number(secs) });
    }
    let names = |joints: &mut dyn Iterator<Item = &String>| {
        let joints: Vec<String> = joints.map(|joint| quote(joint)).collect();
        format!("[{}]", joints.join(", "))
    };
    line("joints", names(&mut motion.joints.iter()));
    if !motion.kept.is_empty() {
        line("kept", names(&mut motion.kept.iter().map(|kept| &kept.name)));
    }
    if let Some(value) = tolerance_text(motion, |tolerance| tolerance.path) {
        line("path_tolerance", value);
    }
    if let Some(value) = tolerance_text(motion, |tolerance| tolerance.goal) {
        line("goal_tolerance", value);
    }
    if !motion.waypoints.is_empty() {
        text.push_str("\nwaypoints = [\n");
        write_points(motion, &mut text);
        text.push_str("]\n");
    }
    if !motion.actions.is_empty() {
        text.push_str("\nactions = [\n");
        motion.actions.iter().for_each(|action| write_action(action, &mut text));
        text.push_str("]\n");
    }
    text
}

/// Writes one value when all joints have the same, otherwise a table of those that have one.
fn tolerance_text(motion: &Motion, of: impl Fn(&Tolerance) -> Option<f64>) -> Option<String> {
    let text = |value: f64| if value.is_finite() { number(value) } else { quote("any") };
    let kept = motion.kept.iter().map(|kept| (&kept.name, &kept.tolerance));
    let pairs = motion.joints.iter().zip(&motion.tolerances).chain(kept);
    let first = pairs.clone().next().and_then(|(_, tolerance)| of(tolerance));
    let all_same = pairs.clone().all(|(_, tolerance)| of(tolerance) == first);
    if all_same && motion.tolerances.len() == motion.joints.len() {
        return first.map(text);
    }
    let pairs = pairs.filter_map(|(joint, tolerance)| Some((joint, of(tolerance)?)));
    let pairs = pairs.map(|(joint, value)| format!("{} = {}", key(joint), text(value)));
    Some(format!("{{ {} }}", pairs.collect::<Vec<_>>().join(", ")))
}

fn key(joint: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    if !joint.is_empty() && joint.bytes().all(plain) { joint.to_owned() } else { quote(joint) }
}

/// Writes one line for each waypoint, with the numbers below one another.
fn write_points(motion: &Motion, text: &mut String) {
    let rows: Vec<Vec<String>> = motion.waypoints.iter().map(cells).collect();
    let columns = 1 + motion.joints.len();
    let width = |column: usize| {
        rows.iter().filter_map(|row| row.get(column)).map(String::len).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    for (waypoint, row) in motion.waypoints.iter().zip(&rows) {
        let padded = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:>width$}"));
        let padded: Vec<String> = padded.collect();
        let (time, positions) = padded.split_first().map_or(("", &[][..]), |(t, p)| (t, p));
        let _ = write!(text, "  {{ time = {time}, positions = [{}]", positions.join(", "));
        write_rest(waypoint, text);
        text.push_str(" },\n");
    }
}

fn cells(waypoint: &Waypoint) -> Vec<String> {
    let values = std::iter::once(&waypoint.time_secs).chain(&waypoint.positions);
    values.map(|value| number(*value)).collect()
}

fn write_rest(waypoint: &Waypoint, text: &mut String) {
    let Waypoint { velocities, accelerations, kept, .. } = waypoint;
    let lists = [("velocities", velocities), ("accelerations", accelerations), ("kept", kept)];
    for (key, list) in lists {
        if !list.is_empty() {
            let _ = write!(text, ", {key} = {}", numbers(list));
        }
    }
    if !waypoint.enabled {
        text.push_str(", enabled = false");
    }
    if !waypoint.note.is_empty() {
        let _ = write!(text, ", note = {}", quote(&waypoint.note));
    }
}

fn write_action(action: &TimedAction, text: &mut String) {
    let TextCommand { kind, command, options } = &action.command;
    let time = number(action.time_secs);
    let _ = write!(text, "  {{ time = {time}, type = {}", quote(kind));
    for (key, value) in [("command", command), ("options", options)] {
        if !value.is_empty() {
            let _ = write!(text, ", {key} = {}", quote(value));
        }
    }
    text.push_str(" },\n");
}
