//! A YAML or JSON text as a tree.

use std::borrow::Cow;
use std::collections::BTreeSet;

use saphyr::{LoadableYamlNode, MarkedYaml, Marker, Scalar, YamlData};

use super::{Key, Node, Value};
use crate::file::findings::{Findings, Spot};
use crate::file::limits::{MAX_DEPTH, MAX_VALUES};

/// The widest indentation, and the most lists that one line may open: the parser has no bound for
/// what is nested by indentation, and taking such a tree down would exhaust the stack.
const MAX_INDENT: usize = 256;

/// Takes a YAML text of one document apart; tells of the first place where it is none.
pub(in crate::file) fn from_yaml(text: &str, findings: &mut Findings<'_>) -> Option<Node> {
    from(text, "YAML", findings)
}

/// Takes a JSON text apart; tells of the first place where it is none.
pub(in crate::file) fn from_json(text: &str, findings: &mut Findings<'_>) -> Option<Node> {
    // YAML allows no tabs in indentation and no surrogates in escapes; JSON allows both.
    let mut text = Cow::Borrowed(text);
    if text.contains('\t') {
        text = Cow::Owned(text.replace('\t', " "));
    }
    if text.contains("\\ud") || text.contains("\\uD") {
        text = Cow::Owned(join_surrogates(&text));
    }
    from(&text, "JSON", findings)
}

fn from(text: &str, language: &str, findings: &mut Findings<'_>) -> Option<Node> {
    if let Some((at, message, help)) = too_much(text) {
        findings.error("motion-limit", at, message, help);
        return None;
    }
    let mut documents = match MarkedYaml::load_from_str(text) {
        Ok(documents) => documents,
        Err(error) => {
            let help = format!("Correct the {language} here");
            findings.error("motion-syntax", spot(error.marker()), error.info().to_owned(), &help);
            return None;
        }
    };
    if documents.len() != 1 {
        let message = format!("there are {} documents", documents.len());
        findings.error("motion-syntax", Spot::Start, message, "Write one in each file");
        return None;
    }
    from_marked(&documents.pop()?, 0, findings)
}

fn too_much(text: &str) -> Option<(Spot, String, &'static str)> {
    let separates = |byte: &u8| matches!(byte, b',' | b':' | b'\n');
    if text.bytes().filter(|byte| separates(byte)).count() > MAX_VALUES {
        return Some((Spot::Start, format!("more than {MAX_VALUES} values"), "Split the file"));
    }
    if let Some(byte) = reference(text) {
        let message = "this refers to another part of the file".to_owned();
        return Some((Spot::byte(byte), message, "Write out what it refers to"));
    }
    for (index, line) in text.lines().enumerate() {
        let indent = line.bytes().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        let block = line.split(['{', '[', '"', '\'']).next().unwrap_or(line);
        let opened = |pair: &[u8]| matches!(pair[0], b'-' | b'?' | b':') && pair[1] <= b' ';
        let opens = block.as_bytes().windows(2).filter(|pair| opened(pair)).count();
        if indent > MAX_INDENT || opens > MAX_INDENT {
            let message = "this line is too deep".to_owned();
            return Some((Spot::at(index + 1, 1), message, "Indent less"));
        }
    }
    None
}

/// Finds what may be an alias of an anchor: references nest what is not nested in the text.
///
/// Looks at first letters only and also inside of texts: better one too many than one too few.
fn reference(text: &str) -> Option<usize> {
    let named = |sign: char| {
        text.match_indices(sign).filter_map(move |(at, _)| Some((at, first_of_name(text, at)?)))
    };
    let anchors: BTreeSet<char> = named('&').map(|(_, first)| first).collect();
    named('*').find(|(_, first)| anchors.contains(first)).map(|(at, _)| at)
}

/// Returns the letter after a sign that begins an anchor or an alias.
pub(in crate::file) fn first_of_name(text: &str, at: usize) -> Option<char> {
    let before = text[..at].chars().next_back();
    let begins = before.is_none_or(|c| c.is_whitespace() || ",[]{}:-?\"'".contains(c));
    let first = text[at + 1..].chars().next()?;
    (begins && !first.is_whitespace()).then_some(first)
}

fn spot(marker: &Marker) -> Spot {
    Spot::at(marker.line(), marker.col() + 1)
}

fn from_marked(node: &MarkedYaml<'_>, depth: usize, findings: &mut Findings<'_>) -> Option<Node> {
    let at = spot(&node.span.start);
    if depth > MAX_DEPTH {
        let message = format!("this is the {depth}. list inside another");
        findings.error("motion-limit", at, message, "Nest less");
        return None;
    }
    let value = match &node.data {
        YamlData::Value(scalar) => from_scalar(scalar),
        YamlData::Sequence(nodes) => {
            let nodes = nodes.iter().map(|node| from_marked(node, depth + 1, findings));
            Value::List(nodes.collect::<Option<_>>()?)
        }
        YamlData::Mapping(entries) => {
            let entries = entries.iter().map(|(key, node)| {
                let key = Key { at: spot(&key.span.start), text: key_text(key) };
                Some((key, from_marked(node, depth + 1, findings)?))
            });
            Value::Table(entries.collect::<Option<_>>()?)
        }
        YamlData::Tagged(..) => Value::Other("a value with a tag"),
        YamlData::Representation(..) | YamlData::Alias(_) | YamlData::BadValue => {
            Value::Other("unreadable")
        }
    };
    Some(Node { at, value })
}

fn from_scalar(scalar: &Scalar<'_>) -> Value {
    match scalar {
        Scalar::Null => Value::Nothing,
        Scalar::Boolean(flag) => Value::Flag(*flag),
        // Whole numbers beyond 2^53 lose digits, as everywhere else.
        Scalar::Integer(number) => Value::Number(*number as f64),
        Scalar::FloatingPoint(number) => Value::Number(number.into_inner()),
        Scalar::String(text) => Value::Text(text.clone().into_owned()),
    }
}

/// Returns a key as text; numbers as they are usually written.
fn key_text(key: &MarkedYaml<'_>) -> String {
    match &key.data {
        YamlData::Value(Scalar::String(text)) => text.clone().into_owned(),
        YamlData::Value(Scalar::Integer(number)) => number.to_string(),
        YamlData::Value(Scalar::FloatingPoint(number)) => number.to_string(),
        YamlData::Value(Scalar::Boolean(flag)) => flag.to_string(),
        _ => String::new(),
    }
}

/// Writes each pair of surrogates as the one escape that YAML has for the character.
fn join_surrogates(text: &str) -> String {
    let mut joined = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find('\\') {
        let (before, escape) = rest.split_at(start);
        joined.push_str(before);
        let unit = |from: usize| {
            let digits = escape.get(from..from + 6)?.strip_prefix("\\u")?;
            u16::from_str_radix(digits, 16).ok()
        };
        let pair = unit(0).zip(unit(6)).map(|(high, low)| [high, low]);
        let character = pair.and_then(|pair| match char::decode_utf16(pair).next()? {
            Ok(character) if u32::from(character) > 0xffff => Some(character),
            _ => None,
        });
        let used = match character {
            Some(character) => {
                joined.push_str(&format!("\\U{:08x}", u32::from(character)));
                12
            }
            // A backslash and what it escapes stay together.
            None => {
                let next = escape[1..].chars().next().map_or(0, char::len_utf8);
                joined.push_str(&escape[..1 + next]);
                1 + next
            }
        };
        rest = &escape[used..];
    }
    joined + rest
}
