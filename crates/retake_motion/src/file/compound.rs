//! Compound actions: text commands that begin when others end.
//!
//! When a command ends is not in the file: it depends on the motion or the sound that it plays. So
//! a compound action becomes a motion only with somebody who knows how long commands take.

use thiserror::Error;

use super::findings::{Findings, Spot};
use super::goal_json::{command_text, json_list, read_command};
use super::limits::MAX_ACTIONS;
use super::print::number;
use super::tree::{Node, UnknownKeys, Value, from_json, shortened};
use super::{CannotExport, Format, Written};
use crate::{Motion, TextCommand, TimedAction};

/// A list of commands, each after the end of another.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CompoundAction {
    /// The id; of a file, its name without the ending.
    pub name: String,
    /// The commands.
    pub elements: Vec<CompoundElement>,
}

/// One command of a compound action.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CompoundElement {
    /// After which element it begins, counted from 1; 0 is the start of the whole.
    pub after: usize,
    /// How long after the end of that element, in s.
    pub delay_secs: f64,
    /// What is to be done.
    pub command: TextCommand,
}

/// A compound action with its times known.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Flattened {
    /// A motion with actions alone.
    pub motion: Motion,
    /// When the last command ends, in s.
    pub end_secs: f64,
    /// The commands that others wait for, and whose durations are not known: they count as 0 s.
    pub unknown: Vec<TextCommand>,
}

/// Why a compound action has no times.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum CompoundError {
    /// An element waits for one that does not exist.
    #[error("element {element} waits for element {after}, and there are {count}")]
    NoSuchElement {
        /// The element, from 1.
        element: usize,
        /// What it waits for.
        after: usize,
        /// How many there are.
        count: usize,
    },
    /// Elements wait for one another.
    #[error("element {element} waits for itself")]
    Cycle {
        /// One of them, from 1.
        element: usize,
    },
    /// A time cannot be.
    #[error("element {element} would begin at {time_secs} s; write delays and durations from 0 on")]
    Time {
        /// The element, from 1.
        element: usize,
        /// Its time, in s.
        time_secs: f64,
    },
}

impl CompoundAction {
    /// Makes a motion whose actions have times since the start.
    ///
    /// `duration_of` gives how long a command takes, in s.
    ///
    /// # Errors
    /// [`CompoundError`] when elements wait for what does not exist or for one another, or a time
    /// is not finite or before the start.
    pub fn flatten(
        &self,
        duration_of: impl Fn(&TextCommand) -> Option<f64>,
    ) -> Result<Flattened, CompoundError> {
        let mut flattened = Flattened::default();
        flattened.motion.name.clone_from(&self.name);
        let mut ends: Vec<Option<f64>> = vec![None; self.elements.len()];
        for index in self.in_order()? {
            let element = &self.elements[index];
            let begin = match element.after.checked_sub(1) {
                Some(before) => ends[before].unwrap_or(0.0),
                None => 0.0,
            };
            let time_secs = begin + element.delay_secs;
            if !time_secs.is_finite() || time_secs < 0.0 {
                return Err(CompoundError::Time { element: index + 1, time_secs });
            }
            let duration = duration_of(&element.command);
            let duration = duration.filter(|secs| secs.is_finite() && *secs >= 0.0);
            let awaited = self.elements.iter().any(|other| other.after == index + 1);
            if duration.is_none() && awaited {
                flattened.unknown.push(element.command.clone());
            }
            let end = time_secs + duration.unwrap_or(0.0);
            ends[index] = Some(end);
            flattened.end_secs = flattened.end_secs.max(end);
            let command = element.command.clone();
            flattened.motion.actions.push(TimedAction { time_secs, command });
        }
        flattened.motion.actions.sort_by(|a, b| a.time_secs.total_cmp(&b.time_secs));
        Ok(flattened)
    }

    /// Returns the elements so that each comes after the one that it waits for.
    fn in_order(&self) -> Result<Vec<usize>, CompoundError> {
        let count = self.elements.len();
        let mut order = Vec::with_capacity(count);
        let mut done = vec![false; count];
        for start in 0..count {
            let mut chain = Vec::new();
            let mut next = Some(start);
            while let Some(index) = next.filter(|index| !done[*index]) {
                chain.push(index);
                if chain.len() > count {
                    return Err(CompoundError::Cycle { element: start + 1 });
                }
                let after = self.elements[index].after;
                if after > count {
                    return Err(CompoundError::NoSuchElement { element: index + 1, after, count });
                }
                next = after.checked_sub(1);
            }
            for index in chain.into_iter().rev() {
                done[index] = true;
                order.push(index);
            }
        }
        Ok(order)
    }
}

