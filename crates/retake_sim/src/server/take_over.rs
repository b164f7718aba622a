//! Paused actions of GUIs, as requests.

use std::sync::Arc;

use retake_ecm::{EntityId, IdBlock, written_fields};
use retake_msgs::notification::Level;
use retake_msgs::{
    EditConflict, GuiJoin, GuiJoined, GuiPending, LoggedTakeOver, PausedAction, PausedActionsTaken,
    PendingActions, SerializedState, UserCmd, UserCmdReply, logged_input,
};

use super::{Server, has_short_names, too_long};
use crate::paused::{NoAnswer, Offer, Taken, Writer, in_order, outcome};
use crate::{Event, Request};

/// Most actions of one GUI in one message.
const MAX_ACTIONS: usize = 100_000;
/// Conflicts of one take-over that are told one by one.
const MAX_CONFLICTS: usize = 32;

impl Server {
    /// Returns what GUIs hold and the server does not have yet; the same `Arc` until it changes.
    pub fn pending(&self) -> &Arc<PendingActions> {
        self.guis.pending()
    }

    /// Returns the GUIs that have an Ecm of their own.
    pub fn guis(&self) -> Vec<u64> {
        self.guis.ids()
    }

    /// Returns the GUIs that must be asked for their actions before a request is carried out.
    pub fn guis_to_ask(&self, request: &Request) -> Vec<u64> {
        match request {
            Request::Control(control) => {
                let resumes = control.pause == Some(false) && self.paused;
                let steps = control.multi_step.is_some_and(|steps| steps > 0);
                if resumes || steps { self.guis() } else { Vec::new() }
            }
            Request::TakeOver(request) => {
                self.guis.name(request.gui).map(|_| request.gui).into_iter().collect()
            }
            _ => Vec::new(),
        }
    }

    /// Takes a GUI in that has an Ecm of its own.
    pub(super) fn join_gui(&mut self, join: &GuiJoin) -> GuiJoined {
        GuiJoined { run: self.run.clone(), ..self.guis.join(join) }
    }

    /// Takes note of what a GUI holds.
    pub(super) fn note_pending(&mut self, pending: GuiPending) -> UserCmdReply {
        self.guis.tell(pending);
        UserCmdReply::done("")
    }

    /// Forgets a GUI that went away.
    pub(super) fn leave_gui(&mut self, gui: u64) -> UserCmdReply {
        if let Some(text) = self.guis.leave(gui) {
            self.notify(Level::Warning, text);
        }
        UserCmdReply::done("")
    }

    /// Takes over what GUIs did to their own copies, in the order in which they did it.
    ///
    /// Each action is a command of its own that can be undone, or refused whole with a reason; an
    /// action that was taken before is not taken again.
    pub fn take_over(&mut self, offers: Vec<Offer>) -> Vec<Taken> {
        let mut taken = Vec::new();
        let mut lists = Vec::new();
        for Offer { gui, answer } in offers {
            match answer {
                Ok(offered) if offered.action.len() <= MAX_ACTIONS => {
                    let (fresh, outcome) = self.guis.fresh(gui, offered.action);
                    lists.push((gui, fresh));
                    let told = PausedActionsTaken { outcome, tick: 0 };
                    taken.push(Taken { gui, taken: told });
                }
                Ok(_) => self.warn_of(gui, &format!("more than {MAX_ACTIONS} actions at once")),
                Err(NoAnswer::Silent(reason)) => self.warn_of(gui, &reason),
                Err(NoAnswer::Gone) => drop(self.leave_gui(gui)),
            }
        }
        let actions = in_order(lists);
        let outcomes = self.take_over_in_order(&actions);
        // What is left over at the end stays with its GUI.
        for ((gui, action), done) in actions.iter().zip(outcomes) {
            let outcome = outcome(action.number, done);
            self.guis.settle(*gui, &outcome);
            if let Some(told) = taken.iter_mut().find(|told| told.gui == *gui) {
                told.taken.outcome.push(outcome);
            }
        }
        let tick = self.simulation.ecm().tick();
        taken.iter_mut().for_each(|told| told.taken.tick = tick);
        taken
    }

