//! Laws of what is found wrong with a motion.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use expect_test::expect;
use proptest::prelude::*;
use retake_motion::curve::{CurveError, Quantity};
use retake_motion::review::{
    Finding, FindingKind, JointLimits, MAX_FINDINGS, MAX_SAMPLES, curves, draw, review,
};
use retake_motion::{Interpolation, Motion, Waypoint};

/// How many times a segment is looked at.
const LOOKS: usize = 400;

fn motion(interpolation: Interpolation, joints: &[&str], rows: &[(f64, &[f64])]) -> Motion {
    let waypoint = |(time_secs, positions): &(f64, &[f64])| Waypoint {
        time_secs: *time_secs,
        positions: positions.to_vec(),
        enabled: true,
        ..Waypoint::default()
    };
    Motion {
        interpolation,
        joints: joints.iter().map(|joint| (*joint).to_owned()).collect(),
        waypoints: rows.iter().map(waypoint).collect(),
        ..Motion::default()
    }
}

/// Motions of two joints and a weight, some of whose waypoints have velocities and accelerations,
/// and some of which do not count.
fn motions(ways: Vec<Interpolation>) -> impl Strategy<Value = Motion> {
    let values = |most: f64| proptest::collection::vec(-most..most, 3);
    let row = (0.05..1.0f64, values(2.0), values(3.0), values(10.0), 0..3usize, 0..8usize);
    let rows = proptest::collection::vec(row, 2..9);
    (proptest::sample::select(ways), rows).prop_map(|(interpolation, rows)| {
        let mut time_secs = 0.0;
        let mut made = motion(interpolation, &["a", "b", "support/left"], &[]);
        for (wait, positions, velocities, accelerations, degree, enabled) in rows {
            time_secs += wait;
            let given = |list: Vec<f64>, least: usize| if degree >= least { list } else { vec![] };
            made.waypoints.push(Waypoint {
                time_secs,
                positions,
                velocities: given(velocities, 1),
                accelerations: given(accelerations, 2),
                enabled: enabled > 0,
                ..Waypoint::default()
            });
        }
        made
    })
}

fn all_ways() -> Vec<Interpolation> {
    Interpolation::ALL.map(|(way, _)| way).to_vec()
}

fn limits() -> impl Strategy<Value = Vec<JointLimits>> {
    let limits = (-2.5..-1.0f64, 1.0..2.5f64, 1.0..20.0f64, 5.0..300.0f64);
    let limits = limits.prop_map(|(lower, upper, max_velocity, max_acceleration)| JointLimits {
        lower,
        upper,
        max_velocity,
        max_acceleration,
    });
    proptest::collection::vec(limits, 3)
}

fn quantity(kind: FindingKind) -> Quantity {
    match kind {
        FindingKind::Position | FindingKind::Overshoot => Quantity::Position,
        FindingKind::Velocity => Quantity::Velocity,
        FindingKind::Acceleration => Quantity::Acceleration,
    }
}

fn bounds(kind: FindingKind, limits: JointLimits) -> (f64, f64) {
    match kind {
        FindingKind::Velocity => (-limits.max_velocity, limits.max_velocity),
        FindingKind::Acceleration => (-limits.max_acceleration, limits.max_acceleration),
        _ => (limits.lower, limits.upper),
    }
}

/// Where a joint is at the two waypoints of a segment, the lower one first.
fn around(motion: &Motion, joint: usize, segment: usize) -> (f64, f64) {
    let ends: Vec<&Waypoint> = motion.enabled().skip(segment).take(2).collect();
    let (from, to) = (ends[0].positions[joint], ends[1].positions[joint]);
    (from.min(to), from.max(to))
}