/// Reads the compound action of a file.
pub(super) fn read(text: &str, name: &str, findings: &mut Findings<'_>) -> Option<CompoundAction> {
    let root = from_json(text, findings)?;
    let nodes = match &root.value {
        Value::List(nodes) => nodes.as_slice(),
        _ => {
            let fields = root.fields("the file", findings)?;
            fields.only(&["action_list"], UnknownKeys::Told, findings);
            let list = fields.require("action_list", "the file", findings)?;
            list.list("action_list", findings)?
        }
    };
    if nodes.len() > MAX_ACTIONS {
        let message = format!("there are {} elements", nodes.len());
        let help = format!("At most {MAX_ACTIONS} are read; split the action");
        findings.error("motion-limit", root.at, message, &help);
        return None;
    }
    if !super::is_plain_name(name) {
        let message = format!("{:?} cannot be the name of a motion", shortened(name));
        findings.error("motion-name", Spot::Start, message, "Use letters, digits, - and _");
    }
    let elements = nodes.iter().filter_map(|node| read_element(node, nodes.len(), findings));
    let compound = CompoundAction { name: name.to_owned(), elements: elements.collect() };
    if findings.has_errors() {
        return None;
    }
    if let Err(error) = compound.in_order() {
        let help = "Let elements wait for earlier ones; 0 is the start";
        findings.error("motion-order", root.at, error.to_string(), help);
        return None;
    }
    Some(compound)
}

fn read_element(node: &Node, count: usize, findings: &mut Findings<'_>) -> Option<CompoundElement> {
    let fields = node.fields("an element", findings)?;
    fields.only(&["seq_num", "seq_delay", "cmd"], UnknownKeys::Told, findings);
    let command = fields.require("cmd", "an element", findings);
    let command = command.and_then(|node| read_command(node, findings));
    let mut optional = |key: &str| match fields.get(key) {
        Some(node) => Some((node.at, node.number(key, findings)?)),
        None => Some((fields.at, 0.0)),
    };
    let (after_at, after) = optional("seq_num")?;
    let (delay_at, delay_secs) = optional("seq_delay")?;
    if delay_secs < 0.0 {
        let message = format!("seq_delay is {delay_secs} s");
        findings.error("motion-time", delay_at, message, "Write 0 or more");
    }
    let last = count as f64;
    if !(0.0..=last).contains(&after) || after.fract() != 0.0 {
        let message = format!("seq_num is {after}, and there are {count} elements");
        let help = "Write the number of an element from 1 on, or 0 for the start";
        findings.error("motion-order", after_at, message, help);
        return None;
    }
    Some(CompoundElement { after: after as usize, delay_secs, command: command? })
}

/// Writes a motion with actions alone; each begins at its time after the start.
pub(super) fn write(motion: &Motion) -> Result<Written, CannotExport> {
    if !motion.joints.is_empty() || !motion.waypoints.is_empty() {
        let reason = "it moves joints; write it in another format, and play it by a \
                      motion/joint_trajectory command";
        return Err(CannotExport::of(Format::CompoundJson, reason.to_owned()));
    }
    let element = |action: &TimedAction| {
        let (command, delay) = (command_text(&action.command), number(action.time_secs));
        format!("{{\"cmd\": {command}, \"seq_delay\": {delay}, \"seq_num\": 0}}")
    };
    let elements: Vec<String> = motion.actions.iter().map(element).collect();
    let text = format!("{{\n    \"action_list\": {}\n}}\n", json_list(&elements, 4));
    let mut lost = Vec::new();
    if !motion.description.is_empty() {
        lost.push("the description".to_owned());
    }
    if motion.goal_time_tolerance_secs.is_some() {
        lost.push("the goal time tolerance".to_owned());
    }
    lost.extend(super::lost_of_kept(motion));
    lost.extend(super::lost_of_interpolation(motion, crate::Interpolation::default()));
    Ok(Written { text, lost })
}
