//! The store of samples: what a view costs against a scan of all samples, and how much it holds.

use retake_series::{Series, Timeline, bucket_bits};
use serde::Serialize;

use super::step::{cpu_micros, median};
use crate::output::{Outcome, Printer};

/// How many times faster than a scan a view of everything should be.
const AIM: f64 = 100.0;
/// Width of a plot.
const PIXELS: usize = 2000;
/// How often each query is timed.
const TIMES: usize = 15;

/// What came of one range.
#[derive(Serialize)]
struct Query {
    range: &'static str,
    samples: usize,
    view_us: f64,
    scan_us: f64,
    ratio: f64,
    lost_extremes: usize,
}

/// What came of it all.
#[derive(Serialize)]
struct Report {
    samples: usize,
    bytes_per_sample: f64,
    push_ns: f64,
    queries: Vec<Query>,
    aim: f64,
}

/// Measures a series of so many samples at even intervals of a millisecond.
pub(super) fn run(samples: usize, printer: &mut Printer<'_>) -> anyhow::Result<Outcome> {
    let report = measure(samples);
    printer.print(&report, |out| {
        writeln!(out, "{samples} samples, {:.2} bytes each", report.bytes_per_sample)?;
        writeln!(out, "taking one in: {:.0} ns", report.push_ns)?;
        writeln!(out, "{:<12} {:>11} {:>10} {:>10} {:>7} {:>6}", "range", "samples", "view µs", "scan µs", "ratio", "lost")?;
        for q in &report.queries {
            let Query { range, samples, view_us, scan_us, ratio, lost_extremes } = q;
            writeln!(out, "{range:<12} {samples:>11} {view_us:>10.1} {scan_us:>10.1} {ratio:>7.1} {lost_extremes:>6}")?;
        }
        writeln!(out, "aim for everything: {AIM}")
    })?;
    let lost = report.queries.iter().any(|query| query.lost_extremes > 0);
    Ok(if lost { Outcome::Failed } else { Outcome::Done })
}

fn measure(samples: usize) -> Report {
    const STEP_NS: i64 = 1_000_000;
    let timeline = Timeline::new();
    let mut random = fastrand::Rng::with_seed(7);
    let values: Vec<f64> = (0..samples)
        .map(|n| {
            (n as f64 * 0.001).sin()
                + 0.1 * random.f64()
                + f64::from(u8::from(random.u32(..100_000) == 0))
        })
        .collect();
    let mut series = Series::with_limits(retake_series::Limits {
        max_samples: usize::MAX,
        max_age_ns: i64::MAX,
    });
    let start = cpu_micros();
    for (number, value) in values.iter().enumerate() {
        series.push(0, number as i64 * STEP_NS, *value);
    }
    let push_ns = (cpu_micros() - start) * 1000.0 / samples.max(1) as f64;
    let ranges =
        [("everything", 1, 1), ("a half", 1, 2), ("a tenth", 1, 10), ("a hundredth", 1, 100)];
    let queries = ranges.map(|(range, part, of)| {
        let count = samples * part / of;
        let first = (samples - count) / 2;
        let (from_ns, to_ns) = (first as i64 * STEP_NS, (first + count) as i64 * STEP_NS - 1);
        let view_us = timed(|| series.view(&timeline, from_ns, to_ns, PIXELS));
        let bits = bucket_bits(from_ns, to_ns, PIXELS);
        let inside = &values[first..first + count];
        let scan_us = timed(|| scan(inside, from_ns, STEP_NS, bits));
        let drawn = series.view(&timeline, from_ns, to_ns, PIXELS);
        let drawn: std::collections::BTreeSet<u64> =
            drawn.iter().flat_map(|t| &t.values).map(|v| v.to_bits()).collect();
        // Buckets at both ends reach beyond the range, so that there something else may be drawn.
        let extremes = scan(inside, from_ns, STEP_NS, bits);
        let whole = extremes.get(4..extremes.len().saturating_sub(4)).unwrap_or_default();
        let lost = whole.iter().filter(|value| !drawn.contains(&value.to_bits())).count();
        Query {
            range,
            samples: count,
            view_us,
            scan_us,
            ratio: scan_us / view_us,
            lost_extremes: lost,
        }
    });
    Report {
        samples,
        bytes_per_sample: series.bytes() as f64 / samples.max(1) as f64,
        push_ns,
        queries: queries.into(),
        aim: AIM,
    }
}

/// First, smallest, largest and last value of each bucket, by looking at every sample.
fn scan(values: &[f64], from_ns: i64, step_ns: i64, bits: u32) -> Vec<f64> {
    let mut found = Vec::new();
    let mut open: Option<(i64, [f64; 4])> = None;
    for (number, value) in values.iter().enumerate() {
        let bucket = (from_ns + number as i64 * step_ns) >> bits;
        match &mut open {
            Some((known, four)) if *known == bucket => {
                *four = [four[0], four[1].min(*value), four[2].max(*value), *value];
            }
            _ => {
                found.extend(open.take().map(|(_, four)| four).into_iter().flatten());
                open = Some((bucket, [*value; 4]));
            }
        }
    }
    found.extend(open.map(|(_, four)| four).into_iter().flatten());
    found
}

fn timed<T>(mut query: impl FnMut() -> T) -> f64 {
    let once = |_| {
        let start = cpu_micros();
        std::hint::black_box(query());
        cpu_micros() - start
    };
    median((0..TIMES).map(once).collect())
}