fn text(motion: &Motion, limits: &[JointLimits]) -> String {
    let say = |finding: &Finding| finding.text(&motion.joints[finding.joint], "rad") + "\n";
    review(motion, limits).iter().map(say).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn where_nothing_is_found_nothing_is(motion in motions(all_ways()), limits in limits()) {
        let found = review(&motion, &limits);
        let Some(curves) = curves(&motion).unwrap() else { return Ok(()) };
        let kinds = [FindingKind::Position, FindingKind::Velocity, FindingKind::Acceleration];
        for (joint, limits) in limits.iter().enumerate().take(2) {
            for kind in kinds {
                if found.iter().any(|finding| (finding.joint, finding.kind) == (joint, kind)) {
                    continue;
                }
                let (least, most) = bounds(kind, *limits);
                // A little is let pass, and rounding adds to it.
                let (least, most) = (least - 3e-6 * (1.0 + least.abs()), most + 3e-6 * (1.0 + most));
                for look in 0..=LOOKS {
                    let share = look as f64 / LOOKS as f64;
                    let time = curves.start_secs() * (1.0 - share) + curves.end_secs() * share;
                    let value = curves.sample(joint, time).of(quantity(kind));
                    prop_assert!((least..=most).contains(&value), "{kind:?} {value} at {time}");
                }
            }
        }
    }

    #[test]
    fn what_swings_beyond_its_waypoints_is_found(motion in motions(all_ways())) {
        let Some(curves) = curves(&motion).unwrap() else { return Ok(()) };
        let found = review(&motion, &[]);
        for joint in 0..2 {
            if found.iter().any(|finding| finding.joint == joint) {
                continue;
            }
            for pair in motion.enabled().collect::<Vec<_>>().windows(2) {
                let (from, to) = (pair[0].positions[joint], pair[1].positions[joint]);
                let slack = 1e-6 + 0.01 * (to - from).abs() + 1e-9;
                for look in 0..LOOKS {
                    let share = look as f64 / LOOKS as f64;
                    let time = pair[0].time_secs * (1.0 - share) + pair[1].time_secs * share;
                    let at = curves.sample(joint, time).position;
                    prop_assert!(at >= from.min(to) - slack && at <= from.max(to) + slack);
                }
            }
        }
    }

    #[test]
    fn every_finding_is_real(motion in motions(all_ways()), limits in limits()) {
        let Some(curves) = curves(&motion).unwrap() else { return Ok(()) };
        for finding in review(&motion, &limits) {
            let Finding { kind, joint, time_secs, value, limit } = finding;
            prop_assert!(joint < 2, "weights are left out");
            let there = curves.sample(joint, time_secs).of(quantity(kind));
            // Beside a knot time is known to its last bit only, and rates change quickly.
            prop_assert!((there - value).abs() <= 1e-7 * (1.0 + value.abs()), "{there} {finding:?}");
            let (least, most) = match kind {
                FindingKind::Overshoot => around(&motion, joint, curves.segment(time_secs)),
                _ => bounds(kind, limits[joint]),
            };
            let is_broken = (limit == least && value < limit) || (limit == most && value > limit);
            prop_assert!(is_broken, "{finding:?}");
        }
    }

    #[test]
    fn monotone_curves_and_lines_never_overshoot(
        motion in motions(vec![Interpolation::Monotone, Interpolation::Linear]),
    ) {
        prop_assert_eq!(review(&motion, &[]), Vec::new());
    }

    #[test]
    fn segments_have_their_extremes(motion in motions(all_ways())) {
        let Some(curves) = curves(&motion).unwrap() else { return Ok(()) };
        for segment in 0..curves.segments() {
            let (from, to) = (curves.times()[segment], curves.times()[segment + 1]);
            for of in [Quantity::Position, Quantity::Velocity, Quantity::Acceleration] {
                let [least, most] = curves.extremes(0, segment, of);
                let slack = 1e-9 * (1.0 + least.value.abs().max(most.value.abs()));
                for look in 0..LOOKS {
                    let share = look as f64 / LOOKS as f64;
                    let value = curves.sample(0, from * (1.0 - share) + to * share).of(of);
                    prop_assert!(value >= least.value - slack && value <= most.value + slack);
                }
            }
        }
    }

    #[test]
    fn a_drawing_is_the_curve_at_even_times(motion in motions(all_ways()), count in 2..50usize) {
        let Some(curves) = curves(&motion).unwrap() else { return Ok(()) };
        let drawn = draw(&curves, count);
        prop_assert_eq!(drawn.joints.len(), 3);
        for (joint, samples) in drawn.joints.iter().enumerate() {
            prop_assert_eq!(samples.len(), count);
            prop_assert_eq!(samples[0], curves.sample(joint, curves.start_secs()));
            prop_assert_eq!(samples[count - 1], curves.sample(joint, curves.end_secs()));
            for (at, sample) in samples.iter().enumerate().take(count - 1) {
                let share = at as f64 / (count - 1) as f64;
                let time = drawn.from_secs + (drawn.to_secs - drawn.from_secs) * share;
                let there = curves.sample(joint, time);
                // Weights step, and times are rounded.
                prop_assert!(joint == 2 || (sample.position - there.position).abs() < 1e-9);
            }
        }
    }
}

