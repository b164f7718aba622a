//! The timeline as clients are told it: one lane for each branch, every kept stretch in one of them.

use std::collections::BTreeMap;
use std::sync::Arc;

use retake_math::SimTime;
use retake_msgs::{
    Timeline as TimelineMsg, TimelineBookmark, TimelineBranch, TimelineGap, TimelineSegment,
};

use super::branches::Branch;
use super::keeper::Timeline;
use super::stretch::Stretch;

/// Which lane shows a stretch, and up to when.
type Shown = BTreeMap<u64, Vec<(SimTime, String)>>;

impl Timeline {
    /// Returns what is kept; the same `Arc` until something changes but the end of the live branch.
    pub(crate) fn told(&mut self) -> Arc<TimelineMsg> {
        if let Some(told) = &self.told {
            return Arc::clone(told);
        }
        let told = Arc::new(self.describe());
        self.told = Some(Arc::clone(&told));
        told
    }

    /// Returns what is kept, up to now.
    pub(crate) fn describe(&self) -> TimelineMsg {
        let mut shown = Shown::new();
        let on = self.is_on();
        let branch = self.all_branches().filter(|_| on).map(|branch| self.lane(branch, &mut shown));
        let bookmark = self.bookmarks.iter().map(|bookmark| TimelineBookmark {
            name: bookmark.name.clone(),
            author: bookmark.author.clone(),
            branch: self.branch_through(bookmark.epoch, bookmark.goal),
            epoch: bookmark.epoch,
            sim_time: Some(bookmark.goal.sim_time().into()),
        });
        TimelineMsg {
            enabled: on,
            max_bytes: self.limits.max_bytes,
            max_age_secs: self.limits.max_age.as_secs_f64(),
            bytes: self.bytes(),
            keyframes: self.stretches.values().map(|s| s.marks.len() as u32).sum(),
            branch: branch.collect(),
            bookmark: bookmark.collect(),
            dropped: self.dropped,
        }
    }

    /// Tells what of a branch no lane before shows.
    fn lane(&self, branch: &Branch, shown: &mut Shown) -> TimelineBranch {
        let end = self.stretches.get(&branch.tip).map(|stretch| stretch.end.sim_time);
        let mut lane = TimelineBranch {
            name: branch.name.clone(),
            live: branch.tip == self.live.tip && branch.name == self.live.name,
            automatic: branch.automatic,
            author: branch.author.clone(),
            cause: branch.cause.clone(),
            end: end.map(Into::into),
            ..TimelineBranch::default()
        };
        let mut upto = end;
        for (epoch, stretch) in self.line(branch.tip) {
            let to = upto.unwrap_or(stretch.end.sim_time);
            let others = shown.entry(epoch).or_default();
            let fork = others.iter().max().cloned();
            others.push((to, branch.name.clone()));
            let from = fork.as_ref().map_or(stretch.begin.sim_time, |(at, _)| (*at).min(to));
            if fork.is_none() || from < to {
                lane.segment.push(segment(epoch, stretch, (from, to)));
                lane.gap.extend(gap(stretch, (from, to)));
            }
            if let Some((_, parent)) = fork {
                (lane.parent, lane.fork) = (parent, Some(from.into()));
                break;
            }
            upto = Some(stretch.begin.sim_time);
        }
        lane.segment.reverse();
        lane.gap.reverse();
        lane
    }
}

fn segment(epoch: u64, stretch: &Stretch, (from, to): (SimTime, SimTime)) -> TimelineSegment {
    let inside = stretch.marks.iter().map(|mark| mark.place.sim_time);
    let keyframes = inside.filter(|at| (from..=to).contains(at)).count() as u32;
    TimelineSegment { epoch, from: Some(from.into()), to: Some(to.into()), keyframes }
}

/// Tells what of a part of a stretch cannot be shown.
fn gap(stretch: &Stretch, (from, to): (SimTime, SimTime)) -> Option<TimelineGap> {
    let kept = stretch.kept_from().map_or(to, |kept| kept.min(to));
    (kept > from).then(|| TimelineGap { from: Some(from.into()), to: Some(kept.into()) })
}
