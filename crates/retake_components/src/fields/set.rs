//! Changing a field in the tree of a component.

use retake_description::Element;
use retake_diag::Diagnostics;
use retake_ecm::Component;
use retake_math::{Quat, Vec3, unit_quat, unit_vec};
use retake_msgs::field_value::Value as Given;
use retake_msgs::{FieldChange, FieldValue};
use rmpv::Value;
use thiserror::Error;

use super::judge::{self, From};
use super::path::{entry_mut, joined, parts, position};
use super::words::shown;
use super::{EditableComponent, Field, FieldShape, default, tree};
use crate::JointSpec;

/// Why a field cannot be changed; the tree is not to be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FieldError {
    /// The component has no such field.
    #[error("{component} has no field {field:?}. Known: {}", known.join(", "))]
    Unknown {
        /// The component.
        component: &'static str,
        /// What was asked for.
        field: String,
        /// The fields that it has.
        known: Vec<&'static str>,
    },
    /// The value does not fit the field.
    #[error("{} is {given}; {expected}", named(component, field))]
    Bad {
        /// The component.
        component: &'static str,
        /// The field.
        field: String,
        /// What was given.
        given: String,
        /// What would have been taken.
        expected: String,
    },
    /// The field is part of something that is not there.
    #[error("there is no {}: {} is {present}", named(component, field), named(component, at))]
    Absent {
        /// The component.
        component: &'static str,
        /// The field.
        field: String,
        /// The field that decides about it.
        at: String,
        /// What that is.
        present: String,
    },
    /// The list is shorter.
    #[error(
        "there is no {}: {} has {count} entries, counted from 0",
        named(component, field),
        named(component, list)
    )]
    NoEntry {
        /// The component.
        component: &'static str,
        /// The field.
        field: String,
        /// The list.
        list: String,
        /// How many entries it has.
        count: usize,
    },
}

/// Writes a component and the path of one of its fields as people write them.
pub(crate) fn named(component: &str, field: &str) -> String {
    if field.is_empty() { component.to_owned() } else { format!("{component}.{field}") }
}

/// Changes a field in the tree of a component, and returns what is said of the field.
///
/// A part that is not there begins with its default; another kind of shape begins with a similar
/// size. Where only a direction or a rotation counts, it gets length one.
///
/// # Errors
/// [`FieldError`] says what would have been right.
pub fn set_field(
    component: &'static EditableComponent,
    root: &mut Value,
    change: &FieldChange,
) -> Result<&'static Field, FieldError> {
    let path = change.field.as_str();
    let unknown = || FieldError::Unknown {
        component: component.name,
        field: path.chars().take(MOST_SHOWN).collect(),
        known: component.fields.iter().map(|field| field.path).collect(),
    };
    let field = component.field(path).ok_or_else(unknown)?;
    let absent = FieldValue::default();
    let value = change.value.as_ref().unwrap_or(&absent);
    let bad = |expected: String| FieldError::Bad {
        component: component.name,
        field: path.to_owned(),
        given: shown(value),
        expected,
    };
    if let Some(expected) = judge::fault(field, value, From::Edit) {
        return Err(bad(expected));
    }
    let to = Target { component, field, path };
    if field.is_entry() {
        to.set_entry(root, value)?;
        return Ok(field);
    }
    let slot = to.descend(root, parts(path))?;
    *slot = to.new_value(slot, value).map_err(bad)?;
    if (component.name, path) == (JointSpec::NAME, "kind") {
        default::fit_axes(root);
    }
    Ok(field)
}

/// How much of what was given is shown again, in characters.
const MOST_SHOWN: usize = 80;
/// Most entries of a list that grows by edits.
const MOST_ENTRIES: usize = 10_000;

struct Target<'a> {
    component: &'static EditableComponent,
    field: &'static Field,
    path: &'a str,
}

