//! The layout, and the samples that it asks for.

use std::collections::BTreeMap;

use prost_reflect::MessageDescriptor;
use retake_msgs::{
    IntrospectionFilter, IntrospectionSample, Plot, PlotCurve, PlotLayout, TimeJumped, plot_run,
};
use retake_series::{Expression, Input, Limits, Series, Timeline};
use thiserror::Error;

use crate::derived::{DerivedSource, Expressions};
use crate::frame::{nanos, secs};
use crate::layout::{self, LayoutError};
use crate::live::{Live, Wanted};
use crate::run::Run;
use crate::source::SourceKey;
use crate::topics::Topics;

/// Samples of a curve that are kept unless the plot says otherwise.
const BUFFER_SAMPLES: usize = 1_000_000;
/// Samples of all curves together, about a gigabyte; each then keeps fewer.
const MAX_SAMPLES: usize = 100_000_000;
/// Runs that are kept in memory; further ones are refused.
pub(crate) const MAX_RUNS: usize = 64;

/// Why a board refuses something.
#[derive(Debug, Error)]
pub enum BoardError {
    /// The layout cannot be used.
    #[error(transparent)]
    Layout(#[from] LayoutError),
    /// Somebody else was faster.
    #[error("The plots were changed by {author} meanwhile. Look at them and do it again")]
    Stale {
        /// Who.
        author: String,
    },
    /// Of a branch there are no samples.
    #[error(
        "Nothing that is plotted is known of {branch:?}. Plot values of the world: those are computed again as far back as the timeline is kept"
    )]
    NothingHeard {
        /// Its name.
        branch: String,
    },
    /// There are too many runs.
    #[error("There are {MAX_RUNS} runs already. Remove some")]
    TooManyRuns,
}

/// The plots of a host.
#[derive(Default)]
pub struct Board {
    pub(crate) layout: PlotLayout,
    pub(crate) revision: u64,
    pub(crate) author: String,
    pub(crate) expressions: Expressions,
    pub(crate) live: Live,
    pub(crate) topics: Topics,
    pub(crate) runs: BTreeMap<String, Run>,
    /// Derived items of runs, by run and name.
    pub(crate) run_derived: BTreeMap<(String, String), Series>,
    /// How much runs are moved to lie above the live one.
    pub(crate) shifts_ns: BTreeMap<String, i64>,
    pub(crate) kept: u64,
    /// Whether the live run is there from beginning to end, and nothing of it is dropped.
    pub(crate) whole: bool,
}

impl Board {
    /// Makes a board without plots.
    pub fn new() -> Self {
        Self::default()
    }

    /// Makes a board whose live run is over: that of a log, of which everything is kept.
    pub fn of_log() -> Self {
        Self { whole: true, ..Self::default() }
    }

    /// Returns the layout.
    pub fn layout(&self) -> &PlotLayout {
        &self.layout
    }

    /// Returns the number of the layout: another one after each change.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// Returns a number that grows with all that comes.
    pub fn changes(&self) -> u64 {
        self.live.changes
    }

    /// Changes the layout, which was of revision `base`.
    ///
    /// # Errors
    /// [`BoardError`] when the layout cannot be used or is another by now.
    pub fn set_layout(
        &mut self,
        layout: PlotLayout,
        base: u64,
        author: &str,
    ) -> Result<(), BoardError> {
        if base != self.revision {
            return Err(BoardError::Stale { author: self.author.clone() });
        }
        self.replace_layout(layout, author)
    }

    /// Takes a layout in place of the present one.
    ///
    /// # Errors
    /// [`BoardError::Layout`] when it cannot be used.
    pub fn replace_layout(&mut self, layout: PlotLayout, author: &str) -> Result<(), BoardError> {
        layout::check(&layout)?;
        self.layout = layout;
        self.revision += 1;
        author.clone_into(&mut self.author);
        self.expressions = Expressions::parse(&self.layout.derived);
        let runs = &self.layout.run;
        self.runs.retain(|id, _| runs.iter().any(|run| run.id == *id));
        self.run_derived.clear();
        self.follow_layout();
        Ok(())
    }

    /// Lists what is to be heard.
    pub fn wanted(&self) -> Wanted {
        self.live.wanted()
    }

    /// Takes a sample of a filter at samples per second in thousandths; no manager is the world's.
    pub fn take(
        &mut self,
        from: (Option<&str>, u64),
        filter: &IntrospectionFilter,
        sample: &IntrospectionSample,
    ) {
        self.live.take(from, filter, sample);
    }

    /// Takes note of what a filter has, before its first sample comes; no manager is the world's.
    pub fn describe(&mut self, from: (Option<&str>, u64), filter: &IntrospectionFilter) {
        self.live.describe(from, filter);
    }

