//! Laws of the simulation, on every demo world: determinism, and going back in time.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod support;

use prost::Message;
use retake_msgs::{EntityRef, HashReply, MoveEntity, UserCmd, Vector3, WorldControl, user_cmd};
use retake_sim::{Request, Response, Server, ServerOptions, Simulation};
use support::{load, run, worlds};

#[test]
fn twice_in_one_process_gives_one_hash() {
    for file in worlds() {
        let (mut first, mut second) = (load(&file), load(&file));
        assert_eq!(run(&mut first, 300), run(&mut second, 300), "{}", file.display());
    }
}

#[test]
fn restore_then_steps_is_never_having_left() {
    for file in worlds() {
        let mut simulation = load(&file);
        run(&mut simulation, 250);
        let keyframe = simulation.capture();
        let before = simulation.hash().unwrap();
        let on = run(&mut simulation, 250);
        run(&mut simulation, 77);
        for _ in 0..2 {
            simulation.restore(&keyframe, "test");
            assert_eq!(simulation.hash().unwrap(), before, "{}", file.display());
            assert_eq!(run(&mut simulation, 250), on, "{}", file.display());
        }
    }
}

#[test]
fn restore_brings_back_what_was_deleted_and_takes_away_what_was_inserted() {
    let mut simulation = load(&worlds().into_iter().find(|w| w.ends_with("cones.sdf")).unwrap());
    run(&mut simulation, 100);
    let keyframe = simulation.capture();
    let on = run(&mut simulation, 200);
    simulation.restore(&keyframe, "test");
    let sdf = "<model name='extra'><pose>0 0 3 0 0 0</pose><link name='l'>\
               <collision name='c'><geometry><sphere><radius>0.2</radius></sphere></geometry>\
               </collision></link></model>";
    let insert = retake_msgs::InsertEntity { sdf: sdf.to_owned(), ..Default::default() };
    execute(&mut simulation, user_cmd::Command::InsertEntity(insert));
    let entity = vec![EntityRef::named("vehicle"), EntityRef::named("cone_1")];
    execute(
        &mut simulation,
        user_cmd::Command::DeleteEntities(retake_msgs::DeleteEntities { entity }),
    );
    run(&mut simulation, 150);
    simulation.restore(&keyframe, "test");
    assert_eq!(run(&mut simulation, 200), on);
}

fn execute(simulation: &mut Simulation, command: user_cmd::Command) {
    let command = UserCmd { command: Some(command), ..UserCmd::default() };
    let reply = simulation.execute(&command);
    assert!(reply.ok, "{}", reply.message);
}

#[test]
fn a_command_sent_twice_is_applied_once() {
    let file = worlds().into_iter().find(|w| w.ends_with("cones.sdf")).unwrap();
    let mut server = Server::new(load(&file), &ServerOptions::default());
    let insert = UserCmd {
        id: "0190-same".to_owned(),
        command: Some(user_cmd::Command::InsertEntity(retake_msgs::InsertEntity {
            sdf: "<model name='one'><link name='l'/></model>".to_owned(),
            allow_renaming: true,
            ..Default::default()
        })),
        ..UserCmd::default()
    };
    let reply = |response: Response| match response {
        Response::Done(reply) => reply,
        _ => panic!("a command is answered by whether it was done"),
    };
    let first = reply(server.handle(Request::Command(Box::new(insert.clone()))));
    let second = reply(server.handle(Request::Command(Box::new(insert))));
    assert!(first.ok, "{}", first.message);
    assert_eq!(first, second);
    assert!(retake_components::find(server.simulation().ecm(), "one_1").is_none());
}

#[test]
fn a_refused_command_changes_nothing() {
    let file = worlds().into_iter().find(|w| w.ends_with("cones.sdf")).unwrap();
    let mut simulation = load(&file);
    run(&mut simulation, 10);
    let before = simulation.hash().unwrap();
    for (x, text) in
        [(f64::NAN, "write a finite number"), (f64::INFINITY, "finite"), (1e30, "write metres")]
    {
        let command = user_cmd::Command::MoveEntity(MoveEntity {
            entity: Some(EntityRef::named("vehicle")),
            position: Some(Vector3 { x, y: 0.0, z: 0.0 }),
            ..MoveEntity::default()
        });
        let reply = simulation.execute(&UserCmd { command: Some(command), ..UserCmd::default() });
        assert!(!reply.ok && reply.message.contains(text), "{}", reply.message);
        assert_eq!(simulation.hash().unwrap(), before);
    }
}

