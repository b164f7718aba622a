//! Paused actions of GUIs, as requests.

use std::sync::Arc;

use retake_ecm::written_fields;
use retake_msgs::notification::Level;
use retake_msgs::{
    GuiJoin, GuiJoined, GuiPending, PausedAction, PausedActionsTaken, PendingActions,
    SerializedState, UserCmd, UserCmdReply,
};

use super::{Server, has_short_names, too_long};
use crate::paused::{Offer, Taken, Writer, in_order, outcome};
use crate::{Event, Request};

/// Most actions of one GUI in one message.
const MAX_ACTIONS: usize = 100_000;

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
        self.guis.join(join)
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
                Err(reason) => self.warn_of(gui, &reason),
            }
        }
        let actions = in_order(lists);
        let outcomes = self.take_over_in_order(&actions);
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
        let parts = actions.iter().map(|(_, action)| {
            let command = action.command.as_ref().unwrap_or(&empty.0);
            (command, action.state.as_ref().unwrap_or(&empty.1))
        });
        let parts: Vec<_> = parts.collect();
        let usable = |command: &UserCmd| has_short_names(command);
        let edits: Vec<_> =
            parts.iter().filter(|(command, _)| usable(command)).map(|(_, edit)| *edit).collect();
        let mut taken = match edits.is_empty() {
            true => Vec::new(),
            false => self.simulation.take_over(&edits),
        }
        .into_iter();
        let mut outcomes = Vec::with_capacity(actions.len());
        let mut done_commands = Vec::new();
        for ((gui, _), (command, edit)) in actions.iter().zip(&parts) {
            let done = match usable(command) {
                false => Err(too_long()),
                true => match taken.next() {
                    Some(Ok(before)) => {
                        self.remember(*gui, command, edit);
                        done_commands.push((*command, before));
                        Ok(())
                    }
                    Some(Err(error)) => Err(error.to_string()),
                    None => Err("It was not looked at".to_owned()),
                },
            };
            outcomes.push(done);
        }
        self.history.push_all(done_commands);
        self.follow_profile_pace();
        outcomes
    }

    /// Takes note of an action that was taken over, in case that it comes again.
    fn remember(&mut self, gui: u64, command: &UserCmd, edit: &SerializedState) {
        let reply = UserCmdReply::done(command.description.clone());
        self.recent.remember(&command.author, &command.id, &reply);
        self.note_writes(gui, command, edit);
    }

    /// Finds out whether a command overrode what somebody else wrote since the world was paused.
    pub(super) fn note_writes(&mut self, gui: u64, command: &UserCmd, edit: &SerializedState) {
        let by = Writer {
            gui,
            author: command.author.clone(),
            description: command.description.clone(),
        };
        for mut conflict in self.writers.note(written_fields(edit), &by) {
            let entity = retake_ecm::EntityId::from_raw(conflict.entity);
            conflict.name = retake_components::path_of(self.simulation.ecm(), entity);
            self.simulation.tell(Event::Conflict(Box::new(conflict)));
        }
    }
}
