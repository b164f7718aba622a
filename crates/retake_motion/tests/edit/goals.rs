//! What is played of a list.

use expect_test::{Expect, expect};
use proptest::prelude::*;
use retake_motion::curve::Sample;
use retake_motion::edit::{Edit, FASTEST, SLOWEST, Way, WaypointsList};
use retake_motion::player::{Group, Order, Rules, Start};
use retake_motion::{Goal, Interpolation, TextCommand};

use crate::random;
use crate::stage::{Stage, joint};

fn ways() -> impl Strategy<Value = Way> {
    (SLOWEST..FASTEST, any::<bool>(), any::<bool>()).prop_map(|(speed, backward, loops)| Way {
        speed,
        backward,
        loops,
    })
}

/// A robot with the joints of a goal, where the goal begins.
fn robot_at_start(goal: &Goal) -> Stage {
    let names = || goal.joints.iter().enumerate().filter(|(_, name)| !name.starts_with("support/"));
    let joints: Vec<_> = names().map(|(_, name)| joint(name)).collect();
    let all = Group { name: "all".to_owned(), joints: (0..joints.len()).collect() };
    let mut stage = Stage::new(joints, vec![all]);
    for (measured, (column, _)) in stage.measured.iter_mut().zip(names()) {
        let position = goal.points[0].positions[column];
        *measured = Sample { position, ..Sample::default() };
    }
    stage
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn players_take_every_goal(list in random::list(), seeds in random::seeds(), way in ways()) {
        let mut list = list;
        for seed in seeds {
            list.apply(&seed.edit(&list)).ok();
        }
        let Ok(goal) = list.goal(way) else {
            // Nothing to play, or numbers at the edge of what players take.
            let silly = |number: &f64| number.abs() > 1e3;
            let silly = list.points().iter().any(|point| {
                point.time_secs > 1e3 || point.velocities.iter().any(silly)
                    || point.accelerations.iter().any(silly)
            }) || list.actions().iter().any(|action| action.time_secs > 1e3);
            let once = list.goal(Way { loops: false, ..way });
            let end = |goal: &Goal| goal.points.last().map_or(0.0, |point| point.time_secs);
            let short = way.loops && once.is_ok_and(|once| end(&once) < 0.1);
            let still = list.start().is_none() || list.joints().iter().all(|j| j.muted);
            prop_assert!(silly || short || still);
            return Ok(());
        };
        prop_assert!(goal.actions.is_empty() || !way.backward);
        prop_assert_eq!(goal.points.first().map_or(0.0, |point| point.time_secs), 0.0);
        let derived = goal.points.iter().any(|point| !point.velocities.is_empty());
        prop_assert!(!derived || list.interpolation() == Interpolation::Hermite);
        prop_assert!(list.joints().iter().all(|j| goal.joints.contains(&j.name) != j.muted));
        if goal.points.is_empty() {
            return Ok(());
        }
        prop_assert_eq!(goal.repeat, way.loops);
        if way.loops {
            let ends = goal.points[0].positions.iter().zip(&goal.points[goal.points.len() - 1].positions);
            let ends = goal.joints.iter().zip(ends).filter(|(name, _)| !name.starts_with("support/"));
            prop_assert!(ends.into_iter().all(|(_, (a, b))| (a - b).abs() <= 1e-6));
        }
        let mut stage = robot_at_start(&goal);
        let order = Order {
            goal_id: "g".to_owned(),
            player: 1,
            rules: Rules::native(),
            goal,
            nested: Vec::new(),
            keep_alive_secs: 0.0,
        };
        let taken = stage.ask(|cycle| cycle.start(&order));
        prop_assert_eq!(taken, Ok(Start::Begun));
    }

    #[test]
    fn backward_is_forward_in_a_mirror(list in random::list(), speed in SLOWEST..FASTEST) {
        let way = |backward| Way { speed, backward, loops: false };
        let (Ok(there), Ok(back)) = (list.goal(way(false)), list.goal(way(true))) else {
            return Ok(());
        };
        let last = there.points.last().unwrap().time_secs;
        prop_assert_eq!(there.points.len(), back.points.len());
        for (there, back) in there.points.iter().zip(back.points.iter().rev()) {
            prop_assert_eq!(&there.positions, &back.positions);
            prop_assert!((there.time_secs - (last - back.time_secs)).abs() < 1e-9);
        }
    }
}