fn cones_server() -> Server {
    let file = worlds().into_iter().find(|world| world.ends_with("cones.sdf")).unwrap();
    Server::new(load(&file), &ServerOptions { paused: true, ..ServerOptions::default() })
}

fn control(server: &mut Server, control: WorldControl) -> retake_msgs::UserCmdReply {
    server.handle(Request::Control(control)).into_reply()
}

#[test]
fn a_pause_drops_the_steps_that_were_asked_for() {
    let mut server = cones_server();
    let steps = WorldControl { multi_step: Some(1000), ..WorldControl::default() };
    assert!(control(&mut server, steps).ok);
    server.step();
    assert!(server.wants_step());
    assert!(control(&mut server, WorldControl { pause: Some(true), ..Default::default() }).ok);
    assert!(!server.wants_step());

    assert!(control(&mut server, steps).ok);
    let reset = user_cmd::Command::ResetWorld(retake_msgs::ResetWorld::default());
    server
        .handle(Request::Command(Box::new(UserCmd { command: Some(reset), ..Default::default() })));
    assert!(!server.wants_step());
}

#[test]
fn control_out_of_range_is_refused_and_changes_nothing() {
    let mut server = cones_server();
    let before = server.statistics();
    for real_time_factor in [-1.0, 1e-30, 1e9, f64::NAN] {
        let wild = WorldControl {
            pause: Some(false),
            real_time_factor: Some(real_time_factor),
            ..WorldControl::default()
        };
        let reply = control(&mut server, wild);
        assert!(!reply.ok && reply.message.contains("real time factor"), "{}", reply.message);
    }
    let steps = WorldControl { multi_step: Some(u32::MAX), ..WorldControl::default() };
    assert!(control(&mut server, steps).message.contains("at most 1000000 at once"));
    assert_eq!(server.statistics(), before);
}

#[test]
fn a_command_id_is_bounded_and_its_authors_own() {
    let mut server = cones_server();
    let insert = |author: &str, id: String| UserCmd {
        id,
        author: author.to_owned(),
        command: Some(user_cmd::Command::InsertEntity(retake_msgs::InsertEntity {
            sdf: "<model name='one'><link name='l'/></model>".to_owned(),
            allow_renaming: true,
            ..Default::default()
        })),
        ..UserCmd::default()
    };
    let send = |server: &mut Server, command| {
        server.handle(Request::Command(Box::new(command))).into_reply()
    };
    let refused = send(&mut server, insert("ann", "x".repeat(1000)));
    assert_eq!(refused.message, "id, author and gesture may have 128 bytes each");
    assert!(send(&mut server, insert("ann", "same".to_owned())).ok);
    assert!(send(&mut server, insert("bob", "same".to_owned())).ok);
    assert!(retake_components::find(server.simulation().ecm(), "one_1").is_some());
}

#[test]
fn the_hash_is_published_every_so_many_steps() {
    let file = worlds().into_iter().find(|world| world.ends_with("domino.sdf")).unwrap();
    let published = || {
        let hash_every = std::num::NonZeroU64::new(20);
        let options = ServerOptions { hash_every, ..ServerOptions::default() };
        let mut server = Server::new(load(&file), &options);
        (0..100).for_each(|_| server.step());
        let messages = server.drain_messages().into_iter();
        let hashes = messages.filter(|message| message.topic == "/world/domino/state_hash");
        let read = |m: retake_sim::OutMessage| HashReply::decode(m.bytes.as_slice()).unwrap();
        hashes.map(read).collect::<Vec<_>>()
    };
    let (first, second) = (published(), published());
    let steps: Vec<u64> = first.iter().map(|hash| hash.iterations).collect();
    assert_eq!(steps, [20, 40, 60, 80, 100]);
    assert_eq!(first, second);
    assert_ne!(first[0].hash, first[1].hash);
}
