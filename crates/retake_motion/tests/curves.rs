//! Laws of curves through waypoints.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::path::{Path, PathBuf};

use expect_test::expect;
use proptest::prelude::*;
use retake_motion::Interpolation;
use retake_motion::curve::{CurveError, CurveSet, Knots, Sample};

const POSITIONS_ONLY: [Interpolation; 5] = [
    Interpolation::Monotone,
    Interpolation::Akima,
    Interpolation::Natural,
    Interpolation::Clamped,
    Interpolation::Linear,
];

/// Knots as a test makes them.
#[derive(Clone, Debug)]
struct Taught {
    times: Vec<f64>,
    positions: Vec<f64>,
    velocities: Vec<f64>,
    accelerations: Vec<f64>,
}

impl Taught {
    fn knots(&self) -> Knots<'_> {
        Knots {
            positions: &self.positions,
            velocities: &self.velocities,
            accelerations: &self.accelerations,
            stepwise: false,
        }
    }

    fn curve(&self, interpolation: Interpolation) -> CurveSet {
        CurveSet::new(interpolation, &self.times, &[self.knots()]).unwrap()
    }

    /// The largest magnitude that numbers of the curve have, for tolerances by rounding.
    fn scale(&self, curve: &CurveSet) -> f64 {
        let (low, high) = curve.range(0);
        1.0 + low.abs().max(high.abs())
    }

    fn spans(&self) -> impl Iterator<Item = (usize, f64, f64)> {
        self.times.windows(2).enumerate().map(|(index, pair)| (index, pair[0], pair[1]))
    }
}

/// Two to twelve knots at uneven times, 1 ms to 2 s apart.
fn taught() -> impl Strategy<Value = Taught> {
    let span_secs = (-3.0..0.3f64).prop_map(|exponent| 10f64.powf(exponent));
    // Some neighbours are equal, because a taught joint often stands.
    let position = prop_oneof![3 => -3.0..3.0f64, 1 => Just(0.5)];
    let knot = (span_secs, position, -2.0..2.0f64, -5.0..5.0f64);
    (prop::collection::vec(knot, 2..=12), -5.0..5.0f64).prop_map(|(knots, start_secs)| {
        let mut now = start_secs;
        let mut taught = Taught {
            times: Vec::new(),
            positions: Vec::new(),
            velocities: Vec::new(),
            accelerations: Vec::new(),
        };
        for (span_secs, position, velocity, acceleration) in knots {
            now += span_secs;
            taught.times.push(now);
            taught.positions.push(position);
            taught.velocities.push(velocity);
            taught.accelerations.push(acceleration);
        }
        taught
    })
}

fn any_way() -> impl Strategy<Value = Interpolation> {
    prop::sample::select(Interpolation::ALL.map(|(way, _)| way).to_vec())
}

fn smooth_way() -> impl Strategy<Value = Interpolation> {
    any_way().prop_filter("straight lines have corners", |way| *way != Interpolation::Linear)
}

fn close(a: f64, b: f64, tolerance: f64) -> bool {
    (a - b).abs() <= tolerance
}

