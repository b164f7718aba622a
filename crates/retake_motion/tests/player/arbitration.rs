//! Whatever robots are asked, in whatever order, joints have one owner and lists fit together.

use std::collections::BTreeSet;
use std::sync::Arc;

use proptest::prelude::*;
use retake_motion::player::{Group, Order, Owner, Rules, Run, RunKind, Start};
use retake_motion::{Goal, GoalPoint};

use super::stage::{Stage, joint};

const JOINTS: usize = 6;
const MOST_RUNS: usize = 64;

/// Something that somebody asks of a robot.
#[derive(Clone, Debug)]
enum Ask {
    Goal { id: u8, joints: BTreeSet<usize>, secs: f64, delay: Option<f64> },
    Child { id: u8, name: u8, joints: BTreeSet<usize> },
    Follow { player: u64, joints: BTreeSet<usize>, at: f64 },
    Cancel { id: u8 },
    CancelAll,
    Off { joints: BTreeSet<usize> },
    On { joints: BTreeSet<usize> },
    HoldAt { joints: BTreeSet<usize> },
    Release,
    Speed { factor: f64 },
    Pass { millis: i64 },
}

fn some_joints() -> impl Strategy<Value = BTreeSet<usize>> {
    proptest::collection::btree_set(0..JOINTS, 1..4)
}

fn asks() -> impl Strategy<Value = Ask> {
    let secs = 0.01..0.6f64;
    prop_oneof![
        4 => (0..6u8, some_joints(), secs, proptest::option::weighted(0.2, 0.0..0.5f64))
            .prop_map(|(id, joints, secs, delay)| Ask::Goal { id, joints, secs, delay }),
        1 => (0..6u8, 0..3u8, some_joints())
            .prop_map(|(id, name, joints)| Ask::Child { id, name, joints }),
        3 => (10..13u64, some_joints(), -1.0..1.0f64)
            .prop_map(|(player, joints, at)| Ask::Follow { player, joints, at }),
        1 => (0..6u8).prop_map(|id| Ask::Cancel { id }),
        1 => Just(Ask::CancelAll),
        1 => some_joints().prop_map(|joints| Ask::Off { joints }),
        2 => some_joints().prop_map(|joints| Ask::On { joints }),
        1 => some_joints().prop_map(|joints| Ask::HoldAt { joints }),
        1 => Just(Ask::Release),
        1 => (0.0..2.0f64).prop_map(|factor| Ask::Speed { factor }),
        5 => (1..300i64).prop_map(|millis| Ask::Pass { millis }),
    ]
}

/// A robot whose joints are in up to three groups, or in none.
fn robot(group_of: &[usize]) -> Stage {
    let joints = (0..JOINTS).map(|at| joint(&at.to_string())).collect();
    let members = |group: usize| (0..JOINTS).filter(|at| group_of[*at] == group).collect();
    let group = |at: usize| Group { name: format!("group {at}"), joints: members(at) };
    Stage::new(joints, (0..3).map(group).collect())
}

fn order(id: String, player: u64, joints: &BTreeSet<usize>, secs: f64) -> Order {
    let point =
        GoalPoint { time_secs: secs, positions: vec![1.0; joints.len()], ..GoalPoint::default() };
    Order {
        goal_id: id,
        player,
        rules: Rules::native(),
        goal: Goal {
            joints: joints.iter().map(ToString::to_string).collect(),
            points: vec![point],
            ..Goal::default()
        },
        nested: Vec::new(),
        keep_alive_secs: 0.0,
    }
}

fn ask(stage: &mut Stage, what: &Ask) {
    let list = |joints: &BTreeSet<usize>| joints.iter().copied().collect::<Vec<usize>>();
    match what {
        Ask::Goal { id, joints, secs, delay } => {
            let mut order = order(id.to_string(), 1, joints, *secs);
            let now = stage.now_nanos as f64 / 1e9;
            order.goal.stamp_secs = delay.map(|delay| now + delay);
            let limp = joints.iter().any(|at| stage.progress.drives[*at].owner == Owner::Limp);
            let known = stage.goals.find_goal(&order.goal_id).is_some();
            let started = stage.ask(|cycle| cycle.start(&order));
            assert_eq!(started.is_err(), limp || known, "{started:?}");
            if started == Ok(Start::Begun) {
                let taken = stage.goals.taken;
                let has = |at: &usize| stage.progress.drives[*at].owner == Owner::Run(taken);
                assert!(joints.iter().all(has));
            }
        }
        Ask::Child { id, name, joints } => {
            let order = order(format!("{id}/{name}"), 1, joints, 0.3);
            stage.ask(|cycle| cycle.start(&order)).ok();
        }
        Ask::Follow { player, joints, at } => {
            let order = order(format!("follow-{player}"), *player, joints, 1.0);
            let names: Vec<String> = joints.iter().map(ToString::to_string).collect();
            let pose: Vec<(&str, f64)> = names.iter().map(|name| (name.as_str(), *at)).collect();
            stage.ask(|cycle| cycle.follow(&order, &pose)).ok();
        }
        Ask::Cancel { id } => {
            stage.ask(|cycle| cycle.cancel(&id.to_string()));
            assert!(stage.goals.find_goal(&id.to_string()).is_none());
        }
        Ask::CancelAll => {
            stage.ask(|cycle| cycle.cancel(""));
            assert!(stage.goals.runs.is_empty());
        }
        Ask::Off { joints } => {
            stage.ask(|cycle| cycle.torque_off(&list(joints)));
            assert!(joints.iter().all(|at| stage.progress.drives[*at].owner == Owner::Limp));
        }
        Ask::On { joints } => stage.ask(|cycle| cycle.torque_on(&list(joints))),
        Ask::HoldAt { joints } => stage.ask(|cycle| cycle.hold_at(&list(joints))),
        Ask::Release => {
            stage.ask(|cycle| cycle.release());
        }
        Ask::Speed { factor } => stage.ask(|cycle| cycle.set_speed(*factor)).unwrap(),
        Ask::Pass { millis } => {
            for _ in 0..millis / 10 + 1 {
                stage.advance(10_000_000);
            }
        }
    }
}

