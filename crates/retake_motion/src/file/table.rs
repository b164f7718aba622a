//! CSV: a line for each waypoint, a column for each joint.
//!
//! The first line is `time` and the joints; `<joint>:velocity` and `<joint>:acceleration` are
//! columns of derivatives. A waypoint without derivatives leaves those cells empty.

use super::draft::{Draft, DraftPoint};
use super::findings::{Findings, Spot};
use super::goal_json::given;
use super::limits::{MAX_JOINTS, MAX_VALUES};
use super::print::number;
use super::tree::{Numbers, shortened};
use super::{CannotExport, Format, Written};
use crate::{Motion, Tolerance, Waypoint};

/// What columns can give of a joint, with the end of their names.
const KINDS: [&str; 3] = ["", ":velocity", ":acceleration"];

/// Which columns give what: for each kind, one for each joint, or none at all.
struct Columns {
    joints: Vec<(Spot, String)>,
    of_kind: [Vec<usize>; 3],
    count: usize,
}

/// One line.
struct Record<'a> {
    text: &'a str,
    line: usize,
    cells: csv::StringRecord,
    separator: u8,
}

/// Reads the motion of a file.
pub(super) fn read(text: &str, name: &str, findings: &mut Findings<'_>) -> Vec<Motion> {
    let separator = separator(text);
    if text.bytes().filter(|byte| [separator, b'\n'].contains(byte)).count() > MAX_VALUES {
        let message = format!("more than {MAX_VALUES} values");
        findings.error("motion-limit", Spot::Start, message, "Split the motion");
        return Vec::new();
    }
    let mut records = records(text, separator, findings).into_iter();
    let columns = records.next().and_then(|head| read_head(&head, findings));
    let Some(columns) = columns else {
        if !findings.has_errors() {
            let help = "Begin with a line of time and the joints";
            findings.error("motion-missing", Spot::Start, "the file is empty".to_owned(), help);
        }
        return Vec::new();
    };
    let mut draft = Draft::named(name);
    draft.points = records.filter_map(|record| read_row(&record, &columns, findings)).collect();
    draft.interpolation = given(draft.points.iter().map(|point| point.velocities.is_some()));
    draft.joints = columns.joints;
    draft.finish(findings).into_iter().collect()
}

/// Returns what stands after `time` in the first line.
fn separator(text: &str) -> u8 {
    let head = text.lines().next().unwrap_or("");
    head.bytes().find(|byte| matches!(byte, b',' | b';' | b'\t')).unwrap_or(b',')
}

fn records<'a>(text: &'a str, separator: u8, findings: &mut Findings<'_>) -> Vec<Record<'a>> {
    let mut builder = csv::ReaderBuilder::new();
    builder.has_headers(false).flexible(true).delimiter(separator);
    let mut records = Vec::new();
    for cells in builder.from_reader(text.as_bytes()).into_records() {
        match cells {
            Ok(cells) => {
                let (line, start) =
                    cells.position().map_or((1, 0), |place| (place.line(), place.byte()));
                let (line, start) = (line as usize, start as usize);
                let text = text.get(start..).unwrap_or("");
                records.push(Record { text, line, cells, separator });
            }
            Err(error) => {
                let line = error.position().map_or(1, |place| place.line() as usize);
                let message = error.to_string();
                findings.error("motion-syntax", Spot::at(line, 1), message, "This is not CSV");
                return Vec::new();
            }
        }
    }
    records
}

impl Record<'_> {
    /// Returns where a cell begins; found again in the text, because only faults ask.
    fn spot(&self, cell: usize) -> Spot {
        let (mut cells, mut column, mut quoted) = (0, 1, false);
        for letter in self.text.trim_start_matches(['\r', '\n']).chars() {
            if cells == cell {
                break;
            }
            quoted ^= letter == '"';
            cells += usize::from(letter == char::from(self.separator) && !quoted);
            column += 1;
        }
        Spot::at(self.line, column)
    }
}

fn read_head(head: &Record<'_>, findings: &mut Findings<'_>) -> Option<Columns> {
    if head.cells.get(0).map(str::trim) != Some("time") {
        let first = head.cells.get(0).unwrap_or("");
        let message = format!("the first column is {:?}", shortened(first));
        findings.error("motion-format", head.spot(0), message, "Begin with time and the joints");
        return None;
    }
    if head.cells.len() > 1 + KINDS.len() * MAX_JOINTS {
        let message = format!("there are {} columns", head.cells.len());
        let help = format!("At most {MAX_JOINTS} joints are read; split the motion");
        findings.error("motion-limit", head.spot(0), message, &help);
        return None;
    }
    let mut columns =
        Columns { joints: Vec::new(), of_kind: Default::default(), count: head.cells.len() };
    let mut derived = Vec::new();
    for (index, cell) in head.cells.iter().enumerate().skip(1) {
        let cell = cell.trim();
        match (1..KINDS.len()).find_map(|kind| Some((kind, cell.strip_suffix(KINDS[kind])?))) {
            Some((kind, joint)) => derived.push((index, kind, joint)),
            None => {
                columns.joints.push((head.spot(index), cell.to_owned()));
                columns.of_kind[0].push(index);
            }
        }
    }
    for (kind, word) in KINDS.iter().enumerate().skip(1) {
        let of_kind: Vec<_> = derived.iter().filter(|(_, of, _)| *of == kind).collect();
        let column = |joint: &str| of_kind.iter().find(|(_, _, of)| *of == joint).map(|c| c.0);
        let found: Vec<_> = columns.joints.iter().filter_map(|(_, joint)| column(joint)).collect();
        let complete = found.len() == columns.joints.len() && of_kind.len() == found.len();
        if let (false, Some((index, ..))) = (complete, of_kind.first()) {
            let message = format!("columns of {word} are not one for each joint");
            let help = "Name a column for each joint, or none";
            findings.error("motion-size", head.spot(*index), message, help);
            return None;
        }
        columns.of_kind[kind] = found;
    }
    Some(columns)
}

