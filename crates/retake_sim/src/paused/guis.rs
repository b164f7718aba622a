//! The GUIs that have an Ecm of their own.

use std::collections::BTreeMap;
use std::sync::Arc;

use retake_ecm::IdBlock;
use retake_msgs::{
    GuiJoin, GuiJoined, GuiPending, PausedAction, PausedActionOutcome, PendingActions,
};

use crate::user_commands::is_unprintable;

/// GUIs that may be there at once; further ones are refused.
const MAX_GUIS: usize = 64;
/// Characters of a GUI's name that are kept.
const MAX_NAME: usize = 64;
/// Actions of one GUI that are told to others; of the rest only how many there are.
const MAX_TOLD: usize = 256;
/// Refusals of one GUI that are remembered, in case that it did not hear of them.
const MAX_REFUSED: usize = 1024;

/// Who is there, and what they hold.
#[derive(Default)]
pub(crate) struct Guis {
    by_id: BTreeMap<u64, Gui>,
    /// Never goes back, not even when time does: no two GUIs ever have one block.
    joined: u64,
    told: Arc<PendingActions>,
}

struct Gui {
    name: String,
    /// Actions up to this number were taken over or refused.
    settled: u64,
    refused: BTreeMap<u64, String>,
    pending: GuiPending,
}

impl Guis {
    /// Takes a GUI in and hands it the ids of the entities that it will make.
    pub(crate) fn join(&mut self, join: &GuiJoin) -> GuiJoined {
        let refused = |message: String| GuiJoined { message, ..GuiJoined::default() };
        if self.by_id.len() >= MAX_GUIS {
            return refused(format!("{MAX_GUIS} GUIs are there already. Close one of them"));
        }
        let Some(block) = IdBlock::numbered(self.joined) else {
            return refused("No entity ids are left. Restart the server".to_owned());
        };
        self.joined += 1;
        let gui = self.joined;
        let kept: String =
            join.name.chars().filter(|c| !is_unprintable(*c)).take(MAX_NAME).collect();
        let name = format!("{} {gui}", if kept.is_empty() { "gui" } else { &kept });
        let pending = GuiPending { gui, name: name.clone(), ..GuiPending::default() };
        self.by_id.insert(gui, Gui { name, settled: 0, refused: BTreeMap::new(), pending });
        let (first_entity_id, entity_ids) = (block.first().raw(), IdBlock::SIZE);
        GuiJoined { ok: true, message: String::new(), gui, first_entity_id, entity_ids }
    }

    /// Forgets a GUI; says what it takes along, when it held actions.
    pub(crate) fn leave(&mut self, gui: u64) -> Option<String> {
        let gone = self.by_id.remove(&gui)?;
        self.retell();
        let held = gone.pending.action.iter().filter(|action| action.refused.is_empty()).count()
            + gone.pending.more as usize;
        let name = gone.name;
        (held > 0).then(|| format!("{name} went away with {held} actions that were not taken over"))
    }

    /// Takes note of what a GUI holds.
    pub(crate) fn tell(&mut self, mut pending: GuiPending) {
        let Some(gui) = self.by_id.get_mut(&pending.gui) else { return };
        let over = pending.action.len().saturating_sub(MAX_TOLD);
        pending.action.truncate(MAX_TOLD);
        pending.more = pending.more.saturating_add(over as u64);
        pending.name = gui.name.clone();
        if gui.pending != pending {
            gui.pending = pending;
            self.retell();
        }
    }

    /// Returns what all GUIs hold; the same `Arc` until it changes.
    pub(crate) fn pending(&self) -> &Arc<PendingActions> {
        &self.told
    }

    /// Returns the GUIs that are there.
    pub(crate) fn ids(&self) -> Vec<u64> {
        self.by_id.keys().copied().collect()
    }

    /// Returns what people call a GUI.
    pub(crate) fn name(&self, gui: u64) -> Option<&str> {
        self.by_id.get(&gui).map(|gui| gui.name.as_str())
    }

