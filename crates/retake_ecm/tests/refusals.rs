//! States that no honest sender makes: refused whole, with the reason.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use retake_ecm::{ApplyError, Ecm, EntityId, Parent, Registry, StateHash};
use retake_msgs::SerializedState;

fn empty() -> Ecm {
    Ecm::new(Registry::builder().build())
}

/// Entities of which each holds the next.
fn chain(length: usize) -> (Ecm, Vec<EntityId>) {
    let mut ecm = empty();
    let entities: Vec<_> = (0..length).map(|_| ecm.create()).collect();
    for pair in entities.windows(2) {
        ecm.set(pair[1], Parent(pair[0])).unwrap();
    }
    (ecm, entities)
}

fn hash(ecm: &Ecm) -> String {
    let mut hash = StateHash::new();
    hash.add_ecm(ecm).unwrap();
    hash.to_string()
}

/// Applies a message that must be refused and must leave everything as it was.
fn refused(ecm: &Ecm, state: &SerializedState) -> ApplyError {
    let mut ecm = ecm.clone();
    let before = hash(&ecm);
    let error = ecm.apply(state).unwrap_err();
    assert_eq!(hash(&ecm), before);
    error
}

/// The message that does what `edit` does.
fn delta(ecm: &Ecm, edit: impl FnOnce(&mut Ecm)) -> SerializedState {
    let mut edited = ecm.clone();
    edit(&mut edited);
    edited.encode_difference(ecm)
}

#[test]
fn ids_that_a_page_cannot_count_to_are_refused() {
    let (source, _) = chain(2);
    for id in [0, 1 << 53, u64::MAX] {
        for removed in [false, true] {
            let mut state = source.encode_full();
            (state.entities[1].id, state.entities[1].removed) = (id, removed);
            assert_eq!(refused(&empty(), &state), ApplyError::BadId { id });
        }
    }
    let mut state = source.encode_full();
    state.next_entity_id = 1 << 53;
    assert_eq!(
        refused(&empty(), &state).to_string(),
        "entity id 9007199254740992 is out of range; ids go from 1 to 9007199254740991"
    );
    state.next_entity_id = EntityId::LAST.raw();
    empty().apply(&state).unwrap();
}

#[test]
fn the_last_id_is_taken_and_none_comes_after_it() {
    let mut source = empty();
    assert!(source.create_with_id(EntityId::LAST));
    let mut replica = empty();
    replica.apply(&source.encode_full()).unwrap();
    assert_eq!(hash(&replica), hash(&source));
    for raw in [EntityId::LAST.raw(), u64::MAX] {
        assert_eq!(EntityId::from_raw(raw).next(), EntityId::LAST);
        assert!(!source.create_with_id(EntityId::from_raw(raw).next()));
    }
    assert!(!source.create_with_id(EntityId::from_raw(u64::MAX)));
    assert!(!source.create_with_id(EntityId::from_raw(0)));
}

#[test]
fn rings_of_parents_are_refused() {
    let (ecm, all) = chain(4);
    let to_itself = delta(&ecm, |ecm| ecm.set(all[0], Parent(all[0])).unwrap());
    assert_eq!(refused(&ecm, &to_itself), ApplyError::TooDeep { entity: all[0] });
    let around = delta(&ecm, |ecm| ecm.set(all[0], Parent(all[3])).unwrap());
    assert_eq!(
        refused(&ecm, &around).to_string(),
        "entity #1 is held by itself, or nested deeper than 256"
    );
    let mut ring = ecm.clone();
    ring.set(all[1], Parent(all[2])).unwrap();
    assert_eq!(refused(&empty(), &ring.encode_full()), ApplyError::TooDeep { entity: all[1] });
}

#[test]
fn walks_end_in_a_ring_of_parents() {
    let (mut ecm, all) = chain(4);
    ecm.set(all[1], Parent(all[3])).unwrap();
    assert_eq!(ecm.with_descendants(all[2]), [all[2], all[3], all[1]]);
    assert_eq!(ecm.with_descendants(all[0]), [all[0]]);
    assert_eq!(ecm.with_holders(all[2]).count(), Parent::MAX_DEPTH);
    assert!(ecm.remove_entity(all[2]));
    assert_eq!(ecm.entities().collect::<Vec<_>>(), [all[0]]);
}

#[test]
fn missing_holders_are_refused() {
    let (ecm, all) = chain(3);
    let nobody = EntityId::from_raw(99);
    let dangling = delta(&ecm, |ecm| ecm.set(all[2], Parent(nobody)).unwrap());
    assert_eq!(
        refused(&ecm, &dangling).to_string(),
        "entity #3 is held by #99, which does not exist"
    );
    let mut beheaded = delta(&ecm, |ecm| assert!(ecm.remove_entity(all[1])));
    beheaded.entities.retain(|entity| entity.id == all[1].raw());
    let expected = ApplyError::NoHolder { entity: all[2], holder: all[1] };
    assert_eq!(refused(&ecm, &beheaded), expected);
    let mut full = ecm.encode_full();
    full.entities.retain(|entity| entity.id != all[0].raw());
    let expected = ApplyError::NoHolder { entity: all[1], holder: all[0] };
    assert_eq!(refused(&ecm, &full), expected);
    assert_eq!(refused(&empty(), &full), expected);
}

#[test]
fn nesting_has_a_depth_that_no_message_leads_beyond() {
    let (deepest, all) = chain(Parent::MAX_DEPTH);
    let mut replica = empty();
    replica.apply(&deepest.encode_full()).unwrap();
    let (deeper, too_many) = chain(Parent::MAX_DEPTH + 1);
    let expected = ApplyError::TooDeep { entity: too_many[Parent::MAX_DEPTH] };
    assert_eq!(refused(&empty(), &deeper.encode_full()), expected);
    // The innermost would be pushed too deep by a holder around the outermost.
    let wrapped = delta(&replica, |ecm| {
        let holder = ecm.create();
        ecm.set(all[0], Parent(holder)).unwrap();
    });
    let expected = ApplyError::TooDeep { entity: all[Parent::MAX_DEPTH - 1] };
    assert_eq!(refused(&replica, &wrapped), expected);
}
