//! The words of a scenario.

use anyhow::{Context, bail};
use clap::Parser;
use retake_math::SimTime;

use super::expect::{self, Expectation};
use crate::cli::LiveLine;
use crate::logs::Instant;

/// One line of a scenario.
pub(super) enum Line {
    /// `world FILE [options]`
    World(WorldLine),
    /// `run 2.5s`
    RunTime(SimTime),
    /// `run 100 steps`
    RunSteps(u64),
    /// `client NAME cli|gui`
    Client(String, ClientKind),
    /// A live command, by the named client or the first one.
    Command(Option<String>, Box<LiveLine>),
    /// `save hash as NAME`
    SaveHash(String),
    /// `expect …`
    Expect(Expectation),
    /// `@NAME expect …`: what a GUI sees
    ExpectBy(String, Expectation),
    /// `resume NAME [at TIME [pass N]]`: the world goes on from an instant of a log
    Resume(String, Option<Instant>),
    /// `verify NAME`: a log is run again and compared
    Verify(String),
    /// `freeze NAME`, `thaw NAME`: a GUI that does not answer, and does again
    Freeze(String, bool),
}

/// The first line: which world, and how it is loaded.
#[derive(Parser)]
#[command(name = "world", no_binary_name = true, disable_version_flag = true)]
pub(super) struct WorldLine {
    /// World file, relative to the scenario or to where it is run
    pub(super) file: std::path::PathBuf,
    #[command(flatten)]
    pub(super) load: crate::cli::LoadArgs,
}

/// What kind of client acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ClientKind {
    /// Asks the server for everything.
    Cli,
    /// Has a replica of the server's Ecm, as a GUI in another process.
    Gui,
}

/// Reads a line; comments and empty lines are nothing.
pub(super) fn parse(content: &str) -> anyhow::Result<Option<Line>> {
    let words = split(content)?;
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let line = match words.as_slice() {
        [] => return Ok(None),
        // `world FILE …` names a file; `world play` and its like are live commands.
        ["world", file, ..] if !is_world_verb(file) => {
            Line::World(usage(WorldLine::try_parse_from(&words[1..]))?)
        }
        ["run", count, "steps" | "step"] => Line::RunSteps(
            count.parse().with_context(|| format!("{count:?} is no number of steps"))?,
        ),
        ["run", time] => Line::RunTime(time.parse()?),
        ["run", ..] => bail!("write: run 2.5s, or: run 100 steps"),
        ["play"] => live(None, &["world", "play"])?,
        ["pause"] => live(None, &["world", "pause"])?,
        ["client", name, "cli"] => Line::Client((*name).to_owned(), ClientKind::Cli),
        ["client", name, "gui"] => Line::Client((*name).to_owned(), ClientKind::Gui),
        ["client", ..] => bail!("write: client NAME cli, or: client NAME gui"),
        ["save", "hash", "as", name] => Line::SaveHash((*name).to_owned()),
        ["expect", rest @ ..] => Line::Expect(expect::parse(rest)?),
        ["resume", name] => Line::Resume((*name).to_owned(), None),
        ["resume", name, "at", time] => {
            Line::Resume((*name).to_owned(), Some(Instant { sim_time: time.parse()?, pass: 0 }))
        }
        ["resume", name, "at", time, "pass", number] => {
            let at = Instant { sim_time: time.parse()?, pass: pass(number)? };
            Line::Resume((*name).to_owned(), Some(at))
        }
        ["resume", ..] => bail!("write: resume LOG, or: resume LOG at TIME [pass N]"),
        ["verify", name] => Line::Verify((*name).to_owned()),
        ["freeze", name] => Line::Freeze((*name).to_owned(), true),
        ["thaw", name] => Line::Freeze((*name).to_owned(), false),
        [first, rest @ ..] => match first.strip_prefix('@') {
            Some(client) if rest.first() == Some(&"expect") => {
                Line::ExpectBy(client.to_owned(), expect::parse(&rest[1..])?)
            }
            Some(client) => live(Some(client.to_owned()), rest)?,
            None => live(None, &words)?,
        },
    };
    Ok(Some(line))
}

/// Reads which pass is meant; people count them from 1.
pub(super) fn pass(word: &str) -> anyhow::Result<usize> {
    let number: Option<usize> = word.parse().ok().filter(|number| *number > 0);
    number.map(|number| number - 1).with_context(|| format!("{word:?} is no pass; the first is 1"))
}

/// Reads a live command as it is typed after `retake`.
pub(super) fn live(client: Option<String>, words: &[&str]) -> anyhow::Result<Line> {
    Ok(Line::Command(client, Box::new(usage(LiveLine::try_parse_from(words))?)))
}

/// Turns clap's answer into one line.
fn usage<T>(parsed: Result<T, clap::Error>) -> anyhow::Result<T> {
    parsed.map_err(|error| {
        let text = error.to_string();
        let first = text.lines().next().unwrap_or("bad usage");
        anyhow::anyhow!("{}", first.trim_start_matches("error: "))
    })
}

fn is_world_verb(word: &str) -> bool {
    ["play", "pause", "step", "reset", "save", "stats", "hash", "speed", "pending"].contains(&word)
}

/// Splits a line into words: spaces separate, quotes hold together, `#` begins a comment.
fn split(content: &str) -> anyhow::Result<Vec<String>> {
    let mut words: Vec<String> = Vec::new();
    let mut word: Option<String> = None;
    let mut quote: Option<char> = None;
    for (at, c) in content.char_indices() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (Some(_), c) => word.get_or_insert_default().push(c),
            (None, '"' | '\'') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            // `#12` is an id; a comment's mark stands at the start or has a space after it.
            (None, '#') if word.is_none() && starts_comment(&content[at..], &words) => break,
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            (None, c) => word.get_or_insert_default().push(c),
        }
    }
    if let Some(open) = quote {
        bail!("the quote {open} is not closed");
    }
    words.extend(word);
    Ok(words)
}

fn starts_comment(rest: &str, words: &[String]) -> bool {
    words.is_empty() || rest == "#" || rest.starts_with("# ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_quotes_comments_and_ids() {
        let split = |text: &str| split(text).unwrap();
        assert_eq!(split("  entity show #12  "), ["entity", "show", "#12"]);
        assert_eq!(split("run 1s # one second"), ["run", "1s"]);
        assert_eq!(split("entity show #2 # note"), ["entity", "show", "#2"]);
        assert_eq!(split("# all of it"), [] as [&str; 0]);
        assert_eq!(split("expect error \"a # b\": x"), ["expect", "error", "a # b:", "x"]);
        assert!(super::split("say \"oops").is_err());
    }

    #[test]
    fn a_wrong_line_is_told_in_one() {
        let refused = |text: &str| parse(text).err().map(|e| e.to_string()).unwrap_or_default();
        assert_eq!(refused("run far"), "\"far\" is not a time; write seconds, as in 2.5s or 2.5");
        assert_eq!(refused("frobnicate"), "unrecognized subcommand 'frobnicate'");
        assert_eq!(refused("client bob"), "write: client NAME cli, or: client NAME gui");
    }
}
