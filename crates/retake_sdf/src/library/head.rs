//! What a file begins with, without reading it whole: there may be thousands.

use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Bytes of a file that are looked at.
const HEAD_BYTES: u64 = 16 << 10;
/// Longest name that is told, in characters.
const MAX_NAME: usize = 120;
/// Longest description that is told, in characters.
const MAX_DESCRIPTION: usize = 600;

/// What a file holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Content {
    /// A model: what it is called, and what a comment before it says of it.
    Model { name: String, comment: String },
    /// A world, or what is not SDF.
    Other,
    /// The system does not let it be read, and says why.
    Unreadable(String),
}

/// Looks at the beginning of a file.
pub(super) fn content_of(file: &Path) -> Content {
    let mut bytes = Vec::new();
    // The kind is asked before opening, because opening a pipe would wait for its writer.
    if !file.is_file() {
        return Content::Unreadable("it is not a regular file".to_owned());
    }
    let read = File::open(file).and_then(|file| file.take(HEAD_BYTES).read_to_end(&mut bytes));
    match read {
        Ok(_) => content(&String::from_utf8_lossy(&bytes)),
        Err(error) => Content::Unreadable(error.to_string()),
    }
}

/// Cuts a text to the length of a name, on one line.
pub(super) fn cut(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").chars().take(MAX_NAME).collect()
}

/// Finds the first element that says what the text is.
fn content(text: &str) -> Content {
    let (mut rest, mut comment) = (text, "");
    while let Some((_, after)) = rest.split_once('<') {
        rest = match after {
            _ if after.starts_with("!--") => {
                let (inside, after) = after[3..].split_once("-->").unwrap_or_default();
                comment = if comment.is_empty() { inside } else { comment };
                after
            }
            _ if after.starts_with('?') => after.split_once("?>").map_or("", |(_, rest)| rest),
            _ if after.starts_with('!') => after.split_once('>').map_or("", |(_, rest)| rest),
            _ => {
                let end = after.find(|c: char| c.is_whitespace() || matches!(c, '>' | '/'));
                let (tag, attributes) = after.split_at(end.unwrap_or(after.len()));
                match tag {
                    "sdf" | "gazebo" => after_tag(attributes),
                    "model" | "actor" | "robot" => {
                        let (name, comment) = (name_in(attributes), about(comment));
                        return Content::Model { name, comment };
                    }
                    _ => return Content::Other,
                }
            }
        };
    }
    Content::Other
}

/// Returns what a comment at the beginning says about the model; what is about rights is not that.
fn about(comment: &str) -> String {
    let lower = comment.to_lowercase();
    match ["copyright", "licen", "generated"].iter().any(|word| lower.contains(word)) {
        true => String::new(),
        false => shortened(comment),
    }
}

/// Puts a description on one line of bounded length.
pub(super) fn shortened(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let line = words.join(" ");
    match line.char_indices().nth(MAX_DESCRIPTION) {
        Some((end, _)) => format!("{}…", line[..end].trim_end()),
        None => line,
    }
}

/// Returns what follows the end of a tag; a `>` in quotes does not end it.
fn after_tag(attributes: &str) -> &str {
    let mut quote = None;
    for (at, letter) in attributes.char_indices() {
        match (quote, letter) {
            (None, '>') => return &attributes[at + 1..],
            (None, '"' | '\'') => quote = Some(letter),
            (Some(open), letter) if open == letter => quote = None,
            _ => {}
        }
    }
    ""
}

/// Reads the attribute `name` of a tag; empty when there is none.
fn name_in(attributes: &str) -> String {
    let mut rest = &attributes[..attributes.len() - after_tag(attributes).len()];
    while let Some((before, after)) = rest.split_once('=') {
        let after = after.trim_start();
        let quote = after.chars().next().filter(|c| matches!(c, '"' | '\''));
        let Some((value, next)) = quote.and_then(|quote| after[1..].split_once(quote)) else {
            return String::new();
        };
        if before.split_whitespace().next_back() == Some("name") {
            return cut(value);
        }
        rest = next;
    }
    String::new()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_element_says_what_a_file_is() {
        let told = |name: &str, comment: &str| Content::Model {
            name: name.to_owned(),
            comment: comment.to_owned(),
        };
        let model = |name| told(name, "");
        for (text, expected) in [
            ("<sdf version='1.9'><model name='box'><link", model("box")),
            (
                "\u{feff}<?xml version=\"1.0\"?><!-- a <world> --><sdf a='>'>\n<model\n static='>' name=\"a b\"/>",
                told("a b", "a <world>"),
            ),
            ("<!-- (c) Copyright --><!-- A box --><model name='b'>", model("b")),
            ("<!--\n A\n box. --><sdf><!-- 2 --><model name='b'>", told("b", "A box.")),
            ("<!DOCTYPE x><robot name=\"arm\">", model("arm")),
            ("<sdf><actor name='walker'>", model("walker")),
            ("<model>", model("")),
            ("<model name=box>", model("")),
            ("<model name='cut", model("")),
            ("<sdf><world name='w'><model name='m'>", Content::Other),
            ("<sdf><light name='l'>", Content::Other),
            ("<mujoco>", Content::Other),
            ("<sdf version='1.9", Content::Other),
            ("<!-- never ends", Content::Other),
            ("no xml", Content::Other),
            ("", Content::Other),
        ] {
            assert_eq!(content(text), expected, "{text}");
        }
    }
}
