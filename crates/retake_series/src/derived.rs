//! A series that follows others through an expression.
//!
//! There is a value for each sample of one signal, the base; the others are held between their
//! samples. A value is computed once all signals are known up to its time, so it never has to be
//! taken back, in whatever order the samples come in; where a signal has ended, so has what is
//! derived from it.

use crate::column::Column;
use crate::walk::{Holder, last_until, runs};
use crate::{Evaluator, Expression, ExpressionError, Series, SignalRef, Stretch, Timeline};

/// An expression, and the series of its values so far.
#[derive(Clone, Debug)]
pub struct Derived {
    expression: Expression,
    base: usize,
    evaluator: Evaluator,
    /// Epoch and time of the sample that the evaluator has seen last.
    position: Option<(u64, i64)>,
    output: Series,
}

/// Samples of a signal that an expression needs.
#[derive(Clone, Copy, Debug)]
pub struct Input<'a> {
    /// The samples.
    pub series: &'a Series,
    /// The timeline of the run that they belong to, if it is another run.
    pub timeline: Option<&'a Timeline>,
    /// How much is added to their times to align that run with the one at hand.
    pub shift_ns: i64,
}

impl<'a> From<&'a Series> for Input<'a> {
    /// A signal of the run at hand.
    fn from(series: &'a Series) -> Self {
        Self { series, timeline: None, shift_ns: 0 }
    }
}

/// Samples that are evaluated at a time.
const BLOCK: usize = 1024;

impl Derived {
    /// Makes a series without values for an expression.
    ///
    /// # Errors
    /// [`ExpressionError`] when the expression has no signal: nothing tells when to have values.
    pub fn new(expression: Expression) -> Result<Self, ExpressionError> {
        let signals = expression.signals();
        if signals.is_empty() {
            return Err(ExpressionError {
                message: "the expression needs at least one signal, whose samples it follows"
                    .into(),
                column: 0,
                length: expression.to_string().chars().count(),
            });
        }
        let base = signals.iter().position(|signal| signal.run.is_none()).unwrap_or(0);
        let evaluator = Evaluator::new(&expression);
        Ok(Self { expression, base, evaluator, position: None, output: Series::new() })
    }

    /// Returns the expression.
    pub fn expression(&self) -> &Expression {
        &self.expression
    }

    /// Returns the signal that gives the times: the first one of the run at hand, else the first.
    ///
    /// The values are to be looked at with the timeline of its run.
    pub fn base(&self) -> &SignalRef {
        &self.expression.signals()[self.base]
    }

    /// Returns the values so far.
    pub fn series(&self) -> &Series {
        &self.output
    }

    /// Returns the values so far, to change their limits.
    pub fn series_mut(&mut self) -> &mut Series {
        &mut self.output
    }

