//! What a scenario expects of the timeline.

use std::str::FromStr;

use anyhow::{Context, bail};
use retake_msgs::{PastRequest, TimelineInstant};
use retake_sim::{PastAnswer, Request, Response, Server};

use super::expect::{self, Expectation};
use super::measure;
use crate::cli::When;

/// What the timeline must be.
#[derive(Debug, PartialEq)]
pub(super) enum TimelineExpectation {
    /// `branches NAME…`: all of them, the one that goes on first
    Branches(Vec<String>),
    /// `bookmarks NAME…`, `bookmarks nothing`
    Bookmarks(Vec<String>),
    /// `gaps COUNT`: how many stretches cannot be shown any more
    Gaps(usize),
    /// `at TIME [of BRANCH] …`: something about the world as it was
    At { instant: TimelineInstant, expectation: Box<Expectation> },
}

/// Reads what stands behind `expect timeline`.
pub(super) fn parse(words: &[&str]) -> anyhow::Result<TimelineExpectation> {
    let owned = |names: &[&str]| match names {
        ["nothing"] => Vec::new(),
        names => names.iter().map(|name| (*name).to_owned()).collect(),
    };
    Ok(match words {
        ["branches", names @ ..] if !names.is_empty() => {
            TimelineExpectation::Branches(owned(names))
        }
        ["bookmarks", names @ ..] if !names.is_empty() => {
            TimelineExpectation::Bookmarks(owned(names))
        }
        ["gaps", count] => TimelineExpectation::Gaps(
            count.parse().with_context(|| format!("{count:?} is no number"))?,
        ),
        ["at", when, "of", branch, rest @ ..] => at(when, branch, rest)?,
        ["at", when, rest @ ..] => at(when, "", rest)?,
        _ => bail!(
            "write: expect timeline branches NAME…, bookmarks NAME…, gaps N, or at TIME [of BRANCH] …"
        ),
    })
}

fn at(when: &str, branch: &str, rest: &[&str]) -> anyhow::Result<TimelineExpectation> {
    let instant = When::from_str(when)?.instant(branch);
    Ok(TimelineExpectation::At { instant, expectation: Box::new(expect::parse(rest)?) })
}

/// Checks something about the timeline; `hashes` finds those that were noted.
pub(super) fn check(
    server: &mut Server,
    expected: &TimelineExpectation,
    hashes: &dyn Fn(&str) -> anyhow::Result<String>,
) -> anyhow::Result<()> {
    let Response::Timeline(timeline) = server.handle(Request::Timeline) else {
        bail!("the server does not tell its timeline");
    };
    match expected {
        TimelineExpectation::Branches(names) => {
            let found: Vec<&str> = timeline.branch.iter().map(|b| b.name.as_str()).collect();
            same("branches", &found, names)
        }
        TimelineExpectation::Bookmarks(names) => {
            let found: Vec<&str> = timeline.bookmark.iter().map(|b| b.name.as_str()).collect();
            same("bookmarks", &found, names)
        }
        TimelineExpectation::Gaps(count) => {
            let found: usize = timeline.branch.iter().map(|branch| branch.gap.len()).sum();
            match found == *count {
                true => Ok(()),
                false => bail!("expected {count} gaps, got {found}"),
            }
        }
        TimelineExpectation::At { instant, expectation } => {
            let past = look(server, instant)?;
            match expectation.as_ref() {
                Expectation::Hash { name, equal } => {
                    let (saved, found) = (hashes(name)?, past.header().hash);
                    match (saved == found) == *equal {
                        true => Ok(()),
                        false => bail!("expected hash {saved} ({name}) then, got {found}"),
                    }
                }
                other => measure::check(past.ecm(), other),
            }
        }
    }
}

fn look(server: &mut Server, instant: &TimelineInstant) -> anyhow::Result<Box<PastAnswer>> {
    let instant = Some(instant.clone());
    let request = PastRequest { instant, hash: true, ..PastRequest::default() };
    match server.handle(Request::Past(request)) {
        Response::Past(Ok(answer)) => Ok(answer),
        Response::Past(Err(refusal)) => bail!("{}", refusal.message),
        _ => bail!("the server does not look back"),
    }
}

fn same(what: &str, found: &[&str], expected: &[String]) -> anyhow::Result<()> {
    match found == expected {
        true => Ok(()),
        false => bail!("expected {what} {expected:?}, got {found:?}"),
    }
}
