//! Single rules of taking over.

use retake_components::{Shape, WorldClock, find, world_entity, world_pose};
use retake_description::{Geometry, MeshUse};
use retake_ecm::{Component, Ecm};
use retake_math::Vec3;
use retake_msgs::{
    DeleteEntities, InsertEntity, MoveEntity, PausedAction, PausedActionsTaken, SerializedState,
    SerializedStateV, UndoRedo, UserCmd, Vector3, user_cmd,
};
use retake_sim::{NoAnswer, Offer, Request};
use serde::{Deserialize, Serialize};

use crate::room::{Room, all, entity, registry_with, user};

fn move_to(name: &str, x: f64) -> user_cmd::Command {
    user_cmd::Command::MoveEntity(MoveEntity {
        entity: entity(name),
        position: Some(Vector3 { x, y: 5.0, z: 5.0 }),
        ..MoveEntity::default()
    })
}

fn delete(name: &str) -> user_cmd::Command {
    user_cmd::Command::DeleteEntities(DeleteEntities { entity: entity(name).into_iter().collect() })
}

fn insert(name: &str) -> user_cmd::Command {
    let sdf = format!("<model name='{name}'><link name='l'/></model>");
    user_cmd::Command::InsertEntity(InsertEntity { sdf, ..InsertEntity::default() })
}

fn x_of(room: &Room, name: &str) -> f64 {
    let ecm = room.server.simulation().ecm();
    world_pose(ecm, find(ecm, name).unwrap()).position.x
}

fn refusals(room: &mut Room) -> Vec<String> {
    let taken = room.take_over();
    let outcomes = taken.into_iter().flat_map(|told| told.taken.outcome);
    outcomes.filter(|done| !done.ok).map(|done| done.message).collect()
}

#[test]
fn what_was_offered_twice_is_taken_once() {
    let mut room = Room::new(2, 1);
    room.act(0, insert("one"));
    room.act(0, move_to("b0", 7.0));
    let offers = room.offers();
    let first = {
        let offers = room.offers();
        room.server.take_over(offers)
    };
    // The acknowledgement is lost, and somebody moves the box on before they are offered again.
    room.ask("eve", move_to("b0", 9.0));
    let again = room.server.take_over(offers);
    assert_eq!(first[0].taken.outcome, again[0].taken.outcome);
    assert_eq!(x_of(&room, "b0"), 9.0);
    assert_eq!(room.server.history().undo.len(), 3);
    room.tell(again[0].gui, &again[0].taken);
    assert!(!room.guis[0].commands.is_holding());
}

#[test]
fn a_gui_lets_go_of_exactly_what_was_taken() {
    let mut room = Room::new(2, 1);
    room.act(0, move_to("b0", 7.0));
    let offers = room.offers();
    // Done after the server asked.
    room.act(0, move_to("b1", 8.0));
    let taken = room.server.take_over(offers);
    room.tell(taken[0].gui, &taken[0].taken);
    room.settle();
    let held = room.guis[0].commands.all().action;
    assert_eq!(held.len(), 1);
    assert_eq!(held[0].command.as_ref().unwrap().description, "Move b1");
    assert_eq!((x_of(&room, "b0"), x_of(&room, "b1")), (7.0, 2.0));
    room.take_over();
    assert_eq!(x_of(&room, "b1"), 8.0);
}

#[test]
fn what_depends_on_a_refused_action_is_refused_and_the_rest_applies() {
    let mut room = Room::new(3, 1);
    room.act(0, move_to("b0", 7.0));
    room.act(0, move_to("b1", 7.5));
    room.act(0, move_to("b0", 8.0));
    room.ask("eve", delete("b0"));
    let refused = refusals(&mut room);
    assert_eq!(refused.len(), 2);
    assert!(refused[0].contains("does not exist any more"), "{refused:?}");
    assert_eq!(x_of(&room, "b1"), 7.5);
    // The reasons stand at the actions until they are dropped.
    let pending = room.guis[0].commands.pending().action;
    assert!(pending.iter().all(|action| !action.refused.is_empty()));
    assert!(room.guis[0].commands.discard(&pending[0].id));
    assert!(!room.guis[0].commands.discard(&pending[0].id));
    assert_eq!(room.guis[0].commands.pending().action.len(), 1);
}