    /// Takes note of what messages of a topic look like.
    pub fn learn_topic(&mut self, topic: &str, descriptor: MessageDescriptor) {
        self.topics.learn(topic, descriptor);
    }

    /// Says whether it is known what messages of a topic look like.
    pub fn knows_topic(&self, topic: &str) -> bool {
        self.topics.knows(topic)
    }

    /// Takes a message of a topic.
    pub fn take_message(&mut self, topic: &str, message: &[u8]) {
        self.topics.take(&mut self.live, topic, message);
    }

    /// Takes a message of a topic that was recorded in an epoch, at an instant unless it says one.
    pub fn take_recorded(&mut self, topic: &str, message: &[u8], (epoch, time_ns): (u64, i64)) {
        self.topics.take_at(&mut self.live, topic, message, (epoch, time_ns));
    }

    /// Begins with an epoch that has no past.
    pub fn begin(&mut self, epoch: u64) {
        self.live.begin(epoch);
    }

    /// Takes note of the present of a run that is there as a whole.
    pub fn set_present(&mut self, now_ns: i64) {
        if self.live.now_ns != now_ns {
            self.live.now_ns = now_ns;
            self.live.changes += 1;
        }
    }

    /// Takes note that time jumped.
    pub fn jump(&mut self, jump: &TimeJumped) {
        self.live.jump(jump);
    }

    /// Takes note of the present, in case nothing is sampled.
    pub fn follow_time(&mut self, now_ns: i64) {
        if self.live.sources.is_empty() && self.live.now_ns != now_ns {
            self.live.now_ns = now_ns;
            self.live.changes += 1;
        }
    }

    /// Puts right what waits for news that may never come; to be called every second or so.
    pub fn settle(&mut self) {
        self.live.settle();
    }

    /// Forgets all samples of the live run.
    pub fn clear(&mut self) {
        self.live.clear();
    }

    pub(crate) fn live(&self) -> &Live {
        &self.live
    }

    pub(crate) fn plots(&self) -> impl Iterator<Item = &Plot> {
        self.layout.tab.iter().flat_map(|tab| &tab.plot)
    }

    /// Returns a plot of the layout.
    pub fn plot(&self, id: &str) -> Option<&Plot> {
        self.plots().find(|plot| plot.id == id)
    }

    /// Returns the samples of a curve, the timeline they are on and how much they are moved.
    pub(crate) fn samples_of(
        &self,
        plot: &Plot,
        curve: &PlotCurve,
        signal: &str,
    ) -> Option<(&Series, &Timeline, i64)> {
        if !curve.run.is_empty() {
            let run = self.runs.get(&curve.run)?;
            let plain = run.signals.get(signal).map(|(series, _)| series);
            let derived = || self.run_derived.get(&(curve.run.clone(), signal.to_owned()));
            return Some((plain.or_else(derived)?, &run.timeline, self.shift_of(&curve.run)));
        }
        let key = SourceKey::new(signal, plot.rate_hz);
        let plain = self.live.sources.get(&key).map(|source| &source.series);
        let derived = || self.live.derived.get(&key).map(|source| source.derived.series());
        Some((plain.or_else(derived)?, &self.live.timeline, 0))
    }

    /// Computes what the new samples make of derived items.
    pub(crate) fn update_derived(&mut self) {
        let keys: Vec<SourceKey> = self.live.derived.keys().cloned().collect();
        let order: Vec<SourceKey> =
            keys.iter().flat_map(|key| self.expressions.needs(key)).collect();
        let changes = self.live.changes;
        for key in order {
            let Some(mut source) = self.live.derived.remove(&key) else { continue };
            if source.seen != changes {
                source.seen = changes;
                let signals = source.derived.expression().signals().to_vec();
                let inputs: Vec<_> = signals
                    .iter()
                    .map(|signal| self.input(&key, signal.run.as_deref(), &signal.name))
                    .collect();
                source.derived.update(&self.live.timeline, &inputs);
            }
            self.live.derived.insert(key, source);
        }
    }

