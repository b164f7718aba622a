//! The GUIs that have an Ecm of their own.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use retake_ecm::IdBlock;
use retake_msgs::{
    GuiJoin, GuiJoined, GuiPending, PausedAction, PausedActionOutcome, PendingAction,
    PendingActions,
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
/// GUIs that went away and are still known when they come back; the oldest are forgotten first.
const MAX_GONE: usize = 256;
/// Longest text of an action that is told, and most entities.
const MAX_TEXT: usize = 200;
const MAX_ENTITIES: usize = 32;

/// Who is there, and what they hold.
#[derive(Default)]
pub(crate) struct Guis {
    by_id: BTreeMap<u64, Gui>,
    /// Counts up and never goes back, not even when time does.
    joined: u64,
    /// Blocks that were handed out: no two GUIs ever have one.
    blocks: u64,
    /// What is known of GUIs that went away, by their tokens, the oldest first.
    gone: VecDeque<(String, Record)>,
    told: Arc<PendingActions>,
}

struct Gui {
    name: String,
    token: String,
    record: Record,
    pending: GuiPending,
}

/// What stays true of a GUI when its connection breaks.
struct Record {
    block: IdBlock,
    /// Actions up to this number were taken over or refused.
    settled: u64,
    refused: BTreeMap<u64, String>,
}

impl Guis {
    /// Takes a GUI in and hands it the ids of the entities that it will make.
    pub(crate) fn join(&mut self, join: &GuiJoin) -> GuiJoined {
        let refused = |message: String| GuiJoined { message, ..GuiJoined::default() };
        if self.by_id.len() >= MAX_GUIS {
            return refused(format!("{MAX_GUIS} GUIs are there already. Close one of them"));
        }
        let Some(record) = self.record_of(&join.token) else {
            return refused("No entity ids are left. Restart the server".to_owned());
        };
        self.joined += 1;
        let gui = self.joined;
        let kept = printable(&join.name, MAX_NAME);
        let name = format!("{} {gui}", if kept.is_empty() { "gui" } else { &kept });
        let pending = GuiPending { gui, name: name.clone(), ..GuiPending::default() };
        let (first_entity_id, entity_ids) = (record.block.first().raw(), IdBlock::SIZE);
        let token = join.token.chars().take(MAX_NAME).collect();
        self.by_id.insert(gui, Gui { name, token, record, pending });
        let (message, run) = (String::new(), String::new());
        GuiJoined { ok: true, message, gui, first_entity_id, entity_ids, run }
    }

    /// Finds what is known of a GUI that comes back, or begins anew.
    fn record_of(&mut self, token: &str) -> Option<Record> {
        if !token.is_empty() {
            // Its old connection may not have been noticed to be gone.
            let old = self.by_id.iter().find(|(_, gui)| gui.token == token).map(|(id, _)| *id);
            old.map(|old| self.leave(old));
            let at = self.gone.iter().position(|(known, _)| known == token);
            if let Some((_, record)) = at.and_then(|at| self.gone.remove(at)) {
                return Some(record);
            }
        }
        let block = IdBlock::numbered(self.blocks)?;
        self.blocks += 1;
        Some(Record { block, settled: 0, refused: BTreeMap::new() })
    }

    /// Forgets a GUI; says what it takes along, when it held actions.
    pub(crate) fn leave(&mut self, gui: u64) -> Option<String> {
        let gone = self.by_id.remove(&gui)?;
        self.retell();
        let waits = gone.pending.action.iter().filter(|action| action.refused.is_empty());
        let held = (waits.count() as u64).saturating_add(gone.pending.more);
        let name = gone.name;
        if !gone.token.is_empty() {
            self.gone.push_back((gone.token, gone.record));
            let over = self.gone.len().saturating_sub(MAX_GONE);
            self.gone.drain(..over);
        }
        (held > 0).then(|| format!("{name} went away with {held} actions that were not taken over"))
    }

    /// Takes note of what a GUI holds.
    pub(crate) fn tell(&mut self, mut pending: GuiPending) {
        let Some(gui) = self.by_id.get_mut(&pending.gui) else { return };
        let over = pending.action.len().saturating_sub(MAX_TOLD);
        pending.action.truncate(MAX_TOLD);
        pending.more = pending.more.saturating_add(over as u64);
        pending.name = gui.name.clone();
        pending.action.iter_mut().for_each(bound);
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

    /// Returns the block of ids that a GUI makes entities with.
    pub(crate) fn block(&self, gui: u64) -> Option<IdBlock> {
        self.by_id.get(&gui).map(|gui| gui.record.block)
    }

    /// Splits what a GUI offers into what is new and what it was not told of yet.
    pub(crate) fn fresh(
        &self,
        gui: u64,
        offered: Vec<PausedAction>,
    ) -> (Vec<PausedAction>, Vec<PausedActionOutcome>) {
        let Some(gui) = self.by_id.get(&gui) else { return (Vec::new(), Vec::new()) };
        let known = &gui.record;
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
        let record = &mut gui.record;
        record.settled = record.settled.max(outcome.number);
        if !outcome.ok {
            if record.refused.len() >= MAX_REFUSED {
                record.refused.pop_first();
            }
            record.refused.insert(outcome.number, outcome.message.clone());
        }
    }

    fn retell(&mut self) {
        let holding = |gui: &&Gui| !gui.pending.action.is_empty() || gui.pending.more > 0;
        let gui = self.by_id.values().filter(holding).map(|gui| gui.pending.clone()).collect();
        self.told = Arc::new(PendingActions { gui });
    }
}

/// Keeps of a text what can be shown.
fn printable(text: &str, most: usize) -> String {
    text.chars().filter(|c| !is_unprintable(*c)).take(most).collect()
}

/// Cuts what is told of an action to what people can read.
fn bound(action: &mut PendingAction) {
    for text in [&mut action.id, &mut action.author, &mut action.description, &mut action.refused] {
        *text = printable(text, MAX_TEXT);
    }
    action.entity.truncate(MAX_ENTITIES);
    for entity in &mut action.entity {
        entity.name = printable(&entity.name, MAX_TEXT);
        entity.kind = printable(&entity.kind, MAX_NAME);
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
    use super::*;

    fn join(guis: &mut Guis, name: &str) -> GuiJoined {
        guis.join(&GuiJoin { name: name.to_owned(), token: name.to_owned() })
    }

    #[test]
    fn no_two_guis_ever_have_one_block() {
        let mut guis = Guis::default();
        let (ann, bob) = (join(&mut guis, "ann\n"), join(&mut guis, ""));
        assert_eq!((guis.name(ann.gui), guis.name(bob.gui)), (Some("ann 1"), Some("gui 2")));
        assert_eq!(ann.first_entity_id + ann.entity_ids, bob.first_entity_id);
        guis.leave(ann.gui);
        assert!(join(&mut guis, "eve").first_entity_id > bob.first_entity_id);
        for _ in guis.ids().len()..MAX_GUIS {
            assert!(join(&mut guis, "").ok);
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
    fn a_gui_that_comes_back_is_known() {
        let mut guis = Guis::default();
        let first = join(&mut guis, "ann");
        guis.settle(first.gui, &outcome(4, Ok(())));
        // Its old connection is noticed to be gone only later, or before.
        let second = join(&mut guis, "ann");
        assert_eq!(guis.leave(first.gui), None);
        guis.leave(second.gui);
        let third = join(&mut guis, "ann");
        assert_eq!(third.first_entity_id, first.first_entity_id);
        assert!(third.gui > second.gui && second.gui > first.gui);
        let old = PausedAction { number: 4, ..PausedAction::default() };
        assert_eq!(guis.fresh(third.gui, vec![old]), (vec![], vec![outcome(4, Ok(()))]));
        for number in 0..2 * MAX_GONE {
            let gui = join(&mut guis, &format!("gui {number}")).gui;
            guis.leave(gui);
        }
        assert_eq!(guis.gone.len(), MAX_GONE);
    }

    #[test]
    fn a_number_that_nobody_can_hold_does_no_harm() {
        let mut guis = Guis::default();
        let gui = join(&mut guis, "ann").gui;
        let action = vec![PendingAction { id: "x".repeat(9999), ..PendingAction::default() }];
        guis.tell(GuiPending { gui, action, more: u64::MAX, ..GuiPending::default() });
        assert_eq!(guis.pending().gui[0].action[0].id.len(), MAX_TEXT);
        assert!(guis.leave(gui).is_some());
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
