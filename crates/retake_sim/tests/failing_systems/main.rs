//! Native systems that panic or never come back, in each of their callbacks, and steps of physics
//! that take long.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod elsewhere;
mod moody;
mod never_returning;
mod panicking;
mod slow_steps;

use moody::Steps;
use retake_assets::ResourceRoots;
use retake_components::find;
use retake_description::World;
use retake_diag::Diagnostics;
use retake_msgs::undo_redo::StuckSystems;
use retake_msgs::{
    DeleteEntities, EntityRef, InsertEntity, MoveEntity, UndoRedo, UserCmd, Vector3, user_cmd,
};
use retake_sim::{Request, Server, ServerOptions, Simulation, SimulationOptions};

/// A model that a moody system stands on.
fn model(name: &str) -> String {
    format!(
        "<model name='{name}'><pose>0 0 1 0 0 0</pose><link name='l'/>\
         <plugin filename='x' name='test::Moody'/></model>"
    )
}

/// A world with a moody model, and a steady one behind it.
fn world(name: &str) -> World {
    moody::add();
    let steady = model(&format!("{name}_steady"));
    world_with(&format!("{}{steady}", model(name)))
}

/// A world with these models and a box.
fn world_with(models: &str) -> World {
    let text = format!(
        "<sdf version='1.11'><world name='w'>{models}<model name='box'><link name='l'/></model>\
         </world></sdf>"
    );
    let (roots, mut found) = (ResourceRoots::new(), Diagnostics::new());
    retake_sdf::parse_world(&text, "test.sdf", &roots, &mut found).unwrap()
}

fn server(name: &str) -> Server {
    server_of(&world(name))
}

fn server_of(world: &World) -> Server {
    let simulation = Simulation::load(world, &SimulationOptions::default()).unwrap();
    Server::new(simulation, &ServerOptions { paused: true, ..ServerOptions::default() })
}

/// How often the system of a model acted.
fn steps_of(server: &Server, model: &str) -> Option<u64> {
    let ecm = server.simulation().ecm();
    let plugin = find(ecm, &format!("{model}::test::Moody"))?;
    ecm.get::<Steps>(plugin).map(|steps| steps.0)
}

fn command(id: &str, command: user_cmd::Command) -> Request {
    let (author, id) = ("ann".to_owned(), id.to_owned());
    Request::Command(Box::new(UserCmd { author, id, command: Some(command), ..UserCmd::default() }))
}

fn insert(name: &str) -> Request {
    let insert = InsertEntity { sdf: model(name), ..InsertEntity::default() };
    command("insertion", user_cmd::Command::InsertEntity(insert))
}

fn delete(name: &str) -> Request {
    let entity = vec![EntityRef::named(name)];
    command("deletion", user_cmd::Command::DeleteEntities(DeleteEntities { entity }))
}

fn move_box(id: &str) -> Request {
    let position = Some(Vector3 { x: 3.0, y: 0.0, z: 1.0 });
    let entity = Some(EntityRef::named("box"));
    let edit = MoveEntity { entity, position, ..MoveEntity::default() };
    command(id, user_cmd::Command::MoveEntity(edit))
}

fn undo(id: &str) -> Request {
    let (id, undo) = (id.to_owned(), true);
    let stuck_systems = StuckSystems::GoOn.into();
    Request::UndoRedo(UndoRedo { id, undo, stuck_systems, ..UndoRedo::default() })
}

fn message(model: &str) -> Request {
    Request::Message { topic: format!("/{model}"), bytes: Vec::new() }
}
