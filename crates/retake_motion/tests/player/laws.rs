//! Laws that hold whatever players are asked, and when.

use proptest::prelude::*;
use retake_motion::blend::Blend;
use retake_motion::curve::Sample;
use retake_motion::player::{
    Curves, Goals, Group, Joint, OnCancel, Order, Progress, Rules, RunKind,
};
use retake_motion::{Goal, GoalPoint, Interpolation, TextCommand, TimedAction};

use super::stage::{Body, Stage, joint};

const MILLI: i64 = 1_000_000;
const MICRO: i64 = 1_000;

/// A robot of two groups of two joints: a and b, c and d.
fn stage() -> Stage {
    let joints = ["a", "b", "c", "d"].map(joint).to_vec();
    let group =
        |name: &str, joints: [usize; 2]| Group { name: name.to_owned(), joints: joints.to_vec() };
    Stage::new(joints, vec![group("left", [0, 1]), group("right", [2, 3])])
}

fn order(id: &str, rules: Rules, goal: Goal) -> Order {
    let goal_id = id.to_owned();
    Order { goal_id, player: 1, rules, goal, nested: Vec::new(), keep_alive_secs: 0.0 }
}

fn ways() -> impl Strategy<Value = Interpolation> {
    proptest::sample::select(Interpolation::ALL.map(|(way, _)| way).to_vec())
}

/// Goals for joints with up to five points, within 2 rad, at least 0.2 s apart.
fn goals(joints: &'static [&'static str]) -> impl Strategy<Value = Goal> {
    let count = joints.len();
    let values = move |most: f64| proptest::collection::vec(-most..most, count);
    let point = (0.2..0.8f64, values(2.0), values(3.0), values(10.0), 0..3usize);
    let points = proptest::collection::vec(point, 1..5);
    (ways(), points, any::<bool>()).prop_map(move |(interpolation, rows, at_once)| {
        let mut time_secs = 0.0;
        let mut points = Vec::new();
        for (at, (wait, positions, velocities, accelerations, degree)) in
            rows.into_iter().enumerate()
        {
            time_secs += if at == 0 && at_once { 0.0 } else { wait };
            let given = |list: Vec<f64>, least: usize| if degree >= least { list } else { vec![] };
            points.push(GoalPoint {
                time_secs,
                positions,
                velocities: given(velocities, 1),
                accelerations: given(accelerations, 2),
                effort: Vec::new(),
            });
        }
        let last = points.last_mut().unwrap();
        last.velocities.iter_mut().for_each(|velocity| *velocity = 0.0);
        let joints = joints.iter().map(|name| (*name).to_owned()).collect();
        Goal { joints, points, interpolation, ..Goal::default() }
    })
}

fn smooth_blends() -> impl Strategy<Value = Blend> {
    prop_oneof![
        (0.2..1.0f64).prop_map(|time_secs| Blend::Transient { time_secs }),
        (0.2..1.0f64).prop_map(|time_secs| Blend::LowPass { time_secs }),
        Just(Blend::JerkLimited { max_velocity: 20.0, max_acceleration: 60.0, max_jerk: 2000.0 }),
    ]
}

fn native(blend: Blend) -> Rules {
    Rules { blend, check_start: false, ..Rules::native() }
}

/// Periods of which some meet the times of actions exactly.
fn periods() -> impl Strategy<Value = i64> {
    prop_oneof![Just(10 * MILLI), Just(50 * MILLI), 1..50_000_000i64]
}

fn speeds() -> impl Strategy<Value = f64> {
    prop_oneof![3 => Just(1.0), 1 => Just(0.0), 1 => 0.0..3.0f64]
}

/// Lets a period pass so short that nothing moves far, and says that nothing did.
fn passes_smoothly(stage: &mut Stage) -> Result<(), TestCaseError> {
    let before = stage.references();
    stage.advance(MICRO);
    for (at, (was, is)) in before.iter().zip(stage.references()).enumerate() {
        let (far, faster) = (is.position - was.position, is.velocity - was.velocity);
        // Velocities are below 50 rad/s, and the hardest blend here accelerates by 2e4 rad/s².
        prop_assert!(far.abs() < 1e-4, "joint {at} jumped from {was:?} to {is:?}");
        prop_assert!(faster.abs() < 0.05, "the velocity of joint {at} jumped: {was:?}, {is:?}");
    }
    Ok(())
}