/// The limit from the left: the earlier segment continued up to its end.
fn left_limit(curve: &CurveSet, from_secs: f64, to_secs: f64) -> Sample {
    // Next to the knot the derivatives differ from their limits by their change over this distance.
    curve.sample(0, to_secs - (to_secs - from_secs) * 1e-9)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn a_curve_passes_through_its_knots(taught in taught(), way in any_way()) {
        let curve = taught.curve(way);
        for (time, position) in taught.times.iter().zip(&taught.positions) {
            prop_assert!(close(curve.sample(0, *time).position, *position, 1e-12));
        }
        let scale = taught.scale(&curve);
        for (index, from, to) in taught.spans() {
            let (speed, _) = curve.peak(0);
            let reached = left_limit(&curve, from, to).position;
            let tolerance = 1e-9 * speed * (to - from) + 1e-12 * scale;
            prop_assert!(close(reached, taught.positions[index + 1], tolerance));
        }
    }

    #[test]
    fn monotone_stays_between_its_neighbours(taught in taught()) {
        let curve = taught.curve(Interpolation::Monotone);
        for (index, from, to) in taught.spans() {
            let (a, b) = (taught.positions[index], taught.positions[index + 1]);
            let mut last = a;
            for step in 0..=200 {
                let now = curve.sample(0, from + (to - from) * f64::from(step) / 200.0).position;
                prop_assert!(now >= a.min(b) - 1e-14 && now <= a.max(b) + 1e-14);
                prop_assert!((now - last) * (b - a).signum() >= -1e-14, "turns back");
                last = now;
            }
        }
        let (low, high) = curve.range(0);
        let least = taught.positions.iter().copied().fold(f64::INFINITY, f64::min);
        let most = taught.positions.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        prop_assert!(close(low, least, 1e-14) && close(high, most, 1e-14));
    }

    #[test]
    fn velocity_is_continuous_and_acceleration_of_c2_curves_too(
        taught in taught(),
        way in smooth_way(),
    ) {
        let curve = taught.curve(way);
        let twice = matches!(way, Interpolation::Natural | Interpolation::Clamped)
            || way == Interpolation::Hermite;
        for (_, from, to) in taught.spans() {
            let (before, after) = (left_limit(&curve, from, to), curve.sample(0, to));
            let (speed, change) = curve.peak(0);
            prop_assert!(close(before.velocity, after.velocity, 1e-7 * (speed + change * (to - from))));
            // The jerk of a segment is a few of its accelerations for each of its spans.
            prop_assert!(!twice || close(before.acceleration, after.acceleration, 1e-6 * change));
        }
    }

    #[test]
    fn ends_are_at_rest_or_without_force(taught in taught()) {
        let ends = |way| {
            let curve = taught.curve(way);
            let (speed, change) = curve.peak(0);
            let [start, end] = [curve.start_secs(), curve.end_secs()].map(|t| curve.sample(0, t));
            // An acceleration is a difference of velocities by the length of a span.
            let shortest = taught.spans().map(|(_, from, to)| to - from).fold(1.0, f64::min);
            (start, end, 1e-12 * (1.0 + speed), 1e-9 * change + 1e-12 * (1.0 + speed) / shortest)
        };
        for way in [Interpolation::Monotone, Interpolation::Akima, Interpolation::Clamped] {
            let (start, end, tolerance, _) = ends(way);
            prop_assert!(start.velocity == 0.0 && end.velocity.abs() <= tolerance, "{way:?} {end:?}");
        }
        let (start, end, _, tolerance) = ends(Interpolation::Natural);
        prop_assert!(start.acceleration.abs() <= tolerance && end.acceleration.abs() <= tolerance);
    }

    #[test]
    fn derivatives_are_those_of_the_position(
        taught in taught(),
        way in any_way(),
        place in 0.01..0.99f64,
    ) {
        let curve = taught.curve(way);
        let scale = taught.scale(&curve);
        let (speed, change) = curve.peak(0);
        for (_, from, to) in taught.spans() {
            let (span, at) = (to - from, from + (to - from) * place);
            let step = span * 1e-3;
            let [before, now, after] = [at - step, at, at + step].map(|t| curve.sample(0, t));
            let velocity = (after.position - before.position) / (2.0 * step);
            let acceleration = (after.velocity - before.velocity) / (2.0 * step);
            // Quotients are off by the third derivative times the square of the step, and rounding.
            let rounding = 1e-13 / step;
            let off = 1e-4 * (speed + change * span) + rounding * scale;
            prop_assert!(close(now.velocity, velocity, off), "{} {velocity}", now.velocity);
            let off = 1e-4 * (change + speed / span) + rounding * (speed + 1.0);
            prop_assert!(close(now.acceleration, acceleration, off));
        }
    }

    #[test]
    fn hermite_meets_what_is_given(taught in taught()) {
        let cubic = CurveSet::new(
            Interpolation::Hermite,
            &taught.times,
            &[Knots { accelerations: &[], ..taught.knots() }, taught.knots()],
        ).unwrap();
        for (knot, time) in taught.times.iter().enumerate() {
            for joint in 0..2 {
                let (speed, change) = cubic.peak(joint);
                let there = cubic.sample(joint, *time);
                prop_assert!(close(there.velocity, taught.velocities[knot], 1e-10 * (1.0 + speed)));
                let wanted = taught.accelerations[knot];
                prop_assert!(joint == 0 || close(there.acceleration, wanted, 1e-10 * (1.0 + change)));
            }
        }
    }

    #[test]
    fn starting_later_changes_nothing_else(taught in taught(), way in any_way(), shift in -64i32..64) {
        // Sums with such numbers of seconds are exact to about 1e-14.
        let shift = f64::from(shift);
        let later =
            Taught { times: taught.times.iter().map(|t| t + shift).collect(), ..taught.clone() };
        let (curve, shifted) = (taught.curve(way), later.curve(way));
        let (speed, change) = curve.peak(0);
        for (_, from, to) in taught.spans() {
            let at = 0.3 * from + 0.7 * to;
            let (a, b) = (curve.sample(0, at), shifted.sample(0, at + shift));
            // Moved times are rounded, which counts most on the shortest spans.
            prop_assert!(close(a.position, b.position, 1e-9 * (1.0 + speed)));
            prop_assert!(close(a.velocity, b.velocity, 1e-9 * (1.0 + speed + change)));
        }
    }

    #[test]
    fn range_and_peak_hold_every_sample_and_are_reached(taught in taught(), way in any_way()) {
        let curve = taught.curve(way);
        let ((low, high), (speed, change)) = (curve.range(0), curve.peak(0));
        let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
        let (mut fastest, mut hardest) = (0.0f64, 0.0f64);
        for (_, from, to) in taught.spans() {
            for step in 0..=2000 {
                let now = curve.sample(0, from + (to - from) * f64::from(step) / 2000.0);
                least = least.min(now.position);
                most = most.max(now.position);
                fastest = fastest.max(now.velocity.abs());
                hardest = hardest.max(now.acceleration.abs());
            }
        }
        let rounding = 1e-12 * taught.scale(&curve);
        prop_assert!(low <= least + rounding && most <= high + rounding);
        prop_assert!(fastest <= speed * (1.0 + 1e-9) && hardest <= change * (1.0 + 1e-9));
        // A sample every 2000th of a span misses an extreme by half the curvature times the square.
        let missed = 1e-5 * taught.scale(&curve);
        prop_assert!(least <= low + missed && high <= most + missed);
        prop_assert!(speed <= fastest * (1.0 + 1e-3) && change <= hardest * (1.0 + 1e-2));
    }

    #[test]
    fn all_at_once_is_one_by_one(a in taught(), way in any_way(), stepwise: bool, place in -0.2..1.2f64) {
        let joints = [a.knots(), Knots { stepwise, ..a.knots() }, Knots { velocities: &[], ..a.knots() }];
        let curves = CurveSet::new(way, &a.times, &joints).unwrap();
        let (start, end) = (curves.start_secs(), curves.end_secs());
        for time in [start + (end - start) * place, start, end, a.times[a.times.len() / 2]] {
            let mut out = [Sample::default(); 3];
            curves.sample_all(time, &mut out);
            let single = [0, 1, 2].map(|joint| curves.sample(joint, time));
            prop_assert_eq!(out, single);
        }
    }

    #[test]
    fn extreme_numbers_give_finite_curves(
        spans in prop::collection::vec(-9.0..6.0f64, 1..8),
        positions in prop::collection::vec(-1e6..1e6f64, 8),
        way in any_way(),
    ) {
        let mut times = vec![0.0];
        for exponent in &spans {
            times.push(times[times.len() - 1] + 10f64.powf(*exponent));
        }
        times.dedup();
        let count = times.len();
        let knots = Knots {
            positions: &positions[..count],
            velocities: &positions[..count],
            accelerations: &positions[..count],
            stepwise: false,
        };
        let curve = CurveSet::new(way, &times, &[knots]).unwrap();
        for pair in times.windows(2) {
            for step in 0..=16 {
                let now = curve.sample(0, pair[0] + (pair[1] - pair[0]) * f64::from(step) / 16.0);
                let finite = [now.position, now.velocity, now.acceleration].map(f64::is_finite);
                prop_assert_eq!(finite, [true; 3]);
            }
        }
        let ((low, high), (speed, change)) = (curve.range(0), curve.peak(0));
        prop_assert!([low, high, speed, change].iter().all(|x| x.is_finite()));
    }

    #[test]
    fn whatever_comes_nothing_panics(
        times in prop::collection::vec(any::<f64>(), 0..5),
        positions in prop::collection::vec(any::<f64>(), 0..5),
        way in any_way(),
        now: f64,
    ) {
        let knots =
            Knots { positions: &positions, velocities: &[], accelerations: &positions, stepwise: false };
        if let Ok(curve) = CurveSet::new(way, &times, &[knots]) {
            curve.sample(0, now);
            curve.segment(now);
            curve.range(0);
            curve.peak(0);
        }
    }
}

