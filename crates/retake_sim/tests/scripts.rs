//! Scripts in a world: they do what a system does, go back with the world, and are changed while
//! they run.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::path::Path;

use retake_assets::ResourceRoots;
use retake_components::{LocalPose, find};
use retake_diag::Diagnostics;
use retake_msgs::{EntityRef, ReloadScript, UndoRedo, UserCmd, UserCmdReply, user_cmd};
use retake_script::Value;
use retake_sim::systems::script::{ScriptSource, ScriptState};
use retake_sim::{Request, Response, Server, ServerOptions, Simulation, SimulationOptions};

fn worlds() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../worlds"))
}

fn simulation(sdf: &str, folder: &Path) -> Simulation {
    let mut roots = ResourceRoots::new();
    roots.add(folder).unwrap();
    let mut found = Diagnostics::new();
    let world = retake_sdf::parse_world(sdf, "test.sdf", &roots, &mut found).unwrap();
    Simulation::load(&world, &SimulationOptions { roots, ..SimulationOptions::default() }).unwrap()
}

#[test]
fn a_script_drives_as_the_system_does() {
    let text = std::fs::read_to_string(worlds().join("cones.sdf")).unwrap();
    // Each has random numbers of its own, so that neither may use any.
    let native = text.replace("<steering_noise>0.3</steering_noise>", "");
    let scripted = native.replace(
        r#"<plugin name="retake::CourseDriver" filename="retake">"#,
        r#"<plugin name="course" filename="retake-script"><script>scripts/course.luau</script>"#,
    );
    assert_ne!(native, scripted);
    let (mut native, mut scripted) =
        (simulation(&native, worlds()), simulation(&scripted, worlds()));
    for step in 0..5000 {
        native.step().unwrap();
        scripted.step().unwrap();
        let pose = |simulation: &Simulation| {
            let ecm = simulation.ecm();
            ecm.get::<LocalPose>(find(ecm, "vehicle").unwrap()).copied()
        };
        assert_eq!(pose(&native), pose(&scripted), "after step {step}");
    }
    let ecm = scripted.ecm();
    let state = ecm.get::<ScriptState>(find(ecm, "vehicle::course").unwrap()).unwrap();
    assert!(state.0.state.get("next").and_then(Value::number) > Some(1.0), "{state:?}");
}

const WORLD: &str = "<sdf version='1.11'><world name='w'><model name='m'><static>true</static>
    <link name='l'/><plugin name='p' filename='retake-script'><script>s.luau</script></plugin>
    </model></world></sdf>";

const BY_ONE: &str = "function step(state) state.n = (state.n or 0) + 1 end";
const BY_TEN: &str = "function step(state) state.n = state.n + 10 end";

/// A server with a script, and the folder of its file.
struct Bench {
    server: Server,
    folder: tempfile::TempDir,
    commands: u32,
}

impl Bench {
    fn new(text: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("s.luau"), text).unwrap();
        let simulation = simulation(WORLD, folder.path());
        let options = ServerOptions { paused: true, ..ServerOptions::default() };
        Self { server: Server::new(simulation, &options), folder, commands: 0 }
    }

    fn write(&self, text: &str) {
        std::fs::write(self.folder.path().join("s.luau"), text).unwrap();
    }

    fn reload(&mut self) -> UserCmdReply {
        let plugin = Some(EntityRef::named("m::p"));
        let reload = ReloadScript { plugin, ..ReloadScript::default() };
        let command = Some(user_cmd::Command::ReloadScript(reload));
        self.commands += 1;
        let (id, author) = (self.commands.to_string(), "ann".to_owned());
        let command = UserCmd { id, author, command, ..UserCmd::default() };
        self.server.handle(Request::Command(Box::new(command))).into_reply()
    }

    fn undo(&mut self) {
        let (id, author) = (self.commands.to_string(), "ann".to_owned());
        let undo = UndoRedo { id, undo: true, author, ..UndoRedo::default() };
        let reply = self.server.handle(Request::UndoRedo(undo)).into_reply();
        assert!(reply.ok, "{}", reply.message);
    }

    fn steps(&mut self, count: usize) -> Option<f64> {
        (0..count).for_each(|_| self.server.step());
        let ecm = self.server.simulation().ecm();
        ecm.get::<ScriptState>(find(ecm, "m::p")?)?.0.state.get("n")?.number()
    }

    /// Why the script was stopped within a hundred steps; empty when it goes on.
    fn reason(&mut self) -> String {
        (0..100).for_each(|_| self.server.step());
        let Response::Stats(stats) = self.server.handle(Request::Stats) else { panic!("no stats") };
        stats.failed_systems.first().map(|failed| failed.reason.clone()).unwrap_or_default()
    }

    fn text(&self) -> String {
        let ecm = self.server.simulation().ecm();
        ecm.get::<ScriptSource>(find(ecm, "m::p").unwrap()).unwrap().text.to_string()
    }
}

