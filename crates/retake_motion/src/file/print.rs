//! Numbers and texts as every format writes them.

use std::fmt::Write;

use super::tree::first_of_name;

/// Writes a number so that reading it gives the same bits.
///
/// Always with a point, and the exponent with a sign: readers of YAML 1.1 take anything else for
/// text.
pub(super) fn number(value: f64) -> String {
    let size = value.abs();
    if value == 0.0 || (1e-6..1e15).contains(&size) {
        let text = value.to_string();
        return if text.contains('.') { text } else { text + ".0" };
    }
    let text = format!("{value:e}");
    let Some((digits, exponent)) = text.split_once('e') else { return text };
    let point = if digits.contains('.') { "" } else { ".0" };
    let sign = if exponent.starts_with('-') { "" } else { "+" };
    format!("{digits}{point}e{sign}{exponent}")
}

/// Writes a list of numbers in brackets.
pub(super) fn numbers(values: &[f64]) -> String {
    let texts: Vec<String> = values.iter().map(|value| number(*value)).collect();
    format!("[{}]", texts.join(", "))
}

/// Writes a text in double quotes, as JSON, YAML and TOML all read it.
pub(super) fn quote(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for character in text.chars() {
        match character {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            // What is not to be seen is spelt out; some readers refuse it otherwise.
            hidden if is_hidden(hidden) => {
                let _ = write!(quoted, "\\u{:04x}", u32::from(hidden));
            }
            plain => quoted.push(plain),
        }
    }
    quoted.push('"');
    quoted
}

/// Writes a text in double quotes for JSON and YAML, so that no part of it looks like an anchor,
/// which our reader refuses.
pub(super) fn quote_yaml(text: &str) -> String {
    let quoted = quote(text);
    let mut rest = quoted.as_str();
    let mut safe = String::with_capacity(quoted.len());
    while let Some(at) = rest.find('&') {
        let looks_so = first_of_name(&quoted, quoted.len() - rest.len() + at).is_some();
        safe.push_str(&rest[..at]);
        safe.push_str(if looks_so { "\\u0026" } else { "&" });
        rest = &rest[at + 1..];
    }
    safe + rest
}

fn is_hidden(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}')
}
