//! `retake undo`, `retake redo`, `retake history`.

use anyhow::{Context, bail};
use retake_math::SimTime;
use retake_msgs::undo_redo::StuckSystems;
use retake_msgs::{
    HistoryEntry, UndoRedo, UndoSettings, UserCmdReply, UserCmdStats, UserCmdStatsRequest, names,
};
use serde_json::{Value, json};

use super::print_reply;
use crate::cli::{HistoryArgs, HistoryCommand, JumpArgs, Stuck};
use crate::link::{Link, accepted};
use crate::output::{Printer, printable};

const MIB: u64 = 1024 * 1024;

/// Which way in time.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    Undo,
    Redo,
}

/// Undoes or redoes the head of its list, or everything up to the command that is named.
pub(super) fn jump(
    direction: Direction,
    args: &JumpArgs,
    link: &mut dyn Link,
    printer: &mut Printer<'_>,
) -> anyhow::Result<()> {
    let stats = fetch(link)?;
    let (list, verb) = match direction {
        Direction::Undo => (&stats.undo, "undo"),
        Direction::Redo => (&stats.redo, "redo"),
    };
    let entry = match &args.to {
        Some(start) => find(list, start)?
            .with_context(|| format!("No command {start:?} to {verb}. See retake history"))?,
        None if !stats.enabled => bail!("Undo is off. Switch it on with: retake history on"),
        None => list.last().with_context(|| format!("There is nothing to {verb}"))?,
    };
    let jump = Jump { entry, direction, straight: args.to.is_some(), stuck: args.stuck };
    jump.ask_for(link, printer)
}

/// Undoes or redoes everything up to the command that is named, in whichever list it is.
fn jump_to(
    start: &str,
    stuck: Stuck,
    link: &mut dyn Link,
    printer: &mut Printer<'_>,
) -> anyhow::Result<()> {
    let stats = fetch(link)?;
    let (entry, direction) = match (find(&stats.undo, start)?, find(&stats.redo, start)?) {
        (Some(entry), None) => (entry, Direction::Undo),
        (None, Some(entry)) => (entry, Direction::Redo),
        (Some(_), Some(_)) => bail!(
            "{start:?} is in both lists. Write more of its id, or retake undo --to or redo --to"
        ),
        (None, None) => bail!("No command {start:?} in the history. See retake history"),
    };
    Jump { entry, direction, straight: true, stuck }.ask_for(link, printer)
}

/// A way in time that somebody wants to go.
struct Jump<'a> {
    entry: &'a HistoryEntry,
    direction: Direction,
    /// Whether it passes other commands on the way.
    straight: bool,
    stuck: Stuck,
}

impl Jump<'_> {
    fn ask_for(&self, link: &mut dyn Link, printer: &mut Printer<'_>) -> anyhow::Result<()> {
        let request = UndoRedo {
            id: self.entry.id.clone(),
            undo: self.direction == Direction::Undo,
            author: link.author(),
            request_id: uuid::Uuid::now_v7().to_string(),
            jump: self.straight,
            stuck_systems: match self.stuck {
                Stuck::Refuse => StuckSystems::Refuse,
                Stuck::Restart => StuckSystems::Restart,
                Stuck::GoOn => StuckSystems::GoOn,
            }
            .into(),
        };
        let reply: UserCmdReply = link.call(&names::undo_redo(&link.world()), &request)?;
        print_reply(&accepted(reply)?, printer)
    }
}

/// Shows the history, jumps in it or changes how much is kept.
pub(super) fn run(
    args: &HistoryArgs,
    link: &mut dyn Link,
    printer: &mut Printer<'_>,
) -> anyhow::Result<()> {
    if let Some(to) = &args.to {
        return jump_to(to, args.stuck, link, printer);
    }
    let change = match &args.command {
        None => return show(&fetch(link)?, printer),
        Some(HistoryCommand::On) => UndoSettings { enabled: Some(true), ..Default::default() },
        Some(HistoryCommand::Off) => UndoSettings { enabled: Some(false), ..Default::default() },
        Some(HistoryCommand::Limit(limit)) => UndoSettings {
            enabled: None,
            max_steps: limit.steps,
            max_bytes: limit.memory.map(|memory| u64::from(memory) * MIB),
        },
    };
    let reply: UserCmdReply = link.call(&names::undo_settings(&link.world()), &change)?;
    print_reply(&accepted(reply)?, printer)
}

fn fetch(link: &mut dyn Link) -> anyhow::Result<UserCmdStats> {
    link.call(&names::history_get(&link.world()), &UserCmdStatsRequest {})
}

/// Finds the command whose id begins like this, or the newest that reads like this.
fn find<'a>(list: &'a [HistoryEntry], start: &str) -> anyhow::Result<Option<&'a HistoryEntry>> {
    let whole = |entry: &&HistoryEntry| entry.id == start || entry.description == start;
    if let Some(entry) = list.iter().rfind(whole) {
        return Ok(Some(entry));
    }
    let mut fitting = list.iter().filter(|entry| entry.id.starts_with(start));
    match (fitting.next(), fitting.next()) {
        (Some(_), Some(_)) => {
            bail!("More than one command begins with {start:?}. Write more of it")
        }
        (found, _) => Ok(found),
    }
}

fn show(stats: &UserCmdStats, printer: &mut Printer<'_>) -> anyhow::Result<()> {
    let value = json!({
        "undo": stats.undo.iter().map(entry_json).collect::<Vec<_>>(),
        "redo": stats.redo.iter().map(entry_json).collect::<Vec<_>>(),
        "enabled": stats.enabled,
        "max_steps": stats.max_steps,
        "max_bytes": stats.max_bytes,
        "bytes": stats.bytes,
        "dropped": stats.dropped,
    });
    printer.print(&value, |out| {
        if !stats.enabled {
            return writeln!(out, "Undo is off. Switch it on with: retake history on");
        }
        // As time went: the past, now, and what was undone.
        for entry in &stats.undo {
            writeln!(out, "  {}", line(entry))?;
        }
        writeln!(out, "> now")?;
        for entry in stats.redo.iter().rev() {
            writeln!(out, "  {}  (undone)", line(entry))?;
        }
        let steps = stats.undo.len() + stats.redo.len();
        let (used, most) = (stats.bytes as f64 / MIB as f64, stats.max_bytes / MIB);
        writeln!(out, "{steps} of {} commands, {used:.1} of {most} MiB", stats.max_steps)?;
        match stats.dropped {
            0 => Ok(()),
            dropped => writeln!(out, "{dropped} older commands were dropped for lack of room"),
        }
    })
}

fn line(entry: &HistoryEntry) -> String {
    let time = entry.sim_time.as_ref().map(SimTime::from).unwrap_or_default().as_secs_f64();
    let (what, who) = (printable(&entry.description), printable(&entry.author));
    let by = if who.is_empty() { String::new() } else { format!(", by {who}") };
    format!("{}  {time:.3} s  {what}{by}", printable(&entry.id))
}

fn entry_json(entry: &HistoryEntry) -> Value {
    let time = entry.sim_time.as_ref().map(SimTime::from).unwrap_or_default();
    json!({
        "id": entry.id,
        "description": entry.description,
        "author": entry.author,
        "sim_time_secs": time.as_secs_f64(),
    })
}
