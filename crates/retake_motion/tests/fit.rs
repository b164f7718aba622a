//! Laws of waypoints for a recorded path.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use expect_test::expect;
use proptest::prelude::*;
use retake_motion::Interpolation;
use retake_motion::curve::{CurveSet, Knots};
use retake_motion::fit::{MAX_SAMPLES, Recorded, fit, trim};

/// A path of some joints at 60 samples in a second.
fn recorded(count: usize, joints: &[&dyn Fn(f64) -> f64]) -> Vec<Recorded> {
    let sample = |at: usize| {
        let time_secs = at as f64 / 60.0;
        Recorded { time_secs, positions: joints.iter().map(|of| of(time_secs)).collect() }
    };
    (0..count).map(sample).collect()
}

/// The curve through some samples.
fn through(path: &[Recorded], chosen: &[usize], way: Interpolation) -> CurveSet {
    let times: Vec<f64> = chosen.iter().map(|at| path[*at].time_secs).collect();
    let joints = 0..path[0].positions.len();
    let column = |joint: usize| chosen.iter().map(|at| path[*at].positions[joint]).collect();
    let columns: Vec<Vec<f64>> = joints.map(column).collect();
    let knots = columns.iter().map(|positions| Knots {
        positions,
        velocities: &[],
        accelerations: &[],
        stepwise: false,
    });
    CurveSet::new(way, &times, &knots.collect::<Vec<_>>()).unwrap()
}

/// How far the curve through some samples is from all of them.
fn error(path: &[Recorded], chosen: &[usize], way: Interpolation) -> f64 {
    let curves = through(path, chosen, way);
    let off = path.iter().flat_map(|sample| {
        let positions = sample.positions.iter().enumerate();
        let curves = &curves;
        positions.map(move |(joint, position)| {
            (curves.sample(joint, sample.time_secs).position - position).abs()
        })
    });
    off.fold(0.0, f64::max)
}

fn ways() -> impl Strategy<Value = Interpolation> {
    proptest::sample::select(Interpolation::ALL.map(|(way, _)| way).to_vec())
}