    /// Splits what a GUI offers into what is new and what it was not told of yet.
    pub(crate) fn fresh(
        &self,
        gui: u64,
        offered: Vec<PausedAction>,
    ) -> (Vec<PausedAction>, Vec<PausedActionOutcome>) {
        let Some(known) = self.by_id.get(&gui) else { return (Vec::new(), Vec::new()) };
        let (old, fresh): (Vec<_>, Vec<_>) =
            offered.into_iter().partition(|action| action.number <= known.settled);
        let told = old.into_iter().map(|action| match known.refused.get(&action.number) {
            Some(reason) => outcome(action.number, Err(reason.clone())),
            None => outcome(action.number, Ok(())),
        });
        let told = told.collect();
        (fresh, told)
    }

    /// Takes note of what became of an action.
    pub(crate) fn settle(&mut self, gui: u64, outcome: &PausedActionOutcome) {
        let Some(gui) = self.by_id.get_mut(&gui) else { return };
        gui.settled = gui.settled.max(outcome.number);
        if !outcome.ok {
            if gui.refused.len() >= MAX_REFUSED {
                gui.refused.pop_first();
            }
            gui.refused.insert(outcome.number, outcome.message.clone());
        }
    }

    fn retell(&mut self) {
        let holding = |gui: &&Gui| !gui.pending.action.is_empty() || gui.pending.more > 0;
        let gui = self.by_id.values().filter(holding).map(|gui| gui.pending.clone()).collect();
        self.told = Arc::new(PendingActions { gui });
    }
}

/// Says what became of an action.
pub(crate) fn outcome(number: u64, done: Result<(), String>) -> PausedActionOutcome {
    let (ok, message) = match done {
        Ok(()) => (true, String::new()),
        Err(reason) => (false, reason),
    };
    PausedActionOutcome { number, ok, message }
}

#[cfg(test)]
mod tests {
    use retake_msgs::PendingAction;

    use super::*;

    fn join(guis: &mut Guis, name: &str) -> GuiJoined {
        guis.join(&GuiJoin { name: name.to_owned() })
    }

    #[test]
    fn no_two_guis_ever_have_one_block() {
        let mut guis = Guis::default();
        let (ann, bob) = (join(&mut guis, "ann\n"), join(&mut guis, ""));
        assert_eq!((guis.name(ann.gui), guis.name(bob.gui)), (Some("ann 1"), Some("gui 2")));
        assert_eq!(ann.first_entity_id + ann.entity_ids, bob.first_entity_id);
        guis.leave(ann.gui);
        assert!(join(&mut guis, "ann").first_entity_id > bob.first_entity_id);
        for _ in guis.ids().len()..MAX_GUIS {
            assert!(join(&mut guis, "x").ok);
        }
        assert_eq!(join(&mut guis, "x").message, "64 GUIs are there already. Close one of them");
    }

    #[test]
    fn who_leaves_with_actions_is_named() {
        let mut guis = Guis::default();
        let gui = join(&mut guis, "ann").gui;
        let action = vec![PendingAction::default(); MAX_TOLD + 3];
        guis.tell(GuiPending { gui, action, ..GuiPending::default() });
        assert_eq!((guis.pending().gui[0].action.len(), guis.pending().gui[0].more), (256, 3));
        let said = guis.leave(gui).unwrap();
        assert_eq!(said, "ann 1 went away with 259 actions that were not taken over");
        assert!(guis.pending().gui.is_empty());
    }

    #[test]
    fn an_action_that_was_settled_is_not_new_but_told_again() {
        let mut guis = Guis::default();
        let gui = join(&mut guis, "ann").gui;
        guis.settle(gui, &outcome(1, Ok(())));
        guis.settle(gui, &outcome(2, Err("no".into())));
        let offered = [1, 2, 3].map(|number| PausedAction { number, ..PausedAction::default() });
        let (fresh, told) = guis.fresh(gui, offered.to_vec());
        assert_eq!(fresh.iter().map(|action| action.number).collect::<Vec<_>>(), [3]);
        assert_eq!(told, [outcome(1, Ok(())), outcome(2, Err("no".into()))]);
    }
}
