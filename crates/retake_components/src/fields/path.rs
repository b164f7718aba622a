//! Ways into the tree of a component.

use rmpv::Value;

/// Longest list that a path can lead into; more digits are no position.
const MAX_DIGITS: usize = 6;

/// Reads a position in a list.
pub(super) fn position(part: &str) -> Option<usize> {
    let digits = part.bytes().all(|byte| byte.is_ascii_digit()) && part.len() <= MAX_DIGITS;
    part.parse().ok().filter(|_| digits)
}

/// Adds a part to a path.
pub(super) fn joined(path: &str, part: &str) -> String {
    if path.is_empty() { part.to_owned() } else { format!("{path}.{part}") }
}

/// Splits a path; the empty one has no parts.
pub(super) fn parts(path: &str) -> impl DoubleEndedIterator<Item = &str> {
    path.split('.').filter(|part| !part.is_empty())
}

/// Finds the value of a key in a map.
pub(super) fn entry<'v>(value: &'v Value, key: &str) -> Option<&'v Value> {
    let entries = value.as_map()?;
    entries.iter().find(|(name, _)| name.as_str() == Some(key)).map(|(_, value)| value)
}

/// Finds the value of a key in a map, for writing.
pub(super) fn entry_mut<'v>(value: &'v mut Value, key: &str) -> Option<&'v mut Value> {
    let Value::Map(entries) = value else { return None };
    entries.iter_mut().find(|(name, _)| name.as_str() == Some(key)).map(|(_, value)| value)
}
