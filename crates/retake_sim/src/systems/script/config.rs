//! What a plugin tells its script.

use prost_reflect::MessageDescriptor;
use retake_components::path_of;
use retake_description::Element;
use retake_ecm::Ecm;
use retake_script::{Key, Table, Value};

use super::messages::message_type;
use crate::system::SystemError;
use crate::systems::{Attachment, Params};

/// A topic that a script hears.
pub(super) struct Subscription {
    pub(super) topic: String,
    pub(super) kind: MessageDescriptor,
}

/// Reads `<subscribe topic="/t" type="Double"/>`.
pub(super) fn subscriptions(params: &Params<'_>) -> Result<Vec<Subscription>, SystemError> {
    let read = |element: &Element| {
        let inner = Params::of(element);
        let topic = inner.required("topic")?.to_owned();
        let kind = message_type(inner.text("type").unwrap_or("Double"));
        let kind = kind.map_err(|reason| SystemError::Unfit { reason })?;
        Ok(Subscription { topic, kind })
    };
    params.elements("subscribe").map(read).collect()
}

/// Returns the fields of `api` that never vary: names and parameters.
pub(super) fn constants(at: &Attachment, ecm: &Ecm) -> Table {
    let (params, lists) = parameters(&at.config.body);
    let named = |name: &str, value| (Key::Text(name.to_owned()), value);
    Table::from([
        named("name", Value::Text(path_of(ecm, at.plugin))),
        named("holder", Value::Text(path_of(ecm, at.holder))),
        named("params", Value::Table(params)),
        named("lists", Value::Table(lists)),
    ])
}

/// Returns the first parameter of each name, and all of each name.
fn parameters(body: &[Element]) -> (Table, Table) {
    let mut lists = std::collections::BTreeMap::<&str, Vec<Value>>::new();
    for element in body {
        lists.entry(&element.name).or_default().push(element_value(element));
    }
    let key = |name: &str| Key::Text(name.to_owned());
    let firsts = lists.iter().filter_map(|(name, all)| Some((key(name), all.first()?.clone())));
    let firsts = firsts.collect();
    (firsts, lists.into_iter().map(|(name, all)| (key(name), Value::list(all))).collect())
}

fn element_value(element: &Element) -> Value {
    if element.children.is_empty() && element.attributes.is_empty() {
        return text_value(&element.text);
    }
    let (mut inner, _) = parameters(&element.children);
    for (name, text) in &element.attributes {
        inner.insert(Key::Text(name.clone()), text_value(text));
    }
    Value::Table(inner)
}

/// Reads a text: a number, a row of numbers, a truth value, or the text itself.
fn text_value(text: &str) -> Value {
    let text = text.trim();
    let numbers: Option<Vec<f64>> = text.split_whitespace().map(|word| word.parse().ok()).collect();
    match (text, numbers) {
        ("true", _) => Value::Boolean(true),
        ("false", _) => Value::Boolean(false),
        (_, Some(numbers)) if numbers.len() == 1 => numbers[0].into(),
        (_, Some(numbers)) if numbers.len() > 1 => {
            Value::list(numbers.into_iter().map(Value::from))
        }
        _ => Value::from(text),
    }
}