#[test]
fn a_single_knot_is_held() {
    for (way, _) in Interpolation::ALL {
        let knots =
            Knots { positions: &[0.7], velocities: &[2.0], accelerations: &[], stepwise: false };
        let curve = CurveSet::new(way, &[3.0], &[knots]).unwrap();
        for time in [f64::NEG_INFINITY, 0.0, 3.0, 4.0, f64::NAN] {
            assert_eq!(curve.sample(0, time), Sample { position: 0.7, ..Sample::default() });
        }
        assert_eq!(
            (curve.range(0), curve.peak(0), curve.segment(3.0)),
            ((0.7, 0.7), (0.0, 0.0), 0)
        );
    }
}

#[test]
fn two_knots_give_a_known_curve() {
    let half = |way| {
        let knots =
            Knots { positions: &[1.0, 3.0], velocities: &[], accelerations: &[], stepwise: false };
        let curve = CurveSet::new(way, &[0.0, 2.0], &[knots]).unwrap();
        let at = curve.sample(0, 1.0);
        (at.position, at.velocity, curve.sample(0, 0.0).velocity)
    };
    // At rest at both ends the middle is one and a half times as fast as a straight line.
    for way in [Interpolation::Monotone, Interpolation::Akima, Interpolation::Clamped] {
        assert_eq!(half(way), (2.0, 1.5, 0.0));
    }
    for way in [Interpolation::Natural, Interpolation::Linear, Interpolation::Hermite] {
        assert_eq!(half(way), (2.0, 1.0, 1.0));
    }
}

