//! What pages do while the world is paused, when the server is in another process.
//!
//! Each command is carried out on this GUI's own Ecm at once and kept as an action: an edit with the
//! values before it. The server takes the actions over when the world goes on. Until then what is
//! shown is the server's state with the actions laid over it, in order.

mod describe;
mod history;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, LazyLock};

use retake_ecm::{Ecm, EcmSnapshot, EntityId, IdBlock};
use retake_msgs::{
    GuiJoined, GuiPending, PausedAction, PausedActionOutcome, PausedActionsTaken, PendingAction,
    SerializedStateV, UndoRedo, UserCmd, UserCmdReply, UserCmdStats, user_cmd,
};
use retake_sim::Editor;

pub use history::Undone;

/// Actions that may wait; further ones are refused.
const MAX_ACTIONS: usize = 16_384;
/// Bytes that they may take together: they travel in one message.
const MAX_BYTES: usize = 12 * 1024 * 1024;
/// How far back a command that is sent again is recognised.
const RECENT: usize = 1024;
/// Refused actions that are shown until somebody drops them; beyond it the oldest go.
const MAX_REFUSED: usize = 256;
/// Ids that must be left for one more command.
const IDS_FOR_A_COMMAND: u64 = 1 << 20;

/// The ordered actions of a GUI, with the Ecm that they led to.
pub struct GuiUserCommands {
    editor: Editor,
    seat: Option<Seat>,
    /// The run of the server that the actions are meant for.
    run: Option<String>,
    base: EcmSnapshot,
    shown: EcmSnapshot,
    /// Whether actions are shown: a world that runs shows only what is true.
    paused: bool,
    actions: Vec<Held>,
    undone: Vec<Held>,
    refused: Vec<PendingAction>,
    /// Taken over, but not yet part of `base`, with the server's tick that has them.
    arriving: Vec<(u64, Held)>,
    /// What can be undone and redone at the server.
    server: Arc<UserCmdStats>,
    /// Both of that and what is held here.
    history: Arc<UserCmdStats>,
    /// What could be redone there when a newer action was made here: that is over.
    stale_redo: BTreeSet<String>,
    next_number: u64,
    /// The last number that the server has been offered.
    offered: u64,
    last_made_at: i64,
}

/// What the server gave this GUI.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seat {
    gui: u64,
    next_id: EntityId,
}

/// What pages should hear of after the server took actions over.
#[derive(Debug, Default)]
pub struct Cleared {
    /// What was refused, and why.
    pub refused: Vec<PendingAction>,
    /// What was undone here while the server was taking it over: it is in the world.
    pub too_late: Vec<PendingAction>,
}

/// An action that only this GUI has.
#[derive(Clone)]
struct Held {
    action: PausedAction,
    told: PendingAction,
    bytes: usize,
    /// The Ecm that it was laid over last.
    before: EcmSnapshot,
}

impl Held {
    fn command(&self) -> &UserCmd {
        static NONE: LazyLock<UserCmd> = LazyLock::new(UserCmd::default);
        self.action.command.as_ref().unwrap_or(&NONE)
    }

    fn is_continued_by(&self, command: &UserCmd) -> bool {
        let own = self.command();
        !command.gesture.is_empty()
            && (&own.gesture, &own.author) == (&command.gesture, &command.author)
    }
}

impl GuiUserCommands {
    /// Starts with nothing done; insertions may take files from the editor's folders.
    pub fn new(editor: Editor, base: EcmSnapshot) -> Self {
        Self {
            editor,
            seat: None,
            run: None,
            shown: base.clone(),
            base,
            paused: false,
            actions: Vec::new(),
            undone: Vec::new(),
            refused: Vec::new(),
            arriving: Vec::new(),
            server: Arc::default(),
            history: Arc::default(),
            stale_redo: BTreeSet::new(),
            next_number: 1,
            offered: 0,
            last_made_at: i64::MIN,
        }
    }

    /// Takes what the server gave.
    ///
    /// After a connection that broke, what is held stays, and ids go on. Of another run of a server
    /// nothing holds any more: returns how many actions were lost with it.
    pub fn sit_down(&mut self, joined: &GuiJoined) -> usize {
        let is_same = self.run.as_ref().is_none_or(|run| *run == joined.run);
        let lost = if is_same { 0 } else { self.start_over() };
        self.run = Some(joined.run.clone());
        let first = EntityId::from_raw(joined.first_entity_id);
        let known = self.seat.map(|seat| seat.next_id).filter(|_| is_same);
        let next_id = known.filter(|next| IdBlock::of(*next) == IdBlock::of(first));
        let next_id = next_id.unwrap_or(first);
        self.seat = joined.ok.then_some(Seat { gui: joined.gui, next_id });
        lost
    }

