//! Derived items: computed from others as these come.

use std::collections::{BTreeMap, BTreeSet};

use retake_msgs::{DerivedItem, PlotProblem};
use retake_series::{Derived, Expression, ExpressionError, SignalRef};

use crate::source::SourceKey;

/// A derived item of the run that goes on.
pub(crate) struct DerivedSource {
    /// What it is computed by, to see whether that changed.
    pub(crate) text: String,
    pub(crate) derived: Derived,
    pub(crate) unit: String,
    /// How many changes of the inputs it has seen.
    pub(crate) seen: u64,
}

impl DerivedSource {
    pub(crate) fn new(expression: &Parsed) -> Option<Self> {
        let derived = Derived::new(expression.parsed.as_ref().ok()?.clone()).ok()?;
        let (text, unit) = (expression.text.clone(), expression.unit.clone());
        Some(Self { text, derived, unit, seen: 0 })
    }

    pub(crate) fn clear(&mut self) {
        if let Ok(anew) = Derived::new(self.derived.expression().clone()) {
            self.derived = anew;
        }
    }
}

/// A derived item as it is written.
pub(crate) struct Parsed {
    pub(crate) text: String,
    pub(crate) unit: String,
    pub(crate) parsed: Result<Expression, ExpressionError>,
}

/// All derived items of a layout, by name.
#[derive(Default)]
pub(crate) struct Expressions {
    pub(crate) all: BTreeMap<String, Parsed>,
}

impl Expressions {
    pub(crate) fn parse(items: &[DerivedItem]) -> Self {
        let mut expressions = Self::read(items);
        expressions.refuse_rings();
        expressions
    }

    /// Parses without looking for rings: nothing may be computed by what comes of it.
    pub(crate) fn read(items: &[DerivedItem]) -> Self {
        let mut all = BTreeMap::new();
        for item in items {
            let parsed = Expression::parse(&item.expression).and_then(|expression| {
                Derived::new(expression).map(|derived| derived.expression().clone())
            });
            let (text, unit) = (item.expression.clone(), item.unit.clone());
            all.insert(item.name.clone(), Parsed { text, unit, parsed });
        }
        Self { all }
    }

    pub(crate) fn signals(&self, name: &str) -> &[SignalRef] {
        let parsed = self.all.get(name).and_then(|item| item.parsed.as_ref().ok());
        parsed.map_or(&[], Expression::signals)
    }

    /// Returns how many samples the functions of an item keep at most.
    pub(crate) fn kept_samples(&self, name: &str) -> usize {
        let parsed = self.all.get(name).and_then(|item| item.parsed.as_ref().ok());
        parsed.map_or(0, Expression::kept_samples)
    }

    /// Says whether a signal is a derived item.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.all.contains_key(name)
    }

    /// Lists what a signal needs, itself included: derived items after what they need.
    pub(crate) fn needs(&self, key: &SourceKey) -> Vec<SourceKey> {
        let mut found = Vec::new();
        self.collect(key, &mut found);
        found
    }

    fn collect(&self, key: &SourceKey, found: &mut Vec<SourceKey>) {
        if found.contains(key) {
            return;
        }
        for signal in self.signals(&key.signal).iter().filter(|signal| signal.run.is_none()) {
            self.collect(&key.beside(&signal.name), found);
        }
        found.push(key.clone());
    }

    /// An item that needs itself has no value; it is refused, so that nothing goes in rings.
    fn refuse_rings(&mut self) {
        let names: Vec<String> = self.all.keys().cloned().collect();
        for name in names {
            if self.reaches(&name, &name, &mut BTreeSet::new())
                && let Some(item) = self.all.get_mut(&name)
            {
                let length = item.text.chars().count();
                let message = format!("{name} is computed from itself");
                item.parsed = Err(ExpressionError { message, column: 0, length });
            }
        }
    }

    fn reaches(&self, from: &str, to: &str, seen: &mut BTreeSet<String>) -> bool {
        self.signals(from).iter().any(|signal| {
            signal.name == to
                || (seen.insert(signal.name.clone()) && self.reaches(&signal.name, to, seen))
        })
    }

    pub(crate) fn problems(&self) -> impl Iterator<Item = PlotProblem> {
        self.all.iter().filter_map(|(name, item)| {
            let error = item.parsed.as_ref().err()?;
            Some(PlotProblem {
                subject: name.clone(),
                message: error.message.clone(),
                column: error.column as u32,
                length: error.length as u32,
            })
        })
    }
}
