//! A TOML text as a tree.

use toml_edit::{Document, Item, TableLike, Value as TomlValue};

use super::{Key, Node, Value};
use crate::file::findings::{Findings, Spot};
use crate::file::limits::MAX_VALUES;

/// Takes a TOML text apart; tells of the first place where it is none.
pub(in crate::file) fn from_toml(text: &str, findings: &mut Findings<'_>) -> Option<Node> {
    let values = text.bytes().filter(|byte| matches!(byte, b',' | b'=')).count();
    if values > MAX_VALUES {
        let message = format!("more than {MAX_VALUES} values");
        findings.error("motion-limit", Spot::Start, message, "Split the motion");
        return None;
    }
    match Document::parse(text) {
        Ok(document) => Some(Node { at: Spot::Start, value: table(document.as_table()) }),
        Err(error) => {
            let at = error.span().map_or(Spot::Start, |span| Spot::byte(span.start));
            let message = error.message().lines().collect::<Vec<_>>().join(", ");
            findings.error("motion-syntax", at, message, "Correct the TOML here");
            None
        }
    }
}

// The parser refuses what is nested deeper than 80, so that these may call one another.

fn table(table: &dyn TableLike) -> Value {
    let entry = |(name, item): (&str, &Item)| {
        let key = table.key(name).and_then(toml_edit::Key::span);
        let value = item.span();
        let spot = |span: Option<std::ops::Range<usize>>| span.map(|span| Spot::byte(span.start));
        let at = spot(key).or(spot(value)).unwrap_or_default();
        (Key { at, text: name.to_owned() }, from_item(item, at))
    };
    Value::Table(table.iter().map(entry).collect())
}

fn from_item(item: &Item, fallback: Spot) -> Node {
    let at = item.span().map_or(fallback, |span| Spot::byte(span.start));
    match item {
        Item::None => Node { at, value: Value::Nothing },
        Item::Value(value) => from_value(value, fallback),
        Item::Table(inner) => Node { at, value: table(inner) },
        Item::ArrayOfTables(tables) => {
            let one = |inner: &toml_edit::Table| {
                let at = inner.span().map_or(fallback, |span| Spot::byte(span.start));
                Node { at, value: table(inner) }
            };
            Node { at, value: Value::List(tables.iter().map(one).collect()) }
        }
    }
}

fn from_value(value: &TomlValue, fallback: Spot) -> Node {
    let at = value.span().map_or(fallback, |span| Spot::byte(span.start));
    let value = match value {
        TomlValue::String(text) => Value::Text(text.value().clone()),
        // Whole numbers beyond 2^53 lose digits, as everywhere else.
        TomlValue::Integer(number) => Value::Number(*number.value() as f64),
        TomlValue::Float(number) => Value::Number(*number.value()),
        TomlValue::Boolean(flag) => Value::Flag(*flag.value()),
        TomlValue::Datetime(_) => Value::Other("a date"),
        TomlValue::Array(values) => {
            Value::List(values.iter().map(|value| from_value(value, at)).collect())
        }
        TomlValue::InlineTable(inner) => table(inner),
    };
    Node { at, value }
}
