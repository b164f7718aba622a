//! The two lists of the history, over any kind of state.

use retake_math::SimTime;
use thiserror::Error;

/// A state that the lists can keep.
pub(super) trait State: Clone {
    /// Tells states apart: two that share their memory have the same.
    fn identity(&self) -> usize;

    /// Returns about how many bytes it takes.
    fn bytes(&self) -> usize;
}

/// A command that was carried out, with what it takes to go back and forth.
#[derive(Clone)]
pub(super) struct Entry<K> {
    pub(super) id: String,
    pub(super) description: String,
    pub(super) author: String,
    /// Commands of one gesture are one entry; empty is none.
    pub(super) gesture: String,
    pub(super) sim_time: SimTime,
    /// The state just before the command.
    pub(super) before: K,
    /// The state when it was undone last; there while it can be redone.
    pub(super) undone_at: Option<K>,
}

/// What can be undone and redone, the heads last.
pub(super) struct Lists<K> {
    pub(super) undo: Vec<Entry<K>>,
    pub(super) redo: Vec<Entry<K>>,
}

/// Which command of a list may be meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reach {
    /// Only the head.
    Head,
    /// Any; what lies between it and the head goes along.
    Any,
}

/// Where to go.
#[derive(Debug, PartialEq)]
pub(super) struct Leap<K> {
    /// The state to put in place.
    pub(super) to: K,
    /// The command that was meant.
    pub(super) description: String,
    /// How many commands were undone or redone.
    pub(super) count: usize,
}

