//! Laws of going over to a new reference without a jump.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use expect_test::expect;
use proptest::prelude::*;
use retake_motion::blend::{Blend, Blending, stop_pose};
use retake_motion::curve::Sample;

const LIMITS: (f64, f64, f64) = (4.0, 20.0, 400.0);

fn sample(position: f64, velocity: f64, acceleration: f64) -> Sample {
    Sample { position, velocity, acceleration }
}

/// A reference that swings, with a jerk well below the limits.
fn swing(amplitude: f64, rate: f64, time: f64) -> Sample {
    let (sine, cosine) = (rate * time).sin_cos();
    sample(amplitude * sine, amplitude * rate * cosine, -amplitude * rate * rate * sine)
}

fn states() -> impl Strategy<Value = Sample> {
    (-3.0..3.0f64, -3.0..3.0f64, -10.0..10.0f64).prop_map(|(p, v, a)| sample(p, v, a))
}

/// Numbers whose sizes, not whose values, are spread evenly; few are negative.
fn of_any_size() -> impl Strategy<Value = f64> {
    (-8.0..10.0f64, 0..4).prop_map(|(exponent, sign)| {
        if sign == 0 { -(10f64.powf(exponent)) } else { 10f64.powf(exponent) }
    })
}

fn jerk_limited() -> Blend {
    Blend::jerk_limited(LIMITS.0, LIMITS.1, LIMITS.2).unwrap()
}

fn any_blend() -> impl Strategy<Value = Blend> {
    let time = || 0.05..2.0f64;
    prop_oneof![
        time().prop_map(|time_secs| Blend::Transient { time_secs }),
        time().prop_map(|time_secs| Blend::LowPass { time_secs }),
        Just(jerk_limited()),
    ]
}

fn close(a: f64, b: f64, tolerance: f64) -> bool {
    (a - b).abs() <= tolerance
}

