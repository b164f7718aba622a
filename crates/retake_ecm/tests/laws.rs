//! Laws of the Ecm, on random edits: what a replica, a keyframe and a message must preserve.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use std::panic::{AssertUnwindSafe, catch_unwind};

use proptest::prelude::*;
use retake_ecm::{Ecm, Parent, Registry};
use retake_msgs::SerializedState;

use common::{Label, Place, edits, hash, made_by, perform, registry, same_content};

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
            prop_assert_eq!(hash(&replica), hash(&source));
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

#[test]
fn of_a_type_that_was_not_registered_nobody_has_a_value() {
    let mut ecm = Ecm::new(Registry::builder().with::<Label>().build());
    let entity = ecm.create();
    ecm.set(entity, Label("a".to_owned())).unwrap();
    assert_eq!(ecm.get::<Place>(entity), None);
    assert_eq!(ecm.iter::<Place>().count(), 0);
    assert_eq!(ecm.changed_since::<Place>(0).count(), 0);
    assert_eq!(ecm.changed_since::<Label>(0).count(), 1);
    // Writing one is a mistake that must not go unnoticed.
    let write = AssertUnwindSafe(|| ecm.set(entity, Place { x: 0.0, y: 0.0 }));
    let panic = catch_unwind(write).unwrap_err();
    assert_eq!(*panic.downcast::<String>().unwrap(), "component \"place\" is not registered");
}