#[test]
fn what_the_engine_refuses_is_refused_alone() {
    let mut room = Room::new(3, 1);
    room.act(0, move_to("b0", 7.0));
    room.act(0, insert("fine"));
    room.act(0, move_to("b1", 8.0));
    // No engine takes a link this heavy and small; the GUI has no engine to find that out.
    let mut offers = room.offers();
    spoil(&mut offers[0], 1);
    let before = room.hash();
    let taken = room.server.take_over(offers);
    let outcomes: Vec<bool> = taken[0].taken.outcome.iter().map(|done| done.ok).collect();
    assert_eq!(outcomes, [true, false, true], "{taken:?}");
    assert_ne!(room.hash(), before);
    assert_eq!((x_of(&room, "b0"), x_of(&room, "b1")), (7.0, 8.0));
    assert!(find(room.server.simulation().ecm(), "fine").is_none());
    // And what was taken can be undone one by one.
    let undo: Vec<_> = room.server.history().undo.iter().map(|e| e.id.clone()).collect();
    assert_eq!(undo.len(), 2);
    let request = UndoRedo { id: undo[1].clone(), undo: true, ..UndoRedo::default() };
    assert!(room.server.handle(Request::UndoRedo(request)).into_reply().ok);
    assert_eq!((x_of(&room, "b0"), x_of(&room, "b1")), (7.0, 2.0));
}

/// Makes the inertia of what an action inserts impossible.
fn spoil(offer: &mut Offer, action: usize) {
    let offered = offer.answer.as_mut().unwrap();
    let state = offered.action[action].state.as_mut().unwrap();
    let inertial = state.types.iter().position(|kind| kind.name == "inertial").unwrap() as u32;
    let link = state.entities.iter_mut().flat_map(|entity| &mut entity.components);
    let inertia = link.into_iter().find(|component| component.type_index == inertial).unwrap();
    let mut value = inertia.value.clone();
    // Every number of it becomes negative or not a number at all.
    let at = value.iter().position(|byte| *byte == 0xcb).unwrap();
    value[at + 1..at + 9].copy_from_slice(&f64::NAN.to_be_bytes());
    inertia.value = value;
}

#[test]
fn a_damaged_or_foreign_offer_changes_nothing() {
    let mut room = Room::new(2, 1);
    room.act(0, move_to("b0", 7.0));
    let before = room.hash();
    let mut full = room.offers();
    full[0].answer.as_mut().unwrap().action[0].state =
        Some(SerializedState { full: true, ..Default::default() });
    let taken = room.server.take_over(full);
    assert_eq!(taken[0].taken.outcome[0].message, "the edit is a whole state");
    assert_eq!(room.hash(), before);
    // A GUI that nobody knows, and one that did not answer.
    let foreign = Offer { gui: 99, answer: Ok(all(&room.offers())[0].clone()) };
    let silent = Offer { gui: 1, answer: Err(NoAnswer::Silent("It did not answer".into())) };
    room.server.take_over(vec![foreign, silent]);
    assert_eq!(room.hash(), before);
    let text = format!("{:?}", room.server.drain_events());
    assert!(
        text.contains("gui0 1 gave no actions: It did not answer. They stay with it"),
        "{text}"
    );
}

#[test]
fn a_drag_is_one_action() {
    let mut room = Room::new(2, 1);
    for (step, x) in [7.0, 7.5, 8.0].into_iter().enumerate() {
        let command = UserCmd {
            id: format!("drag-{step}"),
            gesture: "drag".into(),
            ..user(0, move_to("b0", x))
        };
        assert!(room.act_as(0, &command).ok);
    }
    room.act(0, move_to("b1", 3.0));
    assert_eq!(room.guis[0].commands.all().action.len(), 2);
    room.take_over();
    assert_eq!(x_of(&room, "b0"), 8.0);
    assert_eq!(room.server.history().undo.len(), 2);
    let undo = |id: &str| UndoRedo { id: id.into(), undo: true, jump: true, ..UndoRedo::default() };
    assert!(room.server.handle(Request::UndoRedo(undo("drag-0"))).into_reply().ok);
    assert_eq!(x_of(&room, "b0"), 0.0);
}

#[test]
fn a_world_that_runs_shows_what_is_true_and_takes_late_actions() {
    let mut room = Room::new(2, 1);
    room.act(0, move_to("b0", 7.0));
    // Somebody played before this GUI was asked.
    room.control(false);
    let shown = |room: &Room| {
        let ecm = room.guis[0].commands.ecm();
        world_pose(ecm, find(ecm, "b0").unwrap()).position
    };
    assert_eq!(shown(&room), Vec3::new(0.0, 0.0, 0.25));
    assert!(room.guis[0].commands.is_holding());
    assert!(!room.guis[0].commands.takes(&user(0, move_to("b0", 1.0))));
    room.take_over();
    assert_eq!(x_of(&room, "b0"), 7.0);
}

