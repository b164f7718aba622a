//! Laws of the Ecm, on random edits: what a replica, a keyframe and a message must preserve.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::sync::Arc;

use proptest::prelude::*;
use retake_ecm::{Component, Ecm, EntityId, Parent, Registry, StateHash};
use retake_msgs::SerializedState;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Label(String);

impl Component for Label {
    const NAME: &'static str = "label";
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Place {
    x: f64,
    y: f64,
}

impl Component for Place {
    const NAME: &'static str = "place";
}

fn registry() -> Arc<Registry> {
    Registry::builder().with::<Label>().with::<Place>().build()
}

fn hash(ecm: &Ecm) -> String {
    let mut hash = StateHash::new();
    hash.add_ecm(ecm).unwrap();
    hash.to_string()
}

#[derive(Clone, Debug)]
enum Edit {
    Create,
    Adopt(usize, usize),
    SetLabel(usize, u8),
    SetPlace(usize, f64),
    DropPlace(usize),
    Remove(usize),
    CloseTick,
}

fn edits(most: usize) -> impl Strategy<Value = Vec<Edit>> {
    let edit = prop_oneof![
        3 => Just(Edit::Create),
        1 => (0..200usize, 0..200usize).prop_map(|(a, b)| Edit::Adopt(a, b)),
        3 => (0..200usize, any::<u8>()).prop_map(|(a, b)| Edit::SetLabel(a, b)),
        3 => (0..200usize, -1e3..1e3f64).prop_map(|(a, b)| Edit::SetPlace(a, b)),
        1 => (0..200usize).prop_map(Edit::DropPlace),
        1 => (0..200usize).prop_map(Edit::Remove),
        1 => Just(Edit::CloseTick),
    ];
    prop::collection::vec(edit, 0..most)
}

fn perform(ecm: &mut Ecm, edits: &[Edit]) {
    let pick = |ecm: &Ecm, n: usize| {
        let all: Vec<EntityId> = ecm.entities().collect();
        (!all.is_empty()).then(|| all[n % all.len()])
    };
    for edit in edits {
        match edit {
            Edit::Create => {
                ecm.create();
            }
            Edit::Adopt(a, b) => {
                // A parent always has the lower id here, so that no one holds itself.
                if let (Some(a), Some(b)) = (pick(ecm, *a), pick(ecm, *b))
                    && a < b
                {
                    ecm.set(b, Parent(a)).unwrap();
                }
            }
            Edit::SetLabel(n, text) => {
                if let Some(entity) = pick(ecm, *n) {
                    ecm.set(entity, Label(format!("l{text}"))).unwrap();
                }
            }
            Edit::SetPlace(n, x) => {
                if let Some(entity) = pick(ecm, *n) {
                    ecm.set(entity, Place { x: *x, y: -x }).unwrap();
                }
            }
            Edit::DropPlace(n) => {
                if let Some(entity) = pick(ecm, *n) {
                    ecm.remove::<Place>(entity);
                }
            }
            Edit::Remove(n) => {
                if let Some(entity) = pick(ecm, *n) {
                    ecm.remove_entity(entity);
                }
            }
            Edit::CloseTick => {
                ecm.close_tick();
            }
        }
    }
}

fn made_by(edits: &[Edit]) -> Ecm {
    let mut ecm = Ecm::new(registry());
    perform(&mut ecm, edits);
    ecm
}

/// The next free id travels with full states alone, so replicas are compared without it.
fn same_content(a: &Ecm, b: &Ecm) -> bool {
    a.entities().eq(b.entities())
        && a.entities().all(|entity| a.components_json(entity) == b.components_json(entity))
}

proptest! {
    #[test]
    fn a_full_state_makes_an_equal_world(a in edits(120), b in edits(120)) {
        let source = made_by(&a);
        let mut replica = made_by(&b);
        replica.apply(&source.encode_full()).unwrap();
        prop_assert_eq!(hash(&replica), hash(&source));
    }

    #[test]
    fn applying_a_difference_bridges_it(a in edits(80), b in edits(80), c in edits(80)) {
        let old = made_by(&a);
        // `new` grew out of `old` or has nothing to do with it.
        for mut new in [old.clone(), made_by(&c)] {
            perform(&mut new, &b);
            let mut replica = old.clone();
            replica.apply(&new.encode_difference(&old)).unwrap();
            prop_assert!(same_content(&replica, &new));
        }
    }

    #[test]
    fn a_replica_follows_by_deltas(rounds in prop::collection::vec(edits(30), 1..8)) {
        let mut source = Ecm::new(registry());
        let mut replica = Ecm::new(registry());
        let mut seen = 0;
        for round in rounds {
            perform(&mut source, &round);
            replica.apply(&source.encode_since(seen)).unwrap();
            seen = source.close_tick();
            prop_assert!(same_content(&replica, &source));
        }
    }

    #[test]
    fn restore_brings_the_state_back_and_replicas_follow(a in edits(80), b in edits(80)) {
        let mut ecm = made_by(&a);
        let before = hash(&ecm);
        let keyframe = ecm.snapshot();
        perform(&mut ecm, &b);
        let mut replica = Ecm::new(registry());
        replica.apply(&ecm.encode_full()).unwrap();
        let seen = ecm.close_tick();

        ecm.restore(&keyframe);

        prop_assert_eq!(hash(&ecm), before.clone());
        prop_assert_eq!(hash(&keyframe), before);
        replica.apply(&ecm.encode_since(seen)).unwrap();
        prop_assert!(same_content(&replica, &ecm));
    }

    #[test]
    fn a_damaged_state_is_refused_whole_or_taken_whole(
        a in edits(60), b in edits(60), flip in any::<prop::sample::Index>(), bit in 0..8u8,
    ) {
        use prost::Message;
        let mut bytes = made_by(&a).encode_full().encode_to_vec();
        prop_assume!(!bytes.is_empty());
        let at = flip.index(bytes.len());
        bytes[at] ^= 1 << bit;
        let mut replica = made_by(&b);
        let before = hash(&replica);
        if let Ok(state) = SerializedState::decode(bytes.as_slice())
            && replica.apply(&state).is_err()
        {
            prop_assert_eq!(hash(&replica), before);
        }
    }
}

#[test]
fn an_unknown_component_is_carried_on() {
    let mut source = Ecm::new(registry());
    let entity = source.create();
    source.set(entity, Label("kept".into())).unwrap();
    let mut carrier = Ecm::new(Registry::builder().build());
    carrier.apply(&source.encode_full()).unwrap();
    let mut back = Ecm::new(registry());
    back.apply(&carrier.encode_full()).unwrap();
    assert_eq!(back.get::<Label>(entity), Some(&Label("kept".into())));
    let shown = carrier.components_json(entity);
    assert_eq!(shown, [("label".to_owned(), serde_json::json!("kept"))]);
}

#[test]
fn another_version_is_refused_with_its_name() {
    let mut source = Ecm::new(registry());
    let entity = source.create();
    source.set(entity, Label("x".into())).unwrap();
    let mut state = source.encode_full();
    state.types[0].version = 9;
    let refused = Ecm::new(registry()).apply(&state).unwrap_err().to_string();
    assert_eq!(refused, "component label has version 9, this program reads version 1");
}

#[test]
fn forgotten_removals_give_a_full_state() {
    let mut ecm = Ecm::new(registry());
    let seen = ecm.close_tick();
    for _ in 0..10_000 {
        let entity = ecm.create();
        ecm.remove_entity(entity);
        ecm.close_tick();
    }
    assert!(ecm.encode_since(seen).full);
    assert!(!ecm.encode_since(ecm.tick() - 10).full);
}

#[test]
fn equal_values_are_no_change_and_removing_a_parent_removes_its_children() {
    let mut ecm = Ecm::new(registry());
    let (a, b) = (ecm.create(), ecm.create());
    ecm.set(b, Parent(a)).unwrap();
    ecm.set(b, Label("b".into())).unwrap();
    let seen = ecm.close_tick();
    ecm.set(b, Label("b".into())).unwrap();
    assert_eq!(ecm.changed_since::<Label>(seen).count(), 0);
    ecm.remove_entity(a);
    assert!(!ecm.exists(b));
    assert_eq!(ecm.removed_since(seen), Some(vec![a, b]));
    assert!(ecm.set(b, Label("late".into())).is_err());
}
