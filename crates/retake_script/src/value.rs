//! Values that outlive a call: plain, sorted, exact.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt;

use serde::de::{MapAccess, SeqAccess, Visitor};
use serde::ser::{SerializeMap, SerializeSeq};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A value that a script can keep, be told and tell.
///
/// Two are equal when they have the same bits: a number that is none equals itself.
#[derive(Clone, Debug, Default)]
pub enum Value {
    /// Nothing.
    #[default]
    Nil,
    /// A truth value.
    Boolean(bool),
    /// A number.
    Number(f64),
    /// A text.
    Text(String),
    /// A table.
    Table(Table),
}

/// What a table of plain values holds, sorted by key: numbers first, then texts.
pub type Table = BTreeMap<Key, Value>;

/// A key of a table.
#[derive(Clone, Debug)]
pub enum Key {
    /// A number; no key is `-0` or not a number.
    Number(f64),
    /// A text.
    Text(String),
}

/// Marks the text of a key that is a number; texts that begin so have it twice.
const NUMBER_MARK: char = '#';

impl Value {
    /// Returns the number, if it is one.
    pub fn number(&self) -> Option<f64> {
        match self {
            Self::Number(number) => Some(*number),
            _ => None,
        }
    }

    /// Returns the text, if it is one.
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Returns what stands in the table under a text; nothing when it is no table.
    pub fn get(&self, key: &str) -> Option<&Value> {
        match self {
            // The key is compared by value, so that one has to be made.
            Self::Table(table) => table.get(&Key::Text(key.to_owned())),
            _ => None,
        }
    }

    /// Makes a list, counted from 1 as scripts do.
    pub fn list(items: impl IntoIterator<Item = Value>) -> Self {
        let number = |(at, item)| (Key::Number((at + 1) as f64), item);
        Self::Table(items.into_iter().enumerate().map(number).collect())
    }

    /// Makes a table of named values.
    pub fn record<const N: usize>(fields: [(&str, Value); N]) -> Self {
        let named = |(name, value): (&str, Value)| (Key::Text(name.to_owned()), value);
        Self::Table(fields.into_iter().map(named).collect())
    }

    /// Says what kind of value it is, as scripts call it.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Nil => "nil",
            Self::Boolean(_) => "boolean",
            Self::Number(_) => "number",
            Self::Text(_) => "string",
            Self::Table(_) => "table",
        }
    }
}

impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Nil, Self::Nil) => true,
            (Self::Boolean(a), Self::Boolean(b)) => a == b,
            (Self::Number(a), Self::Number(b)) => a.to_bits() == b.to_bits(),
            (Self::Text(a), Self::Text(b)) => a == b,
            (Self::Table(a), Self::Table(b)) => a == b,
            _ => false,
        }
    }
}

impl Eq for Value {}

impl From<f64> for Value {
    fn from(number: f64) -> Self {
        Self::Number(number)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl Key {
    /// Writes the key as a text of which [`Key::parse`] makes the same key.
    fn write(&self) -> String {
        match self {
            Self::Number(number) => format!("{NUMBER_MARK}{number}"),
            Self::Text(text) if text.starts_with(NUMBER_MARK) => format!("{NUMBER_MARK}{text}"),
            Self::Text(text) => text.clone(),
        }
    }

    fn parse(text: &str) -> Option<Self> {
        let Some(marked) = text.strip_prefix(NUMBER_MARK) else {
            return Some(Self::Text(text.to_owned()));
        };
        if marked.starts_with(NUMBER_MARK) {
            return Some(Self::Text(marked.to_owned()));
        }
        let number = marked.parse().ok().filter(|number: &f64| !number.is_nan())?;
        Some(Self::Number(number))
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "[{number}]"),
            Self::Text(text) => write!(f, ".{text}"),
        }
    }
}

impl PartialEq for Key {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Key {}

impl PartialOrd for Key {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Key {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Number(a), Self::Number(b)) => a.total_cmp(b),
            (Self::Text(a), Self::Text(b)) => a.cmp(b),
            (Self::Number(_), Self::Text(_)) => Ordering::Less,
            (Self::Text(_), Self::Number(_)) => Ordering::Greater,
        }
    }
}

/// Says whether a table is a list: its keys are 1, 2 and so on.
fn is_list(table: &Table) -> bool {
    let mut expected = 0.0;
    !table.is_empty()
        && table.keys().all(|key| {
            expected += 1.0;
            matches!(key, Key::Number(number) if *number == expected)
        })
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Nil => serializer.serialize_unit(),
            Self::Boolean(value) => serializer.serialize_bool(*value),
            Self::Number(number) => serializer.serialize_f64(*number),
            Self::Text(text) => serializer.serialize_str(text),
            Self::Table(table) if is_list(table) => {
                let mut list = serializer.serialize_seq(Some(table.len()))?;
                table.values().try_for_each(|item| list.serialize_element(item))?;
                list.end()
            }
            Self::Table(table) => {
                let mut map = serializer.serialize_map(Some(table.len()))?;
                for (key, value) in table {
                    map.serialize_entry(&key.write(), value)?;
                }
                map.end()
            }
        }
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Reader)
    }
}

struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a plain value of a script")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Nil)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Boolean(value))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Value, E> {
        Ok(Value::Number(number))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Value, E> {
        Ok(Value::Number(number as f64))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Value, E> {
        Ok(Value::Number(number as f64))
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(Value::Text(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(Value::list(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut table = Table::new();
        while let Some((key, value)) = entries.next_entry::<String, Value>()? {
            let key = Key::parse(&key)
                .ok_or_else(|| serde::de::Error::custom(format!("{key:?} is no key")))?;
            table.insert(key, value);
        }
        Ok(Value::Table(table))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn keys() -> impl Strategy<Value = Key> {
        let number =
            any::<f64>().prop_filter("no such key", |n| !n.is_nan() && n.to_bits() != 1 << 63);
        prop_oneof![
            number.prop_map(Key::Number),
            (1..6u8).prop_map(|n| Key::Number(f64::from(n))),
            "[#a-c]{0,3}".prop_map(Key::Text),
        ]
    }

    fn values() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            any::<bool>().prop_map(Value::Boolean),
            any::<u64>().prop_map(|bits| Value::Number(f64::from_bits(bits))),
            ".{0,4}".prop_map(Value::Text),
        ];
        leaf.prop_recursive(4, 40, 6, |inner| {
            prop::collection::btree_map(keys(), inner, 0..6).prop_map(Value::Table)
        })
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back_bit_by_bit(value in values()) {
            let bytes = rmp_serde::to_vec_named(&value).unwrap();
            let read: Value = rmp_serde::from_slice(&bytes).unwrap();
            prop_assert_eq!(&read, &value);
            prop_assert_eq!(rmp_serde::to_vec_named(&read).unwrap(), bytes);
        }
    }

    #[test]
    fn numbers_as_keys_stay_apart_from_texts() {
        let table = Table::from([
            (Key::Number(7.0), Value::from(1.0)),
            (Key::Text("#7".to_owned()), Value::from(2.0)),
            (Key::Text("7".to_owned()), Value::from(3.0)),
        ]);
        let value = Value::Table(table);
        let bytes = rmp_serde::to_vec_named(&value).unwrap();
        assert_eq!(rmp_serde::from_slice::<Value>(&bytes).unwrap(), value);
    }
}
