//! What is given up when there is no room, and when.
//!
//! Thinning makes no gap: the world is simulated from an earlier state instead, which takes longer.
//! So states are thinned first, those of long ago more than those of late; only what is too old, or
//! cannot be thinned any further, leaves a gap, from the old end on. A bookmark holds the state that
//! it needs; when nothing else is left, bookmarks go too, and people hear of it.

use std::collections::{BTreeMap, BTreeSet};

use retake_math::SimTime;

use super::branches::Bookmark;
use super::keeper::Timeline;
use super::stretch::{Mark, Place, Stretch};

/// States of an age are this many times closer together than the age is long.
const PER_AGE: i64 = 16;
/// Most simulated time between two states that is made by thinning.
const MAX_SPACING: SimTime = SimTime::from_nanos(10_000_000_000);
/// Ages are counted from here, so that the newest states differ little.
const YOUNG: SimTime = SimTime::from_nanos(1_000_000_000);
/// Most stretches; past it the oldest that only lead to others are forgotten.
const MAX_STRETCHES: usize = 512;
/// Stretches without time that are remembered; undo reaches less far back.
const MAX_PASSED_OVER: usize = 4096;
/// States as they were captured may take this part of the room; the rest is for squeezed ones.
const CAPTURED_PART: u64 = 4;

impl Timeline {
    /// Returns about how many bytes are kept.
    pub(super) fn bytes(&self) -> u64 {
        self.stretches.values().map(Stretch::bytes).sum()
    }

    /// Thins what is denser than its age asks for, then gives up what does not fit.
    pub(super) fn make_room(&mut self) {
        self.thin();
        self.drop_aged();
        self.squeeze();
        let mut bytes = self.bytes();
        while bytes > self.limits.max_bytes {
            let Some((epoch, at)) = self.least_missed().or_else(|| self.oldest()) else { break };
            self.drop_mark(epoch, at);
            bytes = self.bytes();
        }
        self.drop_lost();
    }

    /// Drops states that are closer together than their age asks for.
    fn thin(&mut self) {
        let (passed, pinned) = (self.passed, self.pinned());
        let mut gone = Vec::new();
        for (epoch, stretch) in &mut self.stretches {
            let mut at = 1;
            while at + 1 < stretch.marks.len() {
                let spacing = spacing_around(&stretch.marks, at);
                let wanted = wanted_spacing(passed - stretch.marks[at].taken);
                if spacing <= wanted && !pinned.contains(&(*epoch, stretch.marks[at].place)) {
                    gone.push(stretch.drop_mark(at));
                } else {
                    at += 1;
                }
            }
        }
        self.free(gone);
    }

    /// Drops states that are older than anything may be.
    fn drop_aged(&mut self) {
        let (oldest, pinned) = (self.passed - self.limits.max_age, self.pinned());
        let mut gone = Vec::new();
        for (epoch, stretch) in &mut self.stretches {
            // One at or before the oldest instant is needed to come to it.
            while stretch.marks.len() > 1 && stretch.marks[1].taken <= oldest
                || stretch.marks.len() == 1
                    && *epoch != self.live.tip
                    && stretch.marks[0].taken < oldest
            {
                if pinned.contains(&(*epoch, stretch.marks[0].place)) {
                    break;
                }
                gone.push(stretch.drop_mark(0));
            }
        }
        self.free(gone);
    }

    /// Squeezes the oldest of those that take too much room as they were captured.
    fn squeeze(&mut self) {
        let most = self.limits.max_bytes / CAPTURED_PART;
        let newest = self.stretches.get(&self.live.tip).map_or(0, |live| live.marks.len());
        let mut captured: Vec<(&u64, usize, &mut Mark)> = Vec::new();
        for (epoch, stretch) in &mut self.stretches {
            for (at, mark) in stretch.marks.iter_mut().enumerate() {
                // The newest is wanted most, and soonest.
                if !(*epoch == self.live.tip && at + 1 == newest) {
                    captured.push((epoch, at, mark));
                }
            }
        }
        captured.retain(|(_, _, mark)| mark.slot.can_be_squeezed());
        let mut bytes: u64 = captured.iter().map(|(.., mark)| mark.slot.engine_bytes()).sum();
        captured.sort_by_key(|(epoch, at, mark)| (mark.taken, **epoch, *at));
        for (_, _, mark) in captured {
            if bytes <= most {
                break;
            }
            let before = mark.slot.engine_bytes();
            mark.squeezing = mark.squeezing || self.squeezer.squeeze(&mark.slot);
            if !mark.squeezing {
                break;
            }
            bytes -= before;
        }
    }

    /// Finds the state that is missed least: its neighbours are closest together for their age.
    fn least_missed(&self) -> Option<(u64, usize)> {
        let pinned = self.pinned();
        let mut least: Option<(f64, u64, usize)> = None;
        for (epoch, stretch) in &self.stretches {
            for at in 1..stretch.marks.len().saturating_sub(1) {
                let mark = &stretch.marks[at];
                let spacing = spacing_around(&stretch.marks, at);
                if spacing > MAX_SPACING || pinned.contains(&(*epoch, mark.place)) {
                    continue;
                }
                let age = self.passed - mark.taken + YOUNG;
                let missed = spacing.as_secs_f64() / age.as_secs_f64();
                if least.is_none_or(|(most, ..)| missed < most) {
                    least = Some((missed, *epoch, at));
                }
            }
        }
        least.map(|(_, epoch, at)| (epoch, at))
    }

