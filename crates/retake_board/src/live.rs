//! The run that goes on.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use retake_introspection::Signal;
use retake_math::SimTime;
use retake_msgs::{PlotJump, TimeJumped};
use retake_series::{Limits, Series, Timeline};

use crate::derived::DerivedSource;
use crate::source::{Source, SourceKey};

/// Jumps that are remembered; the oldest are forgotten.
const MAX_JUMPS: usize = 256;

/// The run that goes on: samples as they come.
#[derive(Default)]
pub(crate) struct Live {
    pub(crate) timeline: Timeline,
    pub(crate) sources: BTreeMap<SourceKey, Source>,
    pub(crate) derived: BTreeMap<SourceKey, DerivedSource>,
    pub(crate) jumps: VecDeque<PlotJump>,
    pub(crate) now_ns: i64,
    /// The epoch of the newest sample.
    pub(crate) latest_epoch: u64,
    /// Whether that epoch was unknown when somebody looked last.
    waits_for_jump: bool,
    /// Counts what came, so that nothing is drawn twice.
    pub(crate) changes: u64,
}

/// What a board wants to hear.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// Items by manager, none being that of the world, and by samples per second in thousandths.
    pub items: BTreeMap<(Option<String>, u64), Vec<String>>,
    /// Topics.
    pub topics: BTreeSet<String>,
}

/// What tells the time, and how often, in thousandths of samples per second.
const CLOCK: (&str, u64) = ("sim_time", 100_000);

impl Wanted {
    /// Adds what tells the time of a running world, where nothing else of the world does.
    ///
    /// Most messages say nothing of when they were sent: without it all would be of one instant.
    pub fn with_clock(mut self) -> Self {
        let is_told = self.items.keys().any(|(manager, _)| manager.is_none());
        if !self.topics.is_empty() && !is_told {
            let (item, rate_mhz) = CLOCK;
            self.items.insert((None, rate_mhz), vec![item.to_owned()]);
        }
        self
    }
}

impl Live {
    /// Keeps these sources and no others.
    pub(crate) fn retain(&mut self, wanted: &BTreeMap<SourceKey, Limits>) {
        self.sources.retain(|key, _| wanted.contains_key(key));
        for (key, limits) in wanted {
            let source = self.sources.entry(key.clone());
            let source = source.or_insert_with(|| Source::new(key, *limits));
            if source.series.limits() != *limits {
                source.series.set_limits(*limits);
            }
        }
    }

    /// Lists what is to be heard.
    pub(crate) fn wanted(&self) -> Wanted {
        let mut wanted = Wanted::default();
        for (key, source) in &self.sources {
            match &source.signal {
                Ok(Signal::Item { manager, item, .. }) => {
                    let items = wanted.items.entry((manager.clone(), key.rate_mhz)).or_default();
                    if items.last() != Some(item) {
                        items.push(item.clone());
                    }
                }
                Ok(Signal::Topic { topic, .. }) => {
                    wanted.topics.insert(topic.clone());
                }
                Err(_) => {}
            }
        }
        // Parts of one item need not stand in a row.
        wanted.items.values_mut().for_each(|items| {
            items.sort();
            items.dedup();
        });
        wanted
    }

    /// Takes note of a jump in time.
    pub(crate) fn jump(&mut self, jump: &TimeJumped) {
        let time =
            |time: &Option<retake_msgs::Time>| time.as_ref().map(SimTime::from).unwrap_or_default();
        let (from, to) = (time(&jump.from), time(&jump.to));
        self.timeline.jump(jump.epoch, jump.parent_epoch, to.as_nanos());
        self.now_ns = to.as_nanos();
        self.follow_timeline();
        if self.jumps.len() == MAX_JUMPS {
            self.jumps.pop_front();
        }
        self.jumps.push_back(PlotJump {
            from_secs: from.as_secs_f64(),
            to_secs: to.as_secs_f64(),
            cause: jump.cause.clone(),
        });
        self.changes += 1;
    }

    /// Goes on in an epoch whose beginning nobody told of, once that was waited for.
    ///
    /// Called now and then: samples may overtake the news of a jump.
    pub(crate) fn settle(&mut self) {
        let unknown = !self.timeline.knows(self.latest_epoch);
        if unknown && self.waits_for_jump {
            self.timeline.jump(self.latest_epoch, u64::MAX, 0);
            self.follow_timeline();
            self.changes += 1;
        }
        self.waits_for_jump = unknown && !self.waits_for_jump;
    }

    /// Begins a timeline with an epoch that has no past.
    pub(crate) fn begin(&mut self, epoch: u64) {
        self.timeline = Timeline::new();
        self.timeline.jump(epoch, u64::MAX, 0);
        self.latest_epoch = epoch;
    }

    /// Forgets all samples.
    pub(crate) fn clear(&mut self) {
        self.begin(self.timeline.present());
        let all = self.sources.values_mut().map(|source| &mut source.series);
        all.for_each(|series| *series = Series::with_limits(series.limits()));
        self.derived.values_mut().for_each(DerivedSource::clear);
        self.jumps.clear();
        self.changes += 1;
    }

    fn follow_timeline(&mut self) {
        let timeline = &self.timeline;
        self.sources.values_mut().for_each(|source| source.series.follow(timeline));
    }
}
