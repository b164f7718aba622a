//! Branches: names for where the world has been, and what becomes of them when time jumps.

use retake_math::SimTime;

use super::TimelineError;
use super::find::Goal;
use super::keeper::Timeline;
use crate::Keyframe;

/// Longest name of a branch or bookmark, in characters.
pub(super) const MAX_NAME: usize = 64;
/// Branches that are kept beside the live one; past it the oldest that nobody named gives way.
pub(super) const MAX_BRANCHES: usize = 64;
/// Bookmarks that are kept; further ones are refused.
pub(super) const MAX_BOOKMARKS: usize = 256;
/// Name of the first branch.
const FIRST: &str = "main";

/// A name for the end of a stretch, and for the way that led there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Branch {
    pub(super) name: String,
    /// The stretch that it ends with.
    pub(super) tip: u64,
    /// Whether the name was made here; such branches give way first.
    pub(super) automatic: bool,
    /// Who left it, and by what.
    pub(super) author: String,
    pub(super) cause: String,
}

impl Branch {
    pub(super) fn first() -> Self {
        Self {
            name: FIRST.to_owned(),
            tip: 0,
            automatic: false,
            author: String::new(),
            cause: String::new(),
        }
    }
}

/// A name for an instant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Bookmark {
    pub(super) name: String,
    pub(super) author: String,
    pub(super) epoch: u64,
    pub(super) goal: Goal,
}

/// What is left by a jump: who jumps and why, and the state that is left if it was captured.
#[derive(Default)]
pub(crate) struct Left {
    pub(crate) author: String,
    /// In a word or two, with what it is about.
    pub(crate) cause: String,
    pub(crate) state: Option<Keyframe>,
}

/// What the world goes on with after a jump.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Landing {
    /// Whatever follows from where it lands, as after undo and reset.
    Wherever,
    /// The branch of this name.
    Branch(String),
    /// A new branch of this name.
    Fork(String),
}

impl Timeline {
    /// Follows a jump in time: a new stretch begins with `now`, which came from stretch `parent`.
    pub(crate) fn jump(&mut self, now: Keyframe, parent: u64, landing: Landing, left: Left) {
        if !self.is_on() {
            return;
        }
        self.keep_end(&left);
        let parent = self.known(parent);
        let wanted = landing != Landing::Wherever;
        let landing = self.resolve(&now, parent, landing);
        let (begin, epoch) = (now.clock(), now.epoch);
        let (old, old_name) = (self.live.tip, self.live.name.clone());
        let leave = |name: String, tip: u64, automatic: bool| {
            let (author, cause) = (left.author.clone(), left.cause.clone());
            Branch { name, tip, automatic, author, cause }
        };
        let at = (begin.iterations, begin.sim_time);
        match landing {
            Landing::Wherever => {
                if let Some(tip) = self.own_tip(old, parent, at) {
                    let name = self.made_name(&old_name);
                    self.branches.push(leave(name, tip, true));
                }
                self.rejoin(parent, at);
            }
            Landing::Branch(name) if name == old_name => {
                if let Some(tip) = self.own_tip(old, parent, at) {
                    let name = self.made_name(&old_name);
                    self.branches.push(leave(name, tip, true));
                }
            }
            Landing::Branch(name) => {
                let of = self.branches.iter().position(|branch| branch.name == name);
                let of = of.map(|of| self.branches.remove(of));
                if let Some(rest) = of.and_then(|of| self.own_tip(of.tip, parent, at)) {
                    let made = self.made_name(&name);
                    self.branches.push(leave(made, rest, true));
                }
                // A fork that is undone before anything happened in it never was.
                if wanted || self.own_tip(old, parent, at).is_some() {
                    self.leave_live(old, leave(old_name, old, self.live.automatic));
                }
                (self.live.name, self.live.automatic) = (name, false);
            }
            Landing::Fork(name) => {
                self.leave_live(old, leave(old_name, old, self.live.automatic));
                (self.live.name, self.live.automatic) = (name, false);
            }
        }
        self.live.tip = epoch;
        self.start_stretch(parent, now);
        self.bound_branches();
        self.prune();
    }

    /// Keeps the state that is left, so that coming back needs no step.
    fn keep_end(&mut self, left: &Left) {
        let passed = self.passed;
        let Some(stretch) = self.stretches.get_mut(&self.live.tip) else { return };
        let is_new = stretch.marks.last().is_none_or(|last| last.place < stretch.end);
        if let (Some(state), true, true) = (&left.state, is_new, stretch.has_passed()) {
            stretch.keep(state.clone(), passed);
        }
    }

    /// Decides what is gone on with when nobody said: a branch that somebody named, when the jump
    /// leads to its very end.
    fn resolve(&self, now: &Keyframe, parent: Option<u64>, landing: Landing) -> Landing {
        let at = now.clock().iterations;
        match landing {
            Landing::Wherever => {
                let named = self.branches.iter().filter(|branch| !branch.automatic);
                let mut there = named.filter(|branch| {
                    Some(branch.tip) == parent
                        && self.stretches.get(&branch.tip).is_some_and(|s| s.end.iterations == at)
                });
                there.next().map_or(Landing::Wherever, |b| Landing::Branch(b.name.clone()))
            }
            landing => landing,
        }
    }