    /// Forgets every action, because the world is another; returns how many waited.
    fn start_over(&mut self) -> usize {
        let lost = std::mem::take(&mut self.actions).len();
        self.undone.clear();
        self.refused.clear();
        self.arriving.clear();
        self.changed();
        lost
    }

    /// Edits with another editor from now on.
    pub fn edit_with(&mut self, editor: Editor) {
        self.editor = editor;
    }

    /// Takes what can be undone and redone at the server.
    pub fn follow_history(&mut self, server: Arc<UserCmdStats>) {
        self.server = server;
        self.history = history::both(self);
    }

    /// Follows the server's state, which is at `tick`.
    pub fn follow(&mut self, base: EcmSnapshot, tick: u64, paused: bool) {
        self.base = base;
        self.paused = paused;
        self.arriving.retain(|(has_it, _)| *has_it > tick);
        self.lay_over();
    }

    /// Takes note that the server's state is at `tick`, with nothing changed.
    pub fn arrive(&mut self, tick: u64) {
        if self.arriving.iter().any(|(has_it, _)| *has_it <= tick) {
            self.follow(self.base.clone(), tick, self.paused);
        }
    }

    /// Returns what this GUI shows.
    pub fn ecm(&self) -> &EcmSnapshot {
        &self.shown
    }

    /// Returns how this GUI is known to the server.
    pub fn gui(&self) -> Option<u64> {
        self.seat.map(|seat| seat.gui)
    }

    /// Says whether actions wait to be taken over.
    pub fn is_holding(&self) -> bool {
        !self.actions.is_empty()
    }

    /// Says whether a command is carried out here: the world stands still, and an Ecm is enough.
    pub fn takes(&self, command: &UserCmd) -> bool {
        let local = |command: &user_cmd::Command| !Editor::needs_server(command);
        self.paused && self.seat.is_some() && command.command.as_ref().is_some_and(local)
    }

    /// Carries a command out on the Ecm and keeps it; `now_nanos` counts from 1970.
    pub fn append(&mut self, command: &UserCmd, now_nanos: i64) -> UserCmdReply {
        match self.try_append(command, now_nanos) {
            Ok(reply) => reply,
            Err(reason) => UserCmdReply::refused(reason),
        }
    }

    fn try_append(&mut self, command: &UserCmd, now_nanos: i64) -> Result<UserCmdReply, String> {
        if self.known(&command.id) {
            return Ok(UserCmdReply::done(command.description.clone()));
        }
        let seat = self.seat.as_mut().ok_or("The server does not know this GUI yet. Try again")?;
        let edit = command.command.as_ref().ok_or("The command does not say what to do")?;
        let block = IdBlock::of(seat.next_id);
        if block.is_none_or(|block| block.left(seat.next_id) < IDS_FOR_A_COMMAND) {
            return Err("This GUI has used its entity ids up. Restart it".to_owned());
        }
        let mut ecm = Ecm::clone(&self.shown);
        let next = ecm.give_ids_from(seat.next_id);
        let edited = self.editor.apply(&mut ecm, edit).map_err(|error| error.to_string())?;
        let used_up_to = ecm.give_ids_from(next);
        // What the server may be taking over just now is not continued.
        let offered = self.offered;
        let continued = self
            .actions
            .pop_if(|last| last.action.number > offered && last.is_continued_by(command));
        let before = continued.as_ref().map_or(&self.shown, |last| &last.before).clone();
        let id = continued.as_ref().map_or(&command.id, |last| &last.command().id).clone();
        let named = Some(&command.description).filter(|name| !name.is_empty());
        let description = named.unwrap_or(&edited.description).clone();
        let command =
            UserCmd { id, description: description.clone(), command: None, ..command.clone() };
        self.last_made_at = now_nanos.max(self.last_made_at);
        let action = PausedAction {
            state: Some(ecm.encode_edit(&before)),
            command: Some(command),
            number: self.next_number,
            made_at_nanos: self.last_made_at,
        };
        let held = Held {
            bytes: prost::Message::encoded_len(&action),
            told: describe::pending(&action, &ecm),
            before,
            action,
        };
        if let Err(reason) = self.check_room(held.bytes) {
            self.actions.extend(continued);
            return Err(reason);
        }
        if let Some(seat) = &mut self.seat {
            seat.next_id = used_up_to;
        }
        self.next_number += 1;
        self.actions.push(held);
        self.undone.clear();
        self.stale_redo = self.server.redo.iter().map(|entry| entry.id.clone()).collect();
        self.shown = ecm.snapshot();
        self.history = history::both(self);
        let entities = edited.entities.iter().map(|entity| entity.raw()).collect();
        Ok(UserCmdReply { entities, ..UserCmdReply::done(description) })
    }

