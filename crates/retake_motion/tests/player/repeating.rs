//! Goals that begin anew at their end.

use expect_test::expect;
use proptest::prelude::*;
use retake_motion::blend::Blend;
use retake_motion::curve::Sample;
use retake_motion::player::{Curves, Goals, Order, Progress, Rules, StartFrom};
use retake_motion::{Goal, GoalPoint, Interpolation, TextCommand, TimedAction};

use super::script::play;
use super::stage::{Body, Stage, joint};

const MILLI: i64 = 1_000_000;

/// A goal of one joint through points `(time, position)` that fires a word at each of some times.
fn looped(points: &[(f64, f64)], fires: &[f64], interpolation: Interpolation) -> Goal {
    let point = |(time_secs, position): &(f64, f64)| GoalPoint {
        time_secs: *time_secs,
        positions: vec![*position],
        ..GoalPoint::default()
    };
    let action = |time_secs: &f64| TimedAction {
        time_secs: *time_secs,
        command: TextCommand { command: format!("{time_secs}"), ..TextCommand::default() },
    };
    Goal {
        joints: vec!["a".to_owned()],
        points: points.iter().map(point).collect(),
        actions: fires.iter().map(action).collect(),
        interpolation,
        repeat: true,
        ..Goal::default()
    }
}

fn order(rules: Rules, goal: Goal) -> Order {
    let goal_id = "g".to_owned();
    Order { goal_id, player: 1, rules, goal, nested: Vec::new(), keep_alive_secs: 0.0 }
}

fn blends() -> impl Strategy<Value = Blend> {
    prop_oneof![
        (0.1..1.0f64).prop_map(|time_secs| Blend::Transient { time_secs }),
        (0.1..1.0f64).prop_map(|time_secs| Blend::LowPass { time_secs }),
        Just(Blend::JerkLimited { max_velocity: 20.0, max_acceleration: 60.0, max_jerk: 2000.0 }),
    ]
}

/// Two to five points within 2 rad, at least 0.2 s apart, some from time 0 on.
fn passes() -> impl Strategy<Value = Vec<(f64, f64)>> {
    let rows = proptest::collection::vec((0.2..0.6f64, -2.0..2.0f64), 2..5);
    (rows, any::<bool>()).prop_map(|(rows, at_once)| {
        let mut time = 0.0;
        let made = rows.into_iter().enumerate().map(|(at, (wait, position))| {
            time += if at == 0 && at_once { 0.0 } else { wait };
            (time, position)
        });
        made.collect()
    })
}

fn bits(samples: &[Sample]) -> Vec<u64> {
    let numbers = |sample: &Sample| [sample.position, sample.velocity, sample.acceleration];
    samples.iter().flat_map(numbers).map(f64::to_bits).collect()
}

