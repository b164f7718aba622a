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
    #[command(flatten)]
    pub(super) past: crate::cli::PastArgs,
    /// Scenarios always start so; written by those who know it from `retake run`
    #[arg(long = "paused", hide = true)]
    _paused: bool,
    /// As --paused
    #[arg(long = "headless", hide = true)]
    _headless: bool,
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
    let (content, list) = with_list(content)?;
    let words = split(content)?;
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    if let Some(entries) = list {
        return of_list(&words, entries).map(Some);
    }
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

/// Reads a live command as it is typed after `retake`, or one of its short forms.
pub(super) fn live(client: Option<String>, words: &[&str]) -> anyhow::Result<Line> {
    let words = match words {
        ["play"] => &["world", "play"],
        ["pause"] => &["world", "pause"],
        other => other,
    };
    Ok(Line::Command(client, Box::new(usage(LiveLine::try_parse_from(words))?)))
}

/// Takes a list off the end of `expect undo ["A", "B"]` and its like.
fn with_list(content: &str) -> anyhow::Result<(&str, Option<Vec<String>>)> {
    let Some(at) = content.find('[').filter(|at| expects_list(&content[..*at])) else {
        return Ok((content, None));
    };
    let mut read = serde_json::Deserializer::from_str(&content[at..]).into_iter::<Vec<String>>();
    let list = read.next().and_then(Result::ok);
    let list = list.context("write the list as [\"A\", \"B\"]")?;
    let rest = content[at + read.byte_offset()..].trim();
    if !rest.is_empty() && !rest.starts_with('#') {
        bail!("nothing comes behind the list: {rest:?}");
    }
    Ok((&content[..at], Some(list)))
}

/// Says whether the words before a bracket are those that a list follows.
fn expects_list(before: &str) -> bool {
    let mut words = before.split_whitespace().rev();
    let kind = words.next().is_some_and(|kind| expect::LISTS.contains(&kind));
    kind && words.next() == Some("expect") && !before.contains('#')
}

fn of_list(words: &[&str], entries: Vec<String>) -> anyhow::Result<Line> {
    match words {
        ["expect", kind] => Ok(Line::Expect(expect::of_list(kind, entries)?)),
        [client, "expect", kind] if client.starts_with('@') => {
            Ok(Line::ExpectBy(client[1..].to_owned(), expect::of_list(kind, entries)?))
        }
        _ => bail!("write: expect undo [\"A\", \"B\"]"),
    }
}

/// Turns clap's answer into one line.
fn usage<T>(parsed: Result<T, clap::Error>) -> anyhow::Result<T> {
    parsed.map_err(|error| {
        let text = error.to_string();
        // What is missing stands on lines of its own, up to the usage.
        let said = text.lines().map(str::trim).take_while(|line| !line.is_empty());
        let said = said.collect::<Vec<_>>().join(" ");
        anyhow::anyhow!("{}", said.trim_start_matches("error: "))
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
    fn lists_are_read_in_both_spellings() {
        let read = |text: &str| match parse(text).unwrap().unwrap() {
            Line::Expect(expectation) => expectation,
            Line::ExpectBy(client, expectation) if client == "ann" => expectation,
            _ => panic!("{text}"),
        };
        let of = |undo: bool, entries: &[&str]| Expectation::History {
            undo,
            entries: entries.iter().map(|entry| (*entry).to_owned()).collect(),
        };
        for text in [
            "expect undo [\"Move vehicle\", \"Delete [a]\"]",
            "expect  undo [ \"Move vehicle\",\"Delete [a]\" ]  # both",
            "@ann expect undo [\"Move vehicle\", \"Delete [a]\"]",
            "expect undo \"Move vehicle\" \"Delete [a]\"",
        ] {
            assert_eq!(read(text), of(true, &["Move vehicle", "Delete [a]"]), "{text}");
        }
        assert_eq!(read("expect redo [\"Move vehicle\"]"), of(false, &["Move vehicle"]));
        assert_eq!(read("expect redo []"), of(false, &[]));
        assert_eq!(read("expect redo nothing"), of(false, &[]));
        let refused = |text: &str| parse(text).err().map(|e| e.to_string()).unwrap_or_default();
        assert_eq!(refused("expect undo [Move]"), "write the list as [\"A\", \"B\"]");
        assert_eq!(refused("expect undo [] now"), "nothing comes behind the list: \"now\"");
    }

    #[test]
    fn short_forms_are_for_every_client() {
        for text in ["play", "@ann play", "pause", "@ann pause"] {
            assert!(matches!(parse(text).unwrap().unwrap(), Line::Command(..)), "{text}");
        }
    }

    #[test]
    fn a_wrong_line_is_told_in_one() {
        let refused = |text: &str| parse(text).err().map(|e| e.to_string()).unwrap_or_default();
        assert_eq!(refused("run far"), "\"far\" is not a time; write seconds, as in 2.5s or 2.5");
        assert_eq!(refused("frobnicate"), "unrecognized subcommand 'frobnicate'");
        let missing = refused("entity rotate cone");
        assert!(missing.contains("not provided: <--to <R> <P> <Y>|--by"), "{missing}");
        assert_eq!(refused("client bob"), "write: client NAME cli, or: client NAME gui");
    }
}
