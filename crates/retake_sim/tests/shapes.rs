//! Shapes whose files are of no use: the world goes on without them, and says so.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::fmt::Write as _;
use std::path::Path;
use std::sync::Mutex;
use std::sync::mpsc::channel;

use retake_assets::ResourceRoots;
use retake_diag::Diagnostics;
use retake_msgs::{InsertEntity, UserCmd, user_cmd};
use retake_sim::{
    Event, Request, Runner, Server, ServerOptions, Simulation, SimulationOptions, inbox,
};

/// A cube with its corners at ±1.
const CUBE: &str = "v -1 -1 -1\nv 1 -1 -1\nv 1 1 -1\nv -1 1 -1\nv -1 -1 1\nv 1 -1 1\nv 1 1 1\n\
    v -1 1 1\nf 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";

fn write_files(folder: &Path) {
    let mut claims = vec![0; 80];
    claims.extend(u32::MAX.to_le_bytes());
    let text = |name: &str, content: &str| std::fs::write(folder.join(name), content).unwrap();
    std::fs::write(folder.join("claims.stl"), claims).unwrap();
    text("nan.obj", "v 0 0 0\nv nan 0 0\nv 0 1 0\nf 1 2 3\n");
    text("wild.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4000000000\n");
    text("empty.obj", "v 0 0 0\n");
    text("flat.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    text("far.obj", "v 0 0 0\nv 1e30 0 0\nv 0 1 0\nf 1 2 3\n");
    text("terrain.png", "no image");
    text("terrain.tif", "II*\0");
    text("cube.obj", CUBE);
}

fn model(name: &str, geometry: &str) -> String {
    format!(
        "<model name='{name}'><pose>0 0 5 0 0 0</pose><link name='l'><collision name='c'>\
         <geometry>{geometry}</geometry></collision></link></model>"
    )
}

fn load(folder: &Path, models: &str) -> Simulation {
    let text = format!("<sdf version='1.11'><world name='w'>{models}</world></sdf>");
    let path = folder.join("w.sdf");
    std::fs::write(&path, text).unwrap();
    let mut found = Diagnostics::new();
    let world = retake_sdf::load_world_file(&path, &ResourceRoots::new(), &mut found).unwrap();
    let mut roots = ResourceRoots::new();
    roots.add(folder).unwrap();
    let options = SimulationOptions { roots, ..SimulationOptions::default() };
    Simulation::load(&world, &options).unwrap()
}

fn said(events: Vec<Event>) -> Vec<String> {
    let text = |event| match event {
        Event::Notified(notification) => Some(notification.text),
        Event::TimeJumped(_) | Event::Conflict(_) => None,
    };
    events.into_iter().filter_map(text).collect()
}

#[test]
fn shapes_that_cannot_be_are_left_out_and_named() {
    let folder = tempfile::tempdir().unwrap();
    write_files(folder.path());
    let mesh = |file: &str, how: &str| format!("<mesh {how}><uri>{file}</uri></mesh>");
    let hull = "optimization='convex_hull'";
    let parts = "optimization='convex_decomposition'";
    let terrain =
        |file: &str| format!("<heightmap><uri>{file}</uri><size>1 1 1</size></heightmap>");
    let cases = [
        ("claims", mesh("claims.stl", ""), "the header claims 4294967295 triangles"),
        ("nan", mesh("nan.obj", hull), "not a finite number"),
        ("wild", mesh("wild.obj", ""), "a face names item 4000000000 of 3"),
        ("empty", mesh("empty.obj", ""), "no triangles"),
        ("flat", mesh("flat.obj", hull), "in one plane"),
        ("flat_parts", mesh("flat.obj", parts), ""),
        ("far", mesh("far.obj", ""), "is outside of -1e6 to 1e6 m"),
        ("gone", mesh("gone.obj", ""), "was not found"),
        ("image", terrain("terrain.png"), "does not read"),
        ("geotiff", terrain("terrain.tif"), "does not read GeoTIFF"),
        (
            "line",
            "<polyline><point>0 0</point><height>1</height></polyline>".to_owned(),
            "three points",
        ),
    ];
    let mut models = String::new();
    for (name, geometry, _) in &cases {
        write!(models, "{}", model(name, geometry)).unwrap();
    }
    let mut simulation = load(folder.path(), &models);
    let said = said(simulation.drain_events());
    for (name, _, reason) in &cases {
        let named = said.iter().find(|text| text.starts_with(&format!("{name}::l::c: ")));
        let named = named.unwrap_or_else(|| panic!("nothing about {name} in {said:#?}"));
        assert!(named.contains(reason), "{named}");
    }
    for _ in 0..100 {
        simulation.step().unwrap();
    }
}

#[test]
fn a_load_tells_how_far_it_has_come() {
    let folder = tempfile::tempdir().unwrap();
    write_files(folder.path());
    let cube = |scale: u32| {
        let geometry = format!("<mesh><uri>cube.obj</uri><scale>{scale} 1 1</scale></mesh>");
        model(&format!("cube_{scale}"), &geometry)
    };
    let models: String = (1..=12).map(cube).collect();
    let text = format!("<sdf version='1.11'><world name='w'>{models}</world></sdf>");
    let path = folder.path().join("w.sdf");
    std::fs::write(&path, text).unwrap();
    let mut found = Diagnostics::new();
    let world = retake_sdf::load_world_file(&path, &ResourceRoots::new(), &mut found).unwrap();
    let told = Mutex::new(Vec::new());
    let tell = |progress: retake_sim::LoadProgress| told.lock().unwrap().push(progress.to_string());
    Simulation::load_telling(&world, &SimulationOptions::default(), &tell).unwrap();
    let told = told.into_inner().unwrap();
    assert_eq!(told.len(), 12);
    assert!(told.contains(&"Loading meshes 3/12".to_owned()), "{told:?}");
}

#[test]
fn a_running_world_takes_an_insertion_with_a_mesh() {
    let folder = tempfile::tempdir().unwrap();
    write_files(folder.path());
    let simulation = load(folder.path(), "");
    let server = Server::new(simulation, &ServerOptions::default());
    let (sender, inbox) = inbox();
    let runner = Runner::new(server, inbox, Vec::new()).spawn().unwrap();
    let (answers, answered) = channel();
    let insert = |id: &str, name: &str, file: &str| {
        let geometry =
            format!("<mesh optimization='convex_decomposition'><uri>{file}</uri></mesh>");
        let insert = InsertEntity { sdf: model(name, &geometry), ..InsertEntity::default() };
        let command = UserCmd {
            id: id.to_owned(),
            author: "ann".to_owned(),
            command: Some(user_cmd::Command::InsertEntity(insert)),
            ..UserCmd::default()
        };
        let answers = answers.clone();
        let reply = move |response: retake_sim::Response| {
            answers.send(response.into_reply().message).unwrap();
        };
        sender.send(Request::Command(Box::new(command)), Box::new(reply));
    };
    insert("1", "cube", "cube.obj");
    insert("1", "cube", "cube.obj");
    insert("2", "cube", "cube.obj");
    insert("3", "unseen", "gone.obj");
    let next = || answered.recv().unwrap();
    assert_eq!((next(), next()), ("Insert cube".to_owned(), "Insert cube".to_owned()));
    assert!(next().starts_with("There is an entity named \"cube\" already"));
    assert_eq!(next(), "Insert unseen");
    // Nobody can send any more, so the runner ends by itself.
    drop(sender);
    let server = runner.join().unwrap();
    assert!(retake_components::find(server.simulation().ecm(), "cube").is_some());
}

#[test]
fn inserting_twice_gives_the_same_state_whether_shapes_were_kept_or_not() {
    let folder = tempfile::tempdir().unwrap();
    write_files(folder.path());
    let geometry = "<mesh optimization='convex_decomposition'><uri>cube.obj</uri></mesh>";
    let insert = InsertEntity { sdf: model("cube", geometry), ..InsertEntity::default() };
    let command =
        UserCmd { command: Some(user_cmd::Command::InsertEntity(insert)), ..UserCmd::default() };
    let run = |simulation: &mut Simulation| {
        assert!(simulation.execute(&command).ok);
        (0..50).for_each(|_| simulation.step().unwrap());
        simulation.hash().unwrap()
    };
    let mut first = load(folder.path(), "");
    let fresh = run(&mut first);
    first.reset();
    assert_eq!(run(&mut first), fresh);
    assert_eq!(run(&mut load(folder.path(), "")), fresh);
}
