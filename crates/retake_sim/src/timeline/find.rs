//! How to come to an instant.

use std::sync::Arc;

use retake_math::SimTime;
use retake_msgs::{LoggedInput, TimelineInstant};

use super::TimelineError;
use super::branches::{Bookmark, listed};
use super::keeper::Timeline;
use super::slot::Slot;
use super::stretch::{Mark, Place, Stretch};

/// All that it takes to come to an instant, apart from the world itself.
pub(crate) struct Way {
    /// The stretch of the instant.
    pub(super) epoch: u64,
    /// The branch that the instant is on.
    pub(super) branch: String,
    /// A state before the instant.
    pub(super) start: Arc<Slot>,
    pub(super) from: Place,
    /// What came from outside since, with its number.
    pub(super) inputs: Vec<(u64, Arc<LoggedInput>)>,
    pub(super) goal: Goal,
    /// The steps after which the first input was done that does not belong to the instant any more,
    /// and its number.
    pub(super) beyond: Option<(u64, u64)>,
}

/// When the instant is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Goal {
    /// At the last instant at or before a time, as the world came to it.
    Time(SimTime),
    /// After so many steps and inputs.
    Place(Place),
}

impl Way {
    /// Returns the branch that the instant is on.
    pub(crate) fn branch(&self) -> &str {
        &self.branch
    }
}

impl Timeline {
    /// Finds the way to an instant.
    ///
    /// # Errors
    /// [`TimelineError`] says what is not there, and what is.
    pub(crate) fn find(&self, instant: &TimelineInstant) -> Result<Way, TimelineError> {
        if !self.is_on() {
            return Err(TimelineError::Off);
        }
        let (branch, epoch, goal) = self.locate(instant)?;
        self.way(branch, epoch, goal)
    }

    /// Finds the place of an instant: its branch, its stretch, and when it is there.
    pub(super) fn locate(
        &self,
        instant: &TimelineInstant,
    ) -> Result<(String, u64, Goal), TimelineError> {
        if !instant.bookmark.is_empty() {
            let bookmark = self.bookmark(&instant.bookmark)?;
            let branch = self.branch_through(bookmark.epoch, bookmark.goal);
            return Ok((branch, bookmark.epoch, bookmark.goal));
        }
        let branch = self.branch(&instant.branch)?;
        let end = self.stretches.get(&branch.tip).map(|stretch| stretch.end);
        let end = end.ok_or_else(|| self.dropped(&branch.name, SimTime::ZERO, SimTime::ZERO))?;
        let wanted = instant.sim_time.as_ref().map(SimTime::from);
        match wanted {
            None => Ok((branch.name.clone(), branch.tip, Goal::Place(end))),
            Some(wanted) if wanted == end.sim_time => {
                Ok((branch.name.clone(), branch.tip, Goal::Place(end)))
            }
            Some(wanted) if wanted > end.sim_time => Err(TimelineError::Beyond {
                branch: branch.name.clone(),
                end: end.sim_time,
                wanted,
            }),
            Some(wanted) => {
                let mut line = self.line(branch.tip);
                let found = line.find(|(_, stretch)| stretch.begin.sim_time <= wanted);
                match found {
                    Some((epoch, _)) => Ok((branch.name.clone(), epoch, Goal::Time(wanted))),
                    None => Err(self.dropped(&branch.name, wanted, SimTime::ZERO)),
                }
            }
        }
    }

    fn way(&self, branch: String, epoch: u64, goal: Goal) -> Result<Way, TimelineError> {
        let wanted = goal.sim_time();
        let stretch = self.stretches.get(&epoch);
        let found = stretch.and_then(|stretch| Some((stretch, stretch.start_for(goal)?)));
        match found {
            Some((stretch, mark)) => Ok(stretch.way_from(mark, branch, epoch, goal)),
            None => Err(self.dropped(&branch, wanted, wanted)),
        }
    }

    /// The refusal of an instant that is not kept.
    fn dropped(&self, branch: &str, wanted: SimTime, least: SimTime) -> TimelineError {
        let tip = self.branch(branch).map_or(self.live.tip, |branch| branch.tip);
        let kept = self.line(tip).filter_map(|(_, stretch)| stretch.kept_from());
        let from = kept.filter(|from| *from >= least).min().unwrap_or(wanted);
        TimelineError::Dropped { branch: branch.to_owned(), from, wanted }
    }

    pub(super) fn bookmark(&self, name: &str) -> Result<&Bookmark, TimelineError> {
        let found = self.bookmarks.iter().find(|bookmark| bookmark.name == name);
        found.ok_or_else(|| TimelineError::NoBookmark {
            name: name.to_owned(),
            known: listed(self.bookmarks.iter().map(|bookmark| bookmark.name.as_str())),
        })
    }

    /// Names a branch that leads through an instant of a stretch, the live one if it does.
    pub(super) fn branch_through(&self, epoch: u64, goal: Goal) -> String {
        let leads = |tip: u64| {
            let mut upto = None;
            for (at, stretch) in self.line(tip) {
                if at == epoch {
                    return upto.is_none_or(|upto: SimTime| goal.sim_time() <= upto);
                }
                upto = Some(stretch.begin.sim_time);
            }
            false
        };
        let through = self.all_branches().find(|branch| leads(branch.tip));
        through.map(|branch| branch.name.clone()).unwrap_or_default()
    }
}

impl Stretch {
    /// Returns the way to an instant from a state before it.
    pub(super) fn way_from(&self, mark: &Mark, branch: String, epoch: u64, goal: Goal) -> Way {
        let since = self.inputs.iter().skip_while(|input| input.number < mark.place.inputs);
        let beyond = self.first_beyond(goal).map(|input| (input.iterations, input.number));
        let upto = beyond.map_or(u64::MAX, |(_, number)| number);
        let needed = since.take_while(|input| input.number < upto);
        let inputs = needed.map(|input| (input.number, Arc::clone(&input.logged))).collect();
        let (start, from) = (Arc::clone(&mark.slot), mark.place);
        Way { epoch, branch, start, from, inputs, goal, beyond }
    }
}

impl Goal {
    /// Returns the time that is meant.
    pub(super) fn sim_time(self) -> SimTime {
        match self {
            Self::Time(time) => time,
            Self::Place(place) => place.sim_time,
        }
    }

    /// Returns a place of its stretch that is not before it.
    pub(super) fn bound(self, stretch: &Stretch) -> Place {
        match self {
            Self::Place(place) => place,
            Self::Time(time) => {
                let mut after = stretch.marks.iter().map(|mark| mark.place);
                after.find(|place| place.sim_time > time).unwrap_or(stretch.end)
            }
        }
    }
}