    fn check_room(&self, more: usize) -> Result<(), String> {
        let bytes: usize = self.actions.iter().map(|held| held.bytes).sum();
        match self.actions.len() < MAX_ACTIONS && bytes + more <= MAX_BYTES {
            true => Ok(()),
            false => Err(format!(
                "{} actions wait for the server. Let the world go on first",
                self.actions.len()
            )),
        }
    }

    /// Says whether a command with this id is held: the same one sent again is carried out once.
    fn known(&self, id: &str) -> bool {
        let mut recent = self.actions.iter().rev().take(RECENT);
        !id.is_empty() && recent.any(|held| held.command().id == id)
    }

    /// Returns every action in order, for the server.
    pub fn all(&mut self) -> SerializedStateV {
        self.offered = self.next_number - 1;
        let action = self.actions.iter().map(|held| held.action.clone()).collect();
        SerializedStateV { gui: self.gui().unwrap_or(0), action }
    }

    /// Lets go of exactly what the server has taken or refused.
    pub fn clear(&mut self, taken: &PausedActionsTaken) -> Cleared {
        let mut refused = Vec::new();
        let outcomes: BTreeMap<u64, &PausedActionOutcome> =
            taken.outcome.iter().map(|outcome| (outcome.number, outcome)).collect();
        let is_taken =
            |held: &mut Held| outcomes.get(&held.action.number).is_some_and(|outcome| outcome.ok);
        let too_late: Vec<_> = self.undone.extract_if(.., is_taken).map(|held| held.told).collect();
        for held in std::mem::take(&mut self.actions) {
            match outcomes.get(&held.action.number) {
                None => self.actions.push(held),
                Some(outcome) if outcome.ok => self.arriving.push((taken.tick, held)),
                Some(outcome) => {
                    let told = PendingAction { refused: outcome.message.clone(), ..held.told };
                    refused.push(told);
                }
            }
        }
        self.refused.extend(refused.iter().cloned());
        let over = self.refused.len().saturating_sub(MAX_REFUSED);
        self.refused.drain(..over);
        self.changed();
        Cleared { refused, too_late }
    }

    /// Drops an action that waits or was refused; says whether there was one.
    pub fn discard(&mut self, id: &str) -> bool {
        let before = self.actions.len() + self.refused.len();
        self.actions.retain(|held| held.command().id != id);
        self.refused.retain(|action| action.id != id);
        self.changed();
        self.actions.len() + self.refused.len() < before
    }

    /// Returns what is held, for everybody to see.
    pub fn pending(&self) -> GuiPending {
        let waiting = self.actions.iter().map(|held| &held.told);
        describe::newest(self.gui().unwrap_or(0), self.refused.iter().chain(waiting))
    }

    /// Returns what can be undone and redone, here and at the server.
    ///
    /// The same `Arc` until it changes.
    pub fn history(&self) -> Arc<UserCmdStats> {
        Arc::clone(&self.history)
    }

    /// Undoes or redoes what only this GUI holds; says what is left for the server to do.
    ///
    /// # Errors
    /// A sentence that says why nothing was done.
    pub fn undo_redo(&mut self, request: &UndoRedo) -> Result<Undone, String> {
        history::undo_redo(self, request)
    }

    /// Redoes what only this GUI holds, up to the action of a command.
    ///
    /// # Errors
    /// A sentence that says why nothing was done.
    pub fn redo_here(&mut self, id: &str) -> Result<UserCmdReply, String> {
        history::redo_here(self, id)
    }

    /// Shows the actions after some came or went.
    fn changed(&mut self) {
        self.history = history::both(self);
        self.lay_over();
    }

    /// Lays the actions over the server's state anew.
    fn lay_over(&mut self) {
        if self.arriving.is_empty() && (self.actions.is_empty() || !self.paused) {
            self.shown = self.base.clone();
            return;
        }
        let mut ecm = Ecm::clone(&self.base);
        for (_, held) in &self.arriving {
            // What has arrived in the meantime is there already.
            held.action.state.as_ref().map(|edit| ecm.merge(edit));
        }
        if self.paused {
            for held in &mut self.actions {
                held.before = ecm.snapshot();
                let edit = held.action.state.as_ref();
                let merged = edit.map_or(Ok(()), |edit| ecm.merge(edit));
                // The server will refuse it for the same reason, unless things change once more.
                held.told.refused = merged.err().map(|error| error.to_string()).unwrap_or_default();
            }
        }
        self.shown = ecm.snapshot();
    }
}