#[test]
fn each_pass_fires_its_actions_and_stopping_ends_it() {
    let log = play(
        "joint a
         dt 0.1
         0.0 goal g a 0.5:1 1:0 !0:up !0.5:top !1:down repeat=yes way=monotone
         2.5 see a
         3.05 cancel g
         until 4",
    );
    expect![[r#"
        0.00 g begun
        0.10 g fires up
        0.50 g fires top
        1.00 g fires down
        1.10 g fires up
        1.50 g fires top
        2.00 g fires down
        2.10 g fires up
        2.50 g fires top
        2.50 a has g, told 1.000 at 0.000/s
        3.00 g fires down
        3.10 g fires up
        3.10 cancelled 1
        3.10 g cancelled 0: it was cancelled
    "#]]
    .assert_eq(&log);
}

#[test]
fn another_goal_takes_the_joints_of_one_that_repeats() {
    let log = play(
        "joint a
         dt 0.1
         0.0 goal g a 0.5:1 1:0 repeat=yes way=monotone
         2.5 goal other a 0.5:0.2 way=monotone
         until 4",
    );
    expect![[r#"
        0.00 g begun
        2.50 other begun
        2.50 g preempted -1: "other" took its joints
        3.00 other succeeded 0
    "#]]
    .assert_eq(&log);
}

#[test]
fn path_tolerances_and_silence_end_one_that_repeats() {
    let log = play(
        "joint a wall 0.8
         joint b
         group left a
         group right b
         dt 0.1
         0.0 goal silent b 0.5:1 1:0 repeat=yes way=monotone keep_alive=1.5
         1.0 alive silent
         2.0 goal far a 0.5:0.1 1.0:0.9 repeat=yes way=monotone path=a,0.05
         until 4",
    );
    expect![[r#"
        0.00 silent begun
        2.00 far begun
        2.50 silent aborted -1: its sender was not heard for 1.500 s, so that it was stopped
        3.00 far aborted -4: joint "a" is 0.100 off the path at 0.800, where 0.050 is allowed
    "#]]
    .assert_eq(&log);
}

#[test]
fn what_cannot_repeat_is_refused() {
    let log = play(
        "joint a
         rules ros2
         0.0 goal short a 0.05:0 repeat=yes
         0.0 goal jumps a 0:0 1:1 repeat=yes
         0.0 goal closed a 0:0 1:1 2:0 repeat=yes
         until 0.1",
    );
    expect![[r#"
        0.00 short refused -1: it repeats and lasts 0.05 s; let it last 0.1 s at least
        0.00 jumps refused -1: it repeats, and joint "a" ends at 1 and begins at 0, where it would jump without a blend; end where it begins, or give the first point a time above 0
        0.00 closed begun
    "#]]
    .assert_eq(&log);
}

#[test]
fn goals_of_old_logs_do_not_repeat() {
    let mut old = serde_json::to_value(looped(&[(1.0, 1.0)], &[], Interpolation::Linear)).unwrap();
    old.as_object_mut().unwrap().remove("repeat").unwrap();
    assert!(!serde_json::from_value::<Goal>(old).unwrap().repeat);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn beginning_anew_does_not_jump(
        points in passes(),
        blend in prop_oneof![3 => blends(), 1 => Just(Blend::None)],
        way in proptest::sample::select(vec![Interpolation::Monotone, Interpolation::Akima]),
        (measured, lag) in (any::<bool>(), 0.0..0.1f64),
    ) {
        if blend == Blend::None && points[0].0 == 0.0 {
            // It is refused, unless it happens to end where it begins.
            return Ok(());
        }
        let mut stage = Stage::new(vec![joint("a")], Vec::new());
        stage.bodies = vec![if lag > 0.05 { Body::Lags(lag) } else { Body::Ideal }];
        let start_from = if measured { StartFrom::Measured } else { StartFrom::Desired };
        let rules = Rules { blend, start_from, check_start: false, ..Rules::native() };
        stage.ask(|cycle| cycle.start(&order(rules, looped(&points, &[], way)))).unwrap();
        let end = (points.last().unwrap().0 * 1e9).round() as i64;
        for _ in 0..3 {
            while stage.progress.runs[0].elapsed_nanos < end {
                stage.advance(MILLI);
            }
            let before = stage.references()[0];
            stage.advance(1000);
            let after = stage.references()[0];
            prop_assert_eq!(stage.progress.runs[0].elapsed_nanos, 1000);
            let far = after.position - before.position;
            let faster = after.velocity - before.velocity;
            // In 1 µs, at less than 50 rad/s and 5e4 rad/s².
            prop_assert!(far.abs() < 1e-4, "jumped from {before:?} to {after:?}");
            prop_assert!(faster.abs() < 0.05, "velocity jumped from {before:?} to {after:?}");
        }
        prop_assert!(stage.outcomes.is_empty());
    }

    #[test]
    fn three_passes_fire_three_times(
        points in passes(),
        period in prop_oneof![Just(MILLI), Just(10 * MILLI), 1_000_000..90_000_000i64],
        shares in proptest::collection::vec(0.0..=1.0f64, 0..4),
    ) {
        let end = points.last().unwrap().0;
        let mut fires: Vec<f64> = shares.iter().map(|share| share * end).collect();
        fires.extend([0.0, end]);
        fires.sort_by(f64::total_cmp);
        let mut stage = Stage::new(vec![joint("a")], Vec::new());
        let rules = Rules { check_start: false, ..Rules::native() };
        let goal = looped(&points, &fires, Interpolation::Monotone);
        stage.ask(|cycle| cycle.start(&order(rules, goal))).unwrap();
        let mut fired = Vec::new();
        // A pass lasts as many whole periods as it needs.
        let periods = ((end * 1e9).round() as i64 + period - 1) / period;
        for _ in 0..3 * periods {
            stage.advance(period);
            fired.extend(stage.fired().into_iter().map(|(_, word)| word));
        }
        let words: Vec<String> = fires.iter().map(|time| format!("{time}")).collect();
        prop_assert_eq!(fired, vec![words; 3].concat());
        prop_assert!(stage.outcomes.is_empty());
    }

    #[test]
    fn a_pass_that_was_saved_goes_on_to_the_last_bit(
        points in passes(),
        blend in blends(),
        save_at in 0..5000usize,
    ) {
        let mut stage = Stage::new(vec![joint("a")], Vec::new());
        stage.bodies = vec![Body::Lags(0.05)];
        let rules = Rules { blend, check_start: false, ..Rules::native() };
        let goal = looped(&points, &[0.0], Interpolation::Natural);
        stage.ask(|cycle| cycle.start(&order(rules, goal))).unwrap();
        (0..save_at).for_each(|_| stage.advance(MILLI));
        let goals = serde_json::to_string(&stage.goals).unwrap();
        let progress = serde_json::to_string(&stage.progress).unwrap();
        let (now, measured) = (stage.now_nanos, stage.measured.clone());
        let go_on = |stage: &mut Stage| {
            let mut seen = Vec::new();
            for _ in 0..3000 {
                stage.advance(MILLI);
                seen.push((bits(&stage.references()), stage.fired()));
            }
            seen
        };
        let straight_on = go_on(&mut stage);
        stage.goals = serde_json::from_str::<Goals>(&goals).unwrap();
        stage.progress = serde_json::from_str::<Progress>(&progress).unwrap();
        (stage.now_nanos, stage.measured, stage.curves) = (now, measured, Curves::default());
        prop_assert!(straight_on == go_on(&mut stage));
    }
}
