//! What the parser makes and the evaluator runs: steps for a stack of blocks.

use super::SignalRef;
use super::functions::Body;
use super::memory::Memory;

/// Steps in the order in which they are taken, and what they refer to.
#[derive(Clone, Debug, Default)]
pub(super) struct Program {
    pub(super) steps: Vec<Step>,
    pub(super) signals: Vec<SignalRef>,
    /// What functions that look back begin with, one for each call.
    pub(super) memories: Vec<Memory>,
    /// How many blocks are on the stack at most.
    pub(super) depth: usize,
}

/// One step; operands are taken from the stack, the result is put on it.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step {
    Number(f64),
    TimeSecs,
    Signal(usize),
    Negate,
    Not,
    Binary(Binary),
    /// Condition, value if it holds, value otherwise.
    Choose,
    One(fn(f64) -> f64),
    Two(fn(f64, f64) -> f64),
    Many {
        body: fn(&[f64]) -> f64,
        arguments: usize,
    },
    Scale(f64),
    Recall {
        memory: usize,
    },
}

/// An operator between two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Binary {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    Power,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Equal,
    Unequal,
    And,
    Or,
}

impl Program {
    /// Makes a program of the steps from one on; they must not refer to anything.
    pub(super) fn tail(&self, from: usize) -> Option<Self> {
        let steps = self.steps[from..].to_vec();
        let refers =
            |step: &Step| matches!(step, Step::Signal(_) | Step::TimeSecs | Step::Recall { .. });
        (!steps.iter().any(refers)).then(|| Self { steps, depth: self.depth, ..Self::default() })
    }

    /// Returns the number of a signal, which is added if it is new.
    pub(super) fn signal(&mut self, signal: SignalRef) -> usize {
        let known = self.signals.iter().position(|known| *known == signal);
        known.unwrap_or_else(|| {
            self.signals.push(signal);
            self.signals.len() - 1
        })
    }
}

impl Step {
    /// Returns the step that calls a function of plain numbers.
    pub(super) fn call(body: Body, arguments: usize) -> Option<Self> {
        Some(match body {
            Body::One(body) => Self::One(body),
            Body::Two(body) => Self::Two(body),
            Body::Many(body) => Self::Many { body, arguments },
            Body::If => Self::Choose,
            Body::Recall(_) | Body::Convert | Body::Run => return None,
        })
    }

    /// Returns how many operands the step takes from the stack.
    pub(super) fn operands(self) -> usize {
        match self {
            Self::Number(_) | Self::TimeSecs | Self::Signal(_) => 0,
            Self::Negate | Self::Not | Self::One(_) | Self::Scale(_) | Self::Recall { .. } => 1,
            Self::Binary(_) | Self::Two(_) => 2,
            Self::Choose => 3,
            Self::Many { arguments, .. } => arguments,
        }
    }
}
