//! Keyframes in the lists of the history, within their bounds.

use std::sync::Arc;

use retake_msgs::{HistoryEntry, UndoRedo, UserCmd, UserCmdStats};

use super::UndoLimits;
use super::list::{Entry, Lists, Reach, State};
use crate::Keyframe;

/// Longest description that is kept, in characters.
const MAX_DESCRIPTION: usize = 200;

/// The history of a server.
pub(crate) struct Keeper {
    lists: Lists<Kept>,
    limits: UndoLimits,
    dropped: u64,
    /// Names commands that came without an id.
    unnamed: u64,
    told: Arc<UserCmdStats>,
}

/// A jump that was decided.
pub(crate) struct TimeTravel {
    /// Where to.
    pub(crate) to: Keyframe,
    /// What is undone or redone, for people to read.
    pub(crate) description: String,
    /// How many commands.
    pub(crate) count: usize,
}

/// A keyframe in the lists, which may hold it more than once.
#[derive(Clone)]
struct Kept(Arc<Weighed>);

struct Weighed {
    keyframe: Keyframe,
    bytes: usize,
}

impl State for Kept {
    fn identity(&self) -> usize {
        Arc::as_ptr(&self.0).addr()
    }

    fn bytes(&self) -> usize {
        self.0.bytes
    }
}

impl Keeper {
    pub(crate) fn new(limits: UndoLimits) -> Self {
        let mut keeper =
            Self { lists: Lists::new(), limits, dropped: 0, unnamed: 0, told: Arc::default() };
        keeper.retell();
        keeper
    }

    /// Returns both lists; the same `Arc` until they change.
    pub(crate) fn stats(&self) -> &Arc<UserCmdStats> {
        &self.told
    }

    /// Returns the limits in force.
    pub(crate) fn limits(&self) -> UndoLimits {
        self.limits
    }

    /// Keeps less or more from now on; what no longer fits is dropped.
    pub(crate) fn set_limits(&mut self, limits: UndoLimits) {
        self.limits = limits;
        if !limits.enabled {
            self.lists = Lists::new();
            self.dropped = 0;
        }
        self.shrink();
        self.retell();
    }

    /// Takes a command that was carried out, with the state before it.
    pub(crate) fn push(&mut self, command: &UserCmd, done: &str, before: Keyframe) {
        if self.limits.enabled {
            self.add(command, done, before);
            self.shrink();
            self.retell();
        }
    }

    /// Takes commands that were carried out together, each with the state before it.
    pub(crate) fn push_all(&mut self, commands: Vec<(&UserCmd, Keyframe)>) {
        if !self.limits.enabled {
            return;
        }
        // What would be dropped at once need not come in first.
        let over = commands.len().saturating_sub(self.limits.max_steps as usize);
        self.dropped += over as u64;
        for (command, before) in commands.into_iter().skip(over) {
            self.add(command, "", before);
        }
        self.shrink();
        self.retell();
    }

    fn add(&mut self, command: &UserCmd, done: &str, before: Keyframe) {
        let told = if command.description.is_empty() { done } else { &command.description };
        let entry = Entry {
            id: self.id_of(command),
            description: told.chars().take(MAX_DESCRIPTION).collect(),
            author: command.author.clone(),
            gesture: command.gesture.clone(),
            sim_time: before.sim_time(),
            before: self.weigh(before),
            undone_at: None,
        };
        self.lists.push(entry);
    }

    /// Undoes or redoes; `now` captures the present state.
    ///
    /// # Errors
    /// A sentence that says why not; nothing has changed then.
    pub(crate) fn travel(
        &mut self,
        request: &UndoRedo,
        now: impl FnOnce() -> Keyframe,
    ) -> Result<TimeTravel, String> {
        if !self.limits.enabled {
            return Err("Undo is off. Switch it on with: retake history on".to_owned());
        }
        if request.id.is_empty() {
            return Err("id is missing: say which command is meant".to_owned());
        }
        let reach = if request.jump { Reach::Any } else { Reach::Head };
        let leap = match request.undo {
            true => {
                let newest = self.newest().cloned();
                self.lists.undo(&request.id, reach, || weighed(now(), newest.as_ref()))
            }
            false => self.lists.redo(&request.id, reach),
        };
        let leap = leap.map_err(|error| error.to_string())?;
        self.shrink();
        self.retell();
        let to = leap.to.0.keyframe.clone();
        Ok(TimeTravel { to, description: leap.description, count: leap.count })
    }

    fn id_of(&mut self, command: &UserCmd) -> String {
        if !command.id.is_empty() {
            return command.id.clone();
        }
        self.unnamed += 1;
        format!("#{}", self.unnamed)
    }

    fn newest(&self) -> Option<&Kept> {
        self.lists.undo.last().map(|entry| &entry.before)
    }

    fn weigh(&self, keyframe: Keyframe) -> Kept {
        weighed(keyframe, self.newest())
    }

    fn shrink(&mut self) {
        let (steps, bytes) = (self.limits.max_steps as usize, self.limits.max_bytes);
        let dropped = self.lists.shrink(steps, bytes);
        self.dropped += dropped;
        if let (1.., Some(oldest)) = (dropped, self.lists.undo.first_mut()) {
            // It shares nothing with an earlier one any more.
            oldest.before = weighed(oldest.before.0.keyframe.clone(), None);
            self.dropped += self.lists.shrink(steps, bytes);
        }
    }

    fn retell(&mut self) {
        let told = |entries: &[Entry<Kept>]| entries.iter().map(told).collect();
        self.told = Arc::new(UserCmdStats {
            undo: told(&self.lists.undo),
            redo: told(&self.lists.redo),
            enabled: self.limits.enabled,
            max_steps: self.limits.max_steps,
            max_bytes: self.limits.max_bytes,
            bytes: self.lists.bytes(),
            dropped: self.dropped,
        });
    }
}

/// Counts what a keyframe takes beyond the one before it: entities that did not change are shared,
/// and so is the engine's half of edits that were taken over together.
fn weighed(keyframe: Keyframe, earlier: Option<&Kept>) -> Kept {
    let unshared = match earlier {
        Some(earlier) => keyframe.ecm.bytes_beyond(&earlier.0.keyframe.ecm),
        None => keyframe.ecm.bytes(),
    };
    let shares_engine = earlier.is_some_and(|kept| kept.0.keyframe.engine.shares(&keyframe.engine));
    let engine = match shares_engine {
        true => 0,
        false => {
            let followed = keyframe.engine_ecm.as_ref();
            keyframe.engine.bytes() + followed.map_or(0, |ecm| ecm.bytes_beyond(&keyframe.ecm))
        }
    };
    let bytes = engine + unshared;
    Kept(Arc::new(Weighed { keyframe, bytes }))
}

fn told(entry: &Entry<Kept>) -> HistoryEntry {
    HistoryEntry {
        id: entry.id.clone(),
        description: entry.description.clone(),
        author: entry.author.clone(),
        sim_time: Some(entry.sim_time.into()),
        pending: false,
    }
}