    pub(crate) fn input(
        &self,
        beside: &SourceKey,
        run: Option<&str>,
        signal: &str,
    ) -> Option<Input<'_>> {
        if let Some(id) = run {
            let run = self.runs.get(id)?;
            let derived = || self.run_derived.get(&(id.to_owned(), signal.to_owned()));
            let series = run.signals.get(signal).map(|(series, _)| series).or_else(derived)?;
            let shift_ns = self.shift_of(id);
            return Some(Input { series, timeline: Some(&run.timeline), shift_ns });
        }
        let key = beside.beside(signal);
        let plain = self.live.sources.get(&key).map(|source| &source.series);
        let derived = || self.live.derived.get(&key).map(|source| source.derived.series());
        plain.or_else(derived).map(Input::from)
    }

    /// Brings sources, derived items and runs in line with the layout.
    pub(crate) fn follow_layout(&mut self) {
        let mut plain: BTreeMap<SourceKey, Limits> = BTreeMap::new();
        let mut derived: BTreeMap<SourceKey, Limits> = BTreeMap::new();
        for (key, limits) in self.asked_for() {
            for needed in self.expressions.needs(&key) {
                let into = match self.expressions.has(&needed.signal) {
                    true => &mut derived,
                    false => &mut plain,
                };
                let known = into.entry(needed).or_insert(limits);
                known.max_samples = known.max_samples.max(limits.max_samples);
                known.max_age_ns = known.max_age_ns.max(limits.max_age_ns);
            }
        }
        let of_runs = self.derived_of_runs();
        let share = MAX_SAMPLES / (plain.len() + derived.len() + of_runs.len()).max(1);
        for limits in plain.values_mut().chain(derived.values_mut()) {
            limits.max_samples = limits.max_samples.min(share);
        }
        self.live.retain(&plain);
        self.follow_derived(&derived);
        self.align_runs();
        self.derive_runs(of_runs, share);
        self.live.changes += 1;
    }

    /// Lists the signals of all curves of the live run.
    fn asked_for(&self) -> Vec<(SourceKey, Limits)> {
        let mut asked = Vec::new();
        for plot in self.plots() {
            let max_samples = match plot.buffer_samples {
                _ if self.whole => usize::MAX,
                0 => BUFFER_SAMPLES,
                samples => usize::try_from(samples).unwrap_or(usize::MAX),
            };
            let max_age_ns = match plot.buffer_secs > 0.0 && !self.whole {
                true => nanos(plot.buffer_secs),
                false => i64::MAX,
            };
            let limits = Limits { max_samples, max_age_ns };
            for curve in plot.curve.iter().filter(|curve| curve.run.is_empty()) {
                let signals = [&curve.signal, &curve.x_signal].into_iter();
                let signals = signals.filter(|signal| !signal.is_empty());
                asked.extend(signals.map(|s| (SourceKey::new(s, plot.rate_hz), limits)));
            }
        }
        // An event of the live run is looked for although nobody plots it.
        for run in self.layout.run.iter().filter(|run| run.align() == plot_run::Align::Event) {
            if let Ok(event) = Expression::parse(&run.align_event) {
                let limits = Limits { max_samples: BUFFER_SAMPLES, max_age_ns: i64::MAX };
                let signals = event.signals().iter().filter(|signal| signal.run.is_none());
                asked.extend(signals.map(|s| (SourceKey::new(&s.name, 0.0), limits)));
            }
        }
        asked
    }

    fn follow_derived(&mut self, wanted: &BTreeMap<SourceKey, Limits>) {
        let expressions = &self.expressions;
        self.live.derived.retain(|key, source| {
            let item = expressions.all.get(&key.signal);
            wanted.contains_key(key) && item.is_some_and(|item| item.text == source.text)
        });
        for (key, limits) in wanted {
            let Some(item) = expressions.all.get(&key.signal) else { continue };
            if !self.live.derived.contains_key(key)
                && let Some(source) = DerivedSource::new(item)
            {
                self.live.derived.insert(key.clone(), source);
            }
            if let Some(source) = self.live.derived.get_mut(key) {
                source.derived.series_mut().set_limits(*limits);
                source.unit.clone_from(&item.unit);
                // Runs or other items it is computed from may be others now.
                source.clear();
                source.seen = 0;
            }
        }
        self.live.changes += 1;
    }

    /// Returns the first and the last instant that there are samples of, in seconds.
    pub fn extent(&self) -> (f64, f64) {
        let live = self.live.sources.values().map(|s| (&s.series, &self.live.timeline, 0));
        let runs = self.runs.iter().flat_map(|(id, run)| {
            let shift_ns = self.shift_of(id);
            run.signals.values().map(move |(series, _)| (series, &run.timeline, shift_ns))
        });
        let ends = live.chain(runs).filter_map(|(series, timeline, shift_ns)| {
            let (first, last) = (series.first(timeline)?.0, series.last(timeline)?.0);
            Some((first.saturating_add(shift_ns), last.saturating_add(shift_ns)))
        });
        let all = ends.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)));
        all.map_or((0.0, 1.0), |(first, last)| (secs(first), secs(last)))
    }

    /// Returns the present, in seconds.
    pub fn now_secs(&self) -> f64 {
        secs(self.live.now_ns)
    }
}
