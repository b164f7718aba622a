//! Webots `.motion`: a line for each pose, straight lines between them.
//!
//! A `*` leaves a joint alone at a pose. A waypoint has all joints, so the joint is put on the
//! straight line between the nearest poses that name it, or holds the first or last that does.

use super::draft::{Draft, DraftPoint};
use super::findings::{Findings, Spot};
use super::limits::{MAX_JOINTS, MAX_VALUES};
use super::print::number;
use super::tree::{Numbers, shortened};
use super::{CannotExport, Format, Written};
use crate::{Interpolation, Motion, Tolerance};

const MARK: &str = "#WEBOTS_MOTION";
const VERSION: &str = "V1.0";

/// One line after the first.
struct Row {
    line: usize,
    time_secs: f64,
    pose: String,
    /// None where there is a `*`, or what was told already.
    values: Vec<Option<f64>>,
}

/// Reads the motion of a file.
pub(super) fn read(text: &str, name: &str, findings: &mut Findings<'_>) -> Vec<Motion> {
    if text.bytes().filter(|byte| matches!(byte, b',' | b'\n')).count() > MAX_VALUES {
        let message = format!("more than {MAX_VALUES} values");
        findings.error("motion-limit", Spot::Start, message, "Split the motion");
        return Vec::new();
    }
    let mut lines = text.lines().enumerate().map(|(index, line)| (index + 1, line));
    let mut draft = Draft::named(name);
    draft.interpolation = Interpolation::Linear;
    match read_head(lines.next().map_or("", |(_, line)| line), findings) {
        Some(joints) => draft.joints = joints,
        None => return Vec::new(),
    }
    let rows = lines.filter(|(_, line)| !line.trim().is_empty());
    let rows: Vec<Row> =
        rows.filter_map(|(at, line)| read_row(line, at, draft.joints.len(), findings)).collect();
    let columns = fill_columns(&mut draft, &rows, findings);
    draft.points = (0..rows.len()).map(|index| point(index, &rows, &columns)).collect();
    draft.finish(findings).into_iter().collect()
}

fn read_head(line: &str, findings: &mut Findings<'_>) -> Option<Vec<(Spot, String)>> {
    let mut cells = cells(line, 1);
    let mark = cells.next().map_or("", |(_, cell)| cell);
    let version = cells.next().map_or("", |(_, cell)| cell);
    if mark != MARK || version != VERSION {
        let help = format!("Begin with {MARK},{VERSION} and the joints");
        let message = format!("the file begins with {:?}", shortened(line));
        findings.error("motion-format", Spot::Start, message, &help);
        return None;
    }
    let joints: Vec<_> = cells.map(|(at, cell)| (at, cell.to_owned())).collect();
    if joints.len() > MAX_JOINTS {
        let message = format!("there are {} joints", joints.len());
        let help = format!("At most {MAX_JOINTS} are read; split the motion");
        findings.error("motion-limit", Spot::Start, message, &help);
        return None;
    }
    Some(joints)
}

/// Splits a line at its commas; each cell with its place.
fn cells(line: &str, number: usize) -> impl Iterator<Item = (Spot, &str)> {
    let mut column = 1;
    line.split(',').map(move |cell| {
        let blank = cell.chars().take_while(|letter| letter.is_whitespace()).count();
        let at = Spot::at(number, column + blank);
        column += cell.chars().count() + 1;
        (at, cell.trim())
    })
}

fn read_row(line: &str, at: usize, joints: usize, findings: &mut Findings<'_>) -> Option<Row> {
    let mut cells = cells(line, at);
    let (time_at, time) = cells.next()?;
    let time_secs = read_time(time).unwrap_or_else(|| {
        let message = format!("{:?} is not a time", shortened(time));
        findings.error("motion-time", time_at, message, "Write [[minutes:]seconds:]milliseconds");
        f64::NAN
    });
    let pose = cells.next().map_or("", |(_, cell)| cell).to_owned();
    let mut values = Vec::new();
    for (at, cell) in cells {
        values.push(read_value(cell, at, findings));
    }
    if values.len() != joints {
        let message =
            format!("the pose has {} values, and there are {joints} joints", values.len());
        findings.error("motion-size", Spot::at(at, 1), message, "Write one for each joint, or *");
        return None;
    }
    Some(Row { line: at, time_secs, pose, values })
}

fn read_time(text: &str) -> Option<f64> {
    let parts: Option<Vec<u64>> = text.split(':').map(|part| part.parse().ok()).collect();
    let millis = match parts?.as_slice() {
        [millis] => u128::from(*millis),
        [secs, millis] => u128::from(*secs) * 1000 + u128::from(*millis),
        [minutes, secs, millis] => {
            u128::from(*minutes) * 60_000 + u128::from(*secs) * 1000 + u128::from(*millis)
        }
        _ => return None,
    };
    Some(millis as f64 / 1000.0)
}

fn read_value(cell: &str, at: Spot, findings: &mut Findings<'_>) -> Option<f64> {
    if cell == "*" {
        return None;
    }
    let value = cell.parse().ok().filter(|value: &f64| value.is_finite());
    if value.is_none() {
        let message = format!("{:?} is not a position", shortened(cell));
        findings.error("motion-number", at, message, "Write a finite number, or *");
    }
    value
}