#[test]
fn akima_weighs_the_steadier_side() {
    let velocities = |times: &[f64], positions: &[f64], way| {
        let knots = Knots { positions, velocities: &[], accelerations: &[], stepwise: false };
        let curve = CurveSet::new(way, times, &[knots]).unwrap();
        times.iter().map(|time| curve.sample(0, *time).velocity).collect::<Vec<_>>()
    };
    // At the corner from 1 to 3 rad/s both sides are steady, and the slower one weighs 3 to 1.
    let (times, corner) = ([0.0, 1.0, 2.0, 3.0, 4.0], [0.0, 1.0, 2.0, 5.0, 8.0]);
    assert_eq!(velocities(&times, &corner, Interpolation::Akima)[2], 1.5);
    // A straight line has its own velocity wherever it does not have to start or stop.
    let times = [0.0, 0.5, 2.0, 2.25, 4.0, 7.0, 7.5];
    for way in [Interpolation::Akima, Interpolation::Monotone] {
        for velocity in &velocities(&times, &times.map(|time| 2.0 * time), way)[2..5] {
            assert!(close(*velocity, 2.0, 1e-12), "{way:?} {velocity}");
        }
    }
}

#[test]
fn a_quintic_reproduces_a_quintic() {
    let value = |t: f64| t.powi(5) - 2.0 * t.powi(4) + 3.0 * t;
    let velocity = |t: f64| 5.0 * t.powi(4) - 8.0 * t.powi(3) + 3.0;
    let acceleration = |t: f64| 20.0 * t.powi(3) - 24.0 * t.powi(2);
    let times = [-1.0, -0.25, 0.0, 1.5];
    let knots = Knots {
        positions: &times.map(value),
        velocities: &times.map(velocity),
        accelerations: &times.map(acceleration),
        stepwise: false,
    };
    let curve = CurveSet::new(Interpolation::Hermite, &times, &[knots]).unwrap();
    for step in 0..250 {
        let time = -1.0 + 0.01 * f64::from(step);
        let now = curve.sample(0, time);
        assert!(
            close(now.position, value(time), 1e-12) && close(now.velocity, velocity(time), 1e-11)
        );
        assert!(close(now.acceleration, acceleration(time), 1e-10));
    }
}

#[test]
fn steps_are_held_and_the_curve_is_held_outside() {
    let times = [1.0, 2.0, 3.0];
    let knots =
        Knots { positions: &[5.0, 7.0, 6.0], velocities: &[], accelerations: &[], stepwise: true };
    let line = Knots { stepwise: false, ..knots };
    let curves = CurveSet::new(Interpolation::Linear, &times, &[knots, line]).unwrap();
    let steps = [0.0, 1.0, 1.99, 2.0, 2.99, 3.0, 9.0].map(|t| curves.sample(0, t).position);
    assert_eq!(steps, [5.0, 5.0, 5.0, 7.0, 7.0, 6.0, 6.0]);
    assert_eq!((curves.range(0), curves.peak(0)), ((5.0, 7.0), (0.0, 0.0)));
    let velocities = [0.99, 1.0, 2.0, 3.0, 3.01].map(|t| curves.sample(1, t).velocity);
    assert_eq!(velocities, [0.0, 2.0, -1.0, -1.0, 0.0]);
    assert_eq!([0.0, 1.0, 2.0, 2.5, 3.0, 9.0].map(|t| curves.segment(t)), [0, 0, 1, 1, 1, 1]);
}

