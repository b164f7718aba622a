//! Running a program over blocks of samples.

use std::sync::Arc;

use super::Expression;
use super::functions::{MAX_ARGUMENTS, divide, power};
use super::memory::Memory;
use super::program::{Binary, Program, Step};

/// Samples that are taken through all steps at a time: the whole stack stays in the cache.
const BLOCK: usize = 1024;

/// Evaluates an expression for samples that come in portions.
///
/// However they are cut into portions, the results have the same bits.
#[derive(Clone, Debug)]
pub struct Evaluator {
    program: Arc<Program>,
    memories: Vec<Memory>,
}

impl Evaluator {
    /// Makes an evaluator that has seen no samples yet.
    pub fn new(expression: &Expression) -> Self {
        Self::of(Arc::clone(&expression.program))
    }

    pub(super) fn of(program: Arc<Program>) -> Self {
        Self { memories: program.memories.clone(), program }
    }

    /// Forgets all samples seen.
    pub fn reset(&mut self) {
        self.memories.clone_from(&self.program.memories);
    }

    /// Evaluates for the next samples and appends the results, one for each time.
    ///
    /// `inputs` has the values of [`Expression::signals`] in that order, each as long as
    /// `times_ns`; what is missing counts as a gap. A gap is not-a-number, also in the results.
    pub fn evaluate(&mut self, times_ns: &[i64], inputs: &[&[f64]], out: &mut Vec<f64>) {
        out.reserve(times_ns.len());
        // Rows of a block each. Not kept until the next samples: a deep one has megabytes.
        let mut stack = vec![0.0; self.program.depth * BLOCK];
        for (number, times_ns) in times_ns.chunks(BLOCK).enumerate() {
            let block = Block { times_ns, inputs, start: number * BLOCK };
            self.run(&block, &mut stack);
            let results = stack[..times_ns.len()].iter();
            out.extend(results.map(|value| if value.is_finite() { *value } else { f64::NAN }));
        }
    }

    fn run(&mut self, block: &Block<'_>, stack: &mut [f64]) {
        let mut top = 0;
        for step in &self.program.steps {
            let rows = &mut stack[(top - step.operands()) * BLOCK..];
            match *step {
                Step::Recall { memory } => block.recall(&mut self.memories[memory], rows),
                step => block.apply(step, rows),
            }
            top = top + 1 - step.operands();
        }
    }
}

/// The samples of one block.
struct Block<'a> {
    times_ns: &'a [i64],
    inputs: &'a [&'a [f64]],
    start: usize,
}

impl Block<'_> {
    /// Takes a step; its operands are the first rows, and the result becomes the first row.
    fn apply(&self, step: Step, rows: &mut [f64]) {
        let len = self.times_ns.len();
        match step {
            Step::Number(number) => rows[..len].fill(number),
            Step::TimeSecs => {
                let times = self.times_ns.iter().map(|time| *time as f64 / 1e9);
                rows.iter_mut().zip(times).for_each(|(row, time)| *row = time);
            }
            Step::Signal(number) => self.load(number, &mut rows[..len]),
            Step::Negate => each(&mut rows[..len], |a| -a),
            Step::Not => each(&mut rows[..len], |a| truth(a == 0.0, a, a)),
            Step::Scale(factor) => each(&mut rows[..len], |a| a * factor),
            Step::One(body) => each(&mut rows[..len], body),
            Step::Two(body) => pairs(rows, len, body),
            Step::Binary(operator) => combine(operator, rows, len),
            Step::Choose => gather(rows, len, 3, |a| match a[0] {
                condition if condition.is_nan() => f64::NAN,
                0.0 => a[2],
                _ => a[1],
            }),
            Step::Many { body, arguments } => gather(rows, len, arguments, body),
            Step::Recall { .. } => {}
        }
    }

    fn load(&self, number: usize, row: &mut [f64]) {
        let input = self.inputs.get(number).and_then(|input| input.get(self.start..));
        let input = input.unwrap_or_default();
        let there = row.len().min(input.len());
        row[..there].copy_from_slice(&input[..there]);
        row[there..].fill(f64::NAN);
    }

    fn recall(&self, memory: &mut Memory, rows: &mut [f64]) {
        for (value, time_ns) in rows.iter_mut().zip(self.times_ns) {
            *value = memory.step(*time_ns, *value);
        }
    }
}

fn each(row: &mut [f64], body: impl Fn(f64) -> f64) {
    row.iter_mut().for_each(|value| *value = body(*value));
}

fn pairs(rows: &mut [f64], len: usize, body: impl Fn(f64, f64) -> f64) {
    let (left, right) = rows.split_at_mut(BLOCK);
    left[..len].iter_mut().zip(&right[..len]).for_each(|(a, b)| *a = body(*a, *b));
}

fn gather(rows: &mut [f64], len: usize, arguments: usize, body: impl Fn(&[f64]) -> f64) {
    let mut values = [0.0; MAX_ARGUMENTS];
    for at in 0..len {
        for (argument, value) in values[..arguments].iter_mut().enumerate() {
            *value = rows[argument * BLOCK + at];
        }
        rows[at] = body(&values[..arguments]);
    }
}

fn combine(operator: Binary, rows: &mut [f64], len: usize) {
    match operator {
        Binary::Add => pairs(rows, len, |a, b| a + b),
        Binary::Subtract => pairs(rows, len, |a, b| a - b),
        Binary::Multiply => pairs(rows, len, |a, b| a * b),
        Binary::Divide => pairs(rows, len, divide),
        Binary::Remainder => pairs(rows, len, |a, b| a % b),
        Binary::Power => pairs(rows, len, power),
        Binary::Less => pairs(rows, len, |a, b| truth(a < b, a, b)),
        Binary::LessOrEqual => pairs(rows, len, |a, b| truth(a <= b, a, b)),
        Binary::Greater => pairs(rows, len, |a, b| truth(a > b, a, b)),
        Binary::GreaterOrEqual => pairs(rows, len, |a, b| truth(a >= b, a, b)),
        Binary::Equal => pairs(rows, len, |a, b| truth(a == b, a, b)),
        Binary::Unequal => pairs(rows, len, |a, b| truth(a != b, a, b)),
        Binary::And => pairs(rows, len, |a, b| truth(a != 0.0 && b != 0.0, a, b)),
        Binary::Or => pairs(rows, len, |a, b| truth(a != 0.0 || b != 0.0, a, b)),
    }
}

/// Says yes or no as 1 or 0, and nothing about gaps.
fn truth(holds: bool, a: f64, b: f64) -> f64 {
    match holds {
        _ if a.is_nan() || b.is_nan() => f64::NAN,
        true => 1.0,
        false => 0.0,
    }
}