/// Returns the values of each joint at all poses; joints that no pose names are taken out.
fn fill_columns(draft: &mut Draft, rows: &[Row], findings: &mut Findings<'_>) -> Vec<Vec<f64>> {
    let mut columns = Vec::new();
    let mut kept = Vec::new();
    for (index, (at, joint)) in std::mem::take(&mut draft.joints).into_iter().enumerate() {
        let known =
            rows.iter().enumerate().filter_map(|(row, all)| Some((row, all.values[index]?)));
        let known: Vec<(usize, f64)> = known.collect();
        if known.is_empty() && !rows.is_empty() {
            let message = format!("no pose names joint {:?}", shortened(&joint));
            findings.warning("motion-left-out", at, message, "It is left out");
            continue;
        }
        kept.push((at, joint));
        columns.push(filled(&known, rows));
    }
    draft.joints = kept;
    columns
}

fn filled(known: &[(usize, f64)], rows: &[Row]) -> Vec<f64> {
    let at = |row: usize| {
        let after = known.partition_point(|(known, _)| *known < row);
        match (after.checked_sub(1).and_then(|before| known.get(before)), known.get(after)) {
            (_, Some((exact, value))) if *exact == row => *value,
            (Some((a, from)), Some((b, to))) => {
                let (start, end) = (rows[*a].time_secs, rows[*b].time_secs);
                let share = (rows[row].time_secs - start) / (end - start);
                from + (to - from) * share
            }
            (Some((_, value)), None) | (None, Some((_, value))) => *value,
            (None, None) => 0.0,
        }
    };
    (0..rows.len()).map(at).collect()
}

fn point(index: usize, rows: &[Row], columns: &[Vec<f64>]) -> DraftPoint {
    let row = &rows[index];
    let at = Spot::at(row.line, 1);
    let values = columns.iter().map(|column| column[index]).collect();
    let mut point = DraftPoint::new(at, row.time_secs, Numbers { at, values });
    if row.pose != pose_name(index) {
        point.note.clone_from(&row.pose);
    }
    point
}

/// Returns the name of a pose that has none of its own; Webots wants one.
fn pose_name(index: usize) -> String {
    format!("Pose{}", index + 1)
}

/// Writes a motion.
pub(super) fn write(motion: &Motion) -> Result<Written, CannotExport> {
    let refuse = |reason: String| Err(CannotExport::of(Format::Webots, reason));
    let cell_like = |text: &str| !text.contains([',', '\n', '\r']) && text.trim() == text;
    if let Some(joint) = motion.joints.iter().find(|joint| !cell_like(joint)) {
        return refuse(format!("joint {joint:?} has a comma, or blanks around it"));
    }
    let mut lost = lost(motion);
    let mut text = format!("{MARK},{VERSION}");
    motion.joints.iter().for_each(|joint| text.push_str(&format!(",{joint}")));
    text.push('\n');
    let mut before = None;
    for (index, waypoint) in motion.enabled().enumerate() {
        let millis = (waypoint.time_secs * 1000.0).round();
        if millis >= u64::MAX as f64 || before.is_some_and(|before| before >= millis) {
            return refuse(format!("the time {} s is not apart in ms", waypoint.time_secs));
        }
        before = Some(millis);
        let mut pose = waypoint.note.clone();
        if !cell_like(&pose) {
            pose = pose.replace([',', '\n', '\r'], " ").trim().to_owned();
            lost.push(format!("commas and line ends in the note of waypoint {}", index + 1));
        }
        if pose.is_empty() {
            pose = pose_name(index);
        }
        text.push_str(&format!("{},{pose}", time_text(millis as u64)));
        waypoint.positions.iter().for_each(|value| text.push_str(&format!(",{}", number(*value))));
        text.push('\n');
    }
    Ok(Written { text, lost })
}

fn time_text(millis: u64) -> String {
    format!("{:02}:{:02}:{:03}", millis / 60_000, millis / 1000 % 60, millis % 1000)
}

fn lost(motion: &Motion) -> Vec<String> {
    let mut lost = super::lost_of_disabled(motion);
    lost.extend(super::lost_of_kept(motion));
    lost.extend(super::lost_of_derivatives(motion));
    lost.extend(super::lost_of_actions(motion));
    lost.extend(super::lost_of_interpolation(motion, Interpolation::Linear));
    let rounds = |time: f64| ((time * 1000.0).round() / 1000.0 - time).abs() > 1e-6;
    if motion.enabled().any(|waypoint| rounds(waypoint.time_secs)) {
        lost.push("times, which are rounded to ms".to_owned());
    }
    if !motion.description.is_empty() {
        lost.push("the description".to_owned());
    }
    if motion.tolerances.iter().any(|tolerance| *tolerance != Tolerance::default()) {
        lost.push("the tolerances".to_owned());
    }
    if motion.goal_time_tolerance_secs.is_some() {
        lost.push("the goal time tolerance".to_owned());
    }
    lost
}
