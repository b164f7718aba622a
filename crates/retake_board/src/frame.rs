//! What a plot shows.

use retake_msgs::{Plot, PlotCurve, PlotFrame, PlotTrace, plot};
use retake_series::{Series, Spectrum, Timeline, Trace};

use crate::Board;

/// What is looked at, in seconds; none follows the present.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Window {
    /// First instant.
    pub from_secs: Option<f64>,
    /// Last instant.
    pub to_secs: Option<f64>,
    /// Width of the plot, in pixels.
    pub pixels: usize,
}

/// All samples of a curve in a range.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// The curve.
    pub curve: PlotCurve,
    /// Lines, the live one first.
    pub traces: Vec<PlainTrace>,
}

/// A line of a curve.
#[derive(Clone, Debug, PartialEq)]
pub struct PlainTrace {
    /// Whether undo took it away.
    pub discarded: bool,
    /// Whether samples were left out that would fall on the same pixels.
    pub thinned: bool,
    /// Seconds, or what the plot has along its x axis.
    pub x: Vec<f64>,
    /// Values; not a number where there is none.
    pub y: Vec<f64>,
}

/// A window of the present has this many seconds unless the plot says otherwise.
const WINDOW_SECS: f64 = 10.0;
/// Widest plot that is served.
const MAX_PIXELS: usize = 16_384;
/// Frequencies that a plot of a spectrum has at most.
const MAX_FREQUENCIES: usize = 8192;

impl Board {
    /// Returns what a plot shows; none when there is no such plot.
    pub fn frame(&mut self, plot_id: &str, window: Window) -> Option<PlotFrame> {
        let plot = self.plot(plot_id)?.clone();
        self.update_derived();
        let (from, to) = self.range(&plot, window);
        let curves = self.curves(&plot, (from, to), window.pixels.clamp(1, MAX_PIXELS));
        let mut trace: Vec<PlotTrace> = Vec::new();
        let mut last_x: Vec<f64> = Vec::new();
        for Curve { curve, traces } in curves {
            for PlainTrace { discarded, thinned, x, y } in traces {
                let shared = !trace.is_empty() && same_bits(&x, &last_x);
                trace.push(PlotTrace {
                    curve_id: curve.id.clone(),
                    discarded,
                    x: if shared { Vec::new() } else { packed(&x) },
                    y: packed(&y),
                    thinned,
                });
                last_x = x;
            }
        }
        let jump = self.live().jumps.iter().cloned().collect();
        let now_secs = secs(self.live().now_ns);
        Some(PlotFrame { plot_id: plot_id.to_owned(), from, to, trace, jump, now_secs })
    }

    /// Returns the curves of a plot as they are drawn.
    pub fn drawn(&mut self, plot_id: &str, window: Window) -> Option<(f64, f64, Vec<Curve>)> {
        let plot = self.plot(plot_id)?.clone();
        self.update_derived();
        let (from, to) = self.range(&plot, window);
        Some((from, to, self.curves(&plot, (from, to), window.pixels.clamp(1, MAX_PIXELS))))
    }

    fn curves(&self, plot: &Plot, range: (f64, f64), pixels: usize) -> Vec<Curve> {
        let shown = plot.curve.iter().filter(|curve| !curve.hidden);
        let traces = |curve: &PlotCurve| match plot.kind() {
            plot::Kind::Time => self.over_time(plot, curve, range, pixels),
            plot::Kind::Xy => self.over_other(plot, curve, range, pixels),
            plot::Kind::Spectrum => self.over_frequency(plot, curve, range),
        };
        shown.map(|curve| Curve { curve: curve.clone(), traces: traces(curve) }).collect()
    }

    /// Returns the range that is looked at.
    pub(crate) fn range(&self, plot: &Plot, window: Window) -> (f64, f64) {
        let axis = plot.x.as_ref().filter(|_| plot.kind() == plot::Kind::Time);
        let fixed = |bound: Option<f64>| bound.filter(|bound| bound.is_finite());
        let from = fixed(window.from_secs).or(axis.and_then(|axis| axis.min));
        let to = fixed(window.to_secs).or(axis.and_then(|axis| axis.max));
        let length = if plot.window_secs > 0.0 { plot.window_secs } else { WINDOW_SECS };
        let now = secs(self.live().now_ns);
        let (from, to) = match (from, to) {
            (Some(from), Some(to)) => (from, to),
            (Some(from), None) => (from, now.max(from + length)),
            (None, Some(to)) => (to - length, to),
            (None, None) if self.whole => self.extent(),
            // A young run fills the plot from the left.
            (None, None) => ((now - length).max(0.0), now.max(length)),
        };
        (from.min(to), to.max(from))
    }

    fn over_time(
        &self,
        plot: &Plot,
        curve: &PlotCurve,
        (from, to): (f64, f64),
        pixels: usize,
    ) -> Vec<PlainTrace> {
        let Some((series, timeline, shift_ns)) = self.samples_of(plot, curve, &curve.signal) else {
            return Vec::new();
        };
        let (from_ns, to_ns) = (nanos(from).saturating_sub(shift_ns), nanos(to) - shift_ns);
        let traces = series.view(timeline, from_ns, to_ns, pixels);
        traces.into_iter().map(|trace| plain(trace, shift_ns)).collect()
    }

