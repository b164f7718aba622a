//! What a library keeps, and what gives way when it is too much.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use super::files::{FileKey, Read, Stamp};
use crate::PreparedShape;

/// Most files and shapes that are kept.
const MAX_ENTRIES: usize = 1024;
/// Most bytes that are kept, unless models use more.
const MAX_BYTES: usize = 512 << 20;

/// A place for something that one thread makes and others wait for; failures stay as well.
pub(super) type Slot<T> = Arc<OnceLock<Result<T, String>>>;

struct Entry<T> {
    slot: Slot<T>,
    /// When it was wanted last, counted in wants.
    wanted: u64,
}

/// Files and shapes. The ones wanted longest ago give way, unless somebody uses or makes them.
pub(super) struct Kept {
    files: BTreeMap<FileKey, (Option<Stamp>, Entry<Read>)>,
    shapes: BTreeMap<Vec<u8>, Entry<PreparedShape>>,
    wants: u64,
    bytes: usize,
    /// Beyond these it is looked what can go. They rise when much is in use, so that a look which
    /// finds nothing is not repeated for every shape.
    look_at: (usize, usize),
}

impl Default for Kept {
    fn default() -> Self {
        let (files, shapes) = Default::default();
        Self { files, shapes, wants: 0, bytes: 0, look_at: (MAX_ENTRIES, MAX_BYTES) }
    }
}

/// An entry that may go.
enum Idle {
    File(FileKey),
    Shape(Vec<u8>),
}

impl Kept {
    /// Returns the slot of a file, and what the file was known by.
    pub(super) fn file(&mut self, key: &FileKey) -> Option<(Option<Stamp>, Slot<Read>)> {
        self.wants += 1;
        let (stamp, entry) = self.files.get_mut(key)?;
        entry.wanted = self.wants;
        Some((*stamp, Arc::clone(&entry.slot)))
    }

    /// Makes an empty slot for a file, in place of one that there may be.
    pub(super) fn add_file(&mut self, key: FileKey, stamp: Option<Stamp>) -> Slot<Read> {
        let slot = Slot::default();
        let entry = Entry { slot: Arc::clone(&slot), wanted: self.wants };
        let before = self.files.insert(key, (stamp, entry));
        let gone = before.as_ref().and_then(|(_, entry)| entry.made()).map_or(0, Read::bytes);
        self.bytes = self.bytes.saturating_sub(gone);
        slot
    }

    /// Returns the slot of a shape, empty when it is new.
    pub(super) fn shape(&mut self, key: Vec<u8>) -> Slot<PreparedShape> {
        self.wants += 1;
        let entry = self.shapes.entry(key);
        let entry = entry.or_insert_with(|| Entry { slot: Slot::default(), wanted: 0 });
        entry.wanted = self.wants;
        Arc::clone(&entry.slot)
    }

    /// Counts something that was made, and lets go of others when it is too much.
    pub(super) fn made(&mut self, bytes: usize) {
        self.bytes += bytes;
        if self.len() > self.look_at.0 || self.bytes > self.look_at.1 {
            self.make_room();
            let next = |now: usize, most: usize| if now > most { now * 2 } else { most };
            self.look_at = (next(self.len(), MAX_ENTRIES), next(self.bytes, MAX_BYTES));
        }
    }

    /// Returns how many entries there are.
    pub(super) fn len(&self) -> usize {
        self.files.len() + self.shapes.len()
    }

    /// Lets go of what was wanted longest ago until the rest fits.
    fn make_room(&mut self) {
        for (_, bytes, idle) in self.idle() {
            if self.len() <= MAX_ENTRIES && self.bytes <= MAX_BYTES {
                return;
            }
            self.bytes = self.bytes.saturating_sub(bytes);
            match idle {
                Idle::File(key) => drop(self.files.remove(&key)),
                Idle::Shape(key) => drop(self.shapes.remove(&key)),
            }
        }
    }

    /// Lists what nobody uses, makes or waits for, with its bytes, oldest first.
    fn idle(&self) -> Vec<(u64, usize, Idle)> {
        let files = self.files.iter().filter(|(_, (_, entry))| entry.is_idle());
        let files = files.map(|(key, (_, entry))| {
            (entry.wanted, entry.made().map_or(0, Read::bytes), Idle::File(key.clone()))
        });
        let shapes = self.shapes.iter().filter(|(_, entry)| entry.is_idle() && !is_used(entry));
        let shapes = shapes.map(|(key, entry)| {
            let bytes = entry.made().map_or(0, PreparedShape::bytes);
            (entry.wanted, bytes, Idle::Shape(key.clone()))
        });
        let mut idle: Vec<_> = files.chain(shapes).collect();
        idle.sort_by_key(|(wanted, ..)| *wanted);
        idle
    }
}

impl<T> Entry<T> {
    fn made(&self) -> Option<&T> {
        self.slot.get().and_then(|made| made.as_ref().ok())
    }

    /// Says whether nobody makes it or waits for it.
    fn is_idle(&self) -> bool {
        Arc::strong_count(&self.slot) == 1
    }
}

/// Says whether a model or a load holds the shape.
fn is_used(entry: &Entry<PreparedShape>) -> bool {
    entry.made().is_some_and(PreparedShape::is_used)
}