/// Runs towards a constant reference until it is over or the time is.
fn run(blend: Blend, from: Sample, to: Sample, dt_secs: f64, cycles: usize) -> (Blending, Sample) {
    let mut blending = blend.start(from, to);
    let mut last = from;
    for _ in 0..cycles {
        last = blend.cycle(&mut blending, to, dt_secs);
    }
    (blending, last)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn position_and_velocity_do_not_jump(
        blend in any_blend(),
        present in states(),
        reference in states(),
    ) {
        // A shorter first cycle comes nearer to the present, in proportion.
        let mut off = [0.0; 2];
        for (index, dt_secs) in [1e-6, 1e-8].into_iter().enumerate() {
            let mut blending = blend.start(present, reference);
            let later = sample(
                reference.position + reference.velocity * dt_secs,
                reference.velocity + reference.acceleration * dt_secs,
                reference.acceleration,
            );
            let out = blend.cycle(&mut blending, later, dt_secs);
            off[index] = (out.position - present.position).abs()
                + (out.velocity - present.velocity).abs();
        }
        // The stiffest filter here has a rate of 160/s, so errors of 6 change by 2e5 in a second.
        prop_assert!(off[0] < 0.5 && off[1] < 5e-3 && off[1] <= 0.02 * off[0] + 1e-12, "{off:?}");
    }

    #[test]
    fn a_transient_ends_in_the_exact_reference(
        present in states(),
        time_secs in 0.05..1.0f64,
        dt_secs in 0.001..0.05f64,
    ) {
        let blend = Blend::transient(time_secs).unwrap();
        let mut blending = blend.start(present, swing(1.0, 3.0, 0.0));
        let mut now = 0.0;
        while now < 8.0 * time_secs {
            now += dt_secs;
            blend.cycle(&mut blending, swing(1.0, 3.0, now), dt_secs);
        }
        prop_assert!(blend.is_over(&blending));
        let reference = swing(1.0, 3.0, now + dt_secs);
        prop_assert_eq!(blend.cycle(&mut blending, reference, dt_secs), reference);
    }

    #[test]
    fn filters_do_not_depend_on_the_length_of_a_cycle(
        low_pass: bool,
        present in states(),
        velocity in -2.0..2.0f64,
        dt_secs in 0.001..0.1f64,
        parts in 2..7u32,
    ) {
        let time_secs = 0.4;
        let blend =
            if low_pass { Blend::LowPass { time_secs } } else { Blend::Transient { time_secs } };
        // The low-pass takes the reference to go straight within a cycle, so here it does.
        let reference = |time: f64| sample(velocity * time, velocity, 0.0);
        let mut whole = blend.start(present, reference(0.0));
        let mut divided = whole;
        for cycle in 1..20u32 {
            let at_once = blend.cycle(&mut whole, reference(f64::from(cycle) * dt_secs), dt_secs);
            let mut last = Sample::default();
            for part in 1..=parts {
                let time = (f64::from(cycle - 1) + f64::from(part) / f64::from(parts)) * dt_secs;
                last = blend.cycle(&mut divided, reference(time), dt_secs / f64::from(parts));
            }
            prop_assert!(close(at_once.position, last.position, 1e-10));
            prop_assert!(close(at_once.velocity, last.velocity, 1e-9));
        }
    }

    #[test]
    fn one_percent_of_an_error_is_left_after_the_time(error in 0.1..2.0f64, time_secs in 0.01..5.0f64) {
        let blend = Blend::transient(time_secs).unwrap();
        let (_, out) = run(blend, sample(error, 0.0, 0.0), Sample::default(), time_secs / 100.0, 100);
        prop_assert!(close(out.position / error, 0.01, 1e-9), "{}", out.position / error);
    }

    #[test]
    fn outputs_have_the_velocity_they_tell(blend in any_blend(), present in states()) {
        let dt_secs = 1e-4;
        let mut blending = blend.start(present, swing(0.3, 3.0, 0.0));
        let mut last = present;
        for cycle in 1..4000u32 {
            let reference = swing(0.3, 3.0, f64::from(cycle) * dt_secs);
            let now = blend.cycle(&mut blending, reference, dt_secs);
            let mean = (now.velocity + last.velocity) / 2.0;
            // The trapezium is off by the change of acceleration times the square of the cycle; the
            // stiffest filter here accelerates by 1e5 rad/s², which changes by 1e7 in a second.
            let travelled = (now.position - last.position) / dt_secs;
            prop_assert!(close(travelled, mean, 5e-2), "cycle {cycle}: {travelled} {mean}");
            let most = 1.0 + 1.1 * now.acceleration.abs().max(last.acceleration.abs());
            prop_assert!(close(now.velocity, last.velocity, most * dt_secs), "cycle {cycle}");
            last = now;
        }
    }

    #[test]
    fn all_converge_to_a_constant_reference(blend in any_blend(), from in states(), to in -3.0..3.0f64) {
        let to = sample(to, 0.0, 0.0);
        let (blending, out) = run(blend, from, to, 0.01, 2000);
        prop_assert!(close(out.position, to.position, 1e-9) && close(out.velocity, 0.0, 1e-9));
        let lags = matches!(blend, Blend::LowPass { .. });
        prop_assert!(lags != (blend.is_over(&blending) && out == to));
    }

    #[test]
    fn limits_are_kept_and_a_swinging_reference_is_caught(
        present in states(),
        amplitude in 0.0..0.5f64,
        rate in 0.0..4.0f64,
        dt_secs in 0.0005..0.02f64,
    ) {
        let blend = jerk_limited();
        let (fastest, hardest, jerk) = LIMITS;
        let mut blending = blend.start(present, swing(amplitude, rate, 0.0));
        let mut last = present;
        let (mut now, mut over_at) = (0.0, None);
        // Braking from the limit of acceleration adds this much to a velocity on the way in.
        let fastest = fastest.max(present.velocity.abs() + 0.5 * present.acceleration.powi(2) / jerk);
        while now < 6.0 {
            now += dt_secs;
            let reference = swing(amplitude, rate, now);
            let out = blend.cycle(&mut blending, reference, dt_secs);
            if over_at.is_some() {
                prop_assert_eq!(out, reference);
                continue;
            }
            over_at = blend.is_over(&blending).then_some(now);
            prop_assert!(out.velocity.abs() <= fastest * (1.0 + 1e-8), "velocity {}", out.velocity);
            prop_assert!(out.acceleration.abs() <= hardest * (1.0 + 1e-8));
            let change = (out.acceleration - last.acceleration).abs() / dt_secs;
            prop_assert!(change <= jerk * (1.0 + 1e-6), "jerk {change} at {now}");
            let gained = (out.velocity - last.velocity).abs() / dt_secs;
            prop_assert!(gained <= hardest * (1.0 + 1e-6), "gained {gained} at {now}");
            last = out;
        }
        prop_assert!(over_at.is_some_and(|time| time < 5.0), "{over_at:?}");
    }

    #[test]
    fn a_reference_beyond_the_limits_is_followed_within_them(
        present in states(),
        rate in 4.0..30.0f64,
        dt_secs in 0.001..0.02f64,
    ) {
        let blend = jerk_limited();
        let mut blending = blend.start(present, swing(2.0, rate, 0.0));
        let (fastest, hardest, jerk) = LIMITS;
        let fastest = fastest.max(present.velocity.abs() + 0.5 * present.acceleration.powi(2) / jerk);
        for cycle in 1..400u32 {
            let reference = swing(2.0, rate, f64::from(cycle) * dt_secs);
            let out = blend.cycle(&mut blending, reference, dt_secs);
            if blend.is_over(&blending) {
                break;
            }
            prop_assert!(out.velocity.abs() <= fastest * (1.0 + 1e-8));
            prop_assert!(out.acceleration.abs() <= hardest * (1.0 + 1e-8));
            prop_assert!(out.position.abs() < 10.0);
        }
    }

    #[test]
    fn a_stop_never_turns_back(present in states(), time_secs in 0.01..3.0f64, dt_secs in 0.001..0.1f64) {
        let blend = Blend::transient(time_secs).unwrap();
        let pose = sample(stop_pose(present, time_secs), 0.0, 0.0);
        let mut blending = blend.start(present, pose);
        let mut last = present;
        for _ in 0..500 {
            let out = blend.cycle(&mut blending, pose, dt_secs);
            prop_assert!(out.velocity * present.velocity >= 0.0, "turns back");
            prop_assert!(out.velocity.abs() <= last.velocity.abs(), "becomes faster");
            prop_assert!((out.position - last.position) * present.velocity >= -1e-12);
            last = out;
        }
    }

    #[test]
    fn saved_and_restored_it_goes_on_the_same(blend in any_blend(), from in states(), to in states()) {
        let (blending, _) = run(blend, from, to, 0.01, 5);
        let text = serde_json::to_string(&(blend, blending)).unwrap();
        let (blend_again, mut again): (Blend, Blending) = serde_json::from_str(&text).unwrap();
        prop_assert_eq!((blend_again, again), (blend, blending));
        let mut blending = blending;
        prop_assert_eq!(
            blend_again.cycle(&mut again, to, 0.01),
            blend.cycle(&mut blending, to, 0.01)
        );
    }

    #[test]
    fn whatever_comes_the_output_is_finite(
        numbers in prop::array::uniform12(prop_oneof![1 => any::<f64>(), 8 => of_any_size()]),
        dt_secs in prop_oneof![any::<f64>(), 0.0..0.1f64],
        kind in 0..3,
    ) {
        let [p, v, a, q, w, b, x, y, z, e, f, g] = numbers;
        let blend = match kind {
            0 => Blend::Transient { time_secs: x },
            1 => Blend::LowPass { time_secs: x },
            _ => Blend::JerkLimited { max_velocity: x, max_acceleration: y, max_jerk: z },
        };
        let reference = if [q, w, b].iter().all(|x| x.is_finite()) { sample(q, w, b) } else { Sample::default() };
        let mut blending = blend.start(sample(p, v, a), reference);
        for reference in [reference, sample(e, f, g), reference, reference] {
            let out = blend.cycle(&mut blending, reference, dt_secs);
            let finite = [out.position, out.velocity, out.acceleration].map(f64::is_finite);
            prop_assert_eq!(finite, [true; 3]);
            prop_assert!(!stop_pose(out, x).is_nan());
        }
    }

    #[test]
    fn changing_the_kind_on_the_way_does_not_jump(
        first in any_blend(),
        second in any_blend(),
        from in states(),
        to in states(),
    ) {
        let to = sample(to.position, 0.0, 0.0);
        let (mut blending, mut last) = run(first, from, to, 0.01, 3);
        for _ in 0..2 {
            let out = second.cycle(&mut blending, to, 1e-9);
            // The stiffest filter here accelerates by some 1e5 rad/s².
            prop_assert!(close(out.position, last.position, 1e-6));
            prop_assert!(close(out.velocity, last.velocity, 1e-3), "{last:?} {out:?}");
            last = out;
        }
    }
}

