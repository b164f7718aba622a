//! What a scenario expects.

use std::f64::consts::PI;

use anyhow::{Context, bail};

use super::events;
use super::logs::LogExpectation;
use super::timeline::{self, TimelineExpectation};

/// Something that must hold.
#[derive(Debug, PartialEq)]
pub(super) enum Expectation {
    /// `hash = NAME`, `hash != NAME`
    Hash { name: String, equal: bool },
    /// `time 1.0`
    Time(Bound),
    /// `pose ENTITY X Y Z [R P Y]`
    Pose { entity: String, position: [f64; 3], rpy: Option<[f64; 3]>, tolerance: f64 },
    /// `velocity ENTITY BOUND`: the speed of its link
    Velocity { entity: String, bound: Bound },
    /// `joint ROBOT/JOINT BOUND`
    Joint { joint: String, bound: Bound },
    /// `component ENTITY COMPONENT.FIELD BOUND or text`
    Component { entity: String, path: String, value: Value },
    /// `item NAME BOUND`: any number that can be watched
    Item { item: String, bound: Bound },
    /// `log NAME …`: something about a recorded log
    Log { name: String, expected: LogExpectation },
    /// `timeline …`: something about the kept past
    Timeline(TimelineExpectation),
    /// `tilt ENTITY BOUND`: angle between its z axis and up, in radians
    Tilt { entity: String, bound: Bound },
    /// `entity NAME`, `no entity NAME`
    Exists { entity: String, exists: bool },
    /// `undo DESCRIPTION…`, `redo DESCRIPTION…`: the whole list, the head last.
    History {
        /// Whether the undo list is meant.
        undo: bool,
        /// What each entry reads.
        entries: Vec<String>,
    },
    /// `pending "WHO: DESCRIPTION"…`: what GUIs hold
    Pending(Vec<String>),
    /// `profile NAME`
    Profile(String),
    /// `physics KEY BOUND or text`, also `param KEY …`: the value in force
    Physics { key: String, value: Value },
    /// `ignored KEY`: the profile in force says it, and the engine does not use it
    Ignored(String),
    /// `paused`, `running`
    Paused(bool),
    /// `motion ROBOT NAME STATE [with TEXT]`: how it goes, or how it ended last
    Motion { robot: String, motion: String, state: String, text: Option<String> },
    /// `messages TOPIC COUNT [with TEXT]`: since the last such line of the topic
    Messages { topic: String, count: usize, text: Option<String> },
    /// `error "TEXT": COMMAND`
    Error { text: String, command: Vec<String> },
    /// `event NAME [with TEXT]`
    Event { name: String, text: Option<String> },
}

/// What a number must be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Bound {
    Near { value: f64, tolerance: f64 },
    Below(f64),
    Above(f64),
}

/// What a component must be.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Number(Bound),
    /// Numbers in a row, all within a tolerance.
    Numbers(Vec<f64>, f64),
    Text(String),
}

impl Bound {
    pub(super) fn holds(self, actual: f64) -> bool {
        match self {
            // Infinite numbers are equal, and no distance apart.
            Self::Near { value, tolerance } => {
                actual == value || (actual - value).abs() <= tolerance
            }
            Self::Below(most) => actual < most,
            Self::Above(least) => actual > least,
        }
    }
}

impl std::fmt::Display for Bound {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Near { value, tolerance } => write!(f, "{value} ±{tolerance}"),
            Self::Below(most) => write!(f, "< {most}"),
            Self::Above(least) => write!(f, "> {least}"),
        }
    }
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Number(bound) => bound.fmt(f),
            Self::Numbers(values, tolerance) => {
                values.iter().try_for_each(|value| write!(f, "{value} "))?;
                write!(f, "±{tolerance}")
            }
            Self::Text(text) => f.write_str(text),
        }
    }
}

/// Tolerances when none is written.
const TIME_TOLERANCE: f64 = 1e-9;
const POSE_TOLERANCE: f64 = 1e-3;

const KNOWN: &str = "hash, time, pose, velocity, joint, component, item, tilt, entity, no entity, \
                     profile, physics, param, ignored, paused, running, undo, redo, pending, log, \
                     timeline, motion, messages, error, event";

/// What a list in brackets may stand behind.
pub(super) const LISTS: [&str; 3] = ["undo", "redo", "pending"];

