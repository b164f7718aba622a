//! Laws of what a series answers: always what looking at every sample would give.

mod support;

use std::collections::BTreeMap;

use proptest::collection::vec;
use proptest::prelude::*;
use retake_series::{Limits, Pushed, Series, Timeline, Trace, event_time};
use support::{Event, History, event};

type Bits = (i64, Option<u64>);

/// Samples that can be compared: all gaps are equal.
fn bits(samples: impl IntoIterator<Item = (i64, f64)>) -> Vec<Bits> {
    let finite = |value: f64| value.is_finite().then_some((value + 0.0).to_bits());
    samples.into_iter().map(|(time, value)| (time, finite(value))).collect()
}

fn points(trace: &Trace) -> Vec<(i64, f64)> {
    trace.times_ns.iter().copied().zip(trace.values.iter().copied()).collect()
}

/// Checks a trace against all samples of its line: it is a part of them, and of every bucket of
/// some power of two that the first, smallest, largest and last sample and a gap are there.
fn check_trace(trace: &Trace, line: &[(i64, f64)], range: (i64, i64), pixels: usize) {
    let shown = bits(points(trace));
    let all = bits(line.iter().copied());
    assert!(trace.times_ns.is_sorted_by(|a, b| a < b), "times ascend");
    assert!(shown.iter().all(|point| all.contains(point)), "only samples are drawn");
    let inside = |samples: &[(i64, f64)]| -> Vec<(i64, f64)> {
        samples.iter().copied().filter(|(time, _)| (range.0..=range.1).contains(time)).collect()
    };
    if !trace.thinned {
        assert_eq!(bits(inside(&points(trace))), bits(inside(line)));
        return;
    }
    let width = (range.1 - range.0) as u64;
    let bucket_bits = (0..64).find(|bits| width >> bits < pixels as u64);
    let bucket_bits = bucket_bits.expect("ranges of tests are small");
    assert_eq!(bucket_bits, retake_series::bucket_bits(range.0, range.1, pixels));
    let by_bucket = |samples: Vec<(i64, f64)>| {
        let mut buckets: BTreeMap<i64, Vec<(i64, f64)>> = BTreeMap::new();
        for sample in samples {
            buckets.entry(sample.0 >> bucket_bits).or_default().push(sample);
        }
        buckets
    };
    let (first, last) = (range.0 >> bucket_bits, range.1 >> bucket_bits);
    let drawn = by_bucket(points(trace));
    for (number, samples) in by_bucket(line.to_vec()).range(first..=last) {
        let drawn = &drawn[number];
        // Five samples of its own, and the one that a discarded stretch went on from.
        assert!(drawn.len() <= 6);
        let ends = |s: &[(i64, f64)]| bits([s[0], s[s.len() - 1]]);
        assert_eq!(ends(drawn), ends(samples), "first and last of bucket {number}");
        let extremes = |s: &[(i64, f64)]| {
            let finite = || s.iter().map(|(_, value)| *value).filter(|value| value.is_finite());
            let gap = s.iter().any(|(_, value)| !value.is_finite());
            (finite().fold(f64::INFINITY, f64::min), finite().fold(-f64::INFINITY, f64::max), gap)
        };
        assert_eq!(extremes(drawn), extremes(samples), "extremes of bucket {number}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn a_view_loses_no_extreme(
        events in vec(event(), 1..25),
        range in (-5_i64..105, 0_i64..110),
        pixels in prop_oneof![0_usize..4, 4_usize..100, 500_usize..2000],
    ) {
        let history = History::of(&events);
        let (from, until) = (history.time(range.0), history.time(range.0 + range.1));
        let traces = history.series.view(&history.timeline, from, until, pixels);
        let everything = history.live(i64::MIN, i64::MAX);
        if let Some(live) = traces.iter().find(|trace| !trace.discarded) {
            check_trace(live, &everything, (from, until), pixels.max(1));
        } else {
            prop_assert!(history.live(from, until).is_empty());
        }
        for stretch in history.timeline.discarded() {
            let own = history.discarded(&stretch);
            if !own.iter().any(|(time, _)| (from..=until).contains(time)) {
                continue;
            }
            let samples = bits(own.iter().copied());
            // Its first point may be the sample from which the stretch went on.
            let is_its_line = |trace: &&Trace| {
                let drawn = bits(points(trace));
                let went_on_from_first = drawn[0].0 < stretch.from_ns && drawn.len() > 1;
                let own = if went_on_from_first { &drawn[1..] } else { &drawn[..] };
                trace.discarded && own.iter().all(|point| samples.contains(point))
            };
            let trace = traces.iter().find(is_its_line);
            let trace = trace.expect("a stretch with samples in the range is drawn");
            let fork = points(trace)[0];
            let line = if fork.0 < stretch.from_ns { [vec![fork], own].concat() } else { own };
            check_trace(trace, &line, (from, until), pixels.max(1));
        }
    }

    #[test]
    fn scrolling_does_not_change_what_is_drawn(
        events in vec(event(), 1..15), by in 1_i64..40,
    ) {
        let history = History::of(&events);
        let width = history.time(50) - history.time(0);
        let (a, b) = (history.time(10), history.time(10) + width * by / 100);
        let view = |from: i64| history.series.view(&history.timeline, from, from + width, 40);
        let (before, after) = (view(a), view(b));
        if let ([before, ..], [after, ..]) = (&before[..], &after[..])
            && before.thinned && after.thinned && !before.discarded && !after.discarded
        {
            let common = |trace: &Trace| -> Vec<(i64, f64)> {
                points(trace).into_iter().filter(|(time, _)| (b..=a + width).contains(time)).collect()
            };
            prop_assert_eq!(bits(common(before)), bits(common(after)));
        }
    }

    #[test]
    fn samples_and_held_values_are_those_of_a_plain_list(
        events in vec(event(), 1..25),
        range in (-5_i64..105, 0_i64..110),
        asked in vec(-10_i64..115, 1..20),
    ) {
        let history = History::of(&events);
        let (from, until) = (history.time(range.0), history.time(range.0 + range.1));
        let samples = history.series.samples(&history.timeline, from, until);
        prop_assert_eq!(bits(samples), bits(history.live(from, until)));

        let all = history.live(i64::MIN, i64::MAX);
        let mut times: Vec<i64> = asked.iter().map(|percent| history.time(*percent)).collect();
        times.sort_unstable();
        let naive = |time: i64| {
            let held = all.iter().rfind(|(sample, _)| *sample <= time);
            held.filter(|_| all.last().is_some_and(|(last, _)| time <= *last)).map(|s| s.1)
        };
        let mut held = Vec::new();
        history.series.hold(&history.timeline, &times, &mut held);
        for (time, held) in times.into_iter().zip(held) {
            let at = history.series.at(&history.timeline, time);
            prop_assert_eq!(bits(at.map(|v| (time, v))), bits(naive(time).map(|v| (time, v))));
            prop_assert_eq!(bits([(time, held)]), bits([(time, naive(time).unwrap_or(f64::NAN))]));
        }
        let event = all.iter().find(|(_, value)| value.is_finite() && *value != 0.0);
        prop_assert_eq!(event_time(&history.series, &history.timeline), event.map(|s| s.0));
    }

    #[test]
    fn statistics_are_those_of_a_loop(
        events in vec(event(), 1..25), range in (-5_i64..105, 0_i64..110),
    ) {
        let history = History::of(&events);
        let (from, until) = (history.time(range.0), history.time(range.0 + range.1));
        let live = history.live(from, until);
        let finite: Vec<f64> = live.iter().map(|s| s.1).filter(|v| v.is_finite()).collect();
        let statistics = history.series.statistics(&history.timeline, from, until);
        prop_assert_eq!(statistics.is_some(), !finite.is_empty());
        if let Some(statistics) = statistics {
            let count = finite.len() as f64;
            let mean = finite.iter().sum::<f64>() / count;
            let variance = finite.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / count;
            let rms = (finite.iter().map(|v| v * v).sum::<f64>() / count).sqrt();
            prop_assert_eq!(statistics.count, finite.len());
            prop_assert_eq!(statistics.min, finite.iter().copied().fold(f64::INFINITY, f64::min));
            prop_assert_eq!(statistics.max, finite.iter().copied().fold(-f64::INFINITY, f64::max));
            // Up to 100,000 additions of numbers up to 1e12 are rounded in different orders.
            let close = |a: f64, b: f64| (a - b).abs() <= 1e-10 * rms.max(1.0);
            prop_assert!(close(statistics.mean, mean), "{} {}", statistics.mean, mean);
            prop_assert!(close(statistics.rms, rms), "{} {}", statistics.rms, rms);
            prop_assert!(close(statistics.standard_deviation, variance.sqrt()));
        }
    }

    #[test]
    fn a_clone_stays_as_it_was(events in vec(event(), 2..20), kept in 1_usize..10) {
        let kept = kept.min(events.len());
        let before = History::of(&events[..kept]);
        let mut going_on = before.series.clone();
        let epoch = before.timeline.present();
        for index in 0..5000 {
            going_on.push(epoch, 1_000_000_000 + index, 1.0);
        }
        let samples = before.series.samples(&before.timeline, i64::MIN, i64::MAX);
        prop_assert_eq!(bits(samples), bits(before.live(i64::MIN, i64::MAX)));
        prop_assert_eq!(going_on.len(), before.series.len() + 5000);
    }
}

#[test]
fn a_sample_that_is_not_later_is_dropped_and_said_so() {
    let (mut series, timeline) = (Series::new(), Timeline::new());
    let pushed = [(10, 1.0), (10, 2.0), (9, 3.0), (11, 4.0)].map(|(t, v)| series.push(0, t, v));
    use Pushed::{Appended, TooLate};
    assert_eq!(pushed, [Appended, TooLate, TooLate, Appended]);
    assert_eq!(series.samples(&timeline, 0, 20).collect::<Vec<_>>(), [(10, 1.0), (11, 4.0)]);
}

#[test]
fn the_oldest_chunks_go_first_and_what_the_limits_allow_stays() {
    let timeline = Timeline::new();
    let by_count = Limits { max_samples: 10_000, max_age_ns: i64::MAX };
    let by_age = Limits { max_samples: usize::MAX, max_age_ns: 9_999 };
    for limits in [by_count, by_age] {
        let mut series = Series::with_limits(limits);
        for time in 0..100_000 {
            series.push(0, time, time as f64);
            assert!(series.len() < 10_000 + 2 * 4096, "not two chunks above the limit");
        }
        assert!(series.len() >= 10_000);
        let kept: Vec<i64> = series.samples(&timeline, 0, i64::MAX).map(|s| s.0).collect();
        assert!(kept.is_sorted() && kept.last() == Some(&99_999));
        assert_eq!(kept[0], 100_000 - kept.len() as i64, "the newest are kept");
        assert_eq!(series.pushed(0), 100_000);
        assert_eq!(series.since(0, 99_998).count(), 2);
    }
}

#[test]
fn even_samples_cost_nine_bytes_and_others_seventeen() {
    let per_sample = |time: fn(i64) -> i64| {
        let mut series = Series::new();
        for index in 0..1_000_000 {
            series.push(0, time(index), index as f64);
        }
        series.bytes() as f64 / 1_000_000.0
    };
    let (even, uneven) = (per_sample(|i| i * 1_000_000), per_sample(|i| i * 1_000_000 + i % 7));
    assert!((8.0..9.5).contains(&even), "{even}");
    assert!((16.0..17.5).contains(&uneven), "{uneven}");
}

#[test]
fn times_at_the_ends_of_what_can_be_told_do_no_harm() {
    let timeline = Timeline::new();
    let mut series = Series::new();
    for (time, value) in [(i64::MIN, 1.0), (-1, 2.0), (0, 3.0), (i64::MAX, 4.0)] {
        series.push(0, time, value);
    }
    assert_eq!(series.at(&timeline, i64::MAX), Some(4.0));
    assert_eq!(series.at(&timeline, i64::MIN), Some(1.0));
    for pixels in [0, 1, 2, 1000, usize::MAX] {
        let traces = series.view(&timeline, i64::MIN, i64::MAX, pixels);
        assert_eq!((traces[0].values[0], traces[0].values.last()), (1.0, Some(&4.0)));
    }
    assert!(series.view(&timeline, 5, 4, 100).is_empty());
}

#[test]
fn samples_of_forgotten_epochs_go_and_those_of_coming_ones_stay() {
    let mut timeline = Timeline::with_limit(2);
    let mut series = Series::new();
    for epoch in 0..4 {
        timeline.jump(epoch, 0, 5);
        series.push(epoch, 10, epoch as f64);
    }
    series.push(4, 10, 4.0);
    series.follow(&timeline);
    assert_eq!(series.epochs().collect::<Vec<_>>(), [0, 3, 4]);
    assert_eq!(series.len(), 3);
}

#[test]
fn a_line_reaches_over_the_edges_of_the_view() {
    let history = History::of(&[Event::Even { count: 10, step_ns: 100 }]);
    let view = history.series.view(&history.timeline, -650, -550, 100);
    assert_eq!(view[0].times_ns, [-700, -600, -500]);
}
