//! Laws of edits: made on one copy, laid over another.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use proptest::prelude::*;
use prost::Message;
use retake_ecm::{Ecm, EntityId, IdBlock, MergeError, Parent, Registry, written_fields};
use retake_msgs::SerializedState;

use common::{Label, Place, edits, hash, made_by, perform, registry, same_content};

/// A world with one entity that has a place and a label.
fn start() -> (Ecm, EntityId) {
    let mut ecm = Ecm::new(registry());
    let entity = ecm.create();
    ecm.set(entity, Place { x: 0.0, y: 0.0 }).unwrap();
    ecm.set(entity, Label("one".into())).unwrap();
    (ecm, entity)
}

fn edit(from: &Ecm, change: impl FnOnce(&mut Ecm)) -> SerializedState {
    let mut to = from.clone();
    change(&mut to);
    to.encode_edit(from)
}

proptest! {
    #[test]
    fn an_edit_leads_to_what_it_led_to(a in edits(80), b in edits(80)) {
        let old = made_by(&a);
        let mut new = old.clone();
        perform(&mut new, &b);
        let mut copy = old.clone();
        copy.merge(&new.encode_edit(&old)).unwrap();
        prop_assert!(same_content(&copy, &new));
    }

    #[test]
    fn edits_in_a_row_lead_to_the_same_as_one(a in edits(40), rounds in prop::collection::vec(edits(20), 1..6)) {
        let old = made_by(&a);
        let mut copy = old.clone();
        let mut at = old.clone();
        for round in rounds {
            let before = at.clone();
            perform(&mut at, &round);
            copy.merge(&at.encode_edit(&before)).unwrap();
        }
        prop_assert!(same_content(&copy, &at));
    }

    #[test]
    fn a_damaged_edit_is_taken_whole_or_refused_whole(
        a in edits(40), b in edits(40), flip in any::<prop::sample::Index>(), bit in 0..8u8,
        cut in any::<prop::sample::Index>(),
    ) {
        let old = made_by(&a);
        let mut new = old.clone();
        perform(&mut new, &b);
        let bytes = new.encode_edit(&old).encode_to_vec();
        prop_assume!(!bytes.is_empty());
        let mut flipped = bytes.clone();
        flipped[flip.index(bytes.len())] ^= 1 << bit;
        for damaged in [&flipped[..], &bytes[..cut.index(bytes.len())]] {
            let mut copy = old.clone();
            if let Ok(state) = SerializedState::decode(damaged) && copy.merge(&state).is_err() {
                prop_assert_eq!(hash(&copy), hash(&old));
            }
        }
    }
}

#[test]
fn different_fields_of_one_component_both_hold() {
    let (base, entity) = start();
    let east = edit(&base, |ecm| ecm.get_mut::<Place>(entity).unwrap().x = 1.0);
    let north = edit(&base, |ecm| ecm.get_mut::<Place>(entity).unwrap().y = 2.0);
    for order in [[&east, &north], [&north, &east]] {
        let mut ecm = base.clone();
        order.into_iter().for_each(|edit| ecm.merge(edit).unwrap());
        assert_eq!(ecm.get(entity), Some(&Place { x: 1.0, y: 2.0 }));
    }
}

#[test]
fn of_one_field_the_later_edit_holds() {
    let (base, entity) = start();
    let edits = [3.0, 4.0].map(|x| edit(&base, |ecm| ecm.get_mut::<Place>(entity).unwrap().x = x));
    let mut ecm = base.clone();
    edits.iter().for_each(|edit| ecm.merge(edit).unwrap());
    assert_eq!(ecm.get(entity), Some(&Place { x: 4.0, y: 0.0 }));
    let written: Vec<_> = edits.iter().flat_map(written_fields).collect();
    assert_eq!(written.len(), 2);
    assert!(written[0].overlaps(&written[1]));
    assert_eq!((written[1].component.as_str(), written[1].field.as_str()), ("place", "x"));
    assert_eq!(written[1].after, Some(4.0.into()));
}

#[test]
fn an_edit_of_what_is_gone_or_made_twice_is_refused_whole() {
    let (base, entity) = start();
    let moved = edit(&base, |ecm| {
        ecm.set(entity, Place { x: 5.0, y: 0.0 }).unwrap();
        ecm.create();
    });
    let mut gone = base.clone();
    gone.remove_entity(entity);
    let before = hash(&gone);
    assert_eq!(gone.merge(&moved), Err(MergeError::Gone { entity }));
    assert_eq!(hash(&gone), before);
    let mut twice = base.clone();
    twice.merge(&moved).unwrap();
    assert!(matches!(twice.merge(&moved), Err(MergeError::Taken { .. })));
    assert_eq!(twice.merge(&base.encode_full()), Err(MergeError::Whole));
}

#[test]
fn removing_takes_along_what_was_put_in_since_and_leaves_what_was_taken_out() {
    let (mut base, holder) = start();
    let child = base.create();
    base.set(child, Parent(holder)).unwrap();
    let removed = edit(&base, |ecm| {
        ecm.remove::<Parent>(child);
        ecm.remove_entity(holder);
    });
    let mut ecm = base.clone();
    let late = ecm.create();
    ecm.set(late, Parent(holder)).unwrap();
    ecm.merge(&removed).unwrap();
    assert_eq!(ecm.entities().collect::<Vec<_>>(), [child]);
    // Removed by somebody else too: both got what they wanted.
    let again = edit(&base, |ecm| assert!(ecm.remove_entity(holder)));
    ecm.merge(&again).unwrap();
}

#[test]
fn ids_of_a_block_never_meet_those_of_others() {
    let (mut ecm, _) = start();
    let own = ecm.next_entity();
    let blocks = [0, 1].map(|number| IdBlock::numbered(number).unwrap());
    for block in blocks {
        let before = ecm.give_ids_from(block.first());
        let made = [ecm.create(), ecm.create()];
        assert_eq!(made, [block.first(), block.first().next()]);
        assert_eq!(block.left(ecm.give_ids_from(before)), IdBlock::SIZE - 2);
    }
    assert_eq!(ecm.create(), own);
    assert_eq!(IdBlock::of(own), None);
    assert_eq!(IdBlock::of(blocks[1].first()), Some(blocks[1]));
    assert_eq!(IdBlock::numbered(u64::MAX), None);
}

#[test]
fn types_that_are_not_known_are_merged_as_bytes() {
    let (base, entity) = start();
    let named = edit(&base, |ecm| ecm.set(entity, Label("two".into())).unwrap());
    let mut carrier = Ecm::new(Registry::builder().build());
    carrier.apply(&base.encode_full()).unwrap();
    carrier.merge(&named).unwrap();
    let mut back = Ecm::new(registry());
    back.apply(&carrier.encode_full()).unwrap();
    assert_eq!(back.get::<Label>(entity), Some(&Label("two".into())));
}
