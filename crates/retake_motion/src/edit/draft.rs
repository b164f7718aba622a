//! A list that can be gone back in.

use std::collections::VecDeque;

use super::limits::{MAX_UNDO, MAX_UNDO_BYTES};
use super::{Edit, EditError, Made, WaypointsList};
use crate::Motion;

/// A list with what it was before each edit.
///
/// At most 200 edits can be undone, and fewer of lists so large that all of them would take more
/// than about 64 MiB; the oldest are forgotten, never the last. Ids are not given twice in a draft,
/// undone ones neither.
#[derive(Clone, Debug)]
pub struct Draft {
    list: WaypointsList,
    undo: VecDeque<Entry>,
    redo: Vec<Entry>,
    /// Of the last edit, while another can join it.
    stroke: String,
    revision: u64,
    saved: Motion,
}

/// A list that can be gone to.
#[derive(Clone, Debug)]
struct Entry {
    label: String,
    list: WaypointsList,
    weight: usize,
}

impl Entry {
    fn new(label: String, list: WaypointsList) -> Self {
        Self { label, weight: list.weight(), list }
    }
}

impl Draft {
    /// Begins with a list that counts as saved.
    pub fn new(list: WaypointsList) -> Self {
        Self {
            saved: list.to_motion(),
            list,
            undo: VecDeque::new(),
            redo: Vec::new(),
            stroke: String::new(),
            revision: 0,
        }
    }

    /// Returns the list as it is now.
    pub fn list(&self) -> &WaypointsList {
        &self.list
    }

    /// Carries an edit out, or says why not; then nothing has changed.
    ///
    /// Edits that follow one another with the same `stroke` are undone together, unless it is empty.
    /// An edit that leaves all as it was is not remembered.
    ///
    /// # Errors
    /// [`EditError`] as [`WaypointsList::apply`] gives it.
    pub fn apply(&mut self, edit: &Edit, stroke: &str) -> Result<Made, EditError> {
        let (list, made) = self.list.changed(edit)?;
        if list != self.list {
            self.put(list, edit.label(&self.list), stroke);
        }
        Ok(made)
    }

    /// Puts another list in place, which can be undone too; its waypoints and actions get new ids.
    pub fn replace(&mut self, mut list: WaypointsList, label: &str) {
        list.renumber(self.list.last_id);
        self.put(list, label.to_owned(), "");
    }

    /// Goes back before the last edit, and returns what that was, for people.
    pub fn undo(&mut self) -> Option<String> {
        let Entry { label, list, .. } = self.undo.pop_back()?;
        let after = self.go_to(list);
        self.redo.push(Entry::new(label.clone(), after));
        Some(label)
    }

    /// Carries out again what was undone last, and returns what that is, for people.
    pub fn redo(&mut self) -> Option<String> {
        let Entry { label, list, .. } = self.redo.pop()?;
        let before = self.go_to(list);
        self.undo.push_back(Entry::new(label.clone(), before));
        Some(label)
    }

    /// Returns what [`undo`](Self::undo) would take back, for people.
    pub fn undo_label(&self) -> Option<&str> {
        self.undo.back().map(|entry| entry.label.as_str())
    }

    /// Returns what [`redo`](Self::redo) would carry out, for people.
    pub fn redo_label(&self) -> Option<&str> {
        self.redo.last().map(|entry| entry.label.as_str())
    }

    /// Returns a number that grows with each change, undoing and redoing included.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// Says whether saving would write what was saved last. Markers and limits are not part of that.
    pub fn is_saved(&self) -> bool {
        self.list.to_motion() == self.saved
    }

    /// Notes that the list was saved as it is now.
    pub fn mark_saved(&mut self) {
        self.saved = self.list.to_motion();
        // What comes next is undone alone, so that one can go back to what was saved.
        self.stroke.clear();
    }

    fn put(&mut self, list: WaypointsList, label: String, stroke: &str) {
        let joins = !stroke.is_empty() && self.stroke == stroke;
        let before = self.go_to(list);
        stroke.clone_into(&mut self.stroke);
        self.redo.clear();
        match self.undo.back_mut().filter(|_| joins) {
            Some(entry) => entry.label = label,
            None => self.undo.push_back(Entry::new(label, before)),
        }
        let mut weight: usize = self.undo.iter().map(|entry| entry.weight).sum();
        while self.undo.len() > MAX_UNDO || (weight > MAX_UNDO_BYTES && self.undo.len() > 1) {
            weight -= self.undo.pop_front().map_or(0, |entry| entry.weight);
        }
    }

    /// Puts a list in place and returns the one that was there.
    fn go_to(&mut self, mut list: WaypointsList) -> WaypointsList {
        list.last_id = list.last_id.max(self.list.last_id);
        self.revision += 1;
        self.stroke.clear();
        std::mem::replace(&mut self.list, list)
    }
}