    /// Appends the values that have become known, along the live stretches.
    ///
    /// `inputs` are the signals of the expression in its order; while one is missing, nothing is
    /// known. After a jump, functions that look back go on from the instant that was jumped to.
    /// What was derived before a jump stays, and so do values from samples dropped since. Samples
    /// of a signal have to come in order, epoch after epoch.
    pub fn update(&mut self, timeline: &Timeline, inputs: &[Option<Input<'_>>]) {
        if let Some(known) = Known::of(self.base, timeline, inputs) {
            self.advance(&known, known.base_timeline.live());
        }
    }

    /// Computes all values anew, those of discarded stretches included.
    pub fn recompute(&mut self, timeline: &Timeline, inputs: &[Option<Input<'_>>]) {
        self.output = Series::with_limits(self.output.limits());
        self.position = None;
        let Some(known) = Known::of(self.base, timeline, inputs) else { return };
        for epoch in known.base_timeline.epochs() {
            self.advance(&known, &known.base_timeline.chain_to(epoch));
        }
        self.advance(&known, known.base_timeline.live());
    }

    fn advance(&mut self, known: &Known<'_>, chain: &[Stretch]) {
        let after_ns = self.resume(known, chain);
        let mut lines = known.lines(chain, after_ns);
        for stretch in chain {
            let from_ns = stretch.from_ns.max(after_ns);
            let until_ns = stretch.until_ns.min(known.settled_until(stretch.epoch));
            let runs = runs(known.base().series, &[*stretch], from_ns, until_ns);
            let mut samples = runs.iter().flat_map(|run| run.samples()).peekable();
            while samples.peek().is_some() {
                let (times_ns, values): (Vec<i64>, Vec<f64>) = samples.by_ref().take(BLOCK).unzip();
                self.evaluate(stretch.epoch, &times_ns, &lines.values(&times_ns, &values));
            }
        }
    }

    fn evaluate(&mut self, epoch: u64, times_ns: &[i64], inputs: &[Vec<f64>]) {
        let inputs: Vec<&[f64]> = inputs.iter().map(Vec::as_slice).collect();
        let mut results = Vec::new();
        self.evaluator.evaluate(times_ns, &inputs, &mut results);
        for (time_ns, value) in times_ns.iter().zip(results) {
            // On the way back to the present all but the end is known: it is dropped as too late.
            self.output.push(epoch, *time_ns, value);
        }
        self.position = times_ns.last().map(|time| (epoch, *time)).or(self.position);
    }

    /// Returns the time from which the evaluator has to see samples again.
    fn resume(&mut self, known: &Known<'_>, chain: &[Stretch]) -> i64 {
        if let Some((epoch, time_ns)) = self.position {
            let on_the_way =
                |s: &Stretch| s.epoch == epoch && (s.from_ns..=s.until_ns).contains(&time_ns);
            if chain.iter().any(on_the_way) {
                return time_ns.saturating_add(1);
            }
            self.output.follow(known.base_timeline);
        }
        self.evaluator.reset();
        self.position = None;
        if self.expression.looks_back() {
            return i64::MIN;
        }
        // Each value stands by itself: only those that are missing are of interest.
        last_until(&self.output, chain, i64::MAX)
            .map_or(i64::MIN, |(time, _)| time.saturating_add(1))
    }
}

/// Signals that are all there.
struct Known<'a> {
    base: usize,
    base_timeline: &'a Timeline,
    timeline: &'a Timeline,
    inputs: Vec<Input<'a>>,
}

impl<'a> Known<'a> {
    fn of(base: usize, timeline: &'a Timeline, inputs: &[Option<Input<'a>>]) -> Option<Self> {
        let inputs: Vec<Input<'a>> = inputs.iter().copied().collect::<Option<_>>()?;
        let base_timeline = inputs.get(base)?.timeline.unwrap_or(timeline);
        Some(Self { base, base_timeline, timeline, inputs })
    }

    fn base(&self) -> &Input<'a> {
        &self.inputs[self.base]
    }

    fn others(&self) -> impl Iterator<Item = &Input<'a>> {
        let others = self.inputs.iter().enumerate().filter(|(number, _)| *number != self.base);
        others.map(|(_, input)| input)
    }

    /// Returns the timeline of a signal unless it is that of the base.
    fn foreign_timeline(&self, input: &Input<'a>) -> Option<&'a Timeline> {
        let timeline = input.timeline.unwrap_or(self.timeline);
        (!std::ptr::eq(timeline, self.base_timeline)).then_some(timeline)
    }

    /// Returns how much is added to a base time to get the time of another signal.
    fn shift_to(&self, input: &Input<'_>) -> i64 {
        self.base().shift_ns.saturating_sub(input.shift_ns)
    }

    /// Returns the last base time in an epoch up to which all other signals are known.
    fn settled_until(&self, epoch: u64) -> i64 {
        let settled = self.others().map(|input| match self.foreign_timeline(input) {
            Some(timeline) => {
                let last = input.series.last(timeline);
                last.map_or(i64::MIN, |(time, _)| time.saturating_sub(self.shift_to(input)))
            }
            // A sample of a later epoch tells that no more of this one will come.
            None if input.series.epochs().any(|other| other > epoch) => i64::MAX,
            None => input.series.column(epoch).and_then(Column::last_time).unwrap_or(i64::MIN),
        });
        settled.min().unwrap_or(i64::MAX)
    }

    fn lines<'b>(&'b self, chain: &'b [Stretch], from_ns: i64) -> Lines<'b> {
        let others = self.inputs.iter().enumerate().map(|(number, input)| {
            let shift_ns = self.shift_to(input);
            let from_ns = from_ns.saturating_add(shift_ns);
            let chain = self.foreign_timeline(input).map_or(chain, Timeline::live);
            (number != self.base).then(|| (Holder::new(input.series, chain, from_ns), shift_ns))
        });
        Lines { inputs: others.collect() }
    }
}

/// The inputs at the times of the base; the base itself has no holder.
struct Lines<'a> {
    inputs: Vec<Option<(Holder<'a>, i64)>>,
}

impl Lines<'_> {
    fn values(&mut self, times_ns: &[i64], base: &[f64]) -> Vec<Vec<f64>> {
        let inputs = self.inputs.iter_mut().map(|input| match input {
            None => base.to_vec(),
            Some((holder, shift_ns)) => {
                times_ns.iter().map(|time| holder.at(time.saturating_add(*shift_ns))).collect()
            }
        });
        inputs.collect()
    }
}
