//! Which frequencies a signal has.
//!
//! The samples are brought to even intervals, freed of their mean, faded in and out (Hann window),
//! and transformed. Amplitudes are those of the oscillations: a sine of amplitude 2 gives 2 at its
//! frequency, whatever the length of the range.

use std::f64::consts::TAU;

use crate::fft::{Complex, transform};
use crate::{Series, Timeline};

/// Amplitudes by frequency.
#[derive(Clone, Debug, PartialEq)]
pub struct Spectrum {
    /// Frequencies, evenly spaced from zero to half the sampling rate.
    pub frequencies_hz: Vec<f64>,
    /// Amplitude at each frequency, in the unit of the signal; at zero the mean's magnitude.
    pub amplitudes: Vec<f64>,
    /// How many samples went in: the latest of the range if it has more than [`MAX_SAMPLES`].
    pub samples_used: usize,
    /// How many samples the range has.
    pub samples_in_range: usize,
}

/// Why there is no spectrum.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SpectrumError {
    /// Too few samples.
    #[error(
        "the range has {count} samples, and a spectrum needs at least {MIN_SAMPLES}; choose a longer one"
    )]
    TooShort {
        /// How many samples there are.
        count: usize,
    },
    /// A sample without a value.
    #[error("the signal has a gap at {:.6} s; choose a range without one", *time_ns as f64 / 1e9)]
    Gap {
        /// Where it is.
        time_ns: i64,
    },
    /// Samples are missing.
    #[error("no samples for {:.6} s after {:.6} s; choose a range where they come at even intervals",
        *length_ns as f64 / 1e9, *time_ns as f64 / 1e9)]
    Hole {
        /// The last sample before the hole.
        time_ns: i64,
        /// How long it is.
        length_ns: i64,
    },
}

/// Fewest samples of a spectrum.
pub const MIN_SAMPLES: usize = 8;

/// Most samples of a spectrum; of more, the latest count.
pub const MAX_SAMPLES: usize = 1 << 20;

/// An interval so many times the mean one is a hole: what a line across it tells is made up.
const HOLE: i64 = 16;

impl Spectrum {
    /// Returns the spectrum of the live samples from one time to another, both included.
    ///
    /// # Errors
    /// [`SpectrumError`] when there are too few samples, or not at all times.
    pub fn of(
        series: &Series,
        timeline: &Timeline,
        from_ns: i64,
        until_ns: i64,
    ) -> Result<Self, SpectrumError> {
        let samples_in_range = series.samples(timeline, from_ns, until_ns).count();
        let surplus = samples_in_range.saturating_sub(MAX_SAMPLES);
        let samples = series.samples(timeline, from_ns, until_ns).skip(surplus);
        let (times_ns, values): (Vec<i64>, Vec<f64>) = samples.unzip();
        check(&times_ns, &values)?;
        let (values, interval_secs) = evened(&times_ns, values);
        let (frequencies_hz, amplitudes) = amplitudes(&values, interval_secs);
        Ok(Self { frequencies_hz, amplitudes, samples_used: values.len(), samples_in_range })
    }
}

fn check(times_ns: &[i64], values: &[f64]) -> Result<(), SpectrumError> {
    let count = values.len();
    if count < MIN_SAMPLES {
        return Err(SpectrumError::TooShort { count });
    }
    if let Some(at) = values.iter().position(|value| !value.is_finite()) {
        return Err(SpectrumError::Gap { time_ns: times_ns[at] });
    }
    let mean_ns = times_ns[count - 1].saturating_sub(times_ns[0]) / (count as i64 - 1);
    let length = |pair: &[i64]| pair[1].saturating_sub(pair[0]);
    let longest = times_ns.windows(2).max_by_key(|pair| length(pair));
    match longest.filter(|pair| length(pair) > mean_ns.saturating_mul(HOLE)) {
        Some(pair) => Err(SpectrumError::Hole { time_ns: pair[0], length_ns: length(pair) }),
        None => Ok(()),
    }
}

/// Brings samples to even intervals, on straight lines between them; tells the interval.
fn evened(times_ns: &[i64], values: Vec<f64>) -> (Vec<f64>, f64) {
    let steps = times_ns.len() - 1;
    let (first_ns, last_ns) = (times_ns[0] as f64, times_ns[steps] as f64);
    let interval_ns = (last_ns - first_ns) / steps as f64;
    let step_ns = times_ns[1].saturating_sub(times_ns[0]);
    if times_ns.windows(2).all(|pair| pair[1].saturating_sub(pair[0]) == step_ns) {
        return (values, interval_ns / 1e9);
    }
    let mut left = 0;
    let at = |index: usize| {
        let time_ns = first_ns + interval_ns * index as f64;
        while left + 2 < times_ns.len() && times_ns[left + 1] as f64 <= time_ns {
            left += 1;
        }
        let (from_ns, until_ns) = (times_ns[left] as f64, times_ns[left + 1] as f64);
        let share = ((time_ns - from_ns) / (until_ns - from_ns)).clamp(0.0, 1.0);
        values[left] + (values[left + 1] - values[left]) * share
    };
    ((0..=steps).map(at).collect(), interval_ns / 1e9)
}

fn amplitudes(values: &[f64], interval_secs: f64) -> (Vec<f64>, Vec<f64>) {
    let count = values.len();
    let mean = values.iter().sum::<f64>() / count as f64;
    let weight = |index: usize| 0.5 - 0.5 * (TAU * index as f64 / count as f64).cos();
    let weights: f64 = (0..count).map(weight).sum();
    let faded = values.iter().enumerate().map(|(index, value)| (value - mean) * weight(index));
    let mut data: Vec<Complex> = faded.map(|re| Complex { re, im: 0.0 }).collect();
    // Zeros behind the samples only make the frequencies denser.
    data.resize(count.next_power_of_two(), Complex::default());
    transform(&mut data);
    let half = data.len() / 2;
    let frequency_step_hz = 1.0 / (interval_secs * data.len() as f64);
    let frequencies_hz = (0..=half).map(|bin| bin as f64 * frequency_step_hz).collect();
    let mut amplitudes: Vec<f64> =
        data[..=half].iter().map(|bin| 2.0 * bin.magnitude() / weights).collect();
    // These two frequencies have no mirror image that holds the other half of them.
    amplitudes[half] /= 2.0;
    amplitudes[0] = mean.abs();
    (frequencies_hz, amplitudes)
}
