//! Compares a resolved file with the answer of the reference parser.

use serde_json::Value;

/// How far numbers may be apart, relative to those above one.
const TOLERANCE: f64 = 1e-9;
/// Beyond this SDF means "no limit".
const UNLIMITED: f64 = 1e16;
/// Most differences that are told of one file.
const MAX_TOLD: usize = 8;

/// Parts of an answer that say how the reference was run, or that it words its own way.
const NOT_COMPARED: [&str; 10] = [
    "file",
    "needs",
    "sdformat",
    "version",
    "errors",
    "unresolved",
    "pose_errors",
    "actor",
    "light",
    // Given by the reference only for poses, which are compared in the world's frame.
    "joint_frame",
];

/// Lists where `ours` differs from `reference`.
pub fn differences(ours: &Value, reference: &Value) -> Vec<String> {
    let mut found = Vec::new();
    compare(ours, reference, "", &mut found);
    let more = found.len().saturating_sub(MAX_TOLD);
    found.truncate(MAX_TOLD);
    if more > 0 {
        found.push(format!("and {more} more"));
    }
    found
}

fn compare(ours: &Value, reference: &Value, path: &str, found: &mut Vec<String>) {
    match (ours, reference) {
        (Value::Object(a), Value::Object(b)) => {
            for (key, wanted) in b.iter().filter(|(key, _)| !NOT_COMPARED.contains(&key.as_str())) {
                let inner = format!("{path}/{key}");
                match a.get(key) {
                    Some(value) => compare(value, wanted, &inner, found),
                    None => found.push(format!("{inner}: missing")),
                }
            }
        }
        (Value::Array(a), Value::Array(b)) if path.ends_with("pose_world") => {
            if !same_pose(a, b) {
                found.push(format!("{path}: {ours} instead of {reference}"));
            }
        }
        (Value::Array(a), Value::Array(b)) => lists(a, b, path, found),
        (a, b) => {
            let same = match (number(a), number(b)) {
                (Some(a), Some(b)) => close(a, b),
                _ => a == b,
            };
            if !same {
                found.push(format!("{path}: {a} instead of {b}"));
            }
        }
    }
}

fn lists(a: &[Value], b: &[Value], path: &str, found: &mut Vec<String>) {
    if a.len() != b.len() {
        let names = |list: &[Value]| list.iter().map(name).collect::<Vec<_>>().join(" ");
        let (ours, theirs) = (names(a), names(b));
        found.push(format!("{path}: {} [{ours}] instead of {} [{theirs}]", a.len(), b.len()));
        return;
    }
    for (index, (a, b)) in a.iter().zip(b).enumerate() {
        let shown = b["name"].as_str().map_or_else(|| index.to_string(), str::to_owned);
        compare(a, b, &format!("{path}/{shown}"), found);
    }
}

fn name(value: &Value) -> String {
    value["name"].as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => match text.as_str() {
            "inf" => Some(f64::INFINITY),
            "-inf" => Some(f64::NEG_INFINITY),
            _ => None,
        },
        _ => None,
    }
}

fn close(a: f64, b: f64) -> bool {
    let clamped = |value: f64| value.clamp(-UNLIMITED, UNLIMITED);
    let (a, b) = (clamped(a), clamped(b));
    (a - b).abs() <= TOLERANCE * b.abs().max(1.0)
}

/// A quaternion and its negative are one rotation.
fn same_pose(a: &[Value], b: &[Value]) -> bool {
    let numbers = |list: &[Value]| list.iter().filter_map(number).collect::<Vec<_>>();
    let (a, b) = (numbers(a), numbers(b));
    if a.len() != 7 || b.len() != 7 {
        return false;
    }
    let all = |sign: f64| a[3..].iter().zip(&b[3..]).all(|(&a, &b)| close(sign * a, b));
    a[..3].iter().zip(&b[..3]).all(|(&a, &b)| close(a, b)) && (all(1.0) || all(-1.0))
}