/// Small steps of the differential equation, with poles at 1 and 1.2 times 4.6 / `time_secs`.
fn low_pass_in_small_steps(from: Sample, velocity: f64, time_secs: f64, until_secs: f64) -> Sample {
    let (slow, fast) = (4.6 / time_secs, 1.2 * 4.6 / time_secs);
    let change = |position: f64, speed: f64, reference: f64| {
        slow * fast * (reference - position) - (slow + fast) * speed
    };
    let steps = 20_000;
    let dt = until_secs / f64::from(steps);
    let (mut x, mut v) = (from.position, from.velocity);
    for step in 0..steps {
        let middle = velocity * (f64::from(step) + 0.5) * dt;
        let (half_x, half_v) =
            (x + 0.5 * dt * v, v + 0.5 * dt * change(x, v, middle - 0.5 * velocity * dt));
        x += dt * half_v;
        v += dt * change(half_x, half_v, middle);
    }
    sample(x, v, change(x, v, velocity * until_secs))
}

#[test]
fn a_low_pass_solves_its_differential_equation() {
    let from = sample(0.7, -1.5, 0.0);
    for velocity in [0.0, 0.8, -2.0] {
        let blend = Blend::low_pass(0.6).unwrap();
        let mut blending = blend.start(from, Sample::default());
        for cycle in 1..=25u32 {
            let time = 0.01 * f64::from(cycle);
            let out = blend.cycle(&mut blending, sample(velocity * time, velocity, 0.0), 0.01);
            let expected = low_pass_in_small_steps(from, velocity, 0.6, time);
            assert!(close(out.position, expected.position, 1e-7));
            assert!(close(out.velocity, expected.velocity, 1e-6));
            assert!(close(out.acceleration, expected.acceleration, 1e-4));
        }
    }
}

