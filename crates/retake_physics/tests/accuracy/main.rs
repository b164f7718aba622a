//! Every case of the accuracy suite is within the limits of every preset.

// The helpers of the tests are tests too.
#![allow(clippy::unwrap_used)]

use retake_physics::accuracy::{CASES, Grade, Measurement};

/// Runs the case called `name` as every preset and refuses what is beyond the limits.
fn check(name: &str) {
    let case = CASES.iter().find(|case| case.name == name).unwrap();
    for grade in Grade::ALL {
        let measured = case.run_with(grade.settings()).unwrap();
        assert!(!measured.is_empty());
        let failed: Vec<_> = measured.iter().filter(|found| !found.passes(grade)).collect();
        assert!(failed.is_empty(), "{name} as {}: {failed:?}", grade.name());
    }
}

macro_rules! cases {
    ($($test:ident: $name:literal,)*) => {
        $(#[test] fn $test() { check($name); })*

        #[test]
        fn no_case_is_left_out() {
            assert_eq!(CASES.map(|case| case.name).to_vec(), vec![$($name),*]);
        }
    };
}

cases! {
    free_rotor: "free rotor",
    projectile: "projectile",
    gyroscope: "gyroscope",
    pendulum: "pendulum",
    double_pendulum: "double pendulum",
    joint_limit: "joint limit",
    slope_sliding: "slope, sliding",
    slope_sticking: "slope, sticking",
    bounce: "bounce",
    rolling_sphere: "rolling sphere",
    stack: "stack",
    grasp: "grasp",
    arm: "arm",
    standing: "standing",
    four_bar: "four-bar",
}

#[test]
fn what_is_not_a_number_never_passes() {
    let lost = Measurement { quantity: "way", error: f64::NAN, unit: "m", allowed: [1.0; 3] };
    assert!(!lost.passes(Grade::Fast));
}
