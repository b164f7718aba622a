//! Functions that look back, and what they remember.

use std::collections::VecDeque;

/// Most samples that a function remembers; of more, the oldest are forgotten.
pub const MAX_WINDOW: usize = 65_536;

/// A function of the samples so far. Gaps are left out, and give a gap where they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Recall {
    /// Change per second since the sample before.
    Derivative,
    /// Area since the beginning, by trapezia; a gap adds none.
    Integral,
    /// Mean of the last so many samples.
    Average,
    /// Mean of the samples of the last so many seconds.
    AverageOverTime,
    /// Root of the mean square of the last so many samples.
    RootMeanSquare,
    /// What a first-order filter with this time constant lets through.
    LowPass,
    /// The value so many seconds ago, held between samples.
    Delay,
    /// Change since the sample before.
    Difference,
    /// The sample before.
    Previous,
    /// Sum of all samples.
    Sum,
    /// Largest sample.
    Largest,
    /// Smallest sample.
    Smallest,
}

/// What the second argument of such a function is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Parameter {
    None,
    Samples,
    Seconds,
}

impl Recall {
    pub(super) fn parameter(self) -> Parameter {
        match self {
            Self::Average | Self::RootMeanSquare => Parameter::Samples,
            Self::AverageOverTime | Self::LowPass | Self::Delay => Parameter::Seconds,
            _ => Parameter::None,
        }
    }
}

/// What one call remembers.
#[derive(Clone, Debug)]
pub(super) struct Memory {
    recall: Recall,
    parameter: f64,
    /// The sample before; for the filter, the one before that was not a gap.
    last: Option<(i64, f64)>,
    /// Sum, extreme or filtered value.
    total: f64,
    window: Window,
}

impl Memory {
    /// Begins; the parameter is a number of samples or seconds.
    pub(super) fn new(recall: Recall, parameter: f64) -> Self {
        let total = match recall {
            Recall::Largest => f64::NEG_INFINITY,
            Recall::Smallest => f64::INFINITY,
            _ => 0.0,
        };
        Self { recall, parameter, last: None, total, window: Window::default() }
    }

    /// Returns how many samples are remembered at most.
    pub(super) fn most_samples(&self) -> usize {
        match self.recall {
            Recall::Average | Recall::RootMeanSquare => self.parameter as usize,
            // How many samples there are in a time is not known before they come.
            Recall::AverageOverTime | Recall::Delay => MAX_WINDOW,
            _ => 0,
        }
    }

    /// Takes in a sample and returns the function's value at it.
    pub(super) fn step(&mut self, time_ns: i64, value: f64) -> f64 {
        let value = if value.is_finite() { value } else { f64::NAN };
        match self.recall {
            Recall::Previous | Recall::Difference | Recall::Derivative => {
                self.compare(time_ns, value)
            }
            Recall::Delay => self.delay(time_ns, value),
            Recall::Integral => self.integrate(time_ns, value),
            _ if value.is_nan() => f64::NAN,
            _ => self.accumulate(time_ns, value),
        }
    }

    fn compare(&mut self, time_ns: i64, value: f64) -> f64 {
        let (before_ns, before) = self.last.unwrap_or((time_ns, f64::NAN));
        self.last = Some((time_ns, value));
        match self.recall {
            Recall::Previous => before,
            Recall::Difference => value - before,
            _ => (value - before) / secs_between(before_ns, time_ns),
        }
    }

    fn integrate(&mut self, time_ns: i64, value: f64) -> f64 {
        let before = self.last.replace((time_ns, value));
        if let Some((before_ns, before)) = before.filter(|(_, before)| before.is_finite())
            && value.is_finite()
        {
            self.total += 0.5 * (before + value) * secs_between(before_ns, time_ns);
        }
        if value.is_nan() { f64::NAN } else { self.total }
    }

    fn accumulate(&mut self, time_ns: i64, value: f64) -> f64 {
        match self.recall {
            Recall::Sum => self.total += value,
            Recall::Largest => self.total = self.total.max(value),
            Recall::Smallest => self.total = self.total.min(value),
            Recall::LowPass => self.total = self.filtered(time_ns, value),
            Recall::AverageOverTime => {
                let oldest_ns = time_ns.saturating_sub(nanoseconds(self.parameter));
                self.window.drop_until(oldest_ns);
                return self.window.mean_with(time_ns, value, MAX_WINDOW);
            }
            Recall::RootMeanSquare => {
                let square = value * value;
                let mean = self.window.mean_with(time_ns, square, self.parameter as usize);
                // Rounding may leave a little less than nothing.
                return mean.max(0.0).sqrt();
            }
            _ => return self.window.mean_with(time_ns, value, self.parameter as usize),
        }
        self.total
    }

    fn filtered(&mut self, time_ns: i64, value: f64) -> f64 {
        let before = self.last.replace((time_ns, value));
        let Some((before_ns, _)) = before else { return value };
        let decay = (-secs_between(before_ns, time_ns) / self.parameter).exp();
        value + (self.total - value) * decay
    }

    fn delay(&mut self, time_ns: i64, value: f64) -> f64 {
        let samples = &mut self.window.samples;
        if samples.len() >= MAX_WINDOW {
            samples.pop_front();
        }
        samples.push_back((time_ns, value));
        let wanted_ns = time_ns.saturating_sub(nanoseconds(self.parameter));
        while samples.get(1).is_some_and(|(time, _)| *time <= wanted_ns) {
            samples.pop_front();
        }
        samples.front().filter(|(time, _)| *time <= wanted_ns).map_or(f64::NAN, |(_, value)| *value)
    }
}

/// The last samples and their sum.
#[derive(Clone, Debug, Default)]
struct Window {
    samples: VecDeque<(i64, f64)>,
    sum: f64,
    dropped: usize,
}

impl Window {
    /// Adds a sample, of which at most `most` are kept, and returns the mean.
    fn mean_with(&mut self, time_ns: i64, value: f64, most: usize) -> f64 {
        while self.samples.len() >= most.max(1) {
            self.drop_oldest();
        }
        self.samples.push_back((time_ns, value));
        self.sum += value;
        self.sum / self.samples.len() as f64
    }

    /// Drops samples at or before a time.
    fn drop_until(&mut self, time_ns: i64) {
        while self.samples.front().is_some_and(|(time, _)| *time <= time_ns) {
            self.drop_oldest();
        }
    }

    fn drop_oldest(&mut self) {
        let Some((_, value)) = self.samples.pop_front() else { return };
        self.sum -= value;
        self.dropped += 1;
        // Added up anew now and then, so that rounding errors do not pile up.
        if self.dropped > self.samples.len() {
            self.sum = self.samples.iter().map(|(_, value)| value).sum();
            self.dropped = 0;
        }
    }
}

fn secs_between(from_ns: i64, until_ns: i64) -> f64 {
    until_ns.saturating_sub(from_ns) as f64 / 1e9
}

fn nanoseconds(secs: f64) -> i64 {
    (secs * 1e9).round() as i64
}
