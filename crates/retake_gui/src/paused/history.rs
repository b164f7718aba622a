//! Undo and redo across what only this GUI holds and what the server has.
//!
//! What is held here is newer than anything of the server, so it is undone first and redone last.

use std::sync::Arc;

use retake_msgs::{HistoryEntry, UndoRedo, UserCmdReply, UserCmdStats};

use super::{GuiUserCommands, Held};

/// What came of an undo or redo.
#[derive(Clone, Debug, PartialEq)]
pub enum Undone {
    /// All of it was done here.
    Here(UserCmdReply),
    /// The server has to do it, after whatever was done here.
    AtServer(UndoRedo),
    /// The server has to redo this first; then comes [`GuiUserCommands::redo_here`].
    ServerFirst(UndoRedo),
}

impl Undone {
    /// Lets the server do what is left, and then `redo_here` what comes after it.
    pub fn finish(
        self,
        at_server: impl FnOnce(UndoRedo) -> UserCmdReply,
        redo_here: impl FnOnce() -> Result<UserCmdReply, String>,
    ) -> UserCmdReply {
        match self {
            Self::Here(reply) => reply,
            Self::AtServer(rest) => at_server(rest),
            Self::ServerFirst(first) => match at_server(first) {
                // The lists of the server have not come yet, but they have nothing left to redo.
                reply if reply.ok => redo_here().unwrap_or_else(UserCmdReply::refused),
                refused => refused,
            },
        }
    }
}

/// Returns both lists, the heads last; of what is held here as much as the server would keep.
pub(super) fn both(own: &GuiUserCommands) -> Arc<UserCmdStats> {
    let redo: Vec<_> = own.undone.iter().map(entry).chain(fresh_redo(own).cloned()).collect();
    if own.actions.is_empty() && redo == own.server.redo {
        return Arc::clone(&own.server);
    }
    let mut both = UserCmdStats { redo, ..UserCmdStats::clone(&own.server) };
    let over = own.actions.len().saturating_sub(own.server.max_steps as usize);
    both.undo.extend(own.actions.iter().skip(over).map(entry));
    Arc::new(both)
}

/// What the server can redo that no action made here has replaced.
fn fresh_redo(own: &GuiUserCommands) -> impl DoubleEndedIterator<Item = &HistoryEntry> {
    let replaced = !own.actions.is_empty();
    own.server.redo.iter().filter(move |entry| !replaced && !own.stale_redo.contains(&entry.id))
}

fn entry(held: &Held) -> HistoryEntry {
    let command = held.command().clone();
    HistoryEntry {
        id: command.id,
        description: command.description,
        author: command.author,
        sim_time: None,
        pending: true,
    }
}

pub(super) fn undo_redo(own: &mut GuiUserCommands, request: &UndoRedo) -> Result<Undone, String> {
    match request.undo {
        true => undo(own, request),
        false => redo(own, request),
    }
}

fn undo(own: &mut GuiUserCommands, request: &UndoRedo) -> Result<Undone, String> {
    let at = own.actions.iter().rposition(|held| held.command().id == request.id);
    let head = own.actions.last().map(Held::command);
    if let Some(head) = head.filter(|head| head.id != request.id && !request.jump) {
        return Err(head_moved(&head.description, &head.author));
    }
    if at.is_none() && !own.server.undo.iter().any(|entry| entry.id == request.id) {
        return Ok(Undone::AtServer(request.clone()));
    }
    let undone: Vec<Held> = own.actions.drain(at.unwrap_or(0)..).rev().collect();
    let count = undone.len();
    let description = undone.last().map(|held| held.command().description.clone());
    own.undone.extend(undone);
    own.changed();
    match (at, description) {
        (Some(_), Some(description)) => Ok(Undone::Here(done("Undone", count, &description))),
        _ => Ok(Undone::AtServer(request.clone())),
    }
}

fn redo(own: &mut GuiUserCommands, request: &UndoRedo) -> Result<Undone, String> {
    let Some(at) = own.undone.iter().rposition(|held| held.command().id == request.id) else {
        return Ok(Undone::AtServer(request.clone()));
    };
    if let Some(head) = fresh_redo(own).next_back() {
        if !request.jump {
            return Err(head_moved(&head.description, &head.author));
        }
        // The farthest of the server's is redone first, all of them in one jump.
        let farthest = fresh_redo(own).next().map(|entry| entry.id.clone());
        let id = farthest.unwrap_or_default();
        return Ok(Undone::ServerFirst(UndoRedo { id, ..request.clone() }));
    }
    if at + 1 < own.undone.len() && !request.jump {
        let head = own.undone.last().map(Held::command).cloned().unwrap_or_default();
        return Err(head_moved(&head.description, &head.author));
    }
    redo_here(own, &request.id).map(Undone::Here)
}

/// Redoes up to a command, whatever the server could redo.
pub(super) fn redo_here(own: &mut GuiUserCommands, id: &str) -> Result<UserCmdReply, String> {
    let at = own.undone.iter().rposition(|held| held.command().id == id);
    let at = at.ok_or_else(|| format!("No command {id:?} to redo. See the history"))?;
    let redone: Vec<Held> = own.undone.drain(at..).rev().collect();
    let count = redone.len();
    let description = redone.last().map(|held| held.command().description.clone());
    own.actions.extend(redone);
    own.changed();
    Ok(done("Redone", count, &description.unwrap_or_default()))
}

fn done(verb: &str, count: usize, description: &str) -> UserCmdReply {
    UserCmdReply::done(match count {
        1 => format!("{verb}: {description}"),
        _ => format!("{verb}: {count} commands, up to {description}"),
    })
}

fn head_moved(description: &str, author: &str) -> String {
    format!("head moved: {description}, by {author}. Look at the history and try again")
}
