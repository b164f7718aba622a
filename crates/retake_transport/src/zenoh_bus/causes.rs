//! What zenoh says of a failure, without the places in its source code that it adds.

use std::error::Error;
use std::fmt::Display;

/// Makes a cause of an error of zenoh's that users can read.
pub(super) fn in_words(error: &dyn Display) -> Box<dyn Error + Send + Sync> {
    without_places(&error.to_string()).into()
}

/// Cuts every ` at …/src/….rs:NNN.` out.
fn without_places(text: &str) -> String {
    let mut parts = text.split(" at ");
    let mut said = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (word, rest) = match part.find(' ') {
            Some(end) => part.split_at(end),
            None => (part, ""),
        };
        if is_place(word.trim_end_matches('.')) {
            said.truncate(said.trim_end().len());
            said.push_str(rest);
        } else {
            said.push_str(" at ");
            said.push_str(part);
        }
    }
    said
}

/// Says whether a word is a line of a source file.
fn is_place(word: &str) -> bool {
    let line = word.rsplit_once(".rs:").map(|(_, line)| line);
    line.is_some_and(|line| !line.is_empty() && line.chars().all(|c| c.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_in_source_code_are_cut_out_and_all_else_stays() {
        for (text, said) in [
            ("No way!  at /a/zenoh-1.10.2/src/net/b.rs:447.", "No way!"),
            ("No way at b.rs:4. - Caused by x at /c/d.rs:5.", "No way - Caused by x"),
            ("Nobody at 127.0.0.1:1 at noon", "Nobody at 127.0.0.1:1 at noon"),
            ("Look at b.rs: it is good", "Look at b.rs: it is good"),
            ("", ""),
        ] {
            assert_eq!(in_words(&text).to_string(), said, "{text:?}");
        }
    }
}
