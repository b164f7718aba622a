//! What TOML, YAML and JSON have in common: values inside lists and tables, each with its place.

mod toml;
mod yaml;

use super::findings::{Findings, Spot};
use super::limits::MAX_TEXT_BYTES;
use super::near;

pub(super) use toml::from_toml;
pub(super) use yaml::{first_of_name, from_json, from_yaml};

/// A value with its place.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub at: Spot,
    pub value: Value,
}

/// What a value can be.
#[derive(Clone, Debug)]
pub(super) enum Value {
    Nothing,
    Flag(bool),
    Number(f64),
    Text(String),
    List(Vec<Node>),
    Table(Vec<(Key, Node)>),
    /// Something that no motion has, by its name.
    Other(&'static str),
}

/// The name of a value in a table.
#[derive(Clone, Debug)]
pub(super) struct Key {
    pub at: Spot,
    pub text: String,
}

/// A list of numbers with its place.
#[derive(Clone, Debug, Default)]
pub(super) struct Numbers {
    pub at: Spot,
    pub values: Vec<f64>,
}

/// The values of a table.
#[derive(Clone, Copy)]
pub(super) struct Fields<'n> {
    pub at: Spot,
    pub entries: &'n [(Key, Node)],
}

/// What is done about a key that nobody knows.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum UnknownKeys {
    /// The file gives no motion: it is our own format, and the key is mistyped.
    Refused,
    /// It is told and left out: others add keys to their formats.
    Told,
}

impl Node {
    /// Returns the number, if it is one and finite; otherwise tells what `what` should be.
    pub fn number(&self, what: &str, findings: &mut Findings<'_>) -> Option<f64> {
        match self.value {
            Value::Number(value) if value.is_finite() => Some(value),
            Value::Number(value) => {
                let message = format!("{what} is {value}");
                findings.error("motion-number", self.at, message, "Write a finite number");
                None
            }
            _ => self.wrong(what, "a number", findings),
        }
    }

    /// Returns the text, if it is one that is not too long.
    pub fn text(&self, what: &str, findings: &mut Findings<'_>) -> Option<String> {
        match &self.value {
            Value::Text(text) if text.len() <= MAX_TEXT_BYTES => Some(text.clone()),
            Value::Text(text) => {
                let message = format!("{what} has {} bytes", text.len());
                let help = format!("Shorten it to {MAX_TEXT_BYTES}");
                findings.error("motion-limit", self.at, message, &help);
                None
            }
            _ => self.wrong(what, "text in quotes", findings),
        }
    }

    /// Returns whether it is true, if it is true or false.
    pub fn flag(&self, what: &str, findings: &mut Findings<'_>) -> Option<bool> {
        match self.value {
            Value::Flag(flag) => Some(flag),
            _ => self.wrong(what, "true or false", findings),
        }
    }

    /// Returns the members, if it is a list.
    pub fn list(&self, what: &str, findings: &mut Findings<'_>) -> Option<&[Self]> {
        match &self.value {
            Value::List(nodes) => Some(nodes),
            _ => self.wrong(what, "a list", findings),
        }
    }

    /// Returns the numbers, if it is a list of them; of a bad one NaN, so that the length is right.
    pub fn numbers(&self, what: &str, findings: &mut Findings<'_>) -> Option<Numbers> {
        let nodes = self.list(what, findings)?;
        let mut one = |node: &Self| node.number(&format!("a value of {what}"), findings);
        let values = nodes.iter().map(|node| match node.value {
            Value::Number(value) if value.is_finite() => value,
            _ => one(node).unwrap_or(f64::NAN),
        });
        Some(Numbers { at: self.at, values: values.collect() })
    }

    /// Returns the texts with their places, if it is a list of them.
    pub fn texts(&self, what: &str, findings: &mut Findings<'_>) -> Option<Vec<(Spot, String)>> {
        let nodes = self.list(what, findings)?;
        let one =
            |node: &Self| Some((node.at, node.text(&format!("a value of {what}"), findings)?));
        Some(nodes.iter().filter_map(one).collect())
    }

    /// Returns the values, if it is a table.
    pub fn fields(&self, what: &str, findings: &mut Findings<'_>) -> Option<Fields<'_>> {
        match &self.value {
            Value::Table(entries) => Some(Fields { at: self.at, entries }),
            _ => self.wrong(what, "a table of names and values", findings),
        }
    }

    fn wrong<T>(&self, what: &str, expected: &str, findings: &mut Findings<'_>) -> Option<T> {
        let message = format!("{what} is {}", self.value.kind());
        findings.error("motion-type", self.at, message, &format!("Write {expected}"));
        None
    }
}

impl Value {
    fn kind(&self) -> &'static str {
        match self {
            Self::Nothing => "empty",
            Self::Flag(_) => "true or false",
            Self::Number(_) => "a number",
            Self::Text(_) => "text",
            Self::List(_) => "a list",
            Self::Table(_) => "a table",
            Self::Other(kind) => kind,
        }
    }
}

impl<'n> Fields<'n> {
    /// Returns the value of a key.
    pub fn get(&self, key: &str) -> Option<&'n Node> {
        self.entries.iter().find(|(known, _)| known.text == key).map(|(_, node)| node)
    }

    /// Returns the value of a key; tells when there is none.
    pub fn require(&self, key: &str, what: &str, findings: &mut Findings<'_>) -> Option<&'n Node> {
        let found = self.get(key);
        if found.is_none() {
            let message = format!("{what} has no {key:?}");
            findings.error("motion-missing", self.at, message, &format!("Add {key}"));
        }
        found
    }

    /// Tells of every key that is not known.
    pub fn only(&self, known: &[&str], unknown: UnknownKeys, findings: &mut Findings<'_>) {
        self.only_but(&[], known, unknown, findings);
    }

    /// Tells of every key that is neither known nor `told` of already.
    pub fn only_but(
        &self,
        told: &[&str],
        known: &[&str],
        unknown: UnknownKeys,
        findings: &mut Findings<'_>,
    ) {
        let fits = |key: &Key| known.iter().chain(told).any(|known| *known == key.text);
        let strange = self.entries.iter().filter(|(key, _)| !fits(key));
        for (key, _) in strange {
            let help =
                if findings.is_full() { String::new() } else { near::hint(&key.text, known) };
            let message = format!("{:?} is not known here", shortened(&key.text));
            match unknown {
                UnknownKeys::Refused => {
                    findings.error("motion-unknown-key", key.at, message, &help);
                }
                UnknownKeys::Told => {
                    let message = message + ", it is left out";
                    findings.warning("motion-unknown-key", key.at, message, &help);
                }
            }
        }
    }
}

/// Returns the beginning of a text, for a message.
pub(crate) fn shortened(text: &str) -> String {
    const LONGEST: usize = 60;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