/// Why nothing was undone or redone; nothing has changed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(super) enum HistoryError {
    #[error("There is nothing to {verb}")]
    Empty { verb: &'static str },
    #[error("head moved: {description}, by {author}. Look at the history and try again")]
    HeadMoved { description: String, author: String },
    #[error("No command {id:?} to {verb}. It may have been dropped; see retake history")]
    Unknown { id: String, verb: &'static str },
}

impl<K: State> Lists<K> {
    pub(super) fn new() -> Self {
        Self { undo: Vec::new(), redo: Vec::new() }
    }

    /// Takes a new command, after which there is nothing to redo.
    ///
    /// One that goes on with the gesture of the last keeps that one's state and place.
    pub(super) fn push(&mut self, entry: Entry<K>) {
        self.redo.clear();
        match self.undo.last_mut() {
            Some(last) if last.is_continued_by(&entry) => last.description = entry.description,
            _ => self.undo.push(entry),
        }
    }

    /// Undoes up to the command `id`; `now` captures the state to come back to.
    pub(super) fn undo(
        &mut self,
        id: &str,
        reach: Reach,
        now: impl FnOnce() -> K,
    ) -> Result<Leap<K>, HistoryError> {
        let at = find(&self.undo, id, reach, "undo")?;
        let (count, description) = (self.undo.len() - at, self.undo[at].description.clone());
        let mut left = now();
        for mut entry in self.undo.drain(at..).rev() {
            // Step by step, the one before would be undone at the very state that this one began.
            let before = entry.before.clone();
            entry.undone_at = Some(std::mem::replace(&mut left, before));
            self.redo.push(entry);
        }
        Ok(Leap { to: left, description, count })
    }

    /// Redoes up to the command `id`.
    pub(super) fn redo(&mut self, id: &str, reach: Reach) -> Result<Leap<K>, HistoryError> {
        let at = find(&self.redo, id, reach, "redo")?;
        let (count, description) = (self.redo.len() - at, self.redo[at].description.clone());
        let unknown = HistoryError::Unknown { id: id.to_owned(), verb: "redo" };
        let to = self.redo[at].undone_at.clone().ok_or(unknown)?;
        for mut entry in self.redo.drain(at..).rev() {
            entry.undone_at = None;
            self.undo.push(entry);
        }
        Ok(Leap { to, description, count })
    }

    /// Drops from the old end until both bounds hold, and returns how many commands it were.
    pub(super) fn shrink(&mut self, max_steps: usize, max_bytes: u64) -> u64 {
        let mut dropped = 0;
        while self.len() > max_steps || (self.len() > 0 && self.bytes() > max_bytes) {
            // What is redone last is the farthest when nothing is left to undo.
            let farthest = if self.undo.is_empty() { &mut self.redo } else { &mut self.undo };
            farthest.remove(0);
            dropped += 1;
        }
        dropped
    }

    /// Returns about how many bytes the states take, each counted once.
    pub(super) fn bytes(&self) -> u64 {
        let entries = self.undo.iter().chain(&self.redo);
        let states = entries.flat_map(|entry| [Some(&entry.before), entry.undone_at.as_ref()]);
        let mut weights: Vec<(usize, usize)> =
            states.flatten().map(|state| (state.identity(), state.bytes())).collect();
        weights.sort_unstable();
        weights.dedup_by_key(|(identity, _)| *identity);
        weights.iter().map(|(_, bytes)| *bytes as u64).sum()
    }

    fn len(&self) -> usize {
        self.undo.len() + self.redo.len()
    }
}

impl<K> Entry<K> {
    fn is_continued_by(&self, next: &Self) -> bool {
        !next.gesture.is_empty() && self.gesture == next.gesture && self.author == next.author
    }
}

fn find<K>(
    list: &[Entry<K>],
    id: &str,
    reach: Reach,
    verb: &'static str,
) -> Result<usize, HistoryError> {
    let Some(head) = list.last() else { return Err(HistoryError::Empty { verb }) };
    if head.id == id {
        return Ok(list.len() - 1);
    }
    match reach {
        Reach::Head => Err(HistoryError::HeadMoved {
            description: head.description.clone(),
            author: head.author.clone(),
        }),
        Reach::Any => {
            let place = list.iter().rposition(|entry| entry.id == id);
            place.ok_or_else(|| HistoryError::Unknown { id: id.to_owned(), verb })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Debug, PartialEq)]
    struct Instant(usize);

    impl State for Instant {
        fn identity(&self) -> usize {
            self.0
        }

        fn bytes(&self) -> usize {
            100
        }
    }

    fn entry(id: &str, before: usize) -> Entry<Instant> {
        Entry {
            id: id.to_owned(),
            description: format!("Do {id}"),
            author: "ann".to_owned(),
            gesture: String::new(),
            sim_time: SimTime::ZERO,
            before: Instant(before),
            undone_at: None,
        }
    }

    fn lists(ids: &[&str]) -> Lists<Instant> {
        let mut lists = Lists::new();
        ids.iter().enumerate().for_each(|(at, id)| lists.push(entry(id, at * 10)));
        lists
    }

    fn ids(list: &[Entry<Instant>]) -> Vec<&str> {
        list.iter().map(|entry| entry.id.as_str()).collect()
    }

    #[test]
    fn a_jump_is_as_many_single_steps() {
        let (mut one, mut many) = (lists(&["a", "b", "c"]), lists(&["a", "b", "c"]));
        let leap = one.undo("a", Reach::Any, || Instant(99)).unwrap();
        assert_eq!((leap.to, leap.count), (Instant(0), 3));
        let mut world = Instant(99);
        for id in ["c", "b", "a"] {
            world = many.undo(id, Reach::Head, || world.clone()).unwrap().to;
        }
        assert_eq!(world, Instant(0));
        for lists in [&mut one, &mut many] {
            let ends: Vec<_> = lists.redo.iter().map(|e| e.undone_at.clone().unwrap().0).collect();
            assert_eq!((ids(&lists.redo), ends), (vec!["c", "b", "a"], vec![99, 20, 10]));
            assert_eq!(lists.redo("c", Reach::Any).unwrap().to, Instant(99));
            assert_eq!((ids(&lists.undo), lists.redo.len()), (vec!["a", "b", "c"], 0));
        }
    }

    #[test]
    fn only_the_head_is_meant_unless_a_jump_is() {
        let mut lists = lists(&["a", "b"]);
        let moved = lists.undo("a", Reach::Head, || Instant(99)).unwrap_err();
        assert_eq!(
            moved.to_string(),
            "head moved: Do b, by ann. Look at the history and try again"
        );
        let unknown = lists.undo("z", Reach::Any, || Instant(99)).unwrap_err().to_string();
        assert!(unknown.starts_with("No command \"z\" to undo"), "{unknown}");
        assert_eq!(lists.redo("a", Reach::Head), Err(HistoryError::Empty { verb: "redo" }));
        assert_eq!((lists.undo.len(), lists.redo.len()), (2, 0));
    }

    #[test]
    fn a_gesture_is_one_entry() {
        let mut lists = lists(&["a"]);
        for (id, before) in [("b", 10), ("c", 11), ("d", 12)] {
            lists.push(Entry { gesture: "drag".to_owned(), ..entry(id, before) });
        }
        assert_eq!(ids(&lists.undo), ["a", "b"]);
        assert_eq!(lists.undo[1].description, "Do d");
        let theirs =
            Entry { gesture: "drag".to_owned(), author: "bob".to_owned(), ..entry("e", 13) };
        lists.push(theirs);
        assert_eq!(ids(&lists.undo), ["a", "b", "e"]);
        assert_eq!(lists.undo("b", Reach::Any, || Instant(99)).unwrap().to, Instant(10));
    }

    #[test]
    fn the_oldest_are_dropped_first_and_shared_states_count_once() {
        let mut lists = lists(&["a", "b", "c"]);
        assert_eq!((lists.bytes(), lists.shrink(2, 1000)), (300, 1));
        assert_eq!(ids(&lists.undo), ["b", "c"]);
        lists.undo("b", Reach::Any, || Instant(99)).unwrap();
        // Undone at 99, 20 and begun at 20, 10: three states, not four.
        assert_eq!(lists.bytes(), 300);
        assert_eq!((lists.shrink(2, 200), ids(&lists.redo)), (1, vec!["b"]));
        assert_eq!((lists.shrink(2, 10), lists.bytes()), (1, 0));
    }
}