    fn warn_of(&mut self, gui: u64, reason: &str) {
        // Whoever went away in the meantime was named already.
        if let Some(name) = self.guis.name(gui) {
            let text = format!("{name} gave no actions: {reason}. They stay with it");
            self.notify(Level::Warning, text);
        }
    }

    fn take_over_in_order(&mut self, actions: &[(u64, PausedAction)]) -> Vec<Result<(), String>> {
        let empty = (UserCmd::default(), SerializedState::default());
        let parts = actions.iter().map(|(gui, action)| {
            let command = action.command.as_ref().unwrap_or(&empty.0);
            let edit = action.state.as_ref().unwrap_or(&empty.1);
            (command, edit, self.fault(*gui, command, edit))
        });
        let parts: Vec<_> = parts.collect();
        let edits: Vec<_> =
            parts.iter().filter(|(_, _, fault)| fault.is_none()).map(|part| part.1).collect();
        let mut taken = match edits.is_empty() {
            true => Vec::new(),
            false => self.simulation.take_over(&edits),
        }
        .into_iter();
        let mut outcomes = Vec::with_capacity(actions.len());
        let mut done_commands = Vec::new();
        let mut conflicts = Vec::new();
        for ((gui, _), (command, edit, fault)) in actions.iter().zip(&parts) {
            let done = match (fault, fault.is_none().then(|| taken.next()).flatten()) {
                (Some(fault), _) => Err(fault.clone()),
                (None, Some(Ok(before))) => {
                    conflicts.extend(self.remember(*gui, command, edit));
                    done_commands.push((*command, before));
                    Ok(())
                }
                (None, Some(Err(error))) => Err(error.to_string()),
                (None, None) => break,
            };
            outcomes.push(done);
        }
        self.history.push_all(done_commands);
        self.tell_conflicts(conflicts);
        self.follow_profile_pace();
        if !edits.is_empty() {
            let sound = actions.iter().zip(&parts).filter(|(_, (_, _, fault))| fault.is_none());
            let action = sound.map(|((_, action), _)| action.clone()).collect();
            self.note_edit(|| logged_input::Input::TakeOver(LoggedTakeOver { action }), None);
        }
        outcomes
    }

    /// Says why an action cannot even be looked at.
    fn fault(&self, gui: u64, command: &UserCmd, edit: &SerializedState) -> Option<String> {
        if !has_short_names(command) {
            return Some(too_long());
        }
        let block = self.guis.block(gui);
        let made = edit.entities.iter().filter(|entity| entity.replaced && !entity.removed);
        let mut foreign = made.map(|entity| EntityId::from_raw(entity.id));
        let foreign = foreign.find(|id| block.is_none() || IdBlock::of(*id) != block);
        foreign.map(|id| format!("{id} is not one of the ids that this GUI may give"))
    }

    /// Takes note of an action that was taken over; returns what it overrode.
    fn remember(
        &mut self,
        gui: u64,
        command: &UserCmd,
        edit: &SerializedState,
    ) -> Vec<EditConflict> {
        let reply = UserCmdReply::done(command.description.clone());
        self.recent.remember(&command.author, &command.id, &reply);
        self.note_writes(gui, command, edit)
    }

    /// Takes note of what a command wrote; returns what it overrode of what somebody else wrote
    /// since the world was paused.
    pub(super) fn note_writes(
        &mut self,
        gui: u64,
        command: &UserCmd,
        edit: &SerializedState,
    ) -> Vec<EditConflict> {
        let by = Writer {
            gui,
            author: command.author.clone(),
            description: command.description.clone(),
        };
        self.writers.note(written_fields(edit), &by)
    }

    /// Tells every client of conflicts, but not more than anybody can read.
    pub(super) fn tell_conflicts(&mut self, conflicts: Vec<EditConflict>) {
        let more = conflicts.len().saturating_sub(MAX_CONFLICTS);
        for mut conflict in conflicts.into_iter().take(MAX_CONFLICTS) {
            let entity = EntityId::from_raw(conflict.entity);
            conflict.name = retake_components::path_of(self.simulation.ecm(), entity);
            self.simulation.tell(Event::Conflict(Box::new(conflict)));
        }
        if more > 0 {
            let text = format!("{more} more fields got values of two clients; the later hold");
            self.notify(Level::Warning, text);
        }
    }
}