/// What a hand does: some swings, standstills, steps, and a tremor.
fn paths() -> impl Strategy<Value = Vec<Recorded>> {
    let swing = (-1.0..1.0f64, 0.1..2.0f64, 0.0..6.0f64);
    let joint = (proptest::collection::vec(swing, 1..4), 0.0..0.05f64, 0.0..4.0f64);
    let joints = proptest::collection::vec(joint, 1..4);
    (joints, proptest::collection::vec(0.001..0.05f64, 2..400)).prop_map(|(joints, waits)| {
        let mut time_secs = 0.0;
        let sample = |(at, wait): (usize, &f64)| {
            time_secs += wait;
            let position = |(swings, tremor, stop): &(Vec<(f64, f64, f64)>, f64, f64)| {
                let moved: f64 = time_secs.min(*stop);
                let swung =
                    swings.iter().map(|(far, fast, from)| far * (fast * moved + from).sin());
                swung.sum::<f64>() + tremor * (at as f64 * 2.4).sin()
            };
            Recorded { time_secs, positions: joints.iter().map(position).collect() }
        };
        waits.iter().enumerate().map(sample).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn the_curve_is_within_the_tolerance(
        path in paths(),
        way in ways(),
        tolerance in (-4.0..0.0f64).prop_map(|exponent| 10f64.powf(exponent)),
    ) {
        let chosen = fit(&path, tolerance, way).unwrap();
        prop_assert!(chosen.is_sorted_by(|a, b| a < b));
        prop_assert_eq!((chosen[0], chosen[chosen.len() - 1]), (0, path.len() - 1));
        prop_assert!(error(&path, &chosen, way) <= tolerance);
    }

    #[test]
    fn no_waypoint_is_needless(
        path in paths(),
        // Of other ways leaving one out is felt all along the curve, and windows leave a little out.
        way in ways().prop_filter("global", |way| !matches!(way, Interpolation::Natural | Interpolation::Clamped)),
        tolerance in (-3.0..0.0f64).prop_map(|exponent| 10f64.powf(exponent)),
    ) {
        let chosen = fit(&path, tolerance, way).unwrap();
        for at in 1..chosen.len().saturating_sub(1) {
            let mut fewer = chosen.clone();
            fewer.remove(at);
            prop_assert!(error(&path, &fewer, way) > tolerance * (1.0 - 1e-6), "{at} of {chosen:?}");
        }
    }

    #[test]
    fn what_is_trimmed_stands(path in paths(), still in 0.0..0.5f64, pause in 0..200usize) {
        let mut path = path;
        let first = path[0].clone();
        for at in 0..pause {
            let time_secs = first.time_secs - (at + 1) as f64 / 60.0;
            path.insert(0, Recorded { time_secs, ..first.clone() });
        }
        let range = trim(&path, still);
        prop_assert!(range.start < range.end && range.end <= path.len());
        let near = |at: usize, end: &Recorded| {
            path[at].positions.iter().zip(&end.positions).all(|(a, b)| (a - b).abs() <= still)
        };
        prop_assert!((0..=range.start).all(|at| near(at, &path[0])));
        let last = &path[path.len() - 1];
        prop_assert!(range.len() == 1 || (range.end - 1..path.len()).all(|at| near(at, last)));
        // The longest pause that this leaves is 1 s, unless it is half of the way.
        prop_assert!(range.start > 0 || pause <= 60 || range.len() == 1);
    }
}

#[test]
fn straight_lines_need_two_waypoints() {
    let line = recorded(600, &[&|time| 0.3 * time, &|time| 1.0 - 0.1 * time]);
    for way in [Interpolation::Linear, Interpolation::Hermite, Interpolation::Natural] {
        assert_eq!(fit(&line, 1e-3, way), Ok(vec![0, 599]), "{way:?}");
    }
    // Other curves begin and end at rest, and so does this one.
    let rest = |time: f64| {
        let share = time / (599.0 / 60.0);
        share * share * (3.0 - 2.0 * share)
    };
    let rest = recorded(600, &[&rest]);
    for way in [Interpolation::Monotone, Interpolation::Akima, Interpolation::Clamped] {
        assert_eq!(fit(&rest, 1e-3, way), Ok(vec![0, 599]), "{way:?}");
    }
}

#[test]
fn a_wave_needs_few_waypoints() {
    let wave = recorded(600, &[&|time| (2.0 * time).sin(), &|time| 0.5 * (1.3 * time).cos()]);
    let count = |way: Interpolation| (way.word(), fit(&wave, 0.01, way).unwrap().len());
    let counts: Vec<_> = Interpolation::ALL.iter().map(|(way, _)| count(*way)).collect();
    expect![[r#"
        [
            (
                "monotone",
                34,
            ),
            (
                "akima",
                33,
            ),
            (
                "natural",
                20,
            ),
            (
                "clamped",
                24,
            ),
            (
                "linear",
                65,
            ),
            (
                "hermite",
                65,
            ),
        ]
    "#]]
    .assert_debug_eq(&counts);
}

#[test]
fn standstills_keep_their_edges() {
    // Two seconds at rest, one of moving, two at rest.
    let path = recorded(300, &[&|time| (time - 2.0).clamp(0.0, 1.0)]);
    assert_eq!(fit(&path, 1e-3, Interpolation::Linear), Ok(vec![0, 120, 180, 299]));
    assert_eq!(trim(&path, 1e-3), 120..181);
    assert_eq!(trim(&path, 2.0), 0..1);
    assert_eq!(trim(&path[80..240], 1e-3), 0..160);
    assert_eq!(trim(&[], 1.0), 0..0);
}

#[test]
fn noise_ends_with_all_samples_at_most() {
    let noise = |time: f64| (time * 12_345.678).sin();
    let path = recorded(2000, &[&noise]);
    for (way, _) in Interpolation::ALL {
        let chosen = fit(&path, 1e-6, way).unwrap();
        assert!(error(&path, &chosen, way) <= 1e-6, "{way:?}");
    }
}

#[test]
fn what_cannot_be_fitted_is_refused() {
    let good = recorded(5, &[&|time| time]);
    let say = |path: &[Recorded], tolerance: f64| match fit(path, tolerance, Interpolation::Linear)
    {
        Ok(chosen) => format!("{chosen:?}\n"),
        Err(error) => format!("{error}\n"),
    };
    let changed = |change: fn(&mut Vec<Recorded>)| {
        let mut path = good.clone();
        change(&mut path);
        say(&path, 0.1)
    };
    let log = [
        say(&good, 0.1),
        say(&good[..1], 0.1),
        say(&[], 0.1),
        say(&good, 0.0),
        say(&good, f64::NAN),
        changed(|path| path[2].time_secs = path[1].time_secs),
        changed(|path| path[3].positions.clear()),
        changed(|path| path[3].positions[0] = f64::NAN),
        changed(|path| path[4].time_secs = f64::INFINITY),
        say(&recorded(MAX_SAMPLES + 1, &[&|_| 0.0]), 0.1),
        say(&vec![Recorded { time_secs: 0.0, positions: vec![0.0; 200] }; 30_000], 0.1),
    ];
    expect![[r#"
        [0, 4]
        [0]
        nothing was recorded; move the robot while it records
        the tolerance is 0; give a finite number above 0
        the tolerance is NaN; give a finite number above 0
        sample 3 is at 0.016666666666666666 s, not after 0.016666666666666666 s; times must grow
        sample 4 has 0 positions, and the first has 1
        sample 4 has NaN; record finite numbers
        sample 5 has inf; record finite numbers
        36001 samples were recorded, and 36000 can be fitted; record it in parts
        6000000 positions were recorded, and 4000000 can be fitted; record it in parts
    "#]]
    .assert_eq(&log.concat());
    // Numbers at the edge of what there is do not stop it.
    let mut huge = good.clone();
    huge[2].positions[0] = f64::MAX;
    huge[3].positions[0] = f64::MIN;
    assert_eq!(fit(&huge, 0.1, Interpolation::Natural).unwrap().len(), 5);
}
