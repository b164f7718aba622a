//! Derived series: keeping up is the same as computing anew, whatever happened on the way.

use std::collections::VecDeque;
use std::ops::Range;

use expect_test::expect;
use proptest::collection::vec;
use proptest::prelude::*;
use retake_series::{Derived, Evaluator, Expression, Input, Series, Timeline, event_time};

fn derived(text: &str) -> Derived {
    Derived::new(Expression::parse(text).expect(text)).expect(text)
}

fn push(series: &mut Series, epoch: u64, times: Range<i64>, value: impl Fn(i64) -> f64) {
    for time in times {
        series.push(epoch, time, value(time));
    }
}

/// What a world tells: signals in order, each by a way of its own.
#[derive(Clone, Copy, Debug)]
enum Message {
    Jump { epoch: u64, parent: u64, at_ns: i64 },
    Sample { epoch: u64, time_ns: i64, value: f64 },
}

#[derive(Clone, Debug)]
enum Act {
    Steps { count: usize, step_ns: i64, every: usize },
    Jump { epochs_back: u64, percent: i64 },
}

fn act() -> impl Strategy<Value = Act> {
    prop_oneof![
        3 => (1_usize..80, 1_i64..1000, 1_usize..5)
            .prop_map(|(count, step_ns, every)| Act::Steps { count, step_ns, every }),
        1 => (0_u64..3, 0_i64..110)
            .prop_map(|(epochs_back, percent)| Act::Jump { epochs_back, percent }),
    ]
}

/// The messages of signals `a` and `b`, and the jumps.
fn messages(acts: &[Act]) -> [VecDeque<Message>; 3] {
    let mut queues: [VecDeque<Message>; 3] = Default::default();
    let (mut epoch, mut time_ns) = (0, 0);
    for act in acts {
        match *act {
            Act::Steps { count, step_ns, every } => {
                for index in 0..count {
                    time_ns += step_ns;
                    let wave = ((time_ns + epoch as i64 * 31) % 17) as f64 - 8.0;
                    let value = if wave == 8.0 { f64::NAN } else { wave };
                    queues[0].push_back(Message::Sample { epoch, time_ns, value });
                    if index % every == 0 {
                        queues[1].push_back(Message::Sample { epoch, time_ns, value: -wave / 3.0 });
                    }
                }
            }
            Act::Jump { epochs_back, percent } => {
                let parent = epoch.saturating_sub(epochs_back);
                (epoch, time_ns) = (epoch + 1, time_ns * percent / 100);
                queues[2].push_back(Message::Jump { epoch, parent, at_ns: time_ns });
            }
        }
    }
    queues
}

#[derive(Default)]
struct World {
    timeline: Timeline,
    signals: [Series; 2],
}

impl World {
    /// Takes in the next messages of a queue; samples wait for the jump that began their epoch.
    fn deliver(&mut self, queues: &mut [VecDeque<Message>; 3], which: usize, count: usize) {
        for _ in 0..count {
            match queues[which].front().copied() {
                Some(Message::Jump { epoch, parent, at_ns }) => {
                    self.timeline.jump(epoch, parent, at_ns);
                }
                Some(Message::Sample { epoch, time_ns, value }) if self.timeline.knows(epoch) => {
                    self.signals[which].push(epoch, time_ns, value);
                }
                _ => return,
            }
            queues[which].pop_front();
        }
    }

    fn inputs<'a>(&'a self, derived: &Derived) -> Vec<Option<Input<'a>>> {
        let signals = derived.expression().signals().iter();
        signals.map(|s| Some(Input::from(&self.signals[usize::from(s.name == "b")]))).collect()
    }

    fn live(&self, series: &Series) -> Vec<(i64, f64)> {
        series.samples(&self.timeline, i64::MIN, i64::MAX).collect()
    }

    /// Flattens all, holds, evaluates once; only as far as all signals go.
    fn naive(&self, derived: &Derived) -> Vec<(i64, f64)> {
        let signals: Vec<Vec<(i64, f64)>> =
            self.inputs(derived).iter().flatten().map(|input| self.live(input.series)).collect();
        let end = signals.iter().map(|s| s.last().map_or(i64::MIN, |s| s.0)).min();
        let times: Vec<i64> =
            signals[0].iter().map(|s| s.0).filter(|time| Some(*time) <= end).collect();
        let held = |signal: &Vec<(i64, f64)>| -> Vec<f64> {
            let at = |time: &i64| signal.iter().rfind(|s| s.0 <= *time).map_or(f64::NAN, |s| s.1);
            times.iter().map(at).collect()
        };
        let rows: Vec<Vec<f64>> = signals.iter().map(held).collect();
        let rows: Vec<&[f64]> = rows.iter().map(Vec::as_slice).collect();
        let mut values = Vec::new();
        Evaluator::new(derived.expression()).evaluate(&times, &rows, &mut values);
        times.into_iter().zip(values).collect()
    }
}

fn bits(samples: &[(i64, f64)]) -> Vec<(i64, Option<u64>)> {
    samples.iter().map(|(time, v)| (*time, v.is_finite().then_some(v.to_bits()))).collect()
}

