//! Random motions that are whole.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use retake_motion::{
    Interpolation, KeptJoint, Motion, TextCommand, TimedAction, Tolerance, Waypoint,
};

/// A number of any size that a file can have.
fn number() -> impl Strategy<Value = f64> {
    prop_oneof![
        -3.2..3.2,
        Just(0.0),
        Just(-0.0),
        Just(1e-300),
        Just(-4.5e22),
        Just(1e15),
        Just(1e-7)
    ]
}

fn tolerance() -> impl Strategy<Value = Option<f64>> {
    option::of(prop_oneof![0.0..2.0, Just(f64::INFINITY), Just(0.3)])
}

/// A text with what formats find hard: quotes, commas, line ends, signs of YAML, other scripts.
pub fn text() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        "[a-zA-Zé#*&!|>% ]{0,6}",
        Just("\"".to_owned()),
        Just("\\".to_owned()),
        Just("\n".to_owned()),
        Just(", ".to_owned()),
        Just(": - ".to_owned()),
        Just("\u{1F916}\u{2028}\u{feff}\u{7f}\t\u{85}".to_owned()),
        Just("Привет".to_owned()),
    ];
    vec(part, 0..4).prop_map(|parts| parts.concat())
}

fn joints() -> impl Strategy<Value = Vec<String>> {
    let name = prop_oneof!["[a-z]{1,6}_[0-9]", "support/leg[0-9]", "[a-z],\"[a-z] #[0-9]"];
    let unique = vec(name, 1..5).prop_map(|mut names| {
        names.sort();
        names.dedup();
        names
    });
    unique.prop_shuffle()
}

/// Times in ms, so that every format can carry them.
fn times() -> impl Strategy<Value = Vec<f64>> {
    vec(1u32..5000, 0..6).prop_map(|steps| {
        let mut time = 0;
        let sum = |step: u32| {
            time += step;
            f64::from(time - steps[0]) / 1000.0
        };
        steps.clone().into_iter().map(sum).collect()
    })
}

fn waypoint(joints: usize, kept: usize, time_secs: f64) -> impl Strategy<Value = Waypoint> {
    let list = || vec(number(), joints);
    let given = || prop_oneof![list(), Just(Vec::new())];
    (list(), given(), given(), any::<bool>(), text(), vec(number(), kept)).prop_map(
        move |(positions, velocities, accelerations, enabled, note, kept)| Waypoint {
            time_secs,
            positions,
            velocities,
            accelerations,
            enabled,
            note,
            kept,
        },
    )
}

/// Actions in the order of time, at whole ms.
pub fn actions() -> impl Strategy<Value = Vec<TimedAction>> {
    let kind = prop_oneof![Just("voice/say".to_owned()), text()];
    let action = (0u32..9000, kind, text(), text()).prop_map(|(time, kind, command, options)| {
        let command = TextCommand { kind, command, options };
        TimedAction { time_secs: f64::from(time) / 1000.0, command }
    });
    vec(action, 0..4).prop_map(|mut actions| {
        actions.sort_by(|a, b| a.time_secs.total_cmp(&b.time_secs));
        actions
    })
}

/// A motion with everything that one can have.
pub fn motion() -> impl Strategy<Value = Motion> {
    (joints(), 0..3usize, times()).prop_flat_map(|(joints, kept, times)| {
        let count = joints.len();
        let waypoints: Vec<_> = times.into_iter().map(|time| waypoint(count, kept, time)).collect();
        let tolerances = vec((tolerance(), tolerance()), count + kept);
        let way = proptest::sample::select(Interpolation::ALL.map(|(way, _)| way).to_vec());
        let settle = option::of(prop_oneof![0.001..5.0, Just(0.5), Just(-1.0), Just(-2.0)]);
        (tolerances, way, settle, waypoints, actions(), text(), "[a-zA-Z][a-z0-9 _-]{0,8}")
            .prop_map(
                move |(
                    tolerances,
                    interpolation,
                    goal_time,
                    waypoints,
                    actions,
                    description,
                    name,
                )| {
                    let tolerance = |(path, goal)| Tolerance { path, goal };
                    let mut tolerances: Vec<_> = tolerances.into_iter().map(tolerance).collect();
                    // Other joints begin with a small letter.
                    let kept = |(at, tolerance)| KeptJoint { name: format!("K, {at}"), tolerance };
                    let kept = tolerances.split_off(count).into_iter().enumerate().map(kept);
                    Motion {
                        name,
                        description,
                        interpolation,
                        joints: joints.clone(),
                        tolerances,
                        goal_time_tolerance_secs: goal_time,
                        waypoints,
                        actions,
                        kept: kept.collect(),
                    }
                },
            )
    })
}
