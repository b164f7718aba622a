//! Laws that hold of a list, whatever is done to it.

use proptest::prelude::*;
use retake_diag::Diagnostics;
use retake_motion::edit::{Edit, ListPoint, WaypointsList};
use retake_motion::file::{self, Format};

use crate::random::{self, Seed};

/// Says what `WaypointsList` says of itself, without its own check.
fn assert_whole(list: &WaypointsList) {
    let points = list.points();
    assert!(points.is_sorted_by(|a, b| a.time_secs < b.time_secs), "{points:?}");
    assert!(list.actions().is_sorted_by(|a, b| a.time_secs <= b.time_secs));
    let joints = list.joints().len();
    for point in points {
        assert!(point.time_secs >= 0.0 && point.time_secs.is_finite());
        assert_eq!(point.positions.len(), joints);
        for derived in [&point.velocities, &point.accelerations] {
            assert!(derived.is_empty() || derived.len() == joints);
        }
        let numbers = point.positions.iter().chain(&point.velocities).chain(&point.accelerations);
        assert!(numbers.into_iter().all(|number| number.is_finite()));
    }
    let mut ids: Vec<u64> = points.iter().map(|point| point.id).collect();
    ids.extend(list.actions().iter().map(|action| action.id));
    ids.sort_unstable();
    assert!(ids.is_sorted_by(|a, b| a < b), "an id is there twice: {ids:?}");

    let counting: Vec<&ListPoint> = points.iter().filter(|point| point.enabled).collect();
    let at = |id: Option<u64>| counting.iter().position(|point| Some(point.id) == id);
    match (counting.len(), at(list.start()), at(list.end())) {
        (0, _, _) => assert_eq!((list.start(), list.end()), (None, None)),
        (1, start, end) => assert_eq!((start, end), (Some(0), Some(0))),
        (_, Some(start), Some(end)) => assert!(start < end, "{start} is not before {end}"),
        (_, start, end) => panic!("markers are at {start:?} and {end:?}"),
    }
    list.check().unwrap();
}

/// Saves and reads again.
fn again(list: &WaypointsList) -> WaypointsList {
    let written = file::write(&list.to_motion(), Format::Native).unwrap();
    assert!(written.lost.is_empty());
    let name = format!("{}.motion.toml", list.name());
    let mut found = Diagnostics::new();
    let motions = file::read(&written.text, &name, &mut found);
    assert!(found.is_empty(), "{found}\n{}", written.text);
    WaypointsList::from_motion(&motions[0]).unwrap()
}

/// A list as a table by names: what has to survive saving, whatever the order of joints.
type Row = (f64, Vec<(String, f64)>, bool, String);

fn table(list: &WaypointsList) -> Vec<Row> {
    let row = |point: &ListPoint| {
        let names = list.joints().iter().map(|joint| joint.name.clone());
        let mut cells: Vec<_> = names.zip(point.positions.iter().copied()).collect();
        cells.sort_by(|a, b| a.0.cmp(&b.0));
        (point.time_secs, cells, point.enabled, point.note.clone())
    };
    list.points().iter().map(row).collect()
}

fn edited(mut list: WaypointsList, seeds: &[Seed]) -> WaypointsList {
    for seed in seeds {
        // Whether it is refused is not the question here.
        list.apply(&seed.edit(&list)).ok();
    }
    list
}

