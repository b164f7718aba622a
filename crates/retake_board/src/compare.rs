//! Runs beside the live one: kept, aligned, and what is derived of them.

use std::collections::BTreeSet;

use retake_msgs::{PlotRun, plot_run};
use retake_series::{Derived, Expression, Input, Limits, Timeline, event_time};

use crate::Board;
use crate::board::{BoardError, MAX_RUNS};
use crate::frame::nanos;
use crate::layout;
use crate::run::Run;
use crate::source::SourceKey;

impl Board {
    /// Keeps the present run, so that others can be compared with it; returns its id.
    ///
    /// # Errors
    /// [`BoardError::TooManyRuns`].
    pub fn keep_run(&mut self, title: &str, author: &str) -> Result<String, BoardError> {
        let run = self.present_run();
        let id = self.free_run_id();
        let title = if title.is_empty() { format!("Run {}", self.kept) } else { title.to_owned() };
        self.add_run(PlotRun { id: id.clone(), title, ..PlotRun::default() }, run, author)?;
        Ok(id)
    }

    /// Keeps what was heard on the way to an instant of an epoch, as the run of a branch, completed
    /// by what was `computed` of it; returns its id.
    ///
    /// # Errors
    /// [`BoardError::NothingHeard`], [`BoardError::TooManyRuns`].
    pub fn keep_branch(
        &mut self,
        branch: &str,
        tip: (u64, i64),
        computed: Option<Run>,
        author: &str,
    ) -> Result<String, BoardError> {
        let mut run = self.heard_of(tip).unwrap_or_default();
        if let Some(computed) = computed {
            run.complete(computed);
        }
        run.signals.retain(|_, (series, _)| series.last(&run.timeline).is_some());
        if run.signals.is_empty() {
            return Err(BoardError::NothingHeard { branch: branch.to_owned() });
        }
        let (id, title) = (self.free_run_id(), branch.to_owned());
        self.add_run(PlotRun { id: id.clone(), title, ..PlotRun::default() }, run, author)?;
        Ok(id)
    }

    /// Returns what was heard on the way to an instant of an epoch; none when that is unknown.
    fn heard_of(&mut self, (epoch, until_ns): (u64, i64)) -> Option<Run> {
        let mut run = self.present_run();
        run.timeline = run.timeline.leading_to(epoch, until_ns)?;
        let timeline = &run.timeline;
        for (series, _) in run.signals.values_mut() {
            series.retain_epochs(|epoch| timeline.knows(epoch));
        }
        Some(run)
    }

    fn present_run(&mut self) -> Run {
        self.update_derived();
        let sources = self.live.sources.iter();
        let plain = sources.map(|(key, source)| (key, &source.series, &source.unit));
        let derived = self.live.derived.iter();
        let derived = derived.map(|(key, source)| (key, source.derived.series(), &source.unit));
        let mut run = Run { timeline: self.live.timeline.clone(), ..Run::default() };
        for (key, series, unit) in plain.chain(derived) {
            // Of a signal at several rates, the one with most samples says most.
            let known = run.signals.get(&key.signal).map_or(0, |(known, _)| known.len());
            if series.len() > known {
                run.signals.insert(key.signal.clone(), (series.clone(), unit.clone()));
            }
        }
        run
    }

    /// Adds a run that was read from a table called `file`; returns its id.
    ///
    /// # Errors
    /// [`BoardError::TooManyRuns`].
    pub fn add_table_run(
        &mut self,
        file: &str,
        run: Run,
        author: &str,
    ) -> Result<String, BoardError> {
        let id = self.free_run_id();
        let title = file.rsplit(['/', '\\']).next().unwrap_or(file).to_owned();
        self.add_run(PlotRun { id: id.clone(), title, ..PlotRun::default() }, run, author)?;
        Ok(id)
    }

    fn free_run_id(&mut self) -> String {
        loop {
            self.kept += 1;
            let id = format!("run_{}", self.kept);
            // A layout from a file may have runs of its own.
            if !self.layout.run.iter().any(|run| run.id == id) {
                return id;
            }
        }
    }

    /// Adds a run to the layout.
    ///
    /// # Errors
    /// [`BoardError`] when there are too many, or its id is taken.
    pub fn add_run(
        &mut self,
        described: PlotRun,
        run: Run,
        author: &str,
    ) -> Result<(), BoardError> {
        if self.runs.len() >= MAX_RUNS {
            return Err(BoardError::TooManyRuns);
        }
        let mut layout = self.layout.clone();
        let id = described.id.clone();
        layout.run.push(described);
        layout::check(&layout)?;
        self.runs.insert(id, run);
        self.replace_layout(layout, author)
    }

    /// Gives a run of the layout its samples.
    pub fn fill_run(&mut self, id: &str, run: Run) {
        if self.layout.run.iter().any(|known| known.id == id) {
            self.runs.insert(id.to_owned(), run);
            self.follow_layout();
        }
    }