/// Makes an expectation of one of [`LISTS`].
pub(super) fn of_list(kind: &str, entries: Vec<String>) -> anyhow::Result<Expectation> {
    match kind {
        "undo" => Ok(Expectation::History { undo: true, entries }),
        "redo" => Ok(Expectation::History { undo: false, entries }),
        "pending" => Ok(Expectation::Pending(entries)),
        other => bail!("expect {other} has no list. Lists: {}", LISTS.join(", ")),
    }
}

/// Reads what a log must be.
fn of_log(words: &[&str]) -> anyhow::Result<LogExpectation> {
    let number = |word: &str| word.parse().with_context(|| format!("{word:?} is no number"));
    Ok(match words {
        ["passes", time, count] => {
            LogExpectation::Passes { sim_time: time.parse()?, count: number(count)? }
        }
        ["jumps", count] => LogExpectation::Jumps(number(count)?),
        ["states", count] => LogExpectation::States(number(count)?),
        ["at", time, "pass", pass, rest @ ..] => LogExpectation::At {
            sim_time: time.parse()?,
            pass: super::line::pass(pass)?,
            expectation: Box::new(parse(rest)?),
        },
        ["at", time, rest @ ..] => LogExpectation::At {
            sim_time: time.parse()?,
            pass: 0,
            expectation: Box::new(parse(rest)?),
        },
        _ => bail!("write: expect log NAME at TIME [pass N] …, passes TIME N, jumps N or states N"),
    })
}

/// Reads what stands behind `expect`.
pub(super) fn parse(words: &[&str]) -> anyhow::Result<Expectation> {
    Ok(match words {
        ["hash", "=", name] => Expectation::Hash { name: (*name).to_owned(), equal: true },
        ["hash", "!=", name] => Expectation::Hash { name: (*name).to_owned(), equal: false },
        ["time", rest @ ..] => Expectation::Time(bound(rest, TIME_TOLERANCE)?),
        ["pose", entity, rest @ ..] => pose(entity, rest)?,
        ["velocity", entity, rest @ ..] => Expectation::Velocity {
            entity: (*entity).to_owned(),
            bound: bound(rest, POSE_TOLERANCE)?,
        },
        ["joint", joint, rest @ ..] => {
            Expectation::Joint { joint: (*joint).to_owned(), bound: bound(rest, POSE_TOLERANCE)? }
        }
        ["component", entity, path, rest @ ..] => component(entity, path, rest)?,
        ["item", item, rest @ ..] => {
            Expectation::Item { item: (*item).to_owned(), bound: bound(rest, POSE_TOLERANCE)? }
        }
        ["log", name, rest @ ..] => {
            Expectation::Log { name: (*name).to_owned(), expected: of_log(rest)? }
        }
        ["timeline", rest @ ..] => Expectation::Timeline(timeline::parse(rest)?),
        ["tilt", entity, rest @ ..] => {
            Expectation::Tilt { entity: (*entity).to_owned(), bound: bound(rest, POSE_TOLERANCE)? }
        }
        ["entity", entity] => Expectation::Exists { entity: (*entity).to_owned(), exists: true },
        ["no", "entity", entity] => {
            Expectation::Exists { entity: (*entity).to_owned(), exists: false }
        }
        ["physics" | "param", key, rest @ ..] => {
            Expectation::Physics { key: (*key).to_owned(), value: value(rest) }
        }
        ["ignored", key] => Expectation::Ignored((*key).to_owned()),
        ["profile", name] => Expectation::Profile((*name).to_owned()),
        ["undo", entries @ ..] => history(true, entries)?,
        ["redo", entries @ ..] => history(false, entries)?,
        ["pending", entries @ ..] => match history(true, entries)? {
            Expectation::History { entries, .. } => Expectation::Pending(entries),
            other => other,
        },
        ["paused"] => Expectation::Paused(true),
        ["running"] => Expectation::Paused(false),
        ["motion", robot, motion, state, rest @ ..] => Expectation::Motion {
            robot: (*robot).to_owned(),
            motion: (*motion).to_owned(),
            state: (*state).to_owned(),
            text: with_text(rest)?,
        },
        ["messages", topic, count, rest @ ..] => Expectation::Messages {
            topic: (*topic).to_owned(),
            count: count.parse().with_context(|| format!("{count:?} is no number"))?,
            text: with_text(rest)?,
        },
        ["error", text, command @ ..] => error(text, command)?,
        ["event", name] => Expectation::Event { name: event(name)?, text: None },
        ["event", name, "with", rest @ ..] => {
            Expectation::Event { name: event(name)?, text: Some(rest.join(" ")) }
        }
        [what, ..] => bail!("expect {what} cannot be read. Known: {KNOWN}"),
        [] => bail!("expect what? Known: {KNOWN}"),
    })
}