/// Says where the corners of a goal are: there, and only there, lines may change their velocity.
fn is_at_corner(stage: &Stage, period: i64) -> bool {
    let runs = stage.goals.runs.iter().zip(&stage.progress.runs);
    let mut corners = runs.flat_map(|(run, progress)| {
        let RunKind::Goal(goal) = &run.kind else { return Vec::new() };
        let at = |point: &GoalPoint| (point.time_secs * 1e9).round() as i64;
        let near = |at: i64| (at - progress.elapsed_nanos).abs() <= period;
        goal.goal.points.iter().map(|point| near(at(point))).collect()
    });
    corners.any(|near| near)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn neither_preempting_nor_cancelling_jumps(
        blend in smooth_blends(),
        first in goals(&["a", "b"]),
        second in goals(&["b"]),
        instants in (1..2000i64, 1..2000i64),
        (holds, speed) in (any::<bool>(), 0.1..2.0f64),
    ) {
        let mut stage = stage();
        stage.ask(|cycle| cycle.set_speed(speed)).unwrap();
        // What becomes of a goal that loses must not show in the one that wins.
        let on_cancel = if holds { OnCancel::Hold } else { OnCancel::Decelerate };
        let loser = Rules { on_cancel, ..native(blend) };
        stage.ask(|cycle| cycle.start(&order("first", loser, first))).unwrap();
        passes_smoothly(&mut stage)?;
        for _ in 0..instants.0 {
            stage.advance(MILLI);
        }
        if is_at_corner(&stage, 10 * MICRO) {
            return Ok(());
        }
        let before = stage.references();
        stage.ask(|cycle| cycle.start(&order("second", native(blend), second))).unwrap();
        prop_assert_eq!(before[1], stage.references()[1]);
        if !holds {
            passes_smoothly(&mut stage)?;
        }
        for _ in 0..instants.1 {
            stage.advance(MILLI);
        }
        if is_at_corner(&stage, 10 * MICRO) {
            return Ok(());
        }
        stage.ask(|cycle| cycle.cancel(""));
        passes_smoothly(&mut stage)?;
        for _ in 0..3000 {
            stage.advance(MILLI);
        }
        prop_assert!(stage.progress.is_at_rest());
    }

    #[test]
    fn coming_to_rest_stays_within_the_limits(
        (end, time_secs) in (prop_oneof![-1.0..-0.9f64, 0.9..1.0f64], 0.05..1.0f64),
        (cancelled, stop_secs) in (0.5..1.0f64, 0.05..1.0f64),
    ) {
        let limited = Joint { limits: (-1.0, 1.0), ..joint("a") };
        let mut stage = Stage::new(vec![limited], Vec::new());
        let point = GoalPoint { time_secs, positions: vec![end], ..GoalPoint::default() };
        let (joints, points) = (vec!["a".to_owned()], vec![point]);
        let rules = Rules { blend: Blend::None, stop_secs, ..native(Blend::None) };
        let goal =
            Goal { joints, points, interpolation: Interpolation::Linear, ..Goal::default() };
        stage.ask(|cycle| cycle.start(&order("g", rules, goal))).unwrap();
        let periods = (cancelled * time_secs * 1e3) as i64;
        (0..periods).for_each(|_| stage.advance(MILLI));
        stage.ask(|cycle| cycle.cancel("g"));
        for _ in 0..1000 {
            stage.advance(MILLI);
            let position = stage.references()[0].position;
            // Rounding may lead a little beyond.
            prop_assert!(position.abs() <= 1.0 + 1e-12, "it is told {position}");
        }
    }

    #[test]
    fn the_speed_changes_smoothly(goal in goals(&["a"]), speed in 0.0..3.0f64, at in 0..500i64) {
        let mut stage = stage();
        stage.ask(|cycle| cycle.start(&order("g", native(Blend::None), goal))).unwrap();
        (0..at).for_each(|_| stage.advance(MILLI));
        stage.ask(|cycle| cycle.set_speed(speed)).unwrap();
        if at > 0 && !is_at_corner(&stage, 10 * MICRO) {
            passes_smoothly(&mut stage)?;
        }
    }

    #[test]
    fn following_poses_never_jumps(
        blend in smooth_blends(),
        poses in proptest::collection::vec((-2.0..2.0f64, -2.0..2.0f64, 1..400i64), 1..8),
        goal in goals(&["a"]),
        at in 0..8usize,
    ) {
        let mut stage = stage();
        let follower = Order { player: 2, ..order("f", native(blend), Goal::default()) };
        for (number, (a, b, millis)) in poses.into_iter().enumerate() {
            stage.ask(|cycle| cycle.follow(&follower, &[("a", a), ("b", b)])).unwrap();
            passes_smoothly(&mut stage)?;
            if number == at {
                stage.ask(|cycle| cycle.start(&order("g", native(blend), goal.clone()))).unwrap();
                passes_smoothly(&mut stage)?;
            }
            for _ in 0..millis {
                stage.advance(MILLI);
            }
        }
    }

    #[test]
    fn what_was_saved_goes_on_to_the_last_bit(
        blend in smooth_blends(),
        first in goals(&["a", "b"]),
        second in goals(&["c"]),
        later in goals(&["b"]),
        (save_at, speed) in (0..1500usize, 0.0..3.0f64),
    ) {
        let mut stage = stage();
        stage.bodies = vec![Body::Lags(0.05); 4];
        stage.ask(|cycle| cycle.start(&order("first", native(blend), first))).unwrap();
        let abrupt = Rules { partial_goals: true, ..Rules::ros2() };
        stage.ask(|cycle| cycle.start(&order("second", abrupt, second))).unwrap();
        let later = Goal { stamp_secs: Some(0.8), ..later };
        stage.ask(|cycle| cycle.start(&order("later", native(blend), later))).unwrap();
        stage.ask(|cycle| cycle.set_speed(speed)).unwrap();
        for _ in 0..save_at {
            stage.advance(MILLI);
        }
        let goals = serde_json::to_string(&stage.goals).unwrap();
        let progress = serde_json::to_string(&stage.progress).unwrap();
        let (now, measured) = (stage.now_nanos, stage.measured.clone());
        let go_on = |stage: &mut Stage| {
            let mut bits = Vec::new();
            for _ in 0..500 {
                stage.advance(MILLI);
                bits.extend(stage.references().iter().flat_map(|reference| {
                    let Sample { position, velocity, acceleration } = *reference;
                    [position, velocity, acceleration].map(f64::to_bits)
                }));
            }
            (bits, stage.outcomes.len())
        };
        stage.outcomes.clear();
        let straight_on = go_on(&mut stage);
        stage.outcomes.clear();
        stage.goals = serde_json::from_str::<Goals>(&goals).unwrap();
        stage.progress = serde_json::from_str::<Progress>(&progress).unwrap();
        (stage.now_nanos, stage.measured, stage.curves) = (now, measured, Curves::default());
        prop_assert!(straight_on == go_on(&mut stage));
    }

    #[test]
    fn two_halves_of_a_period_are_the_whole(
        time_secs in 0.2..1.0f64,
        goal in goals(&["a", "b"]),
        cycles in 1..200usize,
    ) {
        let reach = |period: i64, count: usize| {
            let mut stage = stage();
            let rules = native(Blend::Transient { time_secs });
            stage.ask(|cycle| cycle.start(&order("g", rules, goal.clone()))).unwrap();
            (0..count).for_each(|_| stage.advance(period));
            // A goal is found to be over up to one period late, and from then on it comes to rest.
            (stage.goals.runs.is_empty(), stage.references())
        };
        let (whole, halves) = (reach(10 * MILLI, cycles), reach(5 * MILLI, 2 * cycles));
        if whole.0 == halves.0 && !whole.0 {
            for (whole, halves) in whole.1.iter().zip(&halves.1) {
                prop_assert!((whole.position - halves.position).abs() < 1e-9);
                prop_assert!((whole.velocity - halves.velocity).abs() < 1e-7);
            }
        }
    }

    #[test]
    fn actions_fire_once_whatever_the_speed(
        mut times in proptest::collection::vec(0..=100u32, 0..8),
        waits in any::<bool>(),
        periods in proptest::collection::vec((periods(), speeds()), 1..60),
    ) {
        times.extend([0, 50, 50, 100]);
        times.sort_unstable();
        let action = |(number, centis): (usize, &u32)| TimedAction {
            time_secs: f64::from(*centis) / 100.0,
            command: TextCommand { command: number.to_string(), ..TextCommand::default() },
        };
        let actions: Vec<TimedAction> = times.iter().enumerate().map(action).collect();
        let point = GoalPoint { time_secs: 1.0, positions: vec![1.0], ..GoalPoint::default() };
        let goal = Goal {
            joints: vec!["a".to_owned()],
            points: vec![point],
            stamp_secs: waits.then_some(0.3),
            actions: actions.clone(),
            ..Goal::default()
        };
        let mut stage = stage();
        stage.ask(|cycle| cycle.start(&order("g", Rules::native(), goal))).unwrap();
        let mut fired = Vec::new();
        for (period, speed) in periods {
            stage.ask(|cycle| cycle.set_speed(speed)).unwrap();
            stage.advance(period);
            fired.extend(stage.fired().into_iter().map(|(_, word)| word));
        }
        stage.ask(|cycle| cycle.set_speed(1.0)).unwrap();
        for _ in 0..200 {
            stage.advance(10 * MILLI);
            fired.extend(stage.fired().into_iter().map(|(_, word)| word));
        }
        let all: Vec<String> = actions.into_iter().map(|action| action.command.command).collect();
        prop_assert!(stage.goals.runs.is_empty());
        prop_assert_eq!(fired, all);
    }

    #[test]
    fn groups_do_not_disturb_each_other(
        blend in smooth_blends(),
        here in goals(&["a", "b"]),
        there in proptest::collection::vec((goals(&["c"]), 0..600usize), 1..4),
    ) {
        let play = |with_others: bool| {
            let mut stage = stage();
            stage.ask(|cycle| cycle.start(&order("here", native(blend), here.clone()))).unwrap();
            let mut seen = Vec::new();
            for (number, (goal, millis)) in there.iter().enumerate() {
                let other = order(&format!("there-{number}"), native(blend), goal.clone());
                if with_others {
                    stage.ask(|cycle| cycle.start(&other)).unwrap();
                }
                for _ in 0..*millis {
                    stage.advance(MILLI);
                    let references = stage.references();
                    seen.extend(references[..2].iter().flat_map(|reference| {
                        [reference.position.to_bits(), reference.velocity.to_bits()]
                    }));
                }
            }
            seen
        };
        prop_assert!(play(true) == play(false));
    }
}