    /// Makes a run of all that came.
    pub fn into_run(mut self) -> Run {
        self.present_run()
    }

    /// Returns the signals of a run.
    pub fn run_signals(&self, id: &str) -> Vec<(String, String)> {
        let signals = self.runs.get(id).map(|run| &run.signals).into_iter().flatten();
        signals.map(|(signal, (_, unit))| (signal.clone(), unit.clone())).collect()
    }

    /// Says whether a run has its samples.
    pub(crate) fn has_run(&self, id: &str) -> bool {
        self.runs.contains_key(id)
    }

    pub(crate) fn shift_of(&self, run: &str) -> i64 {
        self.shifts_ns.get(run).copied().unwrap_or(0)
    }

    /// Finds how much each run is moved.
    pub(crate) fn align_runs(&mut self) {
        let shifts = self.layout.run.iter().map(|run| {
            let offset_ns = nanos(run.offset_secs);
            let event_ns = match run.align() {
                plot_run::Align::Event => self.event_shift(run).unwrap_or(0),
                plot_run::Align::Time => 0,
            };
            (run.id.clone(), offset_ns.saturating_add(event_ns))
        });
        self.shifts_ns = shifts.collect();
    }

    fn event_shift(&self, run: &PlotRun) -> Option<i64> {
        let recorded = self.runs.get(&run.id)?;
        let event = Expression::parse(&run.align_event).ok()?;
        let there = event_of(&event, &recorded.timeline, |name| {
            recorded.signals.get(name).map(|(series, _)| Input::from(series))
        })?;
        let here = SourceKey::new("", 0.0);
        let here = event_of(&event, &self.live.timeline, |name| self.input(&here, None, name))?;
        Some(here - there)
    }

    /// Lists the derived items that curves show of runs, by run and name: after what they need.
    pub(crate) fn derived_of_runs(&self) -> Vec<(String, String)> {
        let mut known = BTreeSet::new();
        let mut listed = Vec::new();
        let shown = self.plots().flat_map(|plot| &plot.curve).filter(|c| !c.run.is_empty());
        for (id, name) in shown.flat_map(|c| [(&c.run, &c.signal), (&c.run, &c.x_signal)]) {
            let needs = self.expressions.needs(&SourceKey::new(name, 0.0)).into_iter();
            for key in needs.filter(|key| self.expressions.has(&key.signal)) {
                let place = (id.clone(), key.signal);
                if known.insert(place.clone()) {
                    listed.push(place);
                }
            }
        }
        listed
    }

    /// Computes derived items of runs, of which each keeps at most so many samples.
    pub(crate) fn derive_runs(&mut self, items: Vec<(String, String)>, most: usize) {
        items.into_iter().for_each(|place| self.derive_run(place, most));
    }

    fn derive_run(&mut self, place: (String, String), most: usize) {
        let (id, name) = (place.0.as_str(), place.1.as_str());
        let Some(Ok(expression)) = self.expressions.all.get(name).map(|item| item.parsed.clone())
        else {
            return;
        };
        let (Some(run), Ok(mut derived)) = (self.runs.get(id), Derived::new(expression.clone()))
        else {
            return;
        };
        if run.signals.contains_key(name) || self.run_derived.contains_key(&place) {
            return;
        }
        let inputs: Vec<_> = expression
            .signals()
            .iter()
            .map(|signal| {
                let mut input = self.input(
                    &SourceKey::new("", 0.0),
                    Some(signal.run.as_deref().unwrap_or(id)),
                    &signal.name,
                )?;
                if signal.run.is_none() {
                    (input.timeline, input.shift_ns) = (None, 0);
                }
                Some(input)
            })
            .collect();
        let limits = derived.series().limits();
        let max_samples = limits.max_samples.min(most);
        derived.series_mut().set_limits(Limits { max_samples, ..limits });
        derived.recompute(&run.timeline, &inputs);
        let series = derived.series().clone();
        self.run_derived.insert(place, series);
    }

    /// Aligns runs again when what they are aligned by has come; to be called every second or so.
    pub fn realign(&mut self) {
        let by_event = |run: &PlotRun| run.align() == plot_run::Align::Event;
        if self.layout.run.iter().any(by_event) {
            let before = self.shifts_ns.clone();
            self.align_runs();
            self.live.changes += u64::from(self.shifts_ns != before);
        }
    }
}

/// Returns when an expression is true for the first time.
fn event_of<'a>(
    event: &Expression,
    timeline: &'a Timeline,
    find: impl Fn(&str) -> Option<Input<'a>>,
) -> Option<i64> {
    let mut derived = Derived::new(event.clone()).ok()?;
    let inputs: Vec<_> = event.signals().iter().map(|signal| find(&signal.name)).collect();
    derived.recompute(timeline, &inputs);
    event_time(derived.series(), timeline)
}