/// Says what is wrong with a robot's players, if anything is.
fn fault(stage: &Stage) -> Option<String> {
    let (goals, progress) = (&stage.goals, &stage.progress);
    let numbers: Vec<u64> = goals.runs.iter().map(|run| run.id).collect();
    let told: Vec<u64> = progress.runs.iter().map(|run| run.id).collect();
    if numbers != told {
        return Some(format!("goals {numbers:?} and progress {told:?}"));
    }
    if numbers.len() > MOST_RUNS || numbers.iter().any(|id| *id > goals.taken) {
        return Some(format!("runs {numbers:?} of {}", goals.taken));
    }
    let begun_goals = goals
        .runs
        .iter()
        .zip(&progress.runs)
        .filter(|(run, progress)| progress.begun && matches!(run.kind, RunKind::Goal(_)));
    let begun_goals: Vec<_> = begun_goals.map(|(run, _)| run).collect();
    for (at, drive) in progress.drives.iter().enumerate() {
        let group = stage.robot.group_of(at);
        let of_group: Vec<_> =
            begun_goals.iter().filter(|run| run.groups.contains(&group)).collect();
        if of_group.len() > 1 {
            return Some(format!("two goals have the group of joint {at}"));
        }
        let asked = |run: &&Arc<Run>| match &run.kind {
            RunKind::Follow(follow) => follow.asked_for(group),
            RunKind::Goal(_) => None,
        };
        let waits = goals.runs.iter().filter(|run| asked(run).is_some()).max_by_key(asked);
        let wanted = match (of_group.first(), waits) {
            (Some(goal), _) => Some(goal.id).filter(|_| goal.moves(at)),
            (None, Some(follow)) => Some(follow.id).filter(|_| follow.moves(at)),
            (None, None) => None,
        };
        let owner = match drive.owner {
            Owner::Run(id) => Some(id),
            _ => None,
        };
        if owner != wanted {
            return Some(format!("joint {at} has owner {owner:?} and not {wanted:?}"));
        }
        if !drive.reference.position.is_finite() {
            return Some(format!("joint {at} is told {:?}", drive.reference));
        }
    }
    None
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn joints_have_one_owner_and_go_back_to_who_waits(
        asked in proptest::collection::vec(asks(), 1..60),
        group_of in proptest::collection::vec(0..4usize, JOINTS),
    ) {
        let mut stage = robot(&group_of);
        for what in &asked {
            ask(&mut stage, what);
            prop_assert_eq!(fault(&stage), None, "after {:?}", what);
        }
    }
}

#[test]
fn no_more_goals_than_a_robot_can_have() {
    let mut stage = Stage::new(vec![joint("0")], Vec::new());
    for number in 0..MOST_RUNS {
        let mut later = order(number.to_string(), 1, &BTreeSet::from([0]), 1.0);
        later.goal.stamp_secs = Some(1e6);
        assert_eq!(stage.ask(|cycle| cycle.start(&later)), Ok(Start::Later));
    }
    let one_more = order("one more".to_owned(), 1, &BTreeSet::from([0]), 1.0);
    let refusal = stage.ask(|cycle| cycle.start(&one_more)).unwrap_err();
    assert_eq!(refusal.text, "the robot has 64 goals already; cancel some first");
    let refusal = stage.ask(|cycle| cycle.follow(&one_more, &[("0", 1.0)])).unwrap_err();
    assert_eq!(refusal.text, "the robot has 64 goals already; cancel some first");
}

#[test]
fn lists_without_end_are_refused() {
    let mut stage = Stage::new(vec![joint("0")], Vec::new());
    let mut refusal = |change: &dyn Fn(&mut Order)| {
        let mut order = order("g".to_owned(), 1, &BTreeSet::from([0]), 1.0);
        change(&mut order);
        stage.ask(|cycle| cycle.start(&order)).unwrap_err().text
    };
    expect_test::expect![[r#"
        it has 5000 joints; at most 4096 are taken, so cut it into several
        the robot has no joint "x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7" and 12 more; it has 0
        it has 1000001 points; at most 1000000 are taken, so cut it into several
        it has 5000 actions; at most 4096 are taken, so cut it into several
        it has 300 nested motions; at most 256 are taken, so cut it into several
        its id must have 1 to 256 bytes
        its id must have 1 to 256 bytes"#]]
    .assert_eq(
        &[
            refusal(&|order| order.goal.joints = vec!["x".to_owned(); 5000]),
            refusal(&|order| {
                order.goal.joints = (0..20).map(|at| format!("x{at}")).collect();
            }),
            refusal(&|order| order.goal.points = vec![GoalPoint::default(); 1_000_001]),
            refusal(&|order| order.goal.actions = vec![Default::default(); 5000]),
            refusal(&|order| order.nested = vec![Goal::default(); 300]),
            refusal(&|order| order.goal_id = "x".repeat(300)),
            refusal(&|order| order.goal_id.clear()),
        ]
        .join("\n"),
    );
}
