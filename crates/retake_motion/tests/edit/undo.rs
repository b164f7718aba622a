//! Every edit can be undone, and done again.

use proptest::prelude::*;
use retake_motion::edit::{Draft, Edit, MAX_UNDO, WaypointsList};
use retake_motion::{Motion, Waypoint};

use crate::random;

fn arm() -> WaypointsList {
    WaypointsList::new("wave", vec!["pan".into(), "lift".into()]).unwrap()
}

fn pose(pan: f64, lift: f64) -> Vec<(String, f64)> {
    vec![("pan".into(), pan), ("lift".into(), lift)]
}

fn add(pan: f64) -> Edit {
    Edit::AddPoint { time_secs: None, pose: pose(pan, 0.0) }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn undo_gives_what_was_before_and_redo_what_was_after(
        list in random::list(),
        seeds in random::seeds(),
    ) {
        let mut draft = Draft::new(list.clone());
        let mut states = vec![list];
        for seed in seeds {
            let before = (draft.revision(), draft.list().clone());
            let applied = draft.apply(&seed.edit(draft.list()), "");
            let after = draft.list().clone();
            prop_assert_eq!(draft.revision() > before.0, after != before.1);
            prop_assert!(applied.is_ok() || after == before.1);
            if after == before.1 {
                continue;
            }
            let label = draft.undo().unwrap();
            prop_assert_eq!(draft.list(), &before.1);
            prop_assert_eq!(draft.redo_label(), Some(label.as_str()));
            prop_assert_eq!(draft.redo(), Some(label));
            prop_assert_eq!(draft.list(), &after);
            states.push(after);
        }
        for state in states.iter().rev().skip(1) {
            prop_assert!(draft.undo().is_some());
            prop_assert_eq!(draft.list(), state);
            prop_assert!(draft.list().check().is_ok());
        }
        prop_assert_eq!(draft.undo(), None);
        prop_assert!(draft.is_saved());
        for state in states.iter().skip(1) {
            prop_assert!(draft.redo().is_some());
            prop_assert_eq!(draft.list(), state);
        }
        prop_assert_eq!(draft.redo(), None);
    }

    #[test]
    fn a_stroke_is_undone_whole(
        list in random::list(),
        seeds in random::seeds(),
        strokes in prop::collection::vec(prop::sample::select(vec!["", "drag", "type"]), 40),
    ) {
        let mut draft = Draft::new(list.clone());
        // What is undone together, as a list of what was before.
        let (mut before, mut last) = (Vec::new(), "");
        for (seed, stroke) in seeds.iter().zip(strokes) {
            let was = draft.list().clone();
            draft.apply(&seed.edit(draft.list()), stroke).ok();
            if *draft.list() == was {
                continue;
            }
            if stroke.is_empty() || stroke != last {
                before.push(was);
            }
            last = stroke;
        }
        for state in before.iter().rev() {
            prop_assert!(draft.undo().is_some());
            prop_assert_eq!(draft.list(), state);
        }
        prop_assert_eq!(draft.list(), &list);
        prop_assert_eq!(draft.undo(), None);
    }
}

#[test]
fn the_oldest_edits_are_forgotten() {
    let mut draft = Draft::new(arm());
    for count in 0..MAX_UNDO + 50 {
        draft.apply(&add(count as f64), "").unwrap();
    }
    let undone = std::iter::from_fn(|| draft.undo()).count();
    assert_eq!(undone, MAX_UNDO);
    assert_eq!(draft.list().points().len(), 50);
}

#[test]
fn large_lists_are_forgotten_sooner_but_never_the_last() {
    let joints: Vec<String> = (0..100).map(|at| format!("joint_{at}")).collect();
    let waypoint = |at: u32| {
        let (time_secs, positions) = (f64::from(at), vec![0.0; 100]);
        Waypoint { time_secs, positions, enabled: true, ..Waypoint::default() }
    };
    let waypoints = (0..9_900).map(waypoint).collect();
    let motion = Motion { name: "long".into(), joints, waypoints, ..Motion::default() };
    let mut draft = Draft::new(WaypointsList::from_motion(&motion).unwrap());
    for speed in [2.0, 0.5].repeat(5) {
        draft.apply(&Edit::ScaleSpeed(speed), "").unwrap();
    }
    let undone = std::iter::from_fn(|| draft.undo()).count();
    // Each takes 8 bytes for 990,000 numbers and some for every waypoint.
    assert!((5..9).contains(&undone), "{undone} were kept");
}

#[test]
fn saved_is_what_would_be_written_again() {
    let mut draft = Draft::new(arm());
    assert!(draft.is_saved());
    draft.apply(&add(1.0), "").unwrap();
    assert!(!draft.is_saved());
    draft.mark_saved();
    assert!(draft.is_saved());
    draft.apply(&add(2.0), "").unwrap();
    draft.undo();
    assert!(draft.is_saved(), "undone to what was saved");
    draft.undo();
    assert!(!draft.is_saved(), "before what was saved");
    draft.redo();
    assert!(draft.is_saved());
    let limits = Edit::SetLimits { max_velocity: Some(1.0), max_acceleration: None };
    draft.apply(&limits, "").unwrap();
    assert!(draft.is_saved(), "limits are not written");
}

#[test]
fn saving_ends_a_stroke() {
    let mut draft = Draft::new(arm());
    draft.apply(&Edit::SetDescription("a".into()), "type").unwrap();
    draft.mark_saved();
    draft.apply(&Edit::SetDescription("ab".into()), "type").unwrap();
    draft.undo();
    assert_eq!(draft.list().description(), "a");
    assert!(draft.is_saved());
}

#[test]
fn undoing_ends_a_stroke() {
    let mut draft = Draft::new(arm());
    for text in ["a", "ab"] {
        draft.apply(&Edit::SetDescription(text.into()), "type").unwrap();
    }
    draft.undo();
    draft.redo();
    draft.apply(&Edit::SetDescription("abc".into()), "type").unwrap();
    draft.undo();
    assert_eq!(draft.list().description(), "ab");
}

#[test]
fn another_motion_can_be_undone_and_has_other_ids() {
    let mut draft = Draft::new(arm());
    draft.apply(&add(1.0), "").unwrap();
    let before = draft.list().clone();
    let mut loaded = arm();
    loaded.apply(&add(2.0)).unwrap();
    let motion: Motion = loaded.to_motion();
    draft.replace(loaded, "Load nod");
    assert_eq!(draft.list().to_motion(), motion);
    assert_ne!(draft.list().points()[0].id, before.points()[0].id);
    assert_eq!(draft.list().start(), Some(draft.list().points()[0].id));
    assert_eq!(draft.undo().as_deref(), Some("Load nod"));
    assert_eq!(draft.list(), &before);
}

#[test]
fn ids_of_what_was_undone_are_not_given_again() {
    let mut draft = Draft::new(arm());
    let first = draft.apply(&add(1.0), "").unwrap();
    draft.undo();
    let second = draft.apply(&add(2.0), "").unwrap();
    assert_ne!(first, second);
}
