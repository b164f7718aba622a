//! Spectra of signals that are known, and refusals.

use std::f64::consts::TAU;

use expect_test::{Expect, expect};
use proptest::prelude::*;
use retake_series::{Series, Spectrum, Timeline, spectrum};

fn series(count: i64, time_ns: impl Fn(i64) -> i64, signal: impl Fn(f64) -> f64) -> Series {
    let mut series = Series::new();
    for index in 0..count {
        let time = time_ns(index);
        series.push(0, time, signal(time as f64 / 1e9));
    }
    series
}

fn whole(series: &Series) -> Result<Spectrum, spectrum::SpectrumError> {
    Spectrum::of(series, &Timeline::new(), i64::MIN, i64::MAX)
}

fn peak(spectrum: &Spectrum) -> (f64, f64) {
    let pairs = spectrum.frequencies_hz.iter().zip(&spectrum.amplitudes).skip(1);
    let best = pairs.max_by(|a, b| a.1.total_cmp(b.1)).expect("there are frequencies");
    (*best.0, *best.1)
}

proptest! {
    #[test]
    fn a_sine_at_a_bin_gives_its_amplitude(
        amplitude in 0.1..50.0_f64, bin in 4_u32..500, phase in 0.0..TAU, offset in -9.0..9.0_f64,
    ) {
        // 1,024 samples at 1 kHz.
        let frequency = f64::from(bin) * 1000.0 / 1024.0;
        let wave = |t: f64| offset + amplitude * (TAU * frequency * t + phase).sin();
        let found = whole(&series(1024, |i| i * 1_000_000, wave)).expect("even samples");
        let (peak_hz, peak_amplitude) = peak(&found);
        // The mean is taken off and the window is exact at a bin: only rounding is left.
        prop_assert!((peak_hz - frequency).abs() < 1e-6 * frequency);
        prop_assert!((peak_amplitude - amplitude).abs() < 1e-9 * amplitude.max(1.0));
        prop_assert!((found.amplitudes[0] - offset.abs()).abs() < 1e-9 * amplitude.max(10.0));
    }

    #[test]
    fn any_length_and_a_little_jitter_give_nearly_the_amplitude(
        count in 600_i64..3000, jitter_ns in 0_i64..20_000, frequency in 5.0..40.0_f64,
    ) {
        let time = move |i: i64| i * 1_000_000 + if jitter_ns > 0 { i * 7919 % jitter_ns } else { 0 };
        let found = whole(&series(count, time, |t| 3.0 * (TAU * frequency * t).sin()));
        let (peak_hz, amplitude) = peak(&found.expect("nearly even samples"));
        // Between two bins a Hann window shows 15 % too little at worst; zeros behind the samples
        // and interpolation leave that as the bound.
        prop_assert!((2.5..3.1).contains(&amplitude), "{}", amplitude);
        prop_assert!((peak_hz - frequency).abs() < 1000.0 / count as f64);
    }
}

#[test]
fn of_too_many_samples_the_latest_count_and_it_is_said() {
    let count = spectrum::MAX_SAMPLES as i64 + 5;
    let found = whole(&series(count, |i| i * 1000, |t| (TAU * 1000.0 * t).sin()));
    let found = found.expect("even samples");
    assert_eq!(found.samples_used, spectrum::MAX_SAMPLES);
    assert_eq!(found.samples_in_range, count as usize);
    assert!((peak(&found).1 - 1.0).abs() < 0.16);
}

#[test]
fn refusals_say_what_to_do() {
    let check = |series: &Series, expected: Expect| {
        expected.assert_eq(&whole(series).expect_err("no spectrum").to_string());
    };
    check(
        &series(7, |i| i, |t| t),
        expect!["the range has 7 samples, and a spectrum needs at least 8; choose a longer one"],
    );
    check(
        &series(20, |i| i * 1_000_000_000, |t| if t == 5.0 { f64::NAN } else { t }),
        expect!["the signal has a gap at 5.000000 s; choose a range without one"],
    );
    check(
        &series(
            200,
            |i| if i < 100 { i * 1_000_000 } else { i * 1_000_000 + 9_000_000_000 },
            |t| t,
        ),
        expect![
            "no samples for 9.001000 s after 0.099000 s; choose a range where they come at even intervals"
        ],
    );
}
