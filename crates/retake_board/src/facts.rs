//! What a page is told of a layout.

use retake_introspection::Signal;
use retake_msgs::{CurveFacts, Plot, PlotCurve, PlotLayoutState, PlotProblem, plot};

use retake_plot::Color;

use crate::Board;
use crate::source::SourceKey;

impl Board {
    /// Describes the layout with what is known of its parts, now.
    pub fn state(&mut self) -> PlotLayoutState {
        self.update_derived();
        PlotLayoutState {
            layout: Some(self.layout.clone()),
            revision: self.revision,
            author: self.author.clone(),
            problem: self.problems(),
            curve: self.facts(),
        }
    }

    fn problems(&self) -> Vec<PlotProblem> {
        let mut problems: Vec<PlotProblem> = self.expressions.problems().collect();
        for run in &self.layout.run {
            if !self.has_run(&run.id) {
                let text = "This run was kept in memory and is gone. Remove it, or open its table";
                problems.push(problem(&run.id, text.to_owned()));
            }
        }
        for (plot, curve) in self.plots().flat_map(|plot| plot.curve.iter().map(move |c| (plot, c)))
        {
            if let Some(reason) = self.fault_of(plot, curve) {
                problems.push(problem(&curve.id, reason));
            }
        }
        problems
    }

    fn fault_of(&self, plot: &Plot, curve: &PlotCurve) -> Option<String> {
        if !curve.run.is_empty() {
            let is_there = self.samples_of(plot, curve, &curve.signal).is_some();
            let text = || format!("{} is not in this run", curve.signal);
            return (self.has_run(&curve.run) && !is_there).then(text);
        }
        if self.expressions.has(&curve.signal) {
            return None;
        }
        match Signal::parse(&curve.signal) {
            Err(error) => Some(error.to_string()),
            Ok(Signal::Topic { topic, .. }) => {
                self.topics.fault(&topic, &curve.signal).map(str::to_owned)
            }
            Ok(Signal::Item { .. }) if plot.kind() == plot::Kind::Spectrum => {
                self.spectrum_fault(plot, curve)
            }
            Ok(Signal::Item { .. }) => None,
        }
    }

    fn facts(&self) -> Vec<CurveFacts> {
        let mut facts = Vec::new();
        for plot in self.plots() {
            for (number, curve) in plot.curve.iter().enumerate() {
                facts.push(CurveFacts {
                    curve_id: curve.id.clone(),
                    label: self.label(curve),
                    unit: self.unit(plot, curve),
                    color: color_of(curve, number),
                    gone: self.is_gone(plot, curve),
                });
            }
        }
        facts
    }

    /// Returns what a curve is called.
    pub fn label(&self, curve: &PlotCurve) -> String {
        if !curve.label.is_empty() {
            return curve.label.clone();
        }
        let run = self.layout.run.iter().find(|run| run.id == curve.run);
        match run {
            Some(run) if run.title.is_empty() => format!("{} ({})", curve.signal, run.id),
            Some(run) => format!("{} ({})", curve.signal, run.title),
            None => curve.signal.clone(),
        }
    }

    /// Returns the unit of a curve; empty when it has none.
    pub fn unit(&self, plot: &Plot, curve: &PlotCurve) -> String {
        if let Some(item) = self.expressions.all.get(&curve.signal) {
            return item.unit.clone();
        }
        if !curve.run.is_empty() {
            let signals = self.run_signals(&curve.run);
            let found = signals.into_iter().find(|(signal, _)| *signal == curve.signal);
            return found.map(|(_, unit)| unit).unwrap_or_default();
        }
        let key = SourceKey::new(&curve.signal, plot.rate_hz);
        self.live().sources.get(&key).map(|source| source.unit.clone()).unwrap_or_default()
    }

    fn is_gone(&self, plot: &Plot, curve: &PlotCurve) -> bool {
        if !curve.run.is_empty() {
            return self.samples_of(plot, curve, &curve.signal).is_none();
        }
        let key = SourceKey::new(&curve.signal, plot.rate_hz);
        let needs = self.expressions.needs(&key);
        let plain = needs.iter().filter(|key| !self.expressions.has(&key.signal));
        plain.into_iter().any(|key| self.live().sources.get(key).is_none_or(|source| source.gone))
    }
}

/// Colours that are not chosen follow the palette, as in pictures.
fn color_of(curve: &PlotCurve, number: usize) -> String {
    match curve.color.is_empty() {
        true => Color::of_curve(number).to_string(),
        false => curve.color.clone(),
    }
}

fn problem(subject: &str, message: String) -> PlotProblem {
    PlotProblem { subject: subject.to_owned(), message, ..PlotProblem::default() }
}