#[test]
fn what_is_acknowledged_stays_seen_until_it_arrives() {
    let mut room = Room::new(2, 1);
    room.act(0, move_to("b0", 7.0));
    let taken = {
        let offers = room.offers();
        room.server.take_over(offers)
    };
    // The acknowledgement comes before the state that has it.
    room.tell(taken[0].gui, &taken[0].taken);
    let ecm = room.guis[0].commands.ecm();
    assert_eq!(world_pose(ecm, find(ecm, "b0").unwrap()).position.x, 7.0);
    room.settle();
    let ecm = room.guis[0].commands.ecm();
    assert_eq!(world_pose(ecm, find(ecm, "b0").unwrap()).position.x, 7.0);
    // Nothing is left of it here: what happens next is the server's.
    room.ask("eve", move_to("b0", 9.0));
    room.settle();
    let ecm = room.guis[0].commands.ecm();
    assert_eq!(world_pose(ecm, find(ecm, "b0").unwrap()).position.x, 9.0);
}

#[test]
fn too_many_actions_are_refused_until_the_world_goes_on() {
    let mut room = Room::new(1, 1);
    let mut refused = None;
    for step in 0..16_385 {
        let reply = room.act(0, move_to("b0", f64::from(step) * 1e-3));
        refused = (!reply.ok).then_some(reply.message);
    }
    let expected = "16384 actions wait for the server. Let the world go on first";
    assert_eq!(refused.as_deref(), Some(expected));
    assert!(refusals(&mut room).is_empty());
    assert!(room.act(0, move_to("b0", 1.0)).ok);
    // Nobody is told more than anybody can read.
    assert!(room.server.pending().gui.is_empty());
    room.guis[0].commands.clear(&PausedActionsTaken::default());
}

/// An action that no editor made: whatever another program writes into its copy.
fn forged(room: &Room, number: u64, change: impl FnOnce(&mut Ecm)) -> Offer {
    let mut ecm = Ecm::new(registry_with::<Gadget>());
    ecm.apply(&room.server.simulation().ecm().encode_full()).unwrap();
    let before = ecm.snapshot();
    change(&mut ecm);
    let action =
        PausedAction { number, state: Some(ecm.encode_edit(&before)), ..PausedAction::default() };
    Offer { gui: room.guis[0].id, answer: Ok(SerializedStateV { gui: 1, action: vec![action] }) }
}

/// A component that the server has never heard of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Gadget(f64);

impl Component for Gadget {
    const NAME: &'static str = "gadget";
}

