//! Names of topics and services.

use std::fmt;

/// The name of a topic or a service, as in `/world/cones/stats`.
///
/// It starts with `/`, has no empty part, no control characters and none of `* $ ? #`, and is at
/// most [`Name::LIMIT`] characters long.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Name(String);

/// Says why a text is not a name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{name:?} is not a name: {reason}. Write it as in /world/cones/stats")]
pub struct NameError {
    /// The text, cut to a readable length.
    pub name: String,
    /// What is wrong with it.
    pub reason: String,
}

impl Name {
    /// Greatest length in characters.
    pub const LIMIT: usize = 256;

    /// Checks `text` and makes a name of it.
    ///
    /// # Errors
    /// [`NameError`] when the text breaks one of the rules above.
    pub fn new(text: &str) -> Result<Self, NameError> {
        match fault(text) {
            None => Ok(Self(text.to_owned())),
            Some(reason) => Err(NameError { name: shortened(text), reason }),
        }
    }

    /// Returns the name with its leading slash.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the name without its leading slash.
    pub(crate) fn without_slash(&self) -> &str {
        &self.0[1..]
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

fn fault(text: &str) -> Option<String> {
    let Some(rest) = text.strip_prefix('/') else {
        return Some("it does not start with /".to_owned());
    };
    if text.chars().count() > Name::LIMIT {
        return Some(format!("it is longer than {} characters", Name::LIMIT));
    }
    if rest.split('/').any(str::is_empty) {
        return Some("it has an empty part".to_owned());
    }
    let barred = |c: &char| matches!(c, '*' | '$' | '?' | '#') || c.is_control();
    rest.chars().find(barred).map(|c| format!("it has the character {c:?}"))
}

/// Cuts a hostile text to what fits on a line.
pub(crate) fn shortened(text: &str) -> String {
    const SHOWN: usize = 60;
    match text.char_indices().nth(SHOWN) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_good_names_and_says_what_is_wrong_with_others() {
        for good in ["/clock", "/world/my world/stats", "/model/a::b/joint_state", "/ü"] {
            assert_eq!(Name::new(good).map(|n| n.to_string()), Ok(good.to_owned()));
        }
        let long = format!("/{}", "x".repeat(Name::LIMIT));
        for (bad, reason) in [
            ("", "it does not start with /"),
            ("clock", "it does not start with /"),
            ("/", "it has an empty part"),
            ("/a//b", "it has an empty part"),
            ("/a/", "it has an empty part"),
            ("/a/*", "it has the character '*'"),
            ("/a/$b", "it has the character '$'"),
            ("/a?b", "it has the character '?'"),
            ("/a#b", "it has the character '#'"),
            ("/a\u{1b}[31m", "it has the character '\\u{1b}'"),
            (long.as_str(), "it is longer than 256 characters"),
        ] {
            assert_eq!(Name::new(bad).map_err(|e| e.reason), Err(reason.to_owned()), "{bad}");
        }
    }

    #[test]
    fn a_huge_name_gives_a_short_error() {
        let error = Name::new(&"é".repeat(1_000_000)).unwrap_err();
        assert!(error.to_string().len() < 300);
    }
}
