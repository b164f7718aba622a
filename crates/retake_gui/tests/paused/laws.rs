//! What must hold for any list of actions.

use proptest::prelude::*;
use retake_components::{export_world, world_entity};
use retake_description::World;
use retake_msgs::{
    CopyEntity, DeleteEntities, FieldChange, FieldValue, InsertEntity, MoveEntity, ScaleEntity,
    SetComponent, Vector3, field_value, user_cmd,
};

use crate::room::{Room, entity};

/// Something done to one of a GUI's own boxes.
#[derive(Clone, Debug)]
struct Deed {
    gui: usize,
    what: u8,
    which: usize,
    amount: f64,
}

/// Most actions in one list, whoever made them.
const MOST: usize = 500;
/// Boxes of each GUI.
const BOXES: usize = 3;

fn deeds(guis: usize, most: usize) -> impl Strategy<Value = Vec<Deed>> {
    let deed = (0..guis, 0..9u8, 0..BOXES, 0.5..2.0f64)
        .prop_map(|(gui, what, which, amount)| Deed { gui, what, which, amount });
    prop::collection::vec(deed, 1..most)
}

/// Turns a deed into a command on the box `name`.
fn command(deed: &Deed, name: &str, made: usize) -> user_cmd::Command {
    let Deed { amount, .. } = *deed;
    match deed.what {
        0 => user_cmd::Command::MoveEntity(MoveEntity {
            entity: entity(name),
            position: Some(Vector3 { x: amount, y: 10.0 * deed.gui as f64, z: 5.0 + amount }),
            ..MoveEntity::default()
        }),
        1 => user_cmd::Command::MoveEntity(MoveEntity {
            entity: entity(name),
            orientation: Some(retake_math::quat_from_rpy(retake_math::Vec3::Z * amount).into()),
            ..MoveEntity::default()
        }),
        2 => user_cmd::Command::ScaleEntity(ScaleEntity {
            entity: entity(name),
            factor: Some(Vector3 { x: amount, y: amount, z: amount }),
        }),
        3 => user_cmd::Command::DeleteEntities(DeleteEntities {
            entity: entity(name).into_iter().collect(),
        }),
        4 => user_cmd::Command::CopyEntity(CopyEntity {
            entity: entity(name),
            name: format!("copy_{}_{made}", deed.gui),
            ..CopyEntity::default()
        }),
        5 => set(&format!("{name}::l::c"), "surface", "friction.mu", amount),
        6 => set(&format!("{name}::l::c"), "surface", "bounce.restitution", amount / 2.0),
        7 => set(&format!("{name}::l"), "inertial", "mass_kg", amount),
        _ => user_cmd::Command::InsertEntity(InsertEntity {
            sdf: format!("<model name='new_{}_{made}'><link name='l'/></model>", deed.gui),
            ..InsertEntity::default()
        }),
    }
}

fn set(name: &str, component: &str, field: &str, number: f64) -> user_cmd::Command {
    let value = Some(FieldValue { value: Some(field_value::Value::Number(number)) });
    user_cmd::Command::SetComponent(SetComponent {
        entity: entity(name),
        component: component.to_owned(),
        change: vec![FieldChange { field: field.to_owned(), value }],
    })
}

/// Each GUI does its deeds to its own boxes, in the given order.
fn perform(room: &mut Room, deeds: &[Deed], shared: bool) -> usize {
    let mut accepted = 0;
    for (made, deed) in deeds.iter().enumerate() {
        let number = if shared { deed.which } else { deed.gui * BOXES + deed.which };
        let command = command(deed, &format!("b{number}"), made);
        accepted += usize::from(room.act(deed.gui, command).ok);
    }
    accepted
}

/// The deeds with those of each GUI in their order, but the GUIs one after the other.
fn regrouped(deeds: &[Deed], guis: usize) -> Vec<(usize, Deed)> {
    let of = |gui: usize| {
        let numbered = deeds.iter().cloned().enumerate();
        numbered.filter(move |(_, deed)| deed.gui == gui)
    };
    (0..guis).rev().flat_map(of).collect()
}