/// Two joints, one muted, five waypoints of which the fourth is off, three actions.
fn wave() -> WaypointsList {
    let mut list = WaypointsList::new("wave", vec!["pan".into(), "lift".into()]).unwrap();
    for (time, pan) in [(1.0, 0.0), (2.0, 1.0), (3.0, 0.5), (3.5, 9.0), (4.0, 2.0)] {
        let pose = vec![("lift".into(), 7.0), ("pan".into(), pan)];
        list.apply(&Edit::AddPoint { time_secs: Some(time), pose }).unwrap();
    }
    for (time_secs, word) in [(0.25, "early"), (2.5, "middle"), (9.0, "late")] {
        let (kind, options) = ("voice/say".to_owned(), String::new());
        let command = TextCommand { kind, command: word.to_owned(), options };
        list.apply(&Edit::AddAction { time_secs, command }).unwrap();
    }
    list.apply(&Edit::SetEnabled { id: 4, enabled: false }).unwrap();
    list.apply(&Edit::Mute { joint: "lift".into(), muted: true }).unwrap();
    list
}

fn check(list: &WaypointsList, way: Way, expected: Expect) {
    let goal = list.goal(way).unwrap();
    let points =
        goal.points.iter().map(|point| format!("{} {:?}", point.time_secs, point.positions));
    let actions = goal.actions.iter().map(|at| format!("{} {}", at.time_secs, at.command.command));
    let lines: Vec<String> = points.chain(actions).collect();
    expected.assert_eq(&format!("{}\n{}", goal.joints.join(" "), lines.join("\n")));
}

#[test]
fn the_whole_list_with_what_is_said_before_and_after() {
    check(
        &wave(),
        Way::default(),
        expect![[r#"
        pan
        0 [0.0]
        1 [1.0]
        2 [0.5]
        3 [2.0]
        0 early
        1.5 middle
        8 late"#]],
    );
}

#[test]
fn from_marker_to_marker() {
    let mut list = wave();
    list.apply(&Edit::MarkStart(2)).unwrap();
    list.apply(&Edit::MarkEnd(3)).unwrap();
    check(
        &list,
        Way::default(),
        expect![[r#"
        pan
        0 [1.0]
        1 [0.5]
        0.5 middle"#]],
    );
}

#[test]
fn backward_at_twice_the_speed_says_nothing() {
    check(
        &wave(),
        Way { speed: 2.0, backward: true, loops: false },
        expect![[r#"
        pan
        0 [2.0]
        0.5 [0.5]
        1 [1.0]
        1.5 [0.0]"#]],
    );
}

#[test]
fn what_begins_anew_goes_back_first() {
    check(
        &wave(),
        Way { loops: true, ..Way::default() },
        expect![[r#"
        pan
        0 [0.0]
        1 [1.0]
        2 [0.5]
        3 [2.0]
        5 [0.0]
        0 early
        1.5 middle
        8 late"#]],
    );
}

#[test]
fn what_ends_where_it_begins_needs_no_way_back() {
    let mut list = wave();
    list.apply(&Edit::SetPosition { id: 5, joint: "pan".into(), position: 0.0 }).unwrap();
    check(
        &list,
        Way { loops: true, ..Way::default() },
        expect![[r#"
        pan
        0 [0.0]
        1 [1.0]
        2 [0.5]
        3 [0.0]
        0 early
        1.5 middle
        8 late"#]],
    );
}

#[test]
fn a_stretch_keeps_the_time_of_the_list() {
    let mut list = wave();
    list.apply(&Edit::MarkStart(2)).unwrap();
    let stretch = list.stretch();
    let times: Vec<f64> = stretch.waypoints.iter().map(|waypoint| waypoint.time_secs).collect();
    assert_eq!(times, [2.0, 3.0, 4.0]);
    assert_eq!(stretch.joints, ["pan"]);
    stretch.check().unwrap();
}

#[test]
fn a_robot_is_at_a_waypoint_within_its_tolerance() {
    let list = wave();
    let at = |pan: f64| {
        let pose = move |joint: &str| (joint == "pan").then_some(pan);
        let at = list.points().iter().filter(|point| list.is_at(point.id, &pose));
        at.map(|point| point.id).collect::<Vec<u64>>()
    };
    assert_eq!(at(0.96), [2], "lift is muted and need not be known");
    assert_eq!(at(0.94), [0; 0]);
    assert_eq!(at(f64::NAN), [0; 0]);
    assert!(!list.is_at(1, &|_| None));
}
