//! The predefined and numeric entities, and nothing else.

use std::borrow::Cow;

/// Replaces the predefined and numeric entities of `raw`; all others stay as they are.
pub(super) fn decoded(raw: &str) -> Cow<'_, str> {
    let Some(first) = raw.find('&') else { return Cow::Borrowed(raw) };
    let mut text = String::with_capacity(raw.len());
    text.push_str(&raw[..first]);
    let mut rest = &raw[first..];
    while let Some(after) = rest.strip_prefix('&') {
        let known = after.split_once(';').and_then(|(name, tail)| Some((character(name)?, tail)));
        let tail = match known {
            Some((character, tail)) => {
                text.push(character);
                tail
            }
            None => {
                text.push('&');
                after
            }
        };
        let next = tail.find('&').unwrap_or(tail.len());
        text.push_str(&tail[..next]);
        rest = &tail[next..];
    }
    Cow::Owned(text)
}

fn character(name: &str) -> Option<char> {
    match name {
        "lt" => Some('<'),
        "gt" => Some('>'),
        "amp" => Some('&'),
        "apos" => Some('\''),
        "quot" => Some('"'),
        _ => numeric(name.strip_prefix('#')?),
    }
}

fn numeric(digits: &str) -> Option<char> {
    let code = match digits.strip_prefix(['x', 'X']) {
        Some(hex) => u32::from_str_radix(hex, 16),
        None => digits.parse(),
    };
    char::from_u32(code.ok()?).filter(|&character| character != '\0')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_ones_are_replaced_and_others_stay() {
        assert_eq!(decoded("a &lt;&#65;&#x42;&amp;lt; &b; & c"), "a <AB&lt; &b; & c");
        assert_eq!(decoded("&#0;&#x110000;&;&"), "&#0;&#x110000;&;&");
        assert!(matches!(decoded("plain"), Cow::Borrowed(_)));
    }
}
