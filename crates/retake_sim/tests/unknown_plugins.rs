//! Plugins that are libraries of others: nothing of them is run, and that is said.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use retake_assets::ResourceRoots;
use retake_diag::Diagnostics;
use retake_msgs::notification::Level;
use retake_msgs::{Findings, InsertEntity, UserCmd, finding, user_cmd};
use retake_sim::{Event, Request, Response, Server, ServerOptions, Simulation, SimulationOptions};

/// A library that cannot be opened without waiting for ever: a pipe that nobody writes into.
fn library(folder: &tempfile::TempDir) -> String {
    let path = folder.path().join("evil.so");
    let made = std::process::Command::new("mkfifo").arg(&path).status().unwrap();
    assert!(made.success());
    path.display().to_string()
}

fn model(name: &str, plugin: &str, library: &str) -> String {
    format!(
        "<model name='{name}'><link name='l'/>
         <plugin name='{plugin}' filename='{library}'/></model>"
    )
}

fn server(models: &str) -> Server {
    let text = format!("<sdf version='1.11'><world name='w'>{models}</world></sdf>");
    let (roots, mut found) = (ResourceRoots::new(), Diagnostics::new());
    let world = retake_sdf::parse_world(&text, "test.sdf", &roots, &mut found).unwrap();
    let simulation = Simulation::load(&world, &SimulationOptions::default()).unwrap();
    Server::new(simulation, &ServerOptions::default())
}

fn insert(server: &mut Server, model: String) -> Vec<(Level, String)> {
    let sdf = format!("<sdf version='1.11'>{model}</sdf>");
    let command = user_cmd::Command::InsertEntity(InsertEntity { sdf, ..Default::default() });
    let command = UserCmd { command: Some(command), ..UserCmd::default() };
    let reply = server.handle(Request::Command(Box::new(command))).into_reply();
    assert!(reply.ok, "{}", reply.message);
    server.step();
    told(server)
}

fn told(server: &mut Server) -> Vec<(Level, String)> {
    let events = server.drain_events().into_iter();
    let told = events.filter_map(|event| match event {
        Event::Notified(told) => Some((told.level(), told.text)),
        _ => None,
    });
    told.collect()
}

fn said(name: &str) -> String {
    format!("Plugin {name:?} is not known to Retake; it is kept but does nothing")
}

#[test]
fn a_library_that_a_client_names_is_not_opened_and_that_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let library = library(&folder);
    let mut server = server("");
    let warned = |name| vec![(Level::Warning, said(name))];
    assert_eq!(insert(&mut server, model("a", "evil::One", &library)), warned("evil::One"));
    let up = format!("../../..{library}");
    assert_eq!(insert(&mut server, model("b", "evil::Two", &up)), warned("evil::Two"));
    // Once for each.
    assert_eq!(insert(&mut server, model("c", "evil::One", &library)), []);
}

#[test]
fn what_was_remarked_while_loading_is_there_for_whoever_comes_later() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = server(&model("a", "evil::One", &library(&folder)));
    server.step();
    assert_eq!(told(&mut server), [(Level::Warning, said("evil::One"))]);
    let Response::Findings(found) = server.handle(Request::Findings) else { panic!("none") };
    let Findings { finding, .. } = found.as_ref();
    let found: Vec<_> = finding.iter().map(|f| (f.severity(), f.text.clone())).collect();
    assert_eq!(found, [(finding::Severity::Warning, said("evil::One"))]);
}
