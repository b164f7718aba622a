//! How much the signals of a layout may need, all together.
//!
//! A signal is kept once for each rate at which it is shown, and so is what a derived item
//! remembers. Each part of a layout is small; the product of items, signals and rates is not.

use std::collections::{BTreeMap, BTreeSet};

use retake_msgs::{PlotLayout, plot_run};
use retake_series::Expression;

use crate::derived::Expressions;
use crate::layout::LayoutError;
use crate::source::SourceKey;

/// Most signals that curves and expressions need, counted for each that needs one.
const MAX_SIGNALS: usize = 10_000;
/// Most samples that functions that look back keep, a quarter of a gigabyte.
const MAX_KEPT: usize = 16_000_000;

/// Checks what no part of a layout can tell by itself.
pub(crate) fn check(layout: &PlotLayout) -> Result<(), LayoutError> {
    let expressions = Expressions::read(&layout.derived);
    let mut needs = Needs { expressions: &expressions, found: BTreeSet::new(), named: 0 };
    for (run, key) in shown(layout).chain(aligned(layout)) {
        needs.add(&run, key)?;
    }
    // What is not shown counts too, so that it can be shown later.
    let known = needs.copies();
    let hidden = layout.derived.iter().filter(|item| !known.contains_key(item.name.as_str()));
    let hidden: Vec<SourceKey> = hidden.map(|item| SourceKey::new(&item.name, 0.0)).collect();
    hidden.into_iter().try_for_each(|key| needs.add("", key))?;
    check_kept(layout, &expressions, &needs.copies())
}

/// Lists what curves show, and of which run.
fn shown(layout: &PlotLayout) -> impl Iterator<Item = (String, SourceKey)> {
    let plots = layout.tab.iter().flat_map(|tab| &tab.plot);
    let curves = plots.flat_map(|plot| plot.curve.iter().map(move |curve| (plot, curve)));
    curves.flat_map(|(plot, curve)| {
        // What is over is there at one rate only.
        let rate_hz = if curve.run.is_empty() { plot.rate_hz } else { 0.0 };
        let signals = [&curve.signal, &curve.x_signal].into_iter().filter(|s| !s.is_empty());
        signals.map(move |signal| (curve.run.clone(), SourceKey::new(signal, rate_hz)))
    })
}

/// Lists the signals of the events by which runs are aligned.
fn aligned(layout: &PlotLayout) -> impl Iterator<Item = (String, SourceKey)> {
    let runs = layout.run.iter().filter(|run| run.align() == plot_run::Align::Event);
    let events = runs.filter_map(|run| Expression::parse(&run.align_event).ok());
    events.flat_map(|event| {
        let own = event.signals().iter().filter(|signal| signal.run.is_none());
        let keys = own.map(|signal| (String::new(), SourceKey::new(&signal.name, 0.0)));
        keys.collect::<Vec<_>>()
    })
}

/// What a layout needs, found from curve to signal.
struct Needs<'a> {
    expressions: &'a Expressions,
    /// By run, which is empty for the one that goes on.
    found: BTreeSet<(String, SourceKey)>,
    named: usize,
}

impl Needs<'_> {
    /// Adds a signal and all that it is computed from.
    fn add(&mut self, run: &str, key: SourceKey) -> Result<(), LayoutError> {
        let mut open = vec![key];
        while let Some(key) = open.pop() {
            // Those known already count as well: going through them takes time.
            self.named += 1;
            if self.named > MAX_SIGNALS {
                return Err(LayoutError::TooManySignals { limit: MAX_SIGNALS });
            }
            let signals = self.expressions.signals(&key.signal);
            if self.found.insert((run.to_owned(), key.clone())) {
                let own = signals.iter().filter(|signal| signal.run.is_none());
                open.extend(own.map(|signal| key.beside(&signal.name)));
            }
        }
        Ok(())
    }

    /// Counts the rates at which the run that goes on needs each signal.
    fn copies(&self) -> BTreeMap<&str, usize> {
        let mut copies = BTreeMap::new();
        // Of a run that is over nothing is remembered: it is computed once, one after the other.
        for (_, key) in self.found.iter().filter(|(run, _)| run.is_empty()) {
            *copies.entry(key.signal.as_str()).or_default() += 1;
        }
        copies
    }
}

fn check_kept(
    layout: &PlotLayout,
    expressions: &Expressions,
    copies: &BTreeMap<&str, usize>,
) -> Result<(), LayoutError> {
    let (mut sum, mut beyond) = (0, None);
    for item in &layout.derived {
        let name = item.name.as_str();
        let copies = copies.get(name).copied().unwrap_or_default();
        sum += copies * expressions.kept_samples(name);
        if sum > MAX_KEPT && beyond.is_none() {
            beyond = Some(item.name.clone());
        }
    }
    match beyond {
        Some(item) => Err(LayoutError::TooMuchKept { item, sum, limit: MAX_KEPT }),
        None => Ok(()),
    }
}
