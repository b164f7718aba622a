//! Laws of times that are as short as limits allow.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use expect_test::expect;
use proptest::prelude::*;
use retake_motion::retime::{SHORTEST_SECS, carry, retime};
use retake_motion::review::{FindingKind, JointLimits, curves, review};
use retake_motion::{Interpolation, Motion, Waypoint};

fn waypoint(time_secs: f64, positions: Vec<f64>) -> Waypoint {
    Waypoint { time_secs, positions, enabled: true, ..Waypoint::default() }
}

fn limit(max_velocity: f64, max_acceleration: f64) -> JointLimits {
    JointLimits { max_velocity, max_acceleration, ..JointLimits::NONE }
}

/// Motions of three joints, of which some stand now and then, and a weight.
fn motions(most: usize) -> impl Strategy<Value = Motion> {
    let position = || prop_oneof![3 => -2.0..2.0f64, 1 => Just(0.5)];
    let row = (0.01..1.0f64, proptest::collection::vec(position(), 4));
    let rows = proptest::collection::vec(row, 2..most);
    let ways = proptest::sample::select(Interpolation::ALL.map(|(way, _)| way).to_vec());
    (ways, rows, 0.0..5.0f64).prop_map(|(interpolation, rows, start)| {
        let mut time = start;
        let waypoints = rows.into_iter().map(|(wait, positions)| {
            time += wait;
            waypoint(time, positions)
        });
        let joints = ["a", "b", "c", "support/left"].map(str::to_owned).to_vec();
        Motion { interpolation, waypoints: waypoints.collect(), joints, ..Motion::default() }
    })
}

fn limits() -> impl Strategy<Value = Vec<JointLimits>> {
    let number = || prop_oneof![3 => 0.2..20.0f64, 1 => Just(f64::INFINITY)];
    let limits = (0.2..10.0f64, number());
    proptest::collection::vec(limits.prop_map(|(v, a)| limit(v, a)), 3)
}

fn with_times(motion: &Motion, times: &[f64]) -> Motion {
    let mut motion = motion.clone();
    motion.waypoints.iter_mut().zip(times).for_each(|(point, time)| point.time_secs = *time);
    motion
}

fn times(motion: &Motion) -> Vec<f64> {
    motion.waypoints.iter().map(|point| point.time_secs).collect()
}

/// How many times slower a motion would have to be, as its own curves say.
fn load(motion: &Motion, limits: &[JointLimits]) -> f64 {
    let curves = curves(motion).unwrap().unwrap();
    let loads = limits.iter().enumerate().map(|(joint, limits)| {
        let (speed, change) = curves.peak(joint);
        (speed / limits.max_velocity).max((change / limits.max_acceleration).sqrt())
    });
    loads.fold(0.0, f64::max)
}

fn duration(times: &[f64]) -> f64 {
    times[times.len() - 1] - times[0]
}

fn shortest(times: &[f64]) -> f64 {
    times.windows(2).map(|pair| pair[1] - pair[0]).fold(f64::INFINITY, f64::min)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn limits_are_kept(motion in motions(40), limits in limits()) {
        let made = retime(&motion, &limits).unwrap();
        prop_assert_eq!(made[0], motion.waypoints[0].time_secs);
        prop_assert!(shortest(&made) >= SHORTEST_SECS - 1e-12);
        let quick = with_times(&motion, &made);
        // Velocity goes with the first power of the load and acceleration with the second.
        prop_assert!(load(&quick, &limits) <= 1.0 + 5e-7);
        let found = review(&quick, &limits);
        prop_assert!(found.iter().all(|finding| finding.kind == FindingKind::Overshoot));
    }

    #[test]
    fn scaling_evenly_is_never_shorter(motion in motions(40), limits in limits()) {
        let made = retime(&motion, &limits).unwrap();
        let given = times(&motion);
        let scale = load(&motion, &limits).max(SHORTEST_SECS / shortest(&given));
        prop_assert!(duration(&made) <= duration(&given) * scale * (1.0 + 1e-6));
        let again = retime(&with_times(&motion, &made), &limits).unwrap();
        prop_assert!(duration(&again) <= duration(&made) * (1.0 + 1e-6));
    }

    #[test]
    fn no_span_can_be_shortened_alone(motion in motions(40), limits in limits()) {
        let made = retime(&motion, &limits).unwrap();
        for at in 1..made.len() {
            let gain = 0.02 * (made[at] - made[at - 1]);
            if made[at] - made[at - 1] - gain < SHORTEST_SECS {
                continue;
            }
            let mut shorter = made.clone();
            shorter[at..].iter_mut().for_each(|time| *time -= gain);
            prop_assert!(load(&with_times(&motion, &shorter), &limits) > 1.0, "span {at}");
        }
    }

    #[test]
    fn waypoints_that_do_not_count_keep_their_place(
        motion in motions(20),
        limits in limits(),
        on in proptest::collection::vec(any::<bool>(), 20),
    ) {
        let mut motion = motion;
        motion.waypoints.iter_mut().zip(&on).for_each(|(point, on)| point.enabled = *on);
        prop_assume!(motion.enabled().count() >= 2);
        let made = retime(&motion, &limits).unwrap();
        prop_assert!(made.is_sorted_by(|a, b| a < b));
        let mut alone = motion.clone();
        alone.waypoints.retain(|point| point.enabled);
        let counted = retime(&alone, &limits).unwrap();
        let kept = made.iter().zip(&motion.waypoints).filter(|(_, point)| point.enabled);
        prop_assert_eq!(kept.map(|(time, _)| *time).collect::<Vec<_>>(), counted.clone());
        for (new, point) in made.iter().zip(&motion.waypoints) {
            prop_assert_eq!(*new, carry(&times(&alone), &counted, point.time_secs));
        }
    }
}