#[test]
fn findings_say_joint_value_time_and_limit() {
    let tight = JointLimits { lower: -2.6, upper: 2.6, max_velocity: 3.0, max_acceleration: 30.0 };
    let swing = motion(
        Interpolation::Natural,
        &["lh_knee", "support/lh"],
        &[(0.0, &[0.0, 9.0]), (1.0, &[-2.5, 0.0]), (1.5, &[-2.5, 9.0]), (2.0, &[0.0, 9.0])],
    );
    expect![[r#"
        lh_knee goes to -2.77 rad at 1.28 s, its limit is -2.60 rad
        lh_knee swings to -2.77 rad at 1.28 s, beyond its waypoint at -2.50 rad
        lh_knee moves at 6.20 rad/s at 2.00 s, its limit is 3.00 rad/s
    "#]]
    .assert_eq(&text(&swing, &[tight, tight]));
    let near = JointLimits { lower: -2.499, ..JointLimits::NONE };
    let still = motion(Interpolation::Monotone, &["lh_knee"], &[(0.5, &[-2.5])]);
    expect![[r#"
        lh_knee goes to -2.500 rad at 0.50 s, its limit is -2.499 rad
    "#]]
    .assert_eq(&text(&still, &[near]));
}

#[test]
fn waypoints_that_do_not_count_break_nothing() {
    let rows: [(f64, &[f64]); 3] = [(0.0, &[0.0]), (1.0, &[9.0]), (2.0, &[0.0])];
    let mut motion = motion(Interpolation::Monotone, &["a"], &rows);
    let limits = [JointLimits { upper: 1.0, ..JointLimits::NONE }];
    assert_eq!(review(&motion, &limits).len(), 1);
    motion.waypoints[1].enabled = false;
    assert_eq!(review(&motion, &limits), []);
}

#[test]
fn segments_in_a_row_are_one_finding_and_there_are_not_too_many() {
    let limits = [JointLimits { upper: 1.0, ..JointLimits::NONE }];
    let high = |at: usize| if at.is_multiple_of(2) { 2.0 } else { 3.0 };
    let waypoint = |at: usize, position: f64| Waypoint {
        time_secs: at as f64,
        positions: vec![position],
        enabled: true,
        ..Waypoint::default()
    };
    let mut made = motion(Interpolation::Monotone, &["a"], &[]);
    made.waypoints = (0..2000).map(|at| waypoint(at, high(at))).collect();
    let found = review(&made, &limits);
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].value, found[0].limit), (3.0, 1.0));
    // Every third one is high: stretches of two segments, with one within limits in between.
    let third = |at: usize| if at.is_multiple_of(3) { 2.0 } else { 0.0 };
    made.waypoints = (0..2000).map(|at| waypoint(at, third(at))).collect();
    let found = review(&made, &limits);
    assert_eq!(found.len(), MAX_FINDINGS);
    assert!(found.is_sorted_by(|a, b| a.time_secs <= b.time_secs));
    assert_eq!(found[MAX_FINDINGS - 1].time_secs.round(), 765.0);
}

#[test]
fn what_makes_no_curve_gives_a_reason_and_no_findings() {
    let mut short = motion(Interpolation::Monotone, &["a", "b"], &[(0.0, &[0.0]), (1.0, &[1.0])]);
    let size = CurveError::Size { joint: 1, what: "positions", count: 0, knots: 2 };
    assert_eq!(curves(&short), Err(size));
    assert_eq!(review(&short, &[]), []);
    short.joints.pop();
    short.waypoints[1].positions[0] = f64::NAN;
    assert!(matches!(curves(&short), Err(CurveError::NotFinite { .. })));
    short.waypoints[1].positions[0] = f64::MAX;
    short.waypoints[1].time_secs = f64::MIN_POSITIVE;
    assert!(matches!(curves(&short), Err(CurveError::Overflow { .. })));
    let odd = JointLimits { lower: f64::NAN, upper: f64::NAN, ..JointLimits::NONE };
    short.waypoints[1] = Waypoint { time_secs: 1.0, ..short.waypoints[0].clone() };
    assert_eq!(review(&short, &[odd]), []);
    short.waypoints.clear();
    assert_eq!(curves(&short), Ok(None));
    assert_eq!(review(&short, &[]), []);
}

#[test]
fn drawings_are_bounded() {
    let rows: [(f64, &[f64]); 2] = [(0.0, &[0.0]), (1.0, &[1.0])];
    let curves = curves(&motion(Interpolation::Linear, &["a"], &rows)).unwrap().unwrap();
    assert_eq!(draw(&curves, usize::MAX).joints[0].len(), MAX_SAMPLES);
    assert_eq!(draw(&curves, 1).joints[0].len(), 1);
    assert_eq!(draw(&curves, 0).joints[0].len(), 0);
}