/// Reads what an event is called.
fn event(name: &str) -> anyhow::Result<String> {
    if !events::NAMES.contains(&name) {
        bail!("no event is called {name:?}. Known: {}", events::NAMES.join(", "));
    }
    Ok(name.to_owned())
}

/// Reads `with TEXT`, or nothing.
fn with_text(words: &[&str]) -> anyhow::Result<Option<String>> {
    match words {
        [] => Ok(None),
        ["with", text @ ..] if !text.is_empty() => Ok(Some(text.join(" "))),
        _ => bail!("write: … with TEXT"),
    }
}

fn history(undo: bool, entries: &[&str]) -> anyhow::Result<Expectation> {
    let entries = match entries {
        [] => bail!("write what the entries read, each in quotes, or: nothing"),
        ["nothing"] => Vec::new(),
        entries => entries.iter().map(|entry| (*entry).to_owned()).collect(),
    };
    Ok(Expectation::History { undo, entries })
}

fn error(text: &str, command: &[&str]) -> anyhow::Result<Expectation> {
    // `"TEXT": COMMAND` and `"TEXT" : COMMAND` both occur.
    let (text, command) = match (text.strip_suffix(':'), command) {
        (Some(text), command) => (text, command),
        (None, [":", command @ ..]) => (text, command),
        (None, _) => bail!("write: expect error \"TEXT\": COMMAND"),
    };
    if command.is_empty() {
        bail!("write: expect error \"TEXT\": COMMAND");
    }
    let command = command.iter().map(|word| (*word).to_owned()).collect();
    Ok(Expectation::Error { text: text.to_owned(), command })
}

fn component(entity: &str, path: &str, rest: &[&str]) -> anyhow::Result<Expectation> {
    let value = numbers(rest).unwrap_or_else(|| value(rest));
    Ok(Expectation::Component { entity: entity.to_owned(), path: path.to_owned(), value })
}

/// Reads two numbers or more, with `±TOL` behind them or not.
fn numbers(words: &[&str]) -> Option<Value> {
    let (words, tolerance) = with_tolerance(words, 0.0).ok()?;
    let read = words.iter().map(|word| number_or_infinite(word).ok());
    let numbers: Vec<f64> = read.collect::<Option<_>>()?;
    (numbers.len() > 1).then_some(Value::Numbers(numbers, tolerance))
}

fn value(words: &[&str]) -> Value {
    // Fields and settings may be without limit.
    let infinite = match words {
        [word] => number_or_infinite(word).ok().filter(|value| value.is_infinite()),
        _ => None,
    };
    match (infinite, bound(words, 0.0)) {
        (Some(value), _) => Value::Number(Bound::Near { value, tolerance: 0.0 }),
        (None, Ok(bound)) => Value::Number(bound),
        (None, Err(_)) => Value::Text(words.join(" ")),
    }
}

fn pose(entity: &str, rest: &[&str]) -> anyhow::Result<Expectation> {
    let (numbers, tolerance) = with_tolerance(rest, POSE_TOLERANCE)?;
    let numbers: Vec<f64> = numbers.iter().map(|word| number(word)).collect::<Result<_, _>>()?;
    let (position, rpy) = match numbers.as_slice() {
        [x, y, z] => ([*x, *y, *z], None),
        [x, y, z, roll, pitch, yaw] => ([*x, *y, *z], Some([*roll, *pitch, *yaw])),
        _ => bail!("write: expect pose ENTITY X Y Z [R P Y] [±TOL]"),
    };
    Ok(Expectation::Pose { entity: entity.to_owned(), position, rpy, tolerance })
}

/// Reads `V`, `V ±TOL`, `< V` or `> V`.
fn bound(words: &[&str], tolerance: f64) -> anyhow::Result<Bound> {
    match words {
        ["<", most] => Ok(Bound::Below(number(most)?)),
        [">", least] => Ok(Bound::Above(number(least)?)),
        _ => {
            let (value, tolerance) = with_tolerance(words, tolerance)?;
            match value {
                [value] => Ok(Bound::Near { value: number(value)?, tolerance }),
                _ => bail!("write a number, a number with ±TOL, < NUMBER or > NUMBER"),
            }
        }
    }
}

