//! Named poses: a serialised `JointState` in a JSON file.

use std::collections::BTreeSet;

use super::findings::Findings;
use super::limits::MAX_JOINTS;
use super::tree::{UnknownKeys, from_json, shortened};

const KEYS: [&str; 5] = ["header", "name", "position", "velocity", "effort"];

/// Reads joints and their positions.
pub(super) fn read(text: &str, findings: &mut Findings<'_>) -> Option<Vec<(String, f64)>> {
    let root = from_json(text, findings)?;
    let fields = root.fields("the file", findings)?;
    fields.only(&KEYS, UnknownKeys::Told, findings);
    let names = fields.require("name", "the pose", findings);
    let names = names.and_then(|node| node.texts("name", findings));
    let positions = fields.require("position", "the pose", findings);
    let positions = positions.and_then(|node| node.numbers("position", findings));
    let (names, positions) = (names?, positions?);
    let (count, joints) = (positions.values.len(), names.len());
    if count != joints && !findings.has_errors() {
        let message = format!("there are {count} positions for {joints} joints");
        findings.error("motion-size", positions.at, message, "Write one for each joint");
    }
    if joints > MAX_JOINTS {
        let message = format!("there are {joints} joints");
        findings.error("motion-limit", root.at, message, &format!("At most {MAX_JOINTS} are read"));
    }
    let mut seen = BTreeSet::new();
    for (at, name) in &names {
        if name.is_empty() || !seen.insert(name) {
            let message = format!("joint {:?} has no name, or is named twice", shortened(name));
            findings.error("motion-joint", *at, message, "Name each joint once");
        }
    }
    if findings.has_errors() {
        return None;
    }
    Some(names.into_iter().map(|(_, name)| name).zip(positions.values).collect())
}