    /// Finds the oldest state; those that bookmarks need come last, and the newest of the present
    /// stretch is never given up.
    fn oldest(&self) -> Option<(u64, usize)> {
        let pinned = self.pinned();
        let firsts = self.stretches.iter().filter_map(|(epoch, stretch)| {
            let first = stretch.marks.first()?;
            let is_last = *epoch == self.live.tip && stretch.marks.len() == 1;
            (!is_last).then(|| (pinned.contains(&(*epoch, first.place)), first.taken, *epoch))
        });
        firsts.min().map(|(_, _, epoch)| (epoch, 0))
    }

    fn drop_mark(&mut self, epoch: u64, at: usize) {
        let gone = self.stretches.get_mut(&epoch).map(|stretch| stretch.drop_mark(at));
        self.free(gone.into_iter().collect());
    }

    /// Lists the places of the states that bookmarks need.
    fn pinned(&self) -> BTreeSet<(u64, Place)> {
        let needed = self.bookmarks.iter().filter_map(|bookmark| {
            let stretch = self.stretches.get(&bookmark.epoch)?;
            Some((bookmark.epoch, stretch.start_for(bookmark.goal)?.place))
        });
        needed.collect()
    }

    /// Forgets the names of what cannot be shown any more, and says so.
    fn drop_lost(&mut self) {
        let reached = |timeline: &Self, bookmark: &Bookmark| {
            let stretch = timeline.stretches.get(&bookmark.epoch);
            stretch.is_some_and(|stretch| stretch.start_for(bookmark.goal).is_some())
        };
        for at in (0..self.bookmarks.len()).rev() {
            if !reached(self, &self.bookmarks[at]) {
                let name = self.bookmarks.remove(at).name;
                self.dropped += 1;
                self.remarks.push(format!("Bookmark {name:?} was dropped for lack of room"));
            }
        }
        for at in (0..self.branches.len()).rev() {
            let tip = self.branches[at].tip;
            if self.stretches.get(&tip).is_none_or(|stretch| stretch.marks.is_empty()) {
                self.give_up_branch(at);
            }
        }
        self.prune();
    }

    /// Forgets what no branch and no bookmark leads through.
    pub(super) fn prune(&mut self) {
        self.pass_over();
        let needed = self.needed();
        let mut gone = Vec::new();
        self.stretches.retain(|epoch, stretch| match needed.get(epoch) {
            Some(end) => {
                if *end < stretch.end {
                    gone.extend(stretch.cut(*end));
                }
                true
            }
            None => {
                gone.extend(stretch.marks.drain(..).map(|mark| mark.slot));
                if let (false, Some(parent)) = (stretch.has_passed(), stretch.parent) {
                    self.passed_over.insert(*epoch, parent);
                }
                false
            }
        });
        while self.passed_over.len() > MAX_PASSED_OVER {
            self.passed_over.pop_first();
        }
        while self.stretches.len() > MAX_STRETCHES {
            // What it led to stands alone from now on.
            let Some((_, oldest)) = self.stretches.pop_first() else { break };
            gone.extend(oldest.marks.into_iter().map(|mark| mark.slot));
        }
        self.free(gone);
    }

    /// Lets stretches that begin where their parents begin come from what those came from, so that
    /// undo and redo of a world that stands make no chain of stretches without time.
    fn pass_over(&mut self) {
        loop {
            let next = self.stretches.iter().find_map(|(epoch, stretch)| {
                let parent = self.stretches.get(&stretch.parent?)?;
                let before = parent.parent.filter(|before| self.stretches.contains_key(before))?;
                let at_begin = parent.begin.iterations == stretch.begin.iterations;
                at_begin.then_some((*epoch, before))
            });
            let Some((epoch, before)) = next else { break };
            let stretch = self.stretches.get_mut(&epoch);
            stretch.into_iter().for_each(|stretch| stretch.parent = Some(before));
        }
    }

    /// Returns the stretch that stands for this one now; none when it is forgotten.
    pub(super) fn known(&self, epoch: u64) -> Option<u64> {
        let mut epoch = epoch;
        while !self.stretches.contains_key(&epoch) {
            // What they came from is older, so that this ends.
            epoch = self.passed_over.get(&epoch).copied().filter(|before| *before < epoch)?;
        }
        Some(epoch)
    }

    /// Returns up to where each stretch is needed.
    fn needed(&self) -> BTreeMap<u64, Place> {
        let mut needed: BTreeMap<u64, Place> = BTreeMap::new();
        let mut need = |epoch: u64, place: Place| {
            let end = needed.entry(epoch).or_insert(place);
            *end = place.max(*end);
        };
        let tips = self.all_branches().map(|branch| (branch.tip, None));
        let marked = self.bookmarks.iter().filter_map(|bookmark| {
            let stretch = self.stretches.get(&bookmark.epoch)?;
            Some((bookmark.epoch, Some(bookmark.goal.bound(stretch))))
        });
        for (tip, place) in tips.chain(marked) {
            let mut upto = place;
            for (epoch, stretch) in self.line(tip) {
                need(epoch, upto.unwrap_or(stretch.end));
                let parent = stretch.parent.and_then(|parent| self.stretches.get(&parent));
                let Place { iterations, sim_time, .. } = stretch.begin;
                upto = parent.map(|parent| parent.place_before(iterations, sim_time));
            }
        }
        needed
    }
}

/// Returns the time between the neighbours of a mark.
fn spacing_around(marks: &[Mark], at: usize) -> SimTime {
    marks[at + 1].place.sim_time - marks[at - 1].place.sim_time
}

/// Returns how far apart states of an age may be.
fn wanted_spacing(age: SimTime) -> SimTime {
    SimTime::from_nanos(age.as_nanos() / PER_AGE).min(MAX_SPACING)
}