#[test]
fn a_reload_keeps_the_state_and_can_be_undone() {
    let mut bench = Bench::new(BY_ONE);
    assert_eq!(bench.steps(5), Some(5.0));
    bench.write(BY_TEN);
    assert_eq!(bench.steps(1), Some(6.0), "nothing changes until it is asked for");
    let reply = bench.reload();
    assert!(reply.ok, "{}", reply.message);
    assert_eq!(reply.message, "Reload script m::p");
    assert_eq!(bench.steps(2), Some(26.0));
    bench.undo();
    assert_eq!((bench.text(), bench.steps(1)), (BY_ONE.to_owned(), Some(7.0)));
}

#[test]
fn a_text_that_cannot_run_is_refused_and_the_old_one_goes_on() {
    let mut bench = Bench::new(BY_ONE);
    assert_eq!(bench.steps(1), Some(1.0));
    bench.write("function step(state\n  state.n = 0 end");
    let reply = bench.reload();
    assert!(!reply.ok && reply.message.starts_with("s.luau:2:"), "{}", reply.message);
    assert_eq!(bench.steps(1), Some(2.0));
    std::fs::remove_file(bench.folder.path().join("s.luau")).unwrap();
    let reply = bench.reload();
    let expected = "<script>: nothing under the resource folders is called \"s.luau\"";
    assert_eq!((reply.ok, reply.message.as_str()), (false, expected));
    assert_eq!(bench.steps(1), Some(3.0));
}

fn publishing_to(topic: &str) -> String {
    let publish = format!("api.publish({topic}, \"Double\", {{data = 1}})");
    format!("function step(state, api) state.n = (state.n or 0) + 1 {publish} end")
}

#[test]
fn a_script_publishes_where_anybody_can_listen_and_not_as_the_server() {
    assert_eq!(Bench::new(&publishing_to("\"/a/b\"")).reason(), "");
    for (topic, reason) in [
        ("\"/a//b\"", "it has an empty part"),
        ("\"/a\\nb\"", "it has the character '\\n'"),
        ("\"a\"", "it does not start with /"),
        ("\"/clock\"", "is where the server speaks"),
        ("\"/world/w/notifications\"", "is where the server speaks"),
        ("\"/timeline\"", "is where the server speaks"),
        ("\"/model/m/motion/result\"", "is where the server speaks"),
    ] {
        let told = Bench::new(&publishing_to(topic)).reason();
        assert!(told.contains(reason), "{topic}: {told}");
    }
}

#[test]
fn a_script_publishes_to_some_topics_and_not_to_ever_new_ones() {
    let text = |topic| publishing_to(&format!("\"/t/\" .. {topic}"));
    assert_eq!(Bench::new(&text("state.n % 64")).reason(), "");
    let told = Bench::new(&text("state.n")).reason();
    assert!(told.contains("it publishes to more than 64 topics"), "{told}");
}

#[test]
fn a_script_outside_of_the_roots_is_not_read() {
    let outside = tempfile::tempdir().unwrap();
    std::fs::write(outside.path().join("s.luau"), BY_ONE).unwrap();
    let inside = tempfile::tempdir().unwrap();
    let path = outside.path().join("s.luau").display().to_string();
    let mut simulation = simulation(&WORLD.replace("s.luau", &path), inside.path());
    simulation.step().unwrap();
    let ecm = simulation.ecm();
    let plugin = find(ecm, "m::p").unwrap();
    assert!(ecm.get::<ScriptState>(plugin).is_none());
    assert_eq!(ecm.get::<ScriptSource>(plugin).unwrap().text.as_ref(), "");
}

#[test]
fn a_state_that_was_kept_goes_on_without_the_file() {
    let mut bench = Bench::new(BY_ONE);
    bench.steps(3);
    let state = bench.server.simulation().ecm().encode_full();
    let mut ecm = Simulation::empty_ecm();
    ecm.apply(&state).unwrap();
    let (mut resumed, _) = Simulation::resume(ecm, None, &SimulationOptions::default()).unwrap();
    resumed.step().unwrap();
    bench.steps(1);
    assert_eq!(
        resumed.component_hash().unwrap(),
        bench.server.simulation().component_hash().unwrap()
    );
}
