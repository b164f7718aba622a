//! Who wrote which field since the world was paused, to find out when two clients meant the same.

use std::collections::BTreeMap;

use retake_ecm::{EntityId, WrittenField};
use retake_msgs::{EditConflict, EditSide, FieldValue, Numbers, field_value};
use rmpv::Value;

/// Fields that are remembered; beyond it all are forgotten, and later conflicts with them unseen.
const MAX_FIELDS: usize = 200_000;
/// Characters of a value that people are shown.
const MAX_TEXT: usize = 120;

/// The last writer of each field.
#[derive(Default)]
pub(crate) struct Writers {
    by_component: BTreeMap<(EntityId, String), Vec<Write>>,
    count: usize,
}

struct Write {
    field: WrittenField,
    by: Writer,
}

/// Who writes, and as part of what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Writer {
    /// The GUI; 0 for whoever has none.
    pub(crate) gui: u64,
    pub(crate) author: String,
    pub(crate) description: String,
}

impl Writers {
    /// Takes note of what somebody wrote, and returns what of it overrode another's value that the
    /// writer had not seen.
    pub(crate) fn note(&mut self, written: Vec<WrittenField>, by: &Writer) -> Vec<EditConflict> {
        if self.count + written.len() > MAX_FIELDS {
            self.forget();
        }
        written.into_iter().filter_map(|field| self.note_one(field, by)).collect()
    }

    /// Forgets everything: the world goes on.
    pub(crate) fn forget(&mut self) {
        *self = Self::default();
    }

    fn note_one(&mut self, field: WrittenField, by: &Writer) -> Option<EditConflict> {
        let writes = self.by_component.entry((field.entity, field.component.clone())).or_default();
        let overridden = writes.iter().rfind(|write| write.is_overridden_by(&field, by));
        let conflict = overridden.map(|lost| conflict(&field, by, lost));
        let before = writes.len();
        writes.retain(|write| !write.field.overlaps(&field));
        writes.push(Write { field, by: by.clone() });
        self.count = self.count + writes.len() - before;
        conflict
    }
}

impl Write {
    fn is_overridden_by(&self, field: &WrittenField, by: &Writer) -> bool {
        let somebody_else = (self.by.gui, &self.by.author) != (by.gui, &by.author);
        let unseen = self.field.field != field.field || self.field.after != field.before;
        somebody_else
            && unseen
            && self.field.overlaps(field)
            && (self.field.field != field.field || self.field.after != field.after)
    }
}

fn conflict(won: &WrittenField, by: &Writer, lost: &Write) -> EditConflict {
    EditConflict {
        entity: won.entity.raw(),
        name: String::new(),
        component: won.component.clone(),
        field: won.field.clone(),
        won: Some(side(won.after.as_ref(), by)),
        lost: Some(side(lost.field.after.as_ref(), &lost.by)),
    }
}

fn side(value: Option<&Value>, by: &Writer) -> EditSide {
    let text = value.map_or_else(|| "nothing".to_owned(), ToString::to_string);
    EditSide {
        author: by.author.clone(),
        description: by.description.clone(),
        value: value.and_then(field_value),
        text: text.trim_matches('"').chars().take(MAX_TEXT).collect(),
    }
}

/// Writes a field as a message; none when it is no single value.
fn field_value(value: &Value) -> Option<FieldValue> {
    use field_value::Value as Kind;
    let value = match value {
        Value::Nil => Kind::None(true),
        Value::Boolean(flag) => Kind::Flag(*flag),
        Value::String(text) => Kind::Text(text.as_str()?.to_owned()),
        Value::Array(items) => {
            let number = items.iter().map(Value::as_f64).collect::<Option<_>>()?;
            Kind::Numbers(Numbers { number })
        }
        number => Kind::Number(number.as_f64()?),
    };
    Some(FieldValue { value: Some(value) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn writer(gui: u64, author: &str) -> Writer {
        Writer { gui, author: author.to_owned(), description: format!("{author}'s edit") }
    }

    fn write(field: &str, before: f64, after: f64) -> WrittenField {
        WrittenField {
            entity: EntityId::FIRST,
            component: "surface".to_owned(),
            field: field.to_owned(),
            before: Some(before.into()),
            after: Some(after.into()),
        }
    }

    #[test]
    fn one_field_twice_is_a_conflict_and_another_is_none() {
        let (ann, bob) = (writer(1, "page"), writer(2, "page"));
        let mut writers = Writers::default();
        assert_eq!(writers.note(vec![write("friction.mu", 1.0, 0.5)], &ann), []);
        assert_eq!(writers.note(vec![write("bounce", 0.0, 0.5)], &bob), []);
        let found = writers.note(vec![write("friction.mu", 1.0, 0.2)], &bob);
        let [conflict] = found.as_slice() else { panic!("one conflict, got {found:?}") };
        let text = |side: &Option<EditSide>| side.as_ref().unwrap().text.clone();
        assert_eq!((text(&conflict.won), text(&conflict.lost)), ("0.2".into(), "0.5".into()));
        // A whole component written over one of its fields is one too.
        let whole = WrittenField { before: None, ..write("", 0.0, 0.1) };
        assert_eq!(writers.note(vec![whole], &ann).len(), 1);
    }

    #[test]
    fn who_saw_the_value_or_gives_the_same_is_not_in_conflict() {
        let (ann, bob) = (writer(1, "ann"), writer(2, "bob"));
        let mut writers = Writers::default();
        writers.note(vec![write("mu", 1.0, 0.5)], &ann);
        assert_eq!(writers.note(vec![write("mu", 0.5, 0.3)], &ann), []);
        assert_eq!(writers.note(vec![write("mu", 0.3, 0.2)], &bob), []);
        assert_eq!(writers.note(vec![write("mu", 0.3, 0.2)], &ann), []);
        writers.forget();
        assert_eq!(writers.note(vec![write("mu", 1.0, 0.7)], &bob), []);
    }
}