fn read_row(
    row: &Record<'_>,
    columns: &Columns,
    findings: &mut Findings<'_>,
) -> Option<DraftPoint> {
    if row.cells.len() == 1 && row.cells.get(0).is_none_or(|cell| cell.trim().is_empty()) {
        return None;
    }
    if row.cells.len() != columns.count {
        let message =
            format!("the line has {} cells, the first one {}", row.cells.len(), columns.count);
        findings.error("motion-size", row.spot(0), message, "Write a cell for each column");
        return None;
    }
    let time = read_cell(row, 0, findings).unwrap_or(f64::NAN);
    let at = Spot::at(row.line, 1);
    let mut of_kind = |kind: usize| {
        let cells = &columns.of_kind[kind];
        let empty = |cell: &usize| row.cells.get(*cell).is_none_or(|text| text.trim().is_empty());
        if kind > 0 && cells.iter().all(empty) {
            return None;
        }
        let values = cells.iter().map(|cell| read_cell(row, *cell, findings).unwrap_or(f64::NAN));
        Some(Numbers { at, values: values.collect() })
    };
    let (positions, velocities, accelerations) = (of_kind(0), of_kind(1), of_kind(2));
    let mut point = DraftPoint::new(at, time, positions.unwrap_or_default());
    point.velocities = velocities;
    point.accelerations = accelerations;
    Some(point)
}

fn read_cell(row: &Record<'_>, cell: usize, findings: &mut Findings<'_>) -> Option<f64> {
    let text = row.cells.get(cell).unwrap_or("").trim();
    let value = text.parse().ok().filter(|value: &f64| value.is_finite());
    if value.is_none() {
        let message = format!("{:?} is not a number", shortened(text));
        let at = if findings.is_full() { Spot::Start } else { row.spot(cell) };
        findings.error("motion-number", at, message, "Write a finite number with a point");
    }
    value
}

/// Writes a motion.
pub(super) fn write(motion: &Motion) -> Result<Written, CannotExport> {
    let refuse = |reason: String| CannotExport::of(Format::Csv, reason);
    let ambiguous = |joint: &&String| {
        joint.trim() != joint.as_str() || KINDS[1..].iter().any(|end| joint.ends_with(end))
    };
    if let Some(joint) = motion.joints.iter().find(ambiguous) {
        return Err(refuse(format!("joint {joint:?} would be read as something else")));
    }
    let has = |of: fn(&Waypoint) -> &Vec<f64>| motion.enabled().any(|point| !of(point).is_empty());
    let kinds = [true, has(|point| &point.velocities), has(|point| &point.accelerations)];
    let mut writer = csv::Writer::from_writer(Vec::new());
    let mut head = vec!["time".to_owned()];
    for kind in (0..KINDS.len()).filter(|kind| kinds[*kind]) {
        head.extend(motion.joints.iter().map(|joint| format!("{joint}{}", KINDS[kind])));
    }
    let mut write =
        |cells: &[String]| writer.write_record(cells).map_err(|error| refuse(error.to_string()));
    write(&head)?;
    for waypoint in motion.enabled() {
        let lists = [&waypoint.positions, &waypoint.velocities, &waypoint.accelerations];
        let mut cells = vec![number(waypoint.time_secs)];
        for kind in (0..KINDS.len()).filter(|kind| kinds[*kind]) {
            let value = |index: usize| lists[kind].get(index).map(|value| number(*value));
            cells.extend((0..motion.joints.len()).map(|index| value(index).unwrap_or_default()));
        }
        write(&cells)?;
    }
    let bytes = writer.into_inner().map_err(|error| refuse(error.to_string()))?;
    let text = String::from_utf8(bytes).map_err(|error| refuse(error.to_string()))?;
    Ok(Written { text, lost: lost(motion, kinds[1]) })
}

fn lost(motion: &Motion, has_velocities: bool) -> Vec<String> {
    let mut lost = super::lost_of_waypoints(motion);
    lost.extend(super::lost_of_kept(motion));
    lost.extend(super::lost_of_actions(motion));
    lost.extend(super::lost_of_interpolation(motion, given([has_velocities].into_iter())));
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
