//! Text actions.

use std::collections::BTreeSet;

use crate::TextCommand;
use crate::edit::{EditError, ListAction, WaypointsList};

impl WaypointsList {
    pub(super) fn add_action(
        &mut self,
        time_secs: f64,
        command: &TextCommand,
    ) -> Result<Vec<u64>, EditError> {
        check_kind(command)?;
        let id = self.fresh_id();
        self.actions.push(ListAction { id, time_secs, command: command.clone() });
        self.sort_actions();
        Ok(vec![id])
    }

    pub(super) fn set_action(
        &mut self,
        id: u64,
        time_secs: f64,
        command: &TextCommand,
    ) -> Result<(), EditError> {
        check_kind(command)?;
        let action = self.actions.iter_mut().find(|action| action.id == id);
        let action = action.ok_or(EditError::NoSuchAction)?;
        action.time_secs = time_secs;
        action.command = command.clone();
        self.sort_actions();
        Ok(())
    }

    pub(super) fn delete_actions(&mut self, ids: &[u64]) -> Result<(), EditError> {
        if ids.is_empty() {
            return Err(EditError::Nothing { what: "delete" });
        }
        let known: BTreeSet<u64> = self.actions.iter().map(|action| action.id).collect();
        let deleted: BTreeSet<u64> = ids.iter().copied().collect();
        if !deleted.is_subset(&known) {
            return Err(EditError::NoSuchAction);
        }
        self.actions.retain(|action| !deleted.contains(&action.id));
        Ok(())
    }
}

fn check_kind(command: &TextCommand) -> Result<(), EditError> {
    match command.kind.is_empty() {
        true => Err(EditError::NamelessAction),
        false => Ok(()),
    }
}