fn way(interpolation: Interpolation, positions: &[f64]) -> Motion {
    let points = positions.iter().enumerate();
    let waypoints = points.map(|(at, position)| waypoint(at as f64, vec![*position]));
    Motion {
        interpolation,
        joints: vec!["a".to_owned()],
        waypoints: waypoints.collect(),
        ..Motion::default()
    }
}

#[test]
fn known_motions_get_their_shortest_times() {
    let straight = way(Interpolation::Linear, &[0.0, 2.0, 1.0]);
    let made = retime(&straight, &[limit(4.0, f64::INFINITY)]).unwrap();
    assert!((made[1] - 0.5).abs() < 0.02 && (made[2] - 0.75).abs() < 0.03, "{made:?}");
    // A cubic from rest to rest over 1 accelerates by 6 / t².
    let rest = way(Interpolation::Monotone, &[0.0, 1.0]);
    let made = retime(&rest, &[limit(f64::INFINITY, 6.0)]).unwrap();
    assert!((made[1] - 1.0).abs() < 1e-5, "{made:?}");
    // And is 1.5 / t fast.
    let made = retime(&rest, &[limit(1.0, 100.0)]).unwrap();
    assert!((made[1] - 1.5).abs() < 1e-5, "{made:?}");
    // Standing takes no time.
    let pause = way(Interpolation::Monotone, &[0.0, 1.0, 1.0, 0.0]);
    let made = retime(&pause, &[limit(1.0, 100.0)]).unwrap();
    assert!((made[2] - made[1] - SHORTEST_SECS).abs() < 1e-9, "{made:?}");
}

#[test]
fn uneven_times_become_much_shorter_than_by_scaling() {
    // One step is taught far too quickly; scaling would slow down all of them.
    let mut taught = way(Interpolation::Monotone, &[0.0, 1.0, 2.0, 3.0, 4.0, 5.0]);
    for (at, time) in [0.0, 1.0, 2.0, 2.01, 3.0, 4.0].into_iter().enumerate() {
        taught.waypoints[at].time_secs = time;
    }
    let limits = [limit(2.0, 8.0)];
    let scaled = duration(&times(&taught)) * load(&taught, &limits);
    let made = duration(&retime(&taught, &limits).unwrap());
    assert!(made < scaled / 20.0, "{made} against {scaled}");
}

#[test]
fn times_are_carried_with_their_neighbours() {
    let carried = [-1.0, 0.0, 0.5, 1.0, 2.0, 3.0, 4.0]
        .map(|at| carry(&[0.0, 1.0, 3.0], &[0.0, 2.0, 3.0], at));
    assert_eq!(carried, [-1.0, 0.0, 1.0, 2.0, 2.5, 3.0, 4.0]);
    assert_eq!(carry(&[], &[], 1.5), 1.5);
}

#[test]
fn what_has_no_times_to_choose_is_refused() {
    let say = |motion: &Motion, limits: &[JointLimits]| match retime(motion, limits) {
        Ok(times) => format!("{times:?}\n"),
        Err(error) => format!("{error}\n"),
    };
    let free = JointLimits::NONE;
    let both = limit(1.0, 1.0);
    let two = way(Interpolation::Monotone, &[0.0, 1.0]);
    let lines = way(Interpolation::Linear, &[0.0, 1.0]);
    let mut given = way(Interpolation::Hermite, &[0.0, 1.0]);
    given.waypoints[1].velocities = vec![0.0];
    let mut backwards = two.clone();
    backwards.waypoints[1].time_secs = -1.0;
    let mut late = two.clone();
    late.waypoints[0].time_secs = 1e15;
    late.waypoints[1].time_secs = 2e15;
    late.waypoints[1].positions[0] = 1e-9;
    let far = way(Interpolation::Monotone, &[-1e300, 1e300]);
    let log = [
        say(&way(Interpolation::Monotone, &[0.0]), &[both]),
        say(&two, &[]),
        say(&two, &[free]),
        say(&lines, &[limit(f64::INFINITY, 1.0)]),
        say(&two, &[limit(0.0, 1.0)]),
        say(&two, &[limit(1.0, f64::NAN)]),
        say(&given, &[both]),
        say(&backwards, &[both]),
        say(&late, &[both]),
        say(&far, &[limit(1e-300, 1e-300)]),
        say(&way(Interpolation::Monotone, &[1.0, 1.0]), &[]),
    ];
    expect![[r#"
        fewer than two waypoints are enabled, so that there are no times to choose
        joint "a" has no limit that its times could keep to; give its max_velocity or its max_acceleration
        joint "a" has no limit that its times could keep to; give its max_velocity or its max_acceleration
        joint "a" has no limit that its times could keep to; give its max_velocity
        max_velocity of joint "a" is 0; give a number above 0
        max_acceleration of joint "a" is NaN; give a number above 0
        waypoint 2 gives velocities, which belong to its time; take them out, or choose another interpolation
        the waypoints make no curve: knot 1 is at -1 s, not after 0 s; times must grow
        the new time of waypoint 2 cannot be told apart from the one before; begin nearer to 0 s, or delete one of them
        no times fit: positions are too far apart for the limits, or times for each other
        [0.0, 0.001]
    "#]].assert_eq(&log.concat());
}
