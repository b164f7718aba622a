//! Components as trees of fields, to find out which of them an edit wrote.
//!
//! A field is what a person would call one: a number, a text, a whole vector or colour. Lists of
//! such are looked into, vectors are not.

use retake_msgs::SerializedState;
use rmpv::Value;

use crate::EntityId;

/// A field that an edit gave another value.
#[derive(Clone, Debug, PartialEq)]
pub struct WrittenField {
    /// Whose.
    pub entity: EntityId,
    /// Name of the component.
    pub component: String,
    /// Where in the component, parts joined by dots; empty for all of it.
    pub field: String,
    /// The value before; none when the component was not there.
    pub before: Option<Value>,
    /// The value after; none when the component was taken away.
    pub after: Option<Value>,
}

impl WrittenField {
    /// Says whether the other is the same field, or one holds the other.
    pub fn overlaps(&self, other: &Self) -> bool {
        self.entity == other.entity
            && self.component == other.component
            && (is_within(&self.field, &other.field) || is_within(&other.field, &self.field))
    }
}

fn is_within(field: &str, holder: &str) -> bool {
    match field.strip_prefix(holder) {
        Some(rest) => rest.is_empty() || holder.is_empty() || rest.starts_with('.'),
        None => false,
    }
}

/// Lists the fields of entities that were there before that an edit wrote, in its order.
///
/// What cannot be read is passed over; [`crate::Ecm::merge`] refuses it.
pub fn written_fields(edit: &SerializedState) -> Vec<WrittenField> {
    let mut written = Vec::new();
    for state in edit.entities.iter().filter(|entity| !entity.removed && !entity.replaced) {
        let entity = EntityId::from_raw(state.id);
        for component in &state.components {
            let Some(kind) = edit.types.get(component.type_index as usize) else { continue };
            let after = (!component.removed).then(|| read(&component.value)).flatten();
            let before = component.before.as_deref().and_then(read);
            let mut differing = Vec::new();
            collect("", before.as_ref(), after.as_ref(), &mut differing);
            written.extend(differing.into_iter().map(|(field, before, after)| WrittenField {
                entity,
                component: kind.name.clone(),
                field,
                before: before.cloned(),
                after: after.cloned(),
            }));
        }
    }
    written
}

/// Lays what an edit changed over a value that somebody else may have changed too.
pub(crate) fn merged(before: &Value, after: &Value, there: &Value) -> Value {
    if after == before {
        return there.clone();
    }
    if there == before {
        return after.clone();
    }
    match (parts(before, after), parts(before, there)) {
        (Some(edited), Some(other)) if edited.len() == other.len() => match after {
            Value::Map(pairs) => Value::Map(
                pairs
                    .iter()
                    .zip(edited.iter().zip(&other))
                    .map(|((key, _), (own, theirs))| (key.clone(), merged(own.1, own.2, theirs.2)))
                    .collect(),
            ),
            _ => Value::Array(
                edited
                    .iter()
                    .zip(&other)
                    .map(|(own, theirs)| merged(own.1, own.2, theirs.2))
                    .collect(),
            ),
        },
        _ => after.clone(),
    }
}

pub(crate) fn read(bytes: &[u8]) -> Option<Value> {
    rmpv::decode::read_value(&mut &*bytes).ok()
}

type Difference<'a> = (String, Option<&'a Value>, Option<&'a Value>);

fn collect<'a>(
    path: &str,
    before: Option<&'a Value>,
    after: Option<&'a Value>,
    into: &mut Vec<Difference<'a>>,
) {
    if before == after {
        return;
    }
    match before.zip(after).and_then(|(before, after)| parts(before, after)) {
        Some(parts) => {
            for (name, before, after) in parts {
                let path = if path.is_empty() { name } else { format!("{path}.{name}") };
                collect(&path, Some(before), Some(after), into);
            }
        }
        None => into.push((path.to_owned(), before, after)),
    }
}

/// Splits two values into their common parts, by name; none when they are one field, or differ in
/// what they consist of.
fn parts<'a>(one: &'a Value, other: &'a Value) -> Option<Vec<(String, &'a Value, &'a Value)>> {
    match (one, other) {
        (Value::Map(one), Value::Map(other)) if one.len() == other.len() => {
            let pairs = one.iter().zip(other);
            pairs.map(|((key, a), (same, b))| (key == same).then(|| (name(key), a, b))).collect()
        }
        (Value::Array(one), Value::Array(other))
            if one.len() == other.len() && !one.iter().chain(other).all(is_single) =>
        {
            let pairs = one.iter().zip(other).enumerate();
            Some(pairs.map(|(at, (a, b))| (at.to_string(), a, b)).collect())
        }
        _ => None,
    }
}

fn is_single(value: &Value) -> bool {
    !matches!(value, Value::Map(_) | Value::Array(_))
}

fn name(key: &Value) -> String {
    key.as_str().map_or_else(|| key.to_string(), str::to_owned)
}
