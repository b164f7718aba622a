//! Name and unit in one heading: `box::pose.position.x [m]`.

use super::SIGNAL;

/// Joins a name and its unit.
///
/// A name that alone would be read as something else gets an empty unit: `list [0] []`.
pub(super) fn join(name: &str, unit: &str) -> String {
    let clear = split(name) == (name, "") && !name.eq_ignore_ascii_case(SIGNAL);
    if unit.is_empty() && clear { name.to_owned() } else { format!("{name} [{unit}]") }
}

/// Splits a heading into name and unit; the unit is empty if there is none.
pub(super) fn split(heading: &str) -> (&str, &str) {
    let parts = heading.strip_suffix(']').and_then(|rest| rest.rsplit_once(" ["));
    parts.unwrap_or((heading, ""))
}