impl Target<'_> {
    /// Follows the parts of a path down; parts that may be there begin with their default.
    fn descend<'v, 'p>(
        &self,
        root: &'v mut Value,
        parts: impl Iterator<Item = &'p str>,
    ) -> Result<&'v mut Value, FieldError> {
        let mut at = String::new();
        let mut slot = root;
        for part in parts {
            self.begin(&at, slot);
            if let Some(present) = self.other_kind(&at, slot, part) {
                return Err(self.absent(&at, present));
            }
            slot = match slot {
                Value::Array(entries) => {
                    let (count, index) = (entries.len(), position(part));
                    let entry = index.and_then(|index| entries.get_mut(index));
                    entry.ok_or_else(|| self.no_entry(&at, count))?
                }
                other => {
                    let present = tree::variant(other).unwrap_or("not there").to_owned();
                    entry_mut(other, part).ok_or_else(|| self.absent(&at, present))?
                }
            };
            at = joined(&at, part);
        }
        Ok(slot)
    }

    /// Gives a part that is not there its default.
    fn begin(&self, at: &str, slot: &mut Value) {
        let is_part = |field: &Field| matches!(field.shape, FieldShape::Part);
        if !slot.is_nil() {
            return;
        }
        if let Some(field) = self.component.field(at).filter(|field| is_part(field))
            && let Some(default) = default::part(self.component.name, field.path)
        {
            *slot = default;
        }
    }

    /// Says what stands here when the path wants another kind of it.
    fn other_kind(&self, at: &str, slot: &Value, part: &str) -> Option<String> {
        let decides = self.component.field(at);
        decides.filter(|field| matches!(field.shape, FieldShape::Variant(_)))?;
        let present = tree::variant(slot).unwrap_or_default();
        (present != part).then(|| present.to_owned())
    }

    /// Changes, adds or removes an entry of a list.
    fn set_entry(&self, root: &mut Value, value: &FieldValue) -> Result<(), FieldError> {
        let mut before: Vec<&str> = parts(self.path).collect();
        let index = before.pop().and_then(position).unwrap_or_default();
        let list = self.descend(root, before.iter().copied())?;
        let at = before.join(".");
        let Value::Array(entries) = list else { return Err(self.no_entry(&at, 0)) };
        let count = entries.len();
        match &value.value {
            Some(Given::None(_)) if index < count => drop(entries.remove(index)),
            Some(Given::Numbers(numbers)) if index < count => {
                entries[index] = tree::list(&numbers.number);
            }
            Some(Given::Numbers(numbers)) if index == count && count < MOST_ENTRIES => {
                entries.push(tree::list(&numbers.number));
            }
            _ => return Err(self.no_entry(&at, count)),
        }
        Ok(())
    }

    /// Returns what is to stand where `present` does, or what should have been given.
    fn new_value(&self, present: &Value, value: &FieldValue) -> Result<Value, String> {
        if let (FieldShape::Xml, Some(Given::Text(text))) = (&self.field.shape, &value.value) {
            return elements(present, text);
        }
        self.plain_value(present, value).ok_or_else(|| judge::expected(self.field))
    }

    /// The same for all but XML; the value was judged before.
    fn plain_value(&self, present: &Value, value: &FieldValue) -> Option<Value> {
        let name = self.component.name;
        Some(match (&self.field.shape, value.value.as_ref()?) {
            (FieldShape::Part, Given::Flag(true)) if present.is_nil() => {
                default::part(name, self.field.path)?
            }
            (FieldShape::Part, Given::Flag(true)) => present.clone(),
            (FieldShape::Part, _) | (_, Given::None(_)) => Value::Nil,
            (FieldShape::Variant(_), Given::Text(kind)) => match tree::variant(present) {
                Some(there) if there == kind => present.clone(),
                _ => default::variant(name, self.field.path, kind, present)?,
            },
            (FieldShape::Integer { .. }, Given::Number(number)) => Value::from(*number as u64),
            (FieldShape::Vector { unit: true, .. }, Given::Numbers(numbers)) => {
                let vector = Vec3::from_slice(numbers.number.get(..3)?);
                tree::list(&unit_vec(vector)?.to_array())
            }
            (FieldShape::Pose, Given::Numbers(numbers)) => {
                tree::pose(&with_unit_rotation(&numbers.number)?)
            }
            (_, Given::Number(number)) => Value::F64(*number),
            (_, Given::Flag(flag)) => Value::Boolean(*flag),
            (_, Given::Text(text)) => text.as_str().into(),
            (_, Given::Numbers(numbers)) => tree::list(&numbers.number),
            (_, Given::Entity(id)) => Value::from(*id),
        })
    }

    fn absent(&self, at: &str, present: String) -> FieldError {
        let (field, at) = (self.path.to_owned(), at.to_owned());
        FieldError::Absent { component: self.component.name, field, at, present }
    }

    fn no_entry(&self, list: &str, count: usize) -> FieldError {
        let (field, list) = (self.path.to_owned(), list.to_owned());
        FieldError::NoEntry { component: self.component.name, field, list, count }
    }
}

fn with_unit_rotation(numbers: &[f64]) -> Option<[f64; 7]> {
    let mut pose: [f64; 7] = numbers.try_into().ok()?;
    let rotation = unit_quat(Quat::from_slice(pose.get(3..)?));
    pose[3..].copy_from_slice(&rotation.to_array());
    Some(pose)
}

/// Reads XML; attributes that stand in the tag around it stay as they are.
fn elements(present: &Value, text: &str) -> Result<Value, String> {
    let mut found = Diagnostics::new();
    let read = retake_sdf::parse_elements(text, "text", &mut found);
    let mut read = read.ok_or_else(|| found.to_string())?;
    let own = tree::nameless(present).map(|own| own.attributes).unwrap_or_default();
    match read.first_mut().filter(|first| first.name.is_empty()) {
        Some(first) => first.attributes = own,
        None if own.is_empty() => {}
        None => read.insert(0, Element::own(own)),
    }
    Ok(tree::elements(&read))
}