#[test]
fn a_small_error_is_none() {
    let blend = Blend::transient(0.5).unwrap();
    let reference = sample(1.0, 0.5, 0.0);
    let mut blending = blend.start(sample(1.0 + 1e-15, 0.5, 3.0), reference);
    assert!(blend.is_over(&blending));
    assert_eq!(blend.cycle(&mut blending, reference, 0.01), reference);
}

#[test]
fn without_a_blend_the_reference_is_taken_at_once() {
    let blend = Blend::None;
    let mut blending = blend.start(sample(1.0, 2.0, 3.0), Sample::default());
    assert!(blend.is_over(&blending));
    assert_eq!(blend.cycle(&mut blending, sample(5.0, 0.0, 0.0), 0.01), sample(5.0, 0.0, 0.0));
}

#[test]
fn words_and_refusals() {
    let read = |text: &str| match serde_json::from_str::<Blend>(text) {
        Ok(blend) => format!("{}: {}\n", blend.word(), serde_json::to_string(&blend).unwrap()),
        Err(error) => format!("{error}\n"),
    };
    let all = [
        r#""none""#,
        r#"{"transient":{"time_secs":0.5}}"#,
        r#"{"low_pass":{"time_secs":0.5}}"#,
        r#"{"jerk_limited":{"max_velocity":1,"max_acceleration":2,"max_jerk":3}}"#,
        r#"{"transient":{"time_secs":0}}"#,
        r#"{"low_pass":{"time_secs":-1}}"#,
        r#"{"jerk_limited":{"max_velocity":1,"max_acceleration":2,"max_jerk":-3}}"#,
    ];
    let text: String = all.into_iter().map(read).collect();
    expect![[r#"
        none: "none"
        transient: {"transient":{"time_secs":0.5}}
        low_pass: {"low_pass":{"time_secs":0.5}}
        jerk_limited: {"jerk_limited":{"max_velocity":1.0,"max_acceleration":2.0,"max_jerk":3.0}}
        time_secs of a blend is 0; write a finite number above 0
        time_secs of a blend is -1; write a finite number above 0
        max_jerk of a blend is -3; write a finite number above 0
    "#]]
    .assert_eq(&text);
    assert!(Blend::transient(f64::NAN).is_err() && Blend::low_pass(f64::INFINITY).is_err());
}