#[test]
fn refusals_name_the_place() {
    let knots = |positions, velocities| Knots {
        positions,
        velocities,
        accelerations: &[],
        stepwise: false,
    };
    let good = knots(&[0.0, 1.0], &[]);
    let refusal = |times: &[f64], joints: &[Knots<'_>]| -> CurveError {
        CurveSet::new(Interpolation::Natural, times, joints).unwrap_err()
    };
    let texts = [
        refusal(&[], &[good]),
        refusal(&[0.0, f64::NAN], &[good]),
        refusal(&[0.5, 0.5], &[good]),
        refusal(&[0.0, 1.0], &[good, knots(&[0.0], &[])]),
        refusal(&[0.0, 1.0], &[knots(&[0.0, 1.0], &[1.0, 2.0, 3.0])]),
        refusal(&[0.0, 1.0], &[good, good, knots(&[0.0, f64::INFINITY], &[])]),
        refusal(&[0.0, 1e-300], &[knots(&[0.0, 1e300], &[])]),
    ];
    let text: String = texts.iter().map(|error| format!("{error}\n")).collect();
    expect![[r#"
        there are no knots; a curve needs one at least
        the time of knot 1 is NaN s; write a finite number
        knot 1 is at 0.5 s, not after 0.5 s; times must grow
        joint 1 has 1 positions, and there are 2 knots
        joint 0 has 3 velocities, and there are 2 knots
        joint 2 has inf among its positions at knot 1; write a finite number
        joint 0 cannot be computed after knot 0: values are too large, or times too close
    "#]]
    .assert_eq(&text);
}

/// The folder of real motions, where there is one above the crate.
fn corpus() -> Option<PathBuf> {
    let above = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    above.map(|folder| folder.join("shared/corpus/motions")).find(|folder| folder.is_dir())
}

/// Reads times and the positions of each joint from a serialised goal.
fn read_goal(path: &Path) -> Option<(Vec<f64>, Vec<Vec<f64>>)> {
    let text = std::fs::read_to_string(path).ok()?;
    let goal: serde_json::Value = serde_json::from_str(&text).ok()?;
    let points = goal["trajectory"]["points"].as_array()?;
    let secs = |point: &serde_json::Value| {
        let time = &point["time_from_start"];
        Some(time["secs"].as_f64()? + time["nsecs"].as_f64()? * 1e-9)
    };
    let times = points.iter().map(secs).collect::<Option<Vec<_>>>()?;
    let joints = goal["trajectory"]["joint_names"].as_array()?.len();
    let column = |joint: usize| points.iter().map(|p| p["positions"][joint].as_f64()).collect();
    let positions = (0..joints).map(column).collect::<Option<Vec<_>>>()?;
    (times.windows(2).all(|pair| pair[0] < pair[1]) && !times.is_empty())
        .then_some((times, positions))
}

/// The way a joint goes beyond the knots of each segment, in rad.
fn overshoot(curve: &CurveSet, joint: usize, times: &[f64], positions: &[f64]) -> f64 {
    let mut worst = 0.0f64;
    for (pair, ends) in times.windows(2).zip(positions.windows(2)) {
        let (low, high) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
        for step in 0..=200 {
            let time = pair[0] + (pair[1] - pair[0]) * f64::from(step) / 200.0;
            let now = curve.sample(joint, time).position;
            worst = worst.max(low - now).max(now - high);
        }
    }
    worst
}

#[test]
fn monotone_does_not_overshoot_real_motions() {
    let Some(corpus) = corpus() else { return };
    let mut played = 0;
    for entry in std::fs::read_dir(corpus.join("joint_trajectories")).unwrap() {
        let path = entry.unwrap().path();
        let Some((times, positions)) = read_goal(&path) else { continue };
        let knots =
            |positions| Knots { positions, velocities: &[], accelerations: &[], stepwise: false };
        let joints: Vec<_> = positions.iter().map(|joint| knots(joint.as_slice())).collect();
        for way in POSITIONS_ONLY {
            let curves = CurveSet::new(way, &times, &joints).unwrap();
            let bounded = matches!(way, Interpolation::Monotone | Interpolation::Linear);
            for (joint, positions) in positions.iter().enumerate().filter(|_| bounded) {
                let beyond = overshoot(&curves, joint, &times, positions);
                assert!(beyond <= 1e-15, "{way:?} {beyond} rad, joint {joint}, {}", path.display());
            }
        }
        played += 1;
    }
    assert!(played >= 25, "only {played} motions were read");
}