    fn over_other(
        &self,
        plot: &Plot,
        curve: &PlotCurve,
        (from, to): (f64, f64),
        pixels: usize,
    ) -> Vec<PlainTrace> {
        let y = self.samples_of(plot, curve, &curve.signal);
        let x = self.samples_of(plot, curve, &curve.x_signal);
        let (Some((y, timeline, shift_ns)), Some((x, ..))) = (y, x) else { return Vec::new() };
        let (from_ns, to_ns) = (nanos(from).saturating_sub(shift_ns), nanos(to) - shift_ns);
        let live = y.view(timeline, from_ns, to_ns, pixels).into_iter().find(|t| !t.discarded);
        live.into_iter()
            .map(|trace| {
                let mut along = Vec::with_capacity(trace.times_ns.len());
                x.hold(timeline, &trace.times_ns, &mut along);
                let Trace { discarded, thinned, values, .. } = trace;
                PlainTrace { discarded, thinned, x: along, y: values }
            })
            .collect()
    }

    fn over_frequency(
        &self,
        plot: &Plot,
        curve: &PlotCurve,
        (from, to): (f64, f64),
    ) -> Vec<PlainTrace> {
        let Some((series, timeline, shift_ns)) = self.samples_of(plot, curve, &curve.signal) else {
            return Vec::new();
        };
        let (from_ns, to_ns) = (nanos(from).saturating_sub(shift_ns), nanos(to) - shift_ns);
        let Ok(spectrum) = Spectrum::of(series, timeline, from_ns, to_ns) else {
            return Vec::new();
        };
        let Spectrum { mut frequencies_hz, mut amplitudes, .. } = spectrum;
        let thinned = frequencies_hz.len() > MAX_FREQUENCIES;
        if thinned {
            (frequencies_hz, amplitudes) = loudest(&frequencies_hz, &amplitudes);
        }
        vec![PlainTrace { discarded: false, thinned, x: frequencies_hz, y: amplitudes }]
    }

    /// Says why a curve of a spectrum shows nothing.
    pub(crate) fn spectrum_fault(&self, plot: &Plot, curve: &PlotCurve) -> Option<String> {
        let window = Window { from_secs: None, to_secs: None, pixels: 1 };
        let (from, to) = self.range(plot, window);
        let (series, timeline, shift_ns) = self.samples_of(plot, curve, &curve.signal)?;
        let (from_ns, to_ns) = (nanos(from).saturating_sub(shift_ns), nanos(to) - shift_ns);
        Spectrum::of(series, timeline, from_ns, to_ns).err().map(|error| error.to_string())
    }

    /// Returns all samples of a curve in a range, those that undo took away left out.
    pub fn samples(&mut self, plot_id: &str, from: f64, to: f64) -> Option<Vec<Curve>> {
        let plot = self.plot(plot_id)?.clone();
        self.update_derived();
        let curves = plot.curve.iter().map(|curve| {
            let found = self.samples_of(&plot, curve, &curve.signal);
            let traces = found.map(|(series, timeline, shift_ns)| {
                all_samples(series, timeline, shift_ns, (from, to))
            });
            Curve { curve: curve.clone(), traces: traces.into_iter().collect() }
        });
        Some(curves.collect())
    }
}

fn all_samples(
    series: &Series,
    timeline: &Timeline,
    shift_ns: i64,
    (from, to): (f64, f64),
) -> PlainTrace {
    let (from_ns, to_ns) =
        (nanos(from).saturating_sub(shift_ns), nanos(to).saturating_sub(shift_ns));
    let samples = series.samples(timeline, from_ns, to_ns);
    let (x, y) = samples.map(|(time_ns, value)| (secs(time_ns + shift_ns), value)).unzip();
    PlainTrace { discarded: false, thinned: false, x, y }
}

/// Keeps the loudest frequency of each group of neighbours.
fn loudest(frequencies: &[f64], amplitudes: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let group = frequencies.len().div_ceil(MAX_FREQUENCIES);
    let pairs = frequencies.chunks(group).zip(amplitudes.chunks(group));
    pairs
        .filter_map(|(frequencies, amplitudes)| {
            let both = frequencies.iter().zip(amplitudes);
            both.max_by(|(_, a), (_, b)| a.total_cmp(b)).map(|(f, a)| (*f, *a))
        })
        .unzip()
}

fn plain(trace: Trace, shift_ns: i64) -> PlainTrace {
    let Trace { discarded, thinned, times_ns, values } = trace;
    let x = times_ns.iter().map(|time_ns| secs(time_ns.saturating_add(shift_ns))).collect();
    PlainTrace { discarded, thinned, x, y: values }
}

fn same_bits(a: &[f64], b: &[f64]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.to_bits() == b.to_bits())
}

fn packed(numbers: &[f64]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

pub(crate) fn secs(nanos: i64) -> f64 {
    nanos as f64 / 1e9
}

pub(crate) fn nanos(secs: f64) -> i64 {
    // Casts saturate, and leave room for shifting.
    ((secs * 1e9).round() as i64).clamp(i64::MIN / 4, i64::MAX / 4)
}