    /// Returns the stretch that a line ends with when something of it is its own after a jump to
    /// `at` in stretch `parent`: time that passed, and that nothing else leads to.
    fn own_tip(&self, tip: u64, parent: Option<u64>, at: (u64, SimTime)) -> Option<u64> {
        let tip = self.settled_tip(tip);
        let stretch = self.stretches.get(&tip)?;
        let own = match parent == Some(tip) {
            true => stretch.end.iterations > at.0,
            false => stretch.has_passed(),
        };
        (own && !self.is_known_beyond(tip)).then_some(tip)
    }

    /// Says whether another branch ends with the same stretch.
    fn is_known_beyond(&self, tip: u64) -> bool {
        self.branches.iter().any(|branch| branch.tip == tip)
    }

    /// Passes over stretches in which nothing happened and that begin where their parents end.
    fn settled_tip(&self, tip: u64) -> u64 {
        let mut tip = tip;
        while let Some(stretch) = self.stretches.get(&tip) {
            let empty = !stretch.has_passed() && stretch.end.inputs == 0;
            let parent = stretch.parent.and_then(|parent| self.stretches.get(&parent));
            let joins = parent.is_some_and(|p| p.end.iterations == stretch.begin.iterations);
            match stretch.parent.filter(|_| empty && joins) {
                Some(parent) => tip = parent,
                None => break,
            }
        }
        tip
    }

    /// Leaves the live branch under its own name.
    fn leave_live(&mut self, old: u64, branch: Branch) {
        let tip = self.settled_tip(old);
        self.branches.push(Branch { tip, ..branch });
    }

    /// Forgets names that were made here for a line that goes on now.
    fn rejoin(&mut self, parent: Option<u64>, at: (u64, SimTime)) {
        let stretches = &self.stretches;
        let goes_on = |branch: &Branch| {
            branch.automatic
                && Some(branch.tip) == parent
                && stretches.get(&branch.tip).is_some_and(|s| s.end.iterations == at.0)
        };
        self.branches.retain(|branch| !goes_on(branch));
    }

    fn made_name(&mut self, of: &str) -> String {
        loop {
            self.made += 1;
            let stem: String = of.chars().take(MAX_NAME - 12).collect();
            let name = format!("{stem}-{}", self.made);
            if !self.is_branch(&name) {
                return name;
            }
        }
    }

    fn bound_branches(&mut self) {
        while self.branches.len() > MAX_BRANCHES {
            let oldest = self.branches.iter().position(|branch| branch.automatic).unwrap_or(0);
            self.give_up_branch(oldest);
        }
    }

    /// Drops a branch for lack of room, and says so when somebody named it.
    pub(super) fn give_up_branch(&mut self, at: usize) {
        let Branch { name, automatic, .. } = self.branches.remove(at);
        self.dropped += 1;
        if !automatic {
            self.remarks.push(format!("Branch {name:?} was dropped for lack of room"));
        }
    }

    /// Says whether there is such a branch.
    pub(super) fn is_branch(&self, name: &str) -> bool {
        self.live.name == name || self.branches.iter().any(|branch| branch.name == name)
    }

    /// Returns a branch; an empty name is the live one.
    pub(super) fn branch(&self, name: &str) -> Result<&Branch, TimelineError> {
        if name.is_empty() || name == self.live.name {
            return Ok(&self.live);
        }
        let found = self.branches.iter().find(|branch| branch.name == name);
        found.ok_or_else(|| TimelineError::NoBranch {
            name: name.to_owned(),
            known: listed(self.all_branches().map(|branch| branch.name.as_str())),
        })
    }

    /// Lists the branches, the live one first.
    pub(super) fn all_branches(&self) -> impl Iterator<Item = &Branch> {
        std::iter::once(&self.live).chain(&self.branches)
    }

    /// Checks the name of a new branch.
    ///
    /// # Errors
    /// [`TimelineError`] when it cannot be used.
    pub(crate) fn check_new_branch(&self, name: &str) -> Result<(), TimelineError> {
        check_name(name)?;
        if self.is_branch(name) {
            return Err(TimelineError::Taken { what: "branch", name: name.to_owned() });
        }
        Ok(())
    }
}

pub(super) fn check_name(name: &str) -> Result<(), TimelineError> {
    let length = name.chars().count();
    let bad = !(1..=MAX_NAME).contains(&length)
        || name.chars().any(char::is_control)
        || name.trim() != name;
    match bad {
        true => Err(TimelineError::BadName { name: name.chars().take(MAX_NAME).collect() }),
        false => Ok(()),
    }
}

pub(super) fn listed<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.collect();
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}
