//! Simulated time that jumps.
//!
//! Between two jumps time only goes forward; such a stretch is an epoch. A jump begins a new epoch
//! whose past is another one up to some instant, so epochs form a tree. One way through it leads to
//! the present and is live; everything beside it was discarded by an undo.

/// Which epochs there are, and which parts of them lead to the present.
#[derive(Clone, Debug)]
pub struct Timeline {
    /// In the order of arrival.
    branches: Vec<Branch>,
    live: Vec<Stretch>,
    max_epochs: usize,
}

/// A part of an epoch, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// The epoch.
    pub epoch: u64,
    /// First instant.
    pub from_ns: i64,
    /// Last instant; `i64::MAX` while the end is open.
    pub until_ns: i64,
}

/// What became of a jump.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Jumped {
    /// The epoch goes on from its parent.
    Begun,
    /// The parent is not known or forgotten: the epoch begins without a past.
    BegunWithoutPast,
    /// The epoch is known already: nothing changed.
    AlreadyKnown,
}

#[derive(Clone, Copy, Debug)]
struct Branch {
    epoch: u64,
    parent: Option<u64>,
    /// First instant that is the epoch's own; before it the parent counts.
    from_ns: i64,
    /// Last instant that counts.
    until_ns: i64,
}

impl Default for Timeline {
    fn default() -> Self {
        Self::new()
    }
}

impl Timeline {
    /// How many epochs are known at once unless told otherwise.
    pub const MAX_EPOCHS: usize = 256;

    /// Makes a timeline with epoch 0 and no jump.
    pub fn new() -> Self {
        Self::with_limit(Self::MAX_EPOCHS)
    }

    /// Makes a timeline that knows at most `max_epochs` epochs, one at least.
    ///
    /// When there are more, the oldest discarded epoch is forgotten; if all are live, the oldest.
    pub fn with_limit(max_epochs: usize) -> Self {
        let root = Branch { epoch: 0, parent: None, from_ns: i64::MIN, until_ns: i64::MAX };
        let mut timeline =
            Self { branches: vec![root], live: Vec::new(), max_epochs: max_epochs.max(1) };
        timeline.live = timeline.chain_to(0);
        timeline
    }

    /// Begins `epoch`, which goes on from the state of `parent_epoch` at `at_ns`.
    ///
    /// The parent's sample at exactly `at_ns` belongs to the past; the new epoch counts after it.
    pub fn jump(&mut self, epoch: u64, parent_epoch: u64, at_ns: i64) -> Jumped {
        if self.knows(epoch) {
            return Jumped::AlreadyKnown;
        }
        let past_is_known = self.knows(parent_epoch);
        let branch = if past_is_known {
            // The very last instant can't be followed by another one.
            let from_ns = at_ns.min(i64::MAX - 1) + 1;
            Branch { epoch, parent: Some(parent_epoch), from_ns, until_ns: i64::MAX }
        } else {
            Branch { epoch, parent: None, from_ns: i64::MIN, until_ns: i64::MAX }
        };
        self.branches.push(branch);
        self.live = self.chain_to(epoch);
        self.forget_surplus();
        if past_is_known { Jumped::Begun } else { Jumped::BegunWithoutPast }
    }

    /// Returns the stretches that lead to the present, in the order of time; never empty.
    pub fn live(&self) -> &[Stretch] {
        &self.live
    }

    /// Returns the epoch that goes on.
    pub fn present(&self) -> u64 {
        self.live.last().map_or(0, |stretch| stretch.epoch)
    }

    /// Returns what does not lead to the present, in the order in which epochs began.
    pub fn discarded(&self) -> impl Iterator<Item = Stretch> {
        self.branches.iter().filter_map(|branch| {
            let live = self.live.iter().find(|stretch| stretch.epoch == branch.epoch);
            let from_ns = match live {
                Some(stretch) => stretch.until_ns.checked_add(1)?,
                None => branch.from_ns,
            };
            let Branch { epoch, until_ns, .. } = *branch;
            (from_ns <= until_ns).then_some(Stretch { epoch, from_ns, until_ns })
        })
    }

    /// Returns what leads to an instant of `epoch` as a timeline of its own: nothing in it is
    /// discarded, and nothing comes after the instant. None when the epoch is unknown.
    pub fn leading_to(&self, epoch: u64, until_ns: i64) -> Option<Self> {
        let mut live = self.chain_to(epoch);
        let last = live.last_mut().filter(|last| last.epoch == epoch)?;
        last.until_ns = last.until_ns.min(until_ns);
        let mut parent = None;
        let branches = live.iter().map(|stretch| {
            let Stretch { epoch, from_ns, until_ns } = *stretch;
            Branch { epoch, parent: parent.replace(epoch), from_ns, until_ns }
        });
        Some(Self { branches: branches.collect(), live, max_epochs: self.max_epochs })
    }

    /// Returns the known epochs in the order in which they began.
    pub fn epochs(&self) -> impl Iterator<Item = u64> {
        self.branches.iter().map(|branch| branch.epoch)
    }

    /// Says whether the epoch is known.
    pub fn knows(&self, epoch: u64) -> bool {
        self.branch(epoch).is_some()
    }

    /// Says whether the epoch was forgotten: unknown although a later one is known.
    ///
    /// Epochs are numbered in the order in which they begin, so an unknown one beyond the newest
    /// is one whose jump has not been told yet.
    pub fn has_forgotten(&self, epoch: u64) -> bool {
        !self.knows(epoch) && self.epochs().any(|known| known > epoch)
    }

    /// Returns the stretches that lead to the open end of `epoch`; empty when it is unknown.
    pub(crate) fn chain_to(&self, epoch: u64) -> Vec<Stretch> {
        let mut chain = Vec::new();
        let mut until_ns = i64::MAX;
        let mut next = self.branch(epoch);
        while let Some(branch) = next {
            // A jump to before the parent's own beginning leaves nothing of the parent.
            if branch.from_ns <= until_ns {
                let until_ns = until_ns.min(branch.until_ns);
                chain.push(Stretch { epoch: branch.epoch, from_ns: branch.from_ns, until_ns });
            }
            until_ns = until_ns.min(branch.from_ns.saturating_sub(1));
            next = branch.parent.and_then(|parent| self.branch(parent));
        }
        chain.reverse();
        chain
    }

    fn branch(&self, epoch: u64) -> Option<&Branch> {
        self.branches.iter().rev().find(|branch| branch.epoch == epoch)
    }

    fn forget_surplus(&mut self) {
        while self.branches.len() > self.max_epochs {
            let is_live = |branch: &Branch| self.live.iter().any(|s| s.epoch == branch.epoch);
            let oldest = self.branches.iter().position(|b| !is_live(b)).unwrap_or(0);
            self.forget(oldest);
            self.live = self.chain_to(self.present());
        }
    }

    /// Forgets one epoch; those that went on from it go on from its parent where it began.
    fn forget(&mut self, index: usize) {
        let gone = self.branches.remove(index);
        for child in self.branches.iter_mut().filter(|b| b.parent == Some(gone.epoch)) {
            child.parent = gone.parent;
            if gone.parent.is_some() {
                child.from_ns = child.from_ns.min(gone.from_ns);
            }
        }
    }
}