fn assert_near(a: &WaypointsList, b: &WaypointsList, most: f64) {
    let near = |a: f64, b: f64| (a - b).abs() <= most * a.abs().max(1.0);
    assert_eq!((a.start(), a.end()), (b.start(), b.end()));
    assert_eq!((a.points().len(), a.actions().len()), (b.points().len(), b.actions().len()));
    for (a, b) in a.points().iter().zip(b.points()) {
        assert!(near(a.time_secs, b.time_secs), "{} and {}", a.time_secs, b.time_secs);
        assert_eq!((a.id, &a.positions, &a.note), (b.id, &b.positions, &b.note));
        let pairs = a.velocities.iter().zip(&b.velocities);
        let mut pairs = pairs.chain(a.accelerations.iter().zip(&b.accelerations));
        assert!(pairs.all(|(a, b)| near(*a, *b)));
    }
    for (a, b) in a.actions().iter().zip(b.actions()) {
        assert!(near(a.time_secs, b.time_secs));
        assert_eq!(a.command, b.command);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_edits_leave_it_whole_and_refused_ones_leave_it_alone(
        list in random::list(),
        seeds in random::seeds(),
    ) {
        let mut list = list;
        assert_whole(&list);
        for seed in seeds {
            let edit = seed.edit(&list);
            let before = list.clone();
            match list.apply(&edit) {
                // Debug shows what equality leaves out: which id comes next.
                Err(_) => prop_assert_eq!(format!("{list:?}"), format!("{before:?}")),
                Ok(made) => {
                    let known = |id: &u64| before.point(*id).is_some();
                    prop_assert!(!made.ids.iter().any(known), "{:?} are not new", made.ids);
                    assert_whole(&list);
                }
            }
        }
    }

    #[test]
    fn ids_are_not_given_twice(list in random::list(), seeds in random::seeds()) {
        let mut list = list;
        let mut last = list.points().iter().map(|point| point.id).max().unwrap_or(0);
        last = list.actions().iter().map(|action| action.id).fold(last, u64::max);
        for seed in seeds {
            let made = list.apply(&seed.edit(&list)).unwrap_or_default();
            let mut sorted = made.ids.clone();
            sorted.sort_unstable();
            for id in sorted {
                prop_assert!(id > last, "{id} was given before");
                last = id;
            }
        }
    }

    #[test]
    fn a_motion_comes_back_from_its_list(motion in random::motion()) {
        let list = WaypointsList::from_motion(&motion).unwrap();
        prop_assert_eq!(list.to_motion(), motion);
    }

    #[test]
    fn what_was_saved_reads_back(list in random::list(), seeds in random::seeds()) {
        let list = edited(list, &seeds);
        let read = again(&list);
        prop_assert_eq!(read.to_motion(), list.to_motion());
        prop_assert_eq!(table(&read), table(&list));
        // What was read is the same list again, to the last id.
        prop_assert_eq!(again(&read), read);
    }

    #[test]
    fn reversing_twice_is_doing_nothing(list in random::list()) {
        let mut twice = list.clone();
        twice.apply(&Edit::Reverse).unwrap();
        prop_assert_eq!((twice.start(), twice.end()), (list.end(), list.start()));
        let ends = |list: &WaypointsList| {
            let times = list.points().iter().map(|point| point.time_secs);
            let times: Vec<_> = times.chain(list.actions().iter().map(|at| at.time_secs)).collect();
            let first = times.iter().copied().fold(f64::INFINITY, f64::min);
            (first, times.iter().copied().fold(0.0, f64::max))
        };
        prop_assert_eq!(ends(&twice), ends(&list));
        twice.apply(&Edit::Reverse).unwrap();
        // Two subtractions of times below 100 s.
        assert_near(&twice, &list, 1e-12);
    }

    #[test]
    fn mirroring_twice_is_doing_nothing(list in random::list(), seeds in random::seeds()) {
        prop_assume!(!list.points().is_empty());
        for seed in seeds {
            let mirror = Edit::Mirror { ids: Vec::new(), pairs: seed.pairs(&list) };
            let mut twice = list.clone();
            twice.apply(&mirror).unwrap();
            twice.apply(&mirror).unwrap();
            prop_assert_eq!(&twice, &list);
        }
    }

    #[test]
    fn scaling_there_and_back_is_doing_nothing(list in random::list(), speed in 0.06..16.0f64) {
        let mut back = list.clone();
        back.apply(&Edit::ScaleSpeed(speed)).unwrap();
        let ratio = |at: usize| list.points()[at].time_secs - back.points()[at].time_secs * speed;
        prop_assert!((0..list.points().len()).all(|at| ratio(at).abs() < 1e-9));
        back.apply(&Edit::ScaleSpeed(1.0 / speed)).unwrap();
        // Up to four roundings.
        assert_near(&back, &list, 1e-14);
    }
}
