//! Where an axis has ticks, and how they are called.
//!
//! Steps are 1, 2 or 5 times a power of ten. A tick is a whole number of steps, and its label is
//! written from that number, so that no rounding shows in it. Very large and very small numbers get
//! a common power of ten, a multiple of three; numbers that differ in their last digits only get a
//! common summand. Both are told once, in a note.

use crate::range::Span;

/// Fewest ticks that may be asked for: with fewer there might be only one.
pub(crate) const LEAST_ASKED: usize = 5;
/// Labels with more digits than this get a common summand.
const MOST_DIGITS: i32 = 7;

/// The ticks of an axis.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Ticks {
    /// Where they are, ascending.
    pub values: Vec<f64>,
    /// What they are called.
    pub labels: Vec<String>,
    /// What holds for all labels.
    pub note: Note,
}

/// By what labels are to be multiplied, and what is to be added then.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Note {
    /// Power of ten; zero when labels mean what they say.
    pub exponent: i32,
    /// The summand with its sign; empty when there is none.
    pub summand: String,
}

/// `digit` times ten to the `power`.
#[derive(Clone, Copy, Debug)]
struct Step {
    digit: i64,
    power: i32,
}

impl Ticks {
    /// Chooses between 2 and `most` ticks; `most` counts as [`LEAST_ASKED`] at least.
    pub(crate) fn choose(span: Span, most: usize) -> Self {
        let most = most.max(LEAST_ASKED);
        let (step, first, last) = Step::choose(span, most);
        let base = step.base(span, first, last);
        let largest = (first - base).abs().max((last - base).abs()) * step.digit;
        let exponent = common_exponent(largest, step.power);
        let values = (first..=last).map(|n| step.times(n).clamp(span.low(), span.high()));
        let label = |n: i64| decimal((n - base) * step.digit, step.power - exponent);
        let summand = if base == 0 { String::new() } else { step.summand(base) };
        Self {
            values: values.collect(),
            labels: (first..=last).map(label).collect(),
            note: Note { exponent, summand },
        }
    }
}

impl Note {
    pub(crate) fn is_empty(&self) -> bool {
        self.exponent == 0 && self.summand.is_empty()
    }
}

impl Step {
    /// Returns the smallest step with at most `most` ticks, and the numbers of its first and last.
    fn choose(span: Span, most: usize) -> (Self, i64, i64) {
        // One power below what is needed, so that no step is overlooked.
        let mut power = (span.width() / most as f64).log10().floor() as i32 - 1;
        loop {
            for digit in [1, 2, 5] {
                let step = Self { digit, power };
                let (first, last) = step.within(span);
                if last - first < most as i64 {
                    return (step, first, last);
                }
            }
            power += 1;
        }
    }

    /// Returns the value of `count` steps, correctly rounded.
    fn times(self, count: i64) -> f64 {
        let digits = (count * self.digit) as f64;
        let scale = 10_f64.powi(self.power.abs());
        if self.power < 0 { digits / scale } else { digits * scale }
    }

    fn within(self, span: Span) -> (i64, i64) {
        // A bound that is a tick counts as one, although the division may be off in the last digit.
        const TOLERANCE: f64 = 1e-9;
        let one = self.times(1);
        let first = (span.low() / one - TOLERANCE).ceil() as i64;
        let last = (span.high() / one + TOLERANCE).floor() as i64;
        (first, last)
    }

    /// Returns how many steps to leave out of all labels: none as long as these are short.
    fn base(self, span: Span, first: i64, last: i64) -> i64 {
        let largest = first.abs().max(last.abs()) * self.digit;
        if digits(largest) <= MOST_DIGITS {
            return 0;
        }
        // Ten times the least power of ten that is as long as the stretch; a whole number of
        // steps, as a stretch is longer than a step.
        let unit_power = span.width().log10().ceil() as i32 + 1;
        let unit = 10_i64.pow(unit_power.abs_diff(self.power)) / self.digit;
        // A round number among the ticks serves best, with labels of both signs around it.
        let (below_first, below_last) = (first.div_euclid(unit), last.div_euclid(unit));
        below_first.max(below_last) * unit
    }

    fn summand(self, base: i64) -> String {
        let (mut number, mut power) = (base * self.digit, self.power);
        while number % 10 == 0 {
            number /= 10;
            power += 1;
        }
        let sign = if number < 0 { '−' } else { '+' };
        if power >= -9 && digits(number) + power <= 12 {
            return format!("{sign} {}", decimal(number.abs(), power));
        }
        format!("{sign} {}e{power}", number.abs())
    }
}

/// Returns the power of ten that all labels share; zero as long as they are short without.
fn common_exponent(largest: i64, power: i32) -> i32 {
    if largest == 0 {
        return 0;
    }
    let leading = digits(largest) - 1 + power;
    if (-3..5).contains(&leading) { 0 } else { leading.div_euclid(3) * 3 }
}

fn digits(number: i64) -> i32 {
    number.unsigned_abs().checked_ilog10().map_or(1, |power| power as i32 + 1)
}

/// Writes `number` times ten to the `power`, exactly, with a real minus sign.
fn decimal(number: i64, power: i32) -> String {
    if number == 0 {
        return "0".to_owned();
    }
    let sign = if number < 0 { "−" } else { "" };
    let digits = number.unsigned_abs().to_string();
    let places = usize::try_from(-power).unwrap_or(0);
    if places == 0 {
        let zeros = "0".repeat(power.unsigned_abs() as usize);
        return format!("{sign}{digits}{zeros}");
    }
    let padded = format!("{digits:0>width$}", width = places + 1);
    let (whole, fraction) = padded.split_at(padded.len() - places);
    format!("{sign}{whole}.{fraction}")
}

#[cfg(test)]
mod tests;