#[test]
fn a_state_from_elsewhere_is_not_trusted() {
    let mut room = Room::new(2, 1);
    let before = room.hash();
    let outside = |ecm: &mut Ecm| {
        let collision = find(ecm, "b0::l::c").unwrap();
        ecm.set(
            collision,
            Shape(Geometry::Mesh {
                uri: "x.stl".into(),
                path: "/etc/passwd".into(),
                submesh: None,
                scale: Vec3::ONE,
                center_submesh: false,
                collide_as: MeshUse::default(),
            }),
        )
        .unwrap();
    };
    let clock = |ecm: &mut Ecm| {
        let world = world_entity(ecm).unwrap();
        ecm.get_mut::<WorldClock>(world).unwrap().iterations = 99;
    };
    let no_world = |ecm: &mut Ecm| {
        let world = world_entity(ecm).unwrap();
        ecm.remove_entity(world);
    };
    let same_name = |ecm: &mut Ecm| {
        let model = find(ecm, "b0").unwrap();
        ecm.set(model, retake_components::EntityName("b1".into())).unwrap();
    };
    type Change<'a> = &'a dyn Fn(&mut Ecm);
    let changes: [(&str, Change<'_>); 4] =
        [("/etc/passwd", &outside), ("clock", &clock), ("world", &no_world), ("b1", &same_name)];
    for (number, (word, change)) in (1..).zip(changes) {
        let offer = forged(&room, number, change);
        let taken = room.server.take_over(vec![offer]);
        let outcome = &taken[0].taken.outcome[0];
        assert!(!outcome.ok && outcome.message.contains(word), "{word}: {outcome:?}");
        assert_eq!(room.hash(), before, "{word}");
    }
}

#[test]
fn a_component_that_the_server_does_not_know_is_kept_and_passed_on() {
    let mut room = Room::new(2, 1);
    let offer = forged(&room, 1, |ecm| {
        let model = find(ecm, "b0").unwrap();
        ecm.set(model, Gadget(4.5)).unwrap();
    });
    let taken = room.server.take_over(vec![offer]);
    assert!(taken[0].taken.outcome[0].ok, "{taken:?}");
    (0..3).for_each(|_| room.server.step());
    room.settle();
    for ecm in [room.server.simulation().ecm(), room.guis[0].commands.ecm()] {
        let shown = ecm.components_json(find(ecm, "b0").unwrap());
        let gadget = shown.iter().find(|(name, _)| name == "gadget").unwrap();
        assert_eq!(gadget.1, serde_json::json!(4.5));
    }
}

#[test]
fn a_gui_that_comes_back_does_not_bring_its_actions_twice() {
    let mut room = Room::new(2, 1);
    room.act(0, insert("one"));
    room.act(0, move_to("b0", 7.0));
    let offers = room.offers();
    room.server.take_over(offers);
    // The connection breaks before the acknowledgement; the GUI joins anew with what it holds.
    room.rejoin(0, "gui0", "");
    room.ask("eve", move_to("b0", 9.0));
    let taken = room.take_over();
    assert!(taken[0].taken.outcome.iter().all(|done| done.ok), "{taken:?}");
    assert_eq!(x_of(&room, "b0"), 9.0);
    assert_eq!(room.server.history().undo.len(), 3);
    assert!(!room.guis[0].commands.is_holding());
    // Its ids go on where they were.
    assert!(room.act(0, insert("two")).ok);
    assert!(refusals(&mut room).is_empty());
}

#[test]
fn another_run_of_the_server_gets_nothing_that_was_meant_for_the_first() {
    let mut room = Room::new(2, 1);
    room.act(0, insert("one"));
    room.act(0, move_to("b0", 7.0));
    assert_eq!(room.rejoin(0, "gui0", "another run"), 2);
    assert!(!room.guis[0].commands.is_holding());
    assert!(room.act(0, insert("two")).ok);
    assert!(refusals(&mut room).is_empty());
}

#[test]
fn ids_of_others_are_refused() {
    let mut room = Room::new(2, 2);
    room.act(1, insert("one"));
    let mut offer = room.offers().remove(1);
    offer.gui = room.guis[0].id;
    let taken = room.server.take_over(vec![offer]);
    let message = &taken[0].taken.outcome[0].message;
    assert!(message.contains("is not one of the ids that this GUI may give"), "{message}");
    assert!(find(room.server.simulation().ecm(), "one").is_none());
}

#[test]
fn what_is_undone_while_it_is_taken_over_is_told() {
    let mut room = Room::new(2, 1);
    room.act(0, move_to("b0", 7.0));
    let offers = room.offers();
    let id = offers[0].answer.as_ref().unwrap().action[0].command.as_ref().unwrap().id.clone();
    let undo = UndoRedo { id, undo: true, ..UndoRedo::default() };
    room.guis[0].commands.undo_redo(&undo).unwrap();
    let taken = room.server.take_over(offers);
    let cleared = room.guis[0].commands.clear(&taken[0].taken);
    assert_eq!(cleared.too_late[0].description, "Move b0");
    assert_eq!(x_of(&room, "b0"), 7.0);
    // It is the server's now.
    assert!(room.server.handle(Request::UndoRedo(undo)).into_reply().ok);
    assert_eq!(x_of(&room, "b0"), 0.0);
}

#[test]
fn a_jump_to_what_nobody_has_undoes_nothing() {
    let mut room = Room::new(2, 1);
    room.act(0, move_to("b0", 7.0));
    let undo = UndoRedo { id: "gone".into(), undo: true, jump: true, ..UndoRedo::default() };
    room.guis[0].commands.undo_redo(&undo).unwrap();
    assert!(room.guis[0].commands.is_holding());
}

#[test]
fn a_value_that_was_undone_is_in_nobodys_way() {
    let mut room = Room::new(2, 1);
    room.ask("eve", move_to("b0", 7.0));
    let id = room.server.history().undo[0].id.clone();
    let undo = UndoRedo { id, undo: true, ..UndoRedo::default() };
    assert!(room.server.handle(Request::UndoRedo(undo)).into_reply().ok);
    room.settle();
    room.act(0, move_to("b0", 8.0));
    room.take_over();
    assert_eq!(room.conflicts(), 0);
}

#[test]
fn actions_taken_over_together_share_the_engine_in_the_budget() {
    let mut room = Room::new(50, 1);
    for step in 0..50 {
        room.act(0, move_to(&format!("b{step}"), 100.0 + f64::from(step)));
    }
    let alone = room.server.simulation().capture().engine.bytes() as u64;
    room.take_over();
    let bytes = room.server.history().bytes;
    assert_eq!(room.server.history().undo.len(), 50);
    assert!(bytes < 20 * alone, "{bytes} bytes, one engine takes {alone}");
}