fn described(room: &Room) -> World {
    let ecm = room.server.simulation().ecm();
    export_world(ecm, world_entity(ecm).unwrap()).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn one_gui_sees_before_what_the_server_has_after(deeds in deeds(1, 40)) {
        let mut room = Room::new(BOXES, 1);
        perform(&mut room, &deeds, false);
        let seen = room.gui_hash(0);
        let taken = room.take_over();
        prop_assert!(taken.iter().flat_map(|told| &told.taken.outcome).all(|done| done.ok));
        prop_assert_eq!(room.hash(), seen.clone());
        prop_assert_eq!(room.gui_hash(0), seen);
        prop_assert!(!room.guis[0].commands.is_holding());
    }

    #[test]
    fn without_conflicts_any_interleaving_gives_the_same_world(
        guis in 1..5usize, list in deeds(4, MOST),
    ) {
        let list: Vec<Deed> = list.into_iter().map(|deed| Deed { gui: deed.gui % guis, ..deed }).collect();
        let mut mixed = Room::new(guis * BOXES, guis);
        perform(&mut mixed, &list, false);
        let mut grouped = Room::new(guis * BOXES, guis);
        for (made, deed) in regrouped(&list, guis) {
            let name = format!("b{}", deed.gui * BOXES + deed.which);
            grouped.act(deed.gui, command(&deed, &name, made));
        }
        for room in [&mut mixed, &mut grouped] {
            room.take_over();
            prop_assert_eq!(room.conflicts(), 0);
        }
        prop_assert_eq!(mixed.hash(), grouped.hash());
    }

    #[test]
    fn with_conflicts_all_sides_end_equal(guis in 2..5usize, list in deeds(4, MOST)) {
        let list: Vec<Deed> = list.into_iter().map(|deed| Deed { gui: deed.gui % guis, ..deed }).collect();
        let mut room = Room::new(BOXES, guis);
        let accepted = perform(&mut room, &list, true);
        let taken = room.resume();
        let outcomes = taken.iter().map(|told| told.taken.outcome.len()).sum::<usize>();
        prop_assert_eq!(outcomes, accepted);
        for gui in 0..guis {
            prop_assert_eq!(room.gui_hash(gui), room.hash());
            prop_assert!(!room.guis[gui].commands.is_holding());
        }
        let refused = taken.iter().flat_map(|told| &told.taken.outcome).filter(|done| !done.ok);
        prop_assert!(refused.into_iter().all(|done| !done.message.is_empty()));
    }

    #[test]
    fn in_one_process_and_in_two_the_same_script_ends_in_the_same_world(list in deeds(1, 40)) {
        let mut two = Room::new(BOXES, 1);
        let mut one = Room::new(BOXES, 0);
        for (made, deed) in list.iter().enumerate() {
            let name = format!("b{}", deed.which);
            let kept = two.act(0, command(deed, &name, made));
            let done = one.ask("page 0.1", command(deed, &name, made));
            prop_assert_eq!((kept.ok, kept.message), (done.ok, done.message));
        }
        two.take_over();
        prop_assert!(described(&one) == described(&two));
        for room in [&mut one, &mut two] {
            (0..20).for_each(|_| room.server.step());
        }
        prop_assert!(described(&one) == described(&two));
        let names = |room: &Room| -> Vec<String> {
            room.server.history().undo.iter().map(|entry| entry.description.clone()).collect()
        };
        prop_assert_eq!(names(&one), names(&two));
    }

    #[test]
    fn each_action_is_undone_and_redone_by_itself(list in deeds(2, 25)) {
        let mut room = Room::new(2 * BOXES, 2);
        perform(&mut room, &list, false);
        let start = room.hash();
        room.take_over();
        let end = room.hash();
        let ids: Vec<_> = room.server.history().undo.iter().map(|e| e.id.clone()).collect();
        let jump = |room: &mut Room, id: &str, undo| {
            let request = retake_msgs::UndoRedo { id: id.to_owned(), undo, ..Default::default() };
            let reply = room.server.handle(retake_sim::Request::UndoRedo(request)).into_reply();
            assert!(reply.ok, "{}", reply.message);
        };
        let mut on_the_way = vec![end];
        for id in ids.iter().rev() {
            jump(&mut room, id, true);
            on_the_way.push(room.hash());
        }
        prop_assert_eq!(room.hash(), start);
        for (id, expected) in ids.iter().zip(on_the_way.iter().rev().skip(1)) {
            jump(&mut room, id, false);
            prop_assert_eq!(&room.hash(), expected);
        }
    }
}