/// Takes `±TOL` or `+-TOL` off the end.
fn with_tolerance<'a, 'b>(
    words: &'a [&'b str],
    otherwise: f64,
) -> anyhow::Result<(&'a [&'b str], f64)> {
    let mark = |word: &'b str| word.strip_prefix('±').or_else(|| word.strip_prefix("+-"));
    match words {
        [values @ .., last] => match mark(last) {
            Some(text) => Ok((values, tolerance(text)?)),
            None => match values {
                [values @ .., "±" | "+-"] => Ok((values, tolerance(last)?)),
                _ => Ok((words, otherwise)),
            },
        },
        [] => Ok((words, otherwise)),
    }
}

fn tolerance(word: &str) -> anyhow::Result<f64> {
    let value = number(word)?;
    if value < 0.0 {
        bail!("the tolerance is {word}; write 0 or more");
    }
    Ok(value)
}

/// Reads a number that can be compared with.
fn number(word: &str) -> anyhow::Result<f64> {
    let value = number_or_infinite(word)?;
    if !value.is_finite() {
        bail!("{word:?} is not a finite number");
    }
    Ok(value)
}

/// Reads a number; `deg` behind it makes radians of degrees, `s` is seconds.
fn number_or_infinite(word: &str) -> anyhow::Result<f64> {
    let (digits, scale) = match word.strip_suffix("deg") {
        Some(digits) => (digits, PI / 180.0),
        None => (word.strip_suffix('s').unwrap_or(word), 1.0),
    };
    let value: Option<f64> = digits.parse().ok().filter(|value: &f64| !value.is_nan());
    Ok(value.with_context(|| format!("{word:?} is not a number"))? * scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> anyhow::Result<Expectation> {
        parse(&text.split(' ').collect::<Vec<_>>())
    }

    #[test]
    fn tolerances_are_read_in_every_spelling() {
        let near = Bound::Near { value: 1.0, tolerance: 0.5 };
        for text in ["time 1 ±0.5", "time 1 +-0.5", "time 1 ± 0.5", "time 1s ±0.5"] {
            assert_eq!(read(text).unwrap(), Expectation::Time(near), "{text}");
        }
        let tilt = read("tilt cone > 180deg").unwrap();
        assert_eq!(tilt, Expectation::Tilt { entity: "cone".into(), bound: Bound::Above(PI) });
    }

    #[test]
    fn numbers_that_hold_for_everything_or_nothing_are_refused() {
        for (text, told) in [
            ("pose wave_1 nan 9 9 ±inf", "\"inf\" is not a finite number"),
            ("pose wave_1 nan 9 9", "\"nan\" is not a number"),
            ("pose wave_1 1 9 -inf", "\"-inf\" is not a finite number"),
            ("time 0 ±-1", "the tolerance is -1; write 0 or more"),
            ("time 0 ± -1s", "the tolerance is -1s; write 0 or more"),
            ("time 0 ±nan", "\"nan\" is not a number"),
            ("velocity car < inf", "\"inf\" is not a finite number"),
            ("tilt car > 1e999deg", "\"1e999deg\" is not a finite number"),
        ] {
            assert_eq!(read(text).unwrap_err().to_string(), told, "{text}");
        }
        // What a field holds may have no end, and is compared as that; or it is text.
        let upper = |rest: &str| match read(&format!("component arm::elbow upper {rest}")) {
            Ok(Expectation::Component { value, .. }) => value,
            other => panic!("{other:?}"),
        };
        let infinite = Bound::Near { value: f64::INFINITY, tolerance: 0.0 };
        assert_eq!(upper("inf"), Value::Number(infinite));
        assert_eq!(upper("0 -inf"), Value::Numbers(vec![0.0, f64::NEG_INFINITY], 0.0));
        assert_eq!(upper("1 ±-1"), Value::Text("1 ±-1".to_owned()));
    }

    #[test]
    fn an_unknown_expectation_lists_the_known() {
        let refused = read("colour red").unwrap_err().to_string();
        assert!(
            refused.starts_with("expect colour cannot be read. Known: hash, time"),
            "{refused}"
        );
    }
}
