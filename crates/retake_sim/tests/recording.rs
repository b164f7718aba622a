//! Recording a world: what is in the log, and that the world does not notice.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::path::Path;
use std::sync::Arc;

use retake_assets::ResourceRoots;
use retake_components::{find, world_pose};
use retake_diag::Diagnostics;
use retake_log::{Log, LogStates, Topic};
use retake_math::SimTime;
use retake_msgs::{
    EntityRef, LogStart, LogStatus, MoveEntity, UndoRedo, UserCmd, Vector3, names, user_cmd,
};
use retake_sim::{
    Recorder, Recording, Request, Server, ServerOptions, Simulation, SimulationOptions, WhenFull,
};

const WORLD: &str = "<sdf version='1.11'><world name='w'>
  <model name='floor'><static>true</static><link name='l'><collision name='c'>
    <geometry><box><size>10 10 1</size></box></geometry></collision></link></model>
  <model name='box'><pose>0 0 2 0.2 0.1 0</pose><link name='l'>
    <collision name='c'><geometry><box><size>1 1 1</size></box></geometry></collision>
    <visual name='v'><geometry><box><size>1 1 1</size></box></geometry></visual>
  </link></model></world></sdf>";

fn server() -> Server {
    server_of(WORLD)
}

fn server_of(text: &str) -> Server {
    let mut found = Diagnostics::new();
    let roots = ResourceRoots::new();
    let world = retake_sdf::parse_world(text, "w.sdf", &roots, &mut found).unwrap();
    let simulation = Simulation::load(&world, &SimulationOptions::default()).unwrap();
    Server::new(simulation, &ServerOptions { paused: true, ..ServerOptions::default() })
}

/// A server whose recording goes into a folder.
struct Studio {
    server: Server,
    recording: Recording,
    folder: tempfile::TempDir,
}

impl Studio {
    fn new() -> Self {
        Self::around(server())
    }

    fn around(server: Server) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let recorder = Recorder::new(server.log_facts(), folder.path(), WhenFull::Wait);
        let recording = Recording::new(Arc::new(recorder));
        Self { server, recording, folder }
    }

    fn start(&mut self, request: LogStart) -> LogStatus {
        let status = self.recording.recorder().start(&request);
        self.recording.follow(&mut self.server);
        status
    }

    fn steps(&mut self, count: usize) {
        for _ in 0..count {
            self.server.step();
            self.server.drain_messages();
            self.recording.follow(&mut self.server);
        }
    }

    fn raise_box(&mut self, id: &str) {
        let position = Some(Vector3 { x: 0.0, y: 0.0, z: 5.0 });
        let entity = Some(EntityRef::named("box"));
        let raise = MoveEntity { entity, position, ..MoveEntity::default() };
        let command = Some(user_cmd::Command::MoveEntity(raise));
        let (id, author) = (id.to_owned(), "ann".to_owned());
        let command = UserCmd { id, author, command, ..UserCmd::default() };
        self.server.handle(Request::Command(Box::new(command)));
        self.recording.follow(&mut self.server);
    }

    fn undo(&mut self, id: &str) {
        let (id, author) = (id.to_owned(), "bob".to_owned());
        let undo = UndoRedo { id, undo: true, author, ..UndoRedo::default() };
        let reply = self.server.handle(Request::UndoRedo(undo)).into_reply();
        assert!(reply.ok, "{}", reply.message);
        self.recording.follow(&mut self.server);
    }

    fn stop(&mut self) -> (LogStatus, Arc<Log>) {
        let status = self.recording.stop(&mut self.server);
        assert!(status.ok, "{}", status.message);
        let log = Arc::new(Log::open(Path::new(&status.file)).unwrap());
        (status, log)
    }
}

fn named(file: &str) -> LogStart {
    LogStart { file: file.to_owned(), ..LogStart::default() }
}

fn height_of_box(states: &LogStates) -> f64 {
    let entity = find(states.ecm(), "box").unwrap();
    world_pose(states.ecm(), entity).position.z
}

fn states_of(log: &Arc<Log>) -> LogStates {
    LogStates::new(Arc::clone(log), retake_sim::systems::registry())
}

#[test]
fn a_recorded_world_has_the_same_hash() {
    let mut studio = Studio::new();
    let mut alone = server();
    assert!(studio.start(named("rec")).ok);
    studio.steps(700);
    studio.stop();
    studio.steps(100);
    (0..800).for_each(|_| alone.step());
    assert_eq!(studio.server.simulation().hash().unwrap(), alone.simulation().hash().unwrap());
}

