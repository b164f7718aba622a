//! How much work a call has done: turns of loops, calls and returns, and what the language's own
//! functions went through in one go.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, AtomicUsize, Ordering};

use mlua::{Error, Lua, VmState};

/// Counts work; the same call of the same script always counts the same, unless it makes so much
/// litter that memory is part of it.
#[derive(Clone, Default)]
pub(crate) struct Budget {
    counted: Arc<Counted>,
}

#[derive(Default)]
struct Counted {
    spent: AtomicU64,
    turns: AtomicU64,
    /// What each turn counts besides while a search goes on.
    burden: AtomicI64,
    /// The most values that were held at once, as a list of arguments is.
    held: AtomicU64,
    /// Memory in use when the call began.
    before: AtomicUsize,
    /// Whether memory was charged for.
    heavy: AtomicBool,
}

/// What a call that is out of budget fails with, to be told apart from the script's own errors.
pub(crate) const SPENT: &str = "retake: the budget is spent";

/// Memory that a call may use before its work counts more, in bytes.
const LIGHT: usize = 1 << 20;
/// For each of so many bytes beyond it, a turn counts once more: what one turn can do, as to copy a
/// text or to go through a table, takes as long as there is much of it.
const HEAVY: usize = 256 << 10;
/// What a turn weighs is looked at once in so many turns.
const LOOK: u64 = 8;
/// For each of so many values that were held at once a turn counts once more: it may copy them all.
const VALUES: u64 = 256;

impl Budget {
    /// Lets a virtual machine count, and fail in `file` once `limit` is passed.
    pub(crate) fn watch(&self, lua: &Lua, file: &str, limit: u64) {
        let (counted, file) = (Arc::clone(&self.counted), file.to_owned());
        lua.set_interrupt(move |lua| match counted.turn(lua) < limit {
            true => Ok(VmState::Continue),
            false => Err(spent(lua, &file)),
        });
    }

    /// Counts what a function of the language goes through in one go.
    pub(crate) fn charge(&self, lua: &Lua, file: &str, work: u64, limit: u64) -> Result<(), Error> {
        let before = self.counted.spent.fetch_add(work, Ordering::Relaxed);
        match before.saturating_add(work) < limit {
            true => Ok(()),
            false => Err(spent(lua, file)),
        }
    }

    /// Makes each turn count so much more, or less again.
    pub(crate) fn burden(&self, more: i64) {
        self.counted.burden.fetch_add(more, Ordering::Relaxed);
    }

    /// Makes each turn of this call count as many values as it may have at hand.
    pub(crate) fn hold(&self, values: u64) {
        self.counted.held.fetch_max(values, Ordering::Relaxed);
    }

    /// Begins a call.
    pub(crate) fn begin(&self, lua: &Lua) {
        self.counted.spent.store(0, Ordering::Relaxed);
        self.counted.turns.store(0, Ordering::Relaxed);
        self.counted.burden.store(0, Ordering::Relaxed);
        self.counted.held.store(0, Ordering::Relaxed);
        self.counted.before.store(lua.used_memory(), Ordering::Relaxed);
        self.counted.heavy.store(false, Ordering::Relaxed);
    }

    /// Returns what the present or last call has spent.
    pub(crate) fn spent(&self) -> u64 {
        self.counted.spent.load(Ordering::Relaxed)
    }

    /// Says whether memory was part of it, of which litter of earlier calls may be a part.
    pub(crate) fn was_heavy(&self) -> bool {
        self.counted.heavy.load(Ordering::Relaxed)
    }
}

impl Counted {
    /// Counts a turn; returns what was spent before it.
    fn turn(&self, lua: &Lua) -> u64 {
        let spent = self.spent.fetch_add(1, Ordering::Relaxed);
        if self.turns.fetch_add(1, Ordering::Relaxed).is_multiple_of(LOOK) {
            let more = LOOK * (self.weight_of_memory(lua) + self.weight());
            self.spent.fetch_add(more, Ordering::Relaxed);
        }
        spent
    }

    /// Returns how much more a turn counts by what is searched for and held.
    fn weight(&self) -> u64 {
        let burden = self.burden.load(Ordering::Relaxed);
        u64::try_from(burden).unwrap_or(0) + self.held.load(Ordering::Relaxed) / VALUES
    }

    /// Returns how much more a turn counts by the memory in use.
    fn weight_of_memory(&self, lua: &Lua) -> u64 {
        let used = lua.used_memory().saturating_sub(self.before.load(Ordering::Relaxed));
        let weight = (used.saturating_sub(LIGHT) / HEAVY) as u64;
        if weight > 0 {
            self.heavy.store(true, Ordering::Relaxed);
        }
        weight
    }
}

fn spent(lua: &Lua, file: &str) -> Error {
    Error::RuntimeError(format!("{}: {SPENT}", place(lua, file)))
}

/// Returns the file and the line that is being run.
fn place(lua: &Lua, file: &str) -> String {
    // The innermost frames may be those of the language's own functions or of the prelude.
    let frames = (0..DEPTH).map_while(|level| {
        lua.inspect_stack(level, |frame| {
            let is_ours = frame.source().short_src.is_some_and(|source| source == file);
            frame.current_line().filter(|_| is_ours)
        })
    });
    match frames.flatten().next() {
        Some(line) => format!("{file}:{line}"),
        None => file.to_owned(),
    }
}

/// Frames that are looked at for a line.
const DEPTH: usize = 8;