const EXPRESSIONS: [&str; 8] = [
    "a * 2 + 1",
    "a + b",
    "b - 2 * a",
    "integral(a) + cum(b)",
    "avg(a, 5) * b",
    "deriv(b) + prev(a)",
    "delay(a, 0.000001) - lowpass(b, 0.000002)",
    "t * b",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn keeping_up_is_computing_anew(
        acts in vec(act(), 1..14),
        deliveries in vec((0_usize..3, 1_usize..60), 1..60),
        which in 0..EXPRESSIONS.len(),
    ) {
        let mut queues = messages(&acts);
        let mut world = World::default();
        let mut keeping_up = derived(EXPRESSIONS[which]);
        let finish = [(2, 1000), (0, 2000), (1, 2000)];
        for (queue, count) in deliveries.into_iter().chain(finish) {
            world.deliver(&mut queues, queue, count);
            keeping_up.update(&world.timeline, &world.inputs(&keeping_up));
            let kept = world.live(keeping_up.series());

            let mut anew = derived(EXPRESSIONS[which]);
            anew.recompute(&world.timeline, &world.inputs(&anew));
            let computed = world.live(anew.series());
            // What came in for a stretch that was discarded meanwhile is derived only anew; if it
            // is live again by a later jump, keeping up derives it then.
            prop_assert_eq!(bits(&kept), bits(&computed));

            let naive = world.naive(&keeping_up);
            prop_assert_eq!(bits(&kept[..naive.len().min(kept.len())]), bits(&naive));
        }
    }
}

#[test]
fn integrals_go_on_from_where_the_undo_went() {
    let (mut timeline, mut speed) = (Timeline::new(), Series::new());
    let mut way = derived("integral(speed)");
    let second = 1_000_000_000;
    for time in 0..=10 {
        speed.push(0, time * second, 2.0);
    }
    way.update(&timeline, &[Some(Input::from(&speed))]);
    assert_eq!(way.series().at(&timeline, 10 * second), Some(20.0));
    timeline.jump(1, 0, 4 * second);
    for time in 5..=6 {
        speed.push(1, time * second, 10.0);
        way.update(&timeline, &[Some(Input::from(&speed))]);
    }
    // 8 m at the jump, half a second at each speed on average, then one second at 10 m/s.
    let live: Vec<f64> = way.series().samples(&timeline, 0, i64::MAX).map(|s| s.1).collect();
    assert_eq!(live, [0.0, 2.0, 4.0, 6.0, 8.0, 14.0, 24.0]);
    let traces = way.series().view(&timeline, 0, 10 * second, 100);
    assert!(traces[1].discarded && traces[1].values == [8.0, 10.0, 12.0, 14.0, 16.0, 18.0, 20.0]);
}

#[test]
fn values_wait_for_all_signals_and_end_with_the_first() {
    let timeline = Timeline::new();
    let (mut fast, mut slow) = (Series::new(), Series::new());
    let mut sum = derived("fast + slow");
    let times = |sum: &Derived| -> Vec<i64> {
        sum.series().samples(&timeline, 0, 100).map(|s| s.0).collect()
    };
    push(&mut fast, 0, 0..10, |_| 1.0);
    sum.update(&timeline, &[Some(Input::from(&fast)), None]);
    assert!(times(&sum).is_empty(), "a signal is missing");
    slow.push(0, 3, 1.0);
    sum.update(&timeline, &[Some(Input::from(&fast)), Some(Input::from(&slow))]);
    assert_eq!(times(&sum), [0, 1, 2, 3]);
    slow.push(0, 6, 2.0);
    sum.update(&timeline, &[Some(Input::from(&fast)), Some(Input::from(&slow))]);
    let values: Vec<f64> = sum.series().samples(&timeline, 0, 100).map(|s| s.1).collect();
    assert!(values[..3].iter().all(|value| value.is_nan()), "before the slow one begins");
    assert_eq!(values[3..], [2.0, 2.0, 2.0, 3.0]);
}

#[test]
fn runs_are_compared_at_aligned_times() {
    let (here, mut there) = (Timeline::new(), Timeline::new());
    let (mut now, mut before) = (Series::new(), Series::new());
    // The earlier run was undone once, and its event came 50 ns later.
    push(&mut before, 0, 0..70, |time| f64::from(time >= 60));
    there.jump(1, 0, 70);
    push(&mut before, 1, 71..100, |_| 3.0);
    push(&mut now, 0, 0..100, |time| f64::from(time >= 10));
    let shift_ns = event_time(&now, &here).zip(event_time(&before, &there)).map(|(a, b)| a - b);
    assert_eq!(shift_ns, Some(-50));
    let earlier = Input { series: &before, timeline: Some(&there), shift_ns: -50 };
    let mut difference = derived("run(\"before\", x) - x");
    assert_eq!((difference.base().run.as_deref(), difference.base().name.as_str()), (None, "x"));
    difference.update(&here, &[Some(earlier), Some(Input::from(&now))]);
    let samples: Vec<(i64, f64)> = difference.series().samples(&here, 0, 100).collect();
    assert_eq!(samples.len(), 50, "the earlier run ends at 49 of the time here");
    assert!(samples[..20].iter().all(|sample| sample.1 == 0.0), "aligned by the event");
    assert_eq!((samples[20], samples[21]), ((20, 0.0), (21, 2.0)));
}

#[test]
fn derived_series_are_signals_too() {
    let timeline = Timeline::new();
    let mut x = Series::new();
    let (mut speed, mut fast) = (derived("deriv(x)"), derived("speed > 1.5"));
    for time in 0..3000_i64 {
        let secs = time as f64 / 1000.0;
        x.push(0, time * 1_000_000, secs * secs / 2.0);
        speed.update(&timeline, &[Some(Input::from(&x))]);
        fast.update(&timeline, &[Some(Input::from(speed.series()))]);
    }
    // The speed between two samples is that in the middle of them.
    assert_eq!(event_time(fast.series(), &timeline), Some(1_501_000_000));
}

#[test]
fn without_a_signal_there_is_nothing_to_follow() {
    let error = Derived::new(Expression::parse("2 * t").expect("parses")).expect_err("no signal");
    expect!["the expression needs at least one signal, whose samples it follows, at character 0"]
        .assert_eq(&error.to_string());
}