#[test]
fn each_step_is_in_the_log_and_time_only_grows_there() {
    let mut studio = Studio::new();
    studio.steps(50);
    assert!(studio.start(named("rec")).ok);
    studio.steps(200);
    studio.raise_box("a");
    studio.steps(100);
    studio.undo("a");
    studio.steps(50);
    let (status, log) = studio.stop();
    assert_eq!(status.dropped, 0);
    assert_eq!(log.length(), SimTime::from_nanos(350_000_000));
    let mut last = SimTime::ZERO;
    for message in log.messages(&[], ..) {
        let recorded = message.unwrap().stamp.recorded;
        assert!(recorded >= last, "{recorded} after {last}");
        last = recorded;
    }
    let [first, second] = log.stretches() else { panic!("{:?}", log.stretches()) };
    assert_eq!((first.sim_begin, second.sim_begin).0, SimTime::from_nanos(50_000_000));
    assert_eq!(second.sim_begin, SimTime::from_nanos(250_000_000));
    let jump = second.jump.as_ref().unwrap();
    assert_eq!((jump.cause.as_str(), jump.author.as_str()), ("undo", "bob"));
    let mut states = states_of(&log);
    let at = SimTime::from_nanos(260_000_000);
    assert!(states.seek_sim_time(at, 0).unwrap());
    assert!(height_of_box(&states) > 4.0);
    assert!(states.seek_sim_time(at, 1).unwrap());
    assert!(height_of_box(&states) < 2.0);
    assert!(!states.seek_sim_time(at, 2).unwrap());
}

#[test]
fn a_log_has_what_others_draw_and_what_came_from_outside() {
    let mut studio = Studio::new();
    assert!(studio.start(named("rec")).ok);
    studio.steps(100);
    studio.raise_box("a");
    studio.steps(10);
    let (_, log) = studio.stop();
    let count = |topic: &str| {
        let found = log.topics().iter().find(|known| &*known.name == topic);
        found.map_or(0, |found| found.messages)
    };
    assert_eq!(count(&names::log_inputs("w")), 1);
    assert_eq!(count(names::LOG_SCENE), 1);
    assert_eq!(count(names::LOG_FRAMES), 4);
    assert!(count(&names::log_keyframes("w")) >= 1);
    assert!(log.topics().iter().all(|topic| !topic.descriptors.is_empty()));
}

#[test]
fn what_systems_say_is_not_taken_for_the_logs_own_word() {
    let speaking_at = |topic: &str| {
        format!(
            "<plugin filename='gz-sim-odometry-publisher-system'
               name='gz::sim::systems::OdometryPublisher'><odom_topic>{topic}</odom_topic></plugin>"
        )
    };
    let topics = ["/timeline", "/tf", "/world/w/keyframe", "/world/w/state", "/odom"];
    let plugins: String = topics.iter().map(|topic| speaking_at(topic)).collect();
    let world = WORLD.replace("<model name='box'>", &format!("<model name='box'>{plugins}"));
    let mut studio = Studio::around(server_of(&world));
    assert!(studio.start(named("rec")).ok);
    studio.steps(100);
    let (_, log) = studio.stop();
    let told = |topic: &str| {
        let of_systems =
            |known: &&Topic| &*known.name == topic && known.type_name.ends_with("Odometry");
        log.topics().iter().find(of_systems).map_or(0, |known| known.messages)
    };
    assert_eq!(topics.map(told), [0, 0, 0, 0, 5]);
    assert_eq!(log.stretches().len(), 1);
    assert!(log.damage().is_empty(), "{:?}", log.damage());
}

#[test]
fn fewer_states_have_the_last_one_too() {
    let mut studio = Studio::new();
    assert!(studio.start(LogStart { rate_hz: 20.0, ..named("few") }).ok);
    studio.steps(330);
    let (status, log) = studio.stop();
    assert_eq!(status.recorded.map(|time| SimTime::from(&time)), Some(log.length()));
    let mut states = states_of(&log);
    states.seek(SimTime::ZERO).unwrap();
    let mut times = vec![states.stamp().sim_time.as_nanos() / 1_000_000];
    while states.step(1).unwrap() == 1 {
        times.push(states.stamp().sim_time.as_nanos() / 1_000_000);
    }
    assert_eq!(times, [0, 50, 100, 150, 200, 250, 300, 330]);
}

#[test]
fn what_cannot_be_recorded_is_refused_and_nothing_is_left_behind() {
    let mut studio = Studio::new();
    let refused = |status: LogStatus| {
        assert!(!status.ok && !status.recording, "{status:?}");
        status.message
    };
    assert!(refused(studio.start(named("../out"))).contains("is no name for a log"));
    let fast = LogStart { rate_hz: f64::NAN, ..named("a") };
    assert!(refused(studio.start(fast)).contains("rate_hz is NaN"));
    std::fs::write(studio.folder.path().join("there.mcap"), "mine").unwrap();
    assert!(refused(studio.start(named("there"))).contains("there.mcap"));
    assert_eq!(std::fs::read(studio.folder.path().join("there.mcap")).unwrap(), b"mine");
    assert!(studio.start(named("one")).ok);
    let second = studio.start(named("two"));
    assert!(!second.ok && second.message.contains("is being recorded already"), "{second:?}");
    studio.steps(5);
    studio.stop();
    assert_eq!(std::fs::read_dir(studio.folder.path()).unwrap().count(), 2);
}
